"""Show the list of links."""

from __future__ import annotations

from dataclasses import replace

from dashboard.domain.money import Sum
from dashboard.web.links.records import (
    Choice,
    Column,
    LinkRow,
    LinkRows,
    LinksPage,
    PaymentAddress,
    SavedViewLink,
    Tab,
    Total,
)
from tests.support.gallery.samples import ACTIVE, HOSTILE, LARGE, LINK_CARDS, STATES, URL, Pages

_HEADS = {"vehicle": "Payment link", "state": "State", "amount": "To pay", "ends": "When", "made": "Made"}
_TYPED = dict.fromkeys(("q", "vehicle", "from", "to", "least", "most"), "")
_TOTAL = Total(48, False, Sum(LARGE, 2))
_TABS = (
    Tab("tab-1", "All", "/links", True, _TOTAL),
    Tab("tab-2", "Active", "/links?state=ACTIVE", False, Total(10_000, True, None)),
    Tab("tab-3", "Needs action", "/links?only=action", False, Total(0, False, Sum(LARGE * 0, 0))),
    Tab("tab-4", HOSTILE, "/links?state=x", False, None),
)


def _row(number: int, link_id: str = "") -> LinkRow:
    """Return the row of a sample card: one that can be paid is given to a driver, and offers what can be done."""
    card = LINK_CARDS[number % len(LINK_CARDS)]
    if card.state is not ACTIVE:
        return LinkRow(replace(card, id=link_id or card.id), HOSTILE if number % 2 else None, False, "", None, None)
    payment = PaymentAddress(URL, safe=True, copyable=True, check_first=number % 2 == 0)
    return LinkRow(replace(card, id=link_id or card.id), "Ramesh Kumar", number > 9, "Not sent yet", 7, payment)


def list_pages() -> Pages:
    columns = {name: Column(f"sort-{name}", words, "/links?sort=x", "none") for name, words in _HEADS.items()}
    columns["made"] = replace(columns["made"], sorted="descending")
    shown = tuple(_row(n) for n in range(len(LINK_CARDS)))
    rows = LinkRows(_TOTAL, "48 links", False, _TABS, shown, columns, "/links/rows?seen=x", 15, "x", 50, None, None)
    page = LinksPage(
        listed=rows,
        dates="Dates",
        more=0,
        typed=_TYPED,
        problems={},
        only=(Choice("", "Any", True), Choice("open", "Open", False)),
        days_of=(Choice("made", "Made", True), Choice("paid", "Paid", False)),
        paid_after=(Choice("", "Any", True), Choice("0-1", "Within 1 h", False)),
        challan_type="",
        custom_fields=(
            ("cost_centre", "Cost centre", ""),
            ("trip", "Trip", ""),
            ("customer", "Customer to recharge", HOSTILE),
            ("note", "Words of the note", ""),
        ),
        drivers=(Choice("", "Anybody", True), Choice("1", HOSTILE, False)),
        states=tuple(Choice(state.raw, state.shown, False) for state in STATES.values()),
        creators=(Choice("", "Anybody", True), Choice("1", "Asha Raghunathan", False), Choice("2", HOSTILE, False)),
        sort="made",
        direction="down",
        max_view_name=60,
        query=(("state", "PAID"), ("q", HOSTILE)),
        views=(),
    )
    long = tuple(_row(n, f"row{n}") for n in range(50))
    views = tuple(
        SavedViewLink(n, name, "/links?state=PAID", n == 1) for n, name in enumerate(("Mine", "Paid", HOSTILE))
    )
    full = replace(
        page,
        listed=replace(
            rows,
            rows=long,
            newer="/links?before=x",
            older="/links?after=x",
            total=Total(12345, True, None),
            narrows=True,
        ),
        dates="Paid: 21 Nov to 22 Nov",
        more=3,
        typed=_TYPED | {"q": HOSTILE, "least": "a lot"},
        problems={"least": "Enter an amount such as 2500 or 2,500.50."},
        views=views,
    )
    return {
        "links-full": (
            "links/index.html",
            {"page": full, "saving": ("Paid ones", "Give the view a name."), "is_filtered": False, "is_saved": False},
        ),
    }
