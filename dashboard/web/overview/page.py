"""Build the overview from the figures of the store."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from statistics import median
from typing import Any

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.link_filters import DayOf, LinkFilter, SortBy
from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.errors import CallGroup
from dashboard.services.operations.allowances import INDIA
from dashboard.store.links.listing import start_of
from dashboard.store.overview import overview
from dashboard.store.overview.overview import OpenLink, Payments, Span, Total
from dashboard.web.links import filters
from dashboard.web.links.texts import PAID_AFTER
from dashboard.web.overview import texts
from dashboard.web.overview.charts import Chart, Figure, bar_chart, column_chart
from dashboard.web.overview.records import Fact, OverviewPage
from dashboard.web.shared.current import current_services, today, zone
from dashboard.web.shared.texts import link_state

_WEEKS = 12
_CALL_DAYS = 14
_VEHICLES = 10
#: The ages of open links in whole days: from, and to before which.
_AGES = (
    (0, 1, texts.MADE_TODAY),
    (1, 2, texts.YESTERDAY),
    (2, 7, texts.TWO_TO_SIX_DAYS),
    (7, None, texts.SEVEN_DAYS),
)


def overview_page() -> OverviewPage:
    """Build the overview in one read of the store."""
    spans = _week_spans()
    since = spans[0][0]
    with current_services().store.read() as connection:
        open_links = overview.open_links(connection)
        by_status = overview.links_by_status(connection)
        by_type = overview.open_challans_by_type(connection)
        untimed = overview.paid_without_time(connection, since)
        weeks = _weeks(connection, spans, untimed)
        # The span of this week has no end, because the service's clock may be ahead.
        paid_by_week = [overview.payments(connection, start, end) for start, end in spans[:-1]]
        paid_by_week.append(overview.payments(connection, spans[-1][0]))
        calls = overview.calls_by_day(connection, _call_days()[0].isoformat())
    payments = overview.combine(paid_by_week)
    open_statuses = _open_statuses(open_links)
    charts = (
        _by_age(open_links, open_statuses),
        _by_status(by_status),
        _by_vehicle(open_links, open_statuses),
        _by_type(by_type, open_statuses),
        weeks,
        _times_to_payment(payments),
        _savings(paid_by_week),
        _calls(calls),
    )
    facts = _facts(open_links, payments, untimed, open_statuses)
    return OverviewPage(facts, charts, is_empty=not by_status)


def _facts(
    open_links: Sequence[OpenLink], payments: Payments, untimed: Total, open_statuses: tuple[str, ...]
) -> tuple[Fact, ...]:
    owed = add_up(link.total for link in open_links)
    open_savings = add_up(link.saving for link in open_links)
    paid_filter = LinkFilter(states=(PAID,), day_of=DayOf.PAID, first_day=_mondays()[0])
    return (
        Fact(
            texts.OPEN,
            texts.known_sum_of(owed, len(open_links)),
            texts.links(len(open_links), owed),
            _list_address(LinkFilter(states=open_statuses)),
        ),
        Fact(
            texts.paid_in(_WEEKS),
            texts.known_sum_of(payments.received, payments.count),
            texts.links(payments.count, payments.received) + texts.more_paid(untimed.count, untimed.sum),
            _list_address(paid_filter),
        ),
        Fact(
            texts.TIME_TO_PAYMENT,
            texts.duration(median(payments.hours)) if payments.hours else texts.UNKNOWN,
            texts.payments_came_sooner(payments.count),
            None,
        ),
        Fact(
            texts.SAVED,
            texts.sum_of(payments.saved, payments.count),
            texts.saved_at_most(open_savings.total),
            None,
        ),
    )


def _by_age(open_links: Sequence[OpenLink], open_statuses: tuple[str, ...]) -> Chart:
    figures = []
    for first, before, label in _AGES:
        newest = today() - timedelta(days=first)
        oldest = None if before is None else today() - timedelta(days=before - 1)
        begins = None if oldest is None else start_of(oldest, zone())
        ends = start_of(newest + timedelta(days=1), zone())
        links = [
            link
            for link in open_links
            if (begins is None or link.first_seen_at >= begins) and link.first_seen_at < ends
        ]
        asked = LinkFilter(states=open_statuses, first_day=oldest, last_day=newest)
        figures.append(_money_figure(label, links, _list_address(asked) if links else None))
    return bar_chart("age", texts.BY_AGE, texts.AMOUNT, figures)


def _by_status(counts: Mapping[str, int]) -> Chart:
    figures = [
        Figure(
            link_state(status).shown,
            count,
            f"{count:,}",
            _list_address(LinkFilter(states=(status,))) if status else None,
        )
        for status, count in sorted(counts.items(), key=lambda item: -item[1])
    ]
    return bar_chart("state", texts.BY_STATE, texts.LINKS, figures)


def _by_vehicle(open_links: Sequence[OpenLink], open_statuses: tuple[str, ...]) -> Chart:
    grouped: dict[str, list[OpenLink]] = defaultdict(list)
    for link in open_links:
        grouped[link.rc or ""].append(link)
    most = sorted(grouped.items(), key=lambda item: -add_up(link.total for link in item[1]).total)[:_VEHICLES]
    figures = [
        _money_figure(
            spaced(rc) if rc else texts.NO_VEHICLE,
            links,
            _list_address(LinkFilter(vehicle=rc, states=open_statuses)) if rc else None,
        )
        for rc, links in most
    ]
    summary = texts.left_out_vehicles(_VEHICLES, len(grouped) - len(most))
    return bar_chart("vehicle", texts.BY_VEHICLE, texts.AMOUNT, figures, summary)


def _by_type(totals: Mapping[str, Total], open_statuses: tuple[str, ...]) -> Chart:
    figures = [
        Figure(
            name or texts.NO_TYPE,
            float(total.sum.total),
            texts.challans_with_sum(total.count, total.sum),
            _list_address(LinkFilter(challan_type=name, states=open_statuses)) if name else None,
        )
        for name, total in sorted(totals.items(), key=lambda item: -item[1].sum.total)
    ]
    return bar_chart("type", texts.BY_TYPE, texts.AMOUNT, figures)


def _weeks(connection: Connection, spans: Sequence[Span], untimed: Total) -> Chart:
    mondays = _mondays()
    counts = {
        (texts.MADE, DayOf.MADE): overview.count_made(connection, spans),
        (texts.PAID, DayOf.PAID): overview.count_paid(connection, spans),
        (texts.LAPSED, DayOf.ENDED): overview.count_lapsed(connection, spans),
    }
    series = {
        name: [
            Figure(texts.short_day(day), count, f"{count:,}", _week_address(day, day_of) if count else None)
            for day, count in zip(mondays, by_week, strict=True)
        ]
        for (name, day_of), by_week in counts.items()
    }
    labels = [texts.short_day(day) for day in mondays]
    return column_chart("weeks", texts.BY_WEEK, labels, series, texts.paid_in_no_week(untimed.count))


def _times_to_payment(payments: Payments) -> Chart:
    figures, before = [], 0
    for wait, label in PAID_AFTER.items():
        below = wait.hours[1]
        sooner = payments.count if below is None else bisect_left(payments.hours, below)
        asked = LinkFilter(states=(PAID,), day_of=DayOf.PAID, first_day=_mondays()[0], paid_after=wait)
        count = sooner - before
        figures.append(Figure(label, count, f"{count:,}", _list_address(asked) if count else None))
        before = sooner
    return bar_chart("waits", texts.time_to_payment(_WEEKS), texts.LINKS, figures)


def _savings(paid_by_week: Sequence[Payments]) -> Chart:
    mondays = _mondays()
    figures = [
        Figure(
            texts.short_day(day),
            float(payments.saved.total),
            texts.links_with_sum(payments.count, payments.saved),
            _week_address(day, DayOf.PAID) if payments.count else None,
        )
        for day, payments in zip(mondays, paid_by_week, strict=True)
    ]
    labels, series = [texts.short_day(day) for day in mondays], {texts.SAVED_AT_MOST: figures}
    summary = texts.saved_summary(sum(payments.saved.unknown for payments in paid_by_week))
    return column_chart("savings", texts.SAVED_BY_WEEK, labels, series, summary)


def _calls(calls: Mapping[str, Mapping[str, int]]) -> Chart:
    days = _call_days()
    series = {
        name: [
            Figure(texts.short_day(day), count, f"{count:,}")
            for day, count in ((day, calls.get(day.isoformat(), {}).get(group, 0)) for day in days)
        ]
        for group, name in (
            (CallGroup.SEARCH, texts.SEARCHES),
            (CallGroup.CREATE, texts.CREATIONS),
            (CallGroup.STATUS, texts.STATUS_CALLS),
        )
    }
    labels = [texts.short_day(day) for day in days]
    return column_chart("calls", texts.CALLS_BY_DAY, labels, series, texts.CALLS_SUMMARY)


def _money_figure(label: str, links: Sequence[OpenLink], address: str | None) -> Figure:
    total = add_up(link.total for link in links)
    return Figure(label, float(total.total), texts.links_with_sum(len(links), total), address)


def _open_statuses(open_links: Sequence[OpenLink]) -> tuple[str, ...]:
    """Return the statuses of open links, those not documented among them, for the filters that list them."""
    statuses = {link.status for link in open_links if link.status} - {*ENDED_STATUSES, PAID}
    return tuple(sorted(statuses)) or ("ACTIVE",)


def _list_address(asked: LinkFilter) -> str:
    values: dict[str, Any] = filters.write(asked)
    return url_for("links.index", **values)


def _week_address(monday: date, day_of: DayOf) -> str:
    last, states = monday + timedelta(days=6), (PAID,) if day_of is DayOf.PAID else ()
    return _list_address(LinkFilter(states=states, day_of=day_of, first_day=monday, last_day=last, sort=SortBy.MADE))


def _mondays() -> list[date]:
    """Return the Mondays of the weeks that are shown, the oldest first."""
    monday = today() - timedelta(days=today().weekday())
    return [monday - timedelta(weeks=back) for back in range(_WEEKS - 1, -1, -1)]


def _week_spans() -> list[Span]:
    return [(start_of(day, zone()), start_of(day + timedelta(days=7), zone())) for day in _mondays()]


def _call_days() -> list[date]:
    last = current_services().clock().astimezone(INDIA).date()
    return [last - timedelta(days=back) for back in range(_CALL_DAYS - 1, -1, -1)]
