"""What the ledger adds up to: counted by the database where it can, summed exactly here where amounts are meant."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, func, select

from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.store.links.listing import hours_to_payment
from dashboard.store.links.tables import LIVE, link, link_challan
from dashboard.store.operations.call_counts import call_count

# Written so that the index of the moments is taken, and not that of the states: most links of an old ledger are PAID.
_IS_PAID = func.coalesce(link.c.status, "") == PAID
_OPEN = (link.c.rc, link.c.status, link.c.first_seen_at, link.c.total, link.c.saving)


@dataclass(frozen=True, slots=True)
class Payments:
    """What was paid, what the cheapest way to pay would save of it, and the hours from making to payment, in order."""

    received: Sum
    saved: Sum
    hours: tuple[float, ...]

    @property
    def count(self) -> int:
        return len(self.hours)


def live(connection: Connection) -> Sequence[Any]:
    """Links that may still be paid: vehicle, state, when first met, total, and what the cheapest way to pay saves."""
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
    for row in connection.execute(query).all():
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
    """How many links were paid within each span; one that was PAID and is said to be something else is not."""
    return _counts(connection, link.c.paid_at, spans, _IS_PAID)


def paid_untimed(connection: Connection, since: datetime) -> tuple[int, Sum]:
    """The links that were first seen PAID since a moment and whose payment has no time: how many, and their sum."""
    untimed = (link.c.status == PAID, link.c.status_since >= since, link.c.paid_at.is_(None))
    totals = connection.execute(select(link.c.total).where(*untimed)).scalars().all()
    return len(totals), add_up(totals)


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


def payments(connection: Connection, since: datetime, before: datetime | None = None) -> Payments:
    """The links that are PAID, and were paid within a span."""
    query = select(hours_to_payment(connection), link.c.total, link.c.saving).where(_IS_PAID, link.c.paid_at >= since)
    # Whole columns at once: there are thousands of rows.
    rows = connection.execute(query if before is None else query.where(link.c.paid_at < before)).all()
    hours, totals, savings = list(zip(*rows, strict=True)) or [()] * 3
    return Payments(add_up(totals), add_up(savings), tuple(sorted(max(0.0, float(each)) for each in hours)))


def together(parts: Sequence[Payments]) -> Payments:
    hours = sorted(chain.from_iterable(each.hours for each in parts))
    received, saved = sum((each.received for each in parts), NO_SUM), sum((each.saved for each in parts), NO_SUM)
    return Payments(received, saved, tuple(hours))


def calls_by_day(connection: Connection, since_day: str) -> dict[str, Counter[str]]:
    """Calls to the service by day (as in 2026-11-21, in India) and group."""
    counted: dict[str, Counter[str]] = defaultdict(Counter)
    for row in connection.execute(select(call_count).where(call_count.c.day >= since_day)):
        counted[row.day][row.call_group] += row.calls
    return counted
