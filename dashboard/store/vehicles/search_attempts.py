"""Searches under way that had to be tried again, so that the page of whoever waits can say so."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Integer, Row, String, Table, delete, select

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_or_change

search_attempt = Table(
    "search_attempt",
    metadata,
    Column("person_id", ForeignKey("person.id"), primary_key=True),
    Column("rc", String(20), primary_key=True),
    Column("attempt", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    Column("failure", String(40), nullable=False),
    Column("at", Moment, nullable=False),
)

#: Longer than any search lasts: what is older was left by a process that was stopped.
_FORGOTTEN_AFTER = timedelta(minutes=2)


def note(
    connection: Connection, person_id: int, rc: str, *, attempt: int, total: int, failure: str, at: datetime
) -> None:
    key = {"person_id": person_id, "rc": rc}
    insert_or_change(connection, search_attempt, key, attempt=attempt, total=total, failure=failure, at=at)


def under_way(connection: Connection, person_id: int, rc: str, now: datetime) -> Row[Any] | None:
    """The attempt that a person's search of a vehicle has come to; None before a second one."""
    mine = (search_attempt.c.person_id == person_id, search_attempt.c.rc == rc)
    fresh = search_attempt.c.at > now - _FORGOTTEN_AFTER
    return connection.execute(select(search_attempt).where(*mine, fresh)).one_or_none()


def end(connection: Connection, person_id: int, rc: str) -> None:
    mine = (search_attempt.c.person_id == person_id, search_attempt.c.rc == rc)
    connection.execute(delete(search_attempt).where(*mine))
