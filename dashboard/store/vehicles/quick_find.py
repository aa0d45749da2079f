"""Find vehicles, challans and links by the text typed into the find box."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, exists, select

from dashboard.store.links.listing import begins_with, spellings
from dashboard.store.links.tables import NO_LONGER_KNOWN, link, link_challan
from dashboard.store.vehicles.vehicles import challan, vehicle


@dataclass(frozen=True, slots=True)
class FoundChallan:
    """Hold a challan found by its number; `link_id` is the newest link that covers it, if any does."""

    challan_no: str
    rc: str
    link_id: str | None = None


@dataclass(frozen=True, slots=True)
class FoundLink:
    """Hold a link found by its id; `rc` is None when its vehicle is unknown."""

    id: str
    rc: str | None
    status: str
    is_unknown: bool


def vehicles(connection: Connection, part: str, limit: int) -> Sequence[str]:
    """Return the numbers of known vehicles that contain `part` (letters and digits), those searched last first."""
    if not part:
        return []
    query = select(vehicle.c.rc).where(vehicle.c.rc.contains(part, autoescape=True))
    return connection.execute(query.order_by(vehicle.c.searched_at.desc()).limit(limit)).scalars().all()


def challans(connection: Connection, typed: str, limit: int) -> list[FoundChallan]:
    """Return the challans, listed or on a link, whose number begins as typed, or as typed in capitals."""
    if not typed:
        return []
    found: dict[str, FoundChallan] = {}
    for number in spellings(typed):
        found |= _challans(connection, number, limit)
    return [found[key] for key in sorted(found)][:limit]


def _challans(connection: Connection, number: str, limit: int) -> dict[str, FoundChallan]:
    listed = select(challan.c.challan_no, challan.c.rc).where(begins_with(challan.c.challan_no, number))
    listed = listed.order_by(challan.c.challan_no).limit(limit)
    found = {row.challan_no: FoundChallan(row.challan_no, row.rc) for row in connection.execute(listed)}
    # Numbers first, because they can be limited; then the links of these numbers alone.
    on_links = select(link_challan.c.challan_no).where(begins_with(link_challan.c.challan_no, number))
    on_links = on_links.where(exists().where(link.c.id == link_challan.c.link_id, link.c.rc.is_not(None)))
    numbers = connection.execute(on_links.order_by(link_challan.c.challan_no).distinct().limit(limit)).scalars().all()
    covered = select(link_challan.c.challan_no, link.c.rc, link.c.id).join(link, link.c.id == link_challan.c.link_id)
    covered = covered.where(link_challan.c.challan_no.in_(numbers), link.c.rc.is_not(None))
    for row in connection.execute(covered.order_by(link.c.first_seen_at)):
        found[row.challan_no] = FoundChallan(row.challan_no, row.rc, row.id)
    return found


def links(connection: Connection, beginning: str, limit: int) -> list[FoundLink]:
    """Return the links whose id begins so; `beginning` is spelled as the service does, lower case with dashes."""
    if not beginning:
        return []
    query = select(link.c.id, link.c.rc, link.c.status, NO_LONGER_KNOWN)
    query = query.where(link.c.id >= beginning, link.c.id.startswith(beginning, autoescape=True)).order_by(link.c.id)
    return [FoundLink(*row) for row in connection.execute(query.limit(limit))]
