"""What somebody who answers for the money wants to know of a link: judged from what the service told, and pure.

Facts are plain values that can be kept as JSON: amounts by their digits, moments in ISO 8601, unknown ones as None.
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

#: Amounts are whole paise; what the service computes with floating numbers may be off by less.
_SAME = Decimal("0.005")
_MOST_NAMED = 20


class DiscrepancyKind(StrEnum):
    UNSETTLED = "unsettled"  #: Paid, and the source still lists a challan as payable.
    SUMS = "sums"  #: Amounts that do not add up.
    UNCHECKED = "unchecked"  #: Amounts of which some are unknown, so that they cannot be added up.
    CHALLANS = "challans"  #: It covers other challans than were asked for.
    LATE = "late"  #: Paid after its end, or PAID and then something else.
    DOUBLE = "double"  #: Another link holds the same challans.
    ELSEWHERE = "elsewhere"  #: Nobody made it here.


#: The kinds that an answer of the service is judged for. Of the others each has its own occasion.
JUDGED = (
    DiscrepancyKind.SUMS,
    DiscrepancyKind.UNCHECKED,
    DiscrepancyKind.CHALLANS,
    DiscrepancyKind.LATE,
    DiscrepancyKind.ELSEWHERE,
)


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a link's state that was seen, at a moment of ours."""

    at: datetime
    old: str | None
    new: str | None


# Sums


def sums(
    amount: AmountBreakdown | None, modes: Iterable[AmountBreakdown], challans: Sequence[LinkChallan]
) -> tuple[Facts | None, int]:
    """What does not add up, or None; and how many of the sums could not be checked as an amount is unknown."""
    breakdowns = [amount, *modes]
    facts: Facts = {}
    unchecked = breakdowns.count(None) + (not challans)
    wrong = []
    for each in filter(None, breakdowns):
        parts = _total([each.base_amount, each.legal_fee, each.gst, each.convenience_fee])
        if parts is None or each.total_amount is None:
            unchecked += 1
        elif _differ(parts, each.total_amount):
            wrong.append({"mode": each.payment_mode, "parts": str(parts), "total": str(each.total_amount)})
    if wrong:
        facts["parts"] = wrong
    if amount is not None and challans:
        fines = _total([each.challan_amount for each in challans])
        whole = _total([each.total_amount for each in challans])
        unchecked += None in (fines, amount.base_amount)
        unchecked += None in (whole, amount.total_amount)
        if fines is not None and amount.base_amount is not None and _differ(fines, amount.base_amount):
            facts["fines"] = {"challans": str(fines), "link": str(amount.base_amount)}
        if whole is not None and amount.total_amount is not None and not _explained(whole, amount):
            facts["totals"] = {"challans": str(whole), "link": str(amount.total_amount)}
    return facts or None, unchecked


def _explained(challans: Decimal, amount: AmountBreakdown) -> bool:
    """Whether the challans come to the link's total, or to it without its convenience fee, its GST or both: the
    service does not say whether a challan's total holds its part of these.
    """
    assert amount.total_amount is not None
    extras = [each for each in (amount.convenience_fee, amount.gst) if each is not None]
    ways = [chosen for count in range(len(extras) + 1) for chosen in combinations(extras, count)]
    return any(not _differ(challans + sum(chosen, Decimal(0)), amount.total_amount) for chosen in ways)


def _total(amounts: Iterable[Decimal | None]) -> Decimal | None:
    known = list(amounts)
    return None if None in known else sum((each for each in known if each is not None), Decimal(0))


def _differ(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) >= _SAME


# Challans


def other_challans(asked: Iterable[str], covered: Iterable[str], numbers: Mapping[str, str | None]) -> Facts | None:
    """How what a link covers differs from what was asked for, or None; `numbers` names challans by their ids."""
    wanted, held = set(asked), set(covered)
    if wanted == held:
        return None
    facts: Facts = {"asked": len(wanted), "covered": len(wanted & held)}
    for name, found in (("missing", wanted - held), ("strays", held - wanted)):
        facts[name] = sorted(numbers.get(each) or each for each in found)[:_MOST_NAMED]
        facts[f"{name}_count"] = len(found)
    return facts


# Late money


def late(status: str, paid_at: datetime | None, expires_at: datetime | None, changes: Sequence[Change]) -> Facts | None:
    """Money that came after a link's end, or a payment that was said and then unsaid; None when there is neither."""
    facts: Facts = {}
    if is_paid(status) and paid_at is not None and expires_at is not None and paid_at > expires_at:
        facts["after_end"] = {"paid_at": paid_at.isoformat(), "ended_at": expires_at.isoformat()}
    for change in changes:
        if is_paid(change.new) and is_ended(change.old):
            facts["was_ended"] = {"state": change.old, "at": change.at.isoformat()}
        if is_paid(change.old) and not is_paid(change.new):
            facts["unsaid"] = {"state": change.new, "at": change.at.isoformat(), "now": status}
    return facts or None
