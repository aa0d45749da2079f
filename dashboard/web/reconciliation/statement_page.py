"""What a statement shows: its figures, and for each the list of what it counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from flask import url_for
from sqlalchemy import Row

from dashboard.domain.custom_fields import COST_CENTRE
from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.link_filters import DayOf, LinkFilter
from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.domain.money import Sum
from dashboard.domain.registration import spaced
from dashboard.services.reconciliation.statement import Movement, Statement, Tally
from dashboard.store.links.listing import start_of
from dashboard.store.reconciliation import statement
from dashboard.web.links import filters
from dashboard.web.links.list_page import today, zone
from dashboard.web.links.records import LinkCard
from dashboard.web.shared import request_args
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services

#: How many vehicles, or cost centres, the page shows; an export has them all.
_MOST_ROWS = 200
_MOST_OPEN = 100


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days where people are: the first and the last of them."""

    first: date
    last: date

    @property
    def start(self) -> datetime:
        return start_of(self.first, zone())

    @property
    def end(self) -> datetime:
        return start_of(self.last + timedelta(days=1), zone())


@dataclass(frozen=True, slots=True)
class Preset:
    words: str
    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """Links and what they come to; `address` lists them, None where there is no such list."""

    links: int
    sum: Sum
    address: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the balance. `sign` is "+", "−" or ""; `is_total` for the first and the last."""

    label: str
    sign: str
    figure: Figure
    is_total: bool = False
    more: str = ""


@dataclass(frozen=True, slots=True)
class GroupRow:
    name: str
    is_plate: bool
    figures: tuple[tuple[str, Figure], ...]  # what it is of, and the figure


@dataclass(frozen=True, slots=True)
class Group:
    """The same by vehicle or by cost centre; `left_out` of its rows stand in the exports alone."""

    key: str
    title: str
    head: str
    rows: tuple[GroupRow, ...]
    left_out: int


@dataclass(frozen=True, slots=True)
class StatementPage:
    first: date
    last: date
    typed: dict[str, str]
    problem: str | None
    presets: tuple[Preset, ...]
    made_at: datetime
    lines: tuple[Line, ...]
    unsaid: Figure
    groups: tuple[Group, ...]
    csv_address: str
    xlsx_address: str
    is_empty: bool


@dataclass(frozen=True, slots=True)
class OpenPage:
    """The links that were open when a day began, of a vehicle or a cost centre when `of` names one; `back` leads to
    the statement that counts them.
    """

    day: date
    of: str
    rows: tuple[LinkCard, ...]
    older: str | None
    back: str


def last_month() -> Period:
    last = today().replace(day=1) - timedelta(days=1)
    return Period(last.replace(day=1), last)


def statement_page(made: Statement, period: Period, typed: dict[str, str], problem: str | None) -> StatementPage:
    groups = [_group("vehicles", "By vehicle", "Vehicle", made.vehicles, period)]
    if made.cost_centres:
        groups.append(_group("centres", "By cost centre", "Cost centre", made.cost_centres, period))
    moved = sum(tally.links for tally in (made.whole.opening, made.whole.made, made.whole.paid))
    return StatementPage(
        first=period.first,
        last=period.last,
        typed=typed,
        problem=problem,
        presets=tuple(_presets(period)),
        made_at=made.made_at,
        lines=tuple(_lines(made.whole, period)),
        unsaid=_figure(made.unsaid, url_for("reconciliation.index", _anchor=DiscrepancyKind.LATE.value)),
        groups=tuple(groups) if moved else (),
        csv_address=url_for("reconciliation.statement_csv", **_days(period)),
        xlsx_address=url_for("reconciliation.statement_xlsx", **_days(period)),
        is_empty=not moved,
    )


def _presets(period: Period) -> Iterator[Preset]:
    first_of_this = today().replace(day=1)
    monday = today() - timedelta(days=today().weekday())
    for said, each in (
        ("Last month", last_month()),
        ("This month", Period(first_of_this, today())),
        ("Last week", Period(monday - timedelta(days=7), monday - timedelta(days=1))),
    ):
        yield Preset(said, url_for("reconciliation.statement", **_days(each)), each == period)


def _lines(moved: Movement, period: Period) -> Iterator[Line]:
    base = LinkFilter()
    yield Line("Open at the start", "", _open(moved.opening, period, period.first), is_total=True)
    yield Line("Made", "+", _listed(moved.made, _made(period, base)))
    if moved.met_later.links:
        more = "Paid here counts them too; they were first met afterwards."
        yield Line("Paid before they were first met", "+", _figure(moved.met_later, None), more=more)
    yield Line("Paid", "−", _listed(moved.paid, _paid(period, base)))
    if moved.paid_untimed.links:
        more = "The service has not told when; counted on the day they were first seen PAID."
        yield Line("PAID without a time", "−", _figure(moved.paid_untimed, None), more=more)
    yield Line("Lapsed without payment", "−", _listed(moved.lapsed, _lapsed(period, base)))
    if moved.paid_before.links:
        more = "Met in the period, and paid before it was met: never open here."
        yield Line("Paid before they were met", "−", _figure(moved.paid_before, None), more=more)
    after = period.last + timedelta(days=1)
    yield Line("Open at the end", "", _open(moved.closing, period, after), is_total=True)


def _group(key: str, title: str, head: str, moved: dict[str, Movement], period: Period) -> Group:
    largest = sorted(moved.items(), key=lambda item: (-_weight(item[1]), item[0]))[:_MOST_ROWS]
    rows = []
    for name, movement in sorted(largest):
        of_vehicle = key == "vehicles"
        base = (
            None
            if not name
            else LinkFilter(vehicle=name)
            if of_vehicle
            else LinkFilter(custom=((COST_CENTRE.name, name),))
        )
        words_for = spaced(name) if name and of_vehicle else name or "Not known" if of_vehicle else name or "None"
        rows.append(GroupRow(words_for, bool(name) and of_vehicle, tuple(_columns(movement, period, base))))
    return Group(key, title, head, tuple(rows), len(moved) - len(largest))


def _weight(moved: Movement) -> int:
    return moved.opening.links + moved.made.links + moved.paid.links + moved.lapsed.links


def _columns(moved: Movement, period: Period, base: LinkFilter | None) -> Iterator[tuple[str, Figure]]:
    """The columns of a group. Nothing is listed without a filter for its name, nor what was PAID without a time."""
    yield "Open at the start", _open(moved.opening, period, period.first, base)
    for head, tally, narrowed in (
        ("Made", moved.made, _made),
        ("Paid", _added(moved.paid, moved.paid_untimed), None if moved.paid_untimed.links else _paid),
        ("Lapsed", moved.lapsed, _lapsed),
    ):
        if base is None or narrowed is None or not tally.links:
            yield head, _figure(tally, None)
        else:
            yield head, _listed(tally, narrowed(period, base))
    yield "Open at the end", _open(moved.closing, period, period.last + timedelta(days=1), base)


def _added(one: Tally, other: Tally) -> Tally:
    return Tally(one.links + other.links, one.total + other.total, one.unknown + other.unknown)


def _made(period: Period, base: LinkFilter) -> LinkFilter:
    return replace(base, day_of=DayOf.MADE, first_day=period.first, last_day=period.last)


def _paid(period: Period, base: LinkFilter) -> LinkFilter:
    return replace(base, states=(PAID,), day_of=DayOf.PAID, first_day=period.first, last_day=period.last)


def _lapsed(period: Period, base: LinkFilter) -> LinkFilter:
    ended = tuple(sorted(ENDED_STATUSES))
    return replace(base, states=ended, day_of=DayOf.ENDED, first_day=period.first, last_day=period.last)


_ANY = LinkFilter()


def _open(tally: Tally, period: Period, day: date, base: LinkFilter | None = _ANY) -> Figure:
    if base is None or not tally.links:
        return _figure(tally, None)
    named: dict[str, Any] = {"vehicle": base.vehicle or None, "cost_centre": dict(base.custom).get(COST_CENTRE.name)}
    address = url_for("reconciliation.statement_open", day=day.isoformat(), **named, **_days(period))
    return _figure(tally, address)


def _days(period: Period | None) -> dict[str, Any]:
    """A period as the values of an address."""
    if period is None:
        return {}
    return {"from": period.first.isoformat(), "to": period.last.isoformat()}


def _listed(tally: Tally, asked: LinkFilter) -> Figure:
    return _figure(tally, _address(asked) if tally.links else None)


def _figure(tally: Tally, address: str | None) -> Figure:
    return Figure(tally.links, tally.sum, address if tally.links else None)


def _address(asked: LinkFilter) -> str:
    values: dict[str, Any] = filters.write(asked)
    return url_for("links.index", **values)


# The links that were open when a day began


def open_page(
    day: date, rc: str, cost_centre: str, after: tuple[datetime, str] | None, period: Period | None
) -> OpenPage:
    """`period` is that of the statement which led here, if one did."""
    at = start_of(day, zone())
    with current_services().store.read() as connection:
        found = statement.open_at(connection, at, _MOST_OPEN + 1, after, rc=rc, cost_centre=cost_centre)
    rows = found[:_MOST_OPEN]
    older = None
    if len(found) > _MOST_OPEN:
        last = rows[-1]
        named: dict[str, Any] = {"vehicle": rc or None, "cost_centre": cost_centre or None}
        place = f"{last.id}~{last.first_seen_at.isoformat()}"
        older = url_for("reconciliation.statement_open", day=day.isoformat(), **named, **_days(period), after=place)
    back = url_for("reconciliation.statement", **_days(period))
    return OpenPage(day, spaced(rc) if rc else cost_centre, tuple(_card(row) for row in rows), older, back)


def _card(row: Row[Any]) -> LinkCard:
    return LinkCard(
        id=row.id,
        rc=row.rc,
        plate=spaced(row.rc) if row.rc else None,
        state=shared_texts.link_state(row.status),
        total=row.total,
        challans=0,
        created_at=row.created_at or row.first_seen_at,
        created_by=None,
        expires_at=row.expires_at,
    )


def read_after(text: str) -> tuple[datetime, str] | None:
    """The place in the list that an address names; None, the start, when it makes no sense."""
    link_id, _, moment = text.partition("~")
    at = request_args.moment(moment)
    return (at, link_id[:36]) if at is not None else None
