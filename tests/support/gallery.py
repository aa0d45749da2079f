"""Every page of the dashboard in many states, from sample records alone: no store, no service, no sign-in.

`python -m tests.support.gallery` serves them on http://127.0.0.1:8020 for whoever works on the look.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote, urlencode
from zoneinfo import ZoneInfo

from flask import Flask, Response, abort
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from wtforms import EmailField, Form, HiddenField, PasswordField, SelectField, StringField, TextAreaField
from wtforms.fields.choices import SelectChoice

from dashboard.domain.money import Sum, add_up
from dashboard.web import qr
from dashboard.web.assets import Assets
from dashboard.web.banner import Banner, BannerLink, Banners
from dashboard.web.filters import Wording
from dashboard.web.live_views import HomePanel, PaidCard, PaidSince, Timeline, TimelineEntry, VehicleLink, VehiclePanel
from dashboard.web.own_fields_views import OwnFieldsView
from dashboard.web.security import CONTENT_SECURITY_POLICY
from dashboard.web.ties import AlarmNote, DoubleAlarm, LinkMention, ReplacedLink, Replacement
from dashboard.web.views import (
    AmountRow,
    AttentionItem,
    ChallanGroup,
    ChallanRow,
    Freshness,
    HeldBy,
    LinkCard,
    LinkChallanRow,
    LinkPage,
    LinkPanel,
    ModeTotal,
    PaymentAddress,
    RequestPage,
    RequestPanel,
    ReviewPage,
    StateWords,
    VehicleCard,
    VehiclePage,
)
from tests.support import gallery_requests
from tests.support.gallery_desk import desk_pages
from tests.support.gallery_lists import list_pages
from tests.support.gallery_reconcile import reconcile_pages
from tests.support.gallery_service import service_pages

ROOT = Path(__file__).resolve().parents[2]
NOW = datetime(2026, 11, 21, 8, 33, 20, tzinfo=UTC)
RC, PLATE = "MH12AB1001", "MH12 AB 1001"
LINK_ID = "3f2b8c54-9a1d-4c0e-8f6b-1d2e3f4a5b6c"
NEW_ID = "5d0c7e11-2b3c-4d5e-9f60-718293a4b5c6"
URL = "https://pay.example.in/prepaid-payment/3f9d2c81b7e64a55a0c1d2e3f4a5b6c7"
HINDI = "निर्धारित गति सीमा से अधिक गति पर राष्ट्रीय राजमार्ग पर वाहन चलाना"
HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)> \u202egnp.exe {{ 7*7 }}'
LARGE = Decimal("12345678.90")

ACTIVE = StateWords("ACTIVE", "can still be paid", "waiting")
PAID = StateWords("PAID", "paid", "good")
STATES = {
    "active": ACTIVE,
    "paid": PAID,
    "expired": StateWords("EXPIRED", "ended without payment", "ended"),
    "failed": StateWords("FAILED", "a payment attempt failed", "wrong"),
    "cancelled": StateWords("CANCELLED", "no longer valid", "ended"),
    "undocumented": StateWords("ON_HOLD", "a state the service has not documented", "neutral"),
}

_ADDRESSES = {
    "home.index": "/",
    "home.panel": "/panel",
    "home.banner": "/banner",
    "home.recent_links": "/recent-links",
    "home.paid_news": "/paid-news",
    "home.mark_seen": "/paid/seen",
    "home.set_notices": "/paid/notices",
    "search.create": "/search",
    "service.index": "/service",
    "service.try_again": "/service/try-again",
    "search.wait": "/search/wait",
    "vehicles.known": "/vehicles",
    "vehicles.show": "/vehicles/{rc}",
    "vehicles.panel": "/vehicles/{rc}/panel",
    "vehicles.keep": "/vehicles/{rc}/keep",
    "vehicles.refresh": "/vehicles/{rc}/refresh",
    "vehicles.select": "/vehicles/{rc}/selection",
    "vehicles.review": "/vehicles/{rc}/review",
    "links.create": "/vehicles/{rc}/links",
    "finding.find": "/find",
    "overview.index": "/overview",
    "links.index": "/links",
    "links.rows": "/links/rows",
    "links.save_view": "/links/views",
    "links.forget_view": "/links/views/{view_id}/forget",
    "links.show": "/links/{link_id}",
    "links.panel": "/links/{link_id}/panel",
    "links.payment": "/links/{link_id}/payment",
    "links.timeline": "/links/{link_id}/timeline",
    "links.copied": "/links/{link_id}/copied",
    "exports.links": "/links/export",
    "sharing.show": "/links/{link_id}/share",
    "sharing.prepare": "/links/{link_id}/share",
    "sharing.nudge": "/links/{link_id}/nudge",
    "kept.save": "/kept",
    "kept.forget": "/kept/forget",
    "sharing.record": "/links/{link_id}/shared",
    "sharing.screen": "/links/{link_id}/qr",
    "sharing.code": "/links/{link_id}/qr.svg",
    "drivers.index": "/drivers",
    "drivers.add": "/drivers",
    "drivers.change": "/drivers/{driver_id}",
    "drivers.leave": "/drivers/{driver_id}/leave",
    "messages.index": "/messages",
    "messages.write": "/messages/{language}",
    "messages.original": "/messages/{language}/original",
    "follow_up.index": "/follow-up",
    "reconcile.index": "/reconcile",
    "reconcile.kind": "/reconcile/findings/{kind}",
    "reconcile.look": "/reconcile/look/{link_id}",
    "reconcile.see": "/reconcile/findings/{finding_id}/seen",
    "reconcile.statement": "/reconcile/statement",
    "follow_up.snooze": "/follow-up/{link_id}/snooze",
    "follow_up.write_note": "/follow-up/{link_id}/note",
    "own_fields.of_link": "/links/{link_id}/fields",
    "drivers.show": "/drivers/{driver_id}",
    "links.check": "/links/{link_id}/check",
    "links.reissue": "/links/{link_id}/reissue",
    "links.double_seen": "/links/{link_id}/double-seen",
    "requests.show": "/requests/{request_id}",
    "requests.panel": "/requests/{request_id}/panel",
    "requests.again": "/requests/{request_id}/again",
    "requests.check": "/requests/{request_id}/check",
    "requests.set_aside": "/requests/{request_id}/set-aside",
    "auth.sign_in": "/sign-in",
    "auth.sign_out": "/sign-out",
}


class SearchForm(Form):
    rc_number = StringField("RC number")
    rc_type = SelectField(
        "RC type",
        choices=[SelectChoice("", "Choose a type"), SelectChoice("TRUCK", "Truck"), SelectChoice("LEASE", "Lease")],
    )
    city_id = SelectField(
        "City",
        choices=[
            SelectChoice("", "Choose a city"),
            SelectChoice("a", "Pune, Maharashtra, Depot 1"),
            SelectChoice("b", "Pune, Maharashtra, Head office"),
        ],
    )


class ReviewForm(Form):
    hours = StringField("Expires after (hours)")
    request_key = HiddenField()


class NoteForm(Form):
    note = TextAreaField("What was done about it")
    newest = HiddenField()


class SignInForm(Form):
    email = EmailField("Email")
    password = PasswordField("Password")
    next = HiddenField()


def ago(**span: float) -> datetime:
    return NOW - timedelta(**span)


def challan(number: int, **changes: Any) -> ChallanRow:
    row = ChallanRow(
        id=f"00000000-0000-4000-8000-{number:012d}",
        challan_no=f"MH{1098765432 + number}",
        status="PENDING" if number % 3 else "TO_BE_ASSIGNED",
        date=ago(days=9 + 17 * number),
        age_days=9 + 17 * number,
        offence=("Over speeding (LMV)", "Red light violation", "No parking", "Driving without a valid permit")[
            number % 4
        ],
        place=("NH-48 km 23", "Sion circle", "Outside Pune station, platform 1 side", "Andheri East")[number % 4],
        state=("Maharashtra", "Delhi", "Karnataka")[number % 3],
        type="ONLINE" if number % 4 else "COURT",
        amount=Decimal(500 * (number % 5 + 1)),
        total=Decimal(500 * (number % 5 + 1)) + Decimal("199.50"),
    )
    return replace(row, **changes)


def vehicle_page(
    payable: tuple[ChallanRow, ...],
    on_link: tuple[ChallanRow, ...] = (),
    not_payable: tuple[ChallanRow, ...] = (),
    **changes: Any,
) -> VehiclePage:
    rows = (*payable, *on_link, *not_payable)
    page = VehiclePage(
        rc=RC,
        plate=PLATE,
        searched_at=ago(seconds=64),
        searched_by="Asha R.",
        new_count=2,
        compared_with=ago(days=3),
        groups=(
            ChallanGroup("payable", "Can be paid", payable),
            ChallanGroup("on_link", "On an active link", on_link),
            ChallanGroup("not_payable", "Not payable", not_payable),
        ),
        gone=(),
        payable_sum=add_up(row.total for row in payable),
        unreadable=0,
        freshness=Freshness(ago(seconds=64)),
        states=tuple(sorted({row.state for row in rows if row.state})),
        types=tuple(sorted({row.type for row in rows if row.type})),
        panel=vehicle_panel(bool(on_link)),
    )
    return replace(page, **changes)


def vehicle_panel(with_link: bool, **changes: Any) -> VehiclePanel:
    link = VehicleLink(LINK_ID, ACTIVE, 2, NOW + timedelta(hours=31, minutes=5), ago(hours=17))
    panel = VehiclePanel(RC, links=(link,) if with_link else (), seen="0123456789abcdef", drawn="0.1.2")
    return replace(panel, **changes)


ON_LINK = tuple(
    challan(n, held_by=HeldBy(f"/links/{LINK_ID}", "open link", ACTIVE, NOW + timedelta(hours=31, minutes=5)))
    for n in (20, 21)
)
RESERVED = challan(22, reason="Reserved by a request", held_by=HeldBy("/requests/1", "your request of 14:01 IST"))
NOT_PAYABLE = (
    challan(23, status="IN_COURT_REVIEW", reason="IN_COURT_REVIEW"),
    challan(24, status="PENDING", reason="PENDING: prepaid, but no link is shown. Refresh from source to look again."),
)
TWELVE = (
    challan(0, mark="new", ticked=True),
    challan(1, mark="changed", changes=("Amount was 500", "Status was TO_BE_ASSIGNED"), ticked=True),
    challan(2, offence=HINDI, ticked=True),
    challan(3, amount=None, total=None),
    challan(4, amount=LARGE, total=LARGE),
    challan(5, date=None, age_days=None, place=None, state=None, type=None, offence=None),
    challan(6),
)


def review_page(count: int, **changes: Any) -> ReviewPage:
    rows = tuple(challan(n) for n in range(count))
    page = ReviewPage(
        rc=RC,
        plate=PLATE,
        rows=rows,
        sum=add_up(row.total for row in rows),
        base_sum=add_up(row.amount for row in rows),
        plan=(count,),
        dropped=(),
        hours="48",
        ends_at=NOW + timedelta(hours=48),
        presets=(24, 48, 72, 168),
        snapshot_at=ago(minutes=2),
    )
    return replace(page, **changes)


TIMELINE = Timeline(
    LINK_ID,
    (
        TimelineEntry(ago(minutes=10), "Created", "Asha R.", "good"),
        TimelineEntry(ago(minutes=9), "Payment URL copied", "Asha R.", icon="copy"),
        TimelineEntry(ago(minutes=8), "Shared on WhatsApp", "Meera", icon="external"),
        TimelineEntry(ago(minutes=5), f"Alarm noted: {HINDI}", "Meera", "waiting"),
        TimelineEntry(ago(minutes=4), "Paid, as the service says", None, "good"),
        TimelineEntry(ago(minutes=4), "First seen PAID; it was ACTIVE", None, "good"),
        TimelineEntry(ago(minutes=1), "Replaced by another link", "Meera", "ended", "/links/2", "Open the new link"),
    ),
    True,
    "7-0-0",
)


def link_page(state: StateWords, **changes: Any) -> LinkPage:
    live = state.meaning in ("waiting", "neutral")
    panel = LinkPanel(
        id=LINK_ID,
        state=state,
        since=ago(minutes=4),
        expires_at=NOW + timedelta(hours=47, minutes=50) if live else ago(hours=1),
        paid_at=ago(minutes=4) if state is PAID else None,
        freshness=Freshness(ago(seconds=4)),
        warnings=(),
        poll_seconds=4 if live else None,
        seen="0123456789abcdef",
        title=f"{state.raw} · {PLATE} · Challan Dashboard",
    )
    page = LinkPage(
        panel=replace(panel, **changes.pop("panel", {})),
        rc=RC,
        plate=PLATE,
        payment=PaymentAddress(URL, safe=True, copyable=live, problem=None if live else "There is nothing to share."),
        breakdown=(
            AmountRow("Fines", Decimal("12500")),
            AmountRow("Legal fee", Decimal("1483.48")),
            AmountRow("GST", Decimal("267.02")),
            AmountRow("Convenience fee", Decimal("0")),
        ),
        total=Decimal("14250.50"),
        modes=(
            ModeTotal("UPI", "UPI", Decimal("14250.50"), Decimal(0)),
            ModeTotal("CREDIT_CARD", "Credit card", Decimal("14586.81"), Decimal("336.31")),
        ),
        saving="UPI",
        saving_amount=Decimal("336.31"),
        challans=tuple(
            LinkChallanRow(
                f"MH{1098765432 + n}",
                RC,
                "PENDING",
                "ONLINE",
                "Maharashtra",
                Decimal(2000),
                Decimal("199"),
                Decimal(2199),
            )
            for n in range(8)
        ),
        created_at=ago(minutes=10),
        created_by="Asha R.",
        origin="",
        hours=48,
        timeline=TIMELINE,
    )
    return replace(page, **changes)


def request_page(state: str, words: str, what_next: str, meaning: str, **changes: Any) -> RequestPage:
    waits = state in ("PREPARED", "SENDING", "UNKNOWN")
    panel = RequestPanel(
        id="7a1f",
        state=state,
        words=words,
        next=what_next,
        meaning=meaning,
        sent_at=ago(seconds=40),
        poll_seconds=4 if waits else None,
        seen="0123456789abcdef",
        can_check=state in ("UNKNOWN", "NEEDS_ATTENTION"),
        can_retry=state in ("REJECTED", "NOT_SENT", "NOT_CREATED", "ABANDONED"),
        title=f"Request · {PLATE} · Challan Dashboard",
        rc=RC,
    )
    return RequestPage(
        panel=replace(panel, **changes),
        rc=RC,
        plate=PLATE,
        created_by="Asha R.",
        created_at=ago(seconds=42),
        hours=48,
        rows=tuple(challan(n) for n in range(5)),
    )


_VEHICLES = [
    VehicleCard(RC, PLATE, ago(seconds=64), 8, Sum(Decimal("14250.50"), 2), 3),
    VehicleCard("DL1LAB0042", "DL1L AB 0042", ago(hours=3), 0, Sum(Decimal(0), 0), 0),
    VehicleCard("22BH4321AA", "22 BH 4321 AA", ago(days=2), 230, Sum(LARGE, 0), 12),
]
_LINKS = [
    LinkCard(
        f"{n}",
        RC,
        PLATE,
        state,
        Decimal("14250.50") if n else LARGE,
        n + 1,
        ago(minutes=9 * n + 10),
        None if n == 3 else "Asha R.",
        NOW + timedelta(hours=31) if state.meaning in ("waiting", "neutral") else ago(hours=n),
    )
    for n, state in enumerate(STATES.values())
]
_ATTENTION = [
    AttentionItem(
        f"{PLATE}: the outcome of a request for a link is not known yet.",
        "/requests/1",
        "Look at the request",
        ago(seconds=50),
    ),
    AttentionItem(
        "DL1L AB 0042: paid after its link had ended.", f"/links/{LINK_ID}", "Open the link", ago(hours=2), "wrong"
    ),
    AttentionItem(
        f"{PLATE}: a request was set aside by Meera Iyer; its link may or may not exist, and we go on looking.",
        "/requests/2",
        "Look at the request",
        ago(hours=3),
        "neutral",
    ),
]


def _search_form(number: str = "", error: str = "") -> SearchForm:
    form = SearchForm(data={"rc_number": number})
    if error:
        form.rc_number.errors = [error]
    return form


def _review_form(hours: str = "48", error: str = "") -> ReviewForm:
    form = ReviewForm(data={"hours": hours, "request_key": "k" * 32})
    if error:
        form.hours.errors = [error]
    return form


def _home(**changes: Any) -> tuple[str, dict[str, Any]]:
    context = {
        "form": _search_form(),
        "vehicles": _VEHICLES,
        "links": _LINKS,
        "panel": home_panel(),
        "notices_wanted": False,
        "query": "",
        "freshness_notice": None,
        "first_search": False,
    }
    return "home/index.html", context | changes


def home_panel(**changes: Any) -> HomePanel:
    panel = HomePanel(
        PaidSince(), tuple(_ATTENTION), 15, "0123456789abcdef.0", "Search · Challan Dashboard", "0123456789abcdef"
    )
    return replace(panel, **changes)


_PAID = PaidSince(
    (
        PaidCard(LINK_ID, PLATE, Decimal("14250.50"), ago(minutes=3), ago(minutes=4)),
        PaidCard("7" * 8 + LINK_ID[8:], "DL1L AB 0042", LARGE, ago(hours=2), None),
        PaidCard("8" * 8 + LINK_ID[8:], None, None, ago(days=2), ago(days=2)),
    ),
    15,
    NOW.isoformat(),
)


def _vehicle(page: VehiclePage) -> tuple[str, dict[str, Any]]:
    return "vehicles/show.html", {"page": page, "form": _search_form(), "first_search": False}


def _review(page: ReviewPage, form: ReviewForm | None = None) -> tuple[str, dict[str, Any]]:
    return "vehicles/review.html", {"page": page, "form": form or _review_form()}


def _hostile_vehicle() -> VehiclePage:
    row = challan(1, challan_no=HOSTILE, offence=HOSTILE, place=HOSTILE, state=HOSTILE, type=HOSTILE, status=HOSTILE)
    page = vehicle_page((row,), (replace(ON_LINK[0], challan_no=HOSTILE),), (replace(row, id=None, reason=HOSTILE),))
    return replace(page, plate=HOSTILE, states=(HOSTILE, "Delhi"), types=(HOSTILE, "ONLINE"), searched_by=HOSTILE)


def _many(count: int, ticked: int) -> VehiclePage:
    return vehicle_page(tuple(challan(n, ticked=n < ticked) for n in range(count)), ON_LINK, NOT_PAYABLE)


def _pages() -> dict[str, tuple[str, dict[str, Any]]]:
    sign_in, wrong = SignInForm(), SignInForm(data={"email": "asha@"})
    wrong.email.errors = ["Enter your email address."]
    pages: dict[str, tuple[str, dict[str, Any]]] = {
        "sign-in": ("auth/sign_in.html", {"form": sign_in, "notice": None}),
        "sign-in-wrong": ("auth/sign_in.html", {"form": wrong, "notice": "Your session has ended. Sign in to go on."}),
        "home": _home(),
        "home-empty": _home(vehicles=[], links=[], panel=home_panel(attention=())),
        "home-paid": _home(panel=home_panel(paid=_PAID, title="(15 paid) Challan Dashboard"), notices_wanted=True),
        "home-first-search": _home(form=_search_form("KA05MN7788"), first_search=True),
        "home-wrong": _home(form=_search_form("!!", "A registration number has only letters A to Z and digits.")),
        "home-stale": _home(
            freshness_notice="Today's search limit is reached. Cities and RC types are from 11:20 IST."
        ),
        "home-hostile": _home(query=HOSTILE, vehicles=[], form=_search_form(HOSTILE)),
        "known": ("vehicles/index.html", {"vehicles": _VEHICLES, "query": "1"}),
        "known-none": ("vehicles/index.html", {"vehicles": [], "query": HOSTILE}),
        "vehicle": _vehicle(vehicle_page(TWELVE, (*ON_LINK, RESERVED), NOT_PAYABLE, gone=(challan(30), challan(31)))),
        "vehicle-one": _vehicle(vehicle_page((challan(1),))),
        "vehicle-empty": _vehicle(vehicle_page((), new_count=0)),
        "vehicle-none-payable": _vehicle(vehicle_page((), ON_LINK, NOT_PAYABLE)),
        "vehicle-230": _vehicle(_many(230, 0)),
        "vehicle-179": _vehicle(_many(230, 179)),
        "vehicle-trouble": _vehicle(
            replace(
                _many(3, 1),
                unreadable=2,
                refreshing_by="Meera",
                next_lot=79,
                freshness=Freshness(ago(hours=5), "The service did not answer. This is from 09:03 IST."),
                panel=vehicle_panel(
                    True,
                    news=(
                        "The vehicle was searched again at 14:01 IST by Meera.",
                        "The state of a payment link has changed, so other challans may be payable now.",
                    ),
                ),
            )
        ),
        "vehicle-hostile": _vehicle(_hostile_vehicle()),
        "unsearched": (
            "vehicles/unsearched.html",
            {"rc": RC, "plate": PLATE, "form": _search_form(PLATE), "first_search": False},
        ),
        "review": _review(review_page(8)),
        "review-100": _review(review_page(100, plan=(100, 79), sum=Sum(LARGE, 3))),
        "review-wrong": _review(
            review_page(
                3,
                hours="12",
                ends_at=None,
                problem="Another request holds some of these challans. Nothing was sent.",
                held=ON_LINK,
                dropped=NOT_PAYABLE,
            ),
            _review_form("12", "Enter a whole number of hours from 24 to 168."),
        ),
        "review-let-go": _review(
            review_page(2, let_go=(HeldBy("/requests/1", "the request by Asha R. of 14:02 IST"),))
        ),
        "review-nothing": _review(review_page(0, dropped=NOT_PAYABLE)),
        "review-replaces": _review(review_page(8, replaces=ReplacedLink(OLD, True, 8, LEFT_OUT, 2))),
        "review-untied": _review(review_page(2, replaces=ReplacedLink(replace(OLD, state=PAID), False, 8, (), 2))),
        "request-sending": _request(
            "SENDING", "The request was sent at 14:02 IST; the service has not answered yet.", "", "waiting"
        ),
        "request-unknown": _request(
            "UNKNOWN",
            "The service did not answer. The link may or may not exist. These challans stay reserved.",
            "Next look in 28 s. Please do not create it elsewhere.",
            "waiting",
        ),
        "request-recovered": _request(
            "RECOVERED",
            "Found by checking; most likely made by the request of 14:02 IST.",
            "",
            "good",
            link_id=LINK_ID,
            link_state=ACTIVE,
            payment=PaymentAddress(URL, safe=True, copyable=True),
        ),
        "request-attached": _request(
            "ATTACHED",
            "One of these challans is already on another link; it is shown here. The others are free again.",
            "",
            "neutral",
            link_id=LINK_ID,
            link_state=ACTIVE,
            payment=PaymentAddress(URL, safe=True, copyable=True),
            held=ON_LINK,
            free=3,
        ),
        "request-rejected": _request(
            "REJECTED", "The service rejected the request. No link was created.", "Your selection is kept.", "wrong"
        ),
        "request-not-created": _request(
            "NOT_CREATED",
            "We looked twice, 2 min 10 s apart, and found no link.",
            "You can try again; we will look once more first.",
            "ended",
        ),
        "request-attention": _request(
            "NEEDS_ATTENTION",
            "The service did not answer. The link may or may not exist.",
            "We go on looking.",
            "wrong",
        ),
        "error": (
            "errors/error.html",
            {
                "title": "There is nothing here",
                "text": "The address may be mistyped.",
                "next_address": "/",
                "next_words": "Search a vehicle",
            },
        ),
    }
    pages |= gallery_requests.let_go_pages(request_page, ON_LINK, HOSTILE)
    for name, state in STATES.items():
        pages[f"link-{name}"] = "links/show.html", {"page": link_page(state), "form": None}
    unsafe = PaymentAddress(
        "javascript:alert(document.domain)", safe=False, copyable=False, problem="It is not an https address."
    )
    troubled = {
        "freshness": Freshness(
            ago(minutes=7), "The service did not answer. This is from 13:56 IST. It is asked again by itself."
        ),
        "warnings": ("The link covers 4 of the 5 challans asked for.",),
    }
    pages |= {
        "link-trouble": ("links/show.html", {"page": link_page(ACTIVE, panel=troubled, next_lot=79), "form": None}),
        "link-unsafe": ("links/show.html", {"page": link_page(ACTIVE, payment=unsafe), "form": None}),
        "link-bare": (
            "links/show.html",
            {
                "form": None,
                "page": link_page(
                    ACTIVE,
                    payment=PaymentAddress(None, safe=False, copyable=False),
                    modes=(),
                    total=None,
                    breakdown=(),
                    challans=(),
                    rc=None,
                    plate=None,
                    created_by=None,
                    created_at=None,
                    hours=None,
                    saving=None,
                    saving_amount=None,
                    origin="Not created here: a search showed it on this vehicle's challans.",
                    panel={"expires_at": None, "freshness": Freshness(None)},
                ),
            },
        ),
    }
    pages |= service_pages(NOW)
    pages |= desk_pages(link_page(ACTIVE), link_page(STATES["expired"]), URL, NOW, HOSTILE)
    pages |= reconcile_pages(_LINKS, list(STATES.values()), NOW, HOSTILE)
    return pages | list_pages(_LINKS, list(STATES.values()), HOSTILE) | _tied_links()


OLD = LinkMention(LINK_ID, ago(hours=48, minutes=-30), STATES["expired"])
NEW = LinkMention(NEW_ID, ago(minutes=10), ACTIVE)
LEFT_OUT = (
    challan(23, status="IN_COURT_REVIEW", reason="IN_COURT_REVIEW"),
    challan(25, reason="No longer listed. It may have been paid."),
)
_ADVICE = (
    "The link of 19 Nov 2026, 14:03 IST is PAID. Do not share this link, and tell whoever has it not to pay it. "
    "It cannot be withdrawn; it ends on 23 Nov 2026, 13:53 IST."
)


def _tied_links() -> dict[str, tuple[str, dict[str, Any]]]:
    """Links made in the place of others, and links on the same challans."""
    made = Replacement("7a1f", "Meera Iyer", ago(minutes=10), NEW)
    asked = Replacement("7a1f", HOSTILE, ago(minutes=1), None)
    alarm = DoubleAlarm(True, 7, ago(minutes=3), _ADVICE, (replace(OLD, state=PAID),), ())
    noted = AlarmNote("Meera Iyer", ago(minutes=1), f"Driver told at the depot. {HOSTILE}")
    form, wrong = NoteForm(data={"newest": "7"}), NoteForm(data={"newest": "7", "note": "seen"})
    wrong.note.errors = ["Write at least 10 and at most 1000 characters: who was told, what was done."]
    ended = {"can_reissue": True, "warnings": ("This may still change. Create a new link if payment is still needed.",)}
    doubled = {"warnings": ("Challans of this link are on another link too. If both are paid, money was paid twice.",)}
    paid_too = PaymentAddress(
        URL, safe=True, copyable=False, problem="Challans of this link were paid with another link. Do not share it."
    )
    new_page = link_page(ACTIVE, alarm=alarm, in_place_of=OLD, payment=paid_too, panel=doubled)
    old_alarm = replace(alarm, others=(NEW,))
    pages = {
        "link-ended": link_page(STATES["expired"], panel=ended),
        "link-refused": link_page(
            STATES["failed"],
            panel=ended,
            problem="None of its challans can be put on a new link; the reason stands beside each.",
            left_out=LEFT_OUT,
        ),
        "link-replaced": link_page(STATES["expired"], panel={"replaced_by": (made,)}),
        "link-being-replaced": link_page(STATES["cancelled"], panel={"replaced_by": (asked, made)}),
        "link-new": link_page(ACTIVE, in_place_of=OLD),
        "link-doubled": link_page(PAID, alarm=old_alarm, panel=doubled | {"replaced_by": (made,)}),
        "link-doubled-wrong": link_page(PAID, alarm=old_alarm, panel=doubled),
        "link-doubled-new": new_page,
        "link-doubled-noted": replace(new_page, alarm=replace(alarm, standing=False, notes=(noted,))),
        "link-doubled-request": link_page(PAID, alarm=replace(alarm, others=(), request_id="7a1f")),
    }
    forms = {"link-doubled": form, "link-doubled-wrong": wrong}
    return {name: ("links/show.html", {"page": page, "form": forms.get(name)}) for name, page in pages.items()}


def _request(state: str, words: str, what_next: str, meaning: str, **changes: Any) -> tuple[str, dict[str, Any]]:
    page = request_page(state, words, what_next, meaning, **changes)
    return "requests/show.html", {"page": page, "form": gallery_requests.reason_form()}


PAGES = _pages()
_SIGNED_OUT = ("sign-in", "sign-in-wrong")
_FOR_MANAGERS = ("links-full", "share", "messages", "messages-hostile", "overview", "overview-none")
_REFUSED = Banner(
    "The API key was refused", "No calls are being made since 14:01 IST. What is known is shown, with its age."
)
_DOUBLED = Banner(
    "Money may be paid twice",
    f"Links of {PLATE} hold the same challans. Open them to see what to do. "
    "This stands here until a manager or an administrator has taken note of it.",
    (
        BannerLink(f"{PLATE}, link of 19 Nov 2026, 14:03 IST: PAID", f"/links/{LINK_ID}"),
        BannerLink(f"{PLATE}, link of 13:53 IST: ACTIVE", f"/links/{NEW_ID}"),
    ),
)
_BANNERS = {
    "vehicle-trouble": (_REFUSED,),
    "home": (_DOUBLED,),
    "link-doubled": (_DOUBLED, _REFUSED),
    "link-doubled-new": (_DOUBLED,),
}


def environment(asset: Callable[[str], str], integrity: Callable[[str], str]) -> Environment:
    """Jinja as the application sets it up, with what surrounds the templates stubbed."""
    env = Environment(loader=FileSystemLoader(ROOT / "templates"), autoescape=True, undefined=StrictUndefined)
    wording = Wording(SimpleNamespace(timezone=ZoneInfo("Asia/Kolkata"), currency="INR"), lambda: NOW)  # type: ignore[arg-type]
    for name in ("amount", "moment", "exact", "day", "iso", "ago", "left", "plate"):
        env.filters[name] = getattr(wording, name)
    env.filters["qr"] = qr.draw
    env.globals.update(
        asset=asset,
        integrity=integrity,
        url_for=url_for,
        csrf_token=lambda: "token",
        get_flashed_messages=lambda **_: [],
        paid_notices=lambda: None,
        staging=True,
    )
    return env


def url_for(endpoint: str, **values: Any) -> str:
    pattern = _ADDRESSES[endpoint]
    named = set(re.findall(r"{(\w+)}", pattern))
    path = pattern.format(**{name: quote(str(values[name])) for name in named})
    query = {name: value for name, value in values.items() if name not in named}
    return path + (f"?{urlencode(query)}" if query else "")


def render(env: Environment, name: str) -> str:
    template, context = PAGES[name]
    role = "admin" if name.startswith("service") else "manager" if name in _FOR_MANAGERS else "staff"
    user = SimpleNamespace(
        is_authenticated=name not in _SIGNED_OUT, name="Asha Raghunathan", email="asha@fleet.example", role=role
    )
    own = OwnFieldsView(
        fields={"cost_centre": "Pune depot", "trip": None, "customer": HOSTILE, "note": None},
        inherited={"cost_centre": "Mumbai", "trip": "T-4711", "customer": None, "note": None},
        action="/links/x/fields",
        known={"cost_centre": ["Mumbai", "Pune depot"], "trip": [], "customer": []},
        typed={"cost_centre": "Pune depot", "trip": "", "customer": HOSTILE, "note": ""},
        problems={},
    )
    surroundings = {
        "own": own,
        "current_user": user,
        "now": NOW,
        "banners": lambda: Banners(_BANNERS.get(name, ())),
    }
    return env.get_template(template).render(surroundings | context)


def application() -> Flask:
    """The gallery as a site of its own, under the product's content security policy."""
    app = Flask(__name__, static_folder=None)
    assets = Assets(ROOT / "static")
    env = environment(lambda path: f"/static/{path}?v={assets[path].version}", lambda path: assets[path].integrity)
    env.auto_reload = True

    @app.get("/static/<path:path>")
    def static(path: str) -> Response:
        found = assets.find(path) or abort(404)
        return Response(found.content, content_type=found.type)

    @app.get("/gallery/<name>")
    def page(name: str) -> str:
        return render(env, name) if name in PAGES else abort(404)

    @app.get("/gallery")
    def index() -> str:
        return "".join(f'<p><a href="/gallery/{name}">{name}</a></p>' for name in PAGES)

    @app.after_request
    def add_policy(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        return response

    return app


if __name__ == "__main__":
    application().run("127.0.0.1", 8020)
