"""Check what the service returned of a link for discrepancies: amounts, challans and payments that do not agree.

Pure rules. Facts are plain values that can be stored as JSON: amounts as their digits, moments in ISO 8601, None for
what is unknown. Stored facts are read again later, so their keys stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from itertools import combinations
from typing import Any

from dashboard.domain.links import AmountBreakdown, LinkChallan, is_ended, is_paid

Facts = dict[str, Any]

#: How many characters the note has with which a discrepancy is acknowledged.
MIN_NOTE, MAX_NOTE = 3, 500
#: Amounts are whole paise. The service computes with floating-point numbers and may be off by less than this.
_SAME = Decimal("0.005")
#: How many challan numbers a fact lists; the rest are only counted.
_MOST_NAMED = 20


class DiscrepancyKind(StrEnum):
    UNSETTLED = "unsettled"  #: Paid, and the source still lists a challan as payable.
    SUMS = "sums"  #: Amounts that do not add up.
    UNCHECKED = "unchecked"  #: Amounts that cannot be added up, because some are unknown.
    CHALLANS = "challans"  #: The link covers other challans than were requested.
    LATE = "late"  #: Paid after its end, or PAID and then something else.
    DUPLICATE = "double"  #: Another link holds the same challans.
    ELSEWHERE = "elsewhere"  #: Made outside this dashboard.


#: The kinds that are checked with every answer about a link. Each of the others is recorded by an event of its own.
CHECKED_WITH_ANSWERS = (
    DiscrepancyKind.SUMS,
    DiscrepancyKind.UNCHECKED,
    DiscrepancyKind.CHALLANS,
    DiscrepancyKind.LATE,
    DiscrepancyKind.ELSEWHERE,
)


@dataclass(frozen=True, slots=True)
class StatusChange:
    """Hold a change of a link's status, observed at a moment of our clock."""

    at: datetime
    old: str | None
    new: str | None


# Sums


def check_sums(
    amount: AmountBreakdown | None, modes: Iterable[AmountBreakdown], challans: Sequence[LinkChallan]
) -> tuple[Facts | None, int]:
    """Compare the amounts of a link with each other and with its challans.

    Returns the facts of those that differ, or None, and how many sums could not be checked for an unknown amount.
    """
    breakdowns = [amount, *modes]
    facts: Facts = {}
    unchecked = breakdowns.count(None) + (not challans)
    wrong = []
    for each in filter(None, breakdowns):
        parts = _total([each.base_amount, each.legal_fee, each.gst, each.convenience_fee])
        if parts is None or each.total_amount is None:
            unchecked += 1
        elif differ(parts, each.total_amount):
            wrong.append({"mode": each.payment_mode, "parts": str(parts), "total": str(each.total_amount)})
    if wrong:
        facts["parts"] = wrong
    if amount is not None and challans:
        fines = _total([each.challan_amount for each in challans])
        totals = _total([each.total_amount for each in challans])
        unchecked += None in (fines, amount.base_amount)
        unchecked += None in (totals, amount.total_amount)
        if fines is not None and amount.base_amount is not None and differ(fines, amount.base_amount):
            facts["fines"] = {"challans": str(fines), "link": str(amount.base_amount)}
        if totals is not None and amount.total_amount is not None and not _is_explained(totals, amount):
            facts["totals"] = {"challans": str(totals), "link": str(amount.total_amount)}
    return facts or None, unchecked


def _is_explained(challans: Decimal, amount: AmountBreakdown) -> bool:
    """Return True if the challans come to the link's total, or to it without its convenience fee, its GST or both.

    The service does not say whether a challan's total includes its part of these.
    """
    assert amount.total_amount is not None
    extras = [each for each in (amount.convenience_fee, amount.gst) if each is not None]
    ways = [chosen for count in range(len(extras) + 1) for chosen in combinations(extras, count)]
    return any(not differ(challans + sum(chosen, Decimal(0)), amount.total_amount) for chosen in ways)


def _total(amounts: Iterable[Decimal | None]) -> Decimal | None:
    known = list(amounts)
    return None if None in known else sum((each for each in known if each is not None), Decimal(0))


def differ(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) >= _SAME


# Challans


def check_challans(requested: Iterable[str], covered: Iterable[str], numbers: Mapping[str, str | None]) -> Facts | None:
    """Compare the challans that a link covers with those requested, by id; None if they are the same.

    `numbers` holds the challan numbers by which the facts name them.
    """
    wanted, held = set(requested), set(covered)
    if wanted == held:
        return None
    facts: Facts = {"asked": len(wanted), "covered": len(wanted & held)}
    for name, ids in (("missing", wanted - held), ("strays", held - wanted)):
        facts[name] = sorted(numbers.get(each) or each for each in ids)[:_MOST_NAMED]
        facts[f"{name}_count"] = len(ids)
    return facts


# Late money


def check_late_money(
    status: str, paid_at: datetime | None, expires_at: datetime | None, changes: Sequence[StatusChange]
) -> Facts | None:
    """Return the facts of a payment that came after the link's end, or that the service reported and took back."""
    facts: Facts = {}
    if is_paid(status) and paid_at is not None and expires_at is not None and paid_at > expires_at:
        facts["after_end"] = {"paid_at": paid_at.isoformat(), "ended_at": expires_at.isoformat()}
    for change in changes:
        if is_paid(change.new) and is_ended(change.old):
            facts["was_ended"] = {"state": change.old, "at": change.at.isoformat()}
        if is_paid(change.old) and not is_paid(change.new):
            facts["unsaid"] = {"state": change.new, "at": change.at.isoformat(), "now": status}
    return facts or None
