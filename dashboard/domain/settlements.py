"""What a look at a vehicle after a payment shows of the challans that were paid: settled, or still payable.

What "settled" is the service does not document. A challan that is no longer listed, or whose status is neither PENDING
nor TO_BE_ASSIGNED, counts as settled as far as can be seen; what was seen is kept as the service sent it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from dashboard.domain.challans import PAYABLE_STATUSES


class SettlementState(StrEnum):
    """`OPEN`: the planned looks are over, and none has shown the challans settled."""

    WAITING = "waiting"
    SETTLED = "settled"
    OPEN = "open"


class Shown(StrEnum):
    """What one look shows of a link's challans. `UNCLEAR`: none is listed as payable, and not all can be judged."""

    SETTLED = "settled"
    PAYABLE = "payable"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Covered:
    """A challan that a link covers, as far as it is named."""

    challan_id: str
    challan_no: str | None


@dataclass(frozen=True, slots=True)
class Listed:
    """A challan as a search lists it. `status` and `link_status` are the service's own words, None when not told."""

    challan_id: str | None
    challan_no: str | None
    status: str | None
    link_status: str | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """What a search shows of a vehicle; `unreadable` counts records of which nothing could be read."""

    challans: tuple[Listed, ...]
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class SeenChallan:
    """A challan that was paid, as a look shows it."""

    challan_id: str
    challan_no: str | None
    listed: bool
    status: str | None = None
    link_status: str | None = None

    @property
    def is_payable(self) -> bool:
        return self.listed and self.status in PAYABLE_STATUSES


@dataclass(frozen=True, slots=True)
class Look:
    shown: Shown
    challans: tuple[SeenChallan, ...]


def look(covered: Iterable[Covered], listing: Listing) -> Look:
    """Judge the challans of a link by a listing of their vehicle; a link that names none is never settled by it."""
    seen = tuple(_seen(each, listing.challans) for each in covered)
    if any(each.is_payable for each in seen):
        return Look(Shown.PAYABLE, seen)
    judged = all(each.status is not None if each.listed else not _may_be_hidden(each, listing) for each in seen)
    return Look(Shown.SETTLED if seen and judged else Shown.UNCLEAR, seen)


def _may_be_hidden(seen: SeenChallan, listing: Listing) -> bool:
    """Whether a challan may be one of the records that could not be read, or that have no name."""
    nameless = (each for each in listing.challans if each.challan_id is None)
    return bool(listing.unreadable) or any(each.challan_no is None or seen.challan_no is None for each in nameless)


def _seen(covered: Covered, listed: Sequence[Listed]) -> SeenChallan:
    found = next((each for each in listed if each.challan_id == covered.challan_id), None)
    if found is None and covered.challan_no is not None:
        # A record may come without an id, and has its number then.
        nameless = (each for each in listed if each.challan_id is None)
        found = next((each for each in nameless if each.challan_no == covered.challan_no), None)
    if found is None:
        return SeenChallan(covered.challan_id, covered.challan_no, listed=False)
    number = covered.challan_no or found.challan_no
    return SeenChallan(covered.challan_id, number, True, found.status, found.link_status)
