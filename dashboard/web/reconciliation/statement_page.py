"""Build the page of a statement, whose figures lead to the lists of what they count."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
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
from dashboard.web.reconciliation import other_discrepancies
from dashboard.web.reconciliation import statement_texts as texts
from dashboard.web.reconciliation.periods import Asked, By, Moment, Period, presets
from dashboard.web.reconciliation.records import Figure, Group, GroupRow, Line, OpenLinksPage, StatementPage, View
from dashboard.web.shared import request_args
from dashboard.web.shared.current import current_services, today, zone
from dashboard.web.shared.periods import PeriodChoice, PeriodForm, PeriodProblem

#: The most vehicles or cost centres on the page; an export has them all.
_MOST_ROWS = 200
#: What is said of a link that is open: whoever asks for its money knows that its amount or its challans are wrong.
_WRONG = (DiscrepancyKind.SUMS, DiscrepancyKind.CHALLANS)
#: The number of open links on a page.
_PAGE_SIZE = 100


def statement_page(
    made: Statement, asked: Asked, typed: Mapping[str, str], problem: PeriodProblem | None
) -> StatementPage:
    """Build the page of a statement. `typed` is what the form shows, `problem` what is wrong with it."""
    period = asked.period
    offered = dict(_views(made, period))
    asked = asked if asked.by in offered else Asked(period)
    moved = not is_empty(made)
    # On the first day of a month today is the month as well.
    chosen = next((label for label, each in presets() if each == period), "")
    return StatementPage(
        title=texts.title_of_statement(period.first, period.last),
        period=PeriodForm(
            action=url_for("reconciliation.statement"),
            days=period.in_words,
            typed=typed,
            problem=problem,
            choices=tuple(
                PeriodChoice(label, _address(Asked(each, asked.by)), label == chosen) for label, each in presets()
            ),
            kept={"by": asked.by.value} if asked.by is not By.VEHICLE else {},
        ),
        made_at=made.made_at,
        lines=tuple(_lines(made, asked)),
        no_longer_paid=_figure(
            made.no_longer_paid, url_for("reconciliation.index", _anchor=DiscrepancyKind.LATE.value)
        ),
        views=tuple(View(label, _address(Asked(period, by)), by is asked.by) for by, label in offered.items())
        if len(offered) > 1
        else (),
        group=_group(made, asked) if moved else None,
        csv_address=url_for("reconciliation.statement_csv", **_in_address(asked)),
        xlsx_address=url_for("reconciliation.statement_xlsx", **_in_address(asked)),
        is_empty=not moved,
        is_new=not moved and not _is_any_link_known(),
    )


def _is_any_link_known() -> bool:
    with current_services().store.read() as connection:
        return stored_links.are_any(connection)


def is_empty(made: Statement) -> bool:
    """Return True where no link was open, created or paid in the period."""
    return not (made.whole.opening.links + made.whole.made.links + made.whole.paid.links)


def _views(made: Statement, period: Period) -> Iterator[tuple[By, str]]:
    """Yield what can have a row each in a statement, with its name."""
    yield By.VEHICLE, texts.VEHICLE
    if period.first != period.last:
        yield By.DAY, texts.MONTH if period.is_long else texts.DAY
    if made.cost_centres:
        yield By.COST_CENTRE, texts.COST_CENTRE


def _group(made: Statement, asked: Asked) -> Group:
    if asked.by is By.DAY:
        return _days(made, asked)
    return _cost_centres(made, asked) if asked.by is By.COST_CENTRE else _vehicles(made, asked)


def _is_any_found_paid(made: Statement, asked: Asked) -> bool:
    """Return whether the figures that are shown count a link as made on another day than it was found."""
    shown = [made.whole, *(made.spans.values() if asked.by is By.DAY else ())]
    return any(each.found_paid for each in shown)


def _lines(made: Statement, asked: Asked) -> Iterator[Line]:
    moved, every, period = made.whole, LinkFilter(), asked.period
    yield Line(texts.OPENING, "", _open(moved.opening, asked, Moment(period.first), every), is_total=True)
    found = (texts.MADE_WHEN_PAID,) if _is_any_found_paid(made, asked) else ()
    yield Line(texts.MADE, "+", _created(moved, period, every), notes=found)
    untimed = moved.paid_untimed
    notes = (texts.paid_untimed(untimed.links, untimed.sum),) if untimed.links else ()
    paid = _listed(_added(moved.paid, untimed), _paid(period, every))
    yield Line(texts.PAID, "−", paid, notes=(*notes, texts.PAID_AFTER_END))
    lapsed = _listed(moved.lapsed, _lapsed(period, every))
    yield Line(texts.LAPSED, "−", lapsed, notes=(texts.LAPSED_WHEN_SEEN,) if moved.lapsed.links else ())
    closing = texts.closing(is_running=_is_running(period.last))
    yield Line(closing, "=", _open(moved.closing, asked, Moment(period.last, at_end=True), every), is_total=True)


def _vehicles(made: Statement, asked: Asked) -> Group:
    rows = tuple(
        GroupRow(
            spaced(rc) if rc else texts.UNKNOWN_VEHICLE,
            bool(rc),
            tuple(_columns(movement, asked, asked.period, LinkFilter(vehicle=rc) if rc else None)),
        )
        for rc, movement in _largest(made.vehicles)
    )
    totals = _totals(texts.ALL_VEHICLES, rows, made, asked)
    return Group("vehicles", texts.BY_VEHICLE, texts.VEHICLE, rows, totals, len(made.vehicles) - len(rows))


def _cost_centres(made: Statement, asked: Asked) -> Group:
    def of(name: str) -> LinkFilter | None:
        return LinkFilter(custom=((COST_CENTRE.name, name),)) if name else None

    rows = tuple(
        GroupRow(name or texts.NO_COST_CENTRE, False, tuple(_columns(movement, asked, asked.period, of(name))))
        for name, movement in _largest(made.cost_centres)
    )
    totals = _totals(texts.ALL_COST_CENTRES, rows, made, asked)
    return Group("centres", texts.BY_COST_CENTRE, texts.COST_CENTRE, rows, totals, len(made.cost_centres) - len(rows))


def _days(made: Statement, asked: Asked) -> Group:
    """Return a row for each day, or for each month of a long period, in which something moved."""
    is_long, spans = asked.period.is_long, list(asked.period.spans())
    rows = tuple(
        GroupRow(
            span.in_words if is_long else texts.short_day(span.first),
            False,
            tuple(_columns(made.spans[span.start], asked, span, LinkFilter())),
            _address(Asked(span, By.DAY if is_long else By.VEHICLE)),
        )
        for span in spans
        if span.start in made.spans
    )
    title, head, name = (
        (texts.BY_MONTH, texts.MONTH, texts.ALL_MONTHS) if is_long else (texts.BY_DAY, texts.DAY, texts.ALL_DAYS)
    )
    still = sum(span.start not in made.spans and span.first <= today() for span in spans)
    without = texts.without_movement(still, are_months=is_long) if rows else texts.NOTHING_MOVED
    return Group("days", title, head, rows, _totals(name, rows, made, asked), 0, without)


def _totals(name: str, rows: Sequence[GroupRow], made: Statement, asked: Asked) -> GroupRow | None:
    if len(rows) < 2:
        return None
    return GroupRow(name, False, tuple(_columns(made.whole, asked, asked.period, LinkFilter())))


def _largest(movements: Mapping[str, Movement]) -> list[tuple[str, Movement]]:
    """Return the names with the most links, in the order of the names."""
    largest = sorted(movements.items(), key=lambda item: (-_weight(item[1]), item[0]))[:_MOST_ROWS]
    return sorted(largest, key=lambda item: item[0])


def _weight(moved: Movement) -> int:
    return moved.opening.links + moved.made.links + moved.paid.links + moved.lapsed.links


def _columns(moved: Movement, asked: Asked, period: Period, every: LinkFilter | None) -> Iterator[tuple[str, Figure]]:
    """Yield the figures of a row by the head of their column, so that each row adds up. `period` is that of the row.

    `every` finds all links of the group, None if no filter can. The list of paid links counts a payment without a time
    by the same rule as the statement.
    """

    def listed(tally: Tally, narrow: Callable[[Period, LinkFilter], LinkFilter]) -> Figure:
        return _figure(tally, None) if every is None else _listed(tally, narrow(period, every))

    # In the order of the balance, whose columns stand above.
    yield texts.OPENING, _open(moved.opening, asked, Moment(period.first), every)
    yield texts.MADE, _created(moved, period, every)
    yield texts.PAID, listed(_added(moved.paid, moved.paid_untimed), _paid)
    yield texts.LAPSED, listed(moved.lapsed, _lapsed)
    # Of a row for each day the head of the column is the same for those that are over.
    closing = texts.closing(is_running=asked.by is not By.DAY and _is_running(period.last))
    yield closing, _open(moved.closing, asked, Moment(period.last, at_end=True), every)


def _is_running(last: date) -> bool:
    """Return whether days are not over, so that what is open at their end is what is open now."""
    return last >= today()


def _created(moved: Movement, period: Period, every: LinkFilter | None) -> Figure:
    """Return the figure of what was created; the list goes by when a link was found, which is later for some."""
    if every is None or moved.found_paid:
        return _figure(moved.made, None)
    return _listed(moved.made, _made(period, every))


def _made(period: Period, every: LinkFilter) -> LinkFilter:
    return replace(every, day_of=DayOf.MADE, first_day=period.first, last_day=period.last)


def _paid(period: Period, every: LinkFilter) -> LinkFilter:
    return replace(every, states=(PAID,), day_of=DayOf.PAID, first_day=period.first, last_day=period.last)


def _lapsed(period: Period, every: LinkFilter) -> LinkFilter:
    ended = tuple(sorted(ENDED_STATUSES))
    return replace(every, states=ended, day_of=DayOf.ENDED, first_day=period.first, last_day=period.last)


def _open(tally: Tally, asked: Asked, moment: Moment, every: LinkFilter | None) -> Figure:
    if every is None or not tally.links:
        return _figure(tally, None)
    return _figure(tally, _open_address(moment, every.vehicle, dict(every.custom).get(COST_CENTRE.name, ""), asked))


def _open_address(moment: Moment, rc: str, cost_centre: str, asked: Asked | None, after: str | None = None) -> str:
    values: dict[str, Any] = {"vehicle": rc or None, "cost_centre": cost_centre or None, "after": after}
    values["at"] = "end" if moment.at_end else None
    return url_for("reconciliation.statement_open", day=moment.day.isoformat(), **values, **_in_address(asked))


def _address(asked: Asked | None) -> str:
    return url_for("reconciliation.statement", **_in_address(asked))


def _in_address(asked: Asked | None) -> dict[str, Any]:
    return dict(asked.in_address) if asked is not None else {}


def _listed(tally: Tally, asked: LinkFilter) -> Figure:
    """Return a figure that leads to the list of links with this filter."""
    if not tally.links:
        return _figure(tally, None)
    values: dict[str, Any] = filters.write(asked)
    return _figure(tally, url_for("links.index", **values))


def _figure(tally: Tally, address: str | None) -> Figure:
    return Figure(tally.links, tally.sum, address if tally.links else None)


# The links that were open when a day began or ended


def open_links_page(
    moment: Moment, rc: str, cost_centre: str, after: tuple[datetime, str] | None, asked: Asked | None
) -> OpenLinksPage:
    """Build the page of the links that were open at a moment; `asked` is the statement before it."""
    at = start_of(moment.day + timedelta(days=moment.at_end), zone())
    with current_services().store.read() as connection:
        found = statement.open_at(connection, at, _PAGE_SIZE + 1, after, rc=rc, cost_centre=cost_centre)
        links = found[:_PAGE_SIZE]
        shown = link_rows.rows(connection, links)
        wrong = other_discrepancies.of_links(connection, [link.id for link in links], kinds=_WRONG)
    older = None
    if len(found) > _PAGE_SIZE:
        place = f"{links[-1].id}~{links[-1].first_seen_at.isoformat()}"
        older = _open_address(moment, rc, cost_centre, asked, place)
    return OpenLinksPage(
        title=_title_of_open(moment),
        of=spaced(rc) if rc else cost_centre,
        rows=shown,
        wrong=wrong,
        older=older,
        page_size=_PAGE_SIZE,
        back=_address(asked),
        sum=add_up(link.total for link in links) if after is None and older is None else None,
    )


def _title_of_open(moment: Moment) -> str:
    if not moment.at_end:
        return texts.open_at_the_start(moment.day)
    is_running = _is_running(moment.day)
    return texts.open_now(current_services().clock()) if is_running else texts.open_at_the_end(moment.day)


def read_after(text: str) -> tuple[datetime, str] | None:
    """Read the place in the list that an address names; None, the start, if it cannot be read."""
    link_id, _, moment = text.partition("~")
    at = request_args.moment(moment)
    return (at, link_id[:36]) if at is not None else None


def _added(one: Tally, other: Tally) -> Tally:
    return Tally(one.links + other.links, one.total + other.total, one.unknown + other.unknown)
