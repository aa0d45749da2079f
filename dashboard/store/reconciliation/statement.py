"""The links that a statement is about: everything that was open, made, paid or ended within a span of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, and_, func, or_, select

from dashboard.domain.custom_fields import COST_CENTRE
from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.store.links import custom_fields
from dashboard.store.links.custom_fields import LINK, VEHICLE, custom_field
from dashboard.store.links.tables import LIVE, link

_BATCH = 1000
_COLUMNS = (
    link.c.id,
    link.c.rc,
    link.c.status,
    link.c.status_since,
    link.c.paid_at,
    link.c.first_seen_at,
    link.c.total,
)


def moved(connection: Connection, start: datetime, end: datetime) -> Iterator[Row[*tuple[Any, ...]]]:
    """Every link that was open at some time from `start` to before `end`, or was met or paid within, with the cost
    centre of its own; in no order.

    Read as it comes, so that a year of them needs no more memory than a day.
    """
    met = and_(link.c.first_seen_at >= start, link.c.first_seen_at < end)
    paid = and_(link.c.paid_at >= start, link.c.paid_at < end)
    own = and_(custom_field.c.kind == LINK, custom_field.c.ref == link.c.id)
    query = select(*_COLUMNS, custom_field.c.cost_centre).outerjoin_from(link, custom_field, own)
    query = query.where(or_(and_(link.c.first_seen_at < end, _not_over_before(start)), met, paid))
    yield from connection.execute(query, execution_options={"yield_per": _BATCH})


def open_at(
    connection: Connection,
    at: datetime,
    limit: int,
    after: tuple[datetime, str] | None = None,
    *,
    rc: str = "",
    cost_centre: str = "",
) -> Sequence[Row[Any]]:
    """The links that were open at a moment by what is known now, oldest first; `after` is the row that came last.

    Those of a vehicle or of a cost centre alone, when one is named.
    """
    query = select(link).where(link.c.first_seen_at < at, _not_over_before(at))
    if rc:
        query = query.where(link.c.rc == rc)
    if cost_centre:
        query = query.where(custom_fields.matching(COST_CENTRE, cost_centre))
    if after is not None:
        same = and_(link.c.first_seen_at == after[0], link.c.id > after[1])
        query = query.where(or_(link.c.first_seen_at > after[0], same))
    return connection.execute(query.order_by(link.c.first_seen_at, link.c.id).limit(limit)).all()


def _not_over_before(at: datetime) -> ColumnElement[bool]:
    return or_(
        LIVE,
        and_(link.c.status == PAID, func.coalesce(link.c.paid_at, link.c.status_since) >= at),
        and_(link.c.status.in_(ENDED_STATUSES), link.c.status_since >= at),
    )


def has_cost_centres(connection: Connection) -> bool:
    """Whether a cost centre was ever written, of a link or a vehicle."""
    written = select(custom_field.c.ref).where(custom_field.c.cost_centre.is_not(None)).limit(1)
    return connection.execute(written).first() is not None


def cost_centres_of_vehicles(connection: Connection) -> dict[str, str]:
    """The cost centres of vehicles by their number."""
    query = select(custom_field.c.ref, custom_field.c.cost_centre).where(custom_field.c.kind == VEHICLE)
    return {
        row.ref: row.cost_centre for row in connection.execute(query.where(custom_field.c.cost_centre.is_not(None)))
    }
