"""Show replacement links and duplicate links in many states."""

from __future__ import annotations

from dataclasses import replace

from dashboard.web.links.records import AlarmNote, DuplicateAlarm, PaymentAddress, Replacement
from dashboard.web.shared.records import LinkMention
from tests.support.gallery.forms import NoteForm
from tests.support.gallery.links import link_page
from tests.support.gallery.samples import ACTIVE, HOSTILE, LEFT_OUT, NEW_ID, OLD, PAID, STATES, URL, Pages, ago

_NEW = LinkMention(NEW_ID, ago(minutes=10), ACTIVE)
_ADVICE = (
    "The link of 19 Nov, 2:03 pm is paid. Do not share this link, and tell the driver who has it not to pay it. "
    "You cannot cancel it; it ends on 23 Nov, 1:53 pm."
)


def tied_pages() -> Pages:
    made = Replacement("7a1f", "Meera Iyer", ago(minutes=10), _NEW)
    asked = Replacement("7a1f", HOSTILE, ago(minutes=1), None)
    alarm = DuplicateAlarm(True, 7, ago(minutes=3), _ADVICE, (replace(OLD, state=PAID),), ())
    noted = AlarmNote("Meera Iyer", ago(minutes=1), f"Driver told at the depot. {HOSTILE}")
    form, wrong = NoteForm(data={"newest": "7"}), NoteForm(data={"newest": "7", "note": "seen"})
    wrong.note.errors = ["Write at least 10 and at most 1000 characters: whom you informed, what was done."]
    ended = {
        "can_replace": True,
        "warnings": ("Expired unpaid. A late payment may still arrive; check before you create another.",),
    }
    doubled = {"warnings": ("Challans of this link are on another link too. If both are paid, money was paid twice.",)}
    paid_too = PaymentAddress(
        URL, safe=True, copyable=False, problem="Challans of this link were paid with another link. Do not share it."
    )
    new_page = link_page(ACTIVE, alarm=alarm, replaces=OLD, payment=paid_too, panel=doubled)
    old_alarm = replace(alarm, others=(_NEW,))
    pages = {
        "link-ended": link_page(STATES["expired"], panel=ended),
        "link-refused": link_page(
            STATES["failed"],
            panel=ended,
            problem="None of its challans can be put on a new link; the reason is beside each.",
            left_out=LEFT_OUT,
        ),
        "link-replaced": link_page(STATES["expired"], panel={"replaced_by": (made,)}),
        "link-being-replaced": link_page(STATES["cancelled"], panel={"replaced_by": (asked, made)}),
        "link-new": link_page(ACTIVE, replaces=OLD),
        "link-doubled": link_page(PAID, alarm=old_alarm, panel=doubled | {"replaced_by": (made,)}),
        "link-doubled-wrong": link_page(PAID, alarm=old_alarm, panel=doubled),
        "link-doubled-new": new_page,
        "link-doubled-noted": replace(new_page, alarm=replace(alarm, unacknowledged=False, notes=(noted,))),
        "link-doubled-request": link_page(PAID, alarm=replace(alarm, others=(), request_id="7a1f")),
    }
    forms = {"link-doubled": form, "link-doubled-wrong": wrong}
    return {name: ("links/show.html", {"page": page, "form": forms.get(name)}) for name, page in pages.items()}
