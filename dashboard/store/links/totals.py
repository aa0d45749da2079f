"""Count links and add up their amounts: what a filter finds, and each status.

What is added up stops at a limit, so that a frequent condition costs no more than a rare one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from decimal import Decimal
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Connection, bindparam, cast, func, select

from dashboard.domain.link_filters import LinkFilter
from dashboard.domain.money import NO_SUM, Sum
from dashboard.store.links.listing import matching, statuses
from dashboard.store.links.tables import link

#: How many links are added up, and how many where the challans of each link must be read.
COUNTED, COUNTED_BY_CHALLAN = 10_000, 1000
#: SQL adds up whole numbers exactly, and amounts have at most so many decimals.
_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Total:
    """How many links there are, at least so many where there are `more`, and the sum of their amounts.

    The sum is None where adding up stopped.
    """

    number: int
    sum: Sum | None = NO_SUM
    more: bool = False


def adding_up(rank: ColumnElement[Any], *conditions: ColumnElement[bool]) -> tuple[ColumnElement[Any], ...]:
    """Return the columns that `total_of` reads, over the ranks of amounts for which the conditions hold."""
    exact = cast(func.round(rank * 10**_DECIMALS), BigInteger)
    every = func.count().filter(*conditions) if conditions else func.count()
    return every, func.count().filter(rank < 0, *conditions), func.sum(exact).filter(rank >= 0, *conditions)


def total_of(row: Sequence[Any], most: int | None = None) -> Total:
    """Return the total that a row of `adding_up` holds; `most` is the limit at which adding up stopped."""
    number, unknown, units = row
    found = Sum(Decimal(int(units or 0)).scaleb(-_DECIMALS), unknown)
    return Total(number, found) if most is None or number <= most else Total(most, None, more=True)


_AMOUNTS = select(link.c.amount_rank.label("rank")).where(link.c.status == bindparam("status"))
_OF_STATUS_ROWS = _AMOUNTS.limit(bindparam("most")).subquery()
_OF_STATUS = select(*adding_up(_OF_STATUS_ROWS.c.rank))
_EVERY = select(func.count()).select_from(link)
_KNOWN = select(func.count(), func.max(link.c.checked_at))


def known(connection: Connection) -> tuple[int, datetime | None]:
    """Return how many links are known, and when the service last answered about one of them."""
    count, answered_at = connection.execute(_KNOWN).one()
    return count, answered_at


def total(connection: Connection, asked: LinkFilter, zone: tzinfo, now: datetime) -> Total:
    """Add up the links that a filter finds."""
    most = _most(asked)
    found = matching(connection, select(link.c.amount_rank.label("rank")), asked, zone, now).limit(most + 1).subquery()
    return total_of(connection.execute(select(*adding_up(found.c.rank))).one(), most)


def by_status(connection: Connection, asked: LinkFilter, zone: tzinfo, now: datetime) -> dict[str, Total] | None:
    """Add up the links of each status that a filter without states finds; None where there are too many of them.

    For the whole ledger the limit is that of each status.
    """
    if not asked.narrows:
        return {status: _of_status(connection, status) for status in statuses(connection)}
    most = _most(asked)
    columns = link.c.status, link.c.amount_rank.label("rank")
    found = matching(connection, select(*columns), asked, zone, now).limit(most + 1).subquery()
    query = select(found.c.status, *adding_up(found.c.rank)).group_by(found.c.status).order_by(found.c.status)
    totals = {status: total_of(row) for status, *row in connection.execute(query)}
    return totals if sum(each.number for each in totals.values()) <= most else None


def every(connection: Connection, of_statuses: Mapping[str, Total]) -> Total:
    """Add up the whole ledger, from the totals of its statuses. It is counted to the last link."""
    found = add(of_statuses.values())
    return Total(int(connection.execute(_EVERY).scalar_one()), None) if found.more else found


def add(totals: Iterable[Total]) -> Total:
    """Add up the totals of parts."""
    number, found, more = 0, NO_SUM, False
    for each in totals:
        number, more = number + each.number, more or each.more
        found += each.sum or NO_SUM
    return Total(number, None if more else found, more)


def less(whole: Total, part: Total) -> Total:
    """Take a part, which is counted to the last link, out of a total."""
    if whole.sum is None or part.sum is None:
        return Total(whole.number - part.number, None, whole.more)
    left = Sum(whole.sum.total - part.sum.total, whole.sum.unknown - part.sum.unknown)
    return Total(whole.number - part.number, left, whole.more)


def _of_status(connection: Connection, status: str) -> Total:
    row = connection.execute(_OF_STATUS, {"status": status, "most": COUNTED + 1}).one()
    return total_of(row, COUNTED)


def _most(asked: LinkFilter) -> int:
    return COUNTED_BY_CHALLAN if asked.challan_type or asked.text else COUNTED
