"""Build the pages of discrepancies from the store's records."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.discrepancies import MAX_NOTE, DiscrepancyKind
from dashboard.domain.links import is_ended, is_live
from dashboard.domain.money import Sum
from dashboard.domain.registration import spaced
from dashboard.store.links import duplicates, links, totals
from dashboard.store.reconciliation import discrepancies, settlements
from dashboard.store.reconciliation.discrepancies import ListedDiscrepancy, Place
from dashboard.store.reconciliation.settlements import TrackedSettlement, Verified
from dashboard.web.reconciliation import (
    created_elsewhere,
    late_payments,
    other_discrepancies,
    other_links,
    requests_beside,
    support,
    texts,
    verification_texts,
)
from dashboard.web.reconciliation.records import (
    AcknowledgedRow,
    DiscrepanciesPage,
    DiscrepancyRow,
    KindPage,
    OtherLink,
    Section,
    SeveralRows,
    Unverified,
)
from dashboard.web.reconciliation.settlement_status import settlement_status
from dashboard.web.shared import request_args
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.live import whole_seconds

#: Nothing is added up of amounts that differ, of challans that count twice, and of links of which some have ended.
_WITHOUT_SUM = frozenset({DiscrepancyKind.SUMS, DiscrepancyKind.DUPLICATE, DiscrepancyKind.ELSEWHERE})
#: Of these kinds it matters which other links have the same challans.
_WITH_OTHERS = frozenset({DiscrepancyKind.DUPLICATE, DiscrepancyKind.LATE})
#: The most rows per kind on the first page, on a page of one kind, and in the list of acknowledged ones.
_FEW, _PAGE_SIZE, _MOST_ACKNOWLEDGED = 10, 50, 50


@dataclass(frozen=True, slots=True)
class RefusedNote:
    """Hold a refused note as it was typed. `problem` is None for one that waits from before a sign-in."""

    discrepancy_id: int
    typed: str
    problem: str | None


@dataclass(frozen=True, slots=True)
class RefusedNoteOnSeveral:
    """Hold a refused note on the ticked rows of a kind, in the same way."""

    kind: DiscrepancyKind
    ticked: frozenset[int]
    typed: str
    problem: str | None


Refused = RefusedNote | RefusedNoteOnSeveral


@dataclass(frozen=True, slots=True)
class FailedCheck:
    """Hold why the settlement check of a link that was just asked for did not succeed."""

    link_id: str
    words: str


def discrepancies_page(refused: Refused | None = None, failed: FailedCheck | None = None) -> DiscrepanciesPage:
    """Build the page of all kinds, in one read of the store."""
    with current_services().store.read() as connection:
        counts = _counts(connection)
        noted = _noted(connection, refused, failed)
        sections = []
        for kind in texts.KINDS:
            rows = _with(noted, kind, discrepancies.list_open(connection, kind, _FEW))
            if kind is not DiscrepancyKind.UNCHECKED or noted in rows:
                sections.append(_section(connection, kind, rows, counts, refused, failed))
        acknowledged = discrepancies.list_acknowledged(connection, _MOST_ACKNOWLEDGED)
        acknowledged_count = discrepancies.count_acknowledged(connection)
        links_to_check = discrepancies.count_links_with_open(connection)
        unverified = _unverified(connection)
        is_empty = not links.are_any(connection)
    count = sum(section.count for section in sections)
    without = [section for section in sections if not section.rows]
    clean = tuple(section for section in without if not _is_unfinished(section, unverified))
    return DiscrepanciesPage(
        words=texts.to_check(count, links_to_check),
        sections=tuple(section for section in sections if section.rows),
        clean_words=texts.clean(len(clean), len(sections)),
        clean=clean,
        waits=" ".join(texts.waits(section.texts) for section in without if _waits(section, unverified)),
        # Of paid links that nobody verified the line above the kinds speaks already.
        unfinished=tuple(
            section
            for section in without
            if _is_unfinished(section, unverified) and (section.aside or section.kind in counts.acknowledged)
        ),
        acknowledged=tuple(_acknowledged(each) for each in acknowledged),
        acknowledged_count=acknowledged_count,
        count=count,
        unverified=unverified,
        is_empty=is_empty,
    )


def _is_unfinished(section: Section, unverified: Unverified) -> bool:
    """Return whether links are left that could not be checked, so that nobody may call the check clean."""
    return bool(section.aside) or _waits(section, unverified)


def _waits(section: Section, unverified: Unverified) -> bool:
    """Return whether paid links are left that nobody verified."""
    return section.kind == DiscrepancyKind.UNSETTLED and bool(unverified.words or unverified.progress)


def unverified_links(since: datetime | None) -> Unverified:
    """Build the region of the paid links that nobody verified, for a poll.

    When all are verified that were being verified at `since`, it says what came of it.
    """
    with current_services().store.read() as connection:
        return _unverified(connection, since)


def _unverified(connection: Connection, since: datetime | None = None) -> Unverified:
    count, asked = settlements.count_unverified(connection)
    shown = settlements.list_unverified(connection, _FEW)
    since = since or (settlements.asked_since(connection) if asked else None)
    verified = settlements.verified_since(connection, since) if since else Verified(0, 0, 0)
    return Unverified(
        words=verification_texts.unverified(count),
        progress=verification_texts.being_verified(asked, verified.settled + verified.pending),
        result="" if asked else verification_texts.came_of_it(verified),
        since=since.isoformat() if since else None,
        count=count,
        button=verification_texts.verify(count, settlements.count_unverified_vehicles(connection)) if count else "",
        links=tuple((link_id, spaced(rc)) for link_id, rc in shown),
        poll_seconds=whole_seconds(current_services().schedule.watched_poll) if asked else None,
    )


def kind_page(
    kind: DiscrepancyKind, after: str, refused: Refused | None = None, failed: FailedCheck | None = None
) -> KindPage:
    """Build a page of one kind; `after` is the place that the address names."""
    place = _read_place(after)
    with current_services().store.read() as connection:
        counts = _counts(connection)
        found = discrepancies.list_open(connection, kind, _PAGE_SIZE + 1, place)
        rows = _with(_noted(connection, refused, failed), kind, found[:_PAGE_SIZE])
        section = _section(connection, kind, rows, counts, refused, failed)
        known = totals.known(connection) if not rows and kind is not DiscrepancyKind.UNSETTLED else (0, None)
    here = {"on": kind.value} | ({"after": after} if place is not None else {})
    older = None
    if len(found) > _PAGE_SIZE:
        last = found[_PAGE_SIZE - 1]
        older = url_for("reconciliation.kind", kind=kind.value, after=f"{last.id}~{last.found_at.isoformat()}")
    return KindPage(replace(section, more=None, here=here), older, _PAGE_SIZE, *known)


@dataclass(frozen=True, slots=True)
class _Counts:
    """Count by kind the unacknowledged discrepancies, and the acknowledged ones that still hold; `sums` has the amounts
    of the former.
    """

    open: dict[str, int]
    acknowledged: dict[str, int]
    sums: dict[str, Sum]


def _counts(connection: Connection) -> _Counts:
    return _Counts(
        discrepancies.count_open(connection),
        discrepancies.count_acknowledged_open(connection),
        discrepancies.add_up_open(connection),
    )


def _noted(connection: Connection, refused: Refused | None, failed: FailedCheck | None) -> ListedDiscrepancy | None:
    """Return the one discrepancy that the answer is about."""
    if isinstance(refused, RefusedNote):
        return discrepancies.find_open(connection, refused.discrepancy_id)
    found = discrepancies.of_link(connection, failed.link_id).get(DiscrepancyKind.UNSETTLED) if failed else None
    return discrepancies.find_open(connection, found.id) if found else None


def _with(
    noted: ListedDiscrepancy | None, kind: DiscrepancyKind, rows: Sequence[ListedDiscrepancy]
) -> list[ListedDiscrepancy]:
    """Put the row that the answer is about before the others of its kind, so that what was typed is never lost."""
    if noted is None or noted.kind is not kind or noted.id in {row.id for row in rows}:
        return list(rows)
    return [noted, *rows]


def _read_place(text: str) -> Place | None:
    """Read the place that an address names; None, the start of the list, if it cannot be read."""
    number, _, moment = text.partition("~")
    try:
        at = request_args.moment(moment)
        return Place(at, request_args.row_id(number)) if at is not None else None
    except ValueError:
        return None


def _section(
    connection: Connection,
    kind: DiscrepancyKind,
    rows: Sequence[ListedDiscrepancy],
    counts: _Counts,
    refused: Refused | None,
    failed: FailedCheck | None,
) -> Section:
    ids = [row.link_id for row in rows]
    elsewhere = created_elsewhere.of_links(connection, ids) if kind is DiscrepancyKind.ELSEWHERE else {}
    tracked = settlements.of_links(connection, ids) if kind is DiscrepancyKind.UNSETTLED else {}
    others = duplicates.of_links(connection, ids) if kind in _WITH_OTHERS else {}
    sent = other_links.sent(connection, kind, rows, others)
    shown = other_links.of_links(others, rows, sent)
    named = other_links.named(connection, ids) if kind is DiscrepancyKind.DUPLICATE else {}
    requests = requests_beside.of_rows(connection, rows, others) if kind in _WITH_OTHERS else {}
    late = late_payments.of_rows(connection, rows, others, requests) if kind is DiscrepancyKind.LATE else {}
    also = other_discrepancies.of_links(connection, ids, kinds=set(other_discrepancies.KINDS) - {kind})
    count = counts.open.get(kind, 0)
    aside, aside_address = _aside(connection, kind, counts)
    until, now = _pending_until(tracked.values()), current_services().clock()
    return Section(
        kind=kind.value,
        texts=texts.KINDS[kind],
        count=count,
        sum=None if kind in _WITHOUT_SUM else counts.sums.get(kind),
        differs=texts.differs([row.facts for row in rows]) if len(rows) == count else "",
        rows=tuple(
            replace(
                _row(row, tracked.get(row.link_id), shown.get(row.link_id, ()), _note_on(row, refused), now),
                sent=sent.get(row.link_id),
                failed=failed.words if failed and failed.link_id == row.link_id else "",
                also=also.get(row.link_id, ()),
                **(
                    late.get(row.link_id)
                    or elsewhere.get(row.link_id)
                    or requests.get(row.link_id)
                    or named.get(row.link_id)
                    or {}
                ),
            )
            for row in (_payable_first(rows) if len(rows) == count else rows)
        ),
        empty=texts.empty(kind, counts.acknowledged.get(kind, 0)),
        longest_note=MAX_NOTE,
        more=url_for("reconciliation.kind", kind=kind.value) if count > len(rows) else None,
        aside=aside,
        aside_address=aside_address,
        check_all=_check_all(connection) if tracked else "",
        support=support.for_support(kind, rows, tracked, others),
        to_do=texts.pending_after(until, now)
        if until and len(tracked) == count
        else other_links.to_do(kind, sent, len(rows)),
        is_early=until is not None and now < until,
        several=_several(kind, rows, refused),
    )


def _pending_until(tracked: Iterable[TrackedSettlement]) -> datetime | None:
    """Return from when on support is asked about paid links that are still pending; of several, about the last one."""
    schedule = current_services().schedule
    return max((schedule.last_settlement_check(each.since) for each in tracked), default=None)


def _several(kind: DiscrepancyKind, rows: Sequence[ListedDiscrepancy], refused: Refused | None) -> SeveralRows | None:
    """Offer one note for several rows. None is ticked at first, because each is for somebody to look at."""
    if isinstance(refused, RefusedNoteOnSeveral) and refused.kind is kind:
        return SeveralRows(refused.ticked, refused.typed, refused.problem, is_open=True)
    if kind not in texts.WITH_ONE_NOTE or len(rows) < 2:
        return None
    return SeveralRows(frozenset())


def _check_all(connection: Connection) -> str:
    return verification_texts.check_all(settlements.count_unverified_vehicles(connection, pending=True))


def _note_on(row: ListedDiscrepancy, refused: Refused | None) -> RefusedNote | None:
    return refused if isinstance(refused, RefusedNote) and refused.discrepancy_id == row.id else None


def _aside(connection: Connection, kind: DiscrepancyKind, counts: _Counts) -> tuple[str, str | None]:
    """Return a sentence about what the section's table leaves out, and the address that it leads to."""
    if kind is DiscrepancyKind.UNSETTLED and not current_services().schedule.unattended_settlement_checks:
        return "", None
    if kind is DiscrepancyKind.UNSETTLED:
        return texts.waiting(settlements.count_unchecked(connection), settlements.count_unclear(connection)), None
    if kind is DiscrepancyKind.SUMS and (unchecked := counts.open.get(DiscrepancyKind.UNCHECKED, 0)):
        return texts.unchecked(unchecked), url_for("reconciliation.kind", kind=DiscrepancyKind.UNCHECKED.value)
    return "", None


def _payable_first(rows: Sequence[ListedDiscrepancy]) -> list[ListedDiscrepancy]:
    """Put links that can be paid before those that are paid, and these before those that have ended."""
    return sorted(rows, key=lambda row: (not is_live(row.status), is_ended(row.status)))


def _row(
    row: ListedDiscrepancy,
    tracked: TrackedSettlement | None,
    others: Sequence[OtherLink],
    note: RefusedNote | None,
    now: datetime,
) -> DiscrepancyRow:
    until = _pending_until([tracked]) if tracked is not None else None
    return DiscrepancyRow(
        id=row.id,
        version=row.version,
        link_id=row.link_id,
        plate=spaced(row.rc) if row.rc else None,
        rc=row.rc,
        state=shared_texts.state_of(row),
        total=row.total,
        paid_at=row.paid_at,
        says_when_paid=row.kind is DiscrepancyKind.ELSEWHERE or "after_end" in row.facts,
        sums=texts.compared_sums(row.facts) if row.kind is DiscrepancyKind.SUMS else (),
        sentences=texts.in_words(row.kind, row.facts),
        found_at=row.found_at,
        settlement=settlement_status(tracked) if tracked is not None else None,
        others=tuple(others),
        is_early=until is not None and now < until,
        typed=note.typed if note else "",
        problem=note.problem if note else None,
    )


def _acknowledged(row: ListedDiscrepancy) -> AcknowledgedRow:
    assert row.acknowledged_at is not None
    return AcknowledgedRow(
        id=row.id,
        version=row.version,
        undoes=row.withdrawn_at is None and row.kind is not DiscrepancyKind.DUPLICATE,
        link_id=row.link_id,
        plate=spaced(row.rc) if row.rc else None,
        title=texts.KINDS[row.kind].title,
        sentences=texts.sentences(row.kind, row.facts),
        by=name_of(row.acknowledged_by),
        at=row.acknowledged_at,
        note=row.note or "",
        is_over=row.withdrawn_at is not None,
    )
