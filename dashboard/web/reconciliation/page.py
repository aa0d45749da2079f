"""What the pages of reconciling show, from what was found of links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from flask import url_for
from sqlalchemy import Connection, Row

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.registration import spaced
from dashboard.domain.settlements import SettlementState
from dashboard.store.links import duplicates
from dashboard.store.links.duplicates import DuplicateLink
from dashboard.store.reconciliation import discrepancies, settlements
from dashboard.store.reconciliation.discrepancies import Place
from dashboard.web.reconciliation import texts
from dashboard.web.reconciliation.texts import KindWords
from dashboard.web.shared import request_args
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.records import StateWords

#: How many rows of a kind the first page shows, and how many a page of its own.
FEW, MANY = 10, 50
_MOST_SEEN = 50


@dataclass(frozen=True, slots=True)
class SourceChallan:
    """A paid challan as the last look shows it, with the source's own words."""

    challan_no: str
    status: str
    link_status: str | None
    is_payable: bool


@dataclass(frozen=True, slots=True)
class SourceLook:
    """The looks at the vehicle of a paid link. `trouble` says why the last try came to nothing."""

    challans: tuple[SourceChallan, ...]
    seen_at: datetime | None
    next_at: datetime | None
    can_look: bool
    trouble: str | None


@dataclass(frozen=True, slots=True)
class OtherLink:
    link_id: str
    name: str
    state: StateWords


@dataclass(frozen=True, slots=True)
class DiscrepancyRow:
    """A link of which something was found. `typed` and `problem` are of a note that was just refused."""

    id: int
    version: int
    link_id: str
    plate: str | None
    rc: str | None
    state: StateWords
    total: Decimal | None
    paid_at: datetime | None
    said: tuple[str, ...]
    found_at: datetime
    look: SourceLook | None = None
    others: tuple[OtherLink, ...] = ()
    typed: str = ""
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """What was found of one kind. `empty` is said when there is no row; `aside` is something more to know, and where
    that leads. `here` goes with what is sent from a page of this kind alone, so that its answer leads back there.
    """

    kind: str
    words: KindWords
    count: int
    rows: tuple[DiscrepancyRow, ...]
    empty: str
    more: str | None = None
    aside: str = ""
    aside_address: str | None = None
    here: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeenRow:
    """What somebody has ticked off: by whom, when, and their note."""

    link_id: str
    plate: str | None
    title: str
    said: tuple[str, ...]
    by: str
    at: datetime
    note: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class ReconcilePage:
    sections: tuple[Section, ...]
    seen: tuple[SeenRow, ...]
    seen_count: int
    count: int


@dataclass(frozen=True, slots=True)
class KindPage:
    section: Section
    older: str | None


@dataclass(frozen=True, slots=True)
class Refused:
    """A note that could not be taken: on which finding, as it was typed, and why."""

    finding_id: int
    typed: str
    problem: str | None


def page(refused: Refused | None = None) -> ReconcilePage:
    """Everything that waits for somebody who answers for the money, in one read of the store."""
    with current_services().store.read() as connection:
        counts = _Counts(discrepancies.standing_counts(connection), discrepancies.ticked_counts(connection))
        typed_on = _typed_on(connection, refused)
        sections = []
        for kind in texts.KINDS:
            rows = _with(typed_on, kind, discrepancies.standing(connection, kind, FEW))
            if kind is not DiscrepancyKind.UNCHECKED or typed_on in rows:
                sections.append(_section(connection, kind, rows, counts, refused))
        seen = discrepancies.seen(connection, _MOST_SEEN)
        seen_count = discrepancies.count_seen(connection)
    waiting = sum(section.count for section in sections)
    return ReconcilePage(tuple(sections), tuple(_seen(row) for row in seen), seen_count, waiting)


def kind_page(kind: DiscrepancyKind, after: str, refused: Refused | None = None) -> KindPage:
    """All that was found of a kind, a page at a time; `after` is the place that the address names."""
    place = _read_place(after)
    with current_services().store.read() as connection:
        counts = _Counts(discrepancies.standing_counts(connection), discrepancies.ticked_counts(connection))
        found = discrepancies.standing(connection, kind, MANY + 1, place)
        rows = _with(_typed_on(connection, refused), kind, found[:MANY])
        section = _section(connection, kind, rows, counts, refused)
    here = {"on": kind.value} | ({"after": after} if place is not None else {})
    older = None
    if len(found) > MANY:
        last = found[MANY - 1]
        older = url_for("reconciliation.kind", kind=kind.value, after=f"{last.id}~{last.found_at.isoformat()}")
    return KindPage(replace(section, more=None, here=here), older)


@dataclass(frozen=True, slots=True)
class _Counts:
    """By kind: how much nobody has ticked off, and how much of what is still so somebody has."""

    standing: dict[str, int]
    ticked: dict[str, int]


def _typed_on(connection: Connection, refused: Refused | None) -> Row[Any] | None:
    return discrepancies.find_standing(connection, refused.finding_id) if refused else None


def _with(typed_on: Row[Any] | None, kind: DiscrepancyKind, rows: Sequence[Row[Any]]) -> list[Row[Any]]:
    """The rows of a page, and before them the one that a note was typed on: what was typed is lost on no page."""
    if typed_on is None or typed_on.kind != kind or typed_on.id in {row.id for row in rows}:
        return list(rows)
    return [typed_on, *rows]


def _read_place(text: str) -> Place | None:
    """The place that an address names; None, the start, when it makes no sense."""
    number, _, moment = text.partition("~")
    try:
        at = request_args.moment(moment)
        return Place(at, request_args.row_id(number)) if at is not None else None
    except ValueError:
        return None


def _section(
    connection: Connection,
    kind: DiscrepancyKind,
    rows: Sequence[Row[Any]],
    counts: _Counts,
    refused: Refused | None,
) -> Section:
    links = [row.link_id for row in rows]
    looks = settlements.find_all(connection, links) if kind is DiscrepancyKind.UNSETTLED else {}
    others = duplicates.sharing_any(connection, links) if kind is DiscrepancyKind.DOUBLE else {}
    shown_rows = tuple(_row(row, looks.get(row.link_id), others.get(row.link_id, ()), refused) for row in rows)
    count = counts.standing.get(kind, 0)
    more = url_for("reconciliation.kind", kind=kind.value) if count > len(rows) else None
    aside, address = _aside(connection, kind, counts.standing)
    empty = texts.empty(kind, counts.ticked.get(kind, 0))
    return Section(kind.value, texts.KINDS[kind], count, shown_rows, empty, more, aside, address)


def _aside(connection: Connection, kind: DiscrepancyKind, counts: dict[str, int]) -> tuple[str, str | None]:
    """What does not stand in the table, and must not be forgotten."""
    if kind is DiscrepancyKind.UNSETTLED:
        waiting = settlements.not_looked_at(connection), settlements.unclear(connection)
        return texts.waiting(*waiting), None
    if kind is DiscrepancyKind.SUMS and (unchecked := counts.get(DiscrepancyKind.UNCHECKED, 0)):
        links = f"{unchecked:,} link{'s' if unchecked != 1 else ''}"
        said = f"{links} could not be checked, as an amount is unknown."
        return said, url_for("reconciliation.kind", kind=DiscrepancyKind.UNCHECKED.value)
    return "", None


def _row(
    row: Row[Any], look: Row[Any] | None, others: Sequence[duplicates.DuplicateLink], refused: Refused | None
) -> DiscrepancyRow:
    mine = refused if refused is not None and refused.finding_id == row.id else None
    return DiscrepancyRow(
        id=row.id,
        version=row.version,
        link_id=row.link_id,
        plate=spaced(row.rc) if row.rc else None,
        rc=row.rc,
        state=shared_texts.link_state(row.status),
        total=row.total,
        paid_at=row.paid_at,
        said=texts.said(DiscrepancyKind(row.kind), row.facts),
        found_at=row.found_at,
        look=_look(look) if look is not None else None,
        others=tuple(_other(each) for each in others),
        typed=mine.typed if mine else "",
        problem=mine.problem if mine else None,
    )


def _look(row: Row[Any]) -> SourceLook:
    challans = settlements.seen_challans(row.raw)
    return SourceLook(
        challans=tuple(
            SourceChallan(
                challan_no=each.challan_no or each.challan_id,
                status=(each.status or "(no status)") if each.listed else "no longer listed",
                link_status=each.link_status,
                is_payable=each.is_payable,
            )
            for each in challans
        ),
        seen_at=row.seen_at,
        next_at=row.due_at if row.state == SettlementState.WAITING else None,
        can_look=row.rc is not None,
        trouble=_trouble(row),
    )


def _trouble(row: Row[Any]) -> str | None:
    if row.rc is None:
        return "The vehicle of this link is not known, so that the source cannot be asked."
    if row.failure is None:
        return None
    return f"The try of {format_moment(row.failed_at)} came to nothing. {shared_texts.failure(row.failure)}"


def _other(row: DuplicateLink) -> OtherLink:
    made = format_moment(row.created_at or row.first_seen_at)
    return OtherLink(row.id, f"the link of {made}", shared_texts.link_state(row.status))


def _seen(row: Row[Any]) -> SeenRow:
    kind = DiscrepancyKind(row.kind)
    return SeenRow(
        link_id=row.link_id,
        plate=spaced(row.rc) if row.rc else None,
        title=texts.KINDS[kind].title,
        said=texts.said(kind, row.facts),
        by=names().get(row.seen_by, "a former colleague"),
        at=row.seen_at,
        note=row.note or "",
        is_over=row.gone_at is not None,
    )
