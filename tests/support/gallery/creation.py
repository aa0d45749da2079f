"""Show the page of a request in many states; in the last ones a manager may release its claims, or has done so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dashboard.web.creation.records import ReleaseOffer, RequestPage, RequestPanel
from dashboard.web.creation.release_texts import RELEASE_HINT
from dashboard.web.links.records import PaymentAddress
from tests.support.gallery.forms import reason_form
from tests.support.gallery.samples import (
    ACTIVE,
    HOSTILE,
    LINK_ID,
    ON_LINK,
    PLATE,
    RC,
    URL,
    Page,
    Pages,
    ago,
    challan,
)

_UNCLEAR = "The service did not answer. The link may or may not exist. These challans stay reserved."
_LOOKING = (
    "We could not find out. We now look once a day; ask the service's support about this vehicle. One of these "
    "challans is no longer listed at the source and may be paid."
)
_ASIDE = "Released by Meera Iyer at 2:05 pm: “{}”"
_FREE = "The link may or may not exist; its challans are free again, and we look once more before another is sent."
_TAKEN = (
    "The link may or may not exist. Its challans were released, and 2 of 5 are held by another request or link now."
)
_GOES_ON = "We go on looking until 29 Nov, 2:02 pm. If the link is found, it is shown here."
_CONSEQUENCE = "The link may or may not exist. If it does and another is made, money may be paid twice."
_WHY = "The driver waits at the depot, and the service's support does not answer."


def request_pages() -> Pages:
    return {
        "request-sending": _request(
            "SENDING", "The request was sent at 2:02 pm; no answer of the service is recorded yet.", "", "waiting"
        ),
        "request-unknown": _request(
            "UNKNOWN",
            "The service did not answer. The link may or may not exist. These challans stay reserved.",
            "Next look in 28 s. Please do not create it elsewhere.",
            "waiting",
        ),
        "request-recovered": _request(
            "RECOVERED",
            "most likely made by the request of 2:02 pm.",
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
            "REJECTED", "The service rejected the request. No link was created.", "Your selection is saved.", "wrong"
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
    }


def release_pages() -> Pages:
    attention = _request_page("NEEDS_ATTENTION", _UNCLEAR, _LOOKING, "wrong", may_release=True)
    unknown = _request_page("UNKNOWN", _UNCLEAR, "Next look in 28 s. Please do not create it elsewhere.", "waiting")
    aside, long = _ASIDE.format(_WHY), _ASIDE.format(HOSTILE + "x" * 400)
    free = _request_page("NEEDS_ATTENTION", _FREE, _GOES_ON, "neutral", released=aside)
    held_again = _request_page("NEEDS_ATTENTION", _TAKEN, _GOES_ON, "neutral", released=long, held=ON_LINK)
    found = _request_page("RECOVERED", "Found by checking.", "", "good", released=aside)
    manager, staff = (
        ReleaseOffer(
            True, f"{_CONSEQUENCE} We look once more now, and go on looking.", hint=RELEASE_HINT, min_reason=10
        ),
        ReleaseOffer(False, _CONSEQUENCE),
    )
    failed = replace(manager, problem="The service did not answer. What you entered is kept. Nothing was released.")
    asked = replace(attention, release=manager)
    short = reason_form("too short", "Write why, in at least 10 characters. Others read it later.")
    pages = {
        "request-release": (asked, reason_form()),
        "request-release-short": (asked, short),
        "request-release-failed": (replace(attention, release=failed), reason_form(HOSTILE)),
        "request-release-staff": (replace(attention, release=staff), reason_form()),
        "request-release-later": (replace(unknown, release=manager), reason_form()),
        "request-aside": (free, reason_form()),
        "request-aside-hostile": (held_again, reason_form()),
        "request-aside-found": (found, reason_form()),
    }
    return {name: ("creation/request.html", {"page": page, "form": form}) for name, (page, form) in pages.items()}


def _request(state: str, words: str, what_next: str, meaning: str, **changes: Any) -> Page:
    page = _request_page(state, words, what_next, meaning, **changes)
    return "creation/request.html", {"page": page, "form": reason_form()}


def _request_page(state: str, words: str, what_next: str, meaning: str, **changes: Any) -> RequestPage:
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
