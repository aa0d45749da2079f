"""The page of a creation, in words that are true in every state (I6): "not created" is said only where it is known."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, Row

from dashboard.domain.challans import Why, standing
from dashboard.domain.intents import NOTHING_CREATED, OPEN, IntentState
from dashboard.domain.links import is_live
from dashboard.domain.registration import spaced
from dashboard.errors import Operation, ServiceGroup
from dashboard.services import standings
from dashboard.services.doubling import is_paid_beside
from dashboard.services.gate import ORGANIZATION, SECRET
from dashboard.services.standings import PlacedChallan
from dashboard.store import intents, links
from dashboard.web import setting_aside, words
from dashboard.web.desk import current_desk, names, shown
from dashboard.web.link_views import pace_of, payment_address
from dashboard.web.marks import digest
from dashboard.web.vehicle_views import GONE, away_row
from dashboard.web.views import ChallanRow, RequestPage, RequestPanel

_MEANINGS = {
    IntentState.CREATED: "good",
    IntentState.RECOVERED: "good",
    IntentState.ATTACHED: "neutral",
    IntentState.REJECTED: "wrong",
    IntentState.NOT_SENT: "wrong",
    IntentState.NOT_CREATED: "ended",
    IntentState.ABANDONED: "ended",
    IntentState.NEEDS_ATTENTION: "wrong",
}

#: Nothing holds the challans for the request itself any more, so that what does hold some is worth saying.
_MAY_BE_HELD = NOTHING_CREATED | {IntentState.ATTACHED}

#: In these, what stands in the way of some challans may leave the others free.
_LEAVES_OTHERS = (IntentState.ATTACHED, IntentState.REJECTED)

_REJECTED = {
    400: "The service rejected the request.",
    401: "The API key was refused.",
    403: "Payment Link Generation is not enabled for your organization.",
    404: "The service does not know the vehicle or one of the challans. Search the vehicle again.",
    409: "The service reported a conflict, and a search has explained it: a challan is no longer payable, "
    "or the vehicle belongs to another organization or was deleted.",
}


def request_page(intent_id: str, problem: str | None = None) -> RequestPage | None:
    """The page of a request, or None when there is no such one. `problem`: why its challans were not let go."""
    with current_desk().store.read() as connection:
        row = intents.find(connection, intent_id)
        if row is None:
            return None
        placed = _placed(connection, row)
        panel = _told(connection, row, placed)
    now = current_desk().clock()
    return RequestPage(
        panel=panel,
        rc=row.rc,
        plate=spaced(row.rc),
        created_by=names().get(row.person_id, "a colleague"),
        created_at=row.prepared_at,
        hours=row.hours,
        rows=tuple(_asked_row(item, row.id, now) for item in placed),
        let_go=setting_aside.let_go(row, problem),
    )


def request_panel(intent_id: str) -> RequestPanel | None:
    """The live region of a request, or None when there is no such one."""
    with current_desk().store.read() as connection:
        row = intents.find(connection, intent_id)
        if row is None:
            return None
        return _told(connection, row, _placed(connection, row))


def _placed(connection: Connection, row: Row[Any]) -> list[PlacedChallan]:
    asked = set(row.challan_ids)
    return [item for item in standings.of_vehicle(connection, row.rc) if item.challan.id in asked]


def _told(connection: Connection, row: Row[Any], placed: list[PlacedChallan]) -> RequestPanel:
    panel = setting_aside.told(_panel(connection, row, placed), row, placed)
    return replace(panel, next=f"{panel.next}{_unsettled(row, placed)}")


def _unsettled(row: Row[Any], placed: list[PlacedChallan]) -> str:
    """Why the looks could not settle a request, as far as the source shows it."""
    if row.state not in (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION) or not row.looks:
        return ""
    gone = len(row.challan_ids) - sum(item.listing.listed for item in placed)
    listed = [standing(item.challan).why for item in placed if item.listing.listed]
    prepaid = listed.count(Why.PREPAID_WITHOUT_LINK)
    said = ""
    if gone:
        said += f" {_of_these(gone)} no longer listed at the source and may have been paid."
    if prepaid:
        said += f" {_of_these(prepaid)} marked prepaid there, without a link."
    return said


def _of_these(count: int) -> str:
    return "One of these challans is" if count == 1 else f"{count} of these challans are"


def _asked_row(item: PlacedChallan, intent_id: str, now: datetime) -> ChallanRow:
    """A challan that was asked for; that this very request holds it needs no saying on its own page."""
    row = away_row(item, now)
    own = item.standing.why is Why.RESERVED and item.claim is not None and item.claim.intent_id == intent_id
    return replace(row, held_by=None, reason=None if item.listing.listed else GONE) if own else row


def _panel(connection: Connection, row: Row[Any], placed: list[PlacedChallan]) -> RequestPanel:
    state = IntentState(row.state)
    pause = _pause(row) if state in (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION) else ""
    link = links.find(connection, row.link_id) if row.link_id else None
    link_state = words.link_state(link.status) if link else None
    payment = payment_address(link, is_paid_beside(connection, link.id)) if link else None
    living = [each for each in _shown_links(state, link, placed) if is_live(each.status)]
    held = [item for item in placed if state in _MAY_BE_HELD and not item.selectable]
    poll_seconds = _poll_seconds(state, living)
    now = current_desk().clock()
    free = [item for item in placed if item.selectable]
    told = _words(row, state)
    if state in _MADE and intents.has_been(connection, row.id, IntentState.NOT_CREATED):
        told = f"{told} {_APOLOGY}"
    what_next = pause or (setting_aside.what_next(row) if setting_aside.is_aside(row) else _next(row, state, now))
    return RequestPanel(
        id=row.id,
        rc=row.rc,
        state=state,
        words=told,
        next=what_next,
        meaning=_MEANINGS.get(state, "waiting"),
        sent_at=row.send_started,
        poll_seconds=poll_seconds,
        seen=digest((*_facts(row, pause), link_state, payment, poll_seconds is None, *map(_standing, held))),
        can_check=state in (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION),
        can_retry=state in NOTHING_CREATED,
        link_id=row.link_id if link else None,
        link_state=link_state,
        payment=payment,
        held=tuple(away_row(item, now) for item in held),
        free=len(free) if state in _LEAVES_OTHERS and len(free) < len(placed) else 0,
        title=f"{_TITLES[state]} · {spaced(row.rc)} · Challan Dashboard",
        replaces=row.replaces,
        follows=tuple(each.id for each in living),
    )


def _shown_links(state: IntentState, link: Row[Any] | None, placed: list[PlacedChallan]) -> list[Row[Any]]:
    """The links whose state the page tells: the request's own, or those that hold challans it asked for."""
    holders = [item.link for item in placed if item.link is not None] if state is IntentState.ATTACHED else []
    return list({each.id: each for each in [link, *holders] if each is not None}.values())


def _facts(row: Row[Any], pause: str) -> tuple[object, ...]:
    """What the page tells of the request itself, for a poll to compare."""
    return (row.state, row.looks, row.look_failure, row.next_check_at, row.link_id, pause)


def _standing(item: PlacedChallan) -> tuple[object, ...]:
    """What the page tells of a challan that is not free, for a poll to compare."""
    return (item.challan.id, item.standing, item.link and (item.link.id, item.link.status))


def _poll_seconds(state: IntentState, living: list[Row[Any]]) -> int | None:
    """How often the page asks us; None once there is nothing to wait for. A link is waited for as on its own page."""
    if state in OPEN:
        return max(1, round(current_desk().pace.watched_poll.total_seconds()))
    return min((pace for each in living if (pace := pace_of(each)) is not None), default=None)


_MADE = (IntentState.CREATED, IntentState.RECOVERED)

#: Said when a link turns up after its absence had been verified.
_APOLOGY = "We said before that there was no link. That was wrong, and we are sorry: the service made it late."

_TITLES = {
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


def _words(row: Row[Any], state: IntentState) -> str:
    asked = shown(row.send_started or row.prepared_at)
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
            return "Some of these challans are already on another link; it is shown here. The rest is free again."
        case IntentState.REJECTED:
            return f"{_rejection(row)} No link was created."
        case IntentState.NOT_SENT:
            return f"{words.not_sent(row.outcome or '')} Nothing was sent, and no link was created."
        case IntentState.NOT_CREATED:
            return f"We looked twice{_apart(row)} and found no link."
        case IntentState.ABANDONED:
            return "The request was prepared but never sent. No link was created."


def _unclear(row: Row[Any]) -> str:
    if row.http_status == 409:
        return "The service answered with a conflict that is not explained yet."
    if row.outcome == "Fault":
        return "Something went wrong here while the request was under way."
    if row.outcome in ("Unreachable", "Insecure", "Stopped", None):
        return "The service did not answer."
    return "The service answered with an error."


def _rejection(row: Row[Any]) -> str:
    if row.http_status == 429:
        since = current_desk().gate.spent_since(Operation.CREATE_PAYMENT_LINK)
        reached = f" since {shown(since)}" if since else ""
        return f"Today's limit for new links is reached{reached}. Your selection is saved."
    return _REJECTED.get(row.http_status, "The service rejected the request.")


def _apart(row: Row[Any]) -> str:
    if row.last_negative_at is None or row.send_ended is None:
        return ""
    return f", the last time {_span(row.last_negative_at - row.send_ended)} after the request,"


def _next(row: Row[Any], state: IntentState, now: datetime) -> str:
    match state:
        case IntentState.UNKNOWN:
            # Not "failed": the link may exist (I6).
            failed = f" The last look settled nothing: {words.failure(row.look_failure)}" if row.look_failure else ""
            due = f"Next look in {_span(row.next_check_at - now)}." if row.next_check_at else "The next look is due."
            return f"{due}{failed} Please do not create it elsewhere."
        case IntentState.NEEDS_ATTENTION:
            return "Looking has not settled it. We go on looking; ask the service's support about this vehicle."
        case IntentState.NOT_CREATED:
            return "You can try again; we will look once more first."
        case IntentState.REJECTED | IntentState.NOT_SENT | IntentState.ABANDONED:
            return "The challans are free again, and your selection is kept."
        case IntentState.PREPARED | IntentState.SENDING:
            return "This page follows it to its end; you can leave it and come back."
        case _:
            return ""


def _pause(row: Row[Any]) -> str:
    """Why no look can be made at present, and until when; "" while looks are made."""
    trouble = current_desk().gate.paused(Operation.SEARCH_CHALLANS)
    if trouble is None:
        return ""
    until, why = shown(trouble.until), "Today's search limit is reached."
    if trouble.scope == SECRET:
        why = "The API key was refused; we go on at once when it changes."
    elif trouble.scope == ORGANIZATION:
        until, why = "the API key changes", "It belongs to another organization."
    elif trouble.scope in list(ServiceGroup):
        why = f"{trouble.scope} is not enabled for your organization."
    if setting_aside.is_aside(row):
        return f"Checking is paused until {until}. {why}"
    return f"Checking is paused until {until}; the challans stay reserved. {why} Please do not create it elsewhere."


def _span(span: timedelta) -> str:
    seconds = max(1, round(span.total_seconds()))
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60} min {seconds % 60} s"
