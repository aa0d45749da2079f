"""Store what a person typed or uploaded to be searched, until the search is started."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import sqlalchemy
from sqlalchemy import (
    JSON,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    bindparam,
    false,
    insert,
    select,
    update,
)

from dashboard.domain.fleet_input import Line
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

#: The length of the name of a run.
MAX_TITLE = 100
#: A draft may hold phone numbers, so nobody keeps it for long.
EXPIRES_AFTER = timedelta(days=2)
#: The most drafts of a person; older ones give way.
MOST_OF_PERSON = 20

fleet_draft = Table(
    "fleet_draft",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("title", String(MAX_TITLE), nullable=False),
    Column("list_id", Integer, ForeignKey("fleet_list.id")),
    Column("lines", JSON, nullable=False),
    Column("ignored", JSON, nullable=False),
    Column("created_at", Moment, nullable=False),
    Column("at_source", Boolean, nullable=False, server_default=false()),
)
Index("ix_fleet_draft_created_at", fleet_draft.c.created_at)
Index("ix_fleet_draft_person_id", fleet_draft.c.person_id)


@dataclass(frozen=True, slots=True)
class Draft:
    """Hold a draft. `ignored` are the names of columns that nobody here knows; `list_id` is the list it came from.

    Its run has the id of the draft, and asks the source where `at_source` says so.
    """

    id: str
    title: str
    list_id: int | None
    lines: tuple[Line, ...]
    ignored: tuple[str, ...]
    at_source: bool


_FIND = select(fleet_draft).where(
    fleet_draft.c.id == bindparam("draft"),
    fleet_draft.c.person_id == bindparam("person"),
    fleet_draft.c.created_at >= bindparam("after"),
)
_OF_PERSON = (
    select(fleet_draft.c.id)
    .where(fleet_draft.c.person_id == bindparam("person"))
    .order_by(fleet_draft.c.created_at.desc(), fleet_draft.c.id)
)


def add(
    connection: Connection,
    person_id: int,
    title: str,
    lines: Sequence[Line],
    at: datetime,
    *,
    ignored: Sequence[str] = (),
    list_id: int | None = None,
    at_source: bool = False,
) -> str:
    """Store a draft of a person and return its id; the oldest give way."""
    drafts = list(connection.execute(_OF_PERSON, {"person": person_id}).scalars())
    delete_all(connection, drafts[MOST_OF_PERSON - 1 :])
    draft_id = str(uuid4())
    connection.execute(
        insert(fleet_draft).values(
            id=draft_id,
            person_id=person_id,
            title=title[:MAX_TITLE],
            list_id=list_id,
            lines=_as_json(lines),
            ignored=list(ignored),
            at_source=at_source,
            created_at=at,
        )
    )
    return draft_id


def find(connection: Connection, draft_id: str, person_id: int, at: datetime) -> Draft | None:
    """Return a draft of this person, unless it is too old."""
    asked = {"draft": draft_id, "person": person_id, "after": at - EXPIRES_AFTER}
    row = connection.execute(_FIND, asked).one_or_none()
    if row is None:
        return None
    lines = tuple(Line(number, cells) for number, cells in row.lines)
    return Draft(row.id, row.title, row.list_id, lines, tuple(row.ignored), row.at_source)


def change(connection: Connection, draft_id: str, title: str, lines: Sequence[Line], *, at_source: bool) -> None:
    """Store other lines, another name, and whether the source is asked."""
    changed = update(fleet_draft).where(fleet_draft.c.id == draft_id)
    connection.execute(changed.values(title=title[:MAX_TITLE], lines=_as_json(lines), at_source=at_source))


def take(connection: Connection, draft_id: str) -> bool:
    """Delete a draft whose run has begun: True for the first who does."""
    taken = sqlalchemy.delete(fleet_draft).where(fleet_draft.c.id == draft_id).returning(fleet_draft.c.id)
    return connection.execute(taken).first() is not None


def expired(connection: Connection, at: datetime, limit: int) -> list[str]:
    """Return the ids of drafts that are too old."""
    query = select(fleet_draft.c.id).where(fleet_draft.c.created_at < at - EXPIRES_AFTER)
    return list(connection.execute(query.limit(limit)).scalars())


def delete_all(connection: Connection, draft_ids: Sequence[str]) -> None:
    """Delete drafts."""
    if draft_ids:
        connection.execute(sqlalchemy.delete(fleet_draft).where(fleet_draft.c.id.in_(draft_ids)))


def _as_json(lines: Sequence[Line]) -> list[Any]:
    return [[line.number, dict(line.cells)] for line in lines]
