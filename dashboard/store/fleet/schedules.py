"""Store repeated searches of the fleet, and when each is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, time
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
    and_,
    bindparam,
    delete,
    insert,
    select,
    true,
    update,
)

from dashboard.domain.fleet_schedules import Repeat, Scope
from dashboard.store.fleet.lists import fleet_list
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

#: How many repeated searches there may be.
MAX_SCHEDULES = 50

fleet_schedule = Table(
    "fleet_schedule",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("scope", String(8), nullable=False),
    Column("list_id", Integer, ForeignKey("fleet_list.id")),
    Column("days", Integer),
    Column("weekdays", JSON, nullable=False),
    Column("minute", Integer, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("created_by", Integer, ForeignKey("person.id"), nullable=False),
    # Nothing is due while it is empty: the search is paused.
    Column("next_at", Moment),
    Column("last_at", Moment),
    Column("last_run_id", String(36)),
    Column("at_source", Boolean, nullable=False, server_default=true()),
)
Index("ix_fleet_schedule_next_at", fleet_schedule.c.next_at)


@dataclass(frozen=True, slots=True)
class FleetSchedule:
    """Hold a repeated search. `list_name` is None for none, and for a list that is deleted.

    `last_at` is when it was due the last time, and `last_run_id` the run of that time; None where nothing was searched.
    """

    id: int
    repeat: Repeat
    created_by: int
    next_at: datetime | None
    last_at: datetime | None
    last_run_id: str | None
    list_name: str | None

    @property
    def lacks_its_list(self) -> bool:
        return self.repeat.scope is Scope.LIST and self.list_name is None


_OF_LIST = and_(fleet_schedule.c.list_id == fleet_list.c.id, fleet_list.c.deleted_at.is_(None))
_ALL = select(fleet_schedule, fleet_list.c.name.label("list_name")).select_from(
    fleet_schedule.outerjoin(fleet_list, _OF_LIST)
)
_LISTED = _ALL.order_by(fleet_schedule.c.id)
_FIND = _ALL.where(fleet_schedule.c.id == bindparam("schedule"))
_DUE = _ALL.where(fleet_schedule.c.next_at <= bindparam("now")).order_by(fleet_schedule.c.next_at)


def listed(connection: Connection) -> list[FleetSchedule]:
    """Return the repeated searches, the oldest first."""
    return [_schedule(row) for row in connection.execute(_LISTED)]


def find(connection: Connection, schedule_id: int) -> FleetSchedule | None:
    row = connection.execute(_FIND, {"schedule": schedule_id}).one_or_none()
    return None if row is None else _schedule(row)


def due(connection: Connection, now: datetime) -> list[FleetSchedule]:
    """Return what is due, the longest due first."""
    return [_schedule(row) for row in connection.execute(_DUE, {"now": now})]


def add(connection: Connection, repeat: Repeat, next_at: datetime | None, at: datetime, by: int) -> int:
    values = {"next_at": next_at, "created_at": at, "created_by": by, **_columns(repeat)}
    added = insert(fleet_schedule).values(**values).returning(fleet_schedule.c.id)
    return int(connection.execute(added).scalar_one())


def plan(connection: Connection, schedule_id: int, next_at: datetime | None) -> bool:
    """Set when a search is due next, None to pause it. False where there is none."""
    planned = update(fleet_schedule).where(fleet_schedule.c.id == schedule_id)
    changed = planned.values(next_at=next_at).returning(fleet_schedule.c.id)
    return connection.execute(changed).first() is not None


def set_source(connection: Connection, schedule_id: int, *, at_source: bool) -> bool:
    """Set whether the runs of a search ask the source. False where there is none."""
    one = update(fleet_schedule).where(fleet_schedule.c.id == schedule_id)
    changed = one.values(at_source=at_source).returning(fleet_schedule.c.id)
    return connection.execute(changed).first() is not None


def remove(connection: Connection, schedule_id: int) -> bool:
    """Delete a repeated search; runs that it started stay."""
    gone = delete(fleet_schedule).where(fleet_schedule.c.id == schedule_id).returning(fleet_schedule.c.id)
    return connection.execute(gone).first() is not None


def settle(connection: Connection, done: FleetSchedule, run_id: str | None, next_at: datetime) -> bool:
    """Record what came of a search that was due, and when it is due again, by compare-and-set.

    False when another worker has done so, or somebody paused or deleted it meanwhile.
    """
    ours = (fleet_schedule.c.id == done.id, fleet_schedule.c.next_at == done.next_at)
    settled = update(fleet_schedule).where(*ours)
    settled = settled.values(next_at=next_at, last_at=done.next_at, last_run_id=run_id)
    return connection.execute(settled.returning(fleet_schedule.c.id)).first() is not None


def _columns(repeat: Repeat) -> dict[str, Any]:
    return {
        "scope": repeat.scope,
        "list_id": repeat.list_id,
        "days": repeat.days,
        "weekdays": sorted(repeat.weekdays),
        "minute": repeat.at.hour * 60 + repeat.at.minute,
        "at_source": repeat.at_source,
    }


def _schedule(row: Row[Any]) -> FleetSchedule:
    at = time(*divmod(row.minute, 60))
    repeat = Repeat(Scope(row.scope), frozenset(row.weekdays), at, row.list_id, row.days, row.at_source)
    return FleetSchedule(row.id, repeat, row.created_by, row.next_at, row.last_at, row.last_run_id, row.list_name)
