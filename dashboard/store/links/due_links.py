"""Store when links are due for a poll, and lease them by compare-and-set.

A lease ends when the answer or the failure is recorded, and expires by itself when its process has died.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, update

from dashboard.store.links.links import due_now
from dashboard.store.links.tables import link

#: The `failure` of a link on which our own code failed.
FAULT = "Fault"

#: The share of places that is reserved for links that nobody watches.
_SHARE_OF_OTHERS = 0.25


def any_due(connection: Connection, now: datetime) -> bool:
    """Return whether a link is due; a cheap read, to be made before taking the write lock."""
    return connection.execute(select(link.c.id).where(*_is_due(now)).limit(1)).first() is not None


def most_overdue(connection: Connection, now: datetime) -> datetime | None:
    """Return since when the most overdue link is due; None while none is."""
    waiting = select(link.c.next_check_at).where(*_is_due(now))
    return connection.execute(waiting.order_by(link.c.next_check_at).limit(1)).scalar()


def due(connection: Connection, now: datetime, watched_since: datetime, limit: int) -> list[str]:
    """Return links that are due, the most overdue first; watched ones before the others, which have their share."""
    # Watched links are few: they are read by their own index and sorted here, as thousands of others may be due.
    columns = (link.c.id, link.c.next_check_at, link.c.lease_until)
    rows = connection.execute(select(*columns).where(link.c.watched_at >= watched_since))
    waiting = [row for row in rows if row.next_check_at and row.next_check_at <= now]
    waiting = [row for row in waiting if row.lease_until is None or row.lease_until <= now]
    watched = [row.id for row in sorted(waiting, key=lambda row: row.next_check_at)][:limit]
    unwatched = link.c.watched_at.is_(None) | (link.c.watched_at < watched_since)
    query = select(link.c.id).where(*_is_due(now), unwatched).order_by(link.c.next_check_at).limit(limit)
    others = list(connection.execute(query).scalars())
    share = int(limit * _SHARE_OF_OTHERS + random.random())  # noqa: S311 - over time, each gets its share of a single place.
    reserved = min(len(others), max(share, limit - len(watched)))
    return [*watched[: limit - reserved], *others[:reserved]]


def claim_due(connection: Connection, link_ids: Sequence[str], now: datetime, lease_until: datetime) -> list[str]:
    """Lease links that are due; returns those that nobody else leased first."""
    claimed = []
    for link_id in link_ids:
        claim = update(link).where(link.c.id == link_id, *_is_due(now)).values(lease_until=lease_until)
        if connection.execute(claim.returning(link.c.id)).first():
            claimed.append(link_id)
    return claimed


def claim(
    connection: Connection,
    link_id: str,
    now: datetime,
    lease_until: datetime,
    unless_checked_since: datetime | None = None,
) -> bool:
    """Lease one link, due or not, unless somebody else holds its lease, or it was checked since a moment."""
    lease = update(link).where(link.c.id == link_id, _is_unleased(now)).values(lease_until=lease_until)
    if unless_checked_since is not None:
        lease = lease.where(or_(link.c.checked_at.is_(None), link.c.checked_at < unless_checked_since))
    return connection.execute(lease.returning(link.c.id)).first() is not None


def release(connection: Connection, link_ids: Iterable[str]) -> None:
    """End leases; the links are as due as they were."""
    connection.execute(update(link).where(link.c.id.in_(list(link_ids))).values(lease_until=None))


def leased(connection: Connection, now: datetime) -> int:
    """Return how many links are leased, by any process."""
    return int(connection.execute(select(func.count()).where(link.c.lease_until > now)).scalar_one())


def record_failure(
    connection: Connection,
    link_id: str,
    failure: str,
    at: datetime,
    next_check_at: datetime | None,
    failures: int,
) -> None:
    """Record a failed check and end its lease. `failure` is the error's name, `failures` how many failed in a row."""
    values: dict[str, Any] = {"failed_at": at, "failure": failure, "failures": failures}
    values |= {"lease_until": None, "next_check_at": next_check_at}
    connection.execute(update(link).where(link.c.id == link_id).values(**values))


def record_fault(connection: Connection, link_id: str, at: datetime) -> int:
    """Record that our own code failed, without reading the row; returns how many checks failed in a row."""
    failures = func.coalesce(link.c.failures, 0) + 1
    values = {"failed_at": at, "failure": FAULT, "failures": failures, "lease_until": None}
    done = update(link).where(link.c.id == link_id).values(**values).returning(link.c.failures)
    return connection.execute(done).scalar() or 1


def plan(connection: Connection, link_id: str, next_check_at: datetime) -> None:
    """Set when a link is due."""
    connection.execute(update(link).where(link.c.id == link_id).values(next_check_at=next_check_at))


def record_watched(connection: Connection, link_id: str, at: datetime, due_at: datetime | None) -> None:
    """Record that somebody watches a link, and make it due at `due_at`, if that is sooner than it was."""
    connection.execute(update(link).where(link.c.id == link_id).values(watched_at=at))
    if due_at is not None:
        due_now(connection, [link_id], due_at)


def _is_due(now: datetime) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return link.c.next_check_at <= now, _is_unleased(now)


def _is_unleased(now: datetime) -> ColumnElement[bool]:
    return (link.c.lease_until.is_(None)) | (link.c.lease_until <= now)
