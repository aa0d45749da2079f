"""Add up amounts of which some are unknown: an unknown amount is counted, never treated as zero."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Sum:
    """Hold the `total` of the known amounts, in major units of the currency, and how many amounts were `unknown`."""

    total: Decimal
    unknown: int

    def __add__(self, other: Sum) -> Sum:
        return Sum(self.total + other.total, self.unknown + other.unknown)


NO_SUM = Sum(Decimal(0), 0)


def add_up(amounts: Iterable[Decimal | None]) -> Sum:
    """Add the known amounts, and count the unknown ones."""
    total, unknown = Decimal(0), 0
    for amount in amounts:
        if amount is None:
            unknown += 1
        else:
            total += amount
    return Sum(total, unknown)
