"""Show the pages of discrepancies and statements in many states."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.money import Sum
from dashboard.web.reconciliation.records import (
    AcknowledgedRow,
    DiscrepanciesPage,
    DiscrepancyRow,
    Figure,
    Group,
    GroupRow,
    KindPage,
    Line,
    OpenLinksPage,
    OtherLink,
    Preset,
    Section,
    SettlementStatus,
    SourceChallan,
    StatementPage,
    Unverified,
)
from dashboard.web.reconciliation.texts import KINDS, being_verified, clean, to_check, unverified
from tests.support.gallery.samples import ACTIVE, HOSTILE, LINK_CARDS, NOW, PAID, RC, Pages, ago

_SENTENCES = {
    DiscrepancyKind.DUPLICATE: ("3 of its challans are on another link as well.",),
    DiscrepancyKind.LATE: ("Shown as Paid first, then as Active at 2:03 pm.",),
    DiscrepancyKind.SUMS: ("The parts by UPI come to ₹14,000.00, the total is ₹14,250.50.",),
    DiscrepancyKind.ELSEWHERE: ("A search showed it on the vehicle's challans.",),
    DiscrepancyKind.CHALLANS: ("It has 4 of the 5 challans requested.", "Missing: MH1098765432."),
}


def _unverified(count: int, asked: int) -> Unverified:
    links = ((LINK_CARDS[0].id, LINK_CARDS[0].plate or ""),) if count else ()
    return Unverified(unverified(count), being_verified(asked), count, links, 3 if asked else None)


def reconcile_pages() -> Pages:
    link = LINK_CARDS[0]
    row = DiscrepancyRow(1, 1, link.id, link.plate, RC, ACTIVE, link.total, None, (), NOW)
    sections = tuple(_section(kind, row, number) for number, kind in enumerate(KINDS))
    acknowledged = AcknowledgedRow(
        link.id,
        link.plate,
        "Paid after expiry",
        _SENTENCES[DiscrepancyKind.LATE],
        "Meera Iyer",
        NOW,
        "Asked support.",
        False,
    )
    page = DiscrepanciesPage(to_check(1234), sections[:-1], "", (), (), (), 0, 1234, _unverified(9, 4))
    empty = tuple(replace(each, rows=(), count=0, sum=None, more=None) for each in sections[:-1])
    all_clean = tuple(replace(each, aside="", aside_address=None) for each in empty)
    none = DiscrepanciesPage(to_check(0), (), clean(6, 6), all_clean, (), (), 0, 0, _unverified(0, 0))
    some = replace(
        page, clean_words=clean(3, 6), clean=all_clean[:3], unfinished=empty[3:4], sections=sections[4:-1], count=2
    )
    alone = replace(sections[3], more=None, here={"on": "sums", "after": "3~2026-11-21T08:33:20+00:00"})
    first = sections[0]
    wrong = replace(first.rows[0], problem="Write a note of 3 to 500 characters.", typed="ok")
    refused = replace(page, sections=(replace(first, rows=(wrong, *first.rows[1:])), *sections[1:-1]))
    back = "/reconcile/statement"
    hostile = replace(acknowledged, note=HOSTILE, by=HOSTILE, is_over=True, plate=None)
    return {
        "reconcile": ("reconciliation/index.html", {"page": page}),
        "reconcile-some": ("reconciliation/index.html", {"page": some}),
        "reconcile-refused": ("reconciliation/index.html", {"page": refused}),
        "reconcile-acknowledged-hostile": (
            "reconciliation/index.html",
            {"page": replace(none, acknowledged=(acknowledged, hostile), acknowledged_count=80)},
        ),
        "reconcile-kind": (
            "reconciliation/kind.html",
            {"page": KindPage(alone, "/reconcile/findings/sums?after=x", 50)},
        ),
        "statement": ("reconciliation/statement.html", {"page": _statement()}),
        "statement-open": (
            "reconciliation/open_links.html",
            {"page": OpenLinksPage(date(2026, 11, 1), "", tuple(LINK_CARDS), "/links", 100, back)},
        ),
        "statement-open-none": (
            "reconciliation/open_links.html",
            {"page": OpenLinksPage(date(2026, 11, 1), "", (), None, 100, back)},
        ),
    }


def _section(kind: DiscrepancyKind, row: DiscrepancyRow, number: int) -> Section:
    first = replace(row, id=number * 10 + 1, sentences=_SENTENCES.get(kind, ()))
    second = replace(first, id=number * 10 + 2, plate=None, rc=None, total=None, state=PAID)
    if kind is DiscrepancyKind.UNSETTLED:
        challans = (
            SourceChallan("MH1098765432", "PENDING", PAID, True),
            SourceChallan(HOSTILE, "no longer listed", None, False),
        )
        checked = SettlementStatus(challans, ago(hours=3), NOW + timedelta(hours=4), True, None)
        over = SettlementStatus((), None, None, False, "The vehicle of this link is not known.")
        first, second = replace(first, settlement=checked, paid_at=NOW), replace(second, settlement=over, paid_at=NOW)
    if kind is DiscrepancyKind.DUPLICATE:
        first = replace(first, others=(OtherLink("x", "the link of 12 Nov, 2:03 pm", ACTIVE),))
    aside = "12 links could not be checked: an amount is not known." if kind is DiscrepancyKind.SUMS else ""
    more = f"/reconcile/findings/{kind.value}"
    address = "/reconcile/findings/unchecked" if aside else None
    total = Sum(Decimal("12345678.90"), number)
    return Section(kind.value, KINDS[kind], 1234, total, (first, second), KINDS[kind].empty, 500, more, aside, address)


def _statement() -> StatementPage:
    def figure(links: int, total: str, unknown: int = 0) -> Figure:
        return Figure(links, Sum(Decimal(total), unknown), "/links?of=made" if links else None)

    lines = (
        Line("Open at the start", "", figure(12, "154250.50", 1), is_total=True),
        Line("Made", "+", figure(340, "12345678.90")),
        Line("Paid", "−", figure(301, "11000000.00", 2)),
        Line("Paid, time not known", "−", figure(1, "500"), more="The service has not said when."),
        Line("Lapsed without payment", "−", figure(0, "0")),
        Line("Open at the end", "", figure(50, "1499929.40"), is_total=True),
    )
    heads = ("Open at the start", "Made", "Paid", "Lapsed", "Open at the end")
    figures = tuple((head, figure(number * 3, "14250.50", number % 2)) for number, head in enumerate(heads))
    vehicles = tuple(GroupRow(f"MH12 AB {1000 + number}", True, figures) for number in range(12))
    centres = (GroupRow(HOSTILE, False, figures), GroupRow("None", False, figures))
    groups = (
        Group("vehicles", "By vehicle", "Vehicle", vehicles, GroupRow("All vehicles", False, figures), 31),
        Group("centres", "By cost centre", "Cost centre", centres, GroupRow("All cost centres", False, figures), 0),
    )
    return StatementPage(
        first=date(2026, 10, 1),
        last=date(2026, 10, 31),
        typed={"from": "2026-10-01", "to": "2026-10-31"},
        problem=None,
        presets=(
            Preset("Last month", "/reconcile/statement", True),
            Preset("This month", "/reconcile/statement", False),
        ),
        made_at=NOW,
        lines=lines,
        no_longer_paid=figure(2, "1000"),
        groups=groups,
        csv_address="/reconcile/statement.csv",
        xlsx_address="/reconcile/statement.xlsx",
        is_empty=False,
    )
