"""The page of figures: who may read it, what it tells, and what it never does."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable

import pytest
from flask import Flask

from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLink, UnrecordedLinks
from dashboard.settings import Settings
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.figures import Figures
from tests.support.levers import Levers
from tests.support.people import ARUN, ASHA
from tests.support.visitor import HTMX, Visitor
from tests.web import steps
from tests.web.steps import RC

TOKEN = "canary-2b9e61aa-metrics-token"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def environ(environ: dict[str, str]) -> dict[str, str]:
    return {**environ, "DASHBOARD_METRICS_TOKEN": TOKEN}


@pytest.fixture
def figures(app: Flask) -> Callable[[], Figures]:
    """Read the page with the token."""

    def read() -> Figures:
        answer = app.test_client().get("/metrics", headers=BEARER)
        assert answer.status_code == 200
        return Figures(answer.text)

    return read


# Who may read it


def test_the_token_opens_it_without_a_session(visitor: Visitor) -> None:
    answer = visitor.get("/metrics", headers=BEARER)
    assert (answer.status_code, answer.mimetype) == (200, "text/plain")
    assert "version=0.0.4" in answer.headers["Content-Type"]
    assert answer.headers["Cache-Control"] == "no-store"
    assert "Set-Cookie" not in answer.headers


@pytest.mark.parametrize(
    "header",
    [
        None,
        "Bearer",
        "Bearer ",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Bearer {TOKEN.upper()}",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer ünïcode",
    ],
)
def test_strangers_are_refused_and_not_sent_to_sign_in(visitor: Visitor, header: str | None) -> None:
    for more in ({}, HTMX):
        answer = visitor.get("/metrics", headers={**more, **({"Authorization": header} if header else {})})
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert "dashboard_" not in answer.text


def test_staff_and_managers_are_refused_and_administrators_are_not(
    staff: Visitor, manager: Visitor, admin: Visitor
) -> None:
    for visitor in (staff, manager):
        assert "This is for administrators" in visitor.page("/metrics", status=403).text
    answer = admin.get("/metrics")
    assert answer.status_code == 200
    assert "dashboard_intents" in answer.text


def test_a_token_opens_nothing_else(visitor: Visitor) -> None:
    for address in ("/", f"/vehicles/{RC}", f"/links/{uuid.uuid4()}"):
        assert visitor.get(address, headers=BEARER).status_code == 302


@pytest.mark.parametrize("header", [f"Bearer {TOKEN}", "Bearer ", "Bearer None"])
def test_without_a_token_in_the_settings_no_token_opens_it(
    build_app: Callable[[Settings], Flask], environ: dict[str, str], header: str
) -> None:
    del environ["DASHBOARD_METRICS_TOKEN"]
    app = build_app(Settings.from_environ(environ))
    assert app.test_client().get("/metrics", headers={"Authorization": header}).status_code == 401
    assert steps.arrives(app, ARUN).get("/metrics").status_code == 200


def test_reading_it_keeps_no_session_alive(admin: Visitor, clock: MovableClock) -> None:
    for _ in range(3):
        clock.advance(minutes=9)
        assert admin.get("/metrics").status_code == 200
    clock.advance(minutes=4)
    assert admin.get("/metrics").status_code == 401


# What it tells


def test_every_call_is_counted_by_group_operation_and_what_came_of_it(
    staff: Visitor, five: dict[str, str], levers: Levers, figures: Callable[[], Figures]
) -> None:
    calls = {"group": "Challan Search", "operation": "search_challans"}
    assert figures().value("dashboard_service_calls_total") == 0
    levers.fault("search", "status", status=502, count=1)
    steps.searched(staff)
    told = figures()
    assert told.value("dashboard_service_calls_total", **calls, outcome="ServiceFailed") == 1
    assert told.value("dashboard_service_calls_total", **calls, outcome="ok") == 1
    assert told.value("dashboard_service_calls_total", **calls, outcome="Unreachable") == 0
    assert told.value("dashboard_service_call_seconds_count", operation="search_challans") == 2
    assert told.value("dashboard_service_answer_bytes_total", operation="search_challans") > 100


def test_a_timeout_is_counted_as_no_answer(
    build_app: Callable[[Settings], Flask], environ: dict[str, str], five: dict[str, str], levers: Levers
) -> None:
    environ["DASHBOARD_REFRESH_SECONDS"] = environ["DASHBOARD_SEARCH_SECONDS"] = "0.4"
    app = build_app(Settings.from_environ(environ))
    arun = steps.arrives(app, ARUN)
    levers.fault("search", "delay", seconds=2, count=5)
    steps.search(arun)
    levers.clear_faults()
    told = Figures(arun.get("/metrics").text)
    assert told.value("dashboard_service_calls_total", operation="search_challans", outcome="Unreachable") == 1
    assert told.value("dashboard_service_calls_total", outcome="ServiceFailed") == 0
    slow = told.value("dashboard_service_call_seconds_bucket", operation="search_challans", le="0.25")
    assert slow == 0, "it took longer than that"


def test_requests_are_counted_by_route_and_class_of_status(
    staff: Visitor, five: dict[str, str], figures: Callable[[], Figures]
) -> None:
    staff.submit_sign_out()
    staff.signs_in(ASHA.email)
    steps.searched(staff)
    for _ in range(3):
        staff.get(f"/links/{uuid.uuid4()}")
    staff.get("/nowhere")
    staff.get(f"/nowhere/{uuid.uuid4()}")
    told = figures()
    assert told.value("dashboard_requests_total", endpoint="links.show", status="4xx") == 3
    assert told.value("dashboard_requests_total", endpoint="none", status="4xx") == 2
    assert told.value("dashboard_requests_total", endpoint="accounts.sign_in", status="3xx") == 1
    assert told.value("dashboard_request_seconds_count", endpoint="links.show") == 3
    assert told.value("dashboard_request_seconds_sum", endpoint="links.show") > 0


def test_links_and_requests_are_counted_by_state(
    staff: Visitor, five: dict[str, str], levers: Levers, services: Services, figures: Callable[[], Figures]
) -> None:
    steps.searched(staff)
    first = steps.link_of(steps.create(staff, "MH1001"))
    second = steps.link_of(steps.create(staff, "MH1002"))
    levers.pay(first)
    levers.set_link(second, status="ON_HOLD\n{}")
    for link_id in (first, second):
        services.link_poller.refresh(link_id)
    told = figures()
    assert told.value("dashboard_intents", state="CREATED") == 2
    assert told.value("dashboard_intents", state="UNKNOWN") == 0
    assert told.value("dashboard_links", status="PAID") == 1
    assert told.value("dashboard_links", status="other") == 1, "a status that nobody documented is no label"
    assert told.value("dashboard_links", status="ACTIVE") == 0


def test_the_age_of_what_is_unclear_is_told(
    staff: Visitor, five: dict[str, str], levers: Levers, clock: MovableClock, figures: Callable[[], Figures]
) -> None:
    assert figures().value("dashboard_oldest_unknown_intent_seconds") == 0
    steps.searched(staff)
    levers.fault("create_link", "status", status=500)
    steps.request_of(steps.create(staff, "MH1001"))
    clock.advance(seconds=90)
    levers.fault("create_link", "status", status=500)
    steps.request_of(steps.create(staff, "MH1002"))
    clock.advance(seconds=10)
    told = figures()
    assert told.value("dashboard_intents", state="UNKNOWN") == 2
    assert told.value("dashboard_oldest_unknown_intent_seconds") == pytest.approx(100, abs=2)


def test_the_lag_is_how_long_the_most_overdue_link_has_waited(
    staff: Visitor, five: dict[str, str], clock: MovableClock, services: Services, figures: Callable[[], Figures]
) -> None:
    steps.searched(staff)
    for number in ("MH1001", "MH1002"):
        steps.create(staff, number)
    assert figures().value("dashboard_poll_lag_seconds") == 0, "nothing is due yet"
    clock.advance(minutes=5)
    lag = figures().value("dashboard_poll_lag_seconds")
    assert 270 < lag < 300
    assert len(services.link_poller.claim_due(10)) == 2
    assert figures().value("dashboard_poll_lag_seconds") == 0, "both are being asked for"


def test_what_waits_on_this_disk_is_told(
    settings: Settings, clock: MovableClock, figures: Callable[[], Figures]
) -> None:
    assert figures().value("dashboard_spooled_records") == 0
    spool = UnrecordedLinks(settings.data_dir / "spool")
    for _ in range(2):
        spool.put(UnrecordedLink(str(uuid.uuid4()), str(uuid.uuid4()), clock()))
    assert figures().value("dashboard_spooled_records") == 2


def test_the_process_tells_what_it_uses(figures: Callable[[], Figures]) -> None:
    told = figures()
    assert told.value("process_resident_memory_bytes", process="app") > 10_000_000
    assert told.value("process_cpu_seconds_total", process="app") > 0
    assert told.value("process_start_time_seconds", process="app") < time.time()


def test_without_its_database_the_process_still_tells_of_itself(store: Store, figures: Callable[[], Figures]) -> None:
    assert figures().value("dashboard_store_up") == 1
    with store.write() as connection:
        connection.exec_driver_sql("ALTER TABLE intent RENAME TO elsewhere")
    told = figures()
    assert told.value("dashboard_store_up") == 0
    assert told.value("dashboard_service_calls_total") == 0
    assert told.value("dashboard_spooled_records") == 0
    assert "dashboard_intents" not in told.families


def test_what_is_held_back_is_told_by_why_and_which(
    staff: Visitor, five: dict[str, str], levers: Levers, figures: Callable[[], Figures]
) -> None:
    def held() -> set[tuple[str, str]]:
        told = figures().found("dashboard_calls_held_back")
        return {(each.labels["why"], each.labels["scope"]) for each in told if each.value}

    steps.searched(staff)
    assert held() == set()
    assert len(figures().found("dashboard_calls_held_back")) == 9, "what is not held back is told as well"
    levers.set_organization(searchEnabled=False)
    steps.search(staff)
    assert held() == {("not enabled", "Challan Search")}
    levers.set_organization(searchEnabled=True, linkAllowance=0)
    steps.create(staff, "MH1001")
    assert held() == {("not enabled", "Challan Search"), ("allowance", "create")}


def test_a_refused_secret_and_an_open_breaker_are_told_and_heal(
    staff: Visitor, five: dict[str, str], levers: Levers, clock: MovableClock, figures: Callable[[], Figures]
) -> None:
    def held(why: str, scope: str) -> float:
        return figures().value("dashboard_calls_held_back", why=why, scope=scope)

    steps.searched(staff)
    levers.fault("search", "status", status=500, count=20)
    for _ in range(5):
        steps.refresh(staff)
    assert held("breaker", "search") == 1
    assert held("breaker", "status") == 0
    levers.clear_faults()
    clock.advance(seconds=31)
    steps.refresh(staff)
    assert held("breaker", "search") == 0
    levers.revoke_secret()
    steps.refresh(staff)
    assert held("secret", "all") == 1


def test_what_was_used_of_the_day_is_told_and_what_was_learned_of_its_size(
    staff: Visitor, five: dict[str, str], levers: Levers, clock: MovableClock, figures: Callable[[], Figures]
) -> None:
    steps.searched(staff)
    steps.refresh(staff)
    told = figures()
    assert told.value("dashboard_allowance_used", group="search") == 2
    assert told.value("dashboard_allowance_used", group="create") == 0
    assert not told.found("dashboard_allowance_learned"), "nothing is known until the service says so"
    levers.set_organization(searchAllowance=0)
    steps.refresh(staff)
    assert figures().value("dashboard_allowance_learned", group="search") == 2
    assert figures().value("dashboard_calls_held_back", why="allowance", scope="search") == 1
    clock.advance(hours=24)
    assert figures().value("dashboard_allowance_used", group="search") == 0, "a new day"


# What it never tells


def test_no_label_holds_an_id_a_vehicle_or_a_person(
    staff: Visitor, five: dict[str, str], levers: Levers, figures: Callable[[], Figures]
) -> None:
    steps.searched(staff)
    link_id = steps.link_of(steps.create(staff))
    staff.page(f"/links/{link_id}")
    staff.get(f"/links/{link_id}/panel", headers=HTMX)
    before = len(figures().samples)
    for _ in range(3):
        staff.get(f"/links/{uuid.uuid4()}")
        staff.get(f"/vehicles/MH12AB{uuid.uuid4().int % 10000:04}")
    told = figures()
    for word in (link_id, RC, "MH12", "asha", "Asha", *five.values()):
        assert word not in told.text
    staff.get(f"/links/{uuid.uuid4()}")
    staff.get(f"/vehicles/MH12AB{uuid.uuid4().int % 10000:04}")
    assert len(figures().samples) == len(told.samples), f"asking for more does not make more series than {before}"


def test_it_holds_no_secret(
    app: Flask, staff: Visitor, admin: Visitor, environ: dict[str, str], levers: Levers, figures: Callable[[], Figures]
) -> None:
    steps.search(staff)
    levers.revoke_secret()
    steps.search(staff)
    for text in (figures().text, admin.get("/metrics").text):
        for name in ("API_SECRET", "SECRET_KEY", "METRICS_TOKEN"):
            assert environ[f"DASHBOARD_{name}"] not in text
