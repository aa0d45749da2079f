"""Find links on which the service has put a challan of another vehicle."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, exists, func, select

from dashboard.domain.registration import SEPARATORS
from dashboard.store.links.records import Link
from dashboard.store.links.tables import link, link_challan
from dashboard.store.once import once


def _normalized(number: ColumnElement[Any]) -> ColumnElement[Any]:
    """Write a number as it is stored, as far as a database can; see `registration.normalize`."""
    bare: ColumnElement[Any] = reduce(lambda part, sign: func.replace(part, sign, ""), SEPARATORS, number)
    return func.upper(bare)


#: Links with a challan of another vehicle than their own. Most numbers are spelled as they are stored.
_IS_OF_OTHER_VEHICLE = (
    link_challan.c.link_id == link.c.id,
    link_challan.c.rc_number != link.c.rc,
    _normalized(link_challan.c.rc_number) != link.c.rc,
)
HAS_OTHER_VEHICLE = exists().where(*_IS_OF_OTHER_VEHICLE)
_OF_OTHER_VEHICLES = select(link_challan).where(link.c.id == bindparam("link_id"), *_IS_OF_OTHER_VEHICLE)
_WITH_OTHER_VEHICLES = select(link.c.id).where(link.c.id.in_(bindparam("link_ids", expanding=True)), HAS_OTHER_VEHICLE)


def with_other_vehicles(connection: Connection, found: Iterable[Link]) -> set[str]:
    """Return the ids of those of these links that have a challan of another vehicle than their own."""
    ids = [row.id for row in found if row.rc]
    return _with_other_vehicles(connection, ids) if ids else set()


@once
def _with_other_vehicles(connection: Connection, link_ids: list[str]) -> set[str]:
    return set(connection.execute(_WITH_OTHER_VEHICLES, {"link_ids": link_ids}).scalars())


def of_other_vehicles(connection: Connection, link_id: str) -> list[tuple[str, str | None, str]]:
    """Return the challans of a link that are of another vehicle than its own: each id, number and vehicle."""
    found = connection.execute(_OF_OTHER_VEHICLES.order_by(link_challan.c.position), {"link_id": link_id})
    return [(row.challan_id, row.challan_no, row.rc_number) for row in found]
