"""What the service refused and until when we leave it alone; shared by all processes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, Integer, Row, String, Table, delete, select, update

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

latch = Table(
    "latch",
    metadata,
    Column("scope", String(40), primary_key=True),
    Column("since", Moment, nullable=False),
    Column("until", Moment, nullable=False),
    Column("tries", Integer, nullable=False),
    Column("fingerprint", String(64)),
)


def find(connection: Connection, scope: str) -> Row[Any] | None:
    return connection.execute(select(latch).where(latch.c.scope == scope)).one_or_none()


def everything(connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(select(latch)).all()


def close(connection: Connection, scope: str, at: datetime, until: datetime, fingerprint: str | None = None) -> None:
    """Note a refusal: the first one keeps its time, each further one counts."""
    values = {"since": at, "until": until, "tries": 1, "fingerprint": fingerprint}
    if insert_if_absent(connection, latch, scope=scope, **values):
        return
    closed = update(latch).where(latch.c.scope == scope)
    again = closed.where(latch.c.fingerprint.is_not_distinct_from(fingerprint))
    counted = again.values(until=until, tries=latch.c.tries + 1).returning(latch.c.scope)
    if connection.execute(counted).first() is None:  # It was another key that was refused before.
        connection.execute(closed.values(**values))


def take_try(connection: Connection, scope: str, now: datetime, until: datetime) -> bool:
    """Let one caller try again once the time is up, by moving the time ahead; False for everybody else."""
    one = update(latch).where(latch.c.scope == scope, latch.c.until <= now)
    return connection.execute(one.values(until=until).returning(latch.c.scope)).first() is not None


def reopen(connection: Connection, scope: str) -> None:
    connection.execute(delete(latch).where(latch.c.scope == scope))
