"""Build the page of a statement, whose figures lead to the lists of what they count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime
from typing import Any

from flask import url_for

from dashboard.domain.custom_fields import COST_CENTRE
from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.link_filters import DayOf, LinkFilter
from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.services.reconciliation.statement import Movement, Statement, Tally
from dashboard.store.links import links as stored_links
from dashboard.store.links.listing import start_of
from dashboard.store.reconciliation import statement
from dashboard.web.links import filters
from dashboard.web.links import rows as link_rows
from dashboard.web.reconciliation import statement_texts as texts
from dashboard.web.reconciliation.periods import Period, PeriodProblem, presets, unreadable_days
from dashboard.web.reconciliation.records import Figure, Group, GroupRow, Line, OpenLinksPage, Preset, StatementPage
from dashboard.web.shared import request_args
from dashboard.web.shared.current import current_services, zone

#: The most vehicles or cost centres on the page; an export has them all.
_MOST_ROWS = 200
#: The number of open links on a page.
_PAGE_SIZE = 100


def statement_page(
    made: Statement, period: Period, typed: Mapping[str, str], problem: PeriodProblem | None
) -> StatementPage:
    """Build the page of a statement. `typed` is what the form shows, `problem` what is wrong with it."""
    groups = [_vehicles(made.vehicles, made.whole, period)]
    if made.cost_centres:
        groups.append(_cost_centres(made.cost_centres, made.whole, period))
    moved = not is_empty(made)
    # On the first day of a month today is the month as well.
    chosen = "" if problem else next((label for label, each in presets() if each == period), "")
    return StatementPage(
        title=str(texts.TITLE) if problem else texts.title_of_statement(period.first, period.last),
        days="" if problem else texts.days_of_statement(period.first, period.last),
        typed=typed,
        unreadable=unreadable_days(typed),
        problem=problem,
        presets=tuple(
            Preset(label, url_for("reconciliation.statement", **_in_address(each)), label == chosen)
            for label, each in presets()
        ),
        made_at=made.made_at,
        lines=tuple(_lines(made.whole, period)),
        no_longer_paid=_figure(
            made.no_longer_paid, url_for("reconciliation.index", _anchor=DiscrepancyKind.LATE.value)
        ),
        groups=tuple(groups) if moved else (),
        csv_address=url_for("reconciliation.statement_csv", **_in_address(period)),
        xlsx_address=url_for("reconciliation.statement_xlsx", **_in_address(period)),
        is_empty=not moved,
        is_new=not moved and not _is_any_link_known(),
    )


def _is_any_link_known() -> bool:
    with current_services().store.read() as connection:
        return stored_links.are_any(connection)


def is_empty(made: Statement) -> bool:
    """Return True where no link was open, created or paid in the period."""
    return not (made.whole.opening.links + made.whole.made.links + made.whole.paid.links)


def _lines(moved: Movement, period: Period) -> Iterator[Line]:
    every = LinkFilter()
    yield Line(texts.OPENING, "", _open(moved.opening, period, period.first, every), is_total=True)
    yield Line(texts.MADE, "+", _listed(moved.made, _made(period, every)))
    if moved.recorded_later.links:
        yield Line(texts.RECORDED_LATER, "+", _figure(moved.recorded_later, None), notes=(texts.RECORDED_LATER_NOTE,))
    untimed = moved.paid_untimed
    notes = (texts.paid_untimed(untimed.links, untimed.sum),) if untimed.links else ()
    paid = _listed(_added(moved.paid, untimed), _paid(period, every))
    yield Line(texts.PAID, "−", paid, notes=(*notes, texts.PAID_AFTER_END))
    yield Line(texts.LAPSED, "−", _listed(moved.lapsed, _lapsed(period, every)))
    if moved.paid_before.links:
        yield Line(texts.PAID_BEFORE, "−", _figure(moved.paid_before, None), notes=(texts.PAID_BEFORE_NOTE,))
    yield Line(texts.CLOSING, "=", _open(moved.closing, period, period.after, every), is_total=True)


def _vehicles(movements: Mapping[str, Movement], whole: Movement, period: Period) -> Group:
    rows = tuple(
        GroupRow(
            spaced(rc) if rc else texts.UNKNOWN_VEHICLE,
            bool(rc),
            tuple(_columns(movement, whole, period, LinkFilter(vehicle=rc) if rc else None)),
        )
        for rc, movement in _largest(movements)
    )
    totals = _totals(texts.ALL_VEHICLES, movements, whole, period)
    return Group("vehicles", texts.BY_VEHICLE, texts.VEHICLE, rows, totals, len(movements) - len(rows))


def _cost_centres(movements: Mapping[str, Movement], whole: Movement, period: Period) -> Group:
    rows = tuple(
        GroupRow(
            name or texts.NO_COST_CENTRE,
            False,
            tuple(_columns(movement, whole, period, LinkFilter(custom=((COST_CENTRE.name, name),)) if name else None)),
        )
        for name, movement in _largest(movements)
    )
    totals = _totals(texts.ALL_COST_CENTRES, movements, whole, period)
    return Group("centres", texts.BY_COST_CENTRE, texts.COST_CENTRE, rows, totals, len(movements) - len(rows))


def _totals(name: str, movements: Mapping[str, Movement], whole: Movement, period: Period) -> GroupRow | None:
    return GroupRow(name, False, tuple(_columns(whole, whole, period, LinkFilter()))) if len(movements) > 1 else None


def _largest(movements: Mapping[str, Movement]) -> list[tuple[str, Movement]]:
    """Return the names with the most links, in the order of the names."""
    largest = sorted(movements.items(), key=lambda item: (-_weight(item[1]), item[0]))[:_MOST_ROWS]
    return sorted(largest, key=lambda item: item[0])


def _weight(moved: Movement) -> int:
    return moved.opening.links + moved.made.links + moved.paid.links + moved.lapsed.links


def _columns(
    moved: Movement, whole: Movement, period: Period, every: LinkFilter | None
) -> Iterator[tuple[str, Figure]]:
    """Yield the figures of a group by the head of their column, so that each row adds up.

    Columns that are rare are left out where the whole statement has none.

    `every` finds all links of the group, None if no filter can. The list of paid links counts a payment without a time
    by the same rule as the statement.
    """

    def listed(tally: Tally, narrow: Callable[[Period, LinkFilter], LinkFilter]) -> Figure:
        return _figure(tally, None) if every is None else _listed(tally, narrow(period, every))

    # In the order of the balance, whose columns stand above.
    yield texts.OPENING, _open(moved.opening, period, period.first, every)
    yield texts.MADE, listed(moved.made, _made)
    if whole.recorded_later.links:
        yield texts.RECORDED_LATER, _figure(moved.recorded_later, None)
    yield texts.PAID, listed(_added(moved.paid, moved.paid_untimed), _paid)
    yield texts.LAPSED, listed(moved.lapsed, _lapsed)
    if whole.paid_before.links:
        yield texts.PAID_BEFORE, _figure(moved.paid_before, None)
    yield texts.CLOSING, _open(moved.closing, period, period.after, every)


def _made(period: Period, every: LinkFilter) -> LinkFilter:
    return replace(every, day_of=DayOf.MADE, first_day=period.first, last_day=period.last)


def _paid(period: Period, every: LinkFilter) -> LinkFilter:
    return replace(every, states=(PAID,), day_of=DayOf.PAID, first_day=period.first, last_day=period.last)


def _lapsed(period: Period, every: LinkFilter) -> LinkFilter:
    ended = tuple(sorted(ENDED_STATUSES))
    return replace(every, states=ended, day_of=DayOf.ENDED, first_day=period.first, last_day=period.last)


def _open(tally: Tally, period: Period, day: date, every: LinkFilter | None) -> Figure:
    if every is None or not tally.links:
        return _figure(tally, None)
    return _figure(tally, _open_address(day, every.vehicle, dict(every.custom).get(COST_CENTRE.name, ""), period))


def _open_address(day: date, rc: str, cost_centre: str, period: Period | None, after: str | None = None) -> str:
    values: dict[str, Any] = {"vehicle": rc or None, "cost_centre": cost_centre or None, "after": after}
    return url_for("reconciliation.statement_open", day=day.isoformat(), **values, **_in_address(period))


def _in_address(period: Period | None) -> dict[str, Any]:
    return dict(period.in_address) if period is not None else {}


def _listed(tally: Tally, asked: LinkFilter) -> Figure:
    """Return a figure that leads to the list of links with this filter."""
    if not tally.links:
        return _figure(tally, None)
    values: dict[str, Any] = filters.write(asked)
    return _figure(tally, url_for("links.index", **values))


def _figure(tally: Tally, address: str | None) -> Figure:
    return Figure(tally.links, tally.sum, address if tally.links else None)


# The links that were open when a day began


def open_links_page(
    day: date, rc: str, cost_centre: str, after: tuple[datetime, str] | None, period: Period | None
) -> OpenLinksPage:
    """Build the page of the links that were open when a day began; `period` is that of the statement before it."""
    at = start_of(day, zone())
    with current_services().store.read() as connection:
        found = statement.open_at(connection, at, _PAGE_SIZE + 1, after, rc=rc, cost_centre=cost_centre)
        links = found[:_PAGE_SIZE]
        shown = link_rows.rows(connection, links)
    older = None
    if len(found) > _PAGE_SIZE:
        place = f"{links[-1].id}~{links[-1].first_seen_at.isoformat()}"
        older = _open_address(day, rc, cost_centre, period, place)
    return OpenLinksPage(
        title=texts.open_at_the_end(period.last) if period and day == period.after else texts.open_at_the_start(day),
        of=spaced(rc) if rc else cost_centre,
        rows=shown,
        older=older,
        page_size=_PAGE_SIZE,
        back=url_for("reconciliation.statement", **_in_address(period)),
        sum=add_up(link.total for link in links) if after is None and older is None else None,
    )


def read_after(text: str) -> tuple[datetime, str] | None:
    """Read the place in the list that an address names; None, the start, if it cannot be read."""
    link_id, _, moment = text.partition("~")
    at = request_args.moment(moment)
    return (at, link_id[:36]) if at is not None else None


def _added(one: Tally, other: Tally) -> Tally:
    return Tally(one.links + other.links, one.total + other.total, one.unknown + other.unknown)
