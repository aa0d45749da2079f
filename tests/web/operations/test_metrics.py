"""Test the metrics: who may read them, which there are, and what they never hold."""

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
from tests.support.levers import Levers
from tests.support.metrics_page import MetricsPage
from tests.support.people import ARUN, ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import RC

TOKEN = "canary-2b9e61aa-metrics-token"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def environ(environ: dict[str, str]) -> dict[str, str]:
    return {**environ, "DASHBOARD_METRICS_TOKEN": TOKEN}


@pytest.fixture
def figures(app: Flask) -> Callable[[], MetricsPage]:
    """Read the page with the token."""

    def read() -> MetricsPage:
        answer = app.test_client().get("/metrics", headers=BEARER)
        assert answer.status_code == 200
        return MetricsPage(answer.text)

    return read


# Access


def test_the_token_opens_it_without_a_session(visitor: WebClient) -> None:
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
def test_a_stranger_is_refused_and_not_redirected_to_sign_in(visitor: WebClient, header: str | None) -> None:
    for more in ({}, HTMX):
        answer = visitor.get("/metrics", headers={**more, **({"Authorization": header} if header else {})})
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert "dashboard_" not in answer.text


def test_staff_and_managers_are_refused_and_administrators_are_not(
    staff: WebClient, manager: WebClient, admin: WebClient
) -> None:
    for visitor in (staff, manager):
        assert "This is for administrators" in visitor.page("/metrics", status=403).text
    answer = admin.get("/metrics")
    assert answer.status_code == 200
    assert "dashboard_intents" in answer.text


def test_a_token_opens_nothing_else(visitor: WebClient) -> None:
    for address in ("/", f"/vehicles/{RC}", f"/links/{uuid.uuid4()}"):
        assert visitor.get(address, headers=BEARER).status_code == 302


@pytest.mark.parametrize("header", [f"Bearer {TOKEN}", "Bearer ", "Bearer None"])
def test_without_a_token_in_the_settings_every_token_is_refused(
    build_app: Callable[[Settings], Flask], environ: dict[str, str], header: str
) -> None:
    del environ["DASHBOARD_METRICS_TOKEN"]
    app = build_app(Settings.from_environ(environ))
    assert app.test_client().get("/metrics", headers={"Authorization": header}).status_code == 401
    assert steps.arrives(app, ARUN).get("/metrics").status_code == 200


def test_reading_metrics_keeps_no_session_alive(admin: WebClient, clock: MovableClock) -> None:
    for _ in range(3):
        clock.advance(minutes=9)
        assert admin.get("/metrics").status_code == 200
    clock.advance(minutes=4)
    assert admin.get("/metrics").status_code == 401


# The metrics


def test_every_call_is_counted_by_group_operation_and_outcome(
    staff: WebClient, five: dict[str, str], levers: Levers, figures: Callable[[], MetricsPage]
) -> None:
    calls = {"group": "Challan Search", "operation": "search_challans"}
    assert figures().value("dashboard_service_calls_total") == 0
    levers.fault("search", "status", status=502, count=1)
    steps.searches(staff)
    exposed = figures()
    assert exposed.value("dashboard_service_calls_total", **calls, outcome="ServiceFailed") == 1
    assert exposed.value("dashboard_service_calls_total", **calls, outcome="ok") == 1
    assert exposed.value("dashboard_service_calls_total", **calls, outcome="Unreachable") == 0
    assert exposed.value("dashboard_service_call_seconds_count", operation="search_challans") == 2
    assert exposed.value("dashboard_service_answer_bytes_total", operation="search_challans") > 100


def test_a_timeout_is_counted_as_unreachable(
    build_app: Callable[[Settings], Flask], environ: dict[str, str], five: dict[str, str], levers: Levers
) -> None:
    environ["DASHBOARD_REFRESH_SECONDS"] = environ["DASHBOARD_SEARCH_SECONDS"] = "0.4"
    app = build_app(Settings.from_environ(environ))
    arun = steps.arrives(app, ARUN)
    levers.fault("search", "delay", seconds=2, count=5)
    steps.search(arun)
    levers.clear_faults()
    exposed = MetricsPage(arun.get("/metrics").text)
    assert exposed.value("dashboard_service_calls_total", operation="search_challans", outcome="Unreachable") == 1
    assert exposed.value("dashboard_service_calls_total", outcome="ServiceFailed") == 0
    slow = exposed.value("dashboard_service_call_seconds_bucket", operation="search_challans", le="0.25")
    assert slow == 0, "it took longer than that"


def test_requests_are_counted_by_route_and_class_of_status(
    staff: WebClient, five: dict[str, str], figures: Callable[[], MetricsPage]
) -> None:
    staff.submit_sign_out()
    staff.signs_in(ASHA.email)
    steps.searches(staff)
    for _ in range(3):
        staff.get(f"/links/{uuid.uuid4()}")
    staff.get("/nowhere")
    staff.get(f"/nowhere/{uuid.uuid4()}")
    exposed = figures()
    assert exposed.value("dashboard_requests_total", endpoint="links.show", status="4xx") == 3
    assert exposed.value("dashboard_requests_total", endpoint="none", status="4xx") == 2
    assert exposed.value("dashboard_requests_total", endpoint="accounts.sign_in", status="3xx") == 1
    assert exposed.value("dashboard_request_seconds_count", endpoint="links.show") == 3
    assert exposed.value("dashboard_request_seconds_sum", endpoint="links.show") > 0


def test_links_and_requests_are_counted_by_state(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services, figures: Callable[[], MetricsPage]
) -> None:
    steps.searches(staff)
    first = steps.link_of(steps.create(staff, "MH1001"))
    second = steps.link_of(steps.create(staff, "MH1002"))
    levers.pay(first)
    levers.set_link(second, status="ON_HOLD\n{}")
    for link_id in (first, second):
        services.link_poller.refresh(link_id)
    exposed = figures()
    assert exposed.value("dashboard_intents", state="CREATED") == 2
    assert exposed.value("dashboard_intents", state="UNKNOWN") == 0
    assert exposed.value("dashboard_links", status="PAID") == 1
    assert exposed.value("dashboard_links", status="other") == 1, "an undocumented status is no label"
    assert exposed.value("dashboard_links", status="ACTIVE") == 0


def test_the_age_of_the_oldest_unknown_outcome_is_exposed(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock, figures: Callable[[], MetricsPage]
) -> None:
    assert figures().value("dashboard_oldest_unknown_intent_seconds") == 0
    steps.searches(staff)
    levers.fault("create_link", "status", status=500)
    steps.request_of(steps.create(staff, "MH1001"))
    clock.advance(seconds=90)
    levers.fault("create_link", "status", status=500)
    steps.request_of(steps.create(staff, "MH1002"))
    clock.advance(seconds=10)
    exposed = figures()
    assert exposed.value("dashboard_intents", state="UNKNOWN") == 2
    assert exposed.value("dashboard_oldest_unknown_intent_seconds") == pytest.approx(100, abs=2)


def test_the_lag_is_that_of_the_most_overdue_link(
    staff: WebClient, five: dict[str, str], clock: MovableClock, services: Services, figures: Callable[[], MetricsPage]
) -> None:
    steps.searches(staff)
    for number in ("MH1001", "MH1002"):
        steps.create(staff, number)
    assert figures().value("dashboard_poll_lag_seconds") == 0, "nothing is due yet"
    clock.advance(minutes=5)
    lag = figures().value("dashboard_poll_lag_seconds")
    assert 270 < lag < 300
    assert len(services.link_poller.claim_due(10)) == 2
    assert figures().value("dashboard_poll_lag_seconds") == 0, "both are claimed"


def test_records_on_this_disk_are_counted(
    settings: Settings, clock: MovableClock, figures: Callable[[], MetricsPage]
) -> None:
    assert figures().value("dashboard_spooled_records") == 0
    spool = UnrecordedLinks(settings.data_dir / "spool")
    for _ in range(2):
        spool.put(UnrecordedLink(str(uuid.uuid4()), str(uuid.uuid4()), clock()))
    assert figures().value("dashboard_spooled_records") == 2


def test_the_resources_of_the_process_are_exposed(figures: Callable[[], MetricsPage]) -> None:
    exposed = figures()
    assert exposed.value("process_resident_memory_bytes", process="app") > 10_000_000
    assert exposed.value("process_cpu_seconds_total", process="app") > 0
    assert exposed.value("process_start_time_seconds", process="app") < time.time()


def test_without_its_database_a_process_still_exposes_its_own_metrics(
    store: Store, figures: Callable[[], MetricsPage]
) -> None:
    assert figures().value("dashboard_store_up") == 1
    with store.write() as connection:
        connection.exec_driver_sql("ALTER TABLE intent RENAME TO elsewhere")
    exposed = figures()
    assert exposed.value("dashboard_store_up") == 0
    assert exposed.value("dashboard_service_calls_total") == 0
    assert exposed.value("dashboard_spooled_records") == 0
    assert "dashboard_intents" not in exposed.families


def test_blocked_calls_are_exposed_by_why_and_scope(
    staff: WebClient, five: dict[str, str], levers: Levers, figures: Callable[[], MetricsPage]
) -> None:
    def held() -> set[tuple[str, str]]:
        exposed = figures().found("dashboard_calls_held_back")
        return {(each.labels["why"], each.labels["scope"]) for each in exposed if each.value}

    steps.searches(staff)
    assert held() == set()
    assert len(figures().found("dashboard_calls_held_back")) == 9, "also those that are not blocked"
    levers.set_organization(searchEnabled=False)
    steps.search(staff)
    assert held() == {("not enabled", "Challan Search")}
    levers.set_organization(searchEnabled=True, linkAllowance=0)
    steps.create(staff, "MH1001")
    assert held() == {("not enabled", "Challan Search"), ("allowance", "create")}


def test_a_refused_secret_and_an_open_breaker_are_exposed_while_they_last(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock, figures: Callable[[], MetricsPage]
) -> None:
    def held(why: str, scope: str) -> float:
        return figures().value("dashboard_calls_held_back", why=why, scope=scope)

    steps.searches(staff)
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
    clock.advance(seconds=61)  # A person refreshes a vehicle once a minute.
    steps.refresh(staff)
    assert held("secret", "all") == 1


def test_the_use_of_the_day_and_its_learned_size_are_exposed(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock, figures: Callable[[], MetricsPage]
) -> None:
    steps.searches(staff)
    steps.refresh(staff)
    exposed = figures()
    assert exposed.value("dashboard_allowance_used", group="search") == 2
    assert exposed.value("dashboard_allowance_used", group="create") == 0
    assert not exposed.found("dashboard_allowance_learned"), "nothing is known before a 429"
    levers.set_organization(searchAllowance=0)
    clock.advance(seconds=61)  # A person refreshes a vehicle once a minute.
    steps.refresh(staff)
    assert figures().value("dashboard_allowance_learned", group="search") == 2
    assert figures().value("dashboard_calls_held_back", why="allowance", scope="search") == 1
    clock.advance(hours=24)
    assert figures().value("dashboard_allowance_used", group="search") == 0, "a new day"


# Data that no metric holds


def test_no_label_holds_an_id_a_vehicle_or_a_person(
    staff: WebClient, five: dict[str, str], levers: Levers, figures: Callable[[], MetricsPage]
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    staff.page(f"/links/{link_id}")
    staff.get(f"/links/{link_id}/panel", headers=HTMX)
    before = len(figures().samples)
    for _ in range(3):
        staff.get(f"/links/{uuid.uuid4()}")
        staff.get(f"/vehicles/MH12AB{uuid.uuid4().int % 10000:04}")
    exposed = figures()
    for word in (link_id, RC, "MH12", "asha", "Asha", *five.values()):
        assert word not in exposed.text
    staff.get(f"/links/{uuid.uuid4()}")
    staff.get(f"/vehicles/MH12AB{uuid.uuid4().int % 10000:04}")
    assert len(figures().samples) == len(exposed.samples), f"further requests add no series to the {before}"


def test_metrics_hold_no_secret(
    app: Flask,
    staff: WebClient,
    admin: WebClient,
    environ: dict[str, str],
    levers: Levers,
    figures: Callable[[], MetricsPage],
) -> None:
    steps.search(staff)
    levers.revoke_secret()
    steps.search(staff)
    for text in (figures().text, admin.get("/metrics").text):
        for name in ("API_SECRET", "SECRET_KEY", "METRICS_TOKEN"):
            assert environ[f"DASHBOARD_{name}"] not in text
