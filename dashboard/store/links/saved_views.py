"""Filters of the list of links that people keep under a name; each person's own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    Row,
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


def of_person(connection: Connection, person_id: int) -> Sequence[Row[Any]]:
    query = select(saved_view).where(saved_view.c.person_id == person_id)
    return connection.execute(query.order_by(saved_view.c.name)).all()


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
