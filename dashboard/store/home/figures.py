"""Add up the figures of the first page: links that can still be paid, and what was collected."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select

from dashboard.domain.links import PAID
from dashboard.domain.money import NO_SUM, Sum
from dashboard.store.links.listing import NOT_SENT, ends_before, paid_in
from dashboard.store.links.tables import LIVE, link
from dashboard.store.links.totals import adding_up, total_of


@dataclass(frozen=True, slots=True)
class Figures:
    """Hold how many links can be paid, how many of them end today, how many nobody was given, and how many were paid
    since a moment; each with the sum of their amounts.
    """

    open: tuple[int, Sum]
    ends_today: tuple[int, Sum]
    not_sent: tuple[int, Sum]
    collected: tuple[int, Sum]


def figures(connection: Connection, tomorrow: datetime, since: datetime) -> Figures:
    """Add up the figures: links that end before `tomorrow` end today, and payments count from `since`."""
    waiting = connection.execute(_waiting(), {"tomorrow": tomorrow}).one()
    collected = connection.execute(_collected(), {"since": since}).one()
    parts = [waiting[start : start + 3] for start in (0, 3, 6)]
    totals = [total_of(part) for part in (*parts, collected)]
    return Figures(*((total.number, total.sum or NO_SUM) for total in totals))


@cache
def _waiting() -> Select[Any]:
    amount = link.c.amount_rank
    columns = (
        *adding_up(amount),
        *adding_up(amount, ends_before(bindparam("tomorrow"))),
        *adding_up(amount, NOT_SENT),
    )
    return select(*columns).select_from(link).where(LIVE)


@cache
def _collected() -> Select[Any]:
    # Written so that the database uses the index of the moments: most links of an old ledger are PAID.
    is_paid = func.coalesce(link.c.status, "") == PAID
    return select(*adding_up(link.c.amount_rank)).where(is_paid, paid_in(lambda at: at >= bindparam("since")))
