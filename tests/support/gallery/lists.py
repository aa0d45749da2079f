"""Show the list of links and the results of quick find in many states."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from dashboard.domain.money import Sum
from dashboard.web.links.records import Choice, Column, LinkRows, LinksPage, SavedViewLink
from dashboard.web.vehicles.records import FindPage, Found, FoundGroup
from tests.support.gallery.samples import ACTIVE, HOSTILE, LINK_CARDS, STATES, Pages

_HEADS = ("Payment link", "State", "To pay", "Ends", "Made")
_TYPED = dict.fromkeys(("q", "vehicle", "from", "to", "least", "most", "needs"), "")


def list_pages() -> Pages:
    columns = tuple(Column(f"sort-{n}", words, "/links?sort=x", "none", n > 1) for n, words in enumerate(_HEADS))
    columns = (*columns[:-1], replace(columns[-1], sorted="descending"))
    rows = LinkRows(
        len(LINK_CARDS), False, False, tuple(LINK_CARDS), columns, "/links/rows?seen=x", 15, "x", 50, None, None
    )
    page = LinksPage(
        listed=rows,
        more=False,
        typed=_TYPED,
        problems={},
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
        export_address="/links/export",
        views=(),
    )
    long = tuple(replace(LINK_CARDS[n % len(LINK_CARDS)], id=f"row{n}") for n in range(50))
    views = tuple(
        SavedViewLink(n, name, "/links?state=PAID", n == 1) for n, name in enumerate(("Mine", "Paid", HOSTILE))
    )
    full = replace(
        page,
        listed=replace(rows, rows=long, newer="/links?before=x", older="/links?after=x", count=12345, narrows=True),
        more=True,
        typed=_TYPED | {"q": HOSTILE, "least": "a lot"},
        problems={"least": "Enter an amount such as 2500 or 2,500.50."},
        views=views,
    )
    nothing = replace(page, listed=replace(rows, rows=(), count=0))
    no_match = replace(page, listed=replace(rows, rows=(), count=0, narrows=True))
    sum_of = Sum(Decimal("14250.50"), 0)
    found = FindPage(
        "1001",
        (
            FoundGroup(
                "Vehicles",
                (Found("MH12 AB 1001", "/vehicles/MH12AB1001", "3 challans can be paid", None, sum_of, is_plate=True),),
                False,
            ),
            FoundGroup(
                "Challans",
                (
                    Found("MH1098761001", "/links/x", "on a link of MH12 AB 1001", None, sum_of),
                    Found(HOSTILE, "/vehicles/X", "of X", None, Sum(Decimal(0), 1)),
                ),
                True,
            ),
            FoundGroup(
                "Payment links",
                (Found("MH12 AB 1001", "/links/x", "3f2b8c54-9a1d-4c0e-8f6b-1d2e3f4a5b6c", ACTIVE, sum_of),),
                False,
            ),
        ),
    )
    unknown = FindPage(HOSTILE, (), search_plate="DL 01 CA 9999", search_address="/vehicles/X")
    return {
        "links": ("links/index.html", {"page": page, "saving": ("", None), "is_filtered": False, "is_saved": False}),
        "links-full": (
            "links/index.html",
            {"page": full, "saving": ("Paid ones", "Give the view a name."), "is_filtered": False, "is_saved": False},
        ),
        "links-none": (
            "links/index.html",
            {"page": nothing, "saving": ("", None), "is_filtered": False, "is_saved": False},
        ),
        "links-no-match": (
            "links/index.html",
            {"page": no_match, "saving": ("", None), "is_filtered": False, "is_saved": False},
        ),
        "find": ("vehicles/find.html", {"page": found}),
        "find-nothing": ("vehicles/find.html", {"page": unknown}),
    }
