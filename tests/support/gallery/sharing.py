"""Show the pages of sharing in many states: the share page, drivers, messages, follow-up."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.messages import Message
from dashboard.domain.money import NO_SUM, Sum
from dashboard.store.links.totals import Total
from dashboard.store.sharing.follow_ups import FollowUpTotals
from dashboard.web.links.records import Choice
from dashboard.web.shared import qr
from dashboard.web.shared.edit_conflicts import ConflictNotice, Editing
from dashboard.web.shared.records import StateWords
from dashboard.web.sharing.records import (
    DriverCard,
    DriverMoney,
    FollowUp,
    FollowUpPage,
    LanguageTab,
    MessagesPage,
    NamedAmount,
    PastShare,
    Preview,
    Queue,
    Receipt,
    ReminderStep,
    SentNow,
    SharePage,
    Vehicle,
    Way,
    Wording,
)
from dashboard.web.sharing.texts import ENDS_TODAY, NOT_SENT, PLACEHOLDERS
from tests.support.gallery.forms import DriverForm
from tests.support.gallery.links import link_page
from tests.support.gallery.samples import ACTIVE, HOSTILE, NOW, STATES, URL, Pages, ago

_MONEY = DriverMoney(
    12, Sum(Decimal("12345678.90"), 1), 3, Sum(Decimal("4111.45"), 0), 9, Sum(Decimal("8000.00"), 0), ago(days=3)
)
_NO_MONEY = DriverMoney(0, NO_SUM, 0, NO_SUM, 0, NO_SUM, None)
_EDITING = Editing("1795000000-0")
_LONG_NAME = "Thiruvenkatasubramanian Ramanathapuram Venkataraghavan"
_MESSAGE = (
    "Hello Ramesh,\n\nVehicle MH12 AB 1001 has 8 unpaid challans. Please pay ₹14,250.50 by UPI "
    "before 23 Nov, 2:03 pm:\n{url}\n\nThe link stops working after that."
)


def sharing_pages() -> Pages:
    return {**_share_pages(), **_driver_pages(), **_message_pages(), **_follow_up_pages()}


def _share_pages() -> Pages:
    live = link_page(ACTIVE)
    languages = tuple(
        Choice(
            each.code,
            each.name if each is DEFAULT_LANGUAGE else f"{each.name} ({each.english})",
            each is DEFAULT_LANGUAGE,
        )
        for each in LANGUAGES.values()
    )
    past = (
        PastShare(ago(minutes=4), "Meera Iyer", "WhatsApp", "Ramesh Yadav", 1),
        PastShare(ago(hours=30), HOSTILE, "The phone's share sheet", _LONG_NAME, 2),
        PastShare(ago(days=40), "a former colleague", "QR code", None, None),
    )
    ready = SharePage(
        panel=live.panel,
        plate=live.plate,
        payment=live.payment,
        drivers=(Choice("0", "Choose a driver", False), Choice("1", "Ramesh Yadav", True)),
        languages=languages,
        driver_id=1,
        language="en",
        message=Message("Challans of MH12 AB 1001", _MESSAGE.replace("{url}", URL)),
        ways=(
            Way("whatsapp", "WhatsApp", "https://wa.me/919876543210?text=Hello"),
            Way("sms", "SMS", "sms:+919876543210?body=Hello"),
            Way("email", "E-mail", "mailto:ramesh@fleet.example?subject=Hello"),
        ),
        code=qr.draw(URL),
        problem=None,
        past=past,
    )
    stale = replace(ready, message=None, ways=(), code=None, past=())
    strange = replace(
        ready,
        message=replace(ready.message, text=HOSTILE) if ready.message else None,
        drivers=(Choice("0", "Choose a driver", False), Choice("2", _LONG_NAME, True)),
    )
    paid = Receipt(
        link_id=live.panel.id,
        plate=live.plate,
        organization="Sharma Roadlines Private Limited",
        driver="Ramesh Yadav",
        total=Decimal("14250.50"),
        paid_at=ago(minutes=4),
        challans=(NamedAmount("MH1098765432", Decimal("2199.00")), NamedAmount(HOSTILE, None)),
        other_totals=(NamedAmount("Credit card", Decimal("14586.81")),),
        language="en",
        message=Message("Payment received", "Hello Ramesh,\n\nWe received ₹14,250.50. Thank you."),
        ways=ready.ways,
    )
    bare = replace(
        paid, plate=None, organization=None, driver=None, total=None, paid_at=None, challans=(), other_totals=()
    )
    return {
        "receipt-hostile": ("sharing/receipt.html", {"receipt": paid}),
        "receipt-bare": ("sharing/receipt.html", {"receipt": bare}),
        "share": ("sharing/share.html", {"page": ready}),
        "reminded": ("sharing/reminder_sent.html", {"page": ready, "way": ready.ways[0]}),
        "share-stale": ("sharing/share.html", {"page": stale}),
        "share-hostile": ("sharing/share.html", {"page": strange}),
        "screen": ("sharing/qr_screen.html", {"page": ready}),
        "screen-stale": ("sharing/qr_screen.html", {"page": stale}),
    }


def _driver_pages() -> Pages:
    ramesh = DriverCard(
        1, "Ramesh Yadav", "98765 43210", None, "हिन्दी", None, (Vehicle("MH12AB1001", "MH12 AB 1001"),), False, _MONEY
    )
    rest = tuple(Vehicle(f"KA05MN43{n:02}", f"KA05 MN 43{n:02}") for n in range(12))
    long = DriverCard(
        2,
        _LONG_NAME,
        "+971 50 123 4567",
        "t@fleet.example",
        "தமிழ்",
        HOSTILE,
        rest,
        False,
        _MONEY,
        "tel:+971501234567",
        "https://wa.me/971501234567",
    )
    odd = DriverCard(3, HOSTILE, None, None, "English", None, (), True, _NO_MONEY)
    form = DriverForm(data={"name": "Ramesh Yadav", "phone": "98765 43210", "language": "hi", "vehicles": "MH12AB1001"})
    wrong = DriverForm(data={"phone": "12", "email": "ramesh@", "language": "en", "vehicles": "!!", "note": HOSTILE})
    wrong.name.errors = ["Enter the driver’s name."]
    wrong.phone.errors = ["Enter ten digits, or a number with its country such as +91 98765 43210."]
    wrong.email.errors = ["Enter an e-mail address such as ramesh@fleet.example."]
    wrong.vehicles.errors = ["A registration number has only letters A to Z and digits."]
    empty = DriverForm()
    others = (("Phone", "98765 43211"), ("Note", ""))
    conflicting = replace(
        _EDITING, conflict=ConflictNotice("Meera Iyer saved this at 2:01 pm, while you were writing.", others)
    )
    strange = replace(
        _EDITING, conflict=ConflictNotice(f"{HOSTILE} saved this.", (("Name", _LONG_NAME), ("Note", HOSTILE)))
    )
    listed = [ramesh, long]
    return {
        "drivers": ("sharing/drivers.html", {"form": empty, "drivers": listed, "left": [odd], "total": _MONEY}),
        "drivers-wrong": ("sharing/drivers.html", {"form": wrong, "drivers": listed, "left": [], "total": _NO_MONEY}),
        "driver-conflict": (
            "sharing/driver.html",
            {"form": form, "driver": ramesh, "given": [], "editing": conflicting},
        ),
        "driver-hostile": ("sharing/driver.html", {"form": wrong, "driver": odd, "given": [], "editing": strange}),
    }


def _message_pages() -> Pages:
    preview = Preview(_MESSAGE, "With the values of the newest link, MH12 AB 1001.")
    english, hindi = (
        Wording(each.code, each.name, each.english, each.body, preview, None, None, _EDITING)
        for each in (LANGUAGES["en"], LANGUAGES["hi"])
    )
    hindi = replace(hindi, written_by="Meera Iyer", written_at=ago(hours=2))
    problem = "The message needs {url}, the address to pay at."
    wrong = replace(english, body=HOSTILE, problem=problem, preview=Preview(HOSTILE, "", problem))
    others = ConflictNotice("Meera Iyer saved this at 2:01 pm, while you were writing.", (("Message", _MESSAGE),))
    conflicting = replace(english, editing=replace(_EDITING, conflict=others))
    tabs = tuple(LanguageTab(each.code, each.name, each.english, "/messages") for each in LANGUAGES.values())
    return {
        name: ("sharing/messages.html", {"page": MessagesPage(shown, tabs, PLACEHOLDERS)})
        for name, shown in (
            ("messages-hindi", hindi),
            ("messages-conflict", conflicting),
            ("messages-hostile", wrong),
        )
    }


def _totals(waiting: Queue, later: Queue) -> FollowUpTotals:
    """Return totals of which the first is large, and partly unknown."""
    unknown = Total(waiting.count, Sum(Decimal("12345678.90"), waiting.count // 2))
    return FollowUpTotals(unknown, Total(1, Sum(Decimal(500), 0)), Total(1, Sum(Decimal(0), 1)), _one(later), Total(1))


def _one(queue: Queue) -> Total:
    return Total(queue.count, Sum(Decimal("4111.45"), 0))


def _follow_up_pages() -> Pages:
    given = FollowUp(
        link_id="1",
        plate="MH12 AB 1001",
        state=ACTIVE,
        total=Decimal("14250.50"),
        expires_at=NOW + timedelta(hours=5, minutes=20),
        copied_at=ago(hours=2),
        shared_at=ago(hours=20),
        shared_with="Ramesh Yadav",
        driver="Ramesh Yadav",
        driver_id=1,
        phone="+91 98200 12345",
        whatsapp=True,
        note="Called twice; he pays at the depot tonight.",
        noted_by="Asha R.",
        noted_at=ago(hours=1),
        group=ENDS_TODAY,
    )
    bare = FollowUp(
        link_id="2",
        plate=None,
        state=StateWords("ON_HOLD_BY_THE_STATE_TRANSPORT_AUTHORITY", "as sent", "neutral"),
        total=None,
        expires_at=None,
        copied_at=None,
        shared_at=None,
        shared_with=None,
        driver=None,
        driver_id=None,
        phone=None,
        whatsapp=False,
        note=HOSTILE,
        noted_by="a former colleague",
        noted_at=ago(days=3),
        group=NOT_SENT,
    )
    never = replace(
        given,
        link_id="3",
        copied_at=None,
        shared_at=None,
        shared_with=None,
        note=None,
        total=Decimal("12345678.90"),
        group=NOT_SENT,
    )
    wrong = replace(given, link_id="4", plate="DL1L AB 0042", shared_at=None, problem="Write the note.", note=None)
    late = replace(given, link_id="5", expires_at=ago(minutes=2), driver=_LONG_NAME, whatsapp=False, phone=None)
    snoozed = replace(given, link_id="6", snoozed_until=NOW + timedelta(hours=3), snoozed_by="Meera Iyer")
    sent = replace(never, link_id="7", undoable=SentNow("7", "Sent to Ramesh Yadav by WhatsApp", 3))
    ended = replace(given, link_id="8", state=STATES["expired"], ended_at=ago(hours=3), whatsapp=False)
    several = Queue((given, never, sent), 2_107, "/follow-up", "/follow-up?after=x")
    one_snoozed = Queue((snoozed,), 1)
    step = ReminderStep(given, _MESSAGE, "en", 2, 6, {"count": "6", "number": "2"}, "/follow-up/reminders?number=3")
    pages: Pages = {
        name: (
            "sharing/follow_up.html",
            {"page": FollowUpPage(waiting, later, gone, _totals(waiting, later), {}, remind, 6)},
        )
        for name, waiting, later, gone, remind in (
            ("follow-up", Queue((given, never), 2), one_snoozed, (ended,), "/follow-up/reminders?count=6"),
            ("follow-up-many", several, Queue((snoozed,), 51, None, "/follow-up?later=x"), (), ""),
            ("follow-up-hostile", Queue((bare, wrong, late), 3), Queue((), 0), (), ""),
            ("follow-up-later", Queue((), 0), one_snoozed, (), ""),
        )
    }
    return pages | {
        "reminders": ("sharing/reminders.html", {"step": step}),
        "reminders-sent": ("sharing/reminders.html", {"step": replace(step, item=sent, number=6)}),
    }
