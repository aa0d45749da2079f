"""Define the period of a statement: whole days in the time zone of its readers."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from dashboard.web.reconciliation import statement_texts as texts
from dashboard.web.shared import periods
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import today
from dashboard.web.shared.periods import PeriodProblem, read_days

#: A longer period has a row for each month, not for each day.
_MOST_DAYS = 92


@dataclass(frozen=True, slots=True)
class Period(periods.Period):
    """Hold the first and the last day of a statement."""

    @property
    def is_long(self) -> bool:
        """Return whether it has a row for each month rather than for each day."""
        return (self.last - self.first).days >= _MOST_DAYS

    def spans(self) -> Iterator[Period]:
        """Yield its days; of a long one its months, the first and the last as far as they belong to it.

        The last one is that of tomorrow, because the service's clock may be ahead and nothing happens later.
        """
        first, end = self.first, max(self.first, min(self.last, today() + timedelta(days=1)))
        while first <= end:
            last = min(_end_of_month(first), end) if self.is_long else first
            yield Period(first, last)
            first = last + timedelta(days=1)


class By(StrEnum):
    """Name what the rows of a statement stand for."""

    VEHICLE = "vehicle"
    DAY = "day"
    COST_CENTRE = "cost-centre"


@dataclass(frozen=True, slots=True)
class Asked:
    """Hold what an address asks of a statement."""

    period: Period
    by: By = By.VEHICLE

    @property
    def in_address(self) -> dict[str, str]:
        """Return it as the values of an address."""
        return self.period.in_address | ({} if self.by is By.VEHICLE else {"by": self.by.value})


@dataclass(frozen=True, slots=True)
class Moment:
    """Name the start or the end of a day, as the column of a statement that leads to the links open then."""

    day: date
    at_end: bool = False


def _end_of_month(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def presets() -> Iterator[tuple[str, Period]]:
    """Yield the periods that are one click away, each with its label."""
    monday = today() - timedelta(days=today().weekday())
    yesterday = today() - timedelta(days=1)
    yield texts.TODAY, Period(today(), today())
    yield texts.YESTERDAY, Period(yesterday, yesterday)
    yield texts.LAST_WEEK, Period(monday - timedelta(days=7), monday - timedelta(days=1))
    yield shared_texts.THIS_MONTH, Period.this_month()
    yield shared_texts.LAST_MONTH, Period.last_month()


def read_by(values: Mapping[str, str]) -> By:
    """Read what an address wants a row for each of; by vehicle where it names nothing that is known."""
    try:
        return By(values.get("by", ""))
    except ValueError:
        return By.VEHICLE


def read_period(values: Mapping[str, str]) -> tuple[Period, PeriodProblem | None]:
    """Read the period that an address names, last month by default, and what is wrong with it, if anything.

    Where something is wrong the period is only that from which other days are chosen.
    """
    days = read_days(values)
    if isinstance(days, PeriodProblem):
        return Period.last_month(), days
    return (Period(*days) if days else Period.last_month()), None
