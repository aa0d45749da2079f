"""Find vehicles, challans, links, drivers and custom fields by the text typed into the find box.

Every query reads an index, a small table, or the newest rows alone, so that a large ledger does not slow it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    Row,
    Select,
    and_,
    bindparam,
    case,
    exists,
    func,
    or_,
    select,
)

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.store.links.custom_fields import custom_field
from dashboard.store.links.prefixes import after_all, spellings
from dashboard.store.links.tables import LIVE, NO_LONGER_KNOWN, PAYMENT_REFERENCE, link, link_challan, link_event
from dashboard.store.sharing.drivers import driver
from dashboard.store.vehicles.vehicles import challan, vehicle

#: A part of a challan number, an offence or a place is looked for among so many challans, those listed last.
CHALLANS = 50_000
#: A part of a payment URL is looked for in so many links, and a custom field in so many rows, the newest.
_NEWEST = 2000
#: Escapes what stands for other letters in LIKE.
_ESCAPE = "/"


@dataclass(frozen=True, slots=True)
class FoundLink:
    """Hold a link; `rc` is None when its vehicle is unknown."""

    id: str
    rc: str | None
    status: str
    is_unknown: bool
    total: Decimal | None = None


@dataclass(frozen=True, slots=True)
class FoundChallan:
    """Hold a challan found by its number, offence or place; `link` is the newest link that covers it, if any does.

    `dated` and `place` are when and where its offence was, where a search has told that.
    """

    challan_no: str
    rc: str
    challan_id: str | None = None
    status: str | None = None
    total: Decimal | None = None
    offence: str | None = None
    dated: datetime | None = None
    place: str | None = None
    link: FoundLink | None = None


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
    return connection.execute(_VEHICLES, {"part": _with_part(part), "limit": limit}).scalars().all()


def challans(connection: Connection, typed: str, limit: int) -> list[FoundChallan]:
    """Return the challans, listed or on a link, whose number begins as typed, or as typed in capitals."""
    if not typed:
        return []
    found: dict[str, FoundChallan] = {}
    for number in spellings(typed):
        found |= _challans(connection, number, limit)
    return [found[key] for key in sorted(found)][:limit]


def challans_with(
    connection: Connection, part: str, words: Sequence[str], limit: int, place: str = ""
) -> list[FoundChallan]:
    """Return challans by a part of their number or place, or by a word of their offence.

    They are looked for among the `CHALLANS` listed last.
    """
    if not part and not words and not place:
        return []
    values: dict[str, object] = {"part": _with_part(part), "place": _with_part(place), "limit": limit}
    values |= {f"word{number}": _with_part(word) for number, word in enumerate(words)}
    statement = _with(bool(part), len(words), bool(place))
    found = [_found(row) for row in connection.execute(statement, values)]
    covered = _covered(connection, [item.challan_no for item in found])
    return [replace(item, link=covered[item.challan_no].link) if item.challan_no in covered else item for item in found]


def has_more_challans(connection: Connection) -> bool:
    """Return whether there are more challans than those among which parts are looked for."""
    return bool(connection.execute(_OLDEST_ID).scalar_one() > 0)


def _challans(connection: Connection, number: str, limit: int) -> dict[str, FoundChallan]:
    after = after_all(number)
    values = {"number": number, "after": after, "like": _escaped(number) + "%", "limit": limit}
    listed, on_links = _BEGINNING[after is not None]
    found = {row.challan_no: _found(row) for row in connection.execute(listed, values)}
    # Numbers first, because they can be limited; then the links of these numbers alone.
    numbers = connection.execute(on_links, values).scalars().all()
    return found | _covered(connection, numbers)


def _covered(connection: Connection, numbers: Sequence[str]) -> dict[str, FoundChallan]:
    """Return the challans of these numbers that are on links, each with its newest link."""
    return {
        challan_no: FoundChallan(challan_no, row[1], id_, status, total, offence, dated, place, FoundLink(*row))
        for challan_no, id_, status, total, offence, dated, place, *row in connection.execute(
            _COVERED, {"numbers": numbers}
        )
    }


def links(connection: Connection, beginning: str, limit: int) -> list[FoundLink]:
    """Return the links whose id begins so; `beginning` is spelled as the service does, lower case with dashes."""
    if not beginning:
        return []
    values = {"beginning": beginning, "like": _escaped(beginning) + "%", "limit": limit}
    return [FoundLink(*row) for row in connection.execute(_LINKS_BY_ID, values)]


def links_of_vehicles(connection: Connection, part: str, limit: int) -> list[FoundLink]:
    """Return the links of the known vehicles whose number contains `part`, and of the vehicle of this number.

    Those that can be paid come first, and of each the newest.
    """
    values = {"part": _with_part(part), "rc": part, "limit": limit}
    return [FoundLink(*row) for row in connection.execute(_LINKS_OF_VEHICLES, values)]


def links_at(connection: Connection, url: str, limit: int) -> list[FoundLink]:
    """Return the newest links whose payment URL has this part."""
    return [FoundLink(*row) for row in connection.execute(_LINKS_AT, {"part": _with_part(url), "limit": limit})]


def links_of_payment(connection: Connection, reference: str, limit: int) -> list[FoundLink]:
    """Return the links whose payment has this reference, as it was noted last."""
    return [FoundLink(*row) for row in connection.execute(_LINKS_OF_PAYMENT, {"reference": reference, "limit": limit})]


def links_of(connection: Connection, least: Decimal, below: Decimal, limit: int) -> list[FoundLink]:
    """Return the links of an amount from `least` to less than `below`, which are major units."""
    values = {"least": float(least), "below": float(below), "limit": limit}
    return [FoundLink(*row) for row in connection.execute(_LINKS_OF, values)]


def links_by_id(connection: Connection, ids: Sequence[str]) -> dict[str, FoundLink]:
    """Return these links by their ids."""
    return {row.id: FoundLink(*row) for row in connection.execute(_THESE_LINKS, {"ids": ids})} if ids else {}


def drivers(connection: Connection, name: str, digits: str, limit: int) -> list[FoundDriver]:
    """Return the drivers whose name has this part, or whose phone has these digits; those who left come last."""
    if not name and not digits:
        return []
    values = {"name": _with_part(name), "digits": f"%{digits}%", "limit": limit}
    return [FoundDriver(*row) for row in connection.execute(_drivers(bool(name), bool(digits)), values)]


def fields(connection: Connection, text: str, limit: int) -> list[FoundField]:
    """Return the custom fields with this text, those written last first."""
    if not text:
        return []
    found = []
    for row in connection.execute(_FIELDS, {"part": _with_part(text), "limit": limit}).mappings():
        name = next((each for each in _NAMES if text.lower() in (row[each] or "").lower()), _NAMES[0])
        found.append(FoundField(row["kind"], row["ref"], name, row[name] or ""))
    return found


def _found(row: Row[Any]) -> FoundChallan:
    offence, dated, place = row.offense_details, row.challan_date, row.challan_place
    return FoundChallan(row.challan_no, row.rc, row.challan_id, row.status, row.total_amount, offence, dated, place)


def _escaped(text: str) -> str:
    return re.sub(r"([/%_])", rf"{_ESCAPE}\1", text)


def _with_part(text: str) -> str:
    return f"%{_escaped(text)}%"


def _has(column: ColumnElement[Any], value: str = "part") -> ColumnElement[bool]:
    return column.like(bindparam(value), escape=_ESCAPE)


def _has_in_any_case(column: ColumnElement[Any], value: str = "part") -> ColumnElement[bool]:
    return func.lower(column).like(func.lower(bindparam(value)), escape=_ESCAPE)


def _digits(column: Column[str]) -> ColumnElement[str]:
    """Return the digits of a phone as it was typed."""
    text: ColumnElement[str] = column
    for sign in " -+().":
        text = func.replace(text, sign, "")
    return text


# Statements are built once: building one takes longer than executing it.

_LIMIT: BindParameter[int] = bindparam("limit")
_VEHICLES = select(vehicle.c.rc).where(_has(vehicle.c.rc)).order_by(vehicle.c.searched_at.desc()).limit(_LIMIT)
_LISTED: Select[Any] = select(
    challan.c.challan_no,
    challan.c.rc,
    challan.c.challan_id,
    challan.c.status,
    challan.c.total_amount,
    challan.c.offense_details,
    challan.c.challan_date,
    challan.c.challan_place,
).where(challan.c.challan_no.is_not(None))
_OLDEST_ID = select(func.coalesce(func.max(challan.c.id), 0) - CHALLANS)
_OLDEST = _OLDEST_ID.scalar_subquery()


@cache
def _with(has_part: bool, words: int, has_place: bool) -> Select[Any]:
    ways = [_has_in_any_case(challan.c.challan_no)] if has_part else []
    ways += [_has_in_any_case(challan.c.offense_details, f"word{number}") for number in range(words)]
    ways += [_has_in_any_case(challan.c.challan_place, "place")] if has_place else []
    return _LISTED.where(challan.c.id > _OLDEST, or_(*ways)).order_by(challan.c.id.desc()).limit(_LIMIT)


def _beginning(column: Column[Any], *, is_bounded: bool) -> ColumnElement[bool]:
    """Match a prefix as `begins_with` does."""
    exactly = _has(column, "like")
    return and_(column >= bindparam("number"), column < bindparam("after"), exactly) if is_bounded else exactly


def _by_beginning(*, is_bounded: bool) -> tuple[Select[Any], Select[Any]]:
    listed = _LISTED.where(_beginning(challan.c.challan_no, is_bounded=is_bounded))
    number = link_challan.c.challan_no
    of_vehicle = exists().where(link.c.id == link_challan.c.link_id, link.c.rc.is_not(None))
    on_links = select(number).where(_beginning(number, is_bounded=is_bounded), of_vehicle)
    return listed.order_by(challan.c.challan_no).limit(_LIMIT), on_links.order_by(number).distinct().limit(_LIMIT)


_BEGINNING = {is_bounded: _by_beginning(is_bounded=is_bounded) for is_bounded in (True, False)}
_OF_LINK = (link.c.id, link.c.rc, link.c.status, NO_LONGER_KNOWN, link.c.total)
_OF_COVERED = (
    link_challan.c.challan_no,
    link_challan.c.challan_id,
    link_challan.c.status,
    link_challan.c.total_amount,
    challan.c.offense_details,
    challan.c.challan_date,
    challan.c.challan_place,
)
_COVERED = (
    select(*_OF_COVERED, *_OF_LINK)
    .join(link, link.c.id == link_challan.c.link_id)
    # A link says nothing of offences, their days and places, and searches do.
    .outerjoin(challan, and_(challan.c.challan_id == link_challan.c.challan_id, challan.c.rc == link.c.rc))
    .where(link_challan.c.challan_no.in_(bindparam("numbers", expanding=True)), link.c.rc.is_not(None))
    .order_by(link.c.first_seen_at)
)
_LINKS: Select[Any] = select(*_OF_LINK)
_LINKS_BY_ID = _LINKS.where(link.c.id >= bindparam("beginning"), _has(link.c.id, "like"))
_LINKS_BY_ID = _LINKS_BY_ID.order_by(link.c.id).limit(_LIMIT)
# A link may be of a vehicle that was never searched here.
_LINKS_OF_VEHICLES = _LINKS.where(or_(link.c.rc == bindparam("rc"), link.c.rc.in_(_VEHICLES)))
_LINKS_OF_VEHICLES = _LINKS_OF_VEHICLES.order_by(
    case((LIVE, 0), else_=1), link.c.first_seen_at.desc(), link.c.id.desc()
).limit(_LIMIT)
_NEWEST_LINKS = select(link.c.id).order_by(link.c.first_seen_at.desc(), link.c.id.desc()).limit(_NEWEST).subquery()
_LINKS_AT = _LINKS.join(_NEWEST_LINKS, _NEWEST_LINKS.c.id == link.c.id).where(_has(link.c.payment_url)).limit(_LIMIT)
_later = link_event.alias("later")
_IS_NEWEST = ~exists().where(
    _later.c.link_id == link_event.c.link_id, _later.c.kind == PAYMENT_REFERENCE, _later.c.id > link_event.c.id
)
_HAS_REFERENCE = select(link_event.c.link_id).where(
    link_event.c.kind == PAYMENT_REFERENCE, link_event.c.new == bindparam("reference"), _IS_NEWEST
)
_LINKS_OF_PAYMENT = _LINKS.where(link.c.id.in_(_HAS_REFERENCE)).order_by(link.c.first_seen_at.desc(), link.c.id.desc())
_LINKS_OF_PAYMENT = _LINKS_OF_PAYMENT.limit(_LIMIT)
_LINKS_OF = (
    _LINKS.where(link.c.amount_rank >= bindparam("least"), link.c.amount_rank < bindparam("below"))
    .order_by(link.c.amount_rank.desc(), link.c.id.desc())
    .limit(_LIMIT)
)
_THESE_LINKS = _LINKS.where(link.c.id.in_(bindparam("ids", expanding=True)))


@cache
def _drivers(has_name: bool, has_digits: bool) -> Select[Any]:
    ways = [_has_in_any_case(driver.c.name, "name")] if has_name else []
    ways += [_has(_digits(driver.c.phone), "digits")] if has_digits else []
    query = select(driver.c.id, driver.c.name, driver.c.phone, driver.c.gone_at.is_not(None)).where(or_(*ways))
    return query.order_by(driver.c.gone_at.is_not(None), driver.c.name, driver.c.id).limit(_LIMIT)


_NAMES = tuple(each.name for each in CUSTOM_FIELDS)
_WRITTEN = select(custom_field).order_by(custom_field.c.written_at.desc()).limit(_NEWEST).subquery()
_FIELDS = select(_WRITTEN).where(or_(*(_has_in_any_case(_WRITTEN.c[name]) for name in _NAMES)))
_FIELDS = _FIELDS.order_by(_WRITTEN.c.written_at.desc(), _WRITTEN.c.ref).limit(_LIMIT)
