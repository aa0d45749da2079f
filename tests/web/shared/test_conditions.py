"""Test each condition of the table of faults both ways: it breaks, people read what it means, and it heals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask

from dashboard.services.container import Services
from dashboard.settings import Settings
from tests.conftest import CANARY
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.upstream.rude_server import RudeServer, Script, answer, dripping, raw, respond
from tests.web import steps
from tests.web.steps import RC, VEHICLE

NO_ANSWER = "The service did not answer."
ERROR = "The service answered with an error"
UNREADABLE = f"{ERROR}: its answer could not be read."
FIVE = [f"MH100{n}" for n in range(1, 6)]


@dataclass(frozen=True)
class Condition:
    """Describe a fault: what breaks, the text and status people get, the calls it costs, and what heals it."""

    breaks: Callable[[Levers], object]
    said: str
    status: int = 502
    calls: int = 1
    heals: Callable[[Levers], object] = Levers.clear_faults
    after: dict[str, float] | None = None
    banner: str = ""


def fault(operation: str, kind: str, count: int = 1, **more: Any) -> Callable[[Levers], object]:
    return lambda levers: levers.fault(operation, kind, count=count, **more)


def new_key(levers: Levers) -> None:
    levers.replace_secret(secret=CANARY)


def allowed(service: str, yes: bool) -> Callable[[Levers], object]:
    return lambda levers: levers.set_organization(**{service: yes})


SEARCH = {
    "cut before the answer": Condition(fault("search", "cut", 2), NO_ANSWER, 504, calls=2),
    "cut after it was done": Condition(fault("search", "cut", 2, when="after"), NO_ANSWER, 504, calls=2),
    "silence": Condition(fault("search", "delay", seconds=6), NO_ANSWER, 504),
    "slow drip": Condition(fault("search", "drip", seconds=9), UNREADABLE),
    "502": Condition(fault("search", "status", 3, status=502), f"{ERROR}.", calls=3),
    "500": Condition(fault("search", "status", status=500), f"{ERROR}."),
    "a status that is not listed": Condition(fault("search", "status", status=418), f"{ERROR}."),
    "redirect": Condition(fault("search", "status", status=302), UNREADABLE),
    "not JSON": Condition(fault("search", "corrupt", corruption="invalid-json"), UNREADABLE),
    "HTML": Condition(fault("search", "corrupt", corruption="html"), UNREADABLE),
    "empty": Condition(fault("search", "corrupt", corruption="empty"), UNREADABLE),
    "success false": Condition(fault("search", "corrupt", corruption="success-false"), UNREADABLE),
    "no object": Condition(fault("search", "corrupt", corruption="not-an-object"), UNREADABLE),
    "no list": Condition(fault("search", "corrupt", corruption="missing-field", missing="data.challans"), UNREADABLE),
    "429": Condition(
        lambda levers: levers.set_organization(searchAllowance=0),
        f"{ERROR}: today’s search limit is reached.",
        429,
        heals=lambda levers: levers.set_organization(searchAllowance=None),
        after={"minutes": 2},
        banner="Today’s search limit is reached No searches since",
    ),
    "403": Condition(
        allowed("searchEnabled", False),
        f"{ERROR}: this service is not enabled for your organization.",
        503,
        heals=allowed("searchEnabled", True),
        after={"minutes": 11},
        banner="Challan Search is not enabled for your organization The service has refused it since",
    ),
    "401": Condition(
        Levers.revoke_secret,
        f"{ERROR}: the API key was refused, so no calls are being made.",
        503,
        heals=new_key,
        after={"minutes": 2},
        banner="Searching and new links are stopped The API key was refused. Stopped since",
    ),
    "409": Condition(
        lambda levers: levers.assign_vehicle(RC, "second"),
        f"{ERROR}: the vehicle belongs to another organization or was deleted.",
        409,
        heals=lambda levers: levers.assign_vehicle(RC, "demo"),
    ),
    "409, deleted": Condition(
        lambda levers: levers.delete_vehicle(RC),
        f"{ERROR}: the vehicle belongs to another organization or was deleted.",
        409,
        heals=lambda levers: levers.delete_vehicle(RC, deleted=False),
    ),
}


#: These conditions show only when a deadline has passed. The others get all the time that retries and backoff may take.
_SLOW = ("silence", "slow drip")
_HURRIED = {"DASHBOARD_SEARCH_SECONDS": "4", "DASHBOARD_STATUS_SECONDS": "4"}


def is_slow(request: pytest.FixtureRequest) -> bool:
    return any(f"[{name}]" in request.node.name for name in _SLOW)


@pytest.fixture
def environ(environ: dict[str, str], request: pytest.FixtureRequest) -> dict[str, str]:
    return environ | _HURRIED if is_slow(request) else environ


def banner(page: Page) -> str:
    return words(" ".join(found.get_text(" ", strip=True) for found in page.all(".banner")))


@pytest.mark.parametrize("condition", SEARCH.values(), ids=SEARCH)
def test_a_search_that_fails_keeps_what_is_known_and_works_again_when_it_heals(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock, condition: Condition
) -> None:
    steps.searches(staff)
    clock.advance(minutes=20)
    levers.forget_calls()
    condition.breaks(levers)

    page = staff.read(steps.search(staff, "mh12 ab 1001"))
    assert page.status == condition.status
    told = words(page.one(".vehicle-updated").get_text(" "))
    assert told.startswith(f"Not refreshed. {condition.said} Showing ")
    assert re.search(r"Showing [\w ,]*\d:\d\d [ap]m ?\.$", told)
    assert list(steps.boxes(page)) == FIVE, "the last list stays"
    assert page.field("RC number")["value"] == "mh12 ab 1001", "what was typed stays"
    assert levers.count("search") == condition.calls
    assert condition.banner in banner(staff.page("/"))
    assert bool(banner(staff.page("/"))) == bool(condition.banner)

    condition.heals(levers)
    clock.advance(**condition.after or {"seconds": 1})
    page = steps.searched(staff)
    assert list(steps.boxes(page)) == FIVE
    assert "The service" not in page.text
    assert banner(page) == ""


def test_a_source_that_answers_at_the_third_try_is_no_trouble(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    levers.fault("search", "status", status=502, count=2)
    assert list(steps.boxes(steps.searched(staff))) == FIVE
    assert levers.count("search") == 3


def test_a_request_that_is_refused_asks_for_what_may_be_missing(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    levers.fault("search", "status", status=400)
    page = staff.read(steps.search(staff, "mh12 ab 1001"))
    assert page.status == 422
    assert page.field("RC number")["value"] == "MH12 AB 1001"
    assert page.field("RC type")
    assert page.field("City")
    assert list(steps.boxes(steps.searched(staff))) == FIVE


LISTS = {
    "429 on RC types": fault("rc_types", "status", status=429),
    "403 on RC types": fault("rc_types", "status", status=403),
    "502 on RC types": fault("rc_types", "status", 3, status=502),
    "cut on locations": fault("locations", "cut", 3),
    "HTML for locations": fault("locations", "corrupt", corruption="html"),
}


@pytest.mark.parametrize("breaks", LISTS.values(), ids=LISTS)
def test_the_lists_of_yesterday_serve_when_new_ones_cannot_be_had(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock, breaks: Callable[[Levers], object]
) -> None:
    levers.add_vehicle("KA05MN4321", organization=None)
    page = staff.read(steps.search(staff, "KA05 MN 4321"))
    options = [page.field("RC type").get_text(), page.field("City").get_text()]
    clock.advance(hours=25)
    steps.comes_back(staff, ASHA)
    breaks(levers)
    page = staff.read(steps.search(staff, "KA05 MN 4321"))
    assert page.status == 422
    assert [page.field("RC type").get_text(), page.field("City").get_text()] == options


# Status calls

STATUS = {
    "cut": Condition(fault("link_status", "cut"), NO_ANSWER),
    "silence": Condition(fault("link_status", "delay", seconds=6), NO_ANSWER),
    "slow drip": Condition(fault("link_status", "drip", seconds=8), UNREADABLE),
    "500": Condition(fault("link_status", "status", status=500), f"{ERROR}."),
    "502": Condition(fault("link_status", "status", status=502), f"{ERROR}."),
    "429": Condition(
        fault("link_status", "status", status=429),
        f"{ERROR}: the API key is throttled or was refused, so no calls are being made.",
        heals=Levers.clear_faults,
        after={"minutes": 2},
        banner="The API key is throttled or was refused",
    ),
    "redirect": Condition(fault("link_status", "status", status=301), UNREADABLE),
    "HTML": Condition(fault("link_status", "corrupt", corruption="html"), UNREADABLE),
    "success false": Condition(fault("link_status", "corrupt", corruption="success-false"), UNREADABLE),
    "no id": Condition(fault("link_status", "corrupt", corruption="missing-field", missing="data.id"), UNREADABLE),
    "404": Condition(fault("link_status", "status", status=404), f"{ERROR}: it no longer knows this."),
    "403": Condition(
        allowed("linksEnabled", False),
        f"{ERROR}: this service is not enabled for your organization.",
        heals=allowed("linksEnabled", True),
        after={"minutes": 11},
        banner="Payment Link Generation is not enabled for your organization",
    ),
    "401": Condition(
        Levers.revoke_secret,
        f"{ERROR}: the API key was refused, so no calls are being made.",
        heals=new_key,
        after={"minutes": 2},
        banner="The API key was refused",
    ),
}


@pytest.mark.parametrize("condition", STATUS.values(), ids=STATUS)
def test_a_check_that_fails_keeps_the_last_state_and_is_made_again_by_itself(
    staff: WebClient,
    five: dict[str, str],
    levers: Levers,
    services: Services,
    clock: MovableClock,
    condition: Condition,
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001"))
    clock.advance(minutes=5)
    levers.forget_calls()
    condition.breaks(levers)

    page = steps.check(staff, link_id)
    assert page.one("#link-panel")["data-status"] == "ACTIVE"
    assert "Copy link" in page.buttons()
    assert f"{condition.said} This is from" in page.text
    assert "We check again automatically." in page.text
    assert levers.count("link_status") == condition.calls
    assert bool(banner(page)) == bool(condition.banner)
    assert condition.banner in banner(page)

    levers.pay(link_id)
    condition.heals(levers)
    clock.advance(**condition.after or {"seconds": 61})
    for taken in services.link_poller.claim_due(5):
        services.link_poller.poll_claimed(taken)
    page = staff.page(f"/links/{link_id}")
    assert page.one("#link-panel")["data-status"] == "PAID"
    assert "The service" not in page.one("#link-panel").get_text()
    assert banner(page) == ""


# Conditions of the way to the service: the address is wrong, and then put right

BOMB = respond(b"\x1f\x8b" + b"\x00" * 64, "200 OK", "Content-Type: application/json", "Content-Encoding: gzip")
RUDE: dict[str, tuple[Script, str]] = {
    "an answer without end": (dripping(b"HTTP/1.1 200 OK\r\n" + b"X-More: 1\r\n" * 10_000), NO_ANSWER),
    "a bad gzip": (raw(BOMB), UNREADABLE),
    "no HTTP": (raw(b"SSH-2.0-OpenSSH_9.6\r\n"), UNREADABLE),
    "another envelope": (answer(["challans"]), UNREADABLE),
}


@pytest.fixture
def rude() -> Iterator[Callable[[Script], RudeServer]]:
    servers: list[RudeServer] = []

    def start(script: Script) -> RudeServer:
        servers.append(RudeServer(script))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def at(address: str, environ: dict[str, str]) -> Settings:
    """Return the settings of an application whose service does not answer at this address, and which waits briefly."""
    return Settings.from_environ({**environ, **_HURRIED, "DASHBOARD_SERVICE_URL": address})


def heals_at_the_right_address(app: Flask) -> None:
    again = steps.arrives(app, ASHA)
    page = steps.searched(again)
    assert list(steps.boxes(page)) == FIVE
    assert "The service" not in page.text


@pytest.mark.parametrize(("script", "said"), RUDE.values(), ids=RUDE)
def test_an_answer_that_breaks_all_rules_is_told_and_the_list_stays(
    app: Flask,
    build_app: Callable[[Settings], Flask],
    environ: dict[str, str],
    five: dict[str, str],
    rude: Callable[[Script], RudeServer],
    script: Script,
    said: str,
) -> None:
    steps.searches(steps.arrives(app, ASHA))
    asha = steps.arrives(build_app(at(rude(script).url, environ)), ASHA)
    page = asha.read(steps.search(asha))
    assert page.status in (502, 504)
    told = words(page.one(".vehicle-trouble").get_text(" "))
    assert any(told.startswith(f"Not refreshed. {each} Showing ") for each in (said, UNREADABLE))
    assert list(steps.boxes(page)) == FIVE
    heals_at_the_right_address(app)


ADDRESSES = {
    "nobody listens": ("http://127.0.0.1:9", NO_ANSWER),
    "no such name": ("https://service.invalid", NO_ANSWER),
    "no secure connection": (
        "https://127.0.0.1:{port}",
        "The service did not answer: a secure connection could not be made. Tell an administrator.",
    ),
}


@pytest.mark.parametrize(("address", "said"), ADDRESSES.values(), ids=ADDRESSES)
def test_a_service_that_cannot_be_reached_is_told_and_nothing_is_lost(
    app: Flask,
    build_app: Callable[[Settings], Flask],
    environ: dict[str, str],
    five: dict[str, str],
    address: str,
    said: str,
) -> None:
    steps.searches(steps.arrives(app, ASHA))
    port = environ["DASHBOARD_SERVICE_URL"].rpartition(":")[2]
    asha = steps.arrives(build_app(at(address.format(port=port), environ)), ASHA)
    page = asha.read(steps.search(asha))
    assert page.status == 504
    told = words(page.one(".vehicle-updated").get_text(" "))
    assert told.startswith(f"Not refreshed. {said} Showing "), "the head of the page says how old it is"
    assert list(steps.boxes(page)) == FIVE
    review = asha.read(steps.create(asha, "MH1001", "MH1002"))
    assert "Nothing was sent" in review.text
    assert "may or may not" not in review.text
    heals_at_the_right_address(app)
    again = steps.arrives(app, ASHA)
    steps.link_of(again.page(f"{VEHICLE}/review").submit("Create payment link"))


def test_where_no_secure_connection_can_be_made_the_banner_sends_for_an_administrator(
    build_app: Callable[[Settings], Flask], environ: dict[str, str], five: dict[str, str]
) -> None:
    port = environ["DASHBOARD_SERVICE_URL"].rpartition(":")[2]
    asha = steps.arrives(build_app(at(f"https://127.0.0.1:{port}", environ)), ASHA)
    for _ in range(5):
        steps.search(asha)
    said = banner(asha.page("/"))
    assert said.startswith("Searching is paused No secure connection to the service since")
    assert "Nothing is sent without one. Tell an administrator." in said
