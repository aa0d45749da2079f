"""Add up the figures of the first page: links that can still be paid, and what was collected."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain, islice
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, bindparam, func, or_, select

from dashboard.domain import follow_up as domain
from dashboard.domain.links import PAID
from dashboard.domain.money import NO_SUM, Sum
from dashboard.store.links.listing import needs_action, paid_in
from dashboard.store.links.tables import LIVE, NO_LONGER_KNOWN, link
from dashboard.store.links.totals import Total, adding_up, total_of
from dashboard.store.sharing import ended_links
from dashboard.store.sharing.queue_facts import FACTS, moments

#: The first reminder is looked for among so many links.
_MOST_COMPARED = 200


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """Hold how many links wait, were sent lately, and are snoozed; `back_at` is when the first snooze ends."""

    waiting: int
    sent: int
    snoozed: int
    back_at: datetime | None


@dataclass(frozen=True, slots=True)
class Figures:
    """Hold how many links are to collect, how many of them end today, how many nobody was given, and how many were paid
    today and yesterday; each with the sum of their amounts. The `untimed` have no time of payment, and count on the day
    they were first shown as paid. `ends_soon` are those that end within a day, as other lists count them, and
    `ends_first` is when the first of them does. `not_sent_soon` counts those of them that nobody was given: they are
    in both.

    `ending` and `unsent` say where in the follow-up queue the links stand that end within a day, and those that nobody
    was given. `to_remind` counts those that wait, end within a day and were given to somebody, who is reminded.
    `to_check` counts those that nobody was given and that are to be checked before: they are in none of these.
    `urgent` are those that the list of links calls so: also what could not be checked, and failed links of which money
    was taken. `unchecked` of them could not be checked, and do not end within a day; `urgent_not_found` of them are
    among those that the service does not find, `not_found`. `endless` are open links whose end the service has not
    given. `ending_paid` end within a day, and were paid with another link: nobody is sent them or reminded. `open_paid`
    are all the open ones that were.
    """

    open: tuple[int, Sum]
    ends_today: tuple[int, Sum]
    not_sent: tuple[int, Sum]
    collected_today: tuple[int, Sum]
    collected_yesterday: tuple[int, Sum]
    untimed_today: tuple[int, Sum]
    untimed_yesterday: tuple[int, Sum]
    ends_first: datetime | None
    ends_soon: tuple[int, Sum]
    not_sent_soon: int
    ending: QueueCounts
    unsent: QueueCounts
    to_remind: int
    to_check: int
    urgent: tuple[int, Sum]
    unchecked: int
    urgent_not_found: int
    not_found: tuple[int, Sum]
    endless: int
    ending_paid: int
    open_paid: tuple[int, Sum]


_facts = FACTS.links.c
_ENDS_TODAY = _facts.ends_rank < bindparam("tomorrow")
_ENDS_SOON = _facts.ends_rank < bindparam("ends_by")
_IS_SNOOZED = and_(FACTS.needs_somebody, FACTS.is_snoozed)
_IS_SENT = and_(FACTS.needs_somebody, FACTS.is_quiet, ~FACTS.is_snoozed)


def _counts(which: ColumnElement[bool]) -> tuple[ColumnElement[Any], ...]:
    """Return the columns of a `QueueCounts`."""
    return (
        func.count().filter(FACTS.waits, which),
        func.count().filter(_IS_SENT, which),
        func.count().filter(_IS_SNOOZED, which),
        func.min(_facts.snoozed_until).filter(_IS_SNOOZED, which),
    )


_WAITING = select(
    *adding_up(_facts.amount_rank),
    *adding_up(_facts.amount_rank, _ENDS_TODAY),
    *adding_up(_facts.amount_rank, FACTS.is_unsent),
    *adding_up(_facts.amount_rank, _ENDS_SOON),
    *_counts(FACTS.ends_soon),
    *_counts(~FACTS.is_sent),
    func.min(_facts.expires_at).filter(_ENDS_SOON, _facts.expires_at > bindparam("now")),
    func.count().filter(FACTS.is_unsent, _ENDS_SOON),
    func.count().filter(FACTS.waits, FACTS.ends_soon, FACTS.is_sent),
    func.count().filter(FACTS.is_to_check),
    func.count().filter(_facts.expires_at.is_(None)),
    func.count().filter(_facts.has_paid_duplicate, FACTS.ends_soon, ~FACTS.needs_somebody),
    *adding_up(_facts.amount_rank, _facts.has_paid_duplicate),
)
_ENDS_LATER = or_(link.c.expires_at.is_(None), link.c.expires_at > bindparam("ends_by"))
_UNCHECKED = and_(LIVE, ~NO_LONGER_KNOWN, link.c.failure.is_not(None), _ENDS_LATER)
_IS_NOT_FOUND = and_(LIVE, NO_LONGER_KNOWN)
_URGENT = select(*adding_up(link.c.amount_rank), func.count().filter(_UNCHECKED), func.count().filter(_IS_NOT_FOUND))
_URGENT = _URGENT.where(needs_action(bindparam("ends_by"), bindparam("since")))
_NOT_FOUND = select(*adding_up(link.c.amount_rank)).where(_IS_NOT_FOUND)
_VEHICLES_NOT_FOUND = select(link.c.rc).where(_IS_NOT_FOUND, link.c.rc.is_not(None)).distinct().order_by(link.c.rc)
_UNSENT = select(_facts.rc).where(FACTS.is_unsent).limit(1)
_ENDING = select(_facts.rc).where(_facts.ends_rank < bindparam("by")).limit(1)
_SENT_LAST = select(_facts.given_at, _facts.expires_at).where(_IS_SENT, FACTS.ends_soon).limit(_MOST_COMPARED)


def figures(connection: Connection, now: datetime, tomorrow: datetime, today: datetime, yesterday: datetime) -> Figures:
    """Add up the figures: links that end before `tomorrow` end today, and payments count from `yesterday`."""
    cells = iter(connection.execute(_WAITING, moments(now) | {"tomorrow": tomorrow}).one())
    open_, ends_today, not_sent, ends_soon = (total_of(tuple(islice(cells, 3))) for _ in range(4))
    ending, unsent = (QueueCounts(*islice(cells, 4)) for _ in range(2))
    ends_first, not_sent_soon, to_remind, to_check, endless, ending_paid, *open_paid = cells
    *urgent, unchecked, urgent_not_found = connection.execute(
        _URGENT, {"ends_by": moments(now)["ends_by"]} | ended_links.moments(now)
    ).one()
    paid = iter(connection.execute(_collected(), {"today": today, "yesterday": yesterday}).one())
    collected = [_parts_of(total_of(tuple(islice(paid, 3)))) for _ in range(4)]
    of_today, untimed_today, of_yesterday, untimed_yesterday = collected
    return Figures(
        open=_parts_of(open_),
        ends_today=_parts_of(ends_today),
        not_sent=_parts_of(not_sent),
        collected_today=of_today,
        collected_yesterday=of_yesterday,
        untimed_today=untimed_today,
        untimed_yesterday=untimed_yesterday,
        ends_first=ends_first,
        ends_soon=_parts_of(ends_soon),
        not_sent_soon=not_sent_soon,
        ending=ending,
        unsent=unsent,
        to_remind=to_remind,
        to_check=to_check,
        urgent=_parts_of(total_of(urgent)),
        unchecked=unchecked,
        urgent_not_found=urgent_not_found,
        not_found=_parts_of(total_of(connection.execute(_NOT_FOUND).one())),
        endless=endless,
        ending_paid=ending_paid,
        open_paid=_parts_of(total_of(open_paid)),
    )


def next_reminder(connection: Connection, now: datetime) -> tuple[datetime, datetime] | None:
    """Return when the queue asks first for a link that ends within a day and was sent lately, and when that one ends.

    None where it asks for none of them before its end.
    """
    found = connection.execute(_SENT_LAST, moments(now))
    asked = ((domain.asks_again(at, None, ends, now), ends) for at, ends in found)
    return min(((at, ends) for at, ends in asked if at), default=None)


def vehicle_of_unsent(connection: Connection, now: datetime) -> str | None:
    """Return the vehicle of a link that nobody was given, where that is known; for where there is one alone."""
    return connection.execute(_UNSENT, moments(now)).scalar()


def vehicle_of_ending(connection: Connection, now: datetime, by: datetime) -> str | None:
    """Return the vehicle of a link that ends before a moment, where that is known; for where there is one alone."""
    return connection.execute(_ENDING, moments(now) | {"by": by}).scalar()


def vehicles_not_found(connection: Connection) -> list[str]:
    """Return the vehicles of the links that the service does not find, where they are known; for where they are few."""
    return list(connection.execute(_VEHICLES_NOT_FOUND).scalars())


def _parts_of(total: Total) -> tuple[int, Sum]:
    return total.number, total.sum or NO_SUM


@cache
def _collected() -> Select[Any]:
    # Written so that the database uses the index of the moments: most links of an old ledger are PAID.
    is_paid = func.coalesce(link.c.status, "") == PAID
    was_today = paid_in(lambda at: at >= bindparam("today"))
    was_yesterday = paid_in(lambda at: and_(at >= bindparam("yesterday"), at < bindparam("today")))
    times = (link.c.paid_at.is_not(None), link.c.paid_at.is_(None))
    sums = (adding_up(link.c.amount_rank, day, has_time) for day in (was_today, was_yesterday) for has_time in times)
    return select(*chain.from_iterable(sums)).where(is_paid, paid_in(lambda at: at >= bindparam("yesterday")))
