"""Store the filters of the list of links that people save under names."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

import sqlalchemy
from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    func,
    insert,
    select,
    update,
)

from dashboard.domain.link_filters import MAX_VIEW_NAME
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

saved_view = Table(
    "saved_view",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("name", String(MAX_VIEW_NAME), nullable=False),
    Column("query", Text, nullable=False),
    Column("saved_at", Moment, nullable=False),
    UniqueConstraint("person_id", "name"),
)
_OF_PERSON = select(saved_view.c.id, saved_view.c.name, saved_view.c.query).order_by(saved_view.c.name)
_OF_PERSON = _OF_PERSON.where(saved_view.c.person_id == bindparam("person_id"))


@dataclass(frozen=True, slots=True)
class SavedView:
    """A saved filter of the list of links; `query` is its query string."""

    id: int
    name: str
    query: str


def of_person(connection: Connection, person_id: int) -> list[SavedView]:
    """Return a person's views, by name."""
    return [SavedView(*row) for row in connection.execute(_OF_PERSON, {"person_id": person_id})]


def replace(connection: Connection, person_id: int, name: str, query: str, at: datetime) -> bool:
    """Store another filter under a name; False when the person has no view of this name."""
    same = (saved_view.c.person_id == person_id, saved_view.c.name == name)
    changed = update(saved_view).where(*same).values(query=query, saved_at=at).returning(saved_view.c.id)
    return connection.execute(changed).first() is not None


def count(connection: Connection, person_id: int) -> int:
    """Return how many views a person has."""
    counted = select(func.count()).select_from(saved_view).where(saved_view.c.person_id == person_id)
    return int(connection.execute(counted).scalar_one())


def add(connection: Connection, person_id: int, name: str, query: str, at: datetime) -> None:
    """Store a filter under a new name."""
    connection.execute(insert(saved_view).values(person_id=person_id, name=name, query=query, saved_at=at))


def delete(connection: Connection, person_id: int, view_id: int) -> SavedView | None:
    """Delete a view and return it; None when it is not this person's."""
    same = (saved_view.c.id == view_id, saved_view.c.person_id == person_id)
    deleted = sqlalchemy.delete(saved_view).where(*same)
    row = connection.execute(deleted.returning(saved_view.c.id, saved_view.c.name, saved_view.c.query)).first()
    return None if row is None else SavedView(*row)
