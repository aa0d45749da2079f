"""Define the periods of the overview: so many whole days up to today, and as many before them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from dashboard.store.links.listing import start_of
from dashboard.web.shared.current import today, zone

#: The lengths that can be chosen, in days, and the one that is shown at first.
LENGTHS, USUAL = (7, 30, 90), 30
#: The most days of which each has a column.
_MOST_DAYS, _WEEK = 31, 7


@dataclass(frozen=True, slots=True)
class Period:
    """Hold the first and the last day of a period, which is today."""

    first: date
    last: date

    @property
    def length(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def start(self) -> datetime:
        return start_of(self.first, zone())

    @property
    def before(self) -> Period:
        """Return the period of the same length before this one."""
        return Period(self.first - timedelta(days=self.length), self.first - timedelta(days=1))

    @property
    def days(self) -> list[date]:
        return [self.first + timedelta(days=number) for number in range(self.length)]

    @property
    def spans(self) -> list[list[date]]:
        """Return the days that a column stands for: each alone, or those of a week where they are many.

        The last week ends today, and the first may be shorter.
        """
        days, length = self.days, _WEEK if self.length > _MOST_DAYS else 1
        return [days[max(0, end - length) : end] for end in range(len(days), 0, -length)][::-1]


def read_period(text: str) -> Period:
    """Read the period that an address names by its length; the usual one when it names none of them."""
    length = next((each for each in LENGTHS if str(each) == text), USUAL)
    return Period(today() - timedelta(days=length - 1), today())
