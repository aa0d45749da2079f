"""Count failed sign-ins by account and by address, so that guessing is slow and nobody is locked out for good.

An attempt is counted before its password is verified, and taken off again when it was right: guesses that are sent all
at once are counted like guesses that are sent one after another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from sqlalchemy import Column, Connection, Integer, String, Table, delete, insert, select, update
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

    def wait(self, failures: int) -> timedelta:
        """Return how long the next attempt must wait after the last failure."""
        over = failures - self.free
        return min(timedelta(seconds=2 ** min(over, 10)), self.longest) if over >= 0 else timedelta(0)


def of_account(email_key: str) -> Limit:
    """Return the limit of an account."""
    # The wait stays short: a stranger who keeps failing must not keep the owner out.
    return Limit(_key("account", email_key), free=5, longest=timedelta(seconds=30))


def of_address(address: str) -> Limit:
    """Return the limit of a network address."""
    # A whole office may stand behind one address.
    return Limit(_key("address", address), free=20, longest=timedelta(seconds=60))


def begin(connection: Connection, limits: Iterable[Limit], now: datetime) -> timedelta:
    """Count an attempt and return zero; if it comes too soon, return how long to wait and do not count it."""
    ordered = sorted(
        limits, key=lambda limit: limit.key
    )  # Everybody locks rows in one order, so that nobody deadlocks.
    failures = {limit.key: _failures(connection, limit.key, now) for limit in ordered}
    longest = timedelta(0)
    for limit in ordered:
        count, last_at = failures[limit.key]
        longest = max(longest, last_at + limit.wait(count) - now)
    if longest > timedelta(0):
        return longest
    for limit in ordered:
        values = {"failures": failures[limit.key][0] + 1, "last_at": now}
        connection.execute(update(failure).where(failure.c.key == limit.key).values(**values))
    return timedelta(0)


def forgive(connection: Connection, account: Limit, address: Limit) -> None:
    """Take an attempt off whose password was right: the account starts anew, the address has one failure less."""
    connection.execute(delete(failure).where(failure.c.key == account.key))
    one_less = update(failure).where(failure.c.key == address.key, failure.c.failures > 0)
    connection.execute(one_less.values(failures=failure.c.failures - 1))


def delete_expired(connection: Connection, now: datetime) -> None:
    """Delete failures that count no longer."""
    connection.execute(delete(failure).where(failure.c.last_at < now - EXPIRES_AFTER))


def _failures(connection: Connection, key: str, now: datetime) -> tuple[int, datetime]:
    query = select(failure.c.failures, failure.c.last_at).where(failure.c.key == key).with_for_update()
    row = connection.execute(query).one_or_none()
    if row is None:
        try:
            with connection.begin_nested():
                connection.execute(insert(failure).values(key=key, failures=0, last_at=now))
            return 0, now
        except IntegrityError:  # Another process was first.
            row = connection.execute(query).one()
    return (0, now) if row.last_at < now - EXPIRES_AFTER else (row.failures, row.last_at)


def _key(kind: str, value: str) -> str:
    return sha256(f"{kind}:{value}".encode()).hexdigest()
