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
    "No calls are being made since {since}. What is known is shown, with its age. The next try is at {until}, and at "
    "once when the key changes or an administrator asks for one.",
)
KEY_THROTTLED = (
    "The API key is throttled or was refused",
    "The service has turned our calls away since {since}, and no daily limit can be the reason: it may have been given "
    "a bad key too often, or ours may be dead. No calls are being made. The next try is at {until}, and at once when "
    "the key changes or an administrator asks for one.",
)
OTHER_ORGANIZATION = (
    "The API key belongs to another organization",
    "No calls are being made since {since}, so that two organizations do not mix. What is known is shown, with its "
    "age. Calls begin again when the key changes.",
)
KEY_KNOWS_NO_LINKS = (
    "The API key does not know our links",
    "The service has answered about {count} links since {since} that it does not know them, and has known none. Most "
    "likely the key or the address of the service is another organization's. Tell an administrator. Nothing is lost: "
    "all of them are asked for again when the key changes.",
)
CLOCKS = (
    "The clocks do not agree",
    "{found} Times on pages may be wrong, and checks may come late. Tell an administrator to set the clocks right.",
)
NOT_ENABLED = (
    "{group} is not enabled for your organization",
    "The service has refused it since {since}. {usable}It is asked again at {until}.",
)
LINK_LIMIT = (
    "Today's limit for new links is reached",
    "The service has refused new links since {since}. Selections are kept. {usable}It can be asked again from {until}.",
)
SEARCH_LIMIT = (
    "Today's search limit is reached",
    "The service has refused searches since {since}. What is known is shown, with its age. {usable}It can be asked "
    "again from {until}.",
)
STAYS_USABLE = {
    ServiceGroup.CHALLAN_SEARCH: "Payment links stay usable. ",
    ServiceGroup.PAYMENT_LINK_GENERATION: "Searching stays usable. ",
}

#: While circuit breakers are open. `{fails}` lists the calls that fail, `{still}` is a sentence about the others.
WORK = {CallGroup.SEARCH: "searching", CallGroup.CREATE: "creating links", CallGroup.STATUS: "checking links"}
_FAILING = "Held back for now: {fails}. {still}What is known is shown, with its age. {next_try}."
NO_ANSWER = ("The service does not answer since {since}", _FAILING)
ERRORS = ("The service answers with errors since {since}", _FAILING)
INSECURE = (
    "No secure connection to the service since {since}",
    f"Nothing is sent without one. Tell an administrator. {_FAILING}",
)
NEXT_POLL = "It is asked again every half minute, and what waits goes on by itself"
NEXT_TRY = "It is tried again from {until}"

DUPLICATE_LINKS = (
    "Money may be paid twice",
    "Links of {named} hold the same challans. Open them to see what to do. This stands here until a manager or an "
    "administrator has taken note of it.",
)
UNKNOWN_VEHICLE = "an unknown vehicle"
LINK_OF_VEHICLE = "{plate}, link of {moment}: {status}"
LINK = "Link of {moment}: {status}"
STATUS_UNKNOWN = "not read yet"
MORE_LINKS = "{count} more"


def clock(check: ClockCheck) -> str:
    """Say what a host found when it compared clocks."""
    if check.database_ahead is not None and abs(check.database_ahead) > TOLERANCE.total_seconds():
        return f"The clock of {check.host} is {_ahead(-check.database_ahead)} the database's."
    if check.service_ahead is not None and abs(check.service_ahead) > SERVICE_TOLERANCE.total_seconds():
        return f"The clock of {check.host} is {_ahead(-check.service_ahead)} the service's."
    return f"The clock of {check.host} was moved by {abs(check.stepped_by or 0):,.0f} s."


def _ahead(seconds: float) -> str:
    return f"{abs(seconds):,.0f} s {'ahead of' if seconds > 0 else 'behind'}"


def still_working(calls: list[str]) -> str:
    """Return a sentence about the calls that do not fail; there must be one at least."""
    return f"{join_words(calls).capitalize()} still {'works' if len(calls) == 1 else 'work'}. "
