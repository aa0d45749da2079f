"""Store the cities and RC types as last returned, so that a refusal never empties the search form."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from sqlalchemy import JSON, Column, Connection, String, Table, delete, insert, select

from dashboard.domain.lookups import City, RcType
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

reference_list = Table(
    "reference_list",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("fetched_at", Moment, nullable=False),
    Column("rows", JSON, nullable=False),
)

CITIES, RC_TYPES = "cities", "rc_types"


def record(connection: Connection, name: str, rows: tuple[City, ...] | tuple[RcType, ...], at: datetime) -> None:
    """Replace the stored list `name`, which is CITIES or RC_TYPES."""
    connection.execute(delete(reference_list).where(reference_list.c.name == name))
    connection.execute(insert(reference_list).values(name=name, fetched_at=at, rows=[asdict(row) for row in rows]))


def cities(connection: Connection) -> tuple[tuple[City, ...], datetime | None]:
    """Return the cities and when they were fetched; () and None before the first time."""
    row = connection.execute(select(reference_list).where(reference_list.c.name == CITIES)).one_or_none()
    return (tuple(City(**item) for item in row.rows), row.fetched_at) if row else ((), None)


def rc_types(connection: Connection) -> tuple[tuple[RcType, ...], datetime | None]:
    """Return the RC types and when they were fetched; () and None before the first time."""
    row = connection.execute(select(reference_list).where(reference_list.c.name == RC_TYPES)).one_or_none()
    return (tuple(RcType(**item) for item in row.rows), row.fetched_at) if row else ((), None)
