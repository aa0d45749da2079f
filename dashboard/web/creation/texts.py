"""What the page of a request says of it, true in every state (I6): "not created" only where that is known."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from dashboard.domain.challans import EligibilityReason
from dashboard.domain.intents import IntentState
from dashboard.errors import SILENCE, Operation, ServiceGroup
from dashboard.services.operations.call_policy import LINK_ALLOWANCE, ORGANIZATION, SECRET
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation.intents import Intent
from dashboard.web.creation import release
from dashboard.web.links.page import LATE
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment

#: The states whose outcome looks are to find out.
UNCLEAR = (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION)

#: Said when a link turns up after its absence had been verified.
APOLOGY = "We said before that there was no link. That was wrong, and we are sorry: the service made it late."

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

#: Why a challan stands on a link.
_ON_LINKS = (EligibilityReason.LIVE_LINK, EligibilityReason.PAID_LINK)

_REJECTED = {
    400: "The service rejected the request.",
    401: "The API key was refused.",
    403: "Payment Link Generation is not enabled for your organization.",
    404: "The service does not know the vehicle or one of the challans. Search the vehicle again.",
    409: "The service reported a conflict, and a search has explained it: a challan is no longer payable, "
    "or the vehicle belongs to another organization or was deleted.",
}


def told(row: Intent, state: IntentState, placed: Sequence[ListedChallan]) -> str:
    asked = format_moment(row.send_started or row.prepared_at)
    match state:
        case IntentState.PREPARED:
            # Not that nothing was sent: by the time this is read it may be on its way.
            return "The request is being prepared."
        case IntentState.SENDING:
            return f"The request was sent at {asked}; the service has not answered yet."
        case IntentState.UNKNOWN | IntentState.NEEDS_ATTENTION:
            return f"{_unclear(row)} The link may or may not exist. These challans stay reserved."
        case IntentState.CREATED:
            return f"The link was created by the request of {asked}."
        case IntentState.RECOVERED:
            return f"Found by checking; most likely made by the request of {asked}."
        case IntentState.ATTACHED:
            return _attached(row, placed)
        case IntentState.REJECTED:
            return f"{_rejection(row)} No link was created."
        case IntentState.NOT_SENT:
            return f"{shared_texts.not_sent(row.outcome or '')} Nothing was sent, and no link was created."
        case IntentState.NOT_CREATED:
            return f"We looked twice{_apart(row)} and found no link."
        case IntentState.ABANDONED:
            return "The request was prepared but never sent. No link was created."


def _attached(row: Intent, placed: Sequence[ListedChallan]) -> str:
    """Which of the challans other links hold, and whether the others can be had, as things stand now."""
    held = [item for item in placed if not item.selectable and item.eligibility.reason in _ON_LINKS]
    holders = {item.link.id if item.link else item.challan.link_id for item in held}
    asked, free = len(row.challan_ids), sum(item.selectable for item in placed)
    if not held:
        still = "they are" if free > 1 else "it is"
        all_free = f"; {still} free again." if free == asked else "."
        return f"No link holds {'these challans' if asked > 1 else 'this challan'} any more{all_free}"
    which = _which(len(held), asked)
    if len(holders) > 1:
        where = f"already on {len(holders)} other links; they are named below"
    else:
        where = f"already on another link; it is {'shown here' if holders == {row.link_id} else 'named below'}"
    return f"{which} {where}.{_others(asked - len(held), free)}"


def _which(count: int, of_all: int) -> str:
    if count == of_all:
        return "This challan is" if count == 1 else "All of these challans are"
    return "One of these challans is" if count == 1 else f"{count} of these challans are"


def _others(count: int, free: int) -> str:
    """What is said of the challans that no link holds; nothing where there are none."""
    if not count:
        return ""
    if free == count:
        return " The other one is free again." if count == 1 else " The others are free again."
    if not free:
        return " The other one is not free either." if count == 1 else " None of the others is free either."
    return f" Of the others {free} {'is' if free == 1 else 'are'} free again."


def _unclear(row: Intent) -> str:
    if row.http_status == 409:
        return "The service answered with a conflict that is not explained yet."
    if row.outcome == "Fault":
        return "Something went wrong here while the request was under way."
    if row.outcome in (*SILENCE, "Stopped", None):
        return "The service did not answer."
    return "The service answered with an error."


def _rejection(row: Intent) -> str:
    if row.http_status == 429:
        return f"{_limit(row.send_ended or row.prepared_at)} Your selection is saved."
    return _REJECTED.get(row.http_status or 0, "The service rejected the request.")


def _limit(refused_at: datetime) -> str:
    """Of the limit that a request met: that it stands since when, or that it was met then."""
    blocks = current_services().call_policy.active_blocks()
    spent = next((block for block in blocks if block.scope == LINK_ALLOWANCE), None)
    if spent is None or spent.since > refused_at:
        return f"The day's limit for new links was reached at {format_moment(refused_at)}."
    return f"Today's limit for new links is reached since {format_moment(spent.since)}."


def _apart(row: Intent) -> str:
    if row.last_negative_at is None or row.send_ended is None:
        return ""
    return f", the last time {_span(row.last_negative_at - row.send_ended)} after the request,"


def what_next(row: Intent, state: IntentState, now: datetime) -> tuple[str, datetime | None]:
    """What happens next, and the moment of the next look where the page counts down to it."""
    if state not in UNCLEAR:
        return _then(state), None
    if paused := _pause(row):
        return paused, None
    look, counted = _next_look(row, now)
    overdue = look if _is_overdue(row, now) else ""
    if release.is_aside(row):
        return _joined(release.what_next(row), overdue), None
    failed = release.failed_look(row)
    if state is IntentState.UNKNOWN:
        return _joined(look, failed, "Please do not create it elsewhere."), counted
    said = "Looking has not settled it. We go on looking; ask the service's support about this vehicle."
    return _joined(said, failed, overdue), None


def _joined(*sentences: str) -> str:
    return " ".join(each for each in sentences if each)


def _then(state: IntentState) -> str:
    match state:
        case IntentState.NOT_CREATED:
            return "You can try again; we will look once more first."
        case IntentState.REJECTED | IntentState.NOT_SENT | IntentState.ABANDONED:
            return "The challans are free again, and your selection is kept."
        case IntentState.PREPARED | IntentState.SENDING:
            return "This page follows it to its end; you can leave it and come back."
        case _:
            return ""


def _next_look(row: Intent, now: datetime) -> tuple[str, datetime | None]:
    """When a request is looked at next: in words, or as a moment that is still to come."""
    if _is_looked_at(row, now):
        return "Looking now.", None
    if row.next_check_at is not None and row.next_check_at > now:
        return "", row.next_check_at
    if row.next_check_at is None or not _is_overdue(row, now):
        return "The next look is due.", None
    # No word of something "not made": whoever skims the page may take it for the link (I6).
    since = f"The next look has been due since {format_moment(row.next_check_at)}"
    if current_services().call_policy.room(Operation.SEARCH_CHALLANS, resolving=True) is not None:
        return f"{since}: checking is held back for now. It goes on by itself.", None
    return f"{since}: the dashboard's background work is behind or has stopped. It goes on once that runs again.", None


def _is_looked_at(row: Intent, now: datetime) -> bool:
    return row.resolving_until is not None and row.resolving_until > now


def _is_overdue(row: Intent, now: datetime) -> bool:
    return row.next_check_at is not None and now - row.next_check_at >= LATE and not _is_looked_at(row, now)


def _pause(row: Intent) -> str:
    """Why no look can be made at present, and until when; "" while looks are made."""
    trouble = current_services().call_policy.refusal(Operation.SEARCH_CHALLANS)
    if trouble is None:
        return ""
    until, why = format_moment(trouble.until), "Today's search limit is reached."
    if trouble.scope == SECRET:
        why = "The API key was refused; we go on at once when it changes."
    elif trouble.scope == ORGANIZATION:
        until, why = "the API key changes", "It belongs to another organization."
    elif trouble.scope in list(ServiceGroup):
        why = f"{trouble.scope} is not enabled for your organization."
    if release.is_aside(row):
        return f"Checking is paused until {until}. {why}"
    return f"Checking is paused until {until}; the challans stay reserved. {why} Please do not create it elsewhere."


def _span(span: timedelta) -> str:
    seconds = max(1, round(span.total_seconds()))
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60} min {seconds % 60} s"
