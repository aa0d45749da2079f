"""Our own fields on links and vehicles: cost centre, trip, customer to recharge, note.

What a link says stands above what its vehicle says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    and_,
    func,
    or_,
    select,
    update,
)

from dashboard.store.links.tables import link
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

LINK, VEHICLE = "link", "vehicle"
#: The fields that are asked for as a whole; of the note, any part is.
ASKED_FOR = ("cost_centre", "trip", "customer")
NOTE = "note"

own_field = Table(
    "own_field",
    metadata,
    Column("kind", String(8), primary_key=True),
    Column("ref", String(36), primary_key=True),
    Column("cost_centre", String(60)),
    Column("trip", String(60)),
    Column("customer", String(100)),
    Column("note", Text),
    Column("written_at", Moment, nullable=False),
    Column("written_by", Integer, ForeignKey("person.id"), nullable=False),
)


@dataclass(frozen=True, slots=True)
class CustomFields:
    """What we keep of a link or a vehicle; empty texts are None."""

    cost_centre: str | None = None
    trip: str | None = None
    customer: str | None = None
    note: str | None = None

    def over(self, other: CustomFields) -> CustomFields:
        """These, and the other's where these say nothing."""
        names = ("cost_centre", "trip", "customer", "note")
        return CustomFields(**{name: getattr(self, name) or getattr(other, name) for name in names})


NOTHING = CustomFields()


def write(connection: Connection, kind: str, ref: str, fields: CustomFields, at: datetime, by: int) -> None:
    values = {name: getattr(fields, name) for name in (*ASKED_FOR, NOTE)} | {"written_at": at, "written_by": by}
    if not insert_if_absent(connection, own_field, kind=kind, ref=ref, **values):
        same = (own_field.c.kind == kind, own_field.c.ref == ref)
        connection.execute(update(own_field).where(*same).values(**values))


def of(connection: Connection, kind: str, refs: Iterable[str]) -> dict[str, CustomFields]:
    """What is kept of links or vehicles, by their id or number."""
    wanted = [ref for ref in refs if ref]
    if not wanted:
        return {}
    query = select(own_field).where(own_field.c.kind == kind, own_field.c.ref.in_(wanted))
    return {
        row.ref: CustomFields(row.cost_centre, row.trip, row.customer, row.note) for row in connection.execute(query)
    }


def of_links(connection: Connection, rows: Iterable[Any]) -> dict[str, CustomFields]:
    """What holds for each link row: its own fields, and its vehicle's where it says nothing."""
    listed = list(rows)
    own = of(connection, LINK, [row.id for row in listed])
    vehicles = of(connection, VEHICLE, {row.rc for row in listed if row.rc})
    return {row.id: own.get(row.id, NOTHING).over(vehicles.get(row.rc, NOTHING)) for row in listed}


def matching(name: str, text: str) -> ColumnElement[bool]:
    """Links for which a field says just this, or the note has it, in any case; by themselves, or by their vehicle."""
    column = own_field.c[name]
    lowered = func.lower(column)
    # As typed, too: not every database knows the small letters of all scripts.
    if name == NOTE:
        said = or_(lowered.contains(text.lower(), autoescape=True), column.contains(text, autoescape=True))
    else:
        said = or_(lowered == text.lower(), column == text)
    own = select(own_field.c.ref).where(own_field.c.kind == LINK, said)
    vehicles = select(own_field.c.ref).where(own_field.c.kind == VEHICLE, said)
    otherwise = select(own_field.c.ref).where(own_field.c.kind == LINK, column.is_not(None))
    return or_(link.c.id.in_(own), and_(link.c.rc.in_(vehicles), link.c.id.not_in(otherwise)))


def known(connection: Connection, name: str, limit: int = 200) -> list[str]:
    """What was written in a field so far, to be chosen again."""
    column = own_field.c[name]
    query = select(column).where(column.is_not(None)).group_by(column).order_by(column).limit(limit)
    return list(connection.execute(query).scalars())
