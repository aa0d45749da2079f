"""Store which clicks are being checked, before anything is prepared: two with one request key know of each other."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Column, Connection, ForeignKey, Integer, String, Table, bindparam, delete, insert, select

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

creation_check = Table(
    "creation_check",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("request_key", String(64), nullable=False, index=True),
    Column("at", Moment, nullable=False),
)

#: Longer than a check lasts: an older row was left by a process that was stopped.
_STALE_AFTER = timedelta(minutes=1)

_STALE = delete(creation_check).where(creation_check.c.at <= bindparam("stale_at"))
_BEGUN = insert(creation_check)
_ENDED = delete(creation_check).where(creation_check.c.id == bindparam("check_id"))


def begin(connection: Connection, check_id: str, person_id: int, request_key: str, at: datetime) -> None:
    """Enter a check, and remove those that stopped processes left."""
    connection.execute(_STALE, {"stale_at": at - _STALE_AFTER})
    values = {"id": check_id, "person_id": person_id, "request_key": request_key, "at": at}
    connection.execute(_BEGUN, values)


def end(connection: Connection, check_id: str) -> None:
    connection.execute(_ENDED, {"check_id": check_id})


def any_under_way(connection: Connection, person_id: int, request_key: str, now: datetime) -> bool:
    """Tell whether a click of this person with this key is being checked."""
    mine = (creation_check.c.request_key == request_key, creation_check.c.person_id == person_id)
    fresh = creation_check.c.at > now - _STALE_AFTER
    return connection.execute(select(creation_check.c.id).where(*mine, fresh).limit(1)).first() is not None
