"""Hold the sentences of creation: the review, the request's page, replacement and release.

Each sentence about a request is true in every state (I6): "not created" is shown only when the evidence proves it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from dashboard.domain.challans import EligibilityReason
from dashboard.domain.intents import IntentState
from dashboard.domain.links import MAX_CHALLANS, MAX_HOURS, MIN_HOURS
from dashboard.errors import SILENCE, KeyThrottled, ServiceGroup
from dashboard.services.creation.commands import CreationProblem
from dashboard.services.creation.release import MAX_REASON, MIN_REASON, ReleaseProblem
from dashboard.services.creation.replacement import ReplacementProblem
from dashboard.services.operations.blocks import ORGANIZATION, SECRET
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation.intents import Intent
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.texts import RECOVERED, join_words

# The review

HOURS = f"Enter a whole number of hours from {MIN_HOURS} to {MAX_HOURS}."
NOTHING_SENT = "Nothing was sent."
CREATED = "Payment link created"
CREATED_AND_COPIED = "Payment link created and copied"
SENDING = "Sending. The service can take 30 s to answer."
SLOW = "The service is slow. You can leave this page: the link cannot be made twice."
UNANSWERED = "The dashboard did not answer. Press the button again: the link cannot be made twice."


def confirmed(plate: str) -> str:
    return f"{CREATED} · {plate}"


#: Said of a challan that the vehicle never had, or has not had since before the last search.
UNLISTED = "Not among the challans of this vehicle."

PROBLEMS = {
    CreationProblem.NOTHING_SELECTED: "Tick at least one challan. Nothing was sent.",
    CreationProblem.TOO_MANY: f"A link holds at most {MAX_CHALLANS} challans. Nothing was sent.",
    CreationProblem.HOURS: f"{HOURS} Nothing was sent.",
    CreationProblem.NEVER_SEARCHED: "Search this vehicle first. Nothing was sent.",
    CreationProblem.NOT_PAYABLE: "Some of these challans can no longer be selected. Nothing was sent.",
    CreationProblem.HELD: "Another request holds some of these challans. Nothing was sent.",
    CreationProblem.OTHER_PAYLOAD: "This form was already used for another selection. Nothing more was sent. "
    "Read the review again, then create.",
    CreationProblem.NOT_REPLACEABLE: "The link to be replaced has not ended, or has none of these challans. "
    "Nothing was sent. Open that link first.",
}

#: Above so many challans of one holder their number is said instead of theirs.
_MOST_NAMED = 3


def problem(found: CreationProblem, holders: Mapping[str, Sequence[str]], *, others: bool) -> str:
    """Say why nothing was sent. `holders` maps who or what holds challans to their numbers; `others`: some are free."""
    said = [PROBLEMS[found]]
    for holder, numbers in holders.items():
        held = join_words(numbers) if len(numbers) <= _MOST_NAMED else f"{len(numbers)} of them"
        said.append(f"{holder[:1].upper()}{holder[1:]} holds {held}.")
    if others:
        said.append("The review below has the others.")
    return " ".join(said)


def request_of(person: str, asked_at: datetime) -> str:
    return f"the request by {person} of {format_moment(asked_at)}"


# Replacement

#: Why a link cannot be replaced; `{is_now}` says its present state.
REPLACEMENT_PROBLEMS = {
    ReplacementProblem.NOT_ENDED: "This link was checked just now, and {is_now}. Nothing else was done.",
    ReplacementProblem.NO_VEHICLE: "The vehicle of this link is not known here. Search it, then create a link there.",
}
NOTHING_TO_REPLACE = "None of its challans can be put on a new link; the reason is beside each. No link was requested."
NOTHING_COVERED = "It is not known which challans this link covered. Search the vehicle, then create a link there."

# A request's page

#: Said when a link turns up after NOT_CREATED.
APOLOGY = "We said before that there was no link. That was wrong, and we are sorry: the service made it late."
NOTHING_FREE = "None of these challans can go on a new link now. The reason is beside each."

TITLES = {
    IntentState.PREPARED: "Preparing",
    IntentState.SENDING: "Sending",
    IntentState.UNKNOWN: "Checking",
    IntentState.NEEDS_ATTENTION: "Needs attention",
    IntentState.CREATED: "Created",
    IntentState.RECOVERED: "Found",
    IntentState.ATTACHED: "Already on a link",
    IntentState.REJECTED: "Rejected",
    IntentState.NOT_SENT: "Not sent",
    IntentState.NOT_CREATED: "Not created",
    IntentState.ABANDONED: "Not sent",
}

_ON_LINKS = (EligibilityReason.LIVE_LINK, EligibilityReason.PAID_LINK)

_REJECTED = {
    400: "The service rejected the request.",
    401: "The API key was refused.",
    403: "Payment Link Generation is not enabled for your organization.",
    404: "The service does not know the vehicle or one of the challans. Search the vehicle again.",
    409: "The service reported a conflict, and a search has explained it: a challan is no longer payable, "
    "or the vehicle belongs to another organization or was deleted.",
}

_ERROR = "The service answered with an error"

#: Why an intent was not sent, by its stored outcome. A limit may be that of links or, before a second attempt, of
#: searches.
_NOT_SENT = {
    "AllowanceSpent": f"{_ERROR}: today's limit is reached.",
    "TooLate": "The request could not leave soon enough after the click.",
    "NotSettled": "We looked once more before sending, and the answer was not clear enough to send.",
}

#: Why an attempt to resolve failed. "The request" would be the creation here, and a limit is that of the attempt's day.
_FAILED_ATTEMPTS = {
    "RequestRefused": f"{_ERROR}: it did not accept the search.",
    "AllowanceSpent": f"{_ERROR}: the day's search limit was reached.",
    "AllowanceReserved": "The day's search limit was reached.",
}


def what_happened(intent: Intent, listed: Sequence[ListedChallan], limit_since: datetime | None) -> str:
    """Say what is known of a request. `limit_since` is when today's limit for links was reached, if it is known."""
    asked = format_moment(intent.send_started or intent.prepared_at)
    match intent.state:
        case IntentState.PREPARED:
            # Not that nothing was sent: by the time this is read it may be on its way.
            return "The request is being prepared."
        case IntentState.SENDING:
            # The answer may have come, and the database may have refused to record it.
            return f"The request was sent at {asked}; no answer of the service is recorded yet."
        case IntentState.UNKNOWN | IntentState.NEEDS_ATTENTION:
            return f"{_unclear(intent)} The link may or may not exist. These challans stay reserved."
        case IntentState.CREATED:
            return f"The link was created by the request of {asked}."
        case IntentState.RECOVERED:
            return f"{RECOVERED.format(asked=asked)}."
        case IntentState.ATTACHED:
            return _attached(intent, listed)
        case IntentState.REJECTED:
            return f"{_rejection(intent, limit_since)} No link was created."
        case IntentState.NOT_SENT:
            return f"{_not_sent(intent.outcome or '')} Nothing was sent, and no link was created."
        case IntentState.NOT_CREATED:
            return f"We looked twice{_apart(intent)} and found no link."
        case IntentState.ABANDONED:
            return "The request was prepared but never sent. No link was created."


def what_next(state: IntentState) -> str:
    """Say what happens next to a request whose outcome is not unclear; "" for nothing."""
    match state:
        case IntentState.NOT_CREATED:
            return "You can try again; we will look once more first."
        case IntentState.REJECTED | IntentState.NOT_SENT | IntentState.ABANDONED:
            return "The challans are free again, and your selection is kept."
        case IntentState.PREPARED | IntentState.SENDING:
            return "This page shows the result by itself. You can leave it and come back."
        case _:
            return ""


def _attached(intent: Intent, listed: Sequence[ListedChallan]) -> str:
    """Say which of the challans other links hold, and whether the others are free, as of now."""
    held = [item for item in listed if not item.selectable and item.eligibility.reason in _ON_LINKS]
    holders = {item.link.id if item.link else item.challan.link_id for item in held}
    asked, free = len(intent.challan_ids), sum(item.selectable for item in listed)
    if not held:
        still = "they are" if free > 1 else "it is"
        all_free = f"; {still} free again." if free == asked else "."
        return f"No link holds {'these challans' if asked > 1 else 'this challan'} any more{all_free}"
    which = _which(len(held), asked)
    if len(holders) > 1:
        where = f"already on {len(holders)} other links; they are named below"
    else:
        where = f"already on another link; it is {'shown here' if holders == {intent.link_id} else 'named below'}"
    return f"{which} {where}.{_others(asked - len(held), free)}"


def _which(count: int, of_all: int) -> str:
    if count == of_all:
        return "This challan is" if count == 1 else "All of these challans are"
    return of_these(count)


def of_these(count: int) -> str:
    return "One of these challans is" if count == 1 else f"{count} of these challans are"


def _others(count: int, free: int) -> str:
    """Say whether the challans that no link holds are free; "" when there are none."""
    if not count:
        return ""
    if free == count:
        return " The other one is free again." if count == 1 else " The others are free again."
    if not free:
        return " The other one is not free either." if count == 1 else " None of the others is free either."
    return f" Of the others {free} {'is' if free == 1 else 'are'} free again."


def _unclear(intent: Intent) -> str:
    if intent.http_status == 409:
        return "The service reported a conflict that is not explained yet."
    if intent.outcome == "Fault":
        return "Something went wrong here while the request was under way."
    if intent.outcome in (*SILENCE, "Stopped", None):
        return "The service did not answer."
    return "The service answered with an error."


def _rejection(intent: Intent, limit_since: datetime | None) -> str:
    if intent.outcome == KeyThrottled.__name__:
        return "The API key is throttled or was refused."
    if intent.http_status != 429:
        return _REJECTED.get(intent.http_status or 0, "The service rejected the request.")
    refused_at = intent.send_ended or intent.prepared_at
    if limit_since is None or limit_since > refused_at:
        return f"The day's limit for new links was reached at {format_moment(refused_at)}. Your selection is saved."
    return f"Today's limit for new links is reached since {format_moment(limit_since)}. Your selection is saved."


def _not_sent(outcome: str) -> str:
    return _NOT_SENT.get(outcome) or shared_texts.failure(outcome)


def _apart(intent: Intent) -> str:
    if intent.last_negative_at is None or intent.send_ended is None:
        return ""
    return f", the last time {_span(intent.last_negative_at - intent.send_ended)} after the request,"


def _span(span: timedelta) -> str:
    seconds = max(1, round(span.total_seconds()))
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60} min {seconds % 60} s"


# The attempts to resolve it

NOT_ELSEWHERE = "Please do not create it elsewhere."
RESOLVING_NOW = "Looking now."
ATTEMPT_DUE = "The next look is due."
NEEDS_SUPPORT = "We could not find out. We now look once a day; ask the service's support about this vehicle."


def outlived(ended_at: datetime) -> str:
    """Say that a search can no longer settle a request, because its link would have ended and may be shown no more."""
    return (
        f"Its link, if it exists, ended at about {format_moment(ended_at)}, and the service may no longer show it. "
        "Looking again cannot settle it: ask the service's support about this vehicle. "
        "Then a manager can release the challans."
    )


def overdue(due_at: datetime, *, held_back: bool) -> str:
    """Say that an attempt is overdue, and why. Without "not made", which a reader may take for the link (I6)."""
    since = f"The next look has been due since {format_moment(due_at)}"
    if held_back:
        return f"{since}: checking is on hold for now and resumes automatically."
    return f"{since}: the dashboard's background work is late or has stopped; checking resumes when it runs again."


def failed_attempt(intent: Intent) -> str:
    """Say why the last attempt failed, and when; "" when it was answered. Not "failed": the link may exist (I6)."""
    failure = intent.attempt_failure
    if not failure:
        return ""
    at = f", at {format_moment(intent.attempt_failed_at)}," if intent.attempt_failed_at is not None else ""
    return f"The last look{at} found nothing out: {_FAILED_ATTEMPTS.get(failure) or shared_texts.failure(failure)}"


def paused(scope: str, until_at: datetime, *, released: bool) -> str:
    """Say that no attempt can be made, why and until when. `released`: a manager has released the claims."""
    until, why = format_moment(until_at), "Today's search limit is reached."
    if scope == SECRET:
        why = "The API key was refused; checking resumes as soon as it changes."
    elif scope == ORGANIZATION:
        until, why = "the API key changes", "It belongs to another organization."
    elif scope in list(ServiceGroup):
        why = f"{scope} is not enabled for your organization."
    if released:
        return f"Checking is paused until {until}. {why}"
    return f"Checking is paused until {until}; the challans stay reserved. {why} {NOT_ELSEWHERE}"


def unsettled(gone: int, prepaid: int) -> str:
    """Say what the source shows about the challans that leave the outcome of a request unclear."""
    said = ""
    if gone:
        said += f" {of_these(gone)} no longer listed at the source and may be paid."
    if prepaid:
        said += f" {of_these(prepaid)} marked prepaid there, without a link."
    return said


# Release by a manager

RELEASE_FIELD = {
    ReleaseProblem.REASON_SHORT: f"Write why, in at least {MIN_REASON} characters. Others read it later.",
    ReleaseProblem.REASON_LONG: f"Write why in at most {MAX_REASON} characters.",
}
RELEASE_HINT = f"{MIN_REASON} to {MAX_REASON} characters. Everybody can read it, with your name."
BEING_RESOLVED = "This request is being checked just now. Nothing was released. Try again in a minute."
RELEASE_NOT_NEEDED = "Nothing was released: this request does not need it. Its state is shown here."
ALREADY_RELEASED = "Nothing was released now: a colleague did it before you. Who, when and why is shown here."
RESOLVED_INSTEAD = "Nothing was released: we looked once more first and found out what happened to the request."
NOTHING_RELEASED = "Nothing was released."

CONSEQUENCE = "The link may or may not exist. If it does and another is made, money may be paid twice."
RELEASED_TITLE = "Released"


def release_consequence(*, goes_on: bool) -> str:
    """Say what a release means. `goes_on`: attempts to resolve go on after it."""
    attempts = "We look once more now, and go on looking." if goes_on else "We look once more now."
    return f"{CONSEQUENCE} {attempts}"


def released(manager: str, at: datetime, reason: str) -> str:
    """Say who released the claims, when and why."""
    quoted = f"“{reason}”" if reason.endswith((".", "!", "?", "।")) else f"“{reason}”."
    return f"Released by {manager} at {format_moment(at)}: {quoted}"


def unclear_after_release(taken: int, of_all: int) -> str:
    """Say what is known after a release; others hold `taken` of the challans by now."""
    if not taken:
        return (
            "The link may or may not exist; its challans are free again, and we look once more before another is sent."
        )
    return (
        f"The link may or may not exist. Its challans were released, and {_some(taken)} of {of_all} "
        f"{'is' if taken == 1 else 'are'} held by another request or link now."
    )


def double_after_release(taken: int) -> str:
    return f"Another request or link holds {_some(taken)} of its challans too: money may be paid twice."


def after_release(last_at: datetime, *, goes_on: bool) -> str:
    """Say until when attempts to resolve go on after a release, or went on."""
    last = format_moment(last_at)
    if not goes_on:
        return f"We stopped looking at {last}. If a search of the vehicle finds the link, it is still shown here."
    return f"We go on looking until {last}. If the link is found, it is shown here."


def _some(count: int) -> str:
    return "one" if count == 1 else str(count)
