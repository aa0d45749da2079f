"""How many calls a second the background work of all processes together may begin.

One row says until when the budget is used up. Whoever claims work moves that moment on, in the transaction that
claims: sharing the budget costs no commit of its own, and a process that is killed takes none of it with it. Bulk work
on the fleet has a budget of its own.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from math import floor

from sqlalchemy import Column, Connection, String, Table, select, update

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

call_budget = Table(
    "call_budget",
    metadata,
    Column("name", String(20), primary_key=True),
    Column("used_until", Moment, nullable=False),
)

_NAME = "background"


def left(connection: Connection, now: datetime, per_second: float, *, lock: bool = False) -> int:
    """Return how many calls may begin now. With `lock` no other transaction can use any until this one ends."""
    query = select(call_budget.c.used_until).where(call_budget.c.name == _NAME)
    used_until = _find_locked(connection, now, per_second) if lock else connection.execute(query).scalar()
    used_until = _clamped(used_until, now, per_second)
    unused = _adds_up_for(per_second) if used_until is None else min(now - used_until, _adds_up_for(per_second))
    # Moments are stored in whole microseconds.
    return max(0, floor(unused.total_seconds() * per_second + 0.01))


def use(connection: Connection, now: datetime, per_second: float, calls: int) -> None:
    """Take calls out of the budget. More than are left use it up for longer."""
    used_until = _clamped(_find_locked(connection, now, per_second), now, per_second)
    used_until = max(used_until or now, now - _adds_up_for(per_second))
    used_until += timedelta(seconds=calls / per_second)
    connection.execute(update(call_budget).where(call_budget.c.name == _NAME).values(used_until=used_until))


def reserve(connection: Connection, name: str, now: datetime, per_second: float) -> float:
    """Take one call out of the budget of a `name`; return in how many seconds it may begin."""
    used_until = _clamped(_find_locked(connection, now, per_second, name), now, per_second)
    begins = max(used_until or now, now - _adds_up_for(per_second)) + timedelta(seconds=1 / per_second)
    connection.execute(update(call_budget).where(call_budget.c.name == name).values(used_until=begins))
    return max(0.0, (begins - now).total_seconds())


def _find_locked(connection: Connection, now: datetime, per_second: float, name: str = _NAME) -> datetime:
    insert_if_absent(connection, call_budget, name=name, used_until=now - _adds_up_for(per_second))
    query = select(call_budget.c.used_until).where(call_budget.c.name == name).with_for_update()
    used_until: datetime = connection.execute(query).scalar_one()
    return used_until


def _clamped(used_until: datetime | None, now: datetime, per_second: float) -> datetime | None:
    """Return the moment, or now where no use of ours reaches so far ahead: a clock was wrong when it was stored."""
    longest = timedelta(seconds=max(60.0, 60 / per_second))
    return now if used_until is not None and used_until > now + longest else used_until


def _adds_up_for(per_second: float) -> timedelta:
    """Return how long an unused budget adds up: a second, or the time in which one call adds up."""
    return timedelta(seconds=max(1.0, 1 / per_second))
