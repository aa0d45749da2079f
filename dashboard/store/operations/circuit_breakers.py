"""How the latest calls of each group came out, shared by all processes. A group that never failed has no row."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Connection, Integer, Row, String, Table, select, update

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

breaker = Table(
    "breaker",
    metadata,
    Column("call_group", String(10), primary_key=True),
    Column("failures", Integer, nullable=False),  # In a row.
    Column("failing_since", Moment),  # The first of them.
    Column("recent", JSON, nullable=False),  # The latest calls, oldest first: [seconds since 1970, whether it failed].
    Column("cause", String(40)),  # The class of the last failure.
    Column("opened_at", Moment),  # Open since then; while it is None calls are made.
    Column("until", Moment),  # When one call may try.
)

_CLOSED: dict[str, Any] = {"failing_since": None, "recent": [], "cause": None, "opened_at": None, "until": None}


def everything(connection: Connection) -> dict[str, Row[Any]]:
    return {row.call_group: row for row in connection.execute(select(breaker))}


def find_locked(connection: Connection, call_group: str) -> Row[Any]:
    """The row of a group, entered when there is none, and nobody else's to change until this transaction ends."""
    insert_if_absent(connection, breaker, call_group=call_group, failures=0, **_CLOSED)
    return connection.execute(select(breaker).where(breaker.c.call_group == call_group).with_for_update()).one()


def record(connection: Connection, call_group: str, **values: Any) -> None:
    connection.execute(update(breaker).where(breaker.c.call_group == call_group).values(**values))


def close(connection: Connection, call_group: str, failures: int = 0) -> None:
    """Let calls be made again; `failures` are held against the group still, so that few more open it."""
    record(connection, call_group, failures=failures, **_CLOSED)


def take_try(connection: Connection, call_group: str, now: datetime, until: datetime) -> bool:
    """Let one caller try once the time is up, by moving the time ahead; False for everybody else."""
    one = update(breaker).where(breaker.c.call_group == call_group, breaker.c.until <= now)
    return connection.execute(one.values(until=until).returning(breaker.c.call_group)).first() is not None
