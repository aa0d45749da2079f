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
from dashboard.services.creation.replacement import ReplacementProblem
from dashboard.services.operations.blocks import ORGANIZATION, SECRET
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation.intents import Intent
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import format_moment
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.languages import lazy, ngettext
from dashboard.web.shared.texts import RECOVERED_SENTENCE, join_words

# The review

HOURS = lazy(
    "Enter a whole number of hours from %(min_hours)s to %(max_hours)s.", min_hours=MIN_HOURS, max_hours=MAX_HOURS
)
NOTHING_SENT = lazy("Nothing was sent.")
NO_NEW_LINK = lazy("No new link was created.")
OTHERS_BELOW = lazy("The review below has the others.")
CREATED = lazy("Payment link created")
CREATED_AND_COPIED = lazy("Payment link created and copied")
SENDING = lazy("Sending. The service can take 30 s to answer.")
SLOW = lazy("The service is slow. You can leave this page: the link cannot be made twice.")
UNANSWERED = lazy("The dashboard did not answer. Press the button again: the link cannot be made twice.")


def confirmed(plate: str) -> str:
    return f"{CREATED} · {plate}"


#: Said of a challan that the vehicle never had, or has not had since before the last search.
UNLISTED = lazy("Not among the challans of this vehicle.")

PROBLEMS = {
    CreationProblem.NOTHING_SELECTED: lazy("Tick at least one challan. No new link was created."),
    CreationProblem.TOO_MANY: lazy(
        "A link holds at most %(max_challans)s challans. No new link was created.", max_challans=MAX_CHALLANS
    ),
    CreationProblem.HOURS: lazy(
        "Enter a whole number of hours from %(min_hours)s to %(max_hours)s. No new link was created.",
        min_hours=MIN_HOURS,
        max_hours=MAX_HOURS,
    ),
    CreationProblem.NEVER_SEARCHED: lazy("Search this vehicle first. No new link was created."),
    CreationProblem.NOT_PAYABLE: lazy("Some of these challans can no longer be selected. No new link was created."),
    CreationProblem.HELD: lazy("Another request holds some of these challans. No new link was created."),
    CreationProblem.OTHER_PAYLOAD: lazy(
        "This form was already used for another selection. No second link was created. Read the review again."
    ),
    CreationProblem.NOT_REPLACEABLE: lazy(
        "The link to be replaced has not ended, or has none of these challans. No new link was created. Open it first."
    ),
}
NONE_PAYABLE = lazy("None of these challans can be selected any more. No new link was created.")

#: Above so many challans of one holder their number is said instead of theirs.
_MOST_NAMED = 3


def problem(found: CreationProblem, holders: Mapping[str, Sequence[str]], *, others: bool, counted: str = "") -> str:
    """Say why there is no link, or `counted`. `holders` maps what holds challans to them; `others`: some are free."""
    none_left = found is CreationProblem.NOT_PAYABLE and not others
    said = [counted or str(NONE_PAYABLE if none_left else PROBLEMS[found])]
    for holder, numbers in holders.items():
        held = join_words(numbers) if len(numbers) <= _MOST_NAMED else _("%(count)s of them", count=len(numbers))
        said.append(_("%(holder)s holds %(held)s.", holder=holder[:1].upper() + holder[1:], held=held))
    if others and not counted:
        said.append(str(OTHERS_BELOW))
    return " ".join(said)


def review_title(plate: str) -> str:
    """Name the review for the browser's tab."""
    return _("Review %(plate)s · Challan Dashboard", plate=plate)


A_COLLEAGUE = lazy("a colleague")
CHANGE_SELECTION = lazy("Change the selection")
#: Where nothing is left that could be selected.
OPEN_VEHICLE = lazy("Open the vehicle")

#: Why a link cannot be replaced; `{is_now}` says its present state.
REPLACEMENT_PROBLEMS = {
    ReplacementProblem.NOT_ENDED: lazy("This link was checked just now, and {is_now}. Nothing else was done."),
    ReplacementProblem.NO_VEHICLE: lazy(
        "The vehicle of this link is not known here. Search it, then create a link there."
    ),
}
NOTHING_TO_REPLACE = lazy("None of its challans can go on a new link. No link was requested.")
NOTHING_COVERED = lazy(
    "It is not known which challans this link covered. Search the vehicle, then create a link there."
)

# A request's page

#: Said when a link turns up after NOT_CREATED.
APOLOGY = lazy("We said before that there was no link. That was wrong, and we are sorry: the service made it late.")
MAY_EXIST = lazy("The link may or may not exist.")
STAY_RESERVED = lazy("These challans stay reserved.")
NOTHING_FREE = lazy("None of these challans can go on a new link now. The reason is beside each.")

#: Not "not sent", which is said of a link that no driver was given.
NO_LINK = lazy("No link was created")
TITLES = {
    IntentState.PREPARED: lazy("Preparing"),
    IntentState.SENDING: lazy("Waiting for the service"),
    IntentState.UNKNOWN: lazy("Checking"),
    IntentState.NEEDS_ATTENTION: lazy("Needs attention"),
    IntentState.CREATED: lazy("Created"),
    IntentState.RECOVERED: lazy("Link found"),
    IntentState.ATTACHED: lazy("Already on a link"),
    IntentState.REJECTED: lazy("Rejected"),
    IntentState.NOT_SENT: NO_LINK,
    IntentState.NOT_CREATED: lazy("Not created"),
    IntentState.ABANDONED: NO_LINK,
}

_ON_LINKS = (EligibilityReason.LIVE_LINK, EligibilityReason.PAID_LINK)

_REJECTED = lazy("The service rejected the request for a link, and gave no reason.")
AFTER_REJECTION = lazy(
    "A challan may have changed: refresh the vehicle, then try again. Rejected again? Ask the service’s support."
)
_REJECTED_FOR_A_REASON = {
    401: lazy("The API key was refused."),
    403: lazy("Payment Link Generation is not enabled for your organization."),
    404: lazy("The service does not know the vehicle or one of the challans. Search the vehicle again."),
    409: lazy(
        "The service reported a conflict, and a search has explained it: a challan is no longer "
        "payable, or the vehicle belongs to another organization or was deleted."
    ),
}

#: Why an intent was not sent, by its stored outcome. A limit may be that of links or, before a second attempt, of
#: searches.
_NOT_SENT = {
    "AllowanceSpent": lazy("The service answered with an error: today’s limit is reached."),
    "BreakerOpen": lazy("Several calls to the service have failed lately, so this one was not made."),
    "TooLate": lazy("The request could not leave soon enough after the click."),
    "NotSettled": lazy("We checked once more before sending, and the answer was not clear."),
}

#: Why an attempt to resolve failed. "The request" would be the creation here, and a limit is that of the attempt's day.
_FAILED_ATTEMPTS = {
    "RequestRefused": lazy("The service answered with an error: it did not accept the search."),
    "AllowanceSpent": lazy("The service answered with an error: the day’s search limit was reached."),
    "AllowanceReserved": lazy("The day’s search limit was reached."),
}


def what_happened(intent: Intent, listed: Sequence[ListedChallan], limit: tuple[datetime, str] | None) -> str:
    """Say what is known of a request. `limit` is since when today's limit for links is reached and until when."""
    asked = format_moment(intent.send_started or intent.prepared_at)
    match intent.state:
        case IntentState.PREPARED:
            # Not that nothing was sent: by the time this is read it may be on its way.
            return _("The request is being prepared.")
        case IntentState.SENDING:
            # The answer may have come, and the database may have refused to record it.
            return _("The request was sent at %(asked)s; no answer is recorded yet.", asked=asked)
        case IntentState.UNKNOWN | IntentState.NEEDS_ATTENTION:
            return " ".join(unclear(intent))
        case IntentState.CREATED:
            return _("The link was created by the request of %(asked)s.", asked=asked)
        case IntentState.RECOVERED:
            return RECOVERED_SENTENCE.format(asked=asked)
        case IntentState.ATTACHED:
            return " ".join(filter(None, attached(intent, listed)))
        case IntentState.REJECTED:
            return _("%(why)s No link was created.", why=rejection(intent, limit))
        case IntentState.NOT_SENT:
            return _("%(why)s Nothing was sent.", why=_not_sent(intent.outcome or ""))
        case IntentState.NOT_CREATED:
            apart = _apart(intent)
            if not apart:
                return _("We checked twice and found no link.")
            return _("We checked twice, the last time %(time)s after the request, and found no link.", time=apart)
        case IntentState.ABANDONED:
            return _("The request was prepared but never sent.")


def unclear(intent: Intent) -> tuple[str, str, str]:
    """Say of an unclear outcome why it is so, what that means, and what is done meanwhile."""
    return _unclear(intent), str(MAY_EXIST), str(STAY_RESERVED)


def what_next(intent: Intent, listed: Sequence[ListedChallan]) -> str:
    """Say what happens next to a request whose outcome is not unclear; "" for nothing."""
    match intent.state:
        case IntentState.NOT_CREATED:
            return _("You can try again; we will check once more first.")
        case IntentState.REJECTED | IntentState.NOT_SENT | IntentState.ABANDONED:
            return free_again(listed)
        case IntentState.PREPARED | IntentState.SENDING:
            return _("The service can take 30 s to answer. This page shows the result by itself, and you can leave it.")
        case _:
            return ""


def is_rejected_without_reason(intent: Intent) -> bool:
    """Return whether the service rejected a request and its status does not say why."""
    return intent.state is IntentState.REJECTED and intent.http_status not in (*_REJECTED_FOR_A_REASON, 429)


def free_again(listed: Sequence[ListedChallan]) -> str:
    free = sum(item.selectable for item in listed)
    if free == len(listed):
        return _("The challans are free again, and your selection is saved.")
    if not free:
        return _("Your selection is saved; none of the challans can go on a link now.")
    return ngettext(
        "Your selection is saved; %(num)s of its challans is free again.",
        "Your selection is saved; %(num)s of its challans are free again.",
        free,
    )


def attached(intent: Intent, listed: Sequence[ListedChallan]) -> tuple[str, str]:
    """Say which of the challans other links hold, and whether the others are free, as of now."""
    held = [item for item in listed if not item.selectable and item.eligibility.reason in _ON_LINKS]
    holders = {item.link.id if item.link else item.challan.link_id for item in held}
    asked, free = len(intent.challan_ids), sum(item.selectable for item in listed)
    if not held:
        if free < asked:
            return ngettext("No link holds this challan any more.", "No link holds these challans any more.", asked), ""
        words = ngettext(
            "No link holds this challan any more; it is free again.",
            "No link holds these challans any more; they are free again.",
            asked,
        )
        return words, ""
    if len(holders) > 1:
        where = _("on %(count)s other links, named below", count=len(holders))
    elif holders == {intent.link_id}:
        where = _("on another link")
    else:
        where = _("on another link, named below")
    which, others = _which(len(held), asked, where), asked - len(held)
    return which, _others(others, free) if others else ""


def as_headline(sentence: str) -> str:
    """Return a sentence as a headline, without its full stop."""
    return sentence.rstrip(".।")


def _which(count: int, of_all: int, where: str) -> str:
    if count < of_all:
        return ngettext(
            "One of these challans is already %(where)s.",
            "%(num)s of these challans are already %(where)s.",
            count,
            where=where,
        )
    return ngettext(
        "This challan is already %(where)s.", "All of these challans are already %(where)s.", count, where=where
    )


def _others(count: int, free: int) -> str:
    """Say whether the challans that no link holds are free."""
    if free == count:
        return ngettext("The other one is free again.", "The others are free again.", count)
    if not free:
        return ngettext("The other one is not free either.", "None of the others is free either.", count)
    return ngettext("Of the others %(num)s is free again.", "Of the others %(num)s are free again.", free)


def _unclear(intent: Intent) -> str:
    if intent.http_status == 409:
        return _("The service reported a conflict that is not explained yet.")
    if intent.outcome == "Fault":
        return _("Something went wrong here while the request was under way.")
    if intent.outcome in (*SILENCE, _("Stopped"), None):
        return _("The service did not answer.")
    return _("The service answered with an error.")


def rejection(intent: Intent, limit: tuple[datetime, str] | None) -> str:
    if intent.outcome == KeyThrottled.__name__:
        return _("The API key is throttled or was refused.")
    if intent.http_status != 429:
        return str(_REJECTED_FOR_A_REASON.get(intent.http_status or 0, _REJECTED))
    if limit is None:
        refused_at = format_moment(intent.send_ended or intent.prepared_at)
        return _("The day’s limit for new links was reached at %(moment)s.", moment=refused_at)
    return _("Today’s limit for new links was reached at %(since)s.", since=format_moment(limit[0]))


def _not_sent(outcome: str) -> str:
    return str(_NOT_SENT.get(outcome) or shared_texts.failure(outcome))


def _apart(intent: Intent) -> str:
    if intent.last_negative_at is None or intent.send_ended is None:
        return ""
    return _span(intent.last_negative_at - intent.send_ended)


def _span(span: timedelta) -> str:
    seconds = max(1, round(span.total_seconds()))
    if seconds < 60:
        return _("%(count)s s", count=seconds)
    if not seconds % 60:
        return _("%(count)s min", count=seconds // 60)
    return _("%(minutes)s min %(seconds)s s", minutes=seconds // 60, seconds=seconds % 60)


def steps(state: str) -> tuple[str, ...]:
    """Name the steps of a request to its result."""
    match state:
        case IntentState.PREPARED:
            return _("Sending"), _("Checking"), _("Result")
        case IntentState.SENDING:
            return _("Sent"), _("Waiting"), _("Result")
        case _:
            return _("Sent"), _("Checking"), _("Result")


# The attempts to resolve it

NOT_ELSEWHERE = lazy("Do not create it elsewhere: money could be paid twice.")


RESOLVING_NOW = lazy("Checking now.")
ATTEMPT_DUE = lazy("The next check is due.")
#: The headlines of an outcome that checks did not settle, for those who may release the challans and for the others.
ASK_SUPPORT = lazy("Ask the service’s support: the link may or may not exist")
ASK_MANAGER = lazy("Ask a manager: the link may or may not exist")
NEEDS_MANAGER = lazy("Only a manager or an administrator can release these challans.")


def outlived(ended_at: datetime) -> str:
    """Say that a search can no longer settle a request, because its link would have ended and may be shown no more."""
    return _(
        "Its link, if it exists, ended at about %(moment)s, and the service may no longer show "
        "it. Checking again cannot settle it: ask the service’s support about this vehicle. Then a "
        "manager can release the challans.",
        moment=format_moment(ended_at),
    )


def overdue(due_at: datetime, *, held_back: bool) -> str:
    """Say that an attempt is overdue, and why. Without "not made", which a reader may take for the link (I6)."""
    since = _("The next check has been due since %(moment)s", moment=format_moment(due_at))
    if held_back:
        return _("%(since)s: checking is on hold for now and resumes automatically.", since=since)
    return _(
        "%(since)s: the dashboard’s background work is late or has stopped; checking resumes when it runs again.",
        since=since,
    )


def failed_attempt(intent: Intent) -> str:
    """Say why the last attempt failed, and when; "" when it was answered. Not "failed": the link may exist (I6)."""
    failure = intent.attempt_failure
    if not failure:
        return ""
    why = _FAILED_ATTEMPTS.get(failure) or shared_texts.failure(failure)
    if intent.attempt_failed_at is None:
        return _("The last check found nothing out: %(why)s", why=why)
    at = format_moment(intent.attempt_failed_at)
    return _("The last check, at %(time)s, found nothing out: %(why)s", time=at, why=why)


def paused(scope: str, until_at: datetime, *, released: bool) -> str:
    """Say that no attempt can be made, why and until when. `released`: a manager has released the claims."""
    until, why = format_moment(until_at), _("Today’s search limit is reached.")
    if scope == SECRET:
        why = _("The API key was refused; checking resumes as soon as it changes.")
    elif scope == ORGANIZATION:
        until, why = _("the API key changes"), _("It belongs to another organization.")
    elif scope in list(ServiceGroup):
        why = _("%(scope)s is not enabled for your organization.", scope=scope)
    if released:
        return _("Checking is paused until %(until)s. %(why)s", until=until, why=why)
    return _(
        "Checking is paused until %(until)s; the challans stay reserved. %(why)s",
        until=until,
        why=why,
    )
