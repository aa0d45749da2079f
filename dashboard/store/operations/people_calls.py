"""Numbers of single searches and creations by people, by hour: what bulk work leaves to them is learned from these."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Column, Connection, Integer, String, Table, bindparam, delete, select
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

people_call = Table(
    "people_call",
    metadata,
    Column("hour", Moment, primary_key=True),
    Column("call_group", String(10), primary_key=True),
    Column("calls", Integer, nullable=False),
)

_KEPT = timedelta(days=9)
_BY_HOUR = select(people_call.c.hour, people_call.c.calls).where(people_call.c.call_group == bindparam("of_group"))


def add(connection: Connection, hour: datetime, call_group: str, calls: int) -> None:
    """Add to the calls of an hour, in one statement."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    entered = dialect.insert(people_call).values(hour=hour, call_group=call_group, calls=calls)
    counted = {"calls": people_call.c.calls + calls}
    connection.execute(entered.on_conflict_do_update(index_elements=["hour", "call_group"], set_=counted))


def forget(connection: Connection, now: datetime) -> None:
    """Delete the counts that are past their retention."""
    connection.execute(delete(people_call).where(people_call.c.hour < now - _KEPT))


def by_hour(connection: Connection, call_group: str) -> dict[datetime, int]:
    """Return the calls of each hour that has any."""
    return {row.hour: row.calls for row in connection.execute(_BY_HOUR, {"of_group": call_group})}
