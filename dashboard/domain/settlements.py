"""Decide from a listing of a vehicle whether the challans of a paid link are settled at the source.

The service does not document what "settled" is. A challan that is no longer listed, or whose status is neither PENDING
nor TO_BE_ASSIGNED, counts as settled; the statuses are stored as the service sent them, so that people can decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dashboard.domain.challans import PAYABLE_STATUSES


class SettlementState(StrEnum):
    """Define the states of a paid link's settlement. `OPEN`: the planned checks are over, and none found it settled."""

    WAITING = "waiting"
    SETTLED = "settled"
    OPEN = "open"


class Settlement(StrEnum):
    """Name the result of one settlement check. `UNCLEAR`: no challan is payable, but some could not be read."""

    SETTLED = "settled"
    PAYABLE = "payable"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Covered:
    """Hold a challan that a link covers. `challan_no` is None when the service did not send it."""

    challan_id: str
    challan_no: str | None


@dataclass(frozen=True, slots=True)
class Listed:
    """Hold a challan as a search lists it. `status` and `link_status` are spelled by the service, None if not sent."""

    challan_id: str | None
    challan_no: str | None
    status: str | None
    link_status: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """Hold the challans that a search of a vehicle returned; `unreadable` counts records that could not be read."""

    challans: tuple[Listed, ...]
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class CheckedChallan:
    """Hold a challan of a paid link as a listing shows it. Stored as JSON by its field names."""

    challan_id: str
    challan_no: str | None
    listed: bool
    status: str | None = None
    link_status: str | None = None

    @property
    def is_payable(self) -> bool:
        return self.listed and self.status in PAYABLE_STATUSES


@dataclass(frozen=True, slots=True)
class SettlementCheck:
    """Hold one settlement check of a link: its result and the challans that prove it."""

    result: Settlement
    challans: tuple[CheckedChallan, ...]


def check_settlement(covered: Iterable[Covered], listing: Listing) -> SettlementCheck:
    """Check the challans of a link against a listing of their vehicle; a link without challans is always unclear."""
    checked = tuple(_check(each, listing.challans) for each in covered)
    if any(each.is_payable for each in checked):
        return SettlementCheck(Settlement.PAYABLE, checked)
    known = all(each.status is not None if each.listed else not _may_be_hidden(each, listing) for each in checked)
    return SettlementCheck(Settlement.SETTLED if checked and known else Settlement.UNCLEAR, checked)


def _may_be_hidden(challan: CheckedChallan, listing: Listing) -> bool:
    """Return True if the challan may be one of the records that could not be read, or that came without an id."""
    nameless = (each for each in listing.challans if each.challan_id is None)
    return bool(listing.unreadable) or any(each.challan_no is None or challan.challan_no is None for each in nameless)


def _check(covered: Covered, listed: Sequence[Listed]) -> CheckedChallan:
    match = next((each for each in listed if each.challan_id == covered.challan_id), None)
    if match is None and covered.challan_no is not None:
        # The service may send a record without an id; then its number identifies it.
        nameless = (each for each in listed if each.challan_id is None)
        match = next((each for each in nameless if each.challan_no == covered.challan_no), None)
    if match is None:
        return CheckedChallan(covered.challan_id, covered.challan_no, listed=False)
    number = covered.challan_no or match.challan_no
    return CheckedChallan(covered.challan_id, number, True, match.status, match.link_status)
