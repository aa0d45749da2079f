"""Decide which challans of a vehicle may be put on a link: by the last search, the open claims and the polled links."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from dashboard.domain.challans import (
    AttachedLink,
    Challan,
    Eligibility,
    EligibilityGroup,
    EligibilityReason,
    eligibility_of,
)
from dashboard.domain.links import is_paid
from dashboard.store.creation import claims
from dashboard.store.creation.claims import OpenClaim
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.vehicles import vehicles
from dashboard.store.vehicles.vehicles import StoredChallan


@dataclass(frozen=True, slots=True)
class ListedChallan:
    """Hold a stored challan with its eligibility, and the link and the open claim that decide it, if any."""

    stored: StoredChallan
    eligibility: Eligibility
    link: Link | None = None
    claim: OpenClaim | None = None

    @property
    def challan(self) -> Challan:
        return self.stored.challan

    @property
    def listed(self) -> bool:
        return self.stored.listed

    @property
    def selectable(self) -> bool:
        return self.listed and self.eligibility.selectable and self.challan.id is not None


def of_vehicle(connection: Connection, rc: str) -> list[ListedChallan]:
    """Return the challans of a vehicle in listed order, those that are no longer listed at the end."""
    return _with_eligibility(connection, vehicles.challans_of(connection, rc))


def of_vehicles(connection: Connection, rcs: Sequence[str]) -> dict[str, list[ListedChallan]]:
    """Return the challans of several vehicles, with as many queries as for one."""
    grouped: dict[str, list[ListedChallan]] = {rc: [] for rc in rcs}
    stored = vehicles.challans_by_vehicle(connection, rcs)
    owners = [rc for rc in grouped for _ in stored[rc]]
    listed = _with_eligibility(connection, [item for rc in grouped for item in stored[rc]])
    for rc, item in zip(owners, listed, strict=True):
        grouped[rc].append(item)
    return grouped


def of_challans(connection: Connection, challan_ids: Sequence[str]) -> dict[str, ListedChallan]:
    """Return challans of any vehicles by their ids, with as many queries as for one; without those never searched."""
    if not challan_ids:
        return {}
    listed = _with_eligibility(connection, vehicles.stored_by_id(connection, challan_ids))
    return {item.challan.id: item for item in listed if item.challan.id}


def _with_eligibility(connection: Connection, stored: list[StoredChallan]) -> list[ListedChallan]:
    challan_ids = [item.challan.id for item in stored if item.challan.id]
    held = claims.open_of(connection, challan_ids)
    paid = links.paid_on(connection, challan_ids)
    link_ids = {item.challan.link_id for item in stored} | {row.link_id for row in held.values()}
    known = links.find_all(connection, [link_id for link_id in link_ids if link_id])
    decided = [_decide(item, held.get(item.challan.id or ""), known) for item in stored]
    return [_unless_paid(item, paid.get(item.challan.id or "")) for item in decided]


def _unless_paid(item: ListedChallan, paid: Link | None) -> ListedChallan:
    """Keep a challan off a second link that a PAID one covers, though that one has no claim here: made elsewhere."""
    if paid is None or not item.eligibility.selectable:
        return item
    return replace(item, eligibility=Eligibility(EligibilityGroup.NOT_PAYABLE, EligibilityReason.PAID_LINK), link=paid)


def _decide(stored: StoredChallan, claim: OpenClaim | None, known: dict[str, Link]) -> ListedChallan:
    """Decide by our own open claim first, then by the link as last polled, then by what the search returned."""
    challan = stored.challan
    row = known.get(challan.link_id or "")
    # Of a link that the service no longer knows, and whose claims were released, the search tells the newest.
    if row is not None and row.checked_at is not None and row.released_at is None:
        summary = AttachedLink(row.id, row.status, row.payment_url, row.total)
        eligibility = eligibility_of(replace(challan, payment_link=summary))
    else:
        eligibility = eligibility_of(challan)
    if claim is None or not (challan.link_id in (None, claim.link_id) or eligibility.selectable):
        return ListedChallan(stored, eligibility, row, claim)
    holder = known.get(claim.link_id or "")
    if holder is None:
        reserved = Eligibility(EligibilityGroup.ON_LINK, EligibilityReason.RESERVED)
        return ListedChallan(stored, reserved, claim=claim)
    if is_paid(holder.status):
        paid = Eligibility(EligibilityGroup.NOT_PAYABLE, EligibilityReason.PAID_LINK)
        return ListedChallan(stored, paid, holder, claim)
    live = Eligibility(EligibilityGroup.ON_LINK, EligibilityReason.LIVE_LINK)
    return ListedChallan(stored, live, holder, claim)
