"""Test on both databases what the service page reads of calls, days and versions."""

from __future__ import annotations

from datetime import timedelta

from dashboard.store.operations import call_counts, call_outcomes, versions
from dashboard.store.operations.call_counts import DayOfCalls
from dashboard.store.operations.call_outcomes import ANSWERED, KEPT, CallOutcome
from tests.store.links.test_large_ledger import NOW


def test_outcomes_of_an_hour_are_added_up_and_old_ones_forgotten(ledger):
    hour, later = NOW.replace(minute=0, second=0, microsecond=0), NOW + timedelta(minutes=5)
    with ledger.write() as connection:
        for outcome, calls, at in (("Unreachable", 2, NOW), ("Unreachable", 3, later), (ANSWERED, 9, NOW)):
            call_outcomes.add(connection, CallOutcome(hour, "search", outcome, calls, at))
        call_outcomes.add(connection, CallOutcome(hour - KEPT, "search", "Unreachable", 1, NOW - KEPT))
        assert len(call_outcomes.outcomes_since(connection, hour - KEPT)) == 3
        call_outcomes.forget(connection, NOW + timedelta(hours=1))
        outcomes = call_outcomes.outcomes_since(connection, hour - KEPT)
        answers = CallOutcome(hour, "search", ANSWERED, 9, NOW)
        assert outcomes == [answers, CallOutcome(hour, "search", "Unreachable", 5, later)]
        assert call_outcomes.latest_answers(connection) == {"search": NOW}


def test_calls_are_read_by_day_with_the_limit_that_each_showed(ledger):
    with ledger.write() as connection:
        for day, group, calls in (
            ("2026-11-20", "search", 4),
            ("2026-11-21", "create", 2),
            ("2026-11-01", "search", 1),
        ):
            call_counts.add(connection, day, group, calls)
        call_counts.record(connection, "2026-11-20", "search", refused_after=3)
        assert call_counts.by_day(connection, "2026-11-10") == [
            DayOfCalls("2026-11-20", "search", 4, 3),
            DayOfCalls("2026-11-21", "create", 2, None),
        ]


def test_the_database_names_itself(ledger):
    with ledger.read() as connection:
        found = versions.read(connection)
    assert found.name in ("sqlite", "postgresql")
    assert found.version[0].isdigit()
    assert found.revision.startswith("r")
