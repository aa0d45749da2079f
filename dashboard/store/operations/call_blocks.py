"""What blocks calls to the service, shared by all processes: refusals, and what the circuit breakers count.

A scope gets its row with its first refusal or failure. Rows are cleared and never deleted, so that processes that
count at the same moment can lock them.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import JSON, Column, Connection, Integer, Row, String, Table, select, update

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

call_block = Table(
    "call_block",
    metadata,
    Column("scope", String(40), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("since", Moment),
    Column("blocked_at", Moment),
    Column("until", Moment),
    Column("cause", String(40)),
    Column("fingerprint", String(64)),
    Column("recent", JSON, nullable=False),
    Column("outdated_at", Moment),
)


@dataclass(frozen=True, slots=True)
class CallBlock:
    """A scope of calls with what was counted against it. A cleared one has its scope alone."""

    scope: str
    #: Refusals or failures in a row, and the moment of the first of them.
    failures: int = 0
    since: datetime | None = None
    #: None while calls are made; otherwise one caller may try at `until`.
    blocked_at: datetime | None = None
    until: datetime | None = None
    #: The name of the latest failure (a circuit breaker), or of the refusal of the secret.
    cause: str | None = None
    #: The secret that was refused, or the one that was last granted a call; None for a block whatever the secret.
    fingerprint: str | None = None
    #: The latest calls, oldest first: seconds since 1970, whether it failed (a circuit breaker).
    recent: tuple[tuple[float, bool], ...] = ()
    #: When the day of a refused allowance ends: what was counted before is of another day.
    outdated_at: datetime | None = None


_ALL = select(call_block)


def read_all(connection: Connection) -> dict[str, CallBlock]:
    """Return every row by its scope."""
    return {row.scope: _record(row) for row in connection.execute(_ALL)}


def find_locked(connection: Connection, scope: str) -> CallBlock:
    """Return the row of a scope, entered when absent; no other transaction can change it until this one ends."""
    insert_if_absent(connection, call_block, scope=scope, failures=0, recent=[])
    query = select(call_block).where(call_block.c.scope == scope).with_for_update()
    return _record(connection.execute(query).one())


def save(connection: Connection, block: CallBlock) -> None:
    connection.execute(update(call_block).where(call_block.c.scope == block.scope).values(**asdict(block)))


def clear_all(connection: Connection, but: str) -> None:
    """Clear every row but one."""
    cleared = asdict(CallBlock(""))
    del cleared["scope"]
    connection.execute(update(call_block).where(call_block.c.scope != but).values(**cleared))


def take_try(connection: Connection, scope: str, now: datetime, until: datetime) -> bool:
    """Let one caller try once the time is up, by moving the time on; False for everybody else."""
    due = update(call_block).where(call_block.c.scope == scope, call_block.c.until <= now)
    return connection.execute(due.values(until=until).returning(call_block.c.scope)).first() is not None


def _record(row: Row[Any]) -> CallBlock:
    values = row._asdict()
    return CallBlock(**{**values, "recent": tuple((at, failed) for at, failed in values["recent"])})
