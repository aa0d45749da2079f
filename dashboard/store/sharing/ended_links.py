"""Links that ended unpaid lately, and what is left of each: the challans that no other link has taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Float, and_, bindparam, case, cast, func, select

from dashboard.domain.follow_up import ENDED_LATELY
from dashboard.domain.links import FAILED
from dashboard.domain.money import add_up
from dashboard.domain.sharing import Answer
from dashboard.store.links.tables import link
from dashboard.store.links.totals import Total, adding_up, total_of
from dashboard.store.sharing import questions
from dashboard.store.sharing.left_over import ITS_CHALLAN, SAYS_TAKEN, has_taken, is_left, is_taken, same


@dataclass(frozen=True, slots=True)
class EndedLink:
    """A link that ended unpaid, since when, and what is left of it; `rc` and `total` are None when unknown.

    `free` is how many of its challans no other link has taken; None while that is none of them.
    """

    id: str
    rc: str | None
    status: str
    total: Decimal | None
    expires_at: datetime | None
    since: datetime
    free: int | None = None


@dataclass(frozen=True, slots=True)
class Left:
    """How many challans of an ended link no other link has taken, and what these come to; None where unknown."""

    free: int
    total: Decimal | None


@dataclass(frozen=True, slots=True)
class EndedTotals:
    """The links that `newest` lists, counted and added up.

    Of those in `failed` a payment failed, and no driver has said that no money was taken; `rest` are the others. Of
    `failed`, the drivers of so many `to_ask` were not asked, those of `asked` have not answered, and those of `taken`
    say that money was taken. `only_failed` is the link of `failed` where it is the only one.

    So many of `rest` are `creatable` again without a doubt: no payment of them failed, and their vehicles are known.
    `only_to_create` is that link where it is the only one of `rest`.
    """

    failed: Total
    rest: Total
    to_ask: int
    asked: int
    taken: int
    creatable: int
    only_failed: str | None
    only_to_create: str | None


_IS_TAKEN, _HAS_TAKEN, _IS_LEFT = is_taken(), has_taken(), is_left()
_LINKS = (
    select(link.c.id, link.c.rc, link.c.status, link.c.total, link.c.expires_at, link.c.status_since)
    .where(_IS_LEFT)
    .order_by(link.c.status_since.desc(), link.c.id)
    .limit(bindparam("limit"))
)
_LEFT_OF_LINKS = select(link.c.id, same.c.total_amount).join(same, ITS_CHALLAN).where(_HAS_TAKEN, ~_IS_TAKEN)
_LEFT_OF_LINKS = _LEFT_OF_LINKS.where(link.c.id.in_(bindparam("link_ids", expanding=True)))
# As `amount_rank` has it: less than nothing where it is not known.
_amounts = cast(same.c.total_amount, Float)
_LEFT_RANK = (
    select(case((func.count(same.c.total_amount) < func.count(), -1.0), else_=func.sum(_amounts)))
    .where(ITS_CHALLAN, ~_IS_TAKEN)
    .correlate(link)
    .scalar_subquery()
)
_RANK = case((_HAS_TAKEN, _LEFT_RANK), else_=link.c.amount_rank).label("rank")
# Whoever tried to pay may have lost the money, whether they were given the link from here or not. Only their word that
# none was taken settles that: where it was, somebody sees to it until it is paid or on another link.
_HAS_FAILED = and_(link.c.status == FAILED, ~questions.is_answered(Answer.NOT_TAKEN))
_IS_ASKED = and_(link.c.status == FAILED, questions.is_asked())
_CAN_BE_CREATED = and_(link.c.status != FAILED, link.c.rc.is_not(None))
_rows = (
    select(
        link.c.id,
        _RANK,
        _HAS_FAILED.label("has_failed"),
        _IS_ASKED.label("is_asked"),
        SAYS_TAKEN.label("money_taken"),
        _CAN_BE_CREATED.label("can_be_created"),
    )
    .where(_IS_LEFT)
    .subquery()
    .c
)
_FAILED = select(link.c.id).where(_IS_LEFT, _HAS_FAILED).limit(bindparam("limit"))
_SAY_TAKEN = select(link.c.id, link.c.rc).where(_IS_LEFT, _HAS_FAILED, SAYS_TAKEN).order_by(link.c.id)
_TOTALS = select(
    *adding_up(_rows.rank, _rows.has_failed),
    *adding_up(_rows.rank, ~_rows.has_failed),
    func.count().filter(_rows.has_failed, ~_rows.is_asked),
    func.count().filter(_rows.has_failed, _rows.is_asked, ~_rows.money_taken),
    func.count().filter(_rows.has_failed, _rows.money_taken),
    func.count().filter(~_rows.has_failed, _rows.can_be_created),
    func.min(_rows.id).filter(_rows.has_failed),
    func.min(_rows.id).filter(~_rows.has_failed, _rows.can_be_created),
)

#: How many links `totals` has in `failed`, for a query that reads something else as well; `since` is as in `moments`.
NUMBER_FAILED = select(func.count(link.c.id)).where(_IS_LEFT, _HAS_FAILED).scalar_subquery()


def moments(now: datetime) -> dict[str, Any]:
    """Return the moment by which a link ended lately, as a parameter of a query."""
    return {"since": now - ENDED_LATELY}


def newest(connection: Connection, now: datetime, limit: int) -> list[EndedLink]:
    """Return the links that ended unpaid lately and have challans left, newest first; their totals are of these."""
    found = connection.execute(_LINKS, moments(now) | {"limit": limit}).all()
    left = left_of_those_taken_from(connection, now, [row.id for row in found])
    ended = (EndedLink(*row) for row in found)
    return [
        replace(each, total=left[each.id].total, free=left[each.id].free) if each.id in left else each for each in ended
    ]


def totals(connection: Connection, now: datetime) -> EndedTotals:
    """Count and add up the links that `newest` lists, without a limit."""
    *cells, to_ask, asked, taken, creatable, only_failed, to_create = connection.execute(_TOTALS, moments(now)).one()
    failed, rest = total_of(cells[:3]), total_of(cells[3:])
    of_one = (only_failed if failed.number == 1 else None, to_create if rest.number == 1 else None)
    return EndedTotals(failed, rest, to_ask, asked, taken, creatable, *of_one)


def failed(connection: Connection, now: datetime, limit: int) -> list[str]:
    """Return the ids of links that `totals` has in `failed`."""
    return list(connection.execute(_FAILED, moments(now) | {"limit": limit}).scalars())


def say_taken(connection: Connection, now: datetime) -> dict[str, str | None]:
    """Return the links of `failed` whose drivers say that money was taken, with their vehicles; None where unknown."""
    return {row.id: row.rc for row in connection.execute(_SAY_TAKEN, moments(now))}


def left_of_those_taken_from(connection: Connection, now: datetime, link_ids: Collection[str]) -> dict[str, Left]:
    """Return what is left of those of these ended links of which other links have taken some challans, by link."""
    amounts: dict[str, list[Decimal | None]] = defaultdict(list)
    for row in connection.execute(_LEFT_OF_LINKS, moments(now) | {"link_ids": list(link_ids)}):
        amounts[row.id].append(row.total_amount)
    sums = {link_id: add_up(each) for link_id, each in amounts.items()}
    return {
        link_id: Left(len(amounts[link_id]), None if found.unknown else found.total) for link_id, found in sums.items()
    }
