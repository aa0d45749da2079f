"""Store the fields of forms whose session had expired, for two hours at most."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Integer,
    Row,
    String,
    Table,
    delete,
    func,
    insert,
    or_,
    select,
)

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

saved_form = Table(
    "saved_form",
    metadata,
    Column("key", String(43), primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id")),
    Column("endpoint", String(100), nullable=False),
    Column("view_args", JSON, nullable=False),
    Column("fields", JSON, nullable=False),
    Column("created_at", Moment, nullable=False),
)

EXPIRES_AFTER = timedelta(hours=2)
#: Of unknown senders only so many forms are stored, so that a stranger cannot fill the disk.
_MOST_FROM_STRANGERS = 50


@dataclass(frozen=True, slots=True)
class SavedForm:
    """A form that was sent, and not acted on. `view_args` are the arguments of its address, as text."""

    key: str
    endpoint: str
    view_args: dict[str, str]
    fields: tuple[tuple[str, str], ...]

    def first(self, name: str) -> str | None:
        """Return the first value of a field."""
        return next(iter(self.all(name)), None)

    def all(self, name: str) -> list[str]:
        """Return every value of a field."""
        return [value for each, value in self.fields if each == name]


def save(
    connection: Connection,
    at: datetime,
    *,
    person_id: int | None,
    endpoint: str,
    view_args: Mapping[str, str],
    fields: Sequence[tuple[str, str]],
) -> str:
    """Store a form; returns the key under which `find` and `take` return it."""
    _make_room(connection, at)
    key = secrets.token_urlsafe(32)
    values = {"key": key, "person_id": person_id, "endpoint": endpoint, "created_at": at}
    pairs = [list(pair) for pair in fields]
    connection.execute(insert(saved_form).values(**values, view_args=dict(view_args), fields=pairs))
    return key


def take(connection: Connection, key: str, person_id: int, at: datetime) -> SavedForm | None:
    """Delete the form of a key, and return it to the person who sent it; to anybody if the sender is unknown."""
    of_person = or_(saved_form.c.person_id.is_(None), saved_form.c.person_id == person_id)
    query = delete(saved_form).where(saved_form.c.key == key, of_person).returning(saved_form)
    return _for_person(connection.execute(query).one_or_none(), person_id, at)


def find(connection: Connection, key: str, person_id: int, at: datetime) -> SavedForm | None:
    """Return what `take` would return, and leave it stored."""
    query = select(saved_form).where(saved_form.c.key == key)
    return _for_person(connection.execute(query).one_or_none(), person_id, at)


def _for_person(row: Row[Any] | None, person_id: int, at: datetime) -> SavedForm | None:
    if row is None or row.created_at < at - EXPIRES_AFTER or row.person_id not in (None, person_id):
        return None
    return SavedForm(row.key, row.endpoint, dict(row.view_args), tuple((name, value) for name, value in row.fields))


def _make_room(connection: Connection, at: datetime) -> None:
    connection.execute(delete(saved_form).where(saved_form.c.created_at < at - EXPIRES_AFTER))
    strangers = saved_form.c.person_id.is_(None)
    count = connection.execute(select(func.count()).select_from(saved_form).where(strangers)).scalar_one()
    if count >= _MOST_FROM_STRANGERS:
        newest = select(saved_form.c.key).where(strangers).order_by(saved_form.c.created_at.desc())
        keys = list(connection.execute(newest.limit(_MOST_FROM_STRANGERS - 1)).scalars())
        connection.execute(delete(saved_form).where(strangers, saved_form.c.key.not_in(keys)))


def expired(connection: Connection, at: datetime, limit: int) -> list[str]:
    """Return the keys of forms that nobody came back for."""
    query = select(saved_form.c.key).where(saved_form.c.created_at < at - EXPIRES_AFTER)
    return list(connection.execute(query.limit(limit)).scalars())


def delete_all(connection: Connection, keys: Sequence[str]) -> None:
    """Delete forms."""
    connection.execute(delete(saved_form).where(saved_form.c.key.in_(keys)))
