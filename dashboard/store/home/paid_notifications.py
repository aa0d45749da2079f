"""Read which links of a person became PAID, and record which of them the person has seen.

A link that a person made is unseen from the moment that it was first observed PAID until that person has seen it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Boolean,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Select,
    String,
    Table,
    and_,
    bindparam,
    exists,
    func,
    select,
    update,
)

from dashboard.domain.links import PAID
from dashboard.domain.money import Sum, add_up
from dashboard.store.links.tables import link
from dashboard.store.links.totals import adding_up, total_of
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

#: How many unseen links are added up.
_MOST_ADDED = 500

paid_notification = Table(
    "paid_notification",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    # Everything that turned PAID up to this moment has been seen.
    Column("paid_until", Moment),
    # The person wants browser notifications of paid links.
    Column("notify", Boolean, nullable=False),
)

seen_paid_link = Table(
    "seen_paid_link",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("link_id", String(36), ForeignKey("link.id"), primary_key=True),
    Column("at", Moment, nullable=False),
)
Index("ix_link_person_id_status_status_since", link.c.person_id, link.c.status, link.c.status_since)
_IS_WANTED = select(paid_notification.c.notify).where(paid_notification.c.person_id == bindparam("person_id"))


@dataclass(frozen=True, slots=True)
class PaidLink:
    """Hold a paid link. `paid_since` is when it was first observed PAID, `paid_at` when the service says it was paid.

    `total` is in major units; `rc`, `total` and `paid_at` are None when unknown.
    """

    id: str
    rc: str | None
    total: Decimal | None
    paid_since: datetime
    paid_at: datetime | None


@dataclass(frozen=True, slots=True)
class UnseenPaid:
    """Hold the paid links that a person has not seen, newest first. `count` and `sum` include those beyond the query
    limit; the sum is None where there are too many to add up.
    """

    links: tuple[PaidLink, ...]
    count: int
    sum: Sum | None


def unseen(connection: Connection, person_id: int, limit: int = 12, *, after: datetime | None = None) -> UnseenPaid:
    """Return the paid links that a person made and has not seen; with `after`, only those paid since that moment."""
    listed, added = _unseen(is_later=after is not None)
    given = {"person_id": person_id, "after": after}
    found = tuple(PaidLink(*row[:-1]) for row in connection.execute(listed, given | {"limit": limit}))
    if len(found) < limit:
        return UnseenPaid(found, len(found), add_up(each.total for each in found))
    total = total_of(connection.execute(added, given | {"limit": _MOST_ADDED + 1}).one(), _MOST_ADDED)
    return UnseenPaid(found, _count(connection, person_id, after) if total.more else total.number, total.sum)


def _count(connection: Connection, person_id: int, after: datetime | None) -> int:
    """Count a person's unseen paid links: all that turned PAID, less those seen one by one.

    The first number comes from an index alone, and links seen one by one are few, so both stay fast in a large ledger.
    """
    until = connection.execute(
        select(paid_notification.c.paid_until).where(paid_notification.c.person_id == person_id)
    ).scalar()
    unseen = [link.c.person_id == person_id, link.c.status == PAID]
    unseen += [link.c.status_since > moment for moment in (until, after) if moment is not None]
    seen = exists().where(link.c.id == seen_paid_link.c.link_id, seen_paid_link.c.at >= link.c.status_since, *unseen)
    both = (
        select(func.count()).select_from(link).where(*unseen).scalar_subquery(),
        select(func.count())
        .select_from(seen_paid_link)
        .where(seen_paid_link.c.person_id == person_id, seen)
        .scalar_subquery(),
    )
    paid, seen_one_by_one = connection.execute(select(*both)).one()
    return int(paid - seen_one_by_one)


def is_unseen(connection: Connection, person_id: int, link_id: str) -> bool:
    """Return whether a link is paid, was made by this person, and has not been seen by them."""
    return connection.execute(_is_unseen(), {"person_id": person_id, "link_id": link_id}).first() is not None


@cache
def _is_unseen() -> Select[Any]:
    person_id = bindparam("person_id", type_=Integer())
    # Written so that the database reads the one link by its id, and not every link of the person that is PAID.
    is_theirs = and_(func.coalesce(link.c.person_id, 0) == person_id, func.coalesce(link.c.status, "") == PAID)
    return _select(person_id).where(link.c.id == bindparam("link_id"), is_theirs)


@cache
def _unseen(*, is_later: bool) -> tuple[Select[Any], Select[Any]]:
    """Return the statement of a person's unseen paid links, and that of their sum; with `is_later` those paid since."""
    person_id = bindparam("person_id", type_=Integer())
    query = _select(person_id).where(link.c.person_id == person_id, link.c.status == PAID)
    if is_later:
        query = query.where(link.c.status_since > bindparam("after"))
    query = query.order_by(link.c.status_since.desc(), link.c.id).limit(bindparam("limit"))
    return query, select(*adding_up(query.subquery().c.amount_rank))


def _select(person_id: BindParameter[int]) -> Select[Any]:
    """Select links as `PaidLink` holds them, without those that the person has seen since they were paid."""
    # A link that went back to another state and was paid again is unseen again.
    seen = (seen_paid_link.c.link_id == link.c.id) & (seen_paid_link.c.person_id == person_id)
    seen &= seen_paid_link.c.at >= link.c.status_since
    query = select(link.c.id, link.c.rc, link.c.total, link.c.status_since, link.c.paid_at, link.c.amount_rank)
    query = query.outerjoin(seen_paid_link, seen).outerjoin(
        paid_notification, paid_notification.c.person_id == person_id
    )
    not_all_seen = paid_notification.c.paid_until.is_(None) | (link.c.status_since > paid_notification.c.paid_until)
    return query.where(seen_paid_link.c.at.is_(None), not_all_seen)


def mark_seen(connection: Connection, person_id: int, link_id: str, at: datetime) -> None:
    """Record that a person has seen this link paid."""
    if insert_if_absent(connection, seen_paid_link, person_id=person_id, link_id=link_id, at=at):
        return
    mine = (seen_paid_link.c.person_id == person_id) & (seen_paid_link.c.link_id == link_id)
    connection.execute(update(seen_paid_link).where(mine, seen_paid_link.c.at < at).values(at=at))


def mark_all_seen(connection: Connection, person_id: int, until: datetime) -> None:
    """Record that a person has seen everything paid up to a moment; an earlier moment changes nothing."""
    _ensure(connection, person_id)
    earlier = paid_notification.c.paid_until.is_(None) | (paid_notification.c.paid_until < until)
    mine = update(paid_notification).where(paid_notification.c.person_id == person_id, earlier)
    connection.execute(mine.values(paid_until=until))


def is_wanted(connection: Connection, person_id: int) -> bool:
    """Return whether a person wants browser notifications of paid links."""
    return bool(connection.execute(_IS_WANTED, {"person_id": person_id}).scalar())


def set_wanted(connection: Connection, person_id: int, wanted: bool) -> None:
    """Store whether a person wants browser notifications of paid links."""
    _ensure(connection, person_id)
    connection.execute(
        update(paid_notification).where(paid_notification.c.person_id == person_id).values(notify=wanted)
    )


def _ensure(connection: Connection, person_id: int) -> None:
    insert_if_absent(connection, paid_notification, person_id=person_id, paid_until=None, notify=False)
