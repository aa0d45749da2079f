"""Store which try a person's search has come to, so that the page on which they wait can say so."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from sqlalchemy import Column, Connection, ForeignKey, Integer, String, Table, bindparam, delete, select

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

#: Longer than any search lasts: an older row was left by a process that was stopped.
_STALE_AFTER = timedelta(minutes=2)

_FRESH = select(search_attempt.c.attempt, search_attempt.c.total, search_attempt.c.failure).where(
    search_attempt.c.person_id == bindparam("person_id"),
    search_attempt.c.rc == bindparam("rc"),
    search_attempt.c.at > bindparam("after"),
)


@dataclass(frozen=True, slots=True)
class SearchAttempt:
    """Hold one further try of a search: `attempt` of `total`, and the failure name of the try before."""

    attempt: int
    total: int
    failure: str


def record(connection: Connection, person_id: int, rc: str, tried: SearchAttempt, at: datetime) -> None:
    key = {"person_id": person_id, "rc": rc}
    insert_or_change(connection, search_attempt, key, **asdict(tried), at=at)


def find(connection: Connection, person_id: int, rc: str, now: datetime) -> SearchAttempt | None:
    """Return the try that a person's search of a vehicle has come to; None before a second one."""
    mine = {"person_id": person_id, "rc": rc, "after": now - _STALE_AFTER}
    row = connection.execute(_FRESH, mine).one_or_none()
    return SearchAttempt(*row) if row else None


def clear(connection: Connection, person_id: int, rc: str) -> None:
    mine = (search_attempt.c.person_id == person_id, search_attempt.c.rc == rc)
    connection.execute(delete(search_attempt).where(*mine))
