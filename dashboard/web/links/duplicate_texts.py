"""Word the alarm about duplicate links: challans that are on another link too."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from dashboard.domain.links import MAX_ALARM_NOTE, MIN_ALARM_NOTE
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.texts import join_words

ALARM_CHANGED = lazy("This alarm changed after you opened the page. Read it again, then send your note.")
ALARM_NOTE = lazy("What was done about it")
ALARM_NOTE_HINT = lazy(
    "At least %(shortest)s characters. It is shown here with your name, and the banner closes.", shortest=MIN_ALARM_NOTE
)
ALARM_NOTE_LENGTH = lazy(
    "Write at least %(shortest)s and at most %(longest)s characters: whom you informed, what was done.",
    shortest=MIN_ALARM_NOTE,
    longest=MAX_ALARM_NOTE,
)
OPEN_THE_PAGE_AGAIN = lazy("Open the page again.")
ALARM_NOTED = lazy("Your note on this alarm is saved")
THIS_LINK, OTHER_LINK = lazy("this link"), lazy("the other link")


def for_manager(about: str, advice: str) -> str:
    """Tell a manager of an alarm: `about` names the vehicle and the amount of the link, `advice` what to do."""
    return _("Money may be paid twice: %(about)s. %(advice)s", about=about, advice=advice)


def link_of(made_at: datetime) -> str:
    """Name a link by when it was made."""
    return _("the link of %(moment)s", moment=format_moment(made_at))


def duplicate_request(asked_at: datetime, unshared: str) -> str:
    """Say that a request without a known outcome holds the challans too; `unshared` is what not to share."""
    asked = _(
        "A request of %(moment)s, with no known outcome yet, holds the same challans.", moment=format_moment(asked_at)
    )
    unshared = unshared or _("Do not share its link.")
    return f"{asked} {unshared}"


def paid_twice(names: Sequence[str], unshared: str) -> str:
    """Say that several duplicate links are paid."""
    links = _capital(join_words(names))
    if len(names) == 2:
        twice = _("%(links)s are both paid: the same challans were paid twice.", links=links)
    else:
        twice = _("%(links)s are all paid: the same challans were paid twice.", links=links)
    back = _("You cannot refund from here: ask the service’s support, with the ids of the links.")
    return f"{twice} {back} {unshared}".strip()


def paid_once(name: str, unshared: str) -> str:
    """Say that one of the duplicate links is paid."""
    if unshared:
        paid = _("%(link)s is paid.", link=_capital(name))
        return f"{paid} {unshared}"
    return _("%(link)s is paid, and no other link can be paid at present.", link=_capital(name))


def payable_duplicates(links: Sequence[tuple[str, datetime | None]]) -> str:
    """Say that several duplicate links can be paid; each with its expiry."""
    names = _capital(join_words([name for name, _at in links]))
    if len(links) == 2:
        can = _("%(links)s can both be paid.", links=names)
    else:
        can = _("%(links)s can all be paid.", links=names)
    one = _("Share only one, and tell the driver who has another not to pay it.")
    ends = join_words([_end_of(name, expires_at) for name, expires_at in links])
    no_cancelling = _("You cannot cancel them: %(ends)s.", ends=ends)
    return f"{can} {one} {no_cancelling}"


def only_payable(name: str) -> str:
    """Say that one of the duplicate links can be paid."""
    return _("Only %(link)s can be paid at present.", link=name)


NONE_PAYABLE = lazy("None of them can be paid at present.")


def do_not_share(name: str, expires_at: datetime | None, *, is_sent: bool) -> str:
    """Say that a link must not be shared, and when it ends. `is_sent`: somebody who is not known may have it."""
    if is_sent:
        unshared = _("Do not share %(link)s, and tell the driver who has it not to pay it.", link=name)
    else:
        unshared = _("Do not share %(link)s; it was not sent yet.", link=name)
    return f"{unshared} {_no_cancelling(expires_at)}"


def do_not_share_with(name: str, expires_at: datetime | None, driver: str) -> str:
    """Say that a link must not be shared, who has it and is to be told, and when it ends."""
    unshared = _("Do not share %(link)s, and tell %(driver)s, who has it, not to pay it.", link=name, driver=driver)
    return f"{unshared} {_no_cancelling(expires_at)}"


def _no_cancelling(ends_at: datetime | None) -> str:
    if ends_at is None:
        return _("You cannot cancel it; it has no known end.")
    moment = format_moment(ends_at)
    if _has_date(moment):
        return _("You cannot cancel it; it ends on %(moment)s.", moment=moment)
    return _("You cannot cancel it; it ends at %(moment)s.", moment=moment)


def _end_of(name: str, at: datetime | None) -> str:
    if at is None:
        return _("%(link)s has no known end", link=name)
    moment = format_moment(at)
    if _has_date(moment):
        return _("%(link)s ends on %(moment)s", link=name, moment=moment)
    return _("%(link)s ends at %(moment)s", link=name, moment=moment)


def _has_date(moment: str) -> bool:
    return "," in moment  # A moment of today has no date.


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
