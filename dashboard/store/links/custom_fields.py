"""Store the custom fields of links and vehicles (see `dashboard/domain/custom_fields.py`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    Row,
    Select,
    String,
    Table,
    Text,
    and_,
    bindparam,
    func,
    literal,
    or_,
    select,
    union_all,
    update,
)

from dashboard.domain.custom_fields import CUSTOM_FIELDS, CustomField, in_full
from dashboard.store.links.records import Link
from dashboard.store.links.tables import link
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

LINK, VEHICLE = "link", "vehicle"

custom_field = Table(
    "custom_field",
    metadata,
    Column("kind", String(8), primary_key=True),
    Column("ref", String(36), primary_key=True),
    *(Column(each.name, Text if each.is_free_text else String(each.max_length)) for each in CUSTOM_FIELDS),
    Column("written_at", Moment, nullable=False),
    Column("written_by", Integer, ForeignKey("person.id"), nullable=False),
)

_OF = select(custom_field).where(
    custom_field.c.kind == bindparam("kind"), custom_field.c.ref.in_(bindparam("refs", expanding=True))
)
#: The most texts of a field that are suggested.
_MOST = 200


def write(connection: Connection, kind: str, ref: str, values: Mapping[str, str], at: datetime, by: int) -> None:
    """Store the fields of a link (by id) or a vehicle (by number); those that `values` leaves out become empty."""
    columns = in_full(values) | {"written_at": at, "written_by": by}
    if not insert_if_absent(connection, custom_field, kind=kind, ref=ref, **columns):
        same = (custom_field.c.kind == kind, custom_field.c.ref == ref)
        connection.execute(update(custom_field).where(*same).values(**columns))


def of(connection: Connection, kind: str, refs: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the filled fields of links or vehicles, by their id or number; those without any are left out."""
    wanted = [ref for ref in refs if ref]
    if not wanted:
        return {}
    return {row.ref: _values(row) for row in connection.execute(_OF, {"kind": kind, "refs": wanted})}


def of_links(connection: Connection, links: Iterable[Link]) -> dict[str, dict[str, str]]:
    """Return what holds for each link, by its id: its own fields, and its vehicle's where they are empty."""
    listed = list(links)
    own = of(connection, LINK, [row.id for row in listed])
    vehicles = of(connection, VEHICLE, {row.rc for row in listed if row.rc})
    return {row.id: vehicles.get(row.rc or "", {}) | own.get(row.id, {}) for row in listed}


def matching(field: CustomField, text: str) -> ColumnElement[bool]:
    """Match links with this text in a field, in any case; in their own field, or in their vehicle's where it is empty.

    A free text matches by any part of it.
    """
    column = custom_field.c[field.name]
    lowered = func.lower(column)
    # As typed, too: not every database knows the small letters of all scripts.
    if field.is_free_text:
        matches = or_(lowered.contains(text.lower(), autoescape=True), column.contains(text, autoescape=True))
    else:
        matches = or_(lowered == text.lower(), column == text)
    own = select(custom_field.c.ref).where(custom_field.c.kind == LINK, matches)
    vehicles = select(custom_field.c.ref).where(custom_field.c.kind == VEHICLE, matches)
    has_own = select(custom_field.c.ref).where(custom_field.c.kind == LINK, column.is_not(None))
    return or_(link.c.id.in_(own), and_(link.c.rc.in_(vehicles), link.c.id.not_in(has_own)))


def suggestions(connection: Connection) -> dict[str, tuple[str, ...]]:
    """Return the texts that each short field holds so far, on any link or vehicle, in their order."""
    found: dict[str, list[str]] = {each.name: [] for each in _SUGGESTED}
    for name, text in connection.execute(_SUGGESTIONS):
        found[name].append(text)
    return {name: tuple(texts) for name, texts in found.items()}


def _texts_of(field: CustomField) -> Select[Any]:
    column = custom_field.c[field.name]
    texts = select(column.label("text")).where(column.is_not(None)).group_by(column).order_by(column).limit(_MOST)
    return select(literal(field.name).label("name"), texts.subquery().c.text)


_SUGGESTED = [each for each in CUSTOM_FIELDS if not each.is_free_text]
_SUGGESTIONS = union_all(*(_texts_of(each) for each in _SUGGESTED)).order_by("name", "text")


def _values(row: Row[Any]) -> dict[str, str]:
    return {each.name: text for each in CUSTOM_FIELDS if (text := getattr(row, each.name))}
