"""Count failed sign-ins, so that guessing is slow.

The services decide which limits an attempt is under (`services/accounts/sign_in_limits.py`). Only failures are counted,
once they are known: an attempt whose password is right is never counted, however many others are under way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Column, Connection, Integer, String, Table, delete, insert, or_, select, update
from sqlalchemy.exc import IntegrityError

from dashboard.store.schema import metadata
from dashboard.store.types import Moment

failure = Table(
    "sign_in_failure",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("last_at", Moment, nullable=False),
)

#: Failures count no longer once this much time has passed since the last one.
EXPIRES_AFTER = timedelta(minutes=30)


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on failures: after `free` of them each further one doubles the wait, from one second up to `longest`."""

    key: str
    free: int
    longest: timedelta

    @classmethod
    def of(cls, *parts: str, free: int, longest: float) -> Limit:
        """Build a limit whose key is a hash of these parts; `longest` is in seconds."""
        key = sha256(":".join(parts).encode("utf-8", "replace")).hexdigest()
        return cls(key, free, timedelta(seconds=longest))

    def wait(self, failures: int) -> timedelta:
        """Return how long the next attempt must wait after the last failure."""
        over = failures - self.free
        return min(timedelta(seconds=2 ** min(over, 10)), self.longest) if over >= 0 else timedelta(0)


def failures_of(connection: Connection, limit: Limit, now: datetime) -> int:
    """Return how many failures a limit counts at present."""
    query = select(failure.c.failures).where(failure.c.key == limit.key, failure.c.last_at >= now - EXPIRES_AFTER)
    return connection.execute(query).scalar_one_or_none() or 0


def wait(connection: Connection, limits: Iterable[Limit], now: datetime) -> tuple[timedelta, bool]:
    """Return how long an attempt must wait that is under these limits; zero if it may be made.

    The second part tells that a failure is dated ahead of this clock, which stepped back or is behind that of another
    host: `date_back` then makes it count from now, so that nobody waits until this clock has caught up.
    """
    by_key = {limit.key: limit for limit in limits}
    rows = connection.execute(
        select(failure).where(failure.c.key.in_(by_key), failure.c.last_at >= now - EXPIRES_AFTER)
    )
    longest, is_ahead = timedelta(0), False
    for row in rows.all():
        waits = by_key[row.key].wait(row.failures)
        if waits:
            is_ahead |= row.last_at > now
            longest = max(longest, min(row.last_at, now) + waits - now)
    return longest, is_ahead


def date_back(connection: Connection, limits: Iterable[Limit], now: datetime) -> None:
    """Date the failures that are ahead of this clock by it."""
    ahead = failure.c.key.in_([limit.key for limit in limits]) & (failure.c.last_at > now)
    connection.execute(update(failure).where(ahead).values(last_at=now))


def count(connection: Connection, limits: Iterable[Limit], now: datetime) -> None:
    """Count a failure under each of these limits."""
    # Everybody locks rows in one order, so that nobody deadlocks.
    for limit in sorted(limits, key=lambda limit: limit.key):
        before = _locked(connection, limit.key, now)
        values = {"failures": before + 1, "last_at": now}
        connection.execute(update(failure).where(failure.c.key == limit.key).values(**values))


def forgive(connection: Connection, limit: Limit) -> None:
    """Delete the failures of a limit, after a right password."""
    connection.execute(delete(failure).where(failure.c.key == limit.key))


def delete_expired(connection: Connection, now: datetime) -> None:
    """Delete failures that count no longer, and those that a clock wrote which was far ahead."""
    expired = or_(failure.c.last_at < now - EXPIRES_AFTER, failure.c.last_at > now + EXPIRES_AFTER)
    connection.execute(delete(failure).where(expired))


def _locked(connection: Connection, key: str, now: datetime) -> int:
    query = select(failure.c.failures, failure.c.last_at).where(failure.c.key == key).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is None:
        try:
            with connection.begin_nested():
                connection.execute(insert(failure).values(key=key, failures=0, last_at=now))
            return 0
        except IntegrityError:  # Another process was first.
            row = connection.execute(query).one()
    return 0 if row.last_at < now - EXPIRES_AFTER else int(row.failures)
