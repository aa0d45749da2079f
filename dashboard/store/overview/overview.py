"""Query the figures of the overview: counted by the database where it can, amounts summed exactly in Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Connection, Select, and_, bindparam, case, func, select

from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.domain.money import Sum, add_up
from dashboard.store.creation.possible_makers import is_possibly_ours
from dashboard.store.links.listing import hours_to_payment, paid_in
from dashboard.store.links.tables import LIVE, link, link_challan
from dashboard.store.sharing import shares
from dashboard.store.sharing.drivers import driver
from dashboard.store.sharing.shares import share

# Written so that the database uses the index of the moments, not that of the statuses: most links of an old ledger are
# PAID.
_IS_PAID = func.coalesce(link.c.status, "") == PAID
#: By so many hours at most the service's clock may be behind ours.
_CLOCKS_DIFFER = 0.1
_SINCE: BindParameter[datetime] = bindparam("since")
_BEFORE: BindParameter[datetime] = bindparam("before")
_END: BindParameter[datetime] = bindparam("end")


@dataclass(frozen=True, slots=True)
class OpenLink:
    """A link that can still be paid.

    `first_seen_at` is when the ledger recorded it; `saving` is what the cheapest way to pay saves over the dearest.
    """

    rc: str | None
    status: str
    first_seen_at: datetime
    total: Decimal | None
    saving: Decimal | None
    created_at: datetime | None
    is_ours: bool  # Somebody created it here, when the ledger recorded it.


@dataclass(frozen=True, slots=True)
class Total:
    """How many links, or challans, there are, and the sum of their amounts."""

    count: int
    sum: Sum


@dataclass(frozen=True, slots=True)
class Made:
    """How many links were first recorded in a span, how many of them are PAID by now, whenever that was, and how many
    can still be paid.
    """

    count: int
    paid: int
    open: int

    @property
    def over(self) -> int:
        return self.count - self.open


@dataclass(frozen=True, slots=True)
class Payment:
    """A paid link: its vehicle, who created it, when it was paid, and how many hours it took.

    Without a time of payment `paid_on` is when it was first shown as PAID, and `hours` None. `is_unclear`: nobody is
    known to have created it, but a request whose outcome is unclear may have.
    """

    link_id: str
    rc: str | None
    person_id: int | None
    is_unclear: bool
    paid_on: datetime
    total: Decimal | None
    saving: Decimal | None
    hours: Any  # A number of the database; `Payments` has it as a float.


@dataclass(frozen=True, slots=True)
class Received:
    """Hold what a link received, and when it was paid, or first shown as PAID."""

    paid_on: datetime
    total: Decimal | None


@dataclass(frozen=True, slots=True)
class Payments:
    """The payments of a span: what was received, what the cheapest way to pay would have saved of it at most, and the
    hours from making each link to its payment, in order, of those whose time of payment is known.
    """

    count: int
    received: Sum
    saved: Sum
    hours: tuple[float, ...]


_FIRST = select(func.min(link.c.first_seen_at))
_open_link = (link.c.rc, link.c.status, link.c.first_seen_at, link.c.total, link.c.saving, link.c.created_at)
_OPEN_LINKS = select(*_open_link, link.c.person_id.is_not(None)).where(LIVE)
# Grouped by amount as well, because fines have few different amounts, and SQL cannot add digits up exactly.
_OF_TYPE = (link_challan.c.challan_type, link_challan.c.total_amount)
_OPEN_BY_TYPE = select(*_OF_TYPE, func.count().label("challans")).group_by(*_OF_TYPE)
_OPEN_BY_TYPE = _OPEN_BY_TYPE.where(link_challan.c.link_id.in_(select(link.c.id).where(LIVE)))
_SINCE_BEFORE = link.c.first_seen_at >= _BEFORE
_MADE = select(
    *(
        func.coalesce(func.sum(case((is_counted, 1), else_=0)), 0)
        for of_span in (~_SINCE_BEFORE, _SINCE_BEFORE)
        for is_counted in (of_span, and_(of_span, _IS_PAID), and_(of_span, LIVE))
    )
).where(link.c.first_seen_at >= _SINCE)
_MADE_UNTIL = _MADE.where(link.c.first_seen_at < _END)
_ENDED = select(link.c.total).where(link.c.status.in_(ENDED_STATUSES), link.c.status_since >= _SINCE)
_ENDED_BEFORE = _ENDED.where(link.c.status_since < _BEFORE)
_PAID_SINCE = (_IS_PAID, paid_in(lambda moment: moment >= _SINCE))
_PAID_BETWEEN = (_IS_PAID, paid_in(lambda moment: and_(moment >= _SINCE, moment < _BEFORE)))
_PAID_ON = func.coalesce(link.c.paid_at, link.c.status_since)
_RECEIVED = select(_PAID_ON, link.c.total).where(*_PAID_BETWEEN)
_SHARED = select(share.c.link_id, share.c.driver_id, driver.c.name).join(driver, driver.c.id == share.c.driver_id)
# Not joined, so that the database begins with the payments of the span and not with every share there ever was.
_GIVEN, _GIVEN_BEFORE = (
    _SHARED.where(share.c.link_id.in_(select(link.c.id).where(*paid)), shares.stands()).distinct()
    for paid in (_PAID_SINCE, _PAID_BETWEEN)
)


def first_day(connection: Connection) -> datetime | None:
    """Return when the first link was recorded; None while there is none."""
    return connection.execute(_FIRST).scalar()


def open_links(connection: Connection) -> list[OpenLink]:
    """Return the links that can still be paid."""
    return [OpenLink(*row) for row in connection.execute(_OPEN_LINKS).all()]


def open_challans_by_type(connection: Connection) -> dict[str, Total]:
    """Add up the challans on links that can still be paid, by type; "" for challans without one."""
    counts: Counter[str] = Counter()
    known: Counter[str] = Counter()
    amounts: dict[str, Decimal] = defaultdict(Decimal)
    for row in connection.execute(_OPEN_BY_TYPE).all():
        name = row.challan_type or ""
        counts[name] += row.challans
        if row.total_amount is not None:
            known[name] += row.challans
            amounts[name] += row.total_amount * row.challans
    return {name: Total(count, Sum(amounts[name], count - known[name])) for name, count in counts.items()}


def count_made(
    connection: Connection, earlier: datetime, since: datetime, end: datetime | None = None
) -> tuple[Made, Made]:
    """Count the links that were first recorded from `earlier` to before `since`, and from then to before an end."""
    spans = {"since": earlier, "before": since}
    query, values = (_MADE, spans) if end is None else (_MADE_UNTIL, spans | {"end": end})
    counts = connection.execute(query, values).one()
    return Made(*counts[:3]), Made(*counts[3:])


def ended_unpaid(connection: Connection, since: datetime, before: datetime | None = None) -> Total:
    """Add up the links that ended without payment and were first observed so within a span."""
    query = _ENDED if before is None else _ENDED_BEFORE
    totals = connection.execute(query, _span(since, before)).scalars().all()
    return Total(len(totals), add_up(totals))


def payments(connection: Connection, since: datetime, before: datetime | None = None) -> Payments:
    """Add up the links that are PAID and were paid within a span; without `before` the span has no end."""
    query = _payments(connection.dialect.name, ends=before is not None)
    # Whole columns at once, because there are thousands of rows.
    rows = connection.execute(query, _span(since, before)).all()
    hours, totals, savings = list(zip(*rows, strict=True)) or [()] * 3
    return add_up_payments(hours, totals, savings)


def received(connection: Connection, since: datetime, before: datetime) -> list[Received]:
    """List what was received by the links that are PAID and were paid from a moment to before another."""
    return [Received(*row) for row in connection.execute(_RECEIVED, _span(since, before)).all()]


def add_up_payments(hours: Any, totals: Any, savings: Any) -> Payments:
    """Add up payments that are given by column."""
    taken = (float(each) for each in hours if each is not None)
    # A link that was paid before it was first seen here tells nothing of how long that took.
    known = sorted(max(0.0, each) for each in taken if each > -_CLOCKS_DIFFER)
    return Payments(len(totals), add_up(totals), add_up(savings), tuple(known))


def list_payments(connection: Connection, since: datetime, before: datetime | None = None) -> list[Payment]:
    """List the links that are PAID and were paid within a span; without `before` the span has no end."""
    query = _listed(connection.dialect.name, ends=before is not None)
    rows = connection.execute(query, _span(since, before)).all()
    return [Payment(*row) for row in rows]


def drivers_of_payments(
    connection: Connection, since: datetime, before: datetime | None = None
) -> list[tuple[str, int, str]]:
    """Return whom the links that were paid within a span were given to: pairs of link and driver, with the name."""
    query = _GIVEN if before is None else _GIVEN_BEFORE
    rows = connection.execute(query, _span(since, before)).all()
    return [(row.link_id, row.driver_id, row.name) for row in rows]


def _span(since: datetime, before: datetime | None) -> dict[str, datetime]:
    return {"since": since} if before is None else {"since": since, "before": before}


@cache
def _payments(dialect: str, *, ends: bool) -> Select[Any]:
    query = select(hours_to_payment(dialect), link.c.total, link.c.saving)
    return query.where(*(_PAID_BETWEEN if ends else _PAID_SINCE))


@cache
def _listed(dialect: str, *, ends: bool) -> Select[Any]:
    is_unclear = and_(link.c.person_id.is_(None), is_possibly_ours(link.c.id))
    made = (link.c.id, link.c.rc, link.c.person_id, is_unclear)
    columns = (*made, _PAID_ON, link.c.total, link.c.saving, hours_to_payment(dialect))
    return select(*columns).where(*(_PAID_BETWEEN if ends else _PAID_SINCE))
