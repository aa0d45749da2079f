"""Store who did what, when, from where, in which request.

Triggers of the database refuse every change and removal, but for two that are recorded as entries themselves: old
entries are deleted after the time that the settings state, and the traces of a forgotten driver are removed from texts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    delete,
    insert,
    select,
    update,
)

from dashboard.store.accounts.people import person
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

#: The greatest length of an object's name: an index of PostgreSQL takes no text of 3 KB.
MAX_SUBJECT = 300

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
Index("ix_audit_action_id", audit.c.action, audit.c.id)
Index("ix_audit_subject_id", audit.c.subject, audit.c.id)

#: A row allows the transaction that it stands in to delete entries before a time, or to change texts (None). It is gone
#: at the end of that transaction, so no other ever sees one.
audit_permit = Table(
    "audit_permit",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("deletes_before", Moment),
)


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


#: Every entry with the name of its person, as the fields of AuditEntry.
WITH_NAME = select(
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
    about = subject[:MAX_SUBJECT] if subject else subject
    values = {"action": action, "at": at, "person_id": person_id, "subject": about, "detail": dict(detail or {})}
    short = address[:45] if address else None
    connection.execute(_ENTRY, {**values, "address": short, "request_id": request_id})


def newest(connection: Connection, limit: int = 200) -> list[AuditEntry]:
    """Return the newest entries, newest first."""
    return [AuditEntry(*row) for row in connection.execute(WITH_NAME.order_by(audit.c.id.desc()).limit(limit))]


def last(connection: Connection, subject: str, actions: Collection[str], since: datetime) -> AuditEntry | None:
    """Return the newest entry of one of these actions on a subject, since a time."""
    query = WITH_NAME.where(audit.c.at >= since, audit.c.subject == subject, audit.c.action.in_(list(actions)))
    row = connection.execute(query.order_by(audit.c.id.desc()).limit(1)).one_or_none()
    return AuditEntry(*row) if row else None


def names_of_driver(connection: Connection, driver_id: int) -> set[str]:
    """Return the names that a driver has in the entries about them, earlier ones included."""
    about = (audit.c.subject == str(driver_id), audit.c.action.startswith("driver "))
    details = connection.execute(select(audit.c.detail).where(*about)).scalars()
    return {str(detail["name"]) for detail in details if detail.get("name")}


def older(connection: Connection, before: datetime, limit: int) -> list[int]:
    """Return the ids of the oldest entries before a time."""
    query = select(audit.c.id).where(audit.c.at < before).order_by(audit.c.at, audit.c.id).limit(limit)
    return list(connection.execute(query).scalars())


def delete_old(connection: Connection, entry_ids: Collection[int], before: datetime) -> int:
    """Delete entries, and return how many; the database refuses it for one that is not older than `before`."""
    with _permitted(connection, before):
        return connection.execute(delete(audit).where(audit.c.id.in_(list(entry_ids)))).rowcount


def rewrite(connection: Connection, entry_id: int, *, subject: str | None, detail: Mapping[str, Any]) -> None:
    """Replace the texts of an entry, from which the traces of a person were removed."""
    with _permitted(connection, None):
        connection.execute(update(audit).where(audit.c.id == entry_id).values(subject=subject, detail=dict(detail)))


@contextmanager
def _permitted(connection: Connection, deletes_before: datetime | None) -> Iterator[None]:
    connection.execute(insert(audit_permit).values(deletes_before=deletes_before))
    yield
    connection.execute(delete(audit_permit))
