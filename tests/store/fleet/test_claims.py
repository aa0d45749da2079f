"""Test on both databases that a lane finds its claim by an index, and not among all that is left of a job."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from sqlalchemy import event

from dashboard.domain.fleet import FleetVehicle, JobKind, PlannedLink
from dashboard.domain.money import Sum
from dashboard.store.engine import Store
from dashboard.store.fleet import jobs, plans, runs

pytestmark = pytest.mark.databases

NOW = datetime(2026, 11, 23, 6, 30, tzinfo=UTC)
PARTS = 5_000
LANE = "run:1:4:0"


def _begins_run(store: Store) -> None:
    with store.write() as connection:
        jobs.add_once(connection, "run", JobKind.SEARCH, "All trucks", None, NOW)
        runs.add(connection, "run", [FleetVehicle(f"MH12AB{number:04}") for number in range(PARTS)])


def _begins_plan(store: Store) -> None:
    links = [PlannedLink(f"MH12AB{number:04}", (f"C{number}",), Sum(Decimal(500), 0)) for number in range(PARTS)]
    with store.write() as connection:
        jobs.add_once(connection, "plan", JobKind.CREATION, "All trucks", None, NOW)
        plans.add(connection, "plan", links, hours=48, run_id=None)


@pytest.mark.parametrize(
    ("begins", "claims", "job_id"), [(_begins_run, runs, "run"), (_begins_plan, plans, "plan")], ids=["run", "plan"]
)
def test_a_lane_finds_its_claim_by_an_index(ledger: Store, begins, claims, job_id: str) -> None:  # type: ignore[no-untyped-def]  # Modules that answer alike.
    begins(ledger)
    with ledger.write() as connection:
        assert claims.claim_next(connection, job_id, LANE, NOW).position == 1
        connection.exec_driver_sql("ANALYZE")
    sent: list[tuple[str, object]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        sent.append((statement, parameters))

    event.listen(ledger.engine, "before_cursor_execute", note)
    with ledger.read() as connection:
        assert claims.claimed_by(connection, job_id, LANE).position == 1
        assert claims.claimed_by(connection, job_id, "run:1:5:0") is None
    event.remove(ledger.engine, "before_cursor_execute", note)
    statement, values = sent[-1]
    words = "EXPLAIN QUERY PLAN " if ledger.is_sqlite else "EXPLAIN "
    with ledger.read() as connection:
        plan = [str(row[-1]).strip() for row in connection.exec_driver_sql(words + statement, values)]  # type: ignore[arg-type]  # The drivers take both kinds.
    assert any("_lane" in line for line in plan), plan
