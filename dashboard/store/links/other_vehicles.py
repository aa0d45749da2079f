"""Find links on which the service has put a challan of another vehicle."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, select

from dashboard.domain.registration import InvalidRegistration, normalize
from dashboard.store.links.records import Link
from dashboard.store.links.tables import link_challan


def with_other_vehicles(connection: Connection, found: Iterable[Link]) -> set[str]:
    """Return the ids of those of these links that have a challan of another vehicle than their own."""
    vehicles = {row.id: row.rc for row in found if row.rc}
    if not vehicles:
        return set()
    query = select(link_challan.c.link_id, link_challan.c.rc_number).distinct()
    query = query.where(link_challan.c.link_id.in_(list(vehicles)), link_challan.c.rc_number.is_not(None))
    return {link_id for link_id, number in connection.execute(query) if _normalized(number) != vehicles[link_id]}


def _normalized(number: str) -> str | None:
    try:
        return normalize(number)
    except InvalidRegistration:
        return None
