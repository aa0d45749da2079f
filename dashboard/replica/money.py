"""Compute the cost of challans through a payment link, in integer paise, and format amounts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

LEGAL_FEE_PERCENT = 10
LEGAL_FEE_LEAST, LEGAL_FEE_MOST = 49_00, 499_00
GST_PERCENT = 18
# The first mode is the default configuration of a link.
CONVENIENCE_PERCENT = {"UPI": 0, "CREDIT_CARD": 2}
# A payment needs an amount, so a challan without one at the source is assessed when a link is created.
ASSESSED = 500_00
LARGEST = 10**13


def percent(amount: int, rate: int) -> int:
    """Return `rate` percent of an amount, halves rounded up, without floats."""
    return (amount * rate + 50) // 100


@dataclass(frozen=True)
class Charge:
    """Hold one challan's part of a link."""

    amount: int
    legal_fee: int
    gst: int

    @property
    def total(self) -> int:
        return self.amount + self.legal_fee + self.gst


def charge_for(amount: int) -> Charge:
    legal_fee = min(max(percent(amount, LEGAL_FEE_PERCENT), LEGAL_FEE_LEAST), LEGAL_FEE_MOST)
    return Charge(amount, legal_fee, percent(legal_fee, GST_PERCENT))


@dataclass(frozen=True)
class Breakdown:
    """Hold a link's amounts for one payment mode; the total is the exact sum of the other amounts."""

    mode: str
    base: int
    legal_fee: int
    gst: int
    convenience_fee: int

    @property
    def total(self) -> int:
        return self.base + self.legal_fee + self.gst + self.convenience_fee


def breakdown(charges: Iterable[Charge], mode: str) -> Breakdown:
    parts = list(charges)
    before = sum(part.total for part in parts)
    return Breakdown(
        mode=mode,
        base=sum(part.amount for part in parts),
        legal_fee=sum(part.legal_fee for part in parts),
        gst=sum(part.gst for part in parts),
        convenience_fee=percent(before, CONVENIENCE_PERCENT[mode]),
    )


def number(paise: int | None) -> int | float | None:
    """Return an amount as a JSON number. One correctly rounded division prints at most two decimals."""
    if paise is None:
        return None
    return paise // 100 if paise % 100 == 0 else paise / 100


def paise(value: object) -> int:
    """Return rupees, given as a JSON number or a decimal text, in paise; ValueError for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("an amount is a number")
    try:
        exact = Decimal(str(value))
    except InvalidOperation:
        raise ValueError("an amount is a number") from None
    if not exact.is_finite() or abs(exact) > LARGEST // 100:
        raise ValueError("an amount is a finite number")
    return int((exact * 100).quantize(Decimal(1), ROUND_HALF_UP))


def rupees(paise: int) -> str:
    """Format an amount as ₹12,34,567.50: the last three digits, then pairs."""
    sign = "-" if paise < 0 else ""
    whole, part = divmod(abs(paise), 100)
    digits = str(whole)
    head, tail = digits[:-3], digits[-3:]
    pairs: list[str] = []
    while head:
        pairs.insert(0, head[-2:])
        head = head[:-2]
    return f"{sign}₹{','.join([*pairs, tail])}.{part:02d}"
