"""Where each challan of a vehicle stands, by the last search and by what the ledger has learned since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, Row

from dashboard.domain.challans import AttachedLink, Challan, Group, Standing, Why, standing
from dashboard.domain.links import is_paid
from dashboard.store.creation import claims
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.vehicles import vehicles
from dashboard.store.vehicles.vehicles import StoredChallan


@dataclass(frozen=True, slots=True)
class ListedChallan:
    """A listed challan with its standing. `link` and `claim` are rows of the ledger, when there are any."""

    listing: StoredChallan
    standing: Standing
    link: Link | None = None
    claim: Row[Any] | None = None

    @property
    def challan(self) -> Challan:
        return self.listing.challan

    @property
    def selectable(self) -> bool:
        return self.listing.listed and self.standing.selectable and self.challan.id is not None


def of_vehicle(connection: Connection, rc: str) -> list[ListedChallan]:
    return place(connection, vehicles.challans_of(connection, rc))


def of_vehicles(connection: Connection, rcs: Sequence[str]) -> dict[str, list[ListedChallan]]:
    """The same for several vehicles, in the same few queries."""
    grouped: dict[str, list[ListedChallan]] = {rc: [] for rc in rcs}
    listed = vehicles.challans_by_vehicle(connection, rcs)
    owners = [rc for rc in grouped for _ in listed[rc]]
    placed = place(connection, [item for rc in grouped for item in listed[rc]])
    for rc, item in zip(owners, placed, strict=True):
        grouped[rc].append(item)
    return grouped


def place(connection: Connection, listed: list[StoredChallan]) -> list[ListedChallan]:
    """Place challans: our own open claims and newer answers about links stand above what the search showed."""
    held = claims.open_of(connection, [item.challan.id for item in listed if item.challan.id])
    link_ids = {item.challan.link_id for item in listed} | {row.link_id for row in held.values()}
    known = links.find_all(connection, [link_id for link_id in link_ids if link_id])
    return [_place(item, held.get(item.challan.id or ""), known) for item in listed]


def _place(listing: StoredChallan, claim: Row[Any] | None, known: dict[str, Link]) -> ListedChallan:
    challan = listing.challan
    row = known.get(challan.link_id or "")
    if row is not None and row.checked_at is not None:
        summary = AttachedLink(row.id, row.status, row.payment_url, row.total)
        where = standing(replace(challan, payment_link=summary))
    else:
        where = standing(challan)
    if claim is None or not (challan.link_id in (None, claim.link_id) or where.selectable):
        return ListedChallan(listing, where, row, claim)
    holder = known.get(claim.link_id or "")
    if holder is None:
        return ListedChallan(listing, Standing(Group.ON_LINK, Why.RESERVED), claim=claim)
    if is_paid(holder.status):
        return ListedChallan(listing, Standing(Group.NOT_PAYABLE, Why.PAID_LINK), holder, claim)
    return ListedChallan(listing, Standing(Group.ON_LINK, Why.LIVE_LINK), holder, claim)
