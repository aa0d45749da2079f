"""What the ledger adds up to: counted by the database where it can, summed exactly here where amounts are meant."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, func, select

from dashboard.domain.links import ENDED_STATUSES
from dashboard.domain.money import Sum, add_up
from dashboard.store.call_counts import call_count
from dashboard.store.link_tables import LIVE, link, link_challan

_OPEN = (link.c.id, link.c.rc, link.c.status, link.c.first_seen_at, link.c.total)


def live(connection: Connection) -> Sequence[Any]:
    """Every link that may still be paid: its id, vehicle, state, when it was first met, and its total."""
    return connection.execute(select(*_OPEN).where(LIVE)).all()


def types_of_live(connection: Connection) -> dict[str, tuple[int, Sum]]:
    """The challans on links that may still be paid, by type: how many, and what they come to."""
    # Grouped by amount as well: fines are of few sizes, and the database could not add digits up exactly.
    grouped = (link_challan.c.challan_type, link_challan.c.total_amount)
    on_live = link_challan.c.link_id.in_(select(link.c.id).where(LIVE))
    query = select(*grouped, func.count().label("challans")).where(on_live).group_by(*grouped)
    counted: Counter[str] = Counter()
    known: Counter[str] = Counter()
    totals: dict[str, Decimal] = defaultdict(Decimal)
    for row in connection.execute(query):
        name = row.challan_type or ""
        counted[name] += row.challans
        if row.total_amount is not None:
            known[name] += row.challans
            totals[name] += row.total_amount * row.challans
    return {name: (count, Sum(totals[name], count - known[name])) for name, count in counted.items()}


def states(connection: Connection) -> dict[str, int]:
    """How many links there are in each state."""
    query = select(link.c.status, func.count()).group_by(link.c.status)
    return {row.status: row[1] for row in connection.execute(query)}


def made(connection: Connection, spans: Iterable[tuple[datetime, datetime]]) -> list[int]:
    """How many links were made (or first met) within each span."""
    return _counts(connection, link.c.first_seen_at, spans)


def paid(connection: Connection, spans: Iterable[tuple[datetime, datetime]]) -> list[int]:
    return _counts(connection, link.c.paid_at, spans)


def lapsed(connection: Connection, spans: Iterable[tuple[datetime, datetime]]) -> list[int]:
    """How many of the links that ended without payment were first seen so within each span."""
    return _counts(connection, link.c.status_since, spans, link.c.status.in_(ENDED_STATUSES))


def _counts(
    connection: Connection,
    moment: Column[Any],
    spans: Iterable[tuple[datetime, datetime]],
    *conditions: ColumnElement[bool],
) -> list[int]:
    query = select(func.count()).select_from(link).where(*conditions)
    return [connection.execute(query.where(moment >= start, moment < end)).scalar_one() for start, end in spans]


def payments(connection: Connection, since: datetime) -> Sequence[Any]:
    """The links paid since a moment: when each was made and paid, its total, and what its cheapest way to pay saves."""
    query = select(link.c.created_at, link.c.first_seen_at, link.c.paid_at, link.c.total, link.c.saving)
    return connection.execute(query.where(link.c.paid_at >= since)).all()


def savings(connection: Connection) -> Sum:
    """What the cheapest way to pay saves against the dearest, on all links that may still be paid."""
    return add_up(connection.execute(select(link.c.saving).where(LIVE)).scalars())


def calls_by_day(connection: Connection, since_day: str) -> dict[str, Counter[str]]:
    """Calls to the service by day (as in 2026-11-21, in India) and group."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for row in connection.execute(select(call_count).where(call_count.c.day >= since_day)):
        counted[row.day][row.call_group] += row.calls
    return counted
