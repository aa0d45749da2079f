"""Show the page of a payment link in many states."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from dashboard.web.links.records import (
    AmountTable,
    LinkChallanRow,
    LinkPage,
    LinkPanel,
    ModeAmounts,
    PaymentAddress,
    Recipient,
    Timeline,
    TimelineEntry,
)
from dashboard.web.shared.records import Freshness, StateWords
from tests.support.gallery.samples import ACTIVE, HINDI, LINK_ID, NOW, PAID, PLATE, RC, STATES, URL, Pages, ago

_TIMELINE = Timeline(
    LINK_ID,
    (
        TimelineEntry(ago(minutes=10), "Created", "Asha R.", "good"),
        TimelineEntry(ago(minutes=9), "Payment URL copied", "Asha R.", icon="copy"),
        TimelineEntry(ago(minutes=8), "Shared on WhatsApp", "Meera", icon="external"),
        TimelineEntry(ago(minutes=5), f"Alarm noted: {HINDI}", "Meera", "waiting"),
        TimelineEntry(ago(minutes=4), "Paid", None, "good"),
        TimelineEntry(ago(minutes=1), "Replaced by another link", "Meera", "ended", "/links/2", "Open the new link"),
    ),
    True,
    "7-0-0",
)


_PARTS = ("Fines", "Legal fee", "GST", "Convenience fee")


def _amounts(*written: str) -> tuple[Decimal, ...]:
    return tuple(map(Decimal, written))


def link_pages() -> Pages:
    unsafe = PaymentAddress(
        "javascript:alert(document.domain)", safe=False, copyable=False, problem="It is not an https address."
    )
    troubled = {
        "freshness": Freshness(
            ago(minutes=7), "The service did not answer. This is from 1:56 pm. We check again automatically."
        ),
        "warnings": ("The link has 4 of the 5 challans requested.",),
    }
    pages = {f"link-{name}": link_page(state) for name, state in STATES.items()}
    pages |= {
        "link-trouble": link_page(ACTIVE, panel=troubled, left_to_review=79),
        "link-unsafe": link_page(ACTIVE, payment=unsafe),
        "link-bare": link_page(
            ACTIVE,
            payment=PaymentAddress(None, safe=False, copyable=False),
            amounts=AmountTable(_PARTS, (ModeAmounts("This link", (None,) * 4, None),)),
            challans=(),
            rc=None,
            plate=None,
            created_by=None,
            unnamed_maker="created outside this dashboard",
            created_at=None,
            hours=None,
            origin="Created outside this dashboard: a search showed it on this vehicle's challans.",
            panel={"expires_at": None, "freshness": Freshness(None)},
        ),
    }
    return {name: ("links/show.html", {"page": page, "form": None}) for name, page in pages.items()}


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
        total=Decimal("14250.50"),
        paid_by="by UPI" if live else "",
        can_check=state is not PAID,
        has_receipt=state is PAID,
        has_ended=state.meaning in ("ended", "wrong"),
        copy_problem="" if live else "This link is paid; there is nothing to share.",
        poll_seconds=4 if live else None,
        seen="0123456789abcdef",
        title=f"{state.shown} · {PLATE} · Challan Dashboard",
    )
    page = LinkPage(
        panel=replace(panel, **changes.pop("panel", {})),
        rc=RC,
        plate=PLATE,
        payment=PaymentAddress(URL, safe=True, copyable=live, problem=None if live else "There is nothing to share."),
        sent="Not sent yet",
        recipient=Recipient(7, "Lakshmi Devi"),
        amounts=AmountTable(
            _PARTS,
            (
                ModeAmounts("UPI", _amounts("12500", "1483.48", "267.02", "0"), Decimal("14250.50"), "cheapest", True),
                ModeAmounts(
                    "Credit card",
                    _amounts("12500", "1483.48", "267.02", "336.31"),
                    Decimal("14586.81"),
                    "₹336.31 more",
                ),
            ),
        ),
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
        unnamed_maker="created outside this dashboard",
        origin="",
        hours=48,
        timeline=_TIMELINE,
    )
    return replace(page, **changes)
