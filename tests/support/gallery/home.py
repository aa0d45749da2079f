"""Show home and its list of known vehicles in many states."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

from dashboard.domain.money import Sum
from dashboard.web.home.records import AttentionItem, Figure, HomePanel, PaidCard, PaidSince
from dashboard.web.vehicles.records import Sorted, VehicleCard
from dashboard.web.vehicles.texts import ORDERS
from tests.support.gallery.forms import search_form
from tests.support.gallery.samples import HOSTILE, LARGE, LINK_CARDS, LINK_ID, NOW, PLATE, RC, Page, Pages, ago

_VEHICLES = [
    VehicleCard(RC, PLATE, ago(seconds=64), 8, Sum(Decimal("14250.50"), 2), 3),
    VehicleCard("DL1LAB0042", "DL1L AB 0042", ago(hours=3), 0, Sum(Decimal(0), 0), 0),
    VehicleCard("22BH4321AA", "22 BH 4321 AA", ago(days=2), 230, Sum(LARGE, 0), 12),
]
_ATTENTION = [
    AttentionItem(
        f"{PLATE}: the outcome of a request for a link is not known yet.",
        "/requests/1",
        "Open the request",
        ago(seconds=50),
    ),
    AttentionItem(
        "DL1L AB 0042: paid after its link had ended.", f"/links/{LINK_ID}", "Open the link", ago(hours=2), "wrong"
    ),
    AttentionItem(
        f"{PLATE}: Meera Iyer released the challans of a request; its link may or may not exist, and we go on looking.",
        "/requests/2",
        "Open the request",
        ago(hours=3),
        "neutral",
    ),
]
_PAID = PaidSince(
    (
        PaidCard(LINK_ID, PLATE, Decimal("14250.50"), ago(minutes=3), ago(minutes=4)),
        PaidCard("7" * 8 + LINK_ID[8:], "DL1L AB 0042", LARGE, ago(hours=2), None),
        PaidCard("8" * 8 + LINK_ID[8:], None, None, ago(days=2), ago(days=2)),
    ),
    (
        PaidCard("6" * 8 + LINK_ID[8:], PLATE, Decimal(500), ago(days=2), None),
        PaidCard("5" * 8 + LINK_ID[8:], None, None, ago(days=3), None),
    ),
    15,
    Sum(LARGE, 2),
    NOW.isoformat(),
)
_FIGURES = (
    Figure("Open", 1217, Sum(LARGE * 12, 4), "/links?only=open"),
    Figure("Ends today", 1, Sum(Decimal(0), 1), "/links?only=today"),
    Figure("Not sent", 0, Sum(Decimal(0), 0), "/links?only=not-sent"),
    Figure("Collected since yesterday", 14, Sum(Decimal("85031.50"), 0), "/links?state=PAID"),
)

_SORTED = Sorted("sum", "highest sum first", dict.fromkeys(ORDERS, "/vehicles"), among=200)


def home_pages() -> Pages:
    return {
        "home": _home(),
        "home-paid": _home(panel=_panel(paid=_PAID, title="(15 paid) Challan Dashboard"), notifications_wanted=True),
        "home-first-search": _home(form=search_form("KA05MN7788"), first_search=True),
        "home-wrong": _home(form=search_form("!!", "A registration number has only letters A to Z and digits.")),
        "home-stale": _home(freshness_notice="Today's search limit is reached. Cities and RC types are from 11:20 am."),
        "home-hostile": _home(vehicles=[], form=search_form(HOSTILE)),
        "known": ("vehicles/index.html", {"vehicles": _VEHICLES, "query": "1", "sorted": _SORTED}),
        "known-none": ("vehicles/index.html", {"vehicles": [], "query": HOSTILE, "sorted": _SORTED}),
    }


def _home(**changes: Any) -> Page:
    context = {
        "form": search_form(),
        "vehicles": _VEHICLES,
        "links": LINK_CARDS,
        "panel": _panel(),
        "notifications_wanted": False,
        "freshness_notice": None,
        "first_search": False,
    }
    return "home/index.html", context | changes


def _panel(**changes: Any) -> HomePanel:
    panel = HomePanel(
        _FIGURES,
        PaidSince(),
        tuple(_ATTENTION),
        15,
        "0123456789abcdef.0",
        "Search · Challan Dashboard",
        "0123456789abcdef",
    )
    return replace(panel, **changes)
