"""Who did what, when, from where, in which request. Append-only: nothing here changes or removes a row."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Connection, ForeignKey, Index, Integer, Row, String, Table, Text, insert, select

from dashboard.store.accounts.people import person
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

audit = Table(
    "audit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Moment, nullable=False),
    Column("person_id", Integer, ForeignKey("person.id")),
    Column("address", String(45)),
    Column("request_id", String(32)),
    Column("action", String(40), nullable=False),
    Column("subject", Text),
    Column("detail", JSON, nullable=False),
)
Index("ix_audit_at", audit.c.at)
Index("ix_audit_person_id", audit.c.person_id)


def record(
    connection: Connection,
    action: str,
    at: datetime,
    *,
    person_id: int | None = None,
    subject: str | None = None,
    address: str | None = None,
    request_id: str | None = None,
    detail: Mapping[str, Any] | None = None,
) -> None:
    values = {"action": action, "at": at, "person_id": person_id, "subject": subject, "detail": dict(detail or {})}
    short = address[:45] if address else None
    connection.execute(insert(audit).values(**values, address=short, request_id=request_id))


def newest(connection: Connection, limit: int = 200, before: int | None = None) -> Sequence[Row[Any]]:
    """Rows with the person's name, newest first, from below the id `before`."""
    query = select(audit, person.c.name).outerjoin(person, audit.c.person_id == person.c.id)
    if before is not None:
        query = query.where(audit.c.id < before)
    return connection.execute(query.order_by(audit.c.id.desc()).limit(limit)).all()


def last(connection: Connection, subject: str, actions: Collection[str], since: datetime) -> Row[Any] | None:
    """The newest row of one of these actions on a subject since a moment, with the person's name."""
    query = select(audit, person.c.name).outerjoin(person, audit.c.person_id == person.c.id)
    query = query.where(audit.c.at >= since, audit.c.subject == subject, audit.c.action.in_(list(actions)))
    return connection.execute(query.order_by(audit.c.id.desc()).limit(1)).one_or_none()
