"""Define the sentences of the banner, each as title and text.

`{since}` and `{until}` are moments, `{usable}` is empty or a sentence of STAYS_USABLE.
"""

from __future__ import annotations

from dashboard.errors import CallGroup, ServiceGroup
from dashboard.services.operations.clocks import SERVICE_TOLERANCE
from dashboard.services.steady_clock import TOLERANCE
from dashboard.store.operations.clock_checks import ClockCheck
from dashboard.web.shared.texts import join_words

KEY_REFUSED = (
    "The API key was refused",
    "No calls have been made since {since}. Pages show the last known data, with its age. The next try is at {until}, "
    "or at once when the key changes or an administrator presses Try again.",
)
KEY_THROTTLED = (
    "The API key is throttled or was refused",
    "The service has refused our calls since {since}, and no daily limit explains it. The key may have expired, or the "
    "service may have received a wrong key too often. No calls are being made. The next try is at {until}, or at once "
    "when the key changes or an administrator presses Try again.",
)
OTHER_ORGANIZATION = (
    "The API key belongs to another organization",
    "No calls have been made since {since}, so that two organizations do not mix. Pages show the last known data, with "
    "its age. Calls begin again when the key changes.",
)
KEY_KNOWS_NO_LINKS = (
    "The API key does not know our links",
    "Since {since} the service has not known {count} of our links, and has known none. Most likely the key or the "
    "address belongs to another organization. Tell an administrator. Nothing is lost: all links are checked again when "
    "the key changes.",
)
CLOCKS = (
    "The clocks do not agree",
    "{found} Times on pages may be wrong, and checks may be late. Tell an administrator to correct the clock.",
)
NOT_ENABLED = (
    "{group} is not enabled for your organization",
    "The service has refused it since {since}. {usable}The next try is at {until}.",
)
LINK_LIMIT = (
    "Today's limit for new links is reached",
    "The service has refused new links since {since}. Selections are kept. {usable}Try again from {until}.",
)
SEARCH_LIMIT = (
    "Today's search limit is reached",
    "The service has refused searches since {since}. Pages show the last results, with their age. {usable}Try again "
    "from {until}.",
)
STAYS_USABLE = {
    ServiceGroup.CHALLAN_SEARCH: "Payment links stay usable. ",
    ServiceGroup.PAYMENT_LINK_GENERATION: "Searching stays usable. ",
}

#: While circuit breakers are open. `{fails}` lists the calls that fail, `{still}` is a sentence about the others.
WORK = {CallGroup.SEARCH: "searching", CallGroup.CREATE: "creating links", CallGroup.STATUS: "checking links"}
_FAILING = "Paused for now: {fails}. {still}Pages show the last known data, with its age. {next_try}."
NO_ANSWER = ("The service has not answered since {since}", _FAILING)
ERRORS = ("The service has answered with errors since {since}", _FAILING)
INSECURE = (
    "No secure connection to the service since {since}",
    f"Nothing is sent without one. Tell an administrator. {_FAILING}",
)
NEXT_POLL = "We try again every half minute, and paused work resumes automatically"
NEXT_TRY = "We try again at {until}"

DUPLICATE_LINKS = (
    "Money may be paid twice",
    "Links of {named} have the same challans. Open them to see what to do. This alarm shows until a manager or an "
    "administrator writes a note.",
)
UNKNOWN_VEHICLE = "an unknown vehicle"
LINK_OF_VEHICLE = "{plate}, link of {moment}: {status}"
LINK = "Link of {moment}: {status}"
MORE_LINKS = "{count} more"


def clock(check: ClockCheck) -> str:
    """Say what a host found when it compared clocks."""
    if check.database_ahead is not None and abs(check.database_ahead) > TOLERANCE.total_seconds():
        return f"The clock of {check.host} is {_ahead(-check.database_ahead)} the database's."
    if check.service_ahead is not None and abs(check.service_ahead) > SERVICE_TOLERANCE.total_seconds():
        return f"The clock of {check.host} is {_ahead(-check.service_ahead)} the service's."
    return f"The clock of {check.host} jumped by {abs(check.stepped_by or 0):,.0f} s."


def _ahead(seconds: float) -> str:
    return f"{abs(seconds):,.0f} s {'ahead of' if seconds > 0 else 'behind'}"


def still_working(calls: list[str]) -> str:
    """Return a sentence about the calls that do not fail; there must be one at least."""
    return f"{join_words(calls).capitalize()} still {'works' if len(calls) == 1 else 'work'}. "
