"""Query the figures of the overview: counted by the database where it can, amounts summed exactly in Python."""

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

#: A span of time: from its first moment to before its last.
Span = tuple[datetime, datetime]

# Written so that the database uses the index of the moments, not that of the statuses: most links of an old ledger are
# PAID.
_IS_PAID = func.coalesce(link.c.status, "") == PAID


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


@dataclass(frozen=True, slots=True)
class Total:
    """How many links, or challans, there are, and the sum of their amounts."""

    count: int
    sum: Sum


@dataclass(frozen=True, slots=True)
class Payments:
    """The payments of a span: what was received, what the cheapest way to pay would have saved of it at most, and the
    hours from making each link to its payment, in order.
    """

    received: Sum
    saved: Sum
    hours: tuple[float, ...]

    @property
    def count(self) -> int:
        return len(self.hours)


def open_links(connection: Connection) -> list[OpenLink]:
    """Return the links that can still be paid."""
    columns = (link.c.rc, link.c.status, link.c.first_seen_at, link.c.total, link.c.saving)
    return [OpenLink(*row) for row in connection.execute(select(*columns).where(LIVE))]


def open_challans_by_type(connection: Connection) -> dict[str, Total]:
    """Add up the challans on links that can still be paid, by type; "" for challans without one."""
    # Grouped by amount as well, because fines have few different amounts, and SQL cannot add digits up exactly.
    grouped = (link_challan.c.challan_type, link_challan.c.total_amount)
    on_open_links = link_challan.c.link_id.in_(select(link.c.id).where(LIVE))
    query = select(*grouped, func.count().label("challans")).where(on_open_links).group_by(*grouped)
    counts: Counter[str] = Counter()
    known: Counter[str] = Counter()
    amounts: dict[str, Decimal] = defaultdict(Decimal)
    for row in connection.execute(query).all():
        name = row.challan_type or ""
        counts[name] += row.challans
        if row.total_amount is not None:
            known[name] += row.challans
            amounts[name] += row.total_amount * row.challans
    return {name: Total(count, Sum(amounts[name], count - known[name])) for name, count in counts.items()}


def links_by_status(connection: Connection) -> dict[str, int]:
    """Count the links by status."""
    query = select(link.c.status, func.count()).group_by(link.c.status)
    return {row.status: row[1] for row in connection.execute(query)}


def count_made(connection: Connection, spans: Iterable[Span]) -> list[int]:
    """Count the links that were first recorded within each span."""
    return _counts(connection, link.c.first_seen_at, spans)


def count_paid(connection: Connection, spans: Iterable[Span]) -> list[int]:
    """Count the links that are PAID and were paid within each span."""
    return _counts(connection, link.c.paid_at, spans, _IS_PAID)


def count_lapsed(connection: Connection, spans: Iterable[Span]) -> list[int]:
    """Count the links that ended without payment and were first observed so within each span."""
    return _counts(connection, link.c.status_since, spans, link.c.status.in_(ENDED_STATUSES))


def _counts(
    connection: Connection, moment: Column[Any], spans: Iterable[Span], *conditions: ColumnElement[bool]
) -> list[int]:
    query = select(func.count()).select_from(link).where(*conditions)
    return [connection.execute(query.where(moment >= start, moment < end)).scalar_one() for start, end in spans]


def paid_without_time(connection: Connection, since: datetime) -> Total:
    """Add up the links that were first observed PAID since a moment, and whose time of payment is not known."""
    untimed = (link.c.status == PAID, link.c.status_since >= since, link.c.paid_at.is_(None))
    totals = connection.execute(select(link.c.total).where(*untimed)).scalars().all()
    return Total(len(totals), add_up(totals))


def payments(connection: Connection, since: datetime, before: datetime | None = None) -> Payments:
    """Add up the links that are PAID and were paid within a span; without `before` the span has no end."""
    query = select(hours_to_payment(connection), link.c.total, link.c.saving).where(_IS_PAID, link.c.paid_at >= since)
    # Whole columns at once, because there are thousands of rows.
    rows = connection.execute(query if before is None else query.where(link.c.paid_at < before)).all()
    hours, totals, savings = list(zip(*rows, strict=True)) or [()] * 3
    return Payments(add_up(totals), add_up(savings), tuple(sorted(max(0.0, float(each)) for each in hours)))


def combine(parts: Sequence[Payments]) -> Payments:
    """Combine the payments of several spans."""
    hours = sorted(chain.from_iterable(each.hours for each in parts))
    received, saved = sum((each.received for each in parts), NO_SUM), sum((each.saved for each in parts), NO_SUM)
    return Payments(received, saved, tuple(hours))


def calls_by_day(connection: Connection, since_day: str) -> dict[str, Counter[str]]:
    """Count the calls to the service by day (as in 2026-11-21, in India) and call group."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for row in connection.execute(select(call_count).where(call_count.c.day >= since_day)):
        counts[row.day][row.call_group] += row.calls
    return counts
