"""Find the links that come back to the follow-up queue by themselves, unless they are paid before."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import Connection, bindparam, exists, func, select

from dashboard.domain.follow_up import asks_again
from dashboard.store.links.doubtful import IS_DOUBTFUL
from dashboard.store.links.duplicates import HAS_PAID_DUPLICATE
from dashboard.store.links.tables import LIVE, NO_LONGER_KNOWN, link
from dashboard.store.sharing.queue_facts import follow_up
from dashboard.store.sharing.shares import gives, share

#: Of so many links that end first it is found out when they come back.
_MOST = 500


@dataclass(frozen=True, slots=True)
class ReturningLink:
    """A link that somebody was given, and when the queue asks for it again. `total` is None when unknown."""

    at: datetime
    total: Decimal | None


_IS_SNOOZED = exists().where(follow_up.c.link_id == link.c.id, follow_up.c.snoozed_until > bindparam("now"))
_RETURNING = (
    select(
        link.c.total,
        link.c.expires_at,
        select(func.max(share.c.at)).where(share.c.link_id == link.c.id, gives()).scalar_subquery(),
    )
    .where(LIVE, ~NO_LONGER_KNOWN, ~IS_DOUBTFUL, ~HAS_PAID_DUPLICATE)
    .where(link.c.expires_at > bindparam("now"), ~_IS_SNOOZED)
    .order_by(link.c.ends_rank, link.c.id)
    .limit(_MOST)
)


def returning(connection: Connection, now: datetime) -> list[ReturningLink]:
    """Return the links that wait for nobody now and that the queue asks for later; those that come back first first."""
    found = [
        ReturningLink(at, total)
        for total, expires_at, sent_at in connection.execute(_RETURNING, {"now": now})
        if (at := asks_again(sent_at, None, expires_at, now)) is not None
    ]
    return sorted(found, key=lambda each: each.at)
