"""Decide which links ended unpaid lately and have challans left that no other link has taken."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, exists, func, or_

from dashboard.domain.links import ENDED_STATUSES, FAILED, UNKNOWN_AFTER
from dashboard.domain.sharing import Answer
from dashboard.store.links.tables import NO_LONGER_KNOWN, link, link_challan
from dashboard.store.sharing import questions

_other, _theirs = link.alias(), link_challan.alias()
_ENDED = sorted(ENDED_STATUSES)
same = link_challan.alias()
ITS_CHALLAN = same.c.link_id == link.c.id
#: The moment by which a link ended lately; `money_taken` takes it as a value instead.
SINCE: Any = bindparam("since")
#: The driver of a failed link says that money was taken.
SAYS_TAKEN = and_(link.c.status == FAILED, questions.is_answered(Answer.TAKEN))


def is_taken(since: Any = SINCE) -> ColumnElement[bool]:
    """Match the challans `same` on a link that can be paid or is paid, or on one that ended and asks for it itself."""
    # What failed asks for its challans before any other link that ended, and after it the newest.
    newer = _other.c.first_seen_at > link.c.first_seen_at
    asks_itself = and_(
        func.coalesce(_other.c.not_found, 0) < UNKNOWN_AFTER,
        or_(
            and_(newer, or_(link.c.status != FAILED, _other.c.status == FAILED)),
            and_(_other.c.status_since >= since, link.c.status != FAILED, _other.c.status == FAILED),
        ),
    )
    return (
        exists()
        .where(
            _theirs.c.challan_id == same.c.challan_id,
            _theirs.c.link_id != same.c.link_id,
            _other.c.id == _theirs.c.link_id,
            or_(_other.c.status.not_in(_ENDED), asks_itself),
        )
        .correlate(same, link)
    )


def has_taken(since: Any = SINCE) -> ColumnElement[bool]:
    """Match the links of which another one has taken a challan."""
    return exists().where(ITS_CHALLAN, is_taken(since)).correlate(link)


def is_left(since: Any = SINCE) -> ColumnElement[bool]:
    """Match the links that ended unpaid lately and have challans left."""
    has_left = exists().where(ITS_CHALLAN, ~is_taken(since)).correlate(link)
    # Whoever put all that it had on other links has dealt with it.
    return and_(
        link.c.status.in_(_ENDED),
        link.c.status_since >= since,
        ~NO_LONGER_KNOWN,
        ~and_(has_taken(since), ~has_left),
    )


def money_taken(since: Any) -> ColumnElement[bool]:
    """Match those of them whose driver says that money was taken: somebody sees to it."""
    return and_(SAYS_TAKEN, is_left(since))
