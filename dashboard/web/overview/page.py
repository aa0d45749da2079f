"""What the overview shows, from the sums of the ledger."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from statistics import median
from typing import Any, cast

from flask import current_app, url_for
from sqlalchemy import Connection

from dashboard.domain.link_filters import DayOf, LinkFilter, SortBy
from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.domain.registration import spaced
from dashboard.errors import CallGroup
from dashboard.services.operations.allowances import INDIA
from dashboard.store.links.listing import start_of
from dashboard.store.overview import overview
from dashboard.store.overview.overview import Payments
from dashboard.web.links import filters
from dashboard.web.links.list_page import PAID_AFTER, today, zone
from dashboard.web.shared import charts
from dashboard.web.shared.charts import Chart, Figure
from dashboard.web.shared.current import current_services

_WEEKS = 12
_CALL_DAYS = 14
_VEHICLES = 10
#: The ages of open links, in whole days: from, and to before which.
_AGES = ((0, 1, "Made today"), (1, 2, "Yesterday"), (2, 7, "2 to 6 days ago"), (7, None, "7 days ago and more"))


@dataclass(frozen=True, slots=True)
class Fact:
    """One of the few numbers at the top."""

    label: str
    written: str
    more: str
    address: str | None


@dataclass(frozen=True, slots=True)
class OverviewPage:
    facts: tuple[Fact, ...]
    charts: tuple[Chart, ...]
    is_empty: bool


def overview_page() -> OverviewPage:
    """Everything in one read of the store."""
    services = current_services()
    spans = _week_spans()
    since = spans[0][0]
    with services.store.read() as connection:
        live = overview.live(connection)
        states = overview.states(connection)
        types = overview.types_of_live(connection)
        untimed, untimed_sum = overview.paid_untimed(connection, since)
        weeks = _weeks(connection, spans, untimed)
        # Of this week without an end: the service's clock may be ahead.
        paid_by_week = [overview.payments(connection, start, end) for start, end in spans[:-1]]
        paid_by_week.append(overview.payments(connection, spans[-1][0]))
        payments = overview.together(paid_by_week)
        calls = overview.calls_by_day(connection, _call_days()[0].isoformat())
    open_states = _live_states(live)
    pictures = (
        _by_age(live, open_states),
        _by_state(states),
        _by_vehicle(live, open_states),
        _by_type(types, open_states),
        weeks,
        _waits(payments),
        _savings(paid_by_week),
        _calls(calls),
    )
    more = f"; {untimed:,} more PAID without a time, {_amount(untimed_sum, untimed)}" if untimed else ""
    return OverviewPage(_facts(live, payments, more, open_states), pictures, is_empty=not states)


def _facts(live: Sequence[Any], payments: Payments, more_paid: str, open_states: tuple[str, ...]) -> tuple[Fact, ...]:
    owed, received = add_up(row.total for row in live), payments.received
    open_savings = add_up(row.saving for row in live)
    open_address = _listed(LinkFilter(states=open_states))
    paid_address = _listed(LinkFilter(states=(PAID,), day_of=DayOf.PAID, first_day=_mondays()[0]))
    return (
        Fact("Open", _known(owed, len(live)), _counted(len(live), owed), open_address),
        Fact(
            f"Paid in {_WEEKS} weeks",
            _known(received, payments.count),
            _counted(payments.count, received) + more_paid,
            paid_address,
        ),
        Fact(
            "Time to payment",
            _span(median(payments.hours)) if payments.hours else "unknown",
            _came_sooner(payments.count),
            None,
        ),
        Fact(
            "Saved by the cheaper mode",
            _amount(payments.saved, payments.count),
            f"at most, if all were paid so; {_written(open_savings.total)} more on open links",
            None,
        ),
    )


def _came_sooner(payments: int) -> str:
    if payments > 1:
        return f"half of {payments:,} payments came sooner"
    return "the only payment so far" if payments else "no payment yet"


def _by_age(live: Sequence[Any], open_states: tuple[str, ...]) -> Chart:
    figures = []
    for first, before, label in _AGES:
        newest, oldest = (
            today() - timedelta(days=first),
            None if before is None else today() - timedelta(days=before - 1),
        )
        begins = None if oldest is None else start_of(oldest, zone())
        ends = start_of(newest + timedelta(days=1), zone())
        rows = [row for row in live if (begins is None or row.first_seen_at >= begins) and row.first_seen_at < ends]
        address = _listed(LinkFilter(states=open_states, first_day=oldest, last_day=newest)) if rows else None
        figures.append(_money_figure(label, rows, address))
    return charts.lying_bars("age", "Open, by age", "Amount", figures)


def _by_state(states: dict[str, int]) -> Chart:
    figures = [
        Figure(status or "(not told)", count, f"{count:,}", _listed(LinkFilter(states=(status,))) if status else None)
        for status, count in sorted(states.items(), key=lambda item: -item[1])
    ]
    return charts.lying_bars("state", "Links, by state", "Links", figures)


def _by_vehicle(live: Sequence[Any], open_states: tuple[str, ...]) -> Chart:
    grouped: dict[str, list[Any]] = defaultdict(list)
    for row in live:
        grouped[row.rc or ""].append(row)
    most = sorted(grouped.items(), key=lambda item: -add_up(row.total for row in item[1]).total)[:_VEHICLES]
    figures = [
        _money_figure(
            spaced(rc) if rc else "No vehicle",
            rows,
            _listed(LinkFilter(vehicle=rc, states=open_states)) if rc else None,
        )
        for rc, rows in most
    ]
    more = len(grouped) - len(most)
    summary = f"The {_VEHICLES} vehicles with the most to pay; {more} more have open links." if more > 0 else ""
    return charts.lying_bars("vehicle", "Open, by vehicle", "Amount", figures, summary)


def _by_type(types: dict[str, tuple[int, Sum]], states: tuple[str, ...]) -> Chart:
    figures = [
        Figure(
            name or "Not stated",
            float(total.total),
            f"{_amount(total, count)} · {count:,} challan{'s' if count != 1 else ''}",
            _listed(LinkFilter(challan_type=name, states=states)) if name else None,
        )
        for name, (count, total) in sorted(types.items(), key=lambda item: -item[1][1].total)
    ]
    return charts.lying_bars("type", "Challans on open links, by type", "Amount", figures)


def _weeks(connection: Connection, spans: Sequence[tuple[datetime, datetime]], untimed: int) -> Chart:
    mondays = _mondays()
    counted = {
        ("Made", DayOf.MADE): overview.made(connection, spans),
        ("Paid", DayOf.PAID): overview.paid(connection, spans),
        ("Lapsed", DayOf.ENDED): overview.lapsed(connection, spans),
    }
    series = {
        name: [
            Figure(_short(day), count, f"{count:,}", _of_week(day, day_of) if count else None)
            for day, count in zip(mondays, counts, strict=True)
        ]
        for (name, day_of), counts in counted.items()
    }
    title, labels = "Links made, paid and lapsed, by week", [_short(day) for day in mondays]
    summary = f"{_counted(untimed, NO_SUM)} PAID without a time, and so in no week." if untimed else ""
    return charts.columns("weeks", title, labels, series, summary)


def _waits(payments: Payments) -> Chart:
    figures, before = [], 0
    for wait, label in PAID_AFTER.items():
        below = wait.hours[1]
        sooner = payments.count if below is None else bisect_left(payments.hours, below)
        asked = LinkFilter(states=(PAID,), day_of=DayOf.PAID, first_day=_mondays()[0], paid_after=wait)
        count = sooner - before
        figures.append(Figure(label, count, f"{count:,}", _listed(asked) if count else None))
        before = sooner
    return charts.lying_bars("waits", f"From making to payment, last {_WEEKS} weeks", "Links", figures)


def _savings(paid_by_week: Sequence[Payments]) -> Chart:
    mondays = _mondays()
    figures = [
        Figure(
            _short(day),
            float(payments.saved.total),
            f"{_amount(payments.saved, payments.count)} · {_counted(payments.count, NO_SUM)}",
            _of_week(day, DayOf.PAID) if payments.count else None,
        )
        for day, payments in zip(mondays, paid_by_week, strict=True)
    ]
    labels, series = [_short(day) for day in mondays], {"Saved at most": figures}
    summary = "What the dearest way to pay would have cost more than the cheapest, on what was paid in each week."
    if unknown := sum(payments.saved.unknown for payments in paid_by_week):
        summary += f" Unknown of {_counted(unknown, NO_SUM)}."
    return charts.columns("savings", "Saved by the cheaper mode, by week", labels, series, summary)


def _calls(calls: dict[str, Any]) -> Chart:
    days = _call_days()
    series = {
        name: [Figure(_short(day), count, f"{count:,}") for day in days for count in (calls[day.isoformat()][group],)]
        for group, name in (
            (CallGroup.SEARCH, "Searches and lookups"),
            (CallGroup.CREATE, "Links asked for"),
            (CallGroup.STATUS, "State checks"),
        )
    }
    summary = "The service has daily limits of unknown size for searches and for new links."
    return charts.columns("calls", "Calls to the service, by day", [_short(day) for day in days], series, summary)


def _money_figure(label: str, rows: Sequence[Any], address: str | None) -> Figure:
    total = add_up(row.total for row in rows)
    return Figure(label, float(total.total), f"{_amount(total, len(rows))} · {_counted(len(rows), NO_SUM)}", address)


def _amount(total: Sum, count: int) -> str:
    """The sum of so many amounts; where none is known there is no sum to write."""
    if count and total.unknown == count:
        return f"{count:,} unknown"
    said = _written(total.total)
    return f"{said} + {total.unknown} unknown" if total.unknown else said


def _known(total: Sum, count: int) -> str:
    """The sum of what is known of so many amounts, where the words beside it tell how many are not."""
    return "unknown" if count and total.unknown == count else _written(total.total)


def _written(amount: Decimal) -> str:
    return cast(str, current_app.jinja_env.filters["amount"](amount))


def _counted(count: int, total: Sum) -> str:
    return f"{count:,} link{'s' if count != 1 else ''}" + (
        f", {total.unknown} without an amount" if total.unknown else ""
    )


def _live_states(live: Iterable[Any]) -> tuple[str, ...]:
    found = {row.status for row in live if row.status} - {*ENDED_STATUSES, PAID}
    return tuple(sorted(found)) or ("ACTIVE",)


def _listed(asked: LinkFilter) -> str:
    values: dict[str, Any] = filters.write(asked)
    return url_for("links.index", **values)


def _of_week(monday: date, day_of: DayOf) -> str:
    last, states = monday + timedelta(days=6), (PAID,) if day_of is DayOf.PAID else ()
    return _listed(LinkFilter(states=states, day_of=day_of, first_day=monday, last_day=last, sort=SortBy.MADE))


def _span(hours: float) -> str:
    return f"{round(hours * 60)} min" if hours < 1 else f"{hours:.1f} h" if hours < 48 else f"{hours / 24:.1f} days"


def _mondays() -> list[date]:
    """Of the weeks that are shown, the oldest first."""
    monday = _week_of(today())
    return [monday - timedelta(weeks=back) for back in range(_WEEKS - 1, -1, -1)]


def _week_spans() -> list[tuple[datetime, datetime]]:
    return [(start_of(day, zone()), start_of(day + timedelta(days=7), zone())) for day in _mondays()]


def _week_of(day: date) -> date:
    """The Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def _short(day: date) -> str:
    return f"{day.day} {day:%b}"


def _call_days() -> list[date]:
    last = current_services().clock().astimezone(INDIA).date()
    return [last - timedelta(days=back) for back in range(_CALL_DAYS - 1, -1, -1)]
