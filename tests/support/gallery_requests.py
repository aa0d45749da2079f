"""Requests that a manager may set aside, or did, for the gallery."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wtforms import Form, TextAreaField

from dashboard.web.views import ChallanRow, LetGo, RequestPage

_UNCLEAR = "The service did not answer. The link may or may not exist. These challans stay reserved."
_LOOKING = (
    "Looking has not settled it. We go on looking; ask the service's support about this vehicle. One of these challans "
    "is no longer listed at the source and may have been paid."
)
_ASIDE = "Set aside by Meera Iyer at 14:05 IST: “{}”"
_FREE = "The link may or may not exist; its challans are free again, and we look once more before another is sent."
_TAKEN = "The link may or may not exist. Its challans were let go, and 2 of 5 are held by another request or link now."
_GOES_ON = "We go on looking until 29 Nov 2026, 14:02 IST, and a link that turns up is shown here."
_CONSEQUENCE = "The link may or may not exist. If it does and another is made, money may be paid twice."
_WHY = "The driver waits at the depot, and the service's support does not answer."


class ReasonForm(Form):
    reason = TextAreaField("Reason")


def reason_form(typed: str = "", error: str = "") -> ReasonForm:
    form = ReasonForm(data={"reason": typed})
    if error:
        form.reason.errors = [error]
    return form


def let_go_pages(
    request_page: Callable[..., RequestPage], held: tuple[ChallanRow, ...], hostile: str
) -> dict[str, tuple[str, dict[str, Any]]]:
    attention = request_page("NEEDS_ATTENTION", _UNCLEAR, _LOOKING, "wrong", may_let_go=True)
    unknown = request_page("UNKNOWN", _UNCLEAR, "Next look in 28 s. Please do not create it elsewhere.", "waiting")
    aside, long = _ASIDE.format(_WHY), _ASIDE.format(hostile + "x" * 400)
    free = request_page("NEEDS_ATTENTION", _FREE, _GOES_ON, "neutral", aside=aside)
    held_again = request_page("NEEDS_ATTENTION", _TAKEN, _GOES_ON, "neutral", aside=long, held=held)
    found = request_page("RECOVERED", "Found by checking.", "", "good", aside=aside)
    manager, staff = (
        LetGo(True, f"{_CONSEQUENCE} We look once more now, and go on looking."),
        LetGo(False, _CONSEQUENCE),
    )
    failed = replace(manager, problem="The service did not answer. What you entered is kept. Nothing was let go.")
    asked = replace(attention, let_go=manager)
    short = reason_form("too short", "Write why, in at least 10 characters. Others read it later.")
    pages = {
        "request-let-go": (asked, reason_form()),
        "request-let-go-short": (asked, short),
        "request-let-go-failed": (replace(attention, let_go=failed), reason_form(hostile)),
        "request-let-go-staff": (replace(attention, let_go=staff), reason_form()),
        "request-let-go-later": (replace(unknown, let_go=manager), reason_form()),
        "request-aside": (free, reason_form()),
        "request-aside-hostile": (held_again, reason_form()),
        "request-aside-found": (found, reason_form()),
    }
    return {name: ("requests/show.html", {"page": page, "form": form}) for name, (page, form) in pages.items()}
