"""Add up the figures of the first page: links that can still be paid, and what was collected."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, and_, bindparam, func, select

from dashboard.domain.follow_up import ENDS_SOON
from dashboard.domain.links import PAID
from dashboard.domain.money import NO_SUM, Sum
from dashboard.store.links.listing import NOT_SENT, ends_before, paid_in
from dashboard.store.links.tables import LIVE, link
from dashboard.store.links.totals import adding_up, total_of


@dataclass(frozen=True, slots=True)
class Figures:
    """Hold how many links can be paid, how many of them end today, how many nobody was given, and how many were paid
    today and yesterday; each with the sum of their amounts. `ends_soon` are those that end within a day, as other lists
    count them, and `ends_first` is when the first of them does. `not_sent_soon` counts those that nobody was given and
    that end within a day, which are in both.
    """

    open: tuple[int, Sum]
    ends_today: tuple[int, Sum]
    not_sent: tuple[int, Sum]
    collected_today: tuple[int, Sum]
    collected_yesterday: tuple[int, Sum]
    ends_first: datetime | None
    ends_soon: tuple[int, Sum]
    not_sent_soon: int


def figures(connection: Connection, now: datetime, tomorrow: datetime, today: datetime, yesterday: datetime) -> Figures:
    """Add up the figures: links that end before `tomorrow` end today, and payments count from `yesterday`."""
    moments = {"now": now, "tomorrow": tomorrow, "soon": now + ENDS_SOON}
    waiting = connection.execute(_waiting(), moments).one()
    paid = connection.execute(_collected(), {"today": today, "yesterday": yesterday}).one()
    parts = [*(waiting[start : start + 3] for start in (0, 3, 6, 9)), paid[:3], paid[3:]]
    open_, ends_today, not_sent, ends_soon, of_today, of_yesterday = (
        (total.number, total.sum or NO_SUM) for total in map(total_of, parts)
    )
    first, unsent = waiting.ends_first, waiting.not_sent_soon
    return Figures(open_, ends_today, not_sent, of_today, of_yesterday, first, ends_soon, unsent)


@cache
def _waiting() -> Select[Any]:
    amount, ends_today = link.c.amount_rank, ends_before(bindparam("tomorrow"))
    ends_soon = ends_before(bindparam("soon"))
    columns = (
        *adding_up(amount),
        *adding_up(amount, ends_today),
        *adding_up(amount, NOT_SENT),
        *adding_up(amount, ends_soon),
        func.min(link.c.expires_at).filter(ends_soon, link.c.expires_at > bindparam("now")).label("ends_first"),
        func.count().filter(NOT_SENT, ends_soon).label("not_sent_soon"),
    )
    return select(*columns).select_from(link).where(LIVE)


@cache
def _collected() -> Select[Any]:
    # Written so that the database uses the index of the moments: most links of an old ledger are PAID.
    is_paid = func.coalesce(link.c.status, "") == PAID
    was_today = paid_in(lambda at: at >= bindparam("today"))
    was_yesterday = paid_in(lambda at: and_(at >= bindparam("yesterday"), at < bindparam("today")))
    columns = (*adding_up(link.c.amount_rank, was_today), *adding_up(link.c.amount_rank, was_yesterday))
    return select(*columns).where(is_paid, paid_in(lambda at: at >= bindparam("yesterday")))
