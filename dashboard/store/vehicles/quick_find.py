"""Find vehicles, challans, links, drivers and custom fields by the text typed into the find box.

Every query reads an index, a small table, or the newest rows alone, so that a large ledger does not slow it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Row, Select, exists, func, or_, select

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.store.links.custom_fields import custom_field
from dashboard.store.links.listing import begins_with, spellings
from dashboard.store.links.tables import NO_LONGER_KNOWN, link, link_challan
from dashboard.store.sharing.drivers import driver
from dashboard.store.vehicles.vehicles import challan, vehicle

#: A part of a challan number or an offence is looked for on so many vehicles, those updated last.
_VEHICLES = 500
#: A part of a payment URL is looked for in so many links, and a custom field in so many rows, the newest.
_NEWEST = 2000


@dataclass(frozen=True, slots=True)
class FoundChallan:
    """Hold a challan found by its number or offence; `link_id` is the newest link that covers it, if any does."""

    challan_no: str
    rc: str
    link_id: str | None = None
    status: str | None = None
    total: Decimal | None = None
    offence: str | None = None


@dataclass(frozen=True, slots=True)
class FoundLink:
    """Hold a link; `rc` is None when its vehicle is unknown."""

    id: str
    rc: str | None
    status: str
    is_unknown: bool
    total: Decimal | None = None


@dataclass(frozen=True, slots=True)
class FoundDriver:
    """Hold a driver found by name or phone."""

    id: int
    name: str
    phone: str | None
    has_left: bool


@dataclass(frozen=True, slots=True)
class FoundField:
    """Hold a link or vehicle (`kind`, `ref`) whose custom field `name` has this text."""

    kind: str
    ref: str
    name: str
    text: str


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


def challans_with(connection: Connection, part: str, words: Sequence[str], limit: int) -> list[FoundChallan]:
    """Return challans of the vehicles updated last, by a part of their number or by a word of their offence."""
    ways = [challan.c.challan_no.icontains(part, autoescape=True)] if part else []
    ways += [challan.c.offense_details.icontains(word, autoescape=True) for word in words]
    if not ways:
        return []
    recent = select(vehicle.c.rc).order_by(vehicle.c.searched_at.desc()).limit(_VEHICLES)
    query = _LISTED.where(challan.c.rc.in_(recent.scalar_subquery()), or_(*ways)).limit(limit)
    return [_found(row) for row in connection.execute(query)]


def _challans(connection: Connection, number: str, limit: int) -> dict[str, FoundChallan]:
    listed = _LISTED.where(begins_with(challan.c.challan_no, number)).order_by(challan.c.challan_no).limit(limit)
    found = {row.challan_no: _found(row) for row in connection.execute(listed)}
    # Numbers first, because they can be limited; then the links of these numbers alone.
    on_links = select(link_challan.c.challan_no).where(begins_with(link_challan.c.challan_no, number))
    on_links = on_links.where(exists().where(link.c.id == link_challan.c.link_id, link.c.rc.is_not(None)))
    numbers = connection.execute(on_links.order_by(link_challan.c.challan_no).distinct().limit(limit)).scalars().all()
    columns = (link_challan.c.challan_no, link.c.rc, link.c.id, link_challan.c.status, link_challan.c.total_amount)
    covered = select(*columns).join(link, link.c.id == link_challan.c.link_id)
    covered = covered.where(link_challan.c.challan_no.in_(numbers), link.c.rc.is_not(None))
    for row in connection.execute(covered.order_by(link.c.first_seen_at)):
        found[row.challan_no] = FoundChallan(row.challan_no, row.rc, row.id, row.status, row.total_amount)
    return found


def links(connection: Connection, beginning: str, limit: int) -> list[FoundLink]:
    """Return the links whose id begins so; `beginning` is spelled as the service does, lower case with dashes."""
    if not beginning:
        return []
    query = _LINKS.where(link.c.id >= beginning, link.c.id.startswith(beginning, autoescape=True)).order_by(link.c.id)
    return [FoundLink(*row) for row in connection.execute(query.limit(limit))]


def links_at(connection: Connection, url: str, limit: int) -> list[FoundLink]:
    """Return the newest links whose payment URL has this part."""
    newest = select(link.c.id).order_by(link.c.first_seen_at.desc(), link.c.id.desc()).limit(_NEWEST).subquery()
    query = _LINKS.join(newest, newest.c.id == link.c.id).where(link.c.payment_url.contains(url, autoescape=True))
    return [FoundLink(*row) for row in connection.execute(query.limit(limit))]


def links_of(connection: Connection, least: Decimal, below: Decimal, limit: int) -> list[FoundLink]:
    """Return the links of an amount from `least` to less than `below`, which are major units."""
    rank = link.c.amount_rank
    query = _LINKS.where(rank >= float(least), rank < float(below)).order_by(rank.desc(), link.c.id.desc())
    return [FoundLink(*row) for row in connection.execute(query.limit(limit))]


def links_by_id(connection: Connection, ids: Sequence[str]) -> dict[str, FoundLink]:
    """Return these links by their ids."""
    return {row.id: FoundLink(*row) for row in connection.execute(_LINKS.where(link.c.id.in_(ids)))} if ids else {}


def drivers(connection: Connection, name: str, digits: str, limit: int) -> list[FoundDriver]:
    """Return the drivers whose name has this part, or whose phone has these digits; those who left come last."""
    ways: list[ColumnElement[bool]] = [driver.c.name.icontains(name, autoescape=True)] if name else []
    if digits:
        ways.append(_digits(driver.c.phone).contains(digits))
    if not ways:
        return []
    query = select(driver.c.id, driver.c.name, driver.c.phone, driver.c.gone_at.is_not(None)).where(or_(*ways))
    query = query.order_by(driver.c.gone_at.is_not(None), driver.c.name, driver.c.id).limit(limit)
    return [FoundDriver(*row) for row in connection.execute(query)]


def fields(connection: Connection, text: str, limit: int) -> list[FoundField]:
    """Return the custom fields with this text, those written last first."""
    if not text:
        return []
    newest = select(custom_field).order_by(custom_field.c.written_at.desc()).limit(_NEWEST).subquery()
    names = [each.name for each in CUSTOM_FIELDS]
    query = select(newest).where(or_(*(newest.c[name].icontains(text, autoescape=True) for name in names)))
    found = []
    for row in connection.execute(query.order_by(newest.c.written_at.desc(), newest.c.ref).limit(limit)).mappings():
        name = next((each for each in names if text.lower() in (row[each] or "").lower()), names[0])
        found.append(FoundField(row["kind"], row["ref"], name, row[name] or ""))
    return found


_LISTED: Select[Any] = select(
    challan.c.challan_no, challan.c.rc, challan.c.status, challan.c.total_amount, challan.c.offense_details
).where(challan.c.challan_no.is_not(None))
_LINKS: Select[Any] = select(link.c.id, link.c.rc, link.c.status, NO_LONGER_KNOWN, link.c.total)


def _found(row: Row[Any]) -> FoundChallan:
    return FoundChallan(row.challan_no, row.rc, None, row.status, row.total_amount, row.offense_details)


def _digits(column: Column[str]) -> ColumnElement[str]:
    """Return the digits of a phone as it was typed."""
    text: ColumnElement[str] = column
    for sign in " -+().":
        text = func.replace(text, sign, "")
    return text
