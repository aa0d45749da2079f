"""Query the links that a statement is about: everything that was open, made, paid or ended within a period."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select

from dashboard.domain.custom_fields import COST_CENTRE
from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.store.links import custom_fields
from dashboard.store.links.custom_fields import LINK, VEHICLE, custom_field
from dashboard.store.links.records import LINK_COLUMNS, Link
from dashboard.store.links.tables import LIVE, link

#: How many rows are read at once.
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class StatementLink:
    """What a statement needs of a link. `status_since` is when we first observed the status, `first_seen_at` the link;
    `cost_centre` is the link's own, not its vehicle's.
    """

    rc: str | None
    status: str
    status_since: datetime
    paid_at: datetime | None
    first_seen_at: datetime
    total: Decimal | None
    cost_centre: str | None


_COLUMNS = (
    link.c.rc,
    link.c.status,
    link.c.status_since,
    link.c.paid_at,
    link.c.first_seen_at,
    link.c.total,
    custom_field.c.cost_centre,
)


def links_within(connection: Connection, start: datetime, end: datetime) -> Iterator[StatementLink]:
    """Yield every link that was open at some time from `start` to before `end`, or first seen or paid then, unordered.

    Rows are fetched in batches, so that a year needs no more memory than a day.
    """
    first_seen = and_(link.c.first_seen_at >= start, link.c.first_seen_at < end)
    paid = and_(link.c.paid_at >= start, link.c.paid_at < end)
    own = and_(custom_field.c.kind == LINK, custom_field.c.ref == link.c.id)
    query = select(*_COLUMNS).outerjoin_from(link, custom_field, own)
    query = query.where(or_(and_(link.c.first_seen_at < end, _not_over_before(start)), first_seen, paid))
    for row in connection.execute(query, execution_options={"yield_per": _BATCH}):
        yield StatementLink(*row)


def open_at(
    connection: Connection,
    at: datetime,
    limit: int,
    after: tuple[datetime, str] | None = None,
    *,
    rc: str = "",
    cost_centre: str = "",
) -> list[Link]:
    """List the links that were open at a moment, oldest first, as far as is known now.

    `after` is `first_seen_at` and id of the last row shown. `rc` and `cost_centre` narrow the list unless empty.
    """
    query = select(*LINK_COLUMNS).where(link.c.first_seen_at < at, _not_over_before(at))
    if rc:
        query = query.where(link.c.rc == rc)
    if cost_centre:
        query = query.where(custom_fields.matching(COST_CENTRE, cost_centre))
    if after is not None:
        same = and_(link.c.first_seen_at == after[0], link.c.id > after[1])
        query = query.where(or_(link.c.first_seen_at > after[0], same))
    rows = connection.execute(query.order_by(link.c.first_seen_at, link.c.id).limit(limit))
    return [Link(*row) for row in rows]


def _not_over_before(at: datetime) -> ColumnElement[bool]:
    return or_(
        LIVE,
        and_(link.c.status == PAID, func.coalesce(link.c.paid_at, link.c.status_since) >= at),
        and_(link.c.status.in_(ENDED_STATUSES), link.c.status_since >= at),
    )


def has_cost_centres(connection: Connection) -> bool:
    """Return True if a link or a vehicle has a cost centre."""
    written = select(custom_field.c.ref).where(custom_field.c.cost_centre.is_not(None)).limit(1)
    return connection.execute(written).first() is not None


def cost_centres_of_vehicles(connection: Connection) -> dict[str, str]:
    """Return the cost centres of vehicles, by registration number."""
    query = select(custom_field.c.ref, custom_field.c.cost_centre).where(custom_field.c.kind == VEHICLE)
    return {
        row.ref: row.cost_centre for row in connection.execute(query.where(custom_field.c.cost_centre.is_not(None)))
    }
