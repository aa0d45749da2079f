"""Filters of the list of links that people keep under a name; each person's own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    delete,
    func,
    insert,
    select,
    update,
)

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

#: More would be a list of their own.
MOST = 30

saved_view = Table(
    "saved_view",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("name", String(60), nullable=False),
    Column("query", Text, nullable=False),
    Column("saved_at", Moment, nullable=False),
    UniqueConstraint("person_id", "name"),
)


@dataclass(frozen=True, slots=True)
class SavedView:
    """A filter of the list of links under a person's name for it; `query` is a query string."""

    id: int
    name: str
    query: str


def of_person(connection: Connection, person_id: int) -> list[SavedView]:
    """The views that a person saved, by name."""
    query = select(saved_view.c.id, saved_view.c.name, saved_view.c.query).where(saved_view.c.person_id == person_id)
    return [SavedView(*row) for row in connection.execute(query.order_by(saved_view.c.name))]


def save(connection: Connection, person_id: int, name: str, query: str, at: datetime) -> bool:
    """Keep a filter under a name, in place of the one that had it. False when the person keeps too many already."""
    mine = (saved_view.c.person_id == person_id, saved_view.c.name == name)
    again = update(saved_view).where(*mine).values(query=query, saved_at=at).returning(saved_view.c.id)
    if connection.execute(again).first():
        return True
    counted = select(func.count()).select_from(saved_view).where(saved_view.c.person_id == person_id)
    if connection.execute(counted).scalar_one() >= MOST:
        return False
    connection.execute(insert(saved_view).values(person_id=person_id, name=name, query=query, saved_at=at))
    return True


def forget(connection: Connection, person_id: int, view_id: int) -> bool:
    """Forget a view; False when it is not this person's."""
    mine = delete(saved_view).where(saved_view.c.id == view_id, saved_view.c.person_id == person_id)
    return connection.execute(mine.returning(saved_view.c.id)).first() is not None
