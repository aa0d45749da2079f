"""Read the history of a link, and enter in it what people did. It is append-only."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import BindParameter, ColumnElement, Connection, String, bindparam, cast, exists, func, select

from dashboard.store.creation.intents import intent
from dashboard.store.engine import NotStored
from dashboard.store.links.links import record_event
from dashboard.store.links.records import EVENT_COLUMNS, LinkEvent
from dashboard.store.links.tables import link, link_event
from dashboard.store.once import once
from dashboard.store.sharing.shares import share

_undone = link_event.alias("undone")
_LINK: BindParameter[str] = bindparam("link_id")
_NEWEST = select(*EVENT_COLUMNS).where(link_event.c.link_id == _LINK)
_NEWEST = _NEWEST.order_by(link_event.c.id.desc()).limit(bindparam("limit"))
_ENDS = select(
    select(func.max(link_event.c.id)).where(link_event.c.link_id == _LINK).scalar_subquery(),
    select(func.max(share.c.id)).where(share.c.link_id == _LINK).scalar_subquery(),
    select(func.max(intent.c.state_since)).where(intent.c.replaces == _LINK).scalar_subquery(),
)


def newest(connection: Connection, link_id: str, limit: int) -> list[LinkEvent]:
    """Return the newest events of a link, newest first."""
    return [LinkEvent(*row) for row in connection.execute(_NEWEST, {"link_id": link_id, "limit": limit})]


def record_once(
    connection: Connection,
    link_id: str,
    kind: str,
    at: datetime,
    *,
    not_since: datetime,
    person_id: int,
    new: str | None = None,
) -> bool:
    """Record what a person did, unless the same was recorded after `not_since`; True when it was recorded now.

    Raises NotStored when the ledger does not know the link.
    """
    # The lock keeps two clicks at once from both finding nothing.
    locked = select(link.c.id).where(link.c.id == link_id).with_for_update(key_share=True)
    if connection.execute(locked).first() is None:
        raise NotStored(link_id)
    same = (link_event.c.kind == kind, link_event.c.link_id == link_id, link_event.c.person_id == person_id)
    query = select(link_event.c.id).where(*same, link_event.c.new.is_not_distinct_from(new))
    if connection.execute(query.where(link_event.c.at > not_since).limit(1)).first() is not None:
        return False
    record_event(connection, link_id, kind, at, person_id=person_id, new=new)
    return True


def take_back(
    connection: Connection, link_id: str, kind: str, event_id: int, done_at: datetime, at: datetime, *, person_id: int
) -> None:
    """Record by an event of this kind that a person takes back what they did; a second time changes nothing."""
    since = done_at - timedelta(seconds=1)
    record_once(connection, link_id, kind, at, not_since=since, person_id=person_id, new=str(event_id))


def stands(kind: str) -> ColumnElement[bool]:
    """Hold for the events that nobody has taken back by an event of this kind."""
    same = (_undone.c.link_id == link_event.c.link_id, _undone.c.new == cast(link_event.c.id, String))
    return ~exists().where(_undone.c.kind == kind, *same)


def since_taken_back(connection: Connection, link_id: str, kind: str, since: datetime) -> datetime:
    """Return that moment, or a later one at which a person took something back: it is recorded anew after that."""
    about = (link_event.c.link_id == link_id, link_event.c.kind == kind)
    undone_at = connection.execute(select(func.max(link_event.c.at)).where(*about)).scalar()
    return max(since, undone_at) if undone_at else since


@once
def version(connection: Connection, link_id: str) -> str:
    """Return what changes whenever a link's history grows: by an event, a share, or a request for a replacement."""
    entry, shared, replaced = connection.execute(_ENDS, {"link_id": link_id}).one()
    return f"{entry or 0}-{shared or 0}-{replaced.timestamp() if replaced else 0}"
