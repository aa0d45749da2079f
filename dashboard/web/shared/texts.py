"""Hold the words that several nouns show: states of links, failures of the service, and how lists are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from wtforms.validators import Length

from dashboard.domain.registration import MAX_LENGTH, RegistrationProblem
from dashboard.domain.roles import Role
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.records import StateWords


def join_words(words: Sequence[str]) -> str:
    """Write a list as a sentence does: "a", "a and b", "a, b and c". There must be one word at least."""
    return (
        str(words[0])
        if len(words) == 1
        else _("%(first)s and %(last)s", first=", ".join(map(str, words[:-1])), last=words[-1])
    )


def name_first(words: Sequence[str], count: int) -> str:
    """Write the first words of a list of `count`, and how many more there are: "a, b and 7 more"."""
    more = count - len(words)
    shown = ", ".join(map(str, words))
    return _("%(names)s and %(count)s more", names=shown, count=more) if more > 0 else shown


def unknown_amounts(count: int | str) -> str:
    """Say beside a sum how many amounts it lacks; `count` is a text where a script is to fill it in."""
    return _("+ %(count)s unknown", count=f"{count:,}" if isinstance(count, int) else count)


#: Why a text is no registration number.
REGISTRATION_PROBLEMS = {
    RegistrationProblem.EMPTY: lazy("Enter a registration number, for example MH12 AB 1001."),
    RegistrationProblem.TOO_LONG: lazy(
        "A registration number has at most %(max_length)s letters and digits.", max_length=MAX_LENGTH
    ),
    RegistrationProblem.OTHER_CHARACTERS: lazy("A registration number has only letters A to Z and digits."),
}

_UNDOCUMENTED = lazy("check with the service before you share it")
_LINK_STATES = {
    state.raw: state
    for state in (
        StateWords("ACTIVE", lazy("can still be paid"), "active", name=lazy("Active"), clause=lazy("is active")),
        StateWords("PAID", "", "good", name=lazy("Paid"), clause=lazy("is paid")),
        StateWords("EXPIRED", lazy("ended without payment"), "ended", name=lazy("Expired"), clause=lazy("has expired")),
        StateWords("FAILED", lazy("a payment attempt failed"), "wrong", name=lazy("Failed"), clause=lazy("has failed")),
        StateWords("CANCELLED", lazy("no longer valid"), "ended", name=lazy("Cancelled"), clause=lazy("is cancelled")),
    )
}
_NO_STATE = StateWords(
    "", lazy("not checked yet"), "neutral", name=lazy("State not known yet"), clause=lazy("has no known state yet")
)


#: The roles, as their pages name them.
ROLES = {Role.STAFF: lazy("Staff"), Role.MANAGER: lazy("Manager"), Role.ADMIN: lazy("Administrator")}


def role_name(role: Role) -> str:
    return str(ROLES[role])


#: Beside the last known state of a link that the service answers 404 for.
NO_LONGER_KNOWN = lazy("not found at the service")
LAST_KNOWN = lazy("the last state that was known")
#: In place of that state, where it is shown as a pill.
NOT_FOUND = lazy("Not found")


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
    state = (_LINK_STATES.get(raw) or StateWords(raw, _UNDOCUMENTED, "neutral")) if raw else _NO_STATE
    if not unknown:
        return state
    return replace(state, words=LAST_KNOWN, meaning="waiting", note=NO_LONGER_KNOWN, known_now=NOT_FOUND)


#: "Most likely", because either of two equal requests may have made it.
RECOVERED = lazy("The reply was lost, so we checked and found the link, most likely made by the request of {asked}")
#: The same as a sentence of its own.
RECOVERED_SENTENCE = lazy(
    "The reply was lost, so we checked and found the link, most likely made by the request of {asked}."
)


_FAILURES = {
    "Unreachable": lazy("The service did not answer."),
    "Insecure": lazy("The service did not answer: a secure connection could not be made. Tell an administrator."),
    "ServiceFailed": lazy("The service answered with an error."),
    "UnreadableAnswer": lazy("The service answered with an error: its answer could not be read."),
    "SecretRejected": lazy("The service answered with an error: the API key was refused, so no calls are being made."),
    "KeyThrottled": lazy(
        "The service answered with an error: the API key is throttled or was refused, so no calls are being made."
    ),
    "OtherOrganization": lazy(
        "The service answered with an error: the API key belongs to another organization, so no calls are being made."
    ),
    "ServiceNotEnabled": lazy("The service answered with an error: this service is not enabled for your organization."),
    "AllowanceSpent": lazy("The service answered with an error: today’s search limit is reached."),
    "AllowanceReserved": lazy("Today’s search limit is reached; the rest is reserved for unclear requests."),
    "NotFound": lazy("The service answered with an error: it no longer knows this."),
    "Conflict": lazy("The service answered with an error: the vehicle belongs to another organization or was deleted."),
    "RequestRefused": lazy("The service answered with an error: it rejected the request."),
    "Fault": lazy("Something went wrong in the dashboard during the check."),
}


def failure(name: str) -> str:
    """Return a sentence for a failure, by the name of its class. A failure of the service begins with fixed words."""
    return str(_FAILURES.get(name, _FAILURES["ServiceFailed"]))


def failure_since(name: str, shown_from: str | None) -> str:
    """Return what failed and since when the data is known that is shown instead, which comes formatted."""
    if not shown_from:
        return failure(name)
    return _("%(failure)s This is from %(time)s.", failure=failure(name), time=shown_from)


REFRESH_BUSY = lazy(
    "A colleague is refreshing this vehicle from the source just now. Nothing was done. Try again in a moment."
)

UNDO = lazy("Undo")

# What forms say of a field, in place of the words of WTForms, which has no Hindi

NOT_OFFERED = lazy("Choose one of the list.")

# Periods

THIS_MONTH, LAST_MONTH = lazy("This month"), lazy("Last month")
NO_SUCH_DAY = lazy("There is no such day. Write it like 2026-06-30.")
ENTER_FIRST_DAY = lazy("Enter the first day.")
ENTER_LAST_DAY = lazy("Enter the last day.")
LAST_BEFORE_FIRST = lazy("The last day is before the first.")


def at_most(longest: int) -> Length:
    """Return the validator of a text that may have so many letters."""
    return Length(max=longest, message=lazy("At most %(longest)s letters.", longest=longest))
