"""Store invitations: one-time links by which a person sets a password. Only the hash of a link's token is stored."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    delete,
    insert,
    select,
    update,
)

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

invitation = Table(
    "invitation",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("expires_at", Moment, nullable=False),
    # When it was used, or a newer one or an administrator took its place.
    Column("ended_at", Moment),
)
Index("ix_invitation_person_id", invitation.c.person_id)

VALID_FOR = timedelta(hours=72)


@dataclass(frozen=True, slots=True)
class Invitation:
    id: int
    person_id: int
    expires_at: datetime


_COLUMNS = [invitation.c[each.name] for each in fields(Invitation)]


def start(connection: Connection, person_id: int, at: datetime) -> str:
    """End the person's open invitations, start one and return its token, which is stored nowhere."""
    end_all(connection, person_id, at)
    token = secrets.token_urlsafe(32)
    values = {"token_hash": _hash(token), "person_id": person_id, "created_at": at, "expires_at": at + VALID_FOR}
    connection.execute(insert(invitation).values(**values))
    return token


def find(connection: Connection, token: str, now: datetime) -> Invitation | None:
    """Return the invitation of a token, unless it was used, has expired, or another one took its place."""
    query = select(*_COLUMNS).where(invitation.c.token_hash == _hash(token), *_open(now))
    row = connection.execute(query).one_or_none()
    return Invitation(*row) if row else None


def use(connection: Connection, invitation_id: int, now: datetime) -> bool:
    """End an invitation; False when it was ended before, by another click or by an administrator."""
    query = update(invitation).where(invitation.c.id == invitation_id, *_open(now)).values(ended_at=now)
    return connection.execute(query.returning(invitation.c.id)).one_or_none() is not None


def end_all(connection: Connection, person_id: int, at: datetime) -> None:
    """End the open invitations of a person."""
    query = update(invitation).where(invitation.c.person_id == person_id, invitation.c.ended_at.is_(None))
    connection.execute(query.values(ended_at=at))


def open_until(connection: Connection, now: datetime) -> dict[int, datetime]:
    """Return until when the open invitation of each person who has one is valid."""
    query = select(invitation.c.person_id, invitation.c.expires_at).where(*_open(now))
    return {row.person_id: row.expires_at for row in connection.execute(query)}


def _open(now: datetime) -> tuple[ColumnElement[bool], ...]:
    return invitation.c.ended_at.is_(None), invitation.c.expires_at > now


def _hash(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def old(connection: Connection, expired_before: datetime, limit: int) -> list[int]:
    """Return invitations that expired before a time."""
    query = select(invitation.c.id).where(invitation.c.expires_at < expired_before)
    return list(connection.execute(query.order_by(invitation.c.id).limit(limit)).scalars())


def delete_all(connection: Connection, invitation_ids: Sequence[int]) -> None:
    """Delete invitations."""
    connection.execute(delete(invitation).where(invitation.c.id.in_(invitation_ids)))
