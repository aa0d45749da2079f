"""Store who did what, when, from where, in which request. Nothing here changes or removes a row."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Connection, ForeignKey, Index, Integer, String, Table, Text, insert, select

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


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """An action of a person, by id and name, or of nobody who is known. `detail` is what the action adds."""

    id: int
    at: datetime
    person_id: int | None
    name: str | None
    address: str | None
    request_id: str | None
    action: str
    subject: str | None
    detail: dict[str, Any]


_WITH_NAME = select(
    *(person.c.name if each.name == "name" else audit.c[each.name] for each in fields(AuditEntry))
).outerjoin_from(audit, person, audit.c.person_id == person.c.id)

_ENTRY = insert(audit)


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
    """Append an entry."""
    values = {"action": action, "at": at, "person_id": person_id, "subject": subject, "detail": dict(detail or {})}
    short = address[:45] if address else None
    connection.execute(_ENTRY, {**values, "address": short, "request_id": request_id})


def newest(connection: Connection, limit: int = 200) -> list[AuditEntry]:
    """Return the newest entries, newest first."""
    return [AuditEntry(*row) for row in connection.execute(_WITH_NAME.order_by(audit.c.id.desc()).limit(limit))]


def last(connection: Connection, subject: str, actions: Collection[str], since: datetime) -> AuditEntry | None:
    """Return the newest entry of one of these actions on a subject, since a time."""
    query = _WITH_NAME.where(audit.c.at >= since, audit.c.subject == subject, audit.c.action.in_(list(actions)))
    row = connection.execute(query.order_by(audit.c.id.desc()).limit(1)).one_or_none()
    return AuditEntry(*row) if row else None
