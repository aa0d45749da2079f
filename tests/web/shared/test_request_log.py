"""Test the request log: one line for each request, with the id that its calls and the audit log carry too."""

from __future__ import annotations

import json
import logging
import re
import socket
import threading
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from dashboard import log_context, logs
from dashboard.background.watcher import Watcher
from dashboard.domain.challans import AttachedLink
from dashboard.services.container import Services
from dashboard.settings import Settings
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from dashboard.store.links import links
from tests.conftest import ServedReplica
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import RC, challan

Lines = Callable[..., list[dict[str, Any]]]


@pytest.fixture
def lines(caplog: pytest.LogCaptureFixture) -> Lines:
    """Return the entries logged so far whose fields are as given."""
    caplog.handler.setFormatter(logs.JsonFormatter())
    caplog.set_level(logging.DEBUG, logger="dashboard")

    def read(**given: object) -> list[dict[str, Any]]:
        entries = [json.loads(line) for line in caplog.text.splitlines()]
        return [entry for entry in entries if given.items() <= entry.items()]

    return read


def wait_for(condition: Callable[[], object], seconds: float = 20) -> None:
    pause = threading.Event()
    for _ in range(int(seconds / 0.05)):
        if condition():
            return
        pause.wait(0.05)
    raise AssertionError("it never came to be")


# One line for each request


def test_every_request_has_one_line_with_its_answer_and_person(
    staff: WebClient, five: dict[str, str], lines: Lines
) -> None:
    steps.searched(staff)
    (line,) = lines(logger="dashboard.web.shared.request_log", endpoint="vehicles.search")
    assert (line["level"], line["method"], line["status"], line["person_id"]) == ("info", "POST", 303, 1)
    assert 0 < line["ms"] < 60_000
    (page,) = lines(logger="dashboard.web.shared.request_log", endpoint="vehicles.show")
    assert (page["method"], page["status"], page["person_id"]) == ("GET", 200, 1)


def test_a_stranger_has_no_person_id_and_a_typed_address_is_not_logged(visitor: WebClient, lines: Lines) -> None:
    visitor.get("/nowhere/%0A%7B%22forged%22?token=do-not-tell")
    (line,) = lines(logger="dashboard.web.shared.request_log")
    assert (line["endpoint"], line["status"], line["person_id"]) == ("none", 404, None)
    assert "nowhere" not in json.dumps(line)
    assert "do-not-tell" not in json.dumps(line)


def test_a_sign_in_is_logged_with_the_person(app: Flask, lines: Lines) -> None:
    steps.arrives(app, ASHA)
    assert lines(endpoint="accounts.sign_in", method="POST", status=303, person_id=1)


def test_polls_and_health_checks_are_logged_at_debug(staff: WebClient, lines: Lines) -> None:
    staff.get(f"/links/{uuid.uuid4()}/panel", headers=HTMX)
    staff.get("/static/app.css")
    for address in ("/healthz", "/readyz", "/metrics"):
        staff.get(address)
    quiet = ("links.panel", "static", "operations.healthz", "operations.readyz", "operations.metrics")
    assert {line["level"] for line in lines() if line.get("endpoint") in quiet} == {"debug"}
    assert {line["endpoint"] for line in lines(level="debug")} >= set(quiet)


def test_a_request_that_fails_is_a_warning_even_of_a_poll(broken_page: str, staff: WebClient, lines: Lines) -> None:
    staff.get(broken_page)
    (line,) = lines(logger="dashboard.web.shared.request_log", endpoint="fail")
    assert (line["level"], line["status"]) == ("warning", 500)


def test_a_static_file_does_not_depend_on_who_asks(staff: WebClient) -> None:
    assert "Cookie" not in staff.get("/static/app.css").headers.get("Vary", "")


# One request id in all logs


def test_the_id_runs_from_the_request_to_the_calls_it_makes_and_into_the_audit_log(
    staff: WebClient, five: dict[str, str], levers: Levers, store: Store, lines: Lines
) -> None:
    levers.fault("search", "status", status=502, count=1)
    answer = steps.search(staff)
    request_id = answer.headers["X-Request-Id"]
    calls = lines(logger="dashboard.upstream", request=request_id)
    assert [(call["operation"], call["attempt"], call["class"]) for call in calls] == [
        ("search_challans", 1, "ServiceFailed"),
        ("search_challans", 2, "ok"),
    ]
    assert len(lines(logger="dashboard.web.shared.request_log", request=request_id)) == 1
    with store.read() as connection:
        (row,) = [row for row in audit.newest(connection) if row.action == "search"]
    assert row.request_id == request_id
    assert not lines(logger="dashboard.upstream", request="-")


def test_the_call_that_creates_a_link_names_its_request(
    staff: WebClient, five: dict[str, str], levers: Levers, lines: Lines
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "status", status=409)
    answer = steps.create(staff)
    intent_id = steps.request_of(answer).rpartition("/")[2]
    request_id = answer.headers["X-Request-Id"]
    calls = lines(logger="dashboard.upstream", request=request_id)
    assert [(call["operation"], call["intent_id"]) for call in calls] == [
        ("create_payment_link", intent_id),
        ("search_challans", intent_id),
    ], "the search that explains a conflict names it as well"


def test_a_line_has_the_link_or_request_that_the_address_names(staff: WebClient, lines: Lines) -> None:
    link_id, intent_id = str(uuid.uuid4()), str(uuid.uuid4())
    staff.get(f"/links/{link_id}")
    staff.get(f"/requests/{intent_id}")
    assert lines(endpoint="links.show", link_id=link_id)
    assert lines(endpoint="creation.request_page", intent_id=intent_id)


def test_the_id_reaches_the_threads_that_a_request_starts(
    build_app: Callable[[Settings], Flask],
    environ: dict[str, str],
    replica: ServedReplica,
    five: dict[str, str],
    monkeypatch: pytest.MonkeyPatch,
    lines: Lines,
) -> None:
    environ["DASHBOARD_SERVICE_URL"] = replica.url.replace("127.0.0.1", "localhost")
    asha = steps.arrives(build_app(Settings.from_environ(environ)), ASHA)
    really = socket.getaddrinfo

    def tell(*args: Any, **more: Any) -> Any:
        logging.getLogger("dashboard.tests").info("looked up in %s", threading.current_thread().name)
        return really(*args, **more)

    monkeypatch.setattr(socket, "getaddrinfo", tell)
    answer = steps.search(asha)
    assert answer.status_code == 303
    assert lines(message="looked up in resolve", request=answer.headers["X-Request-Id"])


def test_the_id_ends_with_the_request(staff: WebClient) -> None:
    staff.get("/")
    assert log_context.fields() == {"request": "-"}


# Request ids from outside


def test_an_id_that_a_visitor_sends_is_not_used(visitor: WebClient) -> None:
    assert visitor.get("/sign-in", headers={"X-Request-Id": "abc"}).headers["X-Request-Id"] != "abc"


@pytest.fixture
def behind_a_proxy(build_app: Callable[[Settings], Flask], environ: dict[str, str]) -> WebClient:
    environ["DASHBOARD_PROXY_COUNT"] = "1"
    client = build_app(Settings.from_environ(environ)).test_client()
    assert isinstance(client, WebClient)
    return client


@pytest.mark.parametrize(
    ("given", "taken"),
    [
        ("abc", "abc"),
        ("0123456789abcdef0123456789ABCDEF", "0123456789abcdef0123456789ABCDEF"),
        ("7f3c1a2e-59a5-4f53-9d0b-1a7d2b2f6c11", "7f3c1a2e59a54f539d0b1a7d2b2f6c11"),
    ],
)
def test_the_id_of_a_proxy_is_used(behind_a_proxy: WebClient, lines: Lines, given: str, taken: str) -> None:
    answer = behind_a_proxy.get("/sign-in", headers={"X-Request-Id": given})
    assert answer.headers["X-Request-Id"] == taken
    assert lines(endpoint="accounts.sign_in", request=taken)


@pytest.mark.parametrize("given", ["", "x" * 33, "a b", "a,b", 'a"b', "a\u2028b", "../../x", "<script>", "é"])
def test_an_id_that_is_no_short_plain_word_is_not_used_from_a_proxy_either(
    behind_a_proxy: WebClient, given: str
) -> None:
    answer = behind_a_proxy.get("/sign-in", headers={"X-Request-Id": given.encode().decode("latin-1")})
    assert re.fullmatch(r"[0-9a-f]{16}", answer.headers["X-Request-Id"])


# The watcher


@pytest.fixture
def watcher(services: Services) -> Any:
    running = Watcher(services)
    yield running
    running.stop()


def test_each_row_of_the_watcher_has_an_id_and_is_named(
    staff: WebClient, levers: Levers, clock: MovableClock, watcher: Watcher, lines: Lines
) -> None:
    levers.add_vehicle(RC, [challan(1), challan(2), challan(3)])
    steps.searches(staff)
    created = {steps.link_of(steps.create(staff, number)) for number in ("MH1001", "MH1002")}
    levers.fault("create_link", "status", status=500)
    intent_id = steps.request_of(steps.create(staff, "MH1003")).rpartition("/")[2]
    clock.advance(minutes=5)
    watcher.start()
    of_links = {"logger": "dashboard.upstream", "operation": "get_payment_link"}
    wait_for(lambda: all(lines(**of_links, link_id=link_id) for link_id in created))
    wait_for(lambda: lines(operation="search_challans", intent_id=intent_id))
    looks = lines(operation="search_challans", intent_id=intent_id)
    for line in (*lines(**of_links), *looks):
        assert re.fullmatch(r"watch-[0-9a-f]{8}", line["request"])
    assert len({lines(**of_links, link_id=link_id)[0]["request"] for link_id in created}) == 2


def test_a_row_that_fails_is_named(store: Store, watcher: Watcher, clock: MovableClock, lines: Lines) -> None:
    with store.write() as connection:
        links.record_sighting(connection, AttachedLink("no uuid", "ACTIVE", None, None), None, clock())
    clock.advance(seconds=1)
    watcher.start()
    wait_for(lambda: lines(message="a row could not be worked on", link_id="no uuid"))
    (line,) = lines(message="a row could not be worked on")[:1]
    assert line["request"].startswith("watch-")
    assert "UUID" in line["trace"]
