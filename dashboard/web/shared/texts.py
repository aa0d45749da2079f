"""Hold the words that several nouns show: states of links, failures of the service, and how lists are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from dashboard.domain.registration import MAX_LENGTH, RegistrationProblem
from dashboard.web.shared.records import StateWords


def join_words(words: Sequence[str]) -> str:
    """Write a list as a sentence does: "a", "a and b", "a, b and c". There must be one word at least."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def name_first(words: Sequence[str], count: int) -> str:
    """Write the first words of a list of `count`, and how many more there are: "a, b and 7 more"."""
    more = count - len(words)
    return ", ".join(words) + (f" and {more} more" if more > 0 else "")


#: Why a text is no registration number.
REGISTRATION_PROBLEMS = {
    RegistrationProblem.EMPTY: "Enter a registration number, for example MH12 AB 1001.",
    RegistrationProblem.TOO_LONG: f"A registration number has at most {MAX_LENGTH} letters and digits.",
    RegistrationProblem.OTHER_CHARACTERS: "A registration number has only letters A to Z and digits.",
}

_LINK_STATES = {
    state.raw: state
    for state in (
        StateWords("ACTIVE", "can still be paid", "waiting", name="Active", clause="is active"),
        StateWords("PAID", "", "good", name="Paid", clause="is paid"),
        StateWords("EXPIRED", "ended without payment", "ended", name="Expired", clause="has expired"),
        StateWords("FAILED", "a payment attempt failed", "wrong", name="Failed", clause="has failed"),
        StateWords("CANCELLED", "no longer valid", "ended", name="Cancelled", clause="is cancelled"),
    )
}
_NO_STATE = StateWords("", "not checked yet", "neutral", name="State not known yet", clause="has no known state yet")
#: The statuses of a challan that the service documents.
_CHALLAN_STATUSES = {"PENDING": "Pending", "TO_BE_ASSIGNED": "To be assigned"}


#: Beside the last known state of a link that the service answers 404 for.
NO_LONGER_KNOWN = "no longer known"
LAST_KNOWN = "the last state that was known"


class LinkInState(Protocol):
    """Name what decides how the state of a link is shown."""

    @property
    def status(self) -> str: ...

    @property
    def is_unknown(self) -> bool: ...


def state_of(link: LinkInState) -> StateWords:
    """Return the words for the state of a link that is stored, wherever one is shown."""
    return link_state(link.status, unknown=link.is_unknown)


def link_state(raw: str, *, unknown: bool = False) -> StateWords:
    """Return the words for a link's status; one that the service has not documented is shown as sent.

    `unknown`: the service no longer knows the link.
    """
    if not raw:
        state = _NO_STATE
    else:
        state = _LINK_STATES.get(raw) or StateWords(raw, "a state the service has not documented", "neutral")
    return replace(state, words=LAST_KNOWN, meaning="wrong", note=NO_LONGER_KNOWN) if unknown else state


def challan_status(raw: str) -> str:
    """Return the words for a challan's status; one that the service has not documented is shown as sent."""
    return _CHALLAN_STATUSES.get(raw, raw)


#: "Most likely", because either of two equal requests may have made it.
RECOVERED = "The reply was lost, so we checked and found the link, most likely made by the request of {asked}"

_NO_ANSWER = "The service did not answer"
_ERROR = "The service answered with an error"

_FAILURES = {
    "Unreachable": f"{_NO_ANSWER}.",
    "Insecure": f"{_NO_ANSWER}: a secure connection could not be made. Tell an administrator.",
    "ServiceFailed": f"{_ERROR}.",
    "UnreadableAnswer": f"{_ERROR}: its answer could not be read.",
    "SecretRejected": f"{_ERROR}: the API key was refused, so no calls are being made.",
    "KeyThrottled": f"{_ERROR}: the API key is throttled or was refused, so no calls are being made.",
    "OtherOrganization": f"{_ERROR}: the API key belongs to another organization, so no calls are being made.",
    "ServiceNotEnabled": f"{_ERROR}: this service is not enabled for your organization.",
    "AllowanceSpent": f"{_ERROR}: today's search limit is reached.",
    "AllowanceReserved": "Today's search limit is reached; a reserve is kept for requests whose outcome is not known.",
    "NotFound": f"{_ERROR}: it no longer knows this.",
    "Conflict": f"{_ERROR}: the vehicle belongs to another organization or was deleted.",
    "RequestRefused": f"{_ERROR}: it rejected the request.",
    "Fault": "Something went wrong in the dashboard during the check.",
}


def failure(name: str) -> str:
    """Return a sentence for a failure, by the name of its class. A failure of the service begins with fixed words."""
    return _FAILURES.get(name, f"{_ERROR}.")


def failure_since(name: str, shown_from: str | None, age: str | None = None) -> str:
    """Return what failed and the age of the data that is shown instead; both times come formatted."""
    return f"{failure(name)} This is from {shown_from}{f', {age}' if age else ''}." if shown_from else failure(name)


REFRESH_BUSY = (
    "A colleague is refreshing this vehicle from the source just now. Nothing was done. Try again in a moment."
)

UNDO = "Undo"
