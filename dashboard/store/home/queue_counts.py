"""Count the links of the first page's figures that wait in the follow-up queue, were sent lately, or are snoozed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, func, select

from dashboard.domain import follow_up as domain
from dashboard.store.sharing import shares
from dashboard.store.sharing.follow_ups import FACTS, WAITS_BY_FACTS, follow_up, moments
from dashboard.store.sharing.shares import share

#: The first reminder is looked for among so many links.
_MOST_COMPARED = 200


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Hold how many links wait, were sent lately, and are snoozed; `back_at` is when the first snooze ends."""

    waiting: int
    sent: int
    snoozed: int
    back_at: datetime | None


_IS_SNOOZED = and_(FACTS.c.needs_somebody, FACTS.c.is_snoozed)
_IS_SENT = and_(FACTS.c.needs_somebody, FACTS.c.is_quiet, ~FACTS.c.is_snoozed)


def _parts(which: ColumnElement[bool]) -> tuple[ColumnElement[Any], ...]:
    return (
        func.count().filter(WAITS_BY_FACTS, which),
        func.count().filter(_IS_SENT, which),
        func.count().filter(_IS_SNOOZED, which),
        func.min(follow_up.c.snoozed_until).filter(_IS_SNOOZED, which),
    )


_COUNTS = select(
    *_parts(FACTS.c.ends_soon),
    *_parts(~FACTS.c.is_sent),
    func.count().filter(WAITS_BY_FACTS, FACTS.c.ends_soon, FACTS.c.is_sent),
).select_from(FACTS.outerjoin(follow_up, follow_up.c.link_id == FACTS.c.id))
_SENT_LAST = (
    select(func.max(share.c.at), FACTS.c.expires_at)
    .join(share, share.c.link_id == FACTS.c.id)
    .where(_IS_SENT, FACTS.c.ends_soon, shares.gives())
    .group_by(FACTS.c.id, FACTS.c.expires_at)
    .limit(_MOST_COMPARED)
)


def queue_counts(connection: Connection, now: datetime) -> tuple[QueueCounts, QueueCounts, int]:
    """Return the counts of the links that end within a day, and of those that nobody was given; these overlap.

    The last number is of those that wait, end within a day and were given to somebody: who has them is reminded.
    """
    row = tuple(connection.execute(_COUNTS, moments(now)).one())
    return QueueCounts(*row[:4]), QueueCounts(*row[4:8]), row[8]


def next_reminder(connection: Connection, now: datetime) -> tuple[datetime, datetime] | None:
    """Return when the queue asks first for a link that ends within a day and was sent lately, and when that one ends.

    None where it asks for none of them before its end.
    """
    found = connection.execute(_SENT_LAST, moments(now))
    asked = ((domain.asks_again(at, None, ends, now), ends) for at, ends in found)
    return min(((at, ends) for at, ends in asked if at), default=None)
