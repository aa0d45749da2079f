"""Store lists of vehicles that managers save under names, for all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    bindparam,
    func,
    insert,
    select,
    update,
)

from dashboard.domain.fleet import FleetVehicle
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

#: The length of a list's name, and how many lists there may be.
MAX_NAME, MAX_LISTS = 60, 100

fleet_list = Table(
    "fleet_list",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(MAX_NAME), nullable=False),
    Column("count", Integer, nullable=False),
    Column("vehicles", JSON, nullable=False),
    Column("saved_at", Moment, nullable=False),
    Column("saved_by", Integer, ForeignKey("person.id"), nullable=False),
    # Runs and schedules name their list even when it is deleted, and so it can come back.
    Column("deleted_at", Moment),
)
_PRESENT = fleet_list.c.deleted_at.is_(None)
Index("uq_fleet_list_name", fleet_list.c.name, unique=True, sqlite_where=_PRESENT, postgresql_where=_PRESENT)


@dataclass(frozen=True, slots=True)
class FleetList:
    """Hold a list without its vehicles, which `vehicles_of` returns."""

    id: int
    name: str
    count: int
    saved_at: datetime
    saved_by: int


_COLUMNS = tuple(fleet_list.c[field.name] for field in fields(FleetList))
_LISTED = select(*_COLUMNS).where(_PRESENT).order_by(func.lower(fleet_list.c.name), fleet_list.c.id)
_FIND = select(*_COLUMNS).where(_PRESENT, fleet_list.c.id == bindparam("list"))
_NAMED = select(*_COLUMNS).where(_PRESENT, fleet_list.c.name == bindparam("name"))
_VEHICLES = select(fleet_list.c.vehicles).where(_PRESENT, fleet_list.c.id == bindparam("list"))


def listed(connection: Connection) -> list[FleetList]:
    """Return the lists by name."""
    return [FleetList(*row) for row in connection.execute(_LISTED)]


def find(connection: Connection, list_id: int) -> FleetList | None:
    row = connection.execute(_FIND, {"list": list_id}).one_or_none()
    return None if row is None else FleetList(*row)


def named(connection: Connection, name: str) -> FleetList | None:
    """Return the list of a name."""
    row = connection.execute(_NAMED, {"name": name}).one_or_none()
    return None if row is None else FleetList(*row)


def vehicles_of(connection: Connection, list_id: int) -> list[FleetVehicle]:
    """Return the vehicles of a list; none of one that is deleted."""
    rows = connection.execute(_VEHICLES, {"list": list_id}).scalar() or []
    return [FleetVehicle(*row) for row in rows]


def add(connection: Connection, name: str, vehicles: Sequence[FleetVehicle], at: datetime, by: int) -> int:
    values = {"name": name, "saved_at": at, "saved_by": by, **_content(vehicles)}
    return int(connection.execute(insert(fleet_list).values(**values).returning(fleet_list.c.id)).scalar_one())


def replace(connection: Connection, list_id: int, vehicles: Sequence[FleetVehicle], at: datetime, by: int) -> None:
    """Store other vehicles in a list."""
    changed = update(fleet_list).where(fleet_list.c.id == list_id)
    connection.execute(changed.values(saved_at=at, saved_by=by, **_content(vehicles)))


def rename(connection: Connection, list_id: int, name: str) -> None:
    connection.execute(update(fleet_list).where(fleet_list.c.id == list_id).values(name=name))


def set_deleted(connection: Connection, list_id: int, at: datetime | None) -> FleetList | None:
    """Delete a list, or with None bring it back, and return it; None where that is so already."""
    other = _PRESENT if at else fleet_list.c.deleted_at.is_not(None)
    changed = update(fleet_list).where(fleet_list.c.id == list_id, other).values(deleted_at=at)
    row = connection.execute(changed.returning(*_COLUMNS)).one_or_none()
    return None if row is None else FleetList(*row)


def name_of_deleted(connection: Connection, list_id: int) -> str | None:
    """Return the name that a deleted list had."""
    query = select(fleet_list.c.name).where(fleet_list.c.id == list_id, fleet_list.c.deleted_at.is_not(None))
    return connection.execute(query).scalar()


def _content(vehicles: Sequence[FleetVehicle]) -> dict[str, object]:
    rows = [[each.rc, each.rc_type, each.city_id] if each.city_id else [each.rc] for each in vehicles]
    return {"vehicles": rows, "count": len(rows)}
