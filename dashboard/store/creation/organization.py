"""Store the one organization that this store serves, learned from its first link."""

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

_KNOWN = select(organization)


def find(connection: Connection) -> Organization | None:
    """Return the organization, or None before the first link."""
    row = connection.execute(_KNOWN).first()
    return Organization(row.id, row.name) if row else None


def learn(connection: Connection, returned: Organization, at: datetime) -> bool:
    """Store the organization of a returned link if it is the first; False when the store belongs to another one."""
    known = find(connection) or _find_locked(connection)
    if known is None:
        connection.execute(insert(organization).values(id=returned.id, name=returned.name, learned_at=at))
        return True
    return known.id == returned.id


def _find_locked(connection: Connection) -> Organization | None:
    """Read again under a lock: of two organizations learned at the same moment only one is the first."""
    if connection.dialect.name == "postgresql":  # On SQLite writers take turns anyway.
        connection.execute(text("LOCK TABLE organization IN SHARE ROW EXCLUSIVE MODE"))
    return find(connection)
