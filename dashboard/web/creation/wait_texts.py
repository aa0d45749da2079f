"""Word what people read about a request that they wait for, and about what must be asked again before another try."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dashboard.web.creation import holding_texts
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.texts import join_words

#: Above so many challans their number is said instead of theirs.
_MOST_NAMED = 3

#: Beside what can be done, because nobody must wait.
LEAVE = lazy("You can leave: the first page lists this request until its result is known.")


def wait(since: datetime, known_at: datetime | None) -> tuple[str, ...]:
    """Say since when an outcome is unclear, and by when checks should settle it; None once they have not."""
    said = _("Unclear since %(moment)s", moment=format_moment(since))
    return (said, _("Should be settled by %(moment)s", moment=format_moment(known_at))) if known_at else (said,)


#: Of challans whose link is shown beside.
ON_THIS_LINK = lazy("On this link")
#: Of one that has no link to be shown, where the page says what to do.
PREPAID = lazy("Prepaid, no link shown")
#: What to do with a link that holds all that was requested.
SEND_THAT_LINK = lazy("Send that link; no other is needed.")
#: Of a link that was found after its answer was lost.
SEND_IT = lazy("You can send it.")
NOTHING_CREATED, NOT_SENT = lazy("No link was created."), lazy("not sent yet")


def made_and_sent(by: str | None, at: datetime, sent: str) -> str:
    """Say who made the link that holds the challans of a request, and to whom it was `sent`, in one line."""
    made = holding_texts.made_by(by, format_moment(at), own=False)
    return f"{made[:1].upper()}{made[1:]} · {sent or NOT_SENT}"


def prepaid(numbers: Sequence[str | None]) -> str:
    """Say that challans cannot be put on a link, and why, by their numbers, before another try is offered."""
    return " ".join((_out_of_sight(numbers), _("Refresh, then try again.")))


def unsettled(gone: Sequence[str | None], prepaid: Sequence[str | None]) -> str:
    """Say what the source shows about the challans that leave the outcome of a request unclear, by their numbers."""
    said = ""
    if gone:
        said += " " + ngettext(
            "%(which)s is no longer listed and may be paid.",
            "%(which)s are no longer listed and may be paid.",
            len(gone),
            which=_which(gone),
        )
    return f"{said} {_out_of_sight(prepaid)}" if prepaid else said


def _out_of_sight(numbers: Sequence[str | None]) -> str:
    """Say what the service means by prepaid where it shows no link."""
    return ngettext(
        "%(which)s is marked as already on a payment link, which we cannot see.",
        "%(which)s are marked as already on a payment link, which we cannot see.",
        len(numbers),
        which=_which(numbers),
    )


def _which(numbers: Sequence[str | None]) -> str:
    """Name challans, or count them where they are many or one has no known number."""
    known = [number for number in numbers if number]
    if len(known) == len(numbers) <= _MOST_NAMED:
        return join_words(known)
    return ngettext("One of these challans", "%(num)s of these challans", len(numbers))
