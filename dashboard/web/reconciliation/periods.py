"""Define the period of a statement: whole days in the time zone of its readers."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum

from dashboard.store.links.listing import start_of
from dashboard.web.reconciliation import statement_texts as texts
from dashboard.web.shared import request_args
from dashboard.web.shared.current import today, zone

#: The fields of an address that name a period.
FIELDS = ("from", "to")
#: A longer period has a row for each month, not for each day.
_MOST_DAYS = 92


@dataclass(frozen=True, slots=True)
class Period:
    """Hold the first and the last day of a period."""

    first: date
    last: date

    @property
    def start(self) -> datetime:
        return start_of(self.first, zone())

    @property
    def end(self) -> datetime:
        """Return the moment after the last day."""
        return start_of(self.after, zone())

    @property
    def after(self) -> date:
        """Return the day after the last."""
        return self.last + timedelta(days=1)

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

    @property
    def in_address(self) -> dict[str, str]:
        """Return the period as the values of an address."""
        return dict(zip(FIELDS, (self.first.isoformat(), self.last.isoformat()), strict=True))


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
class PeriodProblem:
    """Say what is wrong with the days of an address, and in which fields."""

    text: str
    fields: tuple[str, ...]


def _end_of_month(day: date) -> date:
    return day.replace(day=monthrange(day.year, day.month)[1])


def last_month() -> Period:
    last = today().replace(day=1) - timedelta(days=1)
    return Period(last.replace(day=1), last)


def this_month() -> Period:
    return Period(today().replace(day=1), today())


def presets() -> Iterator[tuple[str, Period]]:
    """Yield the periods that are one click away, each with its label."""
    monday = today() - timedelta(days=today().weekday())
    yesterday = today() - timedelta(days=1)
    yield texts.TODAY, Period(today(), today())
    yield texts.YESTERDAY, Period(yesterday, yesterday)
    yield texts.LAST_WEEK, Period(monday - timedelta(days=7), monday - timedelta(days=1))
    yield texts.THIS_MONTH, this_month()
    yield texts.LAST_MONTH, last_month()


def unreadable_days(values: Mapping[str, str]) -> tuple[str, ...]:
    """Return the fields of an address in which something stands that is no day."""
    typed = {name: values.get(name, "").strip() for name in FIELDS}
    return tuple(name for name, text in typed.items() if text and request_args.day(text) is None)


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
    typed = [values.get(name, "").strip() for name in FIELDS]
    if not any(typed):
        return last_month(), None
    first, last = (request_args.day(text) for text in typed)
    if unreadable := unreadable_days(values):
        return last_month(), PeriodProblem(texts.NO_SUCH_DAY, unreadable)
    if first is None and last is None:
        return last_month(), PeriodProblem(texts.ENTER_BOTH_DAYS, FIELDS)
    if first is None:
        return last_month(), PeriodProblem(texts.ENTER_FIRST_DAY, FIELDS[:1])
    if last is None:
        return last_month(), PeriodProblem(texts.ENTER_LAST_DAY, FIELDS[1:])
    if last < first:
        return last_month(), PeriodProblem(texts.LAST_BEFORE_FIRST, FIELDS[1:])
    return Period(first, last), None
