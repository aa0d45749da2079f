"""Store second factors: the encrypted secrets of authenticator apps, recovery codes, for whom one is required, and the
steps between a right password and a session.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from dashboard.domain.roles import Role
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

second_factor = Table(
    "second_factor",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True, autoincrement=False),
    # Encrypted; NULL until the first code of the app was right.
    Column("secret", Text),
    # The encrypted secret of an app that is being set up.
    Column("pending", Text),
    # The latest period of 30 s whose code was used: none works twice.
    Column("last_period", Integer, nullable=False),
    Column("enabled_at", Moment),
)
recovery_code = Table(
    "recovery_code",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("code_hash", String(64), nullable=False),
    Column("used_at", Moment),
)
Index("ix_recovery_code_person_id", recovery_code.c.person_id)
required_role = Table("second_factor_role", metadata, Column("role", String(10), primary_key=True))
second_step = Table(
    "second_step",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("created_at", Moment, nullable=False),
)

#: Between the right password and the code.
STEP_LASTS = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class SecondFactor:
    """The app of a person; without `secret` it is still to be set up."""

    person_id: int
    secret: str | None
    pending: str | None
    last_period: int
    enabled_at: datetime | None


_COLUMNS = [second_factor.c[each.name] for each in fields(SecondFactor)]
_OF_PERSON = select(*_COLUMNS).where(second_factor.c.person_id == bindparam("person_id"))
_ENABLED = select(second_factor.c.person_id, second_factor.c.enabled_at).where(second_factor.c.secret.is_not(None))


def find(connection: Connection, person_id: int, *, lock: bool = False) -> SecondFactor | None:
    """Return the second factor of a person; locked, if asked, until the transaction ends."""
    query = _OF_PERSON.with_for_update() if lock else _OF_PERSON
    row = connection.execute(query, {"person_id": person_id}).one_or_none()
    return SecondFactor(*row) if row else None


def enabled(connection: Connection) -> dict[int, datetime]:
    """Return since when everybody who has a second factor has it."""
    return {row.person_id: row.enabled_at for row in connection.execute(_ENABLED)}


def begin(connection: Connection, person_id: int, pending: str) -> None:
    """Store the secret of an app that is being set up, in place of one that was not confirmed."""
    if find(connection, person_id, lock=True) is None:
        connection.execute(insert(second_factor).values(person_id=person_id, pending=pending, last_period=0))
    else:
        _change(connection, person_id, pending=pending)


def enable(connection: Connection, person_id: int, secret: str, period: int, at: datetime) -> None:
    """Let the app that was set up count from now on."""
    _change(connection, person_id, secret=secret, pending=None, last_period=period, enabled_at=at)


def use_period(connection: Connection, person_id: int, period: int) -> None:
    """Record that the code of a period was used."""
    _change(connection, person_id, last_period=period)


def remove(connection: Connection, person_id: int) -> None:
    """Delete the second factor of a person and its recovery codes."""
    connection.execute(delete(recovery_code).where(recovery_code.c.person_id == person_id))
    connection.execute(delete(second_factor).where(second_factor.c.person_id == person_id))


def _change(connection: Connection, person_id: int, **values: str | int | datetime | None) -> None:
    connection.execute(update(second_factor).where(second_factor.c.person_id == person_id).values(**values))


# Recovery codes


def replace_codes(connection: Connection, person_id: int, codes: Iterable[str]) -> None:
    """Store the hashes of new recovery codes; the old ones work no longer."""
    connection.execute(delete(recovery_code).where(recovery_code.c.person_id == person_id))
    rows = [{"person_id": person_id, "code_hash": _hash(code)} for code in codes]
    connection.execute(insert(recovery_code), rows)


def use_code(connection: Connection, person_id: int, code: str, at: datetime) -> bool:
    """Use a recovery code up; False when it is none of this person's, or was used."""
    unused = (recovery_code.c.person_id == person_id) & recovery_code.c.used_at.is_(None)
    query = update(recovery_code).where(unused, recovery_code.c.code_hash == _hash(code)).values(used_at=at)
    return connection.execute(query.returning(recovery_code.c.id)).first() is not None


def codes_left(connection: Connection, person_id: int) -> int:
    unused = (recovery_code.c.person_id == person_id) & recovery_code.c.used_at.is_(None)
    return connection.execute(select(func.count()).select_from(recovery_code).where(unused)).scalar_one()


# For whom one is required


def required_roles(connection: Connection) -> frozenset[Role]:
    """Return the roles whose people need a second factor."""
    return frozenset(Role(role) for role in connection.execute(select(required_role.c.role)).scalars())


def require(connection: Connection, roles: Collection[Role]) -> None:
    """Require a second factor of the people of these roles, and of no others."""
    connection.execute(delete(required_role))
    if roles:
        connection.execute(insert(required_role), [{"role": str(role)} for role in sorted(roles)])


# Steps of a sign-in


def start_step(connection: Connection, person_id: int, at: datetime) -> str:
    """Start the step after a right password, and return its token, which is stored nowhere."""
    connection.execute(delete(second_step).where(second_step.c.created_at < at - STEP_LASTS))
    token = secrets.token_urlsafe(32)
    connection.execute(insert(second_step).values(token_hash=_hash(token), person_id=person_id, created_at=at))
    return token


def find_step(connection: Connection, token: str, now: datetime) -> int | None:
    """Return the id of the person whose password was right, unless that was too long ago."""
    query = select(second_step.c.person_id).where(
        second_step.c.token_hash == _hash(token), second_step.c.created_at >= now - STEP_LASTS
    )
    return connection.execute(query).scalar_one_or_none()


def end_step(connection: Connection, token: str) -> bool:
    """End a step; False when it was ended before."""
    query = delete(second_step).where(second_step.c.token_hash == _hash(token))
    return connection.execute(query.returning(second_step.c.person_id)).one_or_none() is not None


def end_steps(connection: Connection, person_id: int) -> None:
    """End the steps of a person, whose password may be another one now."""
    connection.execute(delete(second_step).where(second_step.c.person_id == person_id))


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()
