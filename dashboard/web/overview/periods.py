"""Define the periods of the overview: so many whole days up to today or other days, and as many before them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from itertools import groupby

from dashboard.web.overview import texts
from dashboard.web.shared import periods
from dashboard.web.shared.current import today
from dashboard.web.shared.periods import FIELDS, PeriodProblem, read_days

#: The lengths that are one click away, in days, and the one that is shown at first.
LENGTHS, USUAL = (7, 30, 90), 30


class Column(Enum):
    """Name what a column of the chart stands for."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"


#: The most days of a period that has columns of these; a longer one has months.
_MOST_DAYS = {Column.DAY: 31, Column.WEEK: 182}


@dataclass(frozen=True, slots=True)
class Period(periods.Period):
    """Hold the first and the last day of a period, which is today or before."""

    @property
    def length(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def last_day(self) -> date | None:
        """Return its last day for a list; None for today, because the service's clock may be ahead."""
        return None if self.last >= today() else self.last

    @property
    def end_if_over(self) -> datetime | None:
        """Return the moment after its last day, in the same way."""
        return None if self.last_day is None else self.end

    @property
    def before(self) -> Period:
        """Return the period of the same length before this one."""
        return Period(self.first - timedelta(days=self.length), self.first - timedelta(days=1))

    @property
    def days(self) -> list[date]:
        return [self.first + timedelta(days=number) for number in range(self.length)]

    @property
    def column(self) -> Column:
        return next((column for column, most in _MOST_DAYS.items() if self.length <= most), Column.MONTH)

    @property
    def spans(self) -> list[list[date]]:
        """Return the days that a column stands for. The first week or month may be shorter, as may the last month."""
        days = self.days
        if self.column is Column.MONTH:
            return [list(month) for _month, month in groupby(days, lambda day: (day.year, day.month))]
        length = 1 if self.column is Column.DAY else 7
        return [days[max(0, end - length) : end] for end in range(len(days), 0, -length)][::-1]


def last_days(length: int) -> Period:
    return Period(today() - timedelta(days=length - 1), today())


def read_period(values: Mapping[str, str]) -> tuple[Period, PeriodProblem | None]:
    """Read the period that an address names by its days or its length, and what is wrong with its days, if anything.

    It is the usual one where the address names none. What is to come of its days has nothing that could be compared.
    """
    days = read_days(values)
    if isinstance(days, PeriodProblem):
        return last_days(USUAL), days
    if days is None:
        return last_days(next((each for each in LENGTHS if str(each) == values.get("days", "")), USUAL)), None
    first, last = days
    if first > today():
        return last_days(USUAL), PeriodProblem(texts.STILL_TO_COME, FIELDS[:1])
    return Period(first, min(last, today())), None
