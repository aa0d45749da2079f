"""What decides where a link that can be paid stands in the follow-up queue. Each fact is read once for each link."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import (
    CTE,
    Column,
    ColumnElement,
    ForeignKey,
    Integer,
    Select,
    String,
    Table,
    and_,
    bindparam,
    func,
    or_,
    select,
)

from dashboard.domain.follow_up import ENDS_SOON, LAST_HOURS, RESTS, RESTS_AT_LAST
from dashboard.store.links.doubtful import IS_DOUBTFUL
from dashboard.store.links.duplicates import HAS_PAID_DUPLICATE
from dashboard.store.links.tables import COPIED, LIVE, NO_LONGER_KNOWN, link, link_event
from dashboard.store.schema import metadata
from dashboard.store.sharing import shares
from dashboard.store.sharing.shares import share
from dashboard.store.types import Moment

follow_up = Table(
    "follow_up",
    metadata,
    Column("link_id", String(36), ForeignKey("link.id"), primary_key=True),
    Column("snoozed_until", Moment, nullable=False, index=True),
    Column("snoozed_by", Integer, ForeignKey("person.id"), nullable=False),
    Column("snoozed_at", Moment, nullable=False),
    # A person asked for this link to be followed up.
    Column("asked_at", Moment),
)
_GIVEN_AT = select(func.max(share.c.at)).where(share.c.link_id == link.c.id, shares.gives()).scalar_subquery()
# A person who copies the payment URL gives it to somebody; a copy that the page made unasked does not count.
_IS_COPY = and_(link_event.c.kind == COPIED, link_event.c.link_id == link.c.id)
_COPIED_AT = select(func.max(link_event.c.at)).where(_IS_COPY).scalar_subquery()
_LINKS = (
    select(
        link.c.id,
        link.c.rc,
        link.c.status,
        link.c.total,
        link.c.expires_at,
        link.c.ends_rank,
        link.c.amount_rank,
        follow_up.c.snoozed_until,
        follow_up.c.snoozed_by,
        follow_up.c.asked_at,
        _GIVEN_AT.label("given_at"),
        _COPIED_AT.label("copied_at"),
        IS_DOUBTFUL.label("is_doubtful"),
        HAS_PAID_DUPLICATE.label("has_paid_duplicate"),
    )
    .outerjoin_from(link, follow_up, follow_up.c.link_id == link.c.id)
    # Of a link that is no longer known there is nothing to give to anybody.
    .where(LIVE, ~NO_LONGER_KNOWN)
)


class QueueFacts:
    """The links that can be paid, with the conditions of the queue; these hold at the `moments` of a query."""

    def __init__(self, links: Select[Any]) -> None:
        # Without the word, a database reads a fact again for each condition that names it.
        self.links: CTE = links.cte("facts").prefix_with("MATERIALIZED")
        facts = self.links.c
        was_given: ColumnElement[bool] = facts.given_at.is_not(None)
        was_copied: ColumnElement[bool] = facts.copied_at.is_not(None)
        # Until somebody is given it again.
        is_asked_for = and_(facts.asked_at.is_not(None), or_(~was_given, facts.given_at <= facts.asked_at))
        rests = and_(
            was_given,
            or_(
                facts.given_at > bindparam("sent_just_now"),
                and_(facts.given_at > bindparam("sent_lately"), facts.ends_rank > bindparam("last_hours")),
            ),
        )
        self.was_given = was_given
        #: Somebody has it: it was given, or its payment URL was copied.
        self.is_sent = or_(was_given, was_copied)
        #: Nobody has it, and it can be sent now; or else it is to be checked with the service first. What was paid with
        #: another link is neither.
        self.is_unsent = and_(~self.is_sent, ~facts.is_doubtful, ~facts.has_paid_duplicate)
        self.is_to_check = and_(~self.is_sent, facts.is_doubtful, ~facts.has_paid_duplicate)
        self.ends_soon = and_(facts.expires_at.is_not(None), facts.expires_at <= bindparam("ends_by"))
        # What is to be checked with the service first is not sent, unless a person asks for it.
        self.needs_somebody = or_(
            is_asked_for,
            and_(
                or_(facts.ends_rank <= bindparam("ends_by"), ~self.is_sent),
                ~facts.is_doubtful,
                ~facts.has_paid_duplicate,
            ),
        )
        self.is_snoozed = and_(facts.snoozed_until.is_not(None), facts.snoozed_until > bindparam("now"))
        #: A driver was sent it so lately that it is too early to remind them.
        self.is_quiet = and_(rests, ~is_asked_for)
        self.waits = and_(self.needs_somebody, ~self.is_snoozed, ~self.is_quiet)
        copied_lately = and_(was_copied, facts.copied_at > bindparam("sent_lately"))
        #: Whatever was given lately is here, or in one of those that wait or are snoozed, whenever it ends.
        self.is_given_lately = or_(
            and_(self.needs_somebody, self.is_quiet, ~self.is_snoozed),
            and_(~self.needs_somebody, or_(rests, copied_lately)),
        )


FACTS = QueueFacts(_LINKS)
#: The same for the links of the parameter `link_ids` alone.
FACTS_OF_LINKS = QueueFacts(_LINKS.where(link.c.id.in_(bindparam("link_ids", expanding=True))))


def moments(now: datetime) -> dict[str, Any]:
    """Return the moments by which the queue decides, as parameters of a query."""
    return {
        "now": now,
        "ends_by": now + ENDS_SOON,
        "last_hours": now + LAST_HOURS,
        "sent_lately": now - RESTS,
        "sent_just_now": now - RESTS_AT_LAST,
    }
