"""What was paid while its maker was away: until when each person has seen it all, and which links one by one.

A link is news to the person who made it from the moment that it was first seen PAID until that person has seen it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Row,
    Select,
    String,
    Table,
    exists,
    func,
    select,
    update,
)

from dashboard.domain.links import PAID
from dashboard.store.links.tables import link
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

person_seen = Table(
    "person_seen",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    # Whatever was paid until then has been seen.
    Column("paid_until", Moment),
    # The person wants the browser to tell when a link is paid.
    Column("notify", Boolean, nullable=False),
)

link_seen = Table(
    "link_seen",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("link_id", String(36), ForeignKey("link.id"), primary_key=True),
    Column("at", Moment, nullable=False),
)
Index("ix_link_person_id_status_status_since", link.c.person_id, link.c.status, link.c.status_since)


@dataclass(frozen=True, slots=True)
class Paid:
    """Links that turned PAID, newest first; `count` counts those beyond the limit as well."""

    rows: Sequence[Row[Any]]
    count: int


def unseen(connection: Connection, person_id: int, limit: int = 12, *, after: datetime | None = None) -> Paid:
    """The links that a person made, that turned PAID (after a moment, if one is given), and that they have not seen."""
    query = _unseen(person_id)
    if after is not None:
        query = query.where(link.c.status_since > after)
    rows = connection.execute(query.order_by(link.c.status_since.desc(), link.c.id).limit(limit)).all()
    return Paid(rows, len(rows) if len(rows) < limit else _count(connection, person_id, after))


def _count(connection: Connection, person_id: int, after: datetime | None) -> int:
    """All that a person made and that turned PAID since, without those that they have seen one by one: the first is
    counted in an index, and of the others there are few.
    """
    until = connection.execute(select(person_seen.c.paid_until).where(person_seen.c.person_id == person_id)).scalar()
    news = [link.c.person_id == person_id, link.c.status == PAID]
    news += [link.c.status_since > moment for moment in (until, after) if moment is not None]
    seen = exists().where(link.c.id == link_seen.c.link_id, link_seen.c.at >= link.c.status_since, *news)
    both = (
        select(func.count()).select_from(link).where(*news).scalar_subquery(),
        select(func.count()).select_from(link_seen).where(link_seen.c.person_id == person_id, seen).scalar_subquery(),
    )
    turned, seen_since = connection.execute(select(*both)).one()
    return int(turned - seen_since)


def is_unseen(connection: Connection, person_id: int, link_id: str) -> bool:
    """Whether a link is news to a person."""
    return connection.execute(_unseen(person_id).where(link.c.id == link_id)).first() is not None


def _unseen(person_id: int) -> Select[Any]:
    # A link that went back and was paid again is news again.
    seen = (link_seen.c.link_id == link.c.id) & (link_seen.c.person_id == person_id)
    seen &= link_seen.c.at >= link.c.status_since
    query = select(link.c.id, link.c.rc, link.c.total, link.c.status_since, link.c.paid_at)
    query = query.outerjoin(link_seen, seen).outerjoin(person_seen, person_seen.c.person_id == person_id)
    news = person_seen.c.paid_until.is_(None) | (link.c.status_since > person_seen.c.paid_until)
    return query.where(link.c.person_id == person_id, link.c.status == PAID, link_seen.c.at.is_(None), news)


def saw(connection: Connection, person_id: int, link_id: str, at: datetime) -> None:
    """A person has seen this link paid."""
    if insert_if_absent(connection, link_seen, person_id=person_id, link_id=link_id, at=at):
        return
    mine = (link_seen.c.person_id == person_id) & (link_seen.c.link_id == link_id)
    connection.execute(update(link_seen).where(mine, link_seen.c.at < at).values(at=at))


def saw_all(connection: Connection, person_id: int, until: datetime) -> None:
    """A person has seen everything that was paid until a moment; it never moves back."""
    _ensure(connection, person_id)
    earlier = person_seen.c.paid_until.is_(None) | (person_seen.c.paid_until < until)
    mine = update(person_seen).where(person_seen.c.person_id == person_id, earlier)
    connection.execute(mine.values(paid_until=until))


def wants_notice(connection: Connection, person_id: int) -> bool:
    command = select(person_seen.c.notify).where(person_seen.c.person_id == person_id)
    return bool(connection.execute(command).scalar())


def set_notice(connection: Connection, person_id: int, wanted: bool) -> None:
    _ensure(connection, person_id)
    mine = update(person_seen).where(person_seen.c.person_id == person_id)
    connection.execute(mine.values(notify=wanted))


def _ensure(connection: Connection, person_id: int) -> None:
    insert_if_absent(connection, person_seen, person_id=person_id, paid_until=None, notify=False)
