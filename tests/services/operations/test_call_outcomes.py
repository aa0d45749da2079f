"""Test that what came of calls is counted by hour: at no cost to a call, for all processes, and for two weeks."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event, text

from dashboard.errors import Operation, ServiceError
from dashboard.services.operations.call_outcomes import CallOutcomes
from dashboard.store.operations import call_outcomes
from dashboard.store.operations.call_outcomes import ANSWERED
from tests.support.ledger_fixtures import RC

SEARCH = Operation.SEARCH_CHALLANS
STATUS = Operation.GET_PAYMENT_LINK


@pytest.fixture(autouse=True)
def morning(clock):
    """Set the clock to ten minutes past ten in India."""
    clock.set(datetime(2026, 11, 21, 4, 40, tzinfo=UTC))


def failures(services, clock, days=30):
    with services.store.read() as connection:
        found = call_outcomes.outcomes_since(connection, clock() - timedelta(days=days))
    return [(each.hour, each.call_group, each.outcome, each.calls) for each in found if each.outcome != ANSWERED]


def test_answers_and_failures_are_counted_by_the_hour_in_india(services, clock, levers):
    policy, client = services.call_policy, services.vehicle_search.client
    policy.call(SEARCH, lambda: client.search_challans(RC))
    answered_at = clock()
    levers.fault("search", "status", status=500, count=9)
    for _ in range(2):
        clock.advance(minutes=5)
        with pytest.raises(ServiceError):
            policy.call(SEARCH, lambda: client.search_challans(RC))
    services.call_outcomes.write_counts()
    ten = datetime(2026, 11, 21, 4, 30, tzinfo=UTC)
    assert failures(services, clock) == [(ten, "search", "ServiceFailed", 2)]
    with services.store.read() as connection:
        assert call_outcomes.latest_answers(connection) == {"search": answered_at}


def test_several_processes_add_to_the_same_hour(services, clock):
    other = CallOutcomes(services.store, clock)
    for process in (services.call_outcomes, other, services.call_outcomes):
        process.count(STATUS, "Unreachable")
        process.write_counts()
    assert [row[1:] for row in failures(services, clock)] == [("status", "Unreachable", 3)]


def test_a_call_costs_no_commit_and_the_counts_one_that_does_not_wait_for_the_disk(services, monkeypatch):
    commits, durable = [], []
    event.listen(services.store.engine, "commit", commits.append)
    write = services.store.write
    monkeypatch.setattr(
        type(services.store),
        "write",
        lambda _store, *args, **how: durable.append(how.get("durable", True)) or write(*args, **how),
    )
    for _ in range(50):
        services.call_outcomes.count(STATUS)
        services.call_outcomes.count(STATUS, "NotFound")
    assert commits == []
    services.call_outcomes.write_counts()
    assert durable == [False]
    assert len(commits) == 1
    services.call_outcomes.write_counts()
    assert len(commits) == 1, "nothing was counted since"


def test_counts_that_could_not_be_written_are_written_later(services, clock):
    services.call_outcomes.count(STATUS, "Unreachable")
    with services.store.write() as connection:
        connection.execute(text("ALTER TABLE call_outcome RENAME TO elsewhere"))
    with pytest.raises(Exception, match="call_outcome"):
        services.call_outcomes.write_counts()
    services.call_outcomes.count(STATUS, "Unreachable")
    with services.store.write() as connection:
        connection.execute(text("ALTER TABLE elsewhere RENAME TO call_outcome"))
    services.call_outcomes.write_counts()
    assert [row[3] for row in failures(services, clock)] == [2]


def test_counts_are_kept_for_two_weeks(services, clock):
    services.call_outcomes.count(STATUS, "Unreachable")
    services.call_outcomes.write_counts()
    for days, rows in ((13, 2), (2, 2)):
        clock.advance(days=days)
        services.call_outcomes.count(STATUS, "NotFound")
        services.call_outcomes.write_counts()
        assert len(failures(services, clock)) == rows
