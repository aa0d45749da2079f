"""Word what people read about a request that they wait for, and about what must be asked again before another try."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dashboard.web.creation import holding_texts
from dashboard.web.links.texts import in_one_line
from dashboard.web.shared.current import format_moment, format_near
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
PREPAID = lazy("On a link we cannot see")
#: Of one that the source lists no longer, where the page says what that may mean.
NO_LONGER_LISTED = lazy("No longer listed")
#: Of a link that holds all that was requested.
NO_OTHER_NEEDED = lazy("No other link is needed.")
REFRESH_FIRST = lazy("Refresh, then try again.")


def checked(last_at: datetime | None, next_at: datetime | None, *, is_daily: bool) -> tuple[str, ...]:
    """Say when a request whose outcome nobody knows was checked last, and when it is checked next.

    `is_daily`: checks could not tell, so that they now come once a day.
    """
    said = [_("Last checked %(moment)s", moment=format_near(last_at))] if last_at else []
    if next_at:
        when = format_near(next_at)
        said.append(
            _("Next check %(moment)s: now once a day, as checks could not tell", moment=when)
            if is_daily
            else _("Next check %(moment)s", moment=when)
        )
    return tuple(said)


def no_links_till(back: str) -> str:
    """Say till when no link can be created, as far as is known: the service does not tell."""
    return _("No new links till about %(back)s", back=back)


def made(by: str | None, at: datetime) -> str:
    """Say who made the link that holds the challans of a request."""
    said = holding_texts.made_by(by, in_one_line(format_moment(at)), own=False)
    return f"{said[:1].upper()}{said[1:]}"


def not_sent(numbers: Sequence[str | None]) -> str:
    """Say what was found before a second attempt, which was not sent: challans by their numbers."""
    return " ".join((_("We checked once more before sending."), out_of_sight(numbers), _("Nothing was sent.")))


def can_go(numbers: Sequence[str | None]) -> str:
    """Say which challans of a released request can go on another link, as a last step, where the others cannot."""
    which = _which(numbers)
    return ngettext(
        "Only then: %(which)s can go on a new link.",
        "Only then: %(which)s can go on a new link.",
        len(numbers),
        which=which,
    )


def unsettled(gone: Sequence[str | None], prepaid: Sequence[str | None]) -> str:
    """Say what the source shows about the challans that leave the outcome of a request unclear, by their numbers."""
    said = ""
    if gone:
        said += " " + ngettext(
            "%(which)s is no longer listed and may already have been paid.",
            "%(which)s are no longer listed and may already have been paid.",
            len(gone),
            which=_which(gone),
        )
    return f"{said} {out_of_sight(prepaid)}" if prepaid else said


def out_of_sight(numbers: Sequence[str | None]) -> str:
    """Say what the service means by prepaid where it shows no link."""
    return ngettext(
        "%(which)s is marked as already on a payment link, which we cannot see.",
        "%(which)s are marked as already on a payment link, which we cannot see.",
        len(numbers),
        which=_which(numbers),
    )


def see_later(numbers: Sequence[str | None]) -> str:
    """Say what is done about challans on a link that somebody else created, of which the service shows nothing more."""
    which = _named(numbers) or ngettext("that challan", "those challans", len(numbers))
    return ngettext(
        "Ask whoever else creates links about %(which)s, and refresh later: it may be free if that link ends unpaid.",
        "Ask whoever else creates links about %(which)s, and refresh later: they may be free if that link ends unpaid.",
        len(numbers),
        which=which,
    )


def _which(numbers: Sequence[str | None]) -> str:
    """Name challans, or count them where they are many or one has no known number."""
    return _named(numbers) or ngettext("One of these challans", "%(num)s of these challans", len(numbers))


def _named(numbers: Sequence[str | None]) -> str:
    """Name challans; "" where they are many or one has no known number."""
    known = [number for number in numbers if number]
    return join_words(known) if len(known) == len(numbers) <= _MOST_NAMED else ""
