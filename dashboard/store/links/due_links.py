"""Store when links are due for a poll, and lease them by compare-and-set.

A lease ends when the answer or the failure is recorded, and expires by itself when its process has died.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, literal_column, select, update

from dashboard.store.links.links import due_now
from dashboard.store.links.records import Asked
from dashboard.store.links.tables import LIVE, link

#: The `failure` of a link on which our own code failed.
FAULT = "Fault"

#: The share of places that is reserved for links that nobody watches.
_SHARE_OF_OTHERS = 0.25
#: Longer than any lease.
_LONGEST_LEASE = timedelta(minutes=10)
#: Longer than any plan: a day with its jitter.
_LONGEST_PLAN = timedelta(hours=30)


def any_due(connection: Connection, now: datetime) -> bool:
    """Return whether a link is due; a cheap read, to be made before taking the write lock."""
    return connection.execute(select(link.c.id).where(*_is_due(now)).limit(1)).first() is not None


def most_overdue(connection: Connection, now: datetime) -> datetime | None:
    """Return since when the most overdue link is due; None while none is."""
    waiting = select(link.c.next_check_at).where(*_is_due(now))
    return connection.execute(waiting.order_by(link.c.next_check_at).limit(1)).scalar()


def count_overdue(connection: Connection, now: datetime, late: timedelta) -> tuple[int, int]:
    """Count the links that are due for as long as `late`, or longer, and those of them that are live."""
    counts = select(func.count(), func.count().filter(LIVE))
    found = connection.execute(counts.where(link.c.next_check_at <= now - late, _is_unleased(now))).one()
    return int(found[0]), int(found[1])


def due(connection: Connection, now: datetime, watched_since: datetime, limit: int) -> list[str]:
    """Return links that are due, the most overdue first; watched ones before the others, which have their share."""
    # Watched links are few: they are read by their own index and sorted here, as thousands of others may be due.
    columns = (link.c.id, link.c.next_check_at, link.c.lease_until)
    rows = connection.execute(select(*columns).where(link.c.watched_at >= watched_since))
    waiting = [row for row in rows if row.next_check_at and row.next_check_at <= now]
    waiting = [row for row in waiting if row.lease_until is None or not now < row.lease_until <= now + _LONGEST_LEASE]
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
        claim = update(link).where(link.c.id == link_id, *_is_due(now))
        claim = claim.values(lease_until=lease_until, polls_begun=link.c.polls_begun + 1)
        if connection.execute(claim.returning(link.c.id)).first():
            claimed.append(link_id)
    return claimed


def claim(
    connection: Connection, link_id: str, now: datetime, lease_until: datetime, *, after: int | None = None
) -> Asked | None:
    """Lease one link, due or not; return the poll that begins, or None while another process polls it.

    `after` is the number of the last poll that is too old for the caller: a poll up to that number is no reason to
    wait, and an answer to a later one leaves nothing to poll.
    """
    free = _is_unleased(now)
    if after is not None:
        free = (link.c.answered_poll <= after) & (free | (link.c.polls_begun <= after))
    lease = update(link).where(link.c.id == link_id, free)
    lease = lease.values(lease_until=lease_until, polls_begun=link.c.polls_begun + 1)
    number = connection.execute(lease.returning(link.c.polls_begun)).scalar()
    return None if number is None else Asked(number, now)


def begin_poll(connection: Connection, link_id: str, now: datetime) -> Asked:
    """Number a poll that needs no lease, right before it is made."""
    one = update(link).where(link.c.id == link_id).values(polls_begun=link.c.polls_begun + 1)
    return Asked(connection.execute(one.returning(link.c.polls_begun)).scalar() or 0, now)


def last_poll(connection: Connection, link_id: str) -> int:
    """Return the number of the last poll of a link that has begun; 0 for a link that the ledger does not know."""
    return connection.execute(select(link.c.polls_begun).where(link.c.id == link_id)).scalar() or 0


def release(connection: Connection, link_ids: Iterable[str]) -> None:
    """End leases; the links are as due as they were."""
    connection.execute(update(link).where(link.c.id.in_(list(link_ids))).values(lease_until=None))


def leased(connection: Connection, now: datetime) -> int:
    """Return how many links are leased, by any process."""
    leases = (link.c.lease_until > now, link.c.lease_until <= now + _LONGEST_LEASE)
    return int(connection.execute(select(func.count()).where(*leases)).scalar_one())


def record_failure(
    connection: Connection,
    link_id: str,
    failure: str,
    at: datetime,
    next_check_at: datetime | None,
    failures: int,
    not_found: int,
) -> None:
    """Record a failed check and end its lease. `failure` is the error's name, `failures` how many failed in a row, and
    `not_found` how often the service has answered 404 since it last knew the link.
    """
    values: dict[str, Any] = {"failed_at": at, "failure": failure, "failures": failures, "not_found": not_found}
    values |= {"lease_until": None, "next_check_at": next_check_at}
    connection.execute(update(link).where(link.c.id == link_id).values(**values))


def record_fault(connection: Connection, link_id: str, at: datetime) -> int:
    """Record that our own code failed, without reading the row; returns how many checks failed in a row."""
    failures = func.coalesce(link.c.failures, 0) + 1
    values = {"failed_at": at, "failure": FAULT, "failures": failures, "lease_until": None}
    done = update(link).where(link.c.id == link_id).values(**values).returning(link.c.failures)
    return connection.execute(done).scalar() or 1


def make_unknown_due(connection: Connection, at: datetime) -> None:
    """Make every link due that the service has answered 404 for since it last knew it."""
    connection.execute(update(link).where(link.c.not_found > literal_column("0")).values(next_check_at=at))


def make_all_due(connection: Connection, at: datetime) -> int:
    """Make every link due, the live ones first, and end all leases; returns how many there are."""
    connection.execute(update(link).values(next_check_at=at + timedelta(seconds=1), lease_until=None))
    connection.execute(update(link).where(LIVE).values(next_check_at=at))
    return int(connection.execute(select(func.count()).select_from(link)).scalar_one())


def clamp_plans(connection: Connection, now: datetime, live_until: datetime, failing_until: datetime) -> None:
    """Make links due whose plan is later than any plan of ours: a clock was wrong at the time.

    A link that can be paid and has not failed is planned up to `live_until`, one that fails or should have ended up to
    `failing_until`, and any other for a day.
    """
    known = func.coalesce(link.c.not_found, 0) == 0
    steady = (func.coalesce(link.c.failures, 0) == 0) & (link.c.ends_rank > now)
    late = (link.c.next_check_at > failing_until) | (steady & (link.c.next_check_at > live_until))
    connection.execute(update(link).where(LIVE, known, late).values(next_check_at=now))
    connection.execute(update(link).where(link.c.next_check_at > now + _LONGEST_PLAN).values(next_check_at=now))


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
    # No poll is leased for so long, unless a clock was wrong at the time.
    return (link.c.lease_until.is_(None)) | (link.c.lease_until <= now) | (link.c.lease_until > now + _LONGEST_LEASE)
