"""Store vehicles and the challans that the last search of each returned.

A search replaces the listing of its vehicle. Each challan stores what is new or changed since the search before. A
challan that is no longer listed stays until the next search, so that people can see what went away.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Row,
    String,
    Table,
    Text,
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
    new_count: int | None  #: The service's newChallansCount (section 4.3), where it sent one.
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
_VEHICLE_COLUMNS = tuple(vehicle.c[field.name] for field in fields(Vehicle))


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
    rows_before = [row for row in challans_of(connection, rc) if row.challan.id]
    known = {row.challan.id: row.challan for row in rows_before if row.listed}
    gone_before = {row.challan.id: row.challan for row in rows_before if not row.listed and row.challan.id in keep}
    facts = {
        "searched_at": at,
        "searched_by": person_id,
        "compared_with": compared_with,
        "new_count": result.new_challans_count,
        "unreadable": result.unreadable,
        "failed_at": None,
        "failure": None,
    }
    connection.execute(update(vehicle).where(vehicle.c.rc == rc).values(**facts))
    rows = []
    for position, record in enumerate(result.challans):
        old = known.pop(record.id, None) if record.id else None
        changes = _changes(old, record) if old else []
        mark = ("changed" if changes else None) if old else ("new" if compared_with else None)
        rows.append(_row(rc, position, record, listed=True, mark=mark, changes=changes))
    start = len(rows)
    for record in result.challans:
        gone_before.pop(record.id, None)
    for position, record in enumerate((known | gone_before).values(), start):
        rows.append(_row(rc, position, record, listed=False, mark=None, changes=[]))
    connection.execute(delete(challan).where(challan.c.rc == rc))
    if rows:
        connection.execute(insert(challan), rows)


def _enter_or_lock(connection: Connection, rc: str, at: datetime) -> datetime | None:
    """Lock the row of a vehicle, and return when it was last searched; None when this is the first search.

    Another transaction that records a search of it waits for this one, and then compares with it.
    """
    if insert_if_absent(connection, vehicle, rc=rc, first_searched_at=at, searched_at=at, unreadable=0):
        return None
    locked = select(vehicle.c.searched_at).where(vehicle.c.rc == rc).with_for_update(key_share=True)
    compared_with: datetime = connection.execute(locked).scalar_one()
    return compared_with


def record_failure(connection: Connection, rc: str, failure: str, at: datetime) -> None:
    """Record that the last attempt to search a known vehicle failed; its listing stays."""
    connection.execute(update(vehicle).where(vehicle.c.rc == rc).values(failed_at=at, failure=failure))


def find(connection: Connection, rc: str) -> Vehicle | None:
    """Return a vehicle by its stored number; None when it was never searched."""
    row = connection.execute(select(*_VEHICLE_COLUMNS).where(vehicle.c.rc == rc)).one_or_none()
    return Vehicle(*row) if row else None


def recent(connection: Connection, part: str = "", limit: int = 12) -> list[Vehicle]:
    """Return the vehicles searched last; `part` (letters and digits) narrows them to numbers that contain it."""
    query = select(*_VEHICLE_COLUMNS).order_by(vehicle.c.searched_at.desc(), vehicle.c.rc).limit(limit)
    if part:
        query = query.where(vehicle.c.rc.contains(part))
    return [Vehicle(*row) for row in connection.execute(query)]


def challans_of(connection: Connection, *rcs: str) -> list[StoredChallan]:
    """Return the challans of vehicles in listed order; those no longer listed come last."""
    query = select(challan).where(challan.c.rc.in_(rcs)).order_by(challan.c.rc, challan.c.position)
    return [_stored(row) for row in connection.execute(query)]


def challan_ids_of(connection: Connection, rc: str) -> list[str]:
    """Return the ids of a vehicle's challans in listed order."""
    query = select(challan.c.challan_id).where(challan.c.rc == rc, challan.c.challan_id.is_not(None))
    return list(connection.execute(query.order_by(challan.c.position)).scalars())


def challans_by_vehicle(connection: Connection, rcs: Iterable[str]) -> dict[str, list[StoredChallan]]:
    """Return the challans of each vehicle, by its number; an empty list for a vehicle without any."""
    grouped: dict[str, list[StoredChallan]] = {rc: [] for rc in rcs}
    query = select(challan).where(challan.c.rc.in_(list(grouped))).order_by(challan.c.rc, challan.c.position)
    for row in connection.execute(query):
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
    query = select(vehicle_refresh.c.person_id).where(vehicle_refresh.c.rc == rc, vehicle_refresh.c.lease_until > now)
    return connection.execute(query).scalar()


def _changes(old: Challan, new: Challan) -> list[tuple[str, str | None]]:
    pairs = ((name, getattr(old, name), getattr(new, name)) for name in _COMPARED)
    return [(name, None if before is None else str(before)) for name, before, after in pairs if before != after]


_PLAIN_FIELDS = tuple(f.name for f in fields(Challan) if f.name not in ("id", "payment_link", "gaps"))


def _row(
    rc: str, position: int, record: Challan, *, listed: bool, mark: str | None, changes: list[tuple[str, str | None]]
) -> dict[str, Any]:
    row = {name: getattr(record, name) for name in _PLAIN_FIELDS}
    link = record.payment_link
    return row | {
        "rc": rc,
        "position": position,
        "listed": listed,
        "mark": mark,
        "changes": changes,
        "challan_id": record.id,
        "payment_link_id": record.link_id,
        "link_status": link.status if link else None,
        "link_url": link.payment_url if link else None,
        "link_total": link.total_amount if link else None,
        "gaps": list(record.gaps),
    }


def _stored(row: Row[Any]) -> StoredChallan:
    values = {name: getattr(row, name) for name in _PLAIN_FIELDS}
    link = None
    if row.payment_link_id is not None and row.link_status is not None:
        link = AttachedLink(row.payment_link_id, row.link_status, row.link_url, row.link_total)
    record = Challan(id=row.challan_id, payment_link=link, gaps=tuple(row.gaps), **values)
    return StoredChallan(record, row.listed, row.mark, tuple((name, before) for name, before in row.changes))
