"""Store when the database was restored from a backup: what is older may lack links and requests."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Connection, Integer, Table, func, insert, select

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

restoration = Table(
    "restoration",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Moment, nullable=False),
)


def record(connection: Connection, at: datetime) -> None:
    """Record that the database was restored."""
    connection.execute(insert(restoration).values(at=at))


def latest(connection: Connection) -> datetime | None:
    """Return when the database was last restored; None when it never was."""
    return connection.execute(select(func.max(restoration.c.at))).scalar()
