"""Store the people who may sign in. Nobody is deleted, because ledger and audit log name them: they are disabled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    Index,
    Integer,
    Row,
    String,
    Table,
    Text,
    bindparam,
    insert,
    or_,
    select,
    text,
    update,
)

from dashboard.domain.people import MAX_EMAIL, MAX_NAME, MAX_SUBJECT
from dashboard.domain.roles import Role
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

person = Table(
    "person",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("email", String(MAX_EMAIL), nullable=False),
    # The address as it is compared: see `key_of`.
    Column("email_key", String(MAX_EMAIL), nullable=False, unique=True),
    Column("name", String(MAX_NAME), nullable=False),
    Column("role", String(10), nullable=False),
    # Empty until the person has used an invitation to set one.
    Column("password_hash", Text, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("disabled_at", Moment),
    # When the person switched the keys of the pages off; NULL while they work.
    Column("keys_off_at", Moment),
    # The code of the language that the person has chosen; NULL for that of the browser.
    Column("language", String(10)),
    # Whom the identity provider means, as "issuer subject"; NULL for whoever signs in with a password alone.
    Column("oidc_subject", String(MAX_SUBJECT)),
)
Index("uq_person_oidc_subject", person.c.oidc_subject, unique=True)

#: The key of an advisory lock in PostgreSQL; nothing else in this database uses it.
_LOCK = 0xAC7


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may sign in, unless `disabled_at` is set. `password_hash` is an argon2 hash."""

    id: int
    email: str
    name: str
    role: Role
    created_at: datetime
    disabled_at: datetime | None
    keys_off_at: datetime | None
    language: str | None
    oidc_subject: str | None = field(repr=False)
    password_hash: str = field(repr=False)

    @property
    def can_sign_in(self) -> bool:
        """Tell whether there is any way for the person to sign in."""
        return self.disabled_at is None and (self.has_password or self.oidc_subject is not None)

    @property
    def has_password(self) -> bool:
        """Tell whether the person has set a password; whoever was invited has none before."""
        return bool(self.password_hash)


_BY_ID = select(person).where(person.c.id == bindparam("person_id"))
_EVERYBODY = select(person).order_by(person.c.name, person.c.id)
_CAN_ENTER = or_(person.c.password_hash != "", person.c.oidc_subject.is_not(None))
_ADMINISTRATORS = select(person.c.id).where(person.c.role == Role.ADMIN, person.c.disabled_at.is_(None), _CAN_ENTER)
_LOCKING = text("SELECT pg_advisory_xact_lock(:key)")


def key_of(email: str) -> str:
    """Return an email address as it is compared: capitals do not matter."""
    return email.strip().casefold()


def add(
    connection: Connection, *, email: str, name: str, role: Role, password_hash: str, created_at: datetime
) -> Person | None:
    """Store a person and return them; None when the email address is taken."""
    lock(connection)
    if find_by_email(connection, email) is not None:
        return None
    values = {"email": email.strip(), "email_key": key_of(email), "name": name, "role": role}
    query = insert(person).values(**values, password_hash=password_hash, created_at=created_at).returning(person)
    return _person(connection.execute(query).one())


def find(connection: Connection, person_id: int) -> Person | None:
    row = connection.execute(_BY_ID, {"person_id": person_id}).one_or_none()
    return _person(row) if row else None


def find_by_email(connection: Connection, email: str) -> Person | None:
    row = connection.execute(select(person).where(person.c.email_key == key_of(email))).one_or_none()
    return _person(row) if row else None


def find_by_subject(connection: Connection, subject: str) -> Person | None:
    """Return whom the identity provider means by this issuer and subject."""
    row = connection.execute(select(person).where(person.c.oidc_subject == subject)).one_or_none()
    return _person(row) if row else None


def everybody(connection: Connection) -> Sequence[Person]:
    return [_person(row) for row in connection.execute(_EVERYBODY)]


def lock(connection: Connection) -> None:
    """Let nobody else add people or change who administers until the transaction ends.

    Locking rows would not do: of people who are being added there are none yet.
    """
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time anyway.
        connection.execute(_LOCKING, {"key": _LOCK})


def administrators(connection: Connection) -> Sequence[int]:
    """Return the ids of the administrators who can sign in."""
    return connection.execute(_ADMINISTRATORS).scalars().all()


def change(connection: Connection, person_id: int, **values: str | datetime | None) -> None:
    """Set `role`, `password_hash`, `disabled_at`, `keys_off_at`, `language` or `oidc_subject`."""
    connection.execute(update(person).where(person.c.id == person_id).values(**values))


def _person(row: Row[Any]) -> Person:
    return Person(
        id=row.id,
        email=row.email,
        name=row.name,
        role=Role(row.role),
        created_at=row.created_at,
        disabled_at=row.disabled_at,
        keys_off_at=row.keys_off_at,
        language=row.language,
        oidc_subject=row.oidc_subject,
        password_hash=row.password_hash,
    )
