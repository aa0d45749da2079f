"""Store sessions, so that they can be revoked: a signed cookie alone cannot be.

The cookie carries a random token; only its hash is stored, so that a copy of the database opens no session.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from hashlib import sha256

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    bindparam,
    delete,
    exists,
    func,
    insert,
    select,
    update,
)

from dashboard.store.accounts.people import person
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

#: Characters of why a session ended.
MAX_WHY = 20

session = Table(
    "session",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("token_hash", String(64), nullable=False, unique=True),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("last_used_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("why", String(MAX_WHY)),
    Column("address", String(45), nullable=False),
    Column("user_agent", String(200), nullable=False),
)
Index("ix_session_person_id", session.c.person_id)
Index("ix_session_person_id_last_used_at", session.c.person_id, session.c.last_used_at)


@dataclass(frozen=True, slots=True)
class StoredSession:
    """A session, whether it lives or not. `ended_at` is set by a sign-out or a revocation, and not by the clock."""

    id: int
    person_id: int
    created_at: datetime
    last_used_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class PlaceOfSession:
    """Say where a session that has not ended was started, and when it was last used."""

    id: int
    created_at: datetime
    last_used_at: datetime
    address: str
    user_agent: str


_COLUMNS = [session.c[each.name] for each in fields(StoredSession)]
_OF_TOKEN = select(*_COLUMNS).where(session.c.token_hash == bindparam("token_hash"))


def start(connection: Connection, person_id: int, at: datetime, *, address: str, user_agent: str) -> str:
    """Start a session and return its token, which is stored nowhere."""
    token = secrets.token_urlsafe(32)
    values = {"token_hash": _hash(token), "person_id": person_id, "created_at": at, "last_used_at": at}
    connection.execute(insert(session).values(**values, address=address[:45], user_agent=user_agent[:200]))
    return token


def find(connection: Connection, token: str) -> StoredSession | None:
    """Return the session of a token, whether it has ended or not."""
    row = connection.execute(_OF_TOKEN, {"token_hash": _hash(token)}).one_or_none()
    return StoredSession(*row) if row else None


def addresses_of(connection: Connection, person_id: int) -> set[str]:
    """Return the addresses from which a person has signed in of late."""
    newest = select(session.c.address).where(session.c.person_id == person_id).order_by(session.c.id.desc()).limit(200)
    return set(connection.execute(newest).scalars())


# By the index, person by person: ended sessions stay stored, so there are many more of them than people.
_NEWEST_USE = select(func.max(session.c.last_used_at)).where(session.c.person_id == person.c.id).scalar_subquery()
_LAST_USED = select(person.c.id, _NEWEST_USE.label("last_used_at"))


def last_used(connection: Connection) -> dict[int, datetime]:
    """Return when each person who has ever signed in was last here."""
    return {row.id: row.last_used_at for row in connection.execute(_LAST_USED) if row.last_used_at}


_ALIVE = (
    select(*(session.c[each.name] for each in fields(PlaceOfSession)))
    .where(
        session.c.person_id == bindparam("person_id"),
        session.c.ended_at.is_(None),
        session.c.last_used_at > bindparam("used_since"),
        session.c.created_at > bindparam("created_since"),
    )
    .order_by(session.c.last_used_at.desc(), session.c.id.desc())
    .limit(100)
)


def alive(
    connection: Connection, person_id: int, used_since: datetime, created_since: datetime
) -> Sequence[PlaceOfSession]:
    """Return the sessions of a person that live, latest use first."""
    values = {"person_id": person_id, "used_since": used_since, "created_since": created_since}
    return [PlaceOfSession(*row) for row in connection.execute(_ALIVE, values)]


def touch(connection: Connection, session_id: int, at: datetime) -> None:
    """Record that the session was used; never moves the time back, and never revives an ended session."""
    alive = (session.c.id == session_id) & session.c.ended_at.is_(None) & (session.c.last_used_at < at)
    connection.execute(update(session).where(alive).values(last_used_at=at))


def end(connection: Connection, session_id: int, at: datetime, why: str) -> None:
    """End a session, unless it has ended."""
    alive = (session.c.id == session_id) & session.c.ended_at.is_(None)
    connection.execute(update(session).where(alive).values(ended_at=at, why=why))


def end_all(connection: Connection, person_id: int, at: datetime, why: str, *, but: int | None = None) -> None:
    """End every session of a person, `but` the one of this id."""
    alive = (session.c.person_id == person_id) & session.c.ended_at.is_(None)
    if but is not None:
        alive &= session.c.id != but
    connection.execute(update(session).where(alive).values(ended_at=at, why=why))


def old(connection: Connection, used_before: datetime, limit: int) -> list[int]:
    """Return sessions that were last used before a time; the newest of each person says when they were last here."""
    later = session.alias()
    has_later = exists().where(later.c.person_id == session.c.person_id, later.c.id > session.c.id)
    query = select(session.c.id).where(session.c.last_used_at < used_before, has_later)
    return list(connection.execute(query.order_by(session.c.id).limit(limit)).scalars())


def delete_all(connection: Connection, session_ids: Sequence[int]) -> None:
    """Delete sessions."""
    connection.execute(delete(session).where(session.c.id.in_(session_ids)))


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()
