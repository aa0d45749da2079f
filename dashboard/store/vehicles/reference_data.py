"""The lookup lists of the service, kept as last answered, so that a refusal never empties a form."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import JSON, Column, Connection, String, Table, delete, insert, select

from dashboard.domain.lookups import City, RcType
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

lookup = Table(
    "lookup",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("fetched_at", Moment, nullable=False),
    Column("rows", JSON, nullable=False),
)

CITIES, RC_TYPES = "cities", "rc_types"


def record(connection: Connection, name: str, rows: tuple[City, ...] | tuple[RcType, ...], at: datetime) -> None:
    connection.execute(delete(lookup).where(lookup.c.name == name))
    connection.execute(insert(lookup).values(name=name, fetched_at=at, rows=[asdict(row) for row in rows]))


def cities(connection: Connection) -> tuple[tuple[City, ...], datetime | None]:
    """The cities, and when they were fetched; nothing and None before the first time."""
    row = connection.execute(select(lookup).where(lookup.c.name == CITIES)).one_or_none()
    return (tuple(City(**item) for item in row.rows), row.fetched_at) if row else ((), None)


def rc_types(connection: Connection) -> tuple[tuple[RcType, ...], datetime | None]:
    """The RC types, and when they were fetched; nothing and None before the first time."""
    row = connection.execute(select(lookup).where(lookup.c.name == RC_TYPES)).one_or_none()
    return (tuple(RcType(**item) for item in row.rows), row.fetched_at) if row else ((), None)
