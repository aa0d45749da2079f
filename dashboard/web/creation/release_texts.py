"""Hold the sentences about the release of a request's challans by a manager."""

from __future__ import annotations

from datetime import datetime

from dashboard.services.creation.release import MAX_REASON, MIN_REASON, ReleaseProblem
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

RELEASE_FIELD = {
    ReleaseProblem.REASON_SHORT: lazy(
        "Write why, in at least %(min_reason)s characters. Everybody can read it, with your name.",
        min_reason=MIN_REASON,
    ),
    ReleaseProblem.REASON_LONG: lazy("Write why in at most %(max_reason)s characters.", max_reason=MAX_REASON),
}
RELEASE_HINT = lazy(
    "%(min_reason)s to %(max_reason)s characters. Everybody can read it, with your name.",
    min_reason=MIN_REASON,
    max_reason=MAX_REASON,
)
BEING_RESOLVED = lazy("This request is being checked just now. Nothing was released. Try again in a minute.")
RELEASE_NOT_NEEDED = lazy("Nothing was released: this request does not need it. Its state is shown here.")
ALREADY_RELEASED = lazy("Nothing was released now: a colleague did it before you. Who, when and why is shown here.")
RESOLVED_INSTEAD = lazy("Nothing was released: we checked once more first and found out what happened to the request.")
NOTHING_RELEASED = lazy("Nothing was released.")

CONSEQUENCE = lazy("If the link exists and another is made, money may be paid twice.")
ONLY_THEN = lazy("Only once the service’s support says that this link does not exist.")
RELEASED_TITLE = lazy("Challans released")
MAY_EXIST = lazy("The link may or may not exist.")
#: The headline of an outcome that nobody knows, once the challans are released.
CHECK_FIRST = lazy("Check first: the link may or may not exist")
#: The headline of a link that was found while another link or request holds some of its challans.
FOUND_TWICE = lazy("Link found: do not send it yet")
#: The last step where no challan is held and the source lists all of them.
ALL_CAN_GO = lazy("Only then: its challans can go on a new link.")


def release_allows(*, goes_on: bool) -> str:
    """Say what follows a release. `goes_on`: attempts to resolve go on after it."""
    attempts = _("We check once more before, and keep checking.") if goes_on else _("We check once more before.")
    return _("After a release, those that are still listed can go on a new link. %(attempts)s", attempts=attempts)


def released(manager: str, at: datetime) -> str:
    """Say who released the claims, and when."""
    return _("Challans released by %(manager)s, %(moment)s", manager=manager, moment=format_moment(at))


def quoted(reason: str) -> str:
    """Quote why the claims were released."""
    return f"“{reason}”" if reason.endswith((".", "!", "?", "।")) else f"“{reason}”."


def please_release(plate: str) -> str:
    """Ask a manager to release the challans of a request, which its vehicle names."""
    return _("Payment link for %(plate)s: it may or may not exist. Please release its challans.", plate=plate)


def double_payment(taken: int) -> str:
    """Warn of a second payment while the outcome is unclear; others hold `taken` of the challans by now."""
    if taken:
        return _("If the first link exists too, money could be paid twice.")
    return _("If the first link exists and you create another, money could be paid twice.")


def held_after_release(taken: int, of_all: int) -> str:
    """Say how many of the challans of a released request others hold by now."""
    return ngettext(
        "One of its %(of_all)s challans is held by another request or link now.",
        "%(num)s of its %(of_all)s challans are held by another request or link now.",
        taken,
        of_all=of_all,
    )


def double_after_release(taken: int) -> str:
    return ngettext(
        "Another request or link holds one of its challans too: money may be paid twice.",
        "Another request or link holds %(num)s of its challans too: money may be paid twice.",
        taken,
    )


def after_release(last_at: datetime, *, goes_on: bool) -> str:
    """Say until when attempts to resolve go on after a release, or went on."""
    last = format_moment(last_at)
    if not goes_on:
        return _("We stopped checking at %(last)s, and check once more before another link is created.", last=last)
    return _("We keep checking until %(last)s, and once more before another link is created.", last=last)


def were_released(count: int, person: str, asked_at: datetime) -> str:
    """Warn in a review of so many challans that were released from a request whose outcome is unclear."""
    return ngettext(
        "%(num)s challan was released from the request by %(person)s of %(time)s, whose link may or may not exist. If "
        "it does, money may be paid twice. We check once more before this one is sent.",
        "%(num)s challans were released from the request by %(person)s of %(time)s, whose link may or may not exist. "
        "If it does, money may be paid twice. We check once more before this one is sent.",
        count,
        person=person,
        time=format_moment(asked_at),
    )
