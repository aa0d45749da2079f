"""Numbers of calls: by day and group of all, and by hour of each person. Outcomes are not stored here.

A day's row also has the number of calls after which the service answered that the day's allowance is spent.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Integer, String, Table, bindparam, delete, select, update
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

call_count = Table(
    "call_count",
    metadata,
    Column("day", String(10), primary_key=True),  # As in 2026-11-21: the day of the allowance, by its greater part.
    Column("call_group", String(10), primary_key=True),
    Column("calls", Integer, nullable=False),
    Column("refused_after", Integer),  # The calls granted before the service answered that the allowance is spent.
    Column("refused_at", Moment),
    Column("ask_again_at", Moment),  # While only the reserve is left: when one ordinary call may try.
    Column("person_at", Moment),  # When a person's search began last.
)

search_count = Table(
    "search_count",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("hour", Moment, primary_key=True),
    Column("searches", Integer, nullable=False),
)

_PERSON_ROWS_KEPT = timedelta(days=2)


@dataclass(frozen=True, slots=True)
class CallCount:
    """The calls of a day and group that the service did not refuse for a spent allowance.

    `refused_at`: when it last answered that the allowance is spent, after `refused_after` such calls; `ask_again_at`:
    when one ordinary call may try although only the reserve is left.
    """

    day: str
    calls: int
    refused_at: datetime | None
    ask_again_at: datetime | None
    refused_after: int | None


@dataclass(frozen=True, slots=True)
class DayOfCalls:
    """The calls of a day and group; `refused_after` so many of them, the service answered that the day's allowance is
    spent.
    """

    day: str
    call_group: str
    calls: int
    refused_after: int | None


_BY_DAY = select(call_count.c.day, call_count.c.call_group, call_count.c.calls, call_count.c.refused_after)
_BY_DAY = _BY_DAY.where(call_count.c.day >= bindparam("since_day")).order_by(call_count.c.day, call_count.c.call_group)
_OF_DAY = call_count.c.day == bindparam("of_day")
_OF_GROUP = call_count.c.call_group == bindparam("of_group")
_LOCKED = select(*(call_count.c[each.name] for each in fields(CallCount)))
_LOCKED = _LOCKED.where(_OF_DAY, _OF_GROUP).with_for_update()
_ONE = update(call_count).where(_OF_DAY, _OF_GROUP)
_CALLS = select(call_count.c.calls).where(_OF_DAY, _OF_GROUP)
_LEARNED = select(call_count.c.refused_after).where(
    _OF_GROUP, call_count.c.day >= bindparam("since_day"), call_count.c.refused_after.is_not(None)
)
_LEARNED = _LEARNED.order_by(call_count.c.day.desc()).limit(1)
_OF_PERSON = (
    search_count.c.person_id == bindparam("of_person"),
    search_count.c.hour == bindparam("of_hour"),
)
_PERSON_LOCKED = select(search_count.c.searches).where(*_OF_PERSON).with_for_update()
_ONE_PERSON = update(search_count).where(*_OF_PERSON)


def add(connection: Connection, day: str, call_group: str, calls: int) -> None:
    """Count calls, in one statement."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    entered = dialect.insert(call_count).values(day=day, call_group=call_group, calls=calls)
    counted = {"calls": call_count.c.calls + calls}
    connection.execute(entered.on_conflict_do_update(index_elements=["day", "call_group"], set_=counted))


def find_locked(connection: Connection, day: str, call_group: str) -> CallCount:
    """Return the row of a day, entered when absent; no other transaction can change it until this one ends."""
    insert_if_absent(connection, call_count, day=day, call_group=call_group, calls=0)
    return CallCount(*connection.execute(_LOCKED, {"of_day": day, "of_group": call_group}).one())


def record(connection: Connection, day: str, call_group: str, **values: Any) -> None:
    connection.execute(_ONE, {"of_day": day, "of_group": call_group, **values})


def learned(connection: Connection, call_group: str, since_day: str) -> int | None:
    """Return after how many calls of a day the service last refused, since a day; None when it did not."""
    return connection.execute(_LEARNED, {"of_group": call_group, "since_day": since_day}).scalar()


def forget_learned(
    connection: Connection, refused_before: datetime, *, day: str | None = None, call_group: str | None = None
) -> None:
    """Forget the refusals up to a moment: those of one day, one group, or all."""
    refused = [call_count.c.refused_at.is_not(None), call_count.c.refused_at <= refused_before]
    if day is not None:
        refused.append(call_count.c.day == day)
    if call_group is not None:
        refused.append(call_count.c.call_group == call_group)
    forgotten = {"refused_after": None, "refused_at": None, "ask_again_at": None}
    connection.execute(update(call_count).where(*refused).values(**forgotten))


def begin_day(connection: Connection, call_group: str, counted_as: str, ended: str, began: str) -> None:
    """Let a day begin with the call that was counted last: the calls before it are of the day that has ended."""
    calls = find_locked(connection, counted_as, call_group).calls
    if calls:
        record(connection, counted_as, call_group, calls=0)
        add(connection, ended, call_group, calls - 1)
        add(connection, began, call_group, 1)


def of_day(connection: Connection, day: str, call_group: str) -> int:
    return connection.execute(_CALLS, {"of_day": day, "of_group": call_group}).scalar() or 0


def by_day(connection: Connection, since_day: str) -> list[DayOfCalls]:
    """Return the calls of each day and group since a day, in order."""
    return [DayOfCalls(*row) for row in connection.execute(_BY_DAY, {"since_day": since_day})]


def find_person_locked(connection: Connection, person_id: int, hour: datetime) -> int:
    """Return how many searches a person has made in an hour; no other transaction can change it until this one ends."""
    if insert_if_absent(connection, search_count, person_id=person_id, hour=hour, searches=0):
        connection.execute(delete(search_count).where(search_count.c.hour < hour - _PERSON_ROWS_KEPT))
    return int(connection.execute(_PERSON_LOCKED, {"of_person": person_id, "of_hour": hour}).scalar_one())


def record_person(connection: Connection, person_id: int, hour: datetime, searches: int) -> None:
    connection.execute(_ONE_PERSON, {"of_person": person_id, "of_hour": hour, "searches": searches})
