"""Define what the templates of reconciliation receive: plain, frozen records (see `web/shared/records.py`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import count

from dashboard.domain.money import Sum
from dashboard.web.links.list_records import LinkRow
from dashboard.web.reconciliation.texts import ComparedSum, KindTexts
from dashboard.web.shared.periods import PeriodForm
from dashboard.web.shared.records import StateWords


@dataclass(frozen=True, slots=True)
class SourceChallans:
    """Show the paid challans that the last settlement check found in the same state, with the source's own status.

    `link_state` is that of a link that holds them, where it is not paid as the link itself is.
    """

    numbers: str
    status: str
    link_state: StateWords | None
    is_payable: bool


@dataclass(frozen=True, slots=True)
class SettlementStatus:
    """Show the settlement checks of a paid link. `trouble` says why there was no check, or why the last one failed."""

    challans: tuple[SourceChallans, ...]
    checked_at: datetime | None
    next_at: datetime | None
    can_check: bool
    trouble: str | None


@dataclass(frozen=True, slots=True)
class SentLink:
    """Say of a link that can be paid to whom it was sent, or that it was not; `driver` is who has it, where known."""

    words: str
    driver: str | None
    is_sent: bool
    driver_id: int | None = None


@dataclass(frozen=True, slots=True)
class OtherLink:
    """Show another link that holds the same challans, and to whom it was sent while it can be paid."""

    link_id: str
    name: str
    total: Decimal | None
    state: StateWords
    sent: str = ""


@dataclass(frozen=True, slots=True)
class DiscrepancyRow:
    """Show a discrepancy of a link. `typed` and `problem` belong to a note that was just refused.

    `failed` says why the check that was just asked for did not succeed.
    """

    id: int
    version: int
    link_id: str
    plate: str | None
    rc: str | None
    state: StateWords
    total: Decimal | None
    paid_at: datetime | None
    says_when_paid: bool  # one of the sentences does
    sums: tuple[ComparedSum, ...]
    sentences: tuple[str, ...]
    found_at: datetime
    settlement: SettlementStatus | None = None
    sent: SentLink | None = None  # while it can be paid, where it matters who has it
    others: tuple[OtherLink, ...] = ()
    is_early: bool = False  # the department may still take its time with what was paid
    request_id: str | None = None  # has the same challans, where no other link has
    typed: str = ""
    problem: str | None = None
    failed: str = ""
    also: tuple[tuple[str, str], ...] = ()  # what else was found of the link, each with its address
    ready: str = ""  # the note with which it is marked as checked, where nothing is to be found out


@dataclass(frozen=True, slots=True)
class SeveralRows:
    """Offer to mark several rows with one note. `ticked` are their ids.

    `is_open` where a note was just refused, for `problem`, or waits from before a sign-in.
    """

    ticked: frozenset[int]
    typed: str = ""
    problem: str | None = None
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class Section:
    """Show the discrepancies of one kind.

    `sum` is of the amounts of their links, where it is of interest; `differs` says in its place by how much their
    amounts differ, "" where that is not known of each. `empty` is shown when there is no row; `aside` is a
    further sentence, which may lead to `aside_address`. `here` goes into the addresses of forms on a page of this kind
    alone, so that the answer leads back there. A note has `longest_note` characters at most. `check_all` is the button
    that checks all of them at once, "" where that helps nobody; `support` is what the service's support has to know.
    `to_do` takes the place of what is done with this kind, where a day is known, or who has the links that can still be
    paid; before that day `is_early`.
    `several` is None where each row needs a note of its own, or there is only one.
    """

    kind: str
    texts: KindTexts
    count: int
    sum: Sum | None
    differs: str
    rows: tuple[DiscrepancyRow, ...]
    empty: str
    longest_note: int
    more: str | None = None
    aside: str = ""
    aside_address: str | None = None
    check_all: str = ""
    support: str = ""
    to_do: str = ""
    is_early: bool = False
    several: SeveralRows | None = None
    here: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AcknowledgedRow:
    """Show an acknowledged discrepancy: by whom, when, and with which note. `is_over`: it no longer holds.

    `undoes`: that can be taken back.
    """

    id: int
    version: int
    undoes: bool
    link_id: str
    plate: str | None
    title: str
    sentences: tuple[str, ...]
    by: str
    at: datetime
    note: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class Unverified:
    """Show the paid links whose challans nobody saw settled; `links` are the longest paid, by id and plate."""

    words: str
    progress: str
    count: int
    button: str
    links: tuple[tuple[str, str], ...]
    poll_seconds: int | None  # while any is being verified
    result: str = ""  # what came of it, when all are
    since: str | None = None  # when it was asked for


@dataclass(frozen=True, slots=True)
class DiscrepanciesPage:
    """Show the kinds with discrepancies, and their newest rows; `count` is of all unacknowledged discrepancies.

    `clean` are the kinds that were checked and have none, and `waits` says which one is to be verified first;
    `unfinished` those that have none so far, while some links
    could not be checked. `is_empty`: no link is known, so that nothing was checked.
    """

    words: str
    sections: tuple[Section, ...]
    clean_words: str
    clean: tuple[Section, ...]
    waits: str
    unfinished: tuple[Section, ...]
    acknowledged: tuple[AcknowledgedRow, ...]
    acknowledged_count: int
    count: int
    unverified: Unverified
    is_empty: bool


@dataclass(frozen=True, slots=True)
class KindPage:
    """Show one kind, `page_size` rows at a time; `older` is the address of the next page.

    Where no link is of the kind, `compared` is how many were compared, and `known_at` when the newest answer came; of
    paid challans, what was verified is counted elsewhere.
    """

    section: Section
    older: str | None
    page_size: int
    compared: int = 0
    known_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class View:
    """Offer what has a row each as a single click."""

    label: str
    address: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Figure:
    """Show a number of links and their sum; `address` lists them, None where there is no such list."""

    links: int
    sum: Sum
    address: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """Show a line of the balance. `sign` is "+", "−", "=" or ""; `is_total` for the first and the last.

    `notes` say how it is counted.
    """

    label: str
    sign: str
    figure: Figure
    is_total: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Show a vehicle, a cost centre or a day, and its figures by the head of their column.

    `address` leads to the statement of the day or of the month, None for others.
    """

    name: str
    is_plate: bool
    figures: tuple[tuple[str, Figure], ...]
    address: str | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Show the statement by vehicle, by cost centre or by day; its `totals` and the exports have those `left_out` too.

    A single row has no `totals`. `without` says how many days have no row, or that none has one.
    """

    key: str
    title: str
    head: str
    rows: tuple[GroupRow, ...]
    totals: GroupRow | None
    left_out: int
    without: str = ""


@dataclass(frozen=True, slots=True)
class StatementPage:
    """Show the statement of a `period`.

    `is_new`: no link is known at all, so that no days have anything. `views` are what may have a row each; `group` is
    None where nothing moved. `marks` are the numbers of the notes on a line, by its label.
    """

    title: str
    period: PeriodForm
    made_at: datetime
    lines: tuple[Line, ...]
    no_longer_paid: Figure
    views: tuple[View, ...]
    group: Group | None
    csv_address: str
    xlsx_address: str
    is_empty: bool
    is_new: bool

    @property
    def notes(self) -> tuple[str, ...]:
        return tuple(note for line in self.lines for note in line.notes)

    @property
    def marks(self) -> Mapping[str, tuple[int, ...]]:
        numbers = count(1)
        return {line.label: tuple(next(numbers) for _note in line.notes) for line in self.lines}


@dataclass(frozen=True, slots=True)
class OpenLinksPage:
    """Show the links that were open when a day began or ended, `page_size` at a time.

    `of` names the vehicle or the cost centre whose links they are, "" for all; `back` leads to the statement. `sum` is
    of all of them, None where they do not fit on one page. `wrong` names by link id what is known to be wrong of its
    amounts or challans, each with its address.
    """

    title: str
    of: str
    rows: tuple[LinkRow, ...]
    wrong: Mapping[str, tuple[tuple[str, str], ...]]
    older: str | None
    page_size: int
    back: str
    sum: Sum | None
