"""Vehicles and the challans that the last search of each showed.

A search replaces the listing of its vehicle. Each challan remembers what was new or changed against the search before,
and what is no longer listed is kept until the next search, so that people can see what went away.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
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
    func,
    insert,
    select,
    update,
)

from dashboard.domain.challans import AttachedLink, Challan, SearchResult
from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.schema import metadata
from dashboard.store.types import Moment, Money
from dashboard.store.upserts import insert_if_absent

vehicle = Table(
    "vehicle",
    metadata,
    Column("rc", String(MAX_LENGTH), primary_key=True),
    Column("car_id", String(36)),
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

#: A deliberate refresh is one at a time for a vehicle; the row is a lease, free again when it has run out.
refresh = Table(
    "refresh",
    metadata,
    Column("rc", String(MAX_LENGTH), primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id")),
    Column("lease_until", Moment, nullable=False),
)

#: The fields whose change is worth telling.
_TOLD = ("status", "challan_amount", "total_amount", "challan_date", "state", "challan_type", "challan_place")


@dataclass(frozen=True, slots=True)
class StoredChallan:
    """A challan of the last search, with what is new about it; `listed` is False once it went away."""

    challan: Challan
    listed: bool
    mark: str | None
    changes: tuple[tuple[str, str | None], ...]


def record_search(
    connection: Connection,
    rc: str,
    result: SearchResult,
    person_id: int | None,
    at: datetime,
    *,
    keep: Container[str] = (),
) -> None:
    """Replace the listing of a vehicle by a search's, noting what is new, changed and gone.

    What has gone is forgotten by the search after, but for the challans in `keep`.
    """
    before = _find_or_enter(connection, rc, at)
    rows_before = [row for row in challans_of(connection, rc) if row.challan.id]
    known = {row.challan.id: row.challan for row in rows_before if row.listed}
    kept = {row.challan.id: row.challan for row in rows_before if not row.listed and row.challan.id in keep}
    facts = {
        "car_id": result.car_id,
        "searched_at": at,
        "searched_by": person_id,
        "compared_with": before.searched_at if before else None,
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
        mark = ("changed" if changes else None) if old else ("new" if before else None)
        rows.append(_row(rc, position, record, listed=True, mark=mark, changes=changes))
    start = len(rows)
    for record in result.challans:
        kept.pop(record.id, None)
    for position, record in enumerate((known | kept).values(), start):
        rows.append(_row(rc, position, record, listed=False, mark=None, changes=[]))
    connection.execute(delete(challan).where(challan.c.rc == rc))
    if rows:
        connection.execute(insert(challan), rows)


def _find_or_enter(connection: Connection, rc: str, at: datetime) -> Row[Any] | None:
    """The vehicle as the search before left it; None when this is the first one.

    Its row is locked either way: whoever else records a search of it does so afterwards, and compares with this one.
    """
    if insert_if_absent(connection, vehicle, rc=rc, first_searched_at=at, searched_at=at, unreadable=0):
        return None
    locked = select(vehicle).where(vehicle.c.rc == rc).with_for_update(key_share=True)
    return connection.execute(locked).one()


def record_failure(connection: Connection, rc: str, failure: str, at: datetime) -> None:
    """Remember that the last attempt to search a known vehicle failed; what is listed stays."""
    connection.execute(update(vehicle).where(vehicle.c.rc == rc).values(failed_at=at, failure=failure))


def find(connection: Connection, rc: str) -> Row[Any] | None:
    return connection.execute(select(vehicle).where(vehicle.c.rc == rc)).one_or_none()


def recent(connection: Connection, part: str = "", limit: int = 12) -> Sequence[Row[Any]]:
    """The vehicles searched last; with `part`, those whose number holds it. `part` is letters and digits."""
    query = select(vehicle).order_by(vehicle.c.searched_at.desc(), vehicle.c.rc).limit(limit)
    if part:
        query = query.where(vehicle.c.rc.contains(part))
    return connection.execute(query).all()


def challans_of(connection: Connection, *rcs: str) -> list[StoredChallan]:
    query = select(challan).where(challan.c.rc.in_(rcs)).order_by(challan.c.rc, challan.c.position)
    return [_listed(row) for row in connection.execute(query)]


def challans_by_vehicle(connection: Connection, rcs: Iterable[str]) -> dict[str, list[StoredChallan]]:
    grouped: dict[str, list[StoredChallan]] = {rc: [] for rc in rcs}
    query = select(challan).where(challan.c.rc.in_(list(grouped))).order_by(challan.c.rc, challan.c.position)
    for row in connection.execute(query):
        grouped[row.rc].append(_listed(row))
    return grouped


def take_refresh(connection: Connection, rc: str, person_id: int | None, now: datetime, lease_until: datetime) -> bool:
    """Claim the one refresh of a vehicle. False while somebody else holds it."""
    free = update(refresh).where(refresh.c.rc == rc, refresh.c.lease_until <= now)
    if connection.execute(free.values(person_id=person_id, lease_until=lease_until).returning(refresh.c.rc)).first():
        return True
    return insert_if_absent(connection, refresh, rc=rc, person_id=person_id, lease_until=lease_until)


def end_refresh(connection: Connection, rc: str) -> None:
    connection.execute(delete(refresh).where(refresh.c.rc == rc))


def refreshing(connection: Connection, rc: str, now: datetime) -> int | None:
    """Who refreshes the vehicle from the source just now, if anybody."""
    query = select(refresh.c.person_id).where(refresh.c.rc == rc, refresh.c.lease_until > now)
    return connection.execute(query).scalar()


def count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(vehicle)).scalar_one()


def _changes(old: Challan, new: Challan) -> list[tuple[str, str | None]]:
    pairs = ((name, getattr(old, name), getattr(new, name)) for name in _TOLD)
    return [(name, None if before is None else str(before)) for name, before, after in pairs if before != after]


_PLAIN = tuple(f.name for f in fields(Challan) if f.name not in ("id", "payment_link", "gaps"))


def _row(
    rc: str, position: int, record: Challan, *, listed: bool, mark: str | None, changes: list[tuple[str, str | None]]
) -> dict[str, Any]:
    row = {name: getattr(record, name) for name in _PLAIN}
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


def _listed(row: Row[Any]) -> StoredChallan:
    values = {name: getattr(row, name) for name in _PLAIN}
    link = None
    if row.payment_link_id is not None and row.link_status is not None:
        link = AttachedLink(row.payment_link_id, row.link_status, row.link_url, row.link_total)
    record = Challan(id=row.challan_id, payment_link=link, gaps=tuple(row.gaps), **values)
    return StoredChallan(record, row.listed, row.mark, tuple((name, before) for name, before in row.changes))
