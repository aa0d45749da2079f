"""How many calls were made: per day and group by everybody, and per hour by each person.

A day's row also keeps where the service said that the day's allowance is spent. Nothing here tells what came of a call.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Integer, Row, String, Table, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

call_count = Table(
    "call_count",
    metadata,
    Column("day", String(10), primary_key=True),  # As in 2026-11-21, in India.
    Column("call_group", String(10), primary_key=True),
    Column("calls", Integer, nullable=False),
    Column("refused_after", Integer),  # So many calls were made when the allowance was said to be spent.
    Column("refused_at", Moment),
    Column("ask_again_at", Moment),  # While a reserve is kept: when one ordinary call may try.
)

person_count = Table(
    "person_count",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("hour", Moment, primary_key=True),
    Column("searches", Integer, nullable=False),
)

_PERSON_ROWS_KEPT = timedelta(days=2)


def add(connection: Connection, day: str, call_group: str, calls: int) -> None:
    """Count calls, in one statement."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    entered = dialect.insert(call_count).values(day=day, call_group=call_group, calls=calls)
    counted = {"calls": call_count.c.calls + calls}
    connection.execute(entered.on_conflict_do_update(index_elements=["day", "call_group"], set_=counted))


def find_locked(connection: Connection, day: str, call_group: str) -> Row[Any]:
    """The row of a day, entered when there is none, and nobody else's to change until this transaction ends."""
    insert_if_absent(connection, call_count, day=day, call_group=call_group, calls=0)
    query = select(call_count).where(call_count.c.day == day, call_count.c.call_group == call_group)
    return connection.execute(query.with_for_update()).one()


def record(connection: Connection, day: str, call_group: str, **values: Any) -> None:
    one = update(call_count).where(call_count.c.day == day, call_count.c.call_group == call_group)
    connection.execute(one.values(**values))


def learned(connection: Connection, call_group: str, since_day: str) -> int | None:
    """After how many calls the service last said that the day's allowance was spent, if it did since a day."""
    taught = (call_count.c.call_group == call_group, call_count.c.day >= since_day)
    query = select(call_count.c.refused_after).where(*taught, call_count.c.refused_after.is_not(None))
    return connection.execute(query.order_by(call_count.c.day.desc()).limit(1)).scalar()


def forget_lessons(
    connection: Connection, refused_before: datetime, *, day: str | None = None, call_group: str | None = None
) -> None:
    """Forget where the service refused, up to a moment: of one day and group, or of all."""
    taught = [call_count.c.refused_at.is_not(None), call_count.c.refused_at <= refused_before]
    if day is not None:
        taught += [call_count.c.day == day, call_count.c.call_group == call_group]
    connection.execute(update(call_count).where(*taught).values(refused_after=None, refused_at=None, ask_again_at=None))


def of_day(connection: Connection, day: str) -> Sequence[Row[Any]]:
    return connection.execute(select(call_count).where(call_count.c.day == day)).all()


def find_person_locked(connection: Connection, person_id: int, hour: datetime) -> int:
    """How many searches a person has made in an hour; nobody else's to change until this transaction ends."""
    if insert_if_absent(connection, person_count, person_id=person_id, hour=hour, searches=0):
        connection.execute(delete(person_count).where(person_count.c.hour < hour - _PERSON_ROWS_KEPT))
    query = select(person_count.c.searches).where(person_count.c.person_id == person_id, person_count.c.hour == hour)
    return int(connection.execute(query.with_for_update()).scalar_one())


def record_person(connection: Connection, person_id: int, hour: datetime, searches: int) -> None:
    one = update(person_count).where(person_count.c.person_id == person_id, person_count.c.hour == hour)
    connection.execute(one.values(searches=searches))
