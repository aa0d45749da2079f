"""Test when a repeated search is due: in India, on its days, and once however many times have passed."""

from __future__ import annotations

from datetime import UTC, datetime, time

import pytest

from dashboard.domain.fleet_schedules import EVERY_DAY, Repeat, Scope, next_time, read_title, title_of

#: A Sunday in India, 1:30 am; in UTC it is still Saturday.
NIGHT = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("weekdays", "at", "due"),
    [
        (EVERY_DAY, time(2, 0), datetime(2026, 11, 21, 20, 30, tzinfo=UTC)),
        (EVERY_DAY, time(1, 30), datetime(2026, 11, 22, 20, 0, tzinfo=UTC)),
        (EVERY_DAY, time(1, 0), datetime(2026, 11, 22, 19, 30, tzinfo=UTC)),
        ({6}, time(2, 0), datetime(2026, 11, 21, 20, 30, tzinfo=UTC)),
        ({6}, time(1, 0), datetime(2026, 11, 28, 19, 30, tzinfo=UTC)),
        ({0, 4}, time(23, 59), datetime(2026, 11, 23, 18, 29, tzinfo=UTC)),
    ],
)
def test_the_next_time_is_the_first_of_its_days_after_now(weekdays: set[int], at: time, due: datetime) -> None:
    assert next_time(weekdays, at, NIGHT) == due


def test_a_repeated_search_needs_a_day() -> None:
    with pytest.raises(ValueError, match="weekday"):
        next_time((), time(2, 0), NIGHT)


@pytest.mark.parametrize(("scope", "days"), [(Scope.ALL, None), (Scope.OLD, 1), (Scope.OLD, 365)])
def test_the_name_of_a_run_is_read_as_what_it_searches(scope: Scope, days: int | None) -> None:
    assert read_title(title_of(Repeat(scope, EVERY_DAY, time(2, 0), days=days), None)) == (scope, days)


def test_a_name_that_people_chose_stands_for_itself() -> None:
    assert title_of(Repeat(Scope.LIST, EVERY_DAY, time(2, 0), 1), "Pune trucks") == "Pune trucks"
    assert read_title("Pune trucks") is None
