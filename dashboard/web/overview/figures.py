"""Hold what the overview counts of a period and of the one before it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from dashboard.domain.money import Sum
from dashboard.store.links.listing import start_of
from dashboard.store.overview.overview import Made, Payment, Payments, Received, Total
from dashboard.web.overview.periods import Period
from dashboard.web.shared.current import zone


@dataclass(frozen=True, slots=True)
class Figures:
    """Hold what happened in a period, and in the one before it."""

    period: Period
    first_link: datetime
    paid: Sequence[Payment]
    payments: Payments
    payments_before: Payments
    received_before: Sequence[Received]
    made: Made
    made_before: Made
    made_sum: Sum | None  # None where there are too many to add up.
    ended: Total
    ended_before: Total
    failed: int  # of those that ended, whose payment failed
    given: Mapping[str, Sequence[tuple[int, str]]]  # The drivers of each paid link.

    @property
    def can_compare(self) -> bool:
        """Return whether there were links during all of the period before."""
        return self.first_link < start_of(self.period.before.first + timedelta(days=1), zone())

    @property
    def first_day(self) -> date:
        """Return the day of the first figure: a link that was found here may have been paid before."""
        return min([self.first_link, *(payment.paid_on for payment in self.paid)]).astimezone(zone()).date()

    @property
    def unknown_days(self) -> int:
        """Return how many days of the period come before the first figure."""
        return bisect_left(self.period.days, self.first_day)
