"""The one organization that this store serves, learned from its first link."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Connection, String, Table, Text, insert, select, text

from dashboard.domain.links import Organization
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

organization = Table(
    "organization",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("name", Text, nullable=False),
    Column("learned_at", Moment, nullable=False),
)


def find(connection: Connection) -> Organization | None:
    row = connection.execute(select(organization)).first()
    return Organization(row.id, row.name) if row else None


def learn(connection: Connection, seen: Organization, at: datetime) -> bool:
    """Remember the organization if it is the first; False when the store belongs to another one."""
    known = find(connection) or _find_alone(connection)
    if known is None:
        connection.execute(insert(organization).values(id=seen.id, name=seen.name, learned_at=at))
        return True
    return known.id == seen.id


def _find_alone(connection: Connection) -> Organization | None:
    """Look again once nobody else can learn one: of two organizations at the same moment only one is the first."""
    if connection.dialect.name == "postgresql":  # On SQLite writers take turns anyway.
        connection.execute(text("LOCK TABLE organization IN SHARE ROW EXCLUSIVE MODE"))
    return find(connection)
