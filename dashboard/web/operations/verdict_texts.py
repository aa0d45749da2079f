"""Word the head of the service page: what staff can do while calls fail or are stopped, and what is to be done."""

from __future__ import annotations

from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext

NO_CALLS = lazy("No calls have been made since {since}. Pages show the last known data, with its age.")
NO_CALLS_NO_LIMIT = lazy(
    "The service has refused our calls since {since}, and no daily limit explains it. Pages show the last known data, "
    "with its age."
)
#: What happens by itself, and the first step of mending it.
VALID_AGAIN = lazy("Key valid again? Press Try again.")
ASK_FOR_KEY = lazy("Ask the service’s support why the key is refused, and for a valid one.")
MAY_HAVE_EXPIRED = lazy("The key may have expired, or the service may have received a wrong key too often.")
ASK_ABOUT_KEY = lazy("Ask the service’s support which of the two it is. If the key has expired, ask for a new one.")
OUR_KEY_BEGINS = lazy("Calls begin again when the key changes.")
ASK_FOR_OUR_KEY = lazy("Ask the service’s support for a key of your organization.")
NOTHING_PAUSED = lazy("Nothing is paused: staff can go on.")
SELECTIONS_SAVED = lazy("Selections are saved.")
LAST_KNOWN = lazy("Pages show the last known data, with its age.")
LIMIT_ENDS = lazy("Staff can still try: nothing is lost. Limit raised? Press Try again.")
TRY_AGAIN = lazy("Try again resumes paused calls at once.")
ASKS_ONCE = lazy("Check the service asks it once.")
NOT_AGAIN = lazy("Do not create the same link again till it is known whether it exists.")


def unclear_requests(count: int) -> str:
    """Say of how many requests the outcome is not known, as the headline."""
    return ngettext(
        "%(num)s link may exist: its request got no proper answer",
        "%(num)s links may exist: their requests got no proper answer",
        count,
    )


def nothing_paused_by(failures: str) -> str:
    """Say below that headline which calls got no proper answer, and that staff can go on."""
    return _("%(failures)s. Nothing is paused: staff can go on.", failures=failures)


def last_time(moment: str) -> str:
    """Say when a call failed last."""
    return _("The last time was %(moment)s.", moment=moment)


def ask_to_enable(group: str) -> str:
    """Say what is done about a part of the service that is not enabled."""
    return _("Ask the service to enable %(group)s for your organization.", group=group)


# Checks of links that are late


def late_checked(count: int) -> str:
    """Say how many late links were checked; the page says how many are left."""
    if not count:
        return _("No link could be checked now. Links are checked by themselves.")
    return ngettext("%(num)s late link checked.", "%(num)s late links checked.", count)
