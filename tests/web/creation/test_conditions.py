"""Test each fault of the service during a creation: true words, an unchanged selection, and work after recovery."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask

from dashboard.services.container import Services
from dashboard.settings import Settings
from tests.conftest import CANARY
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.creation.test_request import FALSE_WORDS, state
from tests.web.shared.test_conditions import banner, fault, is_slow
from tests.web.steps import REVIEW, VEHICLE


@pytest.fixture
def environ(environ: dict[str, str], request: pytest.FixtureRequest) -> dict[str, str]:
    return environ | {"DASHBOARD_CREATE_SECONDS": "2"} if is_slow(request) else environ


@pytest.fixture
def searched(staff: WebClient, five: dict[str, str]) -> dict[str, str]:
    steps.searches(staff)
    return five


def watch(services: Services) -> None:
    """Resolve due intents once, as the watcher does."""
    services.outcome_resolver.sweep()
    for intent_id in services.outcome_resolver.claim_due(5):
        services.outcome_resolver.resolve(intent_id)


# Refusals: nothing was created, and the page says so


@dataclass(frozen=True)
class Refusal:
    breaks: Callable[[Levers], object]
    heals: Callable[[Levers], object]
    said: str
    after: dict[str, float]
    banner: str = ""


REFUSALS = {
    "429": Refusal(
        lambda levers: levers.set_organization(linkAllowance=0),
        lambda levers: levers.set_organization(linkAllowance=None),
        r"No link was created ₹[\d,.]+ \d challans, not on a link No new links till about [\w\s,:’]+ was reached at ",
        {"minutes": 2},
        "Today’s limit for new links is reached",
    ),
    "403": Refusal(
        lambda levers: levers.set_organization(linksEnabled=False),
        lambda levers: levers.set_organization(linksEnabled=True),
        r"No link was created Payment Link Generation is not enabled for your organization\.",
        {"minutes": 11},
        "Payment Link Generation is not enabled for your organization",
    ),
    "401": Refusal(
        Levers.revoke_secret,
        lambda levers: levers.replace_secret(secret=CANARY),
        r"No link was created The API key was refused\.",
        {"minutes": 2},
        "Searching and new links are stopped The API key was refused.",
    ),
    "404": Refusal(
        fault("create_link", "status", status=404),
        Levers.clear_faults,
        r"No link was created The service does not know the vehicle or one of the challans\. Search the vehicle",
        {"seconds": 1},
    ),
    "400": Refusal(
        fault("create_link", "status", status=400),
        Levers.clear_faults,
        r"No link was created The service rejected the request for a link, and gave no reason\.",
        {"seconds": 1},
    ),
}


@pytest.mark.parametrize("condition", REFUSALS.values(), ids=REFUSALS)
def test_a_refused_creation_keeps_the_selection_and_works_when_it_heals(
    staff: WebClient, searched: dict[str, str], levers: Levers, clock: MovableClock, condition: Refusal
) -> None:
    condition.breaks(levers)
    page = staff.page(steps.request_of(steps.create(staff, "MH1001", "MH1002", hours="72")))
    assert state(page) == "REJECTED"
    assert re.search(condition.said, page.text)
    assert banner(page).startswith(condition.banner)
    assert bool(banner(page)) == bool(condition.banner)
    assert steps.ticked(staff.page(VEHICLE)) == ["MH1001", "MH1002"]
    review = staff.page(REVIEW)
    assert review.field("Expires after (hours)")["value"] == "72"

    condition.heals(levers)
    clock.advance(**condition.after)
    steps.link_of(review.submit("Create payment link"))
    assert levers.count("create_link") == 2
    assert banner(staff.page("/")) == ""


# Unclear answers: the page says that the outcome is unknown, until an attempt resolves the request


UNCLEAR: dict[str, tuple[dict[str, Any], str]] = {
    "cut": ({"kind": "cut"}, "The service did not answer."),
    "silence": ({"kind": "delay", "seconds": 3}, "The service did not answer."),
    "slow drip": ({"kind": "drip", "seconds": 4}, "The service answered with an error."),
    "500": ({"kind": "status", "status": 500}, "The service answered with an error."),
    "502": ({"kind": "status", "status": 502}, "The service answered with an error."),
    "redirect": ({"kind": "status", "status": 307}, "The service answered with an error."),
    "HTML": ({"kind": "corrupt", "corruption": "html"}, "The service answered with an error."),
    "success false": ({"kind": "corrupt", "corruption": "success-false"}, "The service answered with an error."),
}


@pytest.mark.parametrize(("order", "said"), UNCLEAR.values(), ids=UNCLEAR)
def test_the_watcher_finds_the_link_of_an_unclear_creation(
    staff: WebClient,
    searched: dict[str, str],
    levers: Levers,
    services: Services,
    clock: MovableClock,
    order: dict[str, Any],
    said: str,
) -> None:
    levers.fault("create_link", when="after", **order)
    address = steps.request_of(steps.create(staff, "MH1001", "MH1002"))
    page = staff.page(address)
    assert state(page) == "UNKNOWN"
    assert f"{said} The link may or may not exist. These challans stay reserved." in page.text
    assert not FALSE_WORDS.search(page.response.text)
    assert list(steps.boxes(staff.page(VEHICLE))) == ["MH1003", "MH1004", "MH1005"]
    clock.advance(seconds=4)
    watch(services)
    page = staff.page(address)
    assert state(page) == "RECOVERED"
    assert page.field("Payment URL")["value"]
    assert levers.count("create_link") == 1


# Checks pause while a request is unclear


@dataclass(frozen=True)
class Pause:
    breaks: Callable[[Levers], object]
    heals: Callable[[Levers], object]
    said: str
    after: dict[str, float]


PAUSES = {
    "429 on search": Pause(
        lambda levers: levers.set_organization(searchAllowance=0),
        lambda levers: levers.set_organization(searchAllowance=None),
        r"Checking is paused until [\w ,:]+; the challans stay reserved\. Today’s search limit is reached\.",
        {"minutes": 2},
    ),
    "the key refused": Pause(
        Levers.revoke_secret,
        lambda levers: levers.replace_secret(secret=CANARY),
        r"Checking is paused until [\w ,:]+; the challans stay reserved\. The API key was refused; checking resumes",
        {"minutes": 2},
    ),
    "403 on search": Pause(
        lambda levers: levers.set_organization(searchEnabled=False),
        lambda levers: levers.set_organization(searchEnabled=True),
        r"Checking is paused until [\w ,:]+; the challans stay reserved\. Challan Search is not enabled",
        {"minutes": 11},
    ),
}


@pytest.fixture
def unclear(staff: WebClient, searched: dict[str, str], levers: Levers) -> str:
    """Create a link whose answer is lost, and return the address of its request."""
    levers.fault("create_link", "cut", when="after")
    return steps.request_of(steps.create(staff, "MH1001", "MH1002"))


@pytest.mark.parametrize("pause", PAUSES.values(), ids=PAUSES)
def test_checking_that_is_paused_says_until_when_and_goes_on_by_itself(
    staff: WebClient, unclear: str, levers: Levers, services: Services, clock: MovableClock, pause: Pause
) -> None:
    pause.breaks(levers)
    clock.advance(seconds=4)
    watch(services)
    page = staff.page(unclear)
    assert state(page) == "UNKNOWN"
    assert re.search(pause.said, page.text), page.text
    assert "Do not create it elsewhere" in page.text
    assert "The link may or may not exist. These challans stay reserved." in page.text
    assert not FALSE_WORDS.search(page.text)
    assert list(steps.boxes(staff.page(VEHICLE))) == ["MH1003", "MH1004", "MH1005"]

    levers.forget_calls()
    for _ in range(5):
        clock.advance(seconds=10)
        watch(services)
        staff.read(staff.page(unclear).submit("Check now"))
    assert levers.calls() == [], "while it is paused nothing is called"

    pause.heals(levers)
    clock.advance(**pause.after)
    watch(services)
    clock.advance(minutes=6)
    watch(services)
    page = staff.page(unclear)
    assert state(page) == "RECOVERED"
    assert "paused" not in page.text


def test_the_end_of_a_pause_is_a_change_of_the_panel(
    staff: WebClient, unclear: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.set_organization(searchAllowance=0)
    clock.advance(seconds=4)
    watch(services)
    asks = str(staff.page(unclear).one("#request-panel")["hx-get"])
    assert steps.poll(staff, asks).status_code == 204
    clock.advance(minutes=2)
    region = Page(staff, steps.poll(staff, asks), region=True)
    assert region.status == 200
    assert "paused" not in region.text


def test_a_limit_reached_by_the_reference_data_pauses_the_attempts_too(
    staff: WebClient, unclear: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.add_vehicle("KA05MN4321", organization=None)
    levers.fault("rc_types", "status", status=429)
    staff.read(steps.search(staff, "KA05 MN 4321"))
    page = staff.page(unclear)
    assert "Checking is paused until" in page.text
    clock.advance(minutes=2)
    watch(services)
    assert state(staff.page(unclear)) == "RECOVERED"


def test_a_key_replaced_in_its_file_goes_on_without_a_restart(
    environ: dict[str, str],
    build_app: Callable[[Settings], Flask],
    tmp_path: Any,
    five: dict[str, str],
    levers: Levers,
    clock: MovableClock,
) -> None:
    file = tmp_path / "secret"
    file.write_text(CANARY)
    given = {name: value for name, value in environ.items() if name != "DASHBOARD_API_SECRET"}
    app = build_app(Settings.from_environ({**given, "DASHBOARD_API_SECRET_FILE": str(file)}))
    asha = steps.arrives(app, ASHA)
    steps.searches(asha)
    levers.fault("create_link", "cut", when="after")
    address = steps.request_of(steps.create(asha, "MH1001"))
    new = levers.replace_secret()
    clock.advance(seconds=4)
    watch(app.extensions["services"])
    assert "Checking is paused until" in asha.page(address).text
    assert "The API key was refused" in banner(asha.page("/"))
    clock.advance(seconds=31)
    file.write_text(new)
    watch(app.extensions["services"])
    assert state(asha.page(address)) == "RECOVERED"
    assert banner(asha.page("/")) == ""
