"""The fields of forms that were sent with an ended session, kept until their person has signed in again."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
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
    Text,
    delete,
    func,
    insert,
    select,
)

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

kept_post = Table(
    "kept_post",
    metadata,
    Column("key", String(43), primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id")),
    Column("path", Text, nullable=False),
    Column("endpoint", String(100), nullable=False),
    Column("view_args", JSON, nullable=False),
    Column("fields", JSON, nullable=False),
    Column("created_at", Moment, nullable=False),
)

KEPT_FOR = timedelta(hours=2)
#: Of senders who were never signed in only so many are kept: a stranger cannot fill the disk.
_MOST_FROM_STRANGERS = 50


@dataclass(frozen=True, slots=True)
class SavedForm:
    person_id: int | None
    path: str
    endpoint: str
    view_args: dict[str, Any]
    fields: list[tuple[str, str]]


def keep(
    connection: Connection,
    at: datetime,
    *,
    person_id: int | None,
    path: str,
    endpoint: str,
    view_args: dict[str, Any],
    fields: Sequence[tuple[str, str]],
) -> str:
    """Returns the key under which `take` finds it once."""
    _make_room(connection, at)
    key = secrets.token_urlsafe(32)
    values = {"key": key, "person_id": person_id, "path": path, "endpoint": endpoint, "created_at": at}
    pairs = [list(pair) for pair in fields]
    connection.execute(insert(kept_post).values(**values, view_args=view_args, fields=pairs))
    return key


def take(connection: Connection, key: str, person_id: int, at: datetime) -> SavedForm | None:
    """What was kept under the key, once, and only for the person who sent it, if that is known."""
    query = delete(kept_post).where(kept_post.c.key == key).returning(kept_post)
    return _for_person(connection.execute(query).one_or_none(), person_id, at)


def find(connection: Connection, key: str, person_id: int, at: datetime) -> SavedForm | None:
    """The same, and it stays."""
    query = select(kept_post).where(kept_post.c.key == key)
    return _for_person(connection.execute(query).one_or_none(), person_id, at)


def _for_person(row: Row[Any] | None, person_id: int, at: datetime) -> SavedForm | None:
    if row is None or row.created_at < at - KEPT_FOR or row.person_id not in (None, person_id):
        return None
    fields = [(name, value) for name, value in row.fields]
    return SavedForm(row.person_id, row.path, row.endpoint, dict(row.view_args), fields)


def _make_room(connection: Connection, at: datetime) -> None:
    connection.execute(delete(kept_post).where(kept_post.c.created_at < at - KEPT_FOR))
    strangers = kept_post.c.person_id.is_(None)
    count = connection.execute(select(func.count()).select_from(kept_post).where(strangers)).scalar_one()
    if count >= _MOST_FROM_STRANGERS:
        newest = select(kept_post.c.key).where(strangers).order_by(kept_post.c.created_at.desc())
        kept = newest.limit(_MOST_FROM_STRANGERS - 1)
        keys = list(connection.execute(kept).scalars())
        connection.execute(delete(kept_post).where(strangers, kept_post.c.key.not_in(keys)))
