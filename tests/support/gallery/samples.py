"""Provide the time, names, texts and sample records that the pages of the gallery share."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

from dashboard.web.links.records import LinkCard, When
from dashboard.web.shared.records import ChallanRow, HeldBy, LinkMention
from dashboard.web.shared.texts import link_state

Page = tuple[str, dict[str, Any]]  # The name of a template, and its variables.
Pages = dict[str, Page]

NOW = datetime(2026, 11, 21, 8, 33, 20, tzinfo=UTC)
RC, PLATE = "MH12AB1001", "MH12 AB 1001"
LINK_ID = "3f2b8c54-9a1d-4c0e-8f6b-1d2e3f4a5b6c"
NEW_ID = "5d0c7e11-2b3c-4d5e-9f60-718293a4b5c6"
URL = "https://pay.example.in/prepaid-payment/3f9d2c81b7e64a55a0c1d2e3f4a5b6c7"
HINDI = "निर्धारित गति सीमा से अधिक गति पर राष्ट्रीय राजमार्ग पर वाहन चलाना"
HOSTILE = '<script>alert(1)</script>"><img src=x onerror=alert(2)> \u202egnp.exe {{ 7*7 }}'
LARGE = Decimal("12345678.90")

ACTIVE = link_state("ACTIVE")
PAID = link_state("PAID")
STATES = {
    "active": ACTIVE,
    "paid": PAID,
    "expired": link_state("EXPIRED"),
    "failed": link_state("FAILED"),
    "cancelled": link_state("CANCELLED"),
    "undocumented": link_state("ON_HOLD"),
}


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


ON_LINK = tuple(
    challan(n, held_by=HeldBy(f"/links/{LINK_ID}", "open link", ACTIVE, NOW + timedelta(hours=31, minutes=5)))
    for n in (20, 21)
)
NOT_PAYABLE = (
    challan(23, status="IN_COURT_REVIEW", reason="IN_COURT_REVIEW"),
    challan(24, status="PENDING", reason="Pending: prepaid, but no link is shown. Refresh from source to check again."),
)
LEFT_OUT = (
    challan(23, status="IN_COURT_REVIEW", reason="IN_COURT_REVIEW"),
    challan(25, reason="No longer listed. It may have been paid."),
)
OLD = LinkMention(LINK_ID, ago(hours=48, minutes=-30), STATES["expired"])
LINK_CARDS = [
    LinkCard(
        f"{n}",
        PLATE,
        state,
        Decimal("14250.50") if n else LARGE,
        n + 1,
        ago(minutes=9 * n + 10),
        None if n == 3 else "Asha R.",
        "created outside this dashboard",
        When("ends tomorrow 9:30 pm", NOW + timedelta(hours=31))
        if state.meaning in ("waiting", "neutral")
        else When("paid today 1:30 pm", ago(hours=n))
        if n != 4
        else When("end not known", None),
    )
    for n, state in enumerate(STATES.values())
]
