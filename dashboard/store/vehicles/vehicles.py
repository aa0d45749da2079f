"""Store vehicles and the challans that the last search of each returned.

A search replaces the listing of its vehicle. Each challan stores what is new or changed since the search before. A
challan that is no longer listed stays until the next search, so that people can see what went away.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    bindparam,
    cast,
    delete,
    insert,
    select,
    update,
)

from dashboard.domain.challans import AttachedLink, Challan, SearchResult
from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.schema import metadata
from dashboard.store.types import Moment, Money
from dashboard.store.upserts import insert_if_absent, insert_or_change

vehicle = Table(
    "vehicle",
    metadata,
    Column("rc", String(MAX_LENGTH), primary_key=True),
    Column("first_searched_at", Moment, nullable=False),
    Column("searched_at", Moment, nullable=False),
    Column("searched_by", Integer, ForeignKey("person.id")),
    Column("compared_with", Moment),
    Column("new_count", Integer),
    Column("unreadable", Integer, nullable=False, default=0),
    Column("failed_at", Moment),
    Column("failure", String(40)),
)
Index("ix_vehicle_searched_at", vehicle.c.searched_at)

challan = Table(
    "challan",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("rc", String(MAX_LENGTH), ForeignKey("vehicle.rc"), nullable=False, index=True),
    Column("position", Integer, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("mark", String(8)),
    Column("changes", JSON, nullable=False),
    Column("challan_id", String(36), index=True),
    Column("challan_no", Text, index=True),
    Column("status", Text),
    Column("challan_amount", Money),
    Column("total_amount", Money),
    Column("challan_date", Moment),
    Column("state", Text),
    Column("challan_type", Text),
    Column("challan_place", Text),
    Column("offense_details", Text),
    Column("payment_link_id", String(36)),
    Column("link_status", Text),
    Column("link_url", Text),
    Column("link_total", Money),
    Column("prepaid", Boolean),
    Column("gaps", JSON, nullable=False),
)

#: One refresh from the source at a time for each vehicle: the row is a lease, free again once it has run out.
vehicle_refresh = Table(
    "vehicle_refresh",
    metadata,
    Column("rc", String(MAX_LENGTH), primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id")),
    Column("lease_until", Moment, nullable=False),
)

#: When a person last refreshed a vehicle from the source.
person_refresh = Table(
    "person_refresh",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("rc", String(MAX_LENGTH), primary_key=True),
    Column("at", Moment, nullable=False),
)

#: The fields whose changes the page of a vehicle shows.
_COMPARED = ("status", "challan_amount", "total_amount", "challan_date", "state", "challan_type", "challan_place")


@dataclass(frozen=True, slots=True)
class Vehicle:
    """Hold a vehicle as its last search left it. Moments are aware UTC."""

    rc: str
    searched_at: datetime
    searched_by: int | None  #: A person's id; None when the dashboard searched by itself.
    compared_with: datetime | None  #: When the search before was; None before a second one.
    #: The service's newChallansCount (section 4.3), where it sent one, or how many are new since the search before.
    new_count: int | None
    unreadable: int  #: Records of the answer of which nothing could be shown.
    failure: str | None  #: The failure name of the last attempt, when it failed and so changed nothing.


@dataclass(frozen=True, slots=True)
class StoredChallan:
    """Hold a challan of the last search, with what changed; `listed` is False when the search did not return it."""

    challan: Challan
    listed: bool
    mark: str | None  #: "new" or "changed" since the search before.
    changes: tuple[tuple[str, str | None], ...]  #: Field of `Challan` and its former value as text.


#: The fields of `Vehicle`, in their order.
VEHICLE_COLUMNS = tuple(vehicle.c[field.name] for field in fields(Vehicle))
_VEHICLE = select(*VEHICLE_COLUMNS).where(vehicle.c.rc == bindparam("rc"))
_RECENT = select(*VEHICLE_COLUMNS).order_by(vehicle.c.searched_at.desc(), vehicle.c.rc)
_RECENT = _RECENT.limit(bindparam("limit")).offset(bindparam("start"))
_SEARCHED_AT = select(vehicle.c.searched_at).where(vehicle.c.rc == bindparam("rc")).with_for_update(key_share=True)
_REFRESHING = select(vehicle_refresh.c.person_id).where(
    vehicle_refresh.c.rc == bindparam("rc"), vehicle_refresh.c.lease_until > bindparam("now")
)
#: In the order in which `_stored` reads them. The lists are read as text: nearly all are empty, and need no decoder.
_CHALLAN_COLUMNS: tuple[ColumnElement[Any], ...] = (
    challan.c.challan_id,
    challan.c.challan_no,
    challan.c.status,
    challan.c.challan_amount,
    challan.c.total_amount,
    challan.c.challan_date,
    challan.c.state,
    challan.c.challan_type,
    challan.c.challan_place,
    challan.c.offense_details,
    challan.c.payment_link_id,
    challan.c.prepaid,
    cast(challan.c.gaps, Text),
    challan.c.link_status,
    challan.c.link_url,
    challan.c.link_total,
    challan.c.listed,
    challan.c.mark,
    cast(challan.c.changes, Text),
    challan.c.rc,
)
_CHALLANS = select(*_CHALLAN_COLUMNS).where(challan.c.rc.in_(bindparam("rcs", expanding=True)))
_CHALLANS = _CHALLANS.order_by(challan.c.rc, challan.c.position)
_CHALLANS_BY_ID = select(*_CHALLAN_COLUMNS).where(challan.c.challan_id.in_(bindparam("challan_ids", expanding=True)))
_CHALLAN_IDS = select(challan.c.challan_id).where(challan.c.rc == bindparam("rc"), challan.c.challan_id.is_not(None))
_CHALLAN_IDS = _CHALLAN_IDS.order_by(challan.c.position)
_SEARCHED = update(vehicle).where(vehicle.c.rc == bindparam("of_rc"))
_REMOVED = delete(challan).where(challan.c.rc == bindparam("of_rc"))
_LISTED = insert(challan)


def record_search(
    connection: Connection,
    rc: str,
    result: SearchResult,
    person_id: int | None,
    at: datetime,
    *,
    keep: Container[str] = (),
) -> None:
    """Replace the listing of a vehicle by a search's, with what is new, changed and gone.

    A challan that has gone is deleted by the next search, unless its id is in `keep`.
    """
    compared_with = _enter_or_lock(connection, rc, at)
    stored = challans_of(connection, rc)
    rows_before = [row for row in stored if row.challan.id]
    known = {row.challan.id: row.challan for row in rows_before if row.listed}
    gone_before = {row.challan.id: row.challan for row in rows_before if not row.listed and row.challan.id in keep}
    found = []
    for record in result.challans:
        old = known.pop(record.id, None) if record.id else None
        changes = _changes(old, record) if old else ()
        mark = ("changed" if changes else None) if old else ("new" if compared_with else None)
        found.append(StoredChallan(record, listed=True, mark=mark, changes=changes))
        gone_before.pop(record.id, None)
    # The service does not count what another search of its own has found before.
    marked = sum(item.mark == "new" for item in found)
    facts = {
        "of_rc": rc,
        "searched_at": at,
        "searched_by": person_id,
        "compared_with": compared_with,
        "new_count": max(result.new_challans_count or 0, marked) if marked else result.new_challans_count,
        "unreadable": result.unreadable,
        "failed_at": None,
        "failure": None,
    }
    connection.execute(_SEARCHED, facts)
    found += [StoredChallan(gone, listed=False, mark=None, changes=()) for gone in (known | gone_before).values()]
    if found != stored:  # Most searches find what the one before has found.
        connection.execute(_REMOVED, {"of_rc": rc})
        if found:
            connection.execute(_LISTED, [_row(rc, position, item) for position, item in enumerate(found)])


def _enter_or_lock(connection: Connection, rc: str, at: datetime) -> datetime | None:
    """Lock the row of a vehicle, and return when it was last searched; None when this is the first search.

    Another transaction that records a search of it waits for this one, and then compares with it.
    """
    if insert_if_absent(connection, vehicle, rc=rc, first_searched_at=at, searched_at=at, unreadable=0):
        return None
    compared_with: datetime = connection.execute(_SEARCHED_AT, {"rc": rc}).scalar_one()
    return compared_with


def record_failure(connection: Connection, rc: str, failure: str, at: datetime) -> None:
    """Record that the last attempt to search a known vehicle failed; its listing stays."""
    connection.execute(update(vehicle).where(vehicle.c.rc == rc).values(failed_at=at, failure=failure))


def find(connection: Connection, rc: str) -> Vehicle | None:
    """Return a vehicle by its stored number; None when it was never searched."""
    row = connection.execute(_VEHICLE, {"rc": rc}).one_or_none()
    return Vehicle(*row) if row else None


def find_all(connection: Connection, rcs: Iterable[str]) -> list[Vehicle]:
    """Return those of these vehicles that were ever searched."""
    return [Vehicle(*row) for row in connection.execute(select(*VEHICLE_COLUMNS).where(vehicle.c.rc.in_(list(rcs))))]


def recent(connection: Connection, part: str = "", limit: int = 12, start: int = 0) -> list[Vehicle]:
    """Return the vehicles searched last, without so many of the first.

    `part` (letters and digits) narrows them to numbers that contain it.
    """
    query = _RECENT.where(vehicle.c.rc.contains(part)) if part else _RECENT
    return [Vehicle(*row) for row in connection.execute(query, {"limit": limit, "start": start})]


def challans_of(connection: Connection, *rcs: str) -> list[StoredChallan]:
    """Return the challans of vehicles in listed order; those no longer listed come last."""
    return [_stored(row) for row in connection.execute(_CHALLANS, {"rcs": rcs}).all()]


def challans_by_id(connection: Connection, challan_ids: Iterable[str]) -> dict[str, Challan]:
    """Return challans as the last search of their vehicle described them, by id; without those that none has shown."""
    found = [item.challan for item in stored_by_id(connection, challan_ids)]
    return {challan.id: challan for challan in found if challan.id}


def stored_by_id(connection: Connection, challan_ids: Iterable[str]) -> list[StoredChallan]:
    """Return those of these challans that a search of any vehicle has shown, as the last one left them."""
    return [_stored(row) for row in connection.execute(_CHALLANS_BY_ID, {"challan_ids": list(challan_ids)})]


def challan_ids_of(connection: Connection, rc: str) -> list[str]:
    """Return the ids of a vehicle's challans in listed order."""
    return list(connection.execute(_CHALLAN_IDS, {"rc": rc}).scalars())


def challans_by_vehicle(connection: Connection, rcs: Iterable[str]) -> dict[str, list[StoredChallan]]:
    """Return the challans of each vehicle, by its number; an empty list for a vehicle without any."""
    grouped: dict[str, list[StoredChallan]] = {rc: [] for rc in rcs}
    for row in connection.execute(_CHALLANS, {"rcs": list(grouped)}):
        grouped[row.rc].append(_stored(row))
    return grouped


def take_refresh(connection: Connection, rc: str, person_id: int | None, now: datetime, lease_until: datetime) -> bool:
    """Take the lease of a vehicle's refresh. False while another refresh holds it."""
    free = update(vehicle_refresh).where(vehicle_refresh.c.rc == rc, vehicle_refresh.c.lease_until <= now)
    if connection.execute(
        free.values(person_id=person_id, lease_until=lease_until).returning(vehicle_refresh.c.rc)
    ).first():
        return True
    return insert_if_absent(connection, vehicle_refresh, rc=rc, person_id=person_id, lease_until=lease_until)


def end_refresh(connection: Connection, rc: str) -> None:
    connection.execute(delete(vehicle_refresh).where(vehicle_refresh.c.rc == rc))


def refreshed_at(connection: Connection, rc: str, person_id: int) -> datetime | None:
    """Return when a person last refreshed the vehicle from the source."""
    mine = (person_refresh.c.rc == rc, person_refresh.c.person_id == person_id)
    return connection.execute(select(person_refresh.c.at).where(*mine)).scalar()


def record_refresh(connection: Connection, rc: str, person_id: int, at: datetime) -> None:
    insert_or_change(connection, person_refresh, {"person_id": person_id, "rc": rc}, at=at)


def refreshing(connection: Connection, rc: str, now: datetime) -> int | None:
    """Return the id of the person who is refreshing the vehicle from the source; None when nobody is."""
    return connection.execute(_REFRESHING, {"rc": rc, "now": now}).scalar()


def _changes(old: Challan, new: Challan) -> tuple[tuple[str, str | None], ...]:
    if old == new:
        return ()
    pairs = ((name, getattr(old, name), getattr(new, name)) for name in _COMPARED)
    return tuple((name, None if before is None else str(before)) for name, before, after in pairs if before != after)


_PLAIN_FIELDS = tuple(f.name for f in fields(Challan) if f.name not in ("id", "payment_link", "gaps"))


def _row(rc: str, position: int, item: StoredChallan) -> dict[str, Any]:
    record = item.challan
    row = {name: getattr(record, name) for name in _PLAIN_FIELDS}
    link = record.payment_link
    return row | {
        "rc": rc,
        "position": position,
        "listed": item.listed,
        "mark": item.mark,
        "changes": item.changes,
        "challan_id": record.id,
        "payment_link_id": record.link_id,
        "link_status": link.status if link else None,
        "link_url": link.payment_url if link else None,
        "link_total": link.total_amount if link else None,
        "gaps": list(record.gaps),
    }


def _stored(row: Sequence[Any]) -> StoredChallan:
    challan_id, number, status, fine, total, date, state, kind, place, offence = row[:10]
    link_id, prepaid, gaps, link_status, url, link_total, listed, mark, changes = row[10:19]
    link = None
    if link_id is not None and link_status is not None:
        link = AttachedLink(link_id, link_status, url, link_total)
    record = Challan(
        challan_id, number, status, fine, total, date, state, kind, place, offence, link_id, link, prepaid, _list(gaps)
    )
    return StoredChallan(record, listed, mark, tuple((name, before) for name, before in _list(changes)))


def _list(stored: str) -> tuple[Any, ...]:
    return () if stored == "[]" else tuple(json.loads(stored))
