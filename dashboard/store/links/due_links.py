"""Which links are asked for next, and who is asking: rows of the ledger, claimed by compare-and-set.

A claim is a lease: it ends when the answer is recorded, and by itself when the process that held it is gone.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, func, or_, select, update

from dashboard.store.links.links import due_now
from dashboard.store.links.tables import link

#: What stands as the failure of a link that could not be worked on here.
FAULT = "Fault"

#: Of four places one is kept for links that nobody watches.
_SHARE_OF_OTHERS = 0.25


def any_due(connection: Connection, now: datetime) -> bool:
    """Whether a link waits to be asked for: a cheap look before anybody takes the write lock."""
    return connection.execute(select(link.c.id).where(*_waits(now)).limit(1)).first() is not None


def most_overdue(connection: Connection, now: datetime) -> datetime | None:
    """When the link was to be asked for that has waited the longest; None while none waits."""
    waiting = select(link.c.next_check_at).where(*_waits(now))
    return connection.execute(waiting.order_by(link.c.next_check_at).limit(1)).scalar()


def due(connection: Connection, now: datetime, watched_since: datetime, limit: int) -> list[str]:
    """The links to ask for now, by the time they have waited; watched ones first, but for the others' share."""
    # Asked for apart, by an index of their own, as thousands of others may be due: few are watched, and sorted here.
    columns = (link.c.id, link.c.next_check_at, link.c.lease_until)
    looked_at = connection.execute(select(*columns).where(link.c.looked_at >= watched_since))
    waiting = [row for row in looked_at if row.next_check_at and row.next_check_at <= now]
    waiting = [row for row in waiting if row.lease_until is None or row.lease_until <= now]
    watched = [row.id for row in sorted(waiting, key=lambda row: row.next_check_at)][:limit]
    unwatched = link.c.looked_at.is_(None) | (link.c.looked_at < watched_since)
    query = select(link.c.id).where(*_waits(now), unwatched).order_by(link.c.next_check_at).limit(limit)
    others = list(connection.execute(query).scalars())
    share = int(limit * _SHARE_OF_OTHERS + random.random())  # noqa: S311 - of one place each gets its part in time.
    kept = min(len(others), max(share, limit - len(watched)))
    return [*watched[: limit - kept], *others[:kept]]


def take_all(connection: Connection, link_ids: Sequence[str], now: datetime, lease_until: datetime) -> list[str]:
    """Claim links that are due; returns those that nobody else was first to claim."""
    taken = []
    for link_id in link_ids:
        claim = update(link).where(link.c.id == link_id, *_waits(now)).values(lease_until=lease_until)
        if connection.execute(claim.returning(link.c.id)).first():
            taken.append(link_id)
    return taken


def take(
    connection: Connection,
    link_id: str,
    now: datetime,
    lease_until: datetime,
    unless_checked_since: datetime | None = None,
) -> bool:
    """Claim one link whatever its time, unless somebody is asking for it just now, or it was checked since a moment."""
    claim = update(link).where(link.c.id == link_id, _free(now)).values(lease_until=lease_until)
    if unless_checked_since is not None:
        claim = claim.where(or_(link.c.checked_at.is_(None), link.c.checked_at < unless_checked_since))
    return connection.execute(claim.returning(link.c.id)).first() is not None


def free(connection: Connection, link_ids: Iterable[str]) -> None:
    """Give claims back; the links are as due as they were."""
    connection.execute(update(link).where(link.c.id.in_(list(link_ids))).values(lease_until=None))


def under_way(connection: Connection, now: datetime) -> int:
    """How many links are being asked for, by anybody."""
    return int(connection.execute(select(func.count()).where(link.c.lease_until > now)).scalar_one())


def record_failure(
    connection: Connection,
    link_id: str,
    failure: str,
    at: datetime,
    next_check_at: datetime | None,
    failures: int,
) -> None:
    """End a check that came to nothing; `failures` is how many did in a row, this one included if it was made."""
    values: dict[str, Any] = {"failed_at": at, "failure": failure, "failures": failures}
    values |= {"lease_until": None, "next_check_at": next_check_at}
    connection.execute(update(link).where(link.c.id == link_id).values(**values))


def record_fault(connection: Connection, link_id: str, at: datetime) -> int:
    """End a check that failed here, without reading the row; returns how many have failed in a row."""
    failures = func.coalesce(link.c.failures, 0) + 1
    values = {"failed_at": at, "failure": FAULT, "failures": failures, "lease_until": None}
    done = update(link).where(link.c.id == link_id).values(**values).returning(link.c.failures)
    return connection.execute(done).scalar() or 1


def plan(connection: Connection, link_id: str, next_check_at: datetime) -> None:
    connection.execute(update(link).where(link.c.id == link_id).values(next_check_at=next_check_at))


def record_look(connection: Connection, link_id: str, at: datetime, sooner: datetime | None) -> None:
    """Somebody looks at the link: remember it, and let the next check come as soon as `sooner`."""
    connection.execute(update(link).where(link.c.id == link_id).values(looked_at=at))
    if sooner is not None:
        due_now(connection, [link_id], sooner)


def _waits(now: datetime) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return link.c.next_check_at <= now, _free(now)


def _free(now: datetime) -> ColumnElement[bool]:
    return (link.c.lease_until.is_(None)) | (link.c.lease_until <= now)
