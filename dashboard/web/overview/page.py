"""Build the overview of a period from the figures of the store."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median
from typing import TypeVar
from urllib.parse import urlencode

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.link_filters import ELSEWHERE, LinkFilter
from dashboard.domain.links import ENDED_STATUSES, FAILED, PAID
from dashboard.domain.money import add_up
from dashboard.store.links import totals
from dashboard.store.links.listing import start_of
from dashboard.store.overview import overview
from dashboard.store.overview.overview import OpenLink, Total, add_up_payments
from dashboard.web.links.list_texts import PAID_AFTER
from dashboard.web.overview import changes, texts
from dashboard.web.overview.by_day import by_day
from dashboard.web.overview.charts import Chart, Figure, bar_chart
from dashboard.web.overview.figures import Figures
from dashboard.web.overview.lists import (
    WithTotal,
    ended_in,
    list_address,
    made_in,
    money_figure,
    paid_in,
    vehicle_figure,
)
from dashboard.web.overview.periods import LENGTHS, Period, last_days
from dashboard.web.overview.records import Better, Fact, OverviewPage
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, name_of, today, zone
from dashboard.web.shared.menu import waiting_counts
from dashboard.web.shared.periods import PeriodChoice, PeriodForm, PeriodProblem
from dashboard.web.shared.service_words import challan_type

#: The most bars of a chart.
_MOST_BARS = 10
#: The ages of open links in whole days: from, and to before which.
_AGES = (
    (0, 1, texts.MADE_TODAY),
    (1, 2, texts.YESTERDAY),
    (2, 7, texts.TWO_TO_SIX_DAYS),
    (7, None, texts.SEVEN_DAYS),
)


Key = TypeVar("Key", bound=Hashable)
Link = TypeVar("Link", bound="WithTotal")


def overview_page(period: Period) -> OverviewPage:
    """Build the overview of a period in one read of the store."""
    earlier, end = period.before.start, period.end_if_over
    with current_services().store.read() as connection:
        first_link = overview.first_day(connection)
        open_links = overview.open_links(connection)
        by_type = overview.open_challans_by_type(connection)
        paid = overview.list_payments(connection, period.start, end)
        payments_before = overview.payments(connection, earlier, period.start)
        received_before = overview.received(connection, earlier, period.start)
        made_before, made = overview.count_made(connection, earlier, period.start, end)
        made_sum = totals.total(connection, made_in(period), zone(), current_services().clock()).sum
        ended = overview.ended_unpaid(connection, period.start, end)
        ended_before = overview.ended_unpaid(connection, earlier, period.start)
        failed = _failed(connection, period) if ended.count else 0
        given = overview.drivers_of_payments(connection, period.start, end)
    drivers: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for link_id, driver_id, name in given:
        drivers[link_id].append((driver_id, name))
    figures = Figures(
        period=period,
        first_link=first_link or current_services().clock(),
        paid=paid,
        payments=add_up_payments([p.hours for p in paid], [p.total for p in paid], [p.saving for p in paid]),
        payments_before=payments_before,
        received_before=received_before,
        made=made,
        made_before=made_before,
        made_sum=made_sum,
        ended=ended,
        ended_before=ended_before,
        failed=failed,
        given=drivers,
    )
    statuses = _open_statuses(open_links)
    # What they have in sum is a number above: one alone tells whose it is, or nothing.
    # What can still be done something about comes first.
    named = (_open_by_vehicle(open_links, statuses), _by_vehicle(figures), _by_driver(figures), _by_person(figures))
    by_age = _open_by_age(open_links, statuses)
    divided = (_times_to_payment(figures), _by_type(by_type, statuses))
    return OverviewPage(
        compared=_compared(figures),
        open_now=_open_now(open_links, statuses, by_age),
        open_by_age=by_age if len(by_age.bars) > 1 else None,
        waiting=waiting_counts().get("follow_up", 0),
        collected=_collected(figures),
        by_day=by_day(figures) if _has_days(figures) else None,
        facts=_facts(figures, open_links),
        parts=tuple([chart for chart in named if chart.bars] + [chart for chart in divided if len(chart.bars) > 1]),
        is_empty=first_link is None,
        nothing_paid="" if paid else texts.nothing_paid(is_new=bool(figures.unknown_days)),
    )


def period_form(period: Period, typed: Mapping[str, str], problem: PeriodProblem | None) -> PeriodForm:
    """Offer other periods. `typed` is what the address names, `problem` what is wrong with it."""
    months = ((shared_texts.THIS_MONTH, Period.this_month()), (shared_texts.LAST_MONTH, Period.last_month()))
    return PeriodForm(
        action=url_for("overview.index"),
        days=period.in_words,
        typed=typed if any(typed.values()) else period.in_address,
        problem=problem,
        choices=tuple(
            PeriodChoice(
                texts.last_days(length),
                url_for("overview.index", days=length),
                is_chosen=period == last_days(length),
            )
            for length in LENGTHS
        ),
        more=tuple(PeriodChoice(label, _address_of(month), is_chosen=period == month) for label, month in months),
    )


def _failed(connection: Connection, period: Period) -> int:
    """Count the links whose payment failed, of those that ended unpaid in a period."""
    asked = replace(ended_in(period), states=(FAILED,))
    return totals.total(connection, asked, zone(), current_services().clock()).number


def _address_of(period: Period) -> str:
    return f"{url_for('overview.index')}?{urlencode(period.in_address)}"


def _compared(figures: Figures) -> str:
    """Say what the period is compared with, or why with nothing; a chart says itself of which days nothing is known."""
    if figures.can_compare:
        return texts.compared_with(figures.period.before.in_words)
    if figures.unknown_days:
        return "" if _has_days(figures) else texts.begins(figures.first_day)
    if figures.period.last_day is not None:  # Its days before will never be known.
        return texts.begins(figures.first_day)
    known_from = figures.first_link.astimezone(zone()).date()
    return texts.not_compared_yet(known_from + timedelta(days=2 * figures.period.length - 1))


def _has_days(figures: Figures) -> bool:
    """Return whether something was paid, and not all of what is known is of one day: its sum is a number above."""
    return bool(figures.paid) and figures.first_day < figures.period.last


def _collected(figures: Figures) -> Fact:
    paid, before = figures.payments, figures.payments_before
    untimed = [payment.total for payment in figures.paid if payment.hours is None]
    return Fact(
        texts.COLLECTED,
        texts.known_sum_of(paid.received, paid.count),
        texts.links(paid.count, paid.received) if paid.count else "",
        list_address(paid_in(figures.period)) if paid.count else None,
        changes.of_amount(paid.received.total, before.received.total, Better.YES) if figures.can_compare else None,
        texts.untimed(len(untimed), add_up(untimed)),
    )


def _open_now(open_links: Sequence[OpenLink], statuses: tuple[str, ...], by_age: Chart) -> Fact:
    owed = add_up(link.total for link in open_links)
    of_one_age = by_age.bars if len(by_age.bars) == 1 else ()
    return Fact(
        texts.OPEN_NOW,
        texts.known_sum_of(owed, len(open_links)),
        " · ".join([texts.links(len(open_links), owed), *(str(bar.figure.label) for bar in of_one_age)]),
        list_address(LinkFilter(states=statuses)) if open_links else None,
    )


def _facts(figures: Figures, open_links: Sequence[OpenLink]) -> tuple[Fact, ...]:
    """Return the facts of the period; a number that is zero, and was before, tells nothing.

    Nor does the number of links while all of them are open, because that one stands above.
    """
    period = figures.period
    made = _count(
        figures, texts.MADE, figures.made.count, figures.made_before.count, made_in(period), more_is=Better.NEITHER
    )
    ended = _count(
        figures,
        texts.ENDED_UNPAID,
        figures.ended.count,
        figures.ended_before.count,
        ended_in(period),
        more_is=Better.NO,
    )
    worth = texts.sum_of(figures.ended.sum, figures.ended.count) if figures.ended.count else ""
    made_worth = texts.sum_of(figures.made_sum, figures.made.count) if figures.made_sum and figures.made.count else ""
    made = (replace(fact, more=made_worth) for fact in made)
    if not figures.can_compare and not figures.made.over and figures.made.count == len(open_links):
        made = ()
    failed = texts.payments_failed(figures.failed) if figures.failed else ""
    facts = [*made, *_paid_of_made(figures), *(replace(fact, more=worth, besides=failed) for fact in ended)]
    if figures.payments.count:
        facts += _facts_of_payments(figures, add_up(link.saving for link in open_links).total)
    return tuple(facts)


def _count(figures: Figures, label: str, now: int, then: int, asked: LinkFilter, *, more_is: Better) -> Iterable[Fact]:
    if now or (then and figures.can_compare):
        change = changes.of_count(now, then, more_is) if figures.can_compare else None
        yield Fact(label, texts.number(now), "", list_address(asked) if now else None, change)


def _paid_of_made(figures: Figures) -> Iterable[Fact]:
    """Return how many of the links of the period were paid, of those whose time is over; nothing where none is."""
    made, before = figures.made, figures.made_before
    if made.over:
        asked = replace(made_in(figures.period), states=(PAID,))
        share = texts.in_percent(made.paid, made.over)
        yield Fact(
            texts.paid_of(made.over),
            texts.percent(share),
            texts.paid_number(made.paid),
            list_address(asked) if made.paid else None,
            changes.of_share(share, texts.in_percent(before.paid, before.over))
            if figures.can_compare and before.over
            else None,
            besides=texts.not_over(made.open),
        )


def _facts_of_payments(figures: Figures, on_open_links: Decimal) -> Iterable[Fact]:
    paid, before, address = figures.payments, figures.payments_before, list_address(paid_in(figures.period))
    if paid.hours:
        yield Fact(
            texts.TIME_TO_PAYMENT,
            texts.duration(median(paid.hours)),
            texts.median_of(len(paid.hours), paid.count),
            # The list has the payments of unknown time as well.
            address if len(paid.hours) == paid.count else None,
            changes.of_duration(median(paid.hours), median(before.hours))
            if figures.can_compare and before.hours
            else None,
        )
    yield Fact(
        texts.SAVED,
        texts.known_sum_of(paid.saved, paid.count),
        "",
        address,
        changes.of_amount(paid.saved.total, before.saved.total, Better.NEITHER) if figures.can_compare else None,
        besides=texts.saved_besides(paid.saved.unknown, on_open_links),
    )


# Collected in the period


def _by_vehicle(figures: Figures) -> Chart:
    grouped = _grouped((payment.rc or "", payment) for payment in figures.paid)
    bars = [vehicle_figure(rc, paid, replace(paid_in(figures.period), vehicle=rc)) for rc, paid in _largest(grouped)]
    left_out = texts.more_vehicles(len(grouped) - len(bars))
    chart = bar_chart("vehicles", texts.BY_VEHICLE, texts.COLLECTED, bars, left_out)
    return replace(chart, more=f"{url_for('reconciliation.statement')}?{urlencode(figures.period.in_address)}")


def _by_driver(figures: Figures) -> Chart:
    given = ((each, payment) for payment in figures.paid for each in figures.given.get(payment.link_id, ()))
    grouped = _grouped(given)
    bars = [
        money_figure(name, paid, list_address(replace(paid_in(figures.period), driver=str(driver_id))))
        for (driver_id, name), paid in _largest(grouped)
    ]
    summary = texts.drivers_summary(
        given_to_several=any(len(each) > 1 for each in figures.given.values()),
        left_out=texts.more_drivers(len(grouped) - len(bars)),
    )
    to_nobody = [payment for payment in figures.paid if payment.link_id not in figures.given]
    if bars and to_nobody:
        bars.append(replace(money_figure(texts.NO_DRIVER, to_nobody, None), is_rest=True))
        bars.sort(key=lambda figure: -figure.value)
    return bar_chart("drivers", texts.BY_DRIVER, texts.COLLECTED, bars, summary)


def _by_person(figures: Figures) -> Chart:
    grouped = _grouped(((payment.person_id, payment.is_unclear), payment) for payment in figures.paid)
    bars = []
    for (person_id, is_unclear), paid in _largest(grouped):
        name = name_of(person_id) if person_id is not None else texts.UNCLEAR if is_unclear else texts.ELSEWHERE
        asked = replace(paid_in(figures.period), creator=ELSEWHERE if person_id is None else str(person_id))
        bars.append(money_figure(name, paid, None if is_unclear else list_address(asked)))
    left_out = texts.more_people(len(grouped) - len(bars))
    return bar_chart("people", texts.BY_PERSON, texts.COLLECTED, bars, left_out)


def _times_to_payment(figures: Figures) -> Chart:
    hours, bars, before = figures.payments.hours, [], 0
    for wait, label in PAID_AFTER.items():
        below = wait.hours[1]
        sooner = len(hours) if below is None else bisect_left(hours, below)
        count, before = sooner - before, sooner
        if count:
            asked = replace(paid_in(figures.period), paid_after=wait)
            bars.append(Figure(label, count, texts.links(count), list_address(asked)))
    return bar_chart("waits", texts.FROM_CREATION_TO_PAYMENT, texts.LINKS, bars)


# Open now


def _open_by_age(open_links: Sequence[OpenLink], statuses: tuple[str, ...]) -> Chart:
    bars = []
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
        if links:
            is_made = all(each.is_ours or _is_since(each, start_of(newest, zone())) for each in links)
            named = label if first or is_made else texts.SEEN_TODAY
            asked = LinkFilter(states=statuses, first_day=oldest, last_day=newest)
            bars.append(money_figure(named, links, list_address(asked)))
    return bar_chart("age", texts.OPEN_NOW, texts.AMOUNT, bars)


def _is_since(link: OpenLink, begins: datetime) -> bool:
    """Return whether a link is known to have been created since then."""
    return link.created_at is not None and link.created_at >= begins


def _open_by_vehicle(open_links: Sequence[OpenLink], statuses: tuple[str, ...]) -> Chart:
    grouped = _grouped((link.rc or "", link) for link in open_links)
    bars = [vehicle_figure(rc, links, LinkFilter(vehicle=rc, states=statuses)) for rc, links in _largest(grouped)]
    left_out = texts.more_vehicles(len(grouped) - len(bars))
    return bar_chart("vehicle", texts.OPEN_BY_VEHICLE, texts.AMOUNT, bars, left_out)


def _by_type(totals: Mapping[str, Total], statuses: tuple[str, ...]) -> Chart:
    # Beside those that are shown as sent, no other is shown in words.
    in_words = all(challan_type(name) != name for name in totals if name)
    bars = [
        Figure(
            (challan_type(name) if in_words else name) if name else texts.NO_TYPE,
            float(total.sum.total),
            texts.challans_with_sum(total.count, total.sum),
            list_address(LinkFilter(challan_type=name, states=statuses)) if name else None,
        )
        for name, total in sorted(totals.items(), key=lambda item: -item[1].sum.total)
    ]
    return bar_chart("type", texts.BY_TYPE, texts.AMOUNT, bars)


# Parts of all of them


def _grouped(pairs: Iterable[tuple[Key, Link]]) -> dict[Key, list[Link]]:
    grouped: dict[Key, list[Link]] = defaultdict(list)
    for key, each in pairs:
        grouped[key].append(each)
    return grouped


def _largest(grouped: Mapping[Key, list[Link]]) -> list[tuple[Key, list[Link]]]:
    """Return the groups with the largest amounts, the largest first."""
    return sorted(grouped.items(), key=lambda item: -add_up(each.total for each in item[1]).total)[:_MOST_BARS]


def _open_statuses(open_links: Sequence[OpenLink]) -> tuple[str, ...]:
    """Return the statuses of open links, those not documented among them, for the filters that list them."""
    statuses = {link.status for link in open_links if link.status} - {*ENDED_STATUSES, PAID}
    return tuple(sorted(statuses)) or ("ACTIVE",)
