"""Numbers of calls by hour, group and outcome: what the service page shows of the latest failures.

A row for each outcome that an hour had, and none for other hours: at most a few hundred a day, kept for two weeks.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import Column, Connection, Integer, String, Table, bindparam, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

call_outcome = Table(
    "call_outcome",
    metadata,
    Column("hour", Moment, primary_key=True),
    Column("call_group", String(10), primary_key=True),
    Column("outcome", String(40), primary_key=True),  # ANSWERED, or the name of the failure.
    Column("calls", Integer, nullable=False),
    Column("latest_at", Moment, nullable=False),
)

#: The outcome of a call that the service has granted.
ANSWERED = ""
KEPT = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class CallOutcome:
    """The calls of an hour that had an outcome, and the moment of the latest of them."""

    hour: datetime
    call_group: str
    outcome: str
    calls: int
    latest_at: datetime


_COLUMNS = (call_outcome.c[name] for name in ("hour", "call_group", "outcome", "calls", "latest_at"))
_SINCE = select(*_COLUMNS).where(call_outcome.c.hour >= bindparam("since"))
_SINCE = _SINCE.order_by(call_outcome.c.hour, call_outcome.c.outcome)
_ANSWERED = select(call_outcome.c.call_group, func.max(call_outcome.c.latest_at))
_ANSWERED = _ANSWERED.where(call_outcome.c.outcome == ANSWERED).group_by(call_outcome.c.call_group)


def add(connection: Connection, outcome: CallOutcome) -> None:
    """Add to the calls of an hour, in one statement."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    key = {"hour": outcome.hour, "call_group": outcome.call_group, "outcome": outcome.outcome}
    entered = dialect.insert(call_outcome).values(**key, calls=outcome.calls, latest_at=outcome.latest_at)
    counted = {"calls": call_outcome.c.calls + outcome.calls, "latest_at": outcome.latest_at}
    connection.execute(entered.on_conflict_do_update(index_elements=list(key), set_=counted))


def forget(connection: Connection, now: datetime) -> None:
    """Delete the counts that are past their retention."""
    connection.execute(delete(call_outcome).where(call_outcome.c.hour < now - KEPT))


def outcomes_since(connection: Connection, since: datetime) -> list[CallOutcome]:
    """Return the outcomes of the hours from a moment on, the oldest first."""
    return [CallOutcome(*row) for row in connection.execute(_SINCE, {"since": since})]


def latest_answers(connection: Connection) -> dict[str, datetime]:
    """Return when the service last granted a call, by group."""
    return {row.call_group: row[1] for row in connection.execute(_ANSWERED)}
