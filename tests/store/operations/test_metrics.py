"""Test the metrics that are read from the store, on both databases."""

from __future__ import annotations

from dashboard.domain.intents import IntentState
from dashboard.metrics import Metrics
from dashboard.services.container import Services
from tests.support.clock import MovableClock
from tests.support.ledger_fixtures import RC
from tests.support.levers import Levers
from tests.support.metrics_page import MetricsPage
from tests.support.staff_member import StaffMember


def test_the_metrics_follow_the_ledger(
    services: Services, clerk: StaffMember, levers: Levers, clock: MovableClock
) -> None:
    def value(name: str, **labels: str) -> float:
        return MetricsPage(Metrics().text(services).decode()).value(name, **labels)

    clerk.search(RC)
    first, second, *_ = clerk.payable(RC)
    clerk.create(RC, [first])
    levers.fault("create_link", "status", status=500)
    unclear = clerk.create(RC, [second])
    assert unclear.state == IntentState.UNKNOWN
    services.call_policy.allowances.write_counts()
    # These count one day, which may end when the clock moves on.
    assert value("dashboard_allowance_used", group="search") == 1
    assert value("dashboard_allowance_used", group="create") == 2
    clock.advance(minutes=10)
    assert value("dashboard_store_up") == 1
    assert value("dashboard_links", status="ACTIVE") == 1
    assert value("dashboard_intents", state="CREATED") == 1
    assert value("dashboard_intents", state="UNKNOWN") == 1
    assert 590 < value("dashboard_oldest_unknown_intent_seconds") < 620
    assert value("dashboard_poll_lag_seconds") > 400
    assert value("dashboard_calls_held_back") == 0
