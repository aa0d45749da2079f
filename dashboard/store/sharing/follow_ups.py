"""What has to be followed up: links that are unpaid and end soon, or that were never given to anybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    Row,
    Select,
    String,
    Table,
    and_,
    exists,
    func,
    or_,
    select,
    update,
)

from dashboard.store.links import links
from dashboard.store.links.listing import Place
from dashboard.store.links.tables import COPIED, LIVE, link, link_event
from dashboard.store.schema import metadata
from dashboard.store.sharing.shares import share
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

#: The kind of a link's event that is a person's note.
NOTE = "note"
ENDS_SOON = timedelta(hours=24)
#: A link that was made just now is about to be shared.
_JUST_MADE = timedelta(minutes=15)

follow_up = Table(
    "follow_up",
    metadata,
    Column("link_id", String(36), ForeignKey("link.id"), primary_key=True),
    Column("snoozed_until", Moment, nullable=False, index=True),
    Column("snoozed_by", Integer, ForeignKey("person.id"), nullable=False),
    Column("snoozed_at", Moment, nullable=False),
)


def queue(connection: Connection, now: datetime, after: Place | None, limit: int) -> Sequence[Row[Any]]:
    """The links to follow up, those that end first before the others; those behind a place, when one is named."""
    query = select(link).where(_wanted(now), _awake(now))
    return _page(connection, query, link.c.ends_rank, after, limit)


def snoozed(connection: Connection, now: datetime, after: Place | None, limit: int) -> Sequence[Row[Any]]:
    """Those that somebody has put off, with when they come back, the soonest first."""
    query = select(link, follow_up.c.snoozed_until, follow_up.c.snoozed_by)
    query = query.join(follow_up, follow_up.c.link_id == link.c.id)
    query = query.where(_wanted(now), follow_up.c.snoozed_until > now)
    return _page(connection, query, follow_up.c.snoozed_until, after, limit)


def _page(
    connection: Connection, query: Select[Any], rank: Column[datetime], after: Place | None, limit: int
) -> Sequence[Row[Any]]:
    if after is not None:
        query = query.where(or_(rank > after.rank, and_(rank == after.rank, link.c.id > after.link_id)))
    return connection.execute(query.order_by(rank, link.c.id).limit(limit)).all()


def counts(connection: Connection, now: datetime) -> tuple[int, int]:
    """How many links wait to be followed up, and how many of them somebody has put off."""
    every = select(func.count(), func.count().filter(~_awake(now))).select_from(link).where(_wanted(now))
    wanted, later = connection.execute(every).one()
    return wanted - later, later


def _wanted(now: datetime) -> ColumnElement[bool]:
    ends_soon = link.c.ends_rank <= now + ENDS_SOON
    shared = exists().where(share.c.link_id == link.c.id)
    # Whoever copies the address gives it to somebody.
    copied = exists().where(link_event.c.kind == COPIED, link_event.c.link_id == link.c.id)
    return and_(LIVE, or_(ends_soon, and_(link.c.first_seen_at <= now - _JUST_MADE, ~shared, ~copied)))


def _awake(now: datetime) -> ColumnElement[bool]:
    return ~exists().where(follow_up.c.link_id == link.c.id, follow_up.c.snoozed_until > now)


def snooze(connection: Connection, link_id: str, until: datetime, at: datetime, by: int) -> None:
    """Put a link off; until a moment that has come, to take it back."""
    values = {"snoozed_until": until, "snoozed_by": by, "snoozed_at": at}
    if not insert_if_absent(connection, follow_up, link_id=link_id, **values):
        connection.execute(update(follow_up).where(follow_up.c.link_id == link_id).values(**values))


def write_note(connection: Connection, link_id: str, text: str, at: datetime, by: int) -> None:
    """Append a person's note to a link's history."""
    links.record_event(connection, link_id, NOTE, at, person_id=by, new=text)


def copied_of(connection: Connection, link_ids: Iterable[str]) -> dict[str, datetime]:
    """When the address of each link was last copied; those never copied are left out."""
    query = select(link_event.c.link_id, func.max(link_event.c.at))
    query = query.where(link_event.c.kind == COPIED, link_event.c.link_id.in_(list(link_ids)))
    return {row.link_id: row[1] for row in connection.execute(query.group_by(link_event.c.link_id))}


def notes_of(connection: Connection, link_ids: Iterable[str]) -> dict[str, Row[Any]]:
    """The newest note of each link that has one."""
    query = select(link_event).where(link_event.c.kind == NOTE, link_event.c.link_id.in_(list(link_ids)))
    return {row.link_id: row for row in connection.execute(query.order_by(link_event.c.id))}
