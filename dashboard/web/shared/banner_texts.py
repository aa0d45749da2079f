"""Define the sentences of the banner, each as title and text.

`{since}` and `{until}` are moments, `{back}` is when the day of a limit ends, `{usable}` is empty or a sentence of
STAYS_USABLE, and `{next_try}` says when calls that a key blocks are tried again. What only an administrator can do is
said to administrators alone; the others read what is stopped, what the pages show and whom to tell.
"""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.errors import CallGroup, ServiceGroup
from dashboard.services.operations.clocks import SERVICE_TOLERANCE
from dashboard.services.steady_clock import TOLERANCE
from dashboard.store.operations.clock_checks import ClockCheck
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.texts import join_words

KEY_REFUSED = (
    lazy("The API key was refused"),
    lazy(
        "No calls have been made since {since}. Pages show the last known data, with its age. {next_try} "
        "A new key is tried at once."
    ),
)
KEY_THROTTLED = (
    lazy("The API key is throttled or was refused"),
    lazy(
        "The service has refused our calls since {since}, and no daily limit explains it. The key "
        "may have expired, or the service may have received a wrong key too often. No calls are "
        "being made. {next_try} A new key is tried at once."
    ),
)
OTHER_ORGANIZATION = (
    lazy("The API key belongs to another organization"),
    lazy(
        "No calls have been made since {since}, so that two organizations do not mix. Pages show "
        "the last known data, with its age. Calls begin again when the key changes."
    ),
)
#: What those read who cannot do anything about a key, after the title that others read.
STOPPED = lazy("Searching and new links are stopped")
STOPPED_SINCE = lazy(
    "Stopped since {since}. Links are not checked either, so amounts and states are the last known. "
    "Tell an administrator."
)
SERVICE_PAGE = lazy("Open Service status to try again")
KEY_KNOWS_NO_LINKS = (
    lazy("The API key does not know our links"),
    lazy(
        "Since {since} the service has not known {count} of our links, and has known none. Most "
        "likely the key or the address belongs to another organization. Tell an administrator. "
        "Nothing is lost: all links are checked again when the key changes."
    ),
)
CLOCKS = (
    lazy("The clocks do not agree"),
    lazy("{found} Times on pages may be wrong, and checks may be late. Tell an administrator to correct the clock."),
)
NOT_ENABLED = (
    lazy("{group} is not enabled for your organization"),
    lazy("The service has refused it since {since}. {usable}"),
)
LINK_LIMIT = (
    lazy("Today’s limit for new links is reached"),
    lazy("No new links since {since}, most likely until {back}. Selections are saved. {usable}"),
)
SEARCH_LIMIT = (
    lazy("Today’s search limit is reached"),
    lazy("No searches since {since}, most likely until {back}. Pages show the last results, with their age. {usable}"),
)
#: Beside the button that leads to a link, while none can be created.
NO_NEW_LINKS = lazy("Limit reached: no new links till about {back}.")
STAYS_USABLE = {
    ServiceGroup.CHALLAN_SEARCH: lazy("Payment links stay usable. "),
    ServiceGroup.PAYMENT_LINK_GENERATION: lazy("Searching stays usable. "),
}

#: While circuit breakers are open; `{still}` says which calls still work, and which may fail.
WORK = {
    CallGroup.SEARCH: lazy("searching"),
    CallGroup.CREATE: lazy("creating links"),
    CallGroup.STATUS: lazy("checking links"),
}
_FAILING = lazy("{still}Pages show the last known data.")
NO_ANSWER = (lazy("The service has not answered since {since}"), _FAILING)
ERRORS = (lazy("The service has answered with errors since {since}"), _FAILING)
INSECURE = (
    lazy("No secure connection to the service since {since}"),
    lazy("Nothing is sent without one. Tell an administrator. {still}Pages show the last known data."),
)
NEXT_POLL = lazy("We try again every half minute, and paused work resumes automatically.")
#: The next call that somebody wants is the try.
TRY_AT = lazy("Next try at {until}.")
TRY_SOON = lazy("Next try within a minute.")

#: Below the field of a search that is stopped, in the place of what the banner says of a limit.
SEARCH_WITH_KEY = lazy("Searching works again once the API key does.")
SEARCH_AFTER_LIMIT = lazy(
    "Today’s search limit is reached, most likely until {back}. You can still try: nothing is lost."
)
SEARCH_AT = lazy("You can search again from {until}. A search before that is not sent.")
SEARCH_NOW = lazy("You can search again now.")
SEARCH_SOON = lazy("Search opens again by {until}. A search before that is not sent.")

DUPLICATE_LINKS = (
    lazy("Money may be paid twice"),
    lazy(
        "These have the same challans. Open one to see what to do. This alarm shows until a manager or an "
        "administrator writes a note."
    ),
)
#: On the page that lists them.
SEE_BELOW = lazy("See below what to do.")
UNKNOWN_VEHICLE = lazy("an unknown vehicle")
LINK = lazy("link of {moment}: {status}")
REQUEST = lazy("request with no known outcome yet")
MORE_ALARMS = lazy("{count} more")


def clock(check: ClockCheck) -> str:
    """Say what a host found when it compared clocks."""
    if check.database_ahead is not None and abs(check.database_ahead) > TOLERANCE.total_seconds():
        seconds = _seconds(check.database_ahead)
        if check.database_ahead < 0:
            return _(
                "The clock of %(host)s is %(seconds)s s ahead of the database’s.", host=check.host, seconds=seconds
            )
        return _("The clock of %(host)s is %(seconds)s s behind the database’s.", host=check.host, seconds=seconds)
    if check.service_ahead is not None and abs(check.service_ahead) > SERVICE_TOLERANCE.total_seconds():
        seconds = _seconds(check.service_ahead)
        if check.service_ahead < 0:
            return _("The clock of %(host)s is %(seconds)s s ahead of the service’s.", host=check.host, seconds=seconds)
        return _("The clock of %(host)s is %(seconds)s s behind the service’s.", host=check.host, seconds=seconds)
    seconds = _seconds(check.stepped_by or 0)
    return _("The clock of %(host)s jumped by %(seconds)s s.", host=check.host, seconds=seconds)


def _seconds(seconds: float) -> str:
    return f"{abs(seconds):,.0f}"


def paused(calls: list[str], *, are_all: bool) -> str:
    """Say which calls are paused; nothing works while these `are_all`."""
    if are_all:
        return _("The service cannot be used now")
    said = join_words(calls)
    said = f"{said[:1].upper()}{said[1:]}"
    return ngettext("%(calls)s is paused", "%(calls)s are paused", len(calls), calls=said)


def may_fail(calls: Sequence[str]) -> str:
    """Say which calls are made, though the last one failed."""
    said = join_words(calls)
    said = f"{said[:1].upper()}{said[1:]}"
    return ngettext(
        "%(calls)s may fail: the last call got no proper answer.",
        "%(calls)s may fail: the last calls got no proper answer.",
        len(calls),
        calls=said,
    )


def may_fail_too(calls: Sequence[str]) -> str:
    """Say the same in a banner, where a few words must do."""
    said = join_words(calls)
    return ngettext(
        "%(calls)s may fail too.", "%(calls)s may fail too.", len(calls), calls=f"{said[:1].upper()}{said[1:]}"
    )


def still_working(calls: list[str]) -> str:
    """Return a sentence about the calls that do not fail; there must be one at least."""
    said = join_words(calls)
    said = f"{said[:1].upper()}{said[1:]}"
    return ngettext("%(calls)s still works. ", "%(calls)s still work. ", len(calls), calls=said)
