"""Make a creation plan from the payable challans of many vehicles: which links, in which order, with which sums."""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any, NamedTuple

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.fleet import PlannedLink
from dashboard.domain.links import plan_links
from dashboard.domain.money import NO_SUM, Sum, add_up

#: The most challans that are left out one by one: their marks stand in the address, whose length servers limit.
MOST_SKIPPED, _MARK = 200, 5
#: What an address of packed positions unpacks to at most, in bytes.
_MOST_BYTES = 4096
_NO_DATE = datetime.max.replace(tzinfo=UTC)


class PayableChallan(NamedTuple):
    """Hold a challan that may be put on a link, with the place of its vehicle in the search run."""

    position: int
    rc: str
    id: str
    total: Decimal | None
    date: datetime | None
    state: str | None
    type: str | None


class Order(StrEnum):
    """Name what comes first, where not all fits into a day."""

    OLDEST = "oldest"
    LARGEST = "largest"


@dataclass(frozen=True, slots=True)
class ReviewFilter:
    """Narrow the payable challans of a run. A challan whose date or amount is unknown passes no limit on it.

    `days` is the least age; `least` and `most` bound the amount of a challan; `plate` is part of a number. `has_driver`
    asks for vehicles that anybody, or nobody, usually drives.
    """

    days: int | None = None
    least: Decimal | None = None
    most: Decimal | None = None
    state: str | None = None
    type: str | None = None
    driver_id: int | None = None
    plate: str | None = None
    has_driver: bool | None = None

    @property
    def is_set(self) -> bool:
        return self != ReviewFilter()


@dataclass(frozen=True, slots=True)
class VehicleLot:
    """Hold the payable challans of one vehicle."""

    position: int
    rc: str
    challans: tuple[PayableChallan, ...]
    to_pay: Sum

    @property
    def oldest(self) -> datetime:
        """Return the date of its oldest challan; the end of time when no date is known."""
        return min((each.date for each in self.challans if each.date is not None), default=_NO_DATE)

    @property
    def links(self) -> int:
        return len(plan_links([each.id for each in self.challans]))

    def without(self, skipped: Collection[bytes]) -> VehicleLot:
        """Return the vehicle without the challans of these marks."""
        if not skipped:
            return self
        return self._of(each for each in self.challans if mark_of(each.id) not in skipped)

    def ticked(self, skipped: Collection[bytes], failed: Collection[str], anyway: Collection[int]) -> VehicleLot:
        """Return the vehicle with the challans that go on links: not those of the marks `skipped`, and those whose
        payment `failed`, by id, only where a person ticked them `anyway`, by the place of the vehicle.
        """
        left = self.without(skipped)
        if self.position in anyway or not any(each.id in failed for each in left.challans):
            return left
        return self._of(each for each in left.challans if each.id not in failed)

    def _of(self, challans: Iterable[PayableChallan]) -> VehicleLot:
        left = tuple(challans)
        return VehicleLot(self.position, self.rc, left, add_up(each.total for each in left))


@dataclass(frozen=True, slots=True)
class FleetPlan:
    """Hold the links that are to be created, in their order, and what they come to."""

    links: tuple[PlannedLink, ...]
    vehicles: int

    @property
    def challans(self) -> int:
        return sum(len(link.challan_ids) for link in self.links)

    @property
    def to_pay(self) -> Sum:
        return _sum(link.to_pay for link in self.links)

    @property
    def fingerprint(self) -> str:
        """Return what a confirmation carries, so that only what was reviewed is created."""
        return fingerprint([(link.rc, sorted(link.challan_ids), str(link.to_pay)) for link in self.links])


def narrowed(
    challans: Iterable[PayableChallan], by: ReviewFilter, now: datetime, of_driver: Collection[str] | None = None
) -> list[PayableChallan]:
    """Return the challans that a filter accepts. `of_driver` are the vehicles of its driver, or those of any driver."""
    if not by.is_set:
        return list(challans)
    latest = now - timedelta(days=by.days) if by.days is not None else None
    return [
        each
        for each in challans
        if (latest is None or (each.date is not None and each.date <= latest))
        and (by.least is None or (each.total is not None and each.total >= by.least))
        and (by.most is None or (each.total is not None and each.total <= by.most))
        and (by.state is None or each.state == by.state)
        and (by.type is None or each.type == by.type)
        and (by.driver_id is None or each.rc in (of_driver or ()))
        and (by.has_driver is None or (each.rc in (of_driver or ())) is by.has_driver)
        and (by.plate is None or by.plate in each.rc)
    ]


def by_vehicle(challans: Iterable[PayableChallan], order: Order) -> list[VehicleLot]:
    """Group challans by vehicle, the oldest or the largest vehicle first."""
    grouped: dict[str, list[PayableChallan]] = {}
    for each in challans:
        grouped.setdefault(each.rc, []).append(each)
    lots = [
        VehicleLot(found[0].position, rc, tuple(found), add_up(each.total for each in found))
        for rc, found in grouped.items()
    ]
    if order is Order.LARGEST:
        return sorted(lots, key=lambda lot: (-lot.to_pay.total, lot.position))
    return sorted(lots, key=lambda lot: (lot.oldest, lot.position))


def make_plan(lots: Sequence[VehicleLot], order: Order) -> FleetPlan:
    """Split the challans of each vehicle into links, and put all links into their order."""
    ranked: list[tuple[Any, int, int, PlannedLink]] = []
    for lot in lots:
        by_id = {each.id: each for each in _sorted(lot.challans, order)}
        of_lot = [
            PlannedLink(lot.rc, ids, add_up(by_id[each].total for each in ids)) for ids in plan_links(list(by_id))
        ]
        # A vehicle is ranked by its first link; the others follow it, so that they stand together in every list.
        rank: Any = [-each.to_pay.total for each in of_lot[:1]] if order is Order.LARGEST else lot.oldest
        ranked += [(rank, lot.position, number, link) for number, link in enumerate(of_lot)]
    ranked.sort(key=lambda each: each[:3])
    return FleetPlan(tuple(each[3] for each in ranked), len(lots))


def pack(positions: Collection[int]) -> str:
    """Write places of vehicles in a run as a short text for an address; "" for none."""
    if not positions:
        return ""
    bits = bytearray(max(positions) // 8 + 1)
    for position in positions:
        bits[position // 8] |= 1 << position % 8
    return base64.urlsafe_b64encode(zlib.compress(bytes(bits), 9)).decode().rstrip("=")


def unpack(text: str) -> frozenset[int]:
    """Read what `pack` wrote; nothing from a text that it did not write."""
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        bits = zlib.decompressobj().decompress(packed, _MOST_BYTES) if packed else b""
    except (ValueError, binascii.Error, zlib.error):
        return frozenset()
    return frozenset(8 * at + bit for at, byte in enumerate(bits) if byte for bit in range(8) if byte >> bit & 1)


def mark_of(challan_id: str) -> bytes:
    """Return a short mark of a challan, for an address that names many."""
    return hashlib.sha256(challan_id.encode()).digest()[:_MARK]


def pack_marks(marks: Collection[bytes]) -> str:
    """Write marks of challans as a text for an address; "" for none."""
    return base64.urlsafe_b64encode(b"".join(sorted(marks))).decode().rstrip("=")


def unpack_marks(text: str) -> frozenset[bytes]:
    """Read what `pack_marks` wrote; nothing from a text that it did not write."""
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (ValueError, binascii.Error):
        return frozenset()
    if len(packed) % _MARK or len(packed) > MOST_SKIPPED * _MARK:
        return frozenset()
    return frozenset(packed[at : at + _MARK] for at in range(0, len(packed), _MARK))


def _sorted(challans: Iterable[PayableChallan], order: Order) -> list[PayableChallan]:
    if order is Order.LARGEST:
        return sorted(challans, key=lambda each: -(each.total or Decimal(0)))
    return sorted(challans, key=lambda each: each.date or _NO_DATE)


def _sum(sums: Iterable[Sum]) -> Sum:
    found = NO_SUM
    for each in sums:
        found = found + each
    return found
