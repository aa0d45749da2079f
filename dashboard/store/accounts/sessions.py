"""Sessions, kept here so that they can be revoked: a signed cookie alone cannot be.

The cookie carries a random token; only its hash is stored, so that a copy of the database opens no session.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Index, Integer, Row, String, Table, insert, select, update

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

sign_in = Table(
    "sign_in",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("last_used_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("why", String(20)),
    Column("address", String(45), nullable=False),
    Column("user_agent", String(200), nullable=False),
)
Index("ix_sign_in_person_id", sign_in.c.person_id)


def start(connection: Connection, person_id: int, at: datetime, *, address: str, user_agent: str) -> str:
    """A new session; returns its token, which is stored nowhere."""
    token = secrets.token_urlsafe(32)
    values = {"token_hash": _hash(token), "person_id": person_id, "created_at": at, "last_used_at": at}
    connection.execute(insert(sign_in).values(**values, address=address[:45], user_agent=user_agent[:200]))
    return token


def find(connection: Connection, token: str) -> Row[Any] | None:
    """The session of a token, whether it has ended or not."""
    return connection.execute(select(sign_in).where(sign_in.c.token_hash == _hash(token))).one_or_none()


def touch(connection: Connection, sign_in_id: int, at: datetime) -> None:
    """Note that the session is used; never takes the moment back, and never revives an ended one."""
    alive = (sign_in.c.id == sign_in_id) & sign_in.c.ended_at.is_(None) & (sign_in.c.last_used_at < at)
    connection.execute(update(sign_in).where(alive).values(last_used_at=at))


def end(connection: Connection, sign_in_id: int, at: datetime, why: str) -> None:
    alive = (sign_in.c.id == sign_in_id) & sign_in.c.ended_at.is_(None)
    connection.execute(update(sign_in).where(alive).values(ended_at=at, why=why))


def end_all_of(connection: Connection, person_id: int, at: datetime, why: str, *, but: int | None = None) -> None:
    """End every session of a person, but perhaps the one that asked for it."""
    alive = (sign_in.c.person_id == person_id) & sign_in.c.ended_at.is_(None)
    if but is not None:
        alive &= sign_in.c.id != but
    connection.execute(update(sign_in).where(alive).values(ended_at=at, why=why))


def open_of(connection: Connection, person_id: int) -> Sequence[Row[Any]]:
    """Sessions that nobody ended, newest use first; some of them may have run out by the clock."""
    alive = (sign_in.c.person_id == person_id) & sign_in.c.ended_at.is_(None)
    return connection.execute(select(sign_in).where(alive).order_by(sign_in.c.last_used_at.desc())).all()


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
