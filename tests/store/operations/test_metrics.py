"""The figures that machines read, from each of the two databases."""

from __future__ import annotations

from dashboard.domain.intents import IntentState
from dashboard.metrics import Metrics
from dashboard.services.container import Services
from tests.support.clock import MovableClock
from tests.support.figures import Figures
from tests.support.ledger_fixtures import RC
from tests.support.levers import Levers
from tests.support.service_driver import Counter


def test_the_figures_follow_what_happens(
    services: Services, counter: Counter, levers: Levers, clock: MovableClock
) -> None:
    def told(name: str, **labels: str) -> float:
        return Figures(Metrics().text(services).decode()).value(name, **labels)

    counter.search(RC)
    first, second, *_ = counter.payable(RC)
    counter.create(RC, [first])
    levers.fault("create_link", "status", status=500)
    unclear = counter.create(RC, [second])
    assert unclear.state == IntentState.UNKNOWN
    services.call_policy.allowances.write_counts()
    # Asked before the clock moves on, as these are of a day, which may end meanwhile.
    assert told("dashboard_allowance_used", group="search") == 1
    assert told("dashboard_allowance_used", group="create") == 2
    clock.advance(minutes=10)
    assert told("dashboard_store_up") == 1
    assert told("dashboard_links", status="ACTIVE") == 1
    assert told("dashboard_intents", state="CREATED") == 1
    assert told("dashboard_intents", state="UNKNOWN") == 1
    assert 590 < told("dashboard_oldest_unknown_intent_seconds") < 620
    assert told("dashboard_poll_lag_seconds") > 400
    assert told("dashboard_calls_held_back") == 0
