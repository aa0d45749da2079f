"""The page of a creation, in words that are true in every state (I6): "not created" is said only where it is known."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from dashboard.domain.challans import EligibilityReason, eligibility_of
from dashboard.domain.intents import NOTHING_CREATED, OPEN, IntentState
from dashboard.domain.links import MAX_CHALLANS, is_live
from dashboard.domain.registration import spaced
from dashboard.services.links.duplicates import is_paid_beside
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation import intents
from dashboard.store.creation.intents import Intent
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.web.creation import release, request_texts
from dashboard.web.creation.records import RequestPage, RequestPanel
from dashboard.web.links.page import pace_of, payment_address
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, names
from dashboard.web.shared.fingerprints import fingerprint
from dashboard.web.shared.live import whole_seconds
from dashboard.web.shared.records import ChallanRow
from dashboard.web.vehicles.page import row_on_other_page
from dashboard.web.vehicles.texts import NO_LONGER_LISTED

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


def request_page(intent_id: str, problem: str | None = None) -> RequestPage | None:
    """The page of a request, or None when there is no such one. `problem`: why its challans were not let go."""
    with current_services().store.read() as connection:
        row = intents.find(connection, intent_id)
        if row is None:
            return None
        placed = _placed(connection, row)
        panel = _told(connection, row, placed)
    now = current_services().clock()
    return RequestPage(
        panel=panel,
        rc=row.rc,
        plate=spaced(row.rc),
        created_by=names().get(row.person_id, "a colleague"),
        created_at=row.prepared_at,
        hours=row.hours,
        rows=tuple(_asked_row(item, row.id, now) for item in placed),
        let_go=release.let_go(row, problem),
    )


def request_panel(intent_id: str) -> RequestPanel | None:
    """The live region of a request, or None when there is no such one."""
    with current_services().store.read() as connection:
        row = intents.find(connection, intent_id)
        if row is None:
            return None
        return _told(connection, row, _placed(connection, row))


@dataclass(frozen=True, slots=True)
class FreeAgain:
    """What a request may be tried again with: those of its challans that are payable and free, as they were asked."""

    rc: str
    challan_ids: tuple[str, ...]
    hours: str
    full: bool  # it asked for as many challans as a link may have, so that others may wait for the next one
    replaces: str | None


def free_again(intent_id: str) -> FreeAgain | None:
    """What a request leaves to be asked for again, or None when there is no such one."""
    with current_services().store.read() as connection:
        row = intents.find(connection, intent_id)
        if row is None:
            return None
        free = {item.challan.id for item in _placed(connection, row) if item.selectable}
    chosen = tuple(item for item in row.challan_ids if item in free) if row.state in _MAY_BE_HELD else ()
    return FreeAgain(row.rc, chosen, str(row.hours), len(row.challan_ids) == MAX_CHALLANS, row.replaces)


def _placed(connection: Connection, row: Intent) -> list[ListedChallan]:
    asked = set(row.challan_ids)
    return [item for item in eligibility.of_vehicle(connection, row.rc) if item.challan.id in asked]


def _told(connection: Connection, row: Intent, placed: list[ListedChallan]) -> RequestPanel:
    panel = release.told(_panel(connection, row, placed), row, placed)
    return replace(panel, next=f"{panel.next}{_unsettled(row, placed)}")


def _unsettled(row: Intent, placed: list[ListedChallan]) -> str:
    """Why the looks could not settle a request, as far as the source shows it."""
    if row.state not in request_texts.UNCLEAR or not row.attempts:
        return ""
    gone = len(row.challan_ids) - sum(item.listed for item in placed)
    listed = [eligibility_of(item.challan).reason for item in placed if item.listed]
    prepaid = listed.count(EligibilityReason.PREPAID_WITHOUT_LINK)
    said = ""
    if gone:
        said += f" {_of_these(gone)} no longer listed at the source and may have been paid."
    if prepaid:
        said += f" {_of_these(prepaid)} marked prepaid there, without a link."
    return said


def _of_these(count: int) -> str:
    return "One of these challans is" if count == 1 else f"{count} of these challans are"


def _asked_row(item: ListedChallan, intent_id: str, now: datetime) -> ChallanRow:
    """A challan that was asked for; that this very request holds it needs no saying on its own page."""
    row = row_on_other_page(item, now)
    own = (
        item.eligibility.reason is EligibilityReason.RESERVED
        and item.claim is not None
        and item.claim.intent_id == intent_id
    )
    return replace(row, held_by=None, reason=None if item.listed else NO_LONGER_LISTED) if own else row


def _panel(connection: Connection, row: Intent, placed: list[ListedChallan]) -> RequestPanel:
    state = IntentState(row.state)
    link = links.find(connection, row.link_id) if row.link_id else None
    link_state = shared_texts.link_state(link.status) if link else None
    payment = payment_address(link, is_paid_beside(connection, link.id)) if link else None
    living = [each for each in _shown_links(state, link, placed) if is_live(each.status)]
    held = [item for item in placed if state in _MAY_BE_HELD and not item.selectable]
    poll_seconds = _poll_seconds(row, state, living)
    now = current_services().clock()
    free = [item for item in placed if item.selectable]
    told = request_texts.told(row, state, placed)
    if state in _MADE and intents.was_ever(connection, row.id, IntentState.NOT_CREATED):
        told = f"{told} {request_texts.APOLOGY}"
    what_next, next_look_at = request_texts.what_next(row, state, now)
    return RequestPanel(
        id=row.id,
        rc=row.rc,
        state=state,
        words=told,
        next=what_next,
        next_look_at=next_look_at,
        meaning=_MEANINGS.get(state, "waiting"),
        sent_at=row.send_started,
        poll_seconds=poll_seconds,
        seen=fingerprint(
            (*_facts(row), what_next, next_look_at, link_state, payment, poll_seconds is None, *map(_standing, held))
        ),
        can_check=state in request_texts.UNCLEAR,
        can_retry=state in NOTHING_CREATED,
        link_id=row.link_id if link else None,
        link_state=link_state,
        payment=payment,
        held=tuple(row_on_other_page(item, now) for item in held),
        free=len(free) if state in _LEAVES_OTHERS and len(free) < len(placed) else 0,
        title=f"{request_texts.TITLES[state]} · {spaced(row.rc)} · Challan Dashboard",
        replaces=row.replaces,
        follows=tuple(each.id for each in living),
    )


def _shown_links(state: IntentState, link: Link | None, placed: list[ListedChallan]) -> list[Link]:
    """The links whose state the page tells: the request's own, or those that hold challans it asked for."""
    holders = [item.link for item in placed if item.link is not None] if state is IntentState.ATTACHED else []
    return list({each.id: each for each in [link, *holders] if each is not None}.values())


def _facts(row: Intent) -> tuple[object, ...]:
    """What the page tells of the request itself, for a poll to compare."""
    return (row.state, row.attempts, row.attempt_failure, row.next_check_at, row.link_id)


def _standing(item: ListedChallan) -> tuple[object, ...]:
    """What the page tells of a challan that is not free, for a poll to compare."""
    return (item.challan.id, item.eligibility, item.link and (item.link.id, item.link.status))


def _poll_seconds(row: Intent, state: IntentState, living: list[Link]) -> int | None:
    """How often the page asks us; None once there is nothing to wait for. A link is waited for as on its own page, and
    so is one that comes late, as long as it is looked for: a page that was left open must not go on to deny it.
    """
    pace = current_services().schedule
    if state in OPEN:
        return whole_seconds(pace.watched_poll)
    paces = [found for each in living if (found := pace_of(each)) is not None]
    if row.next_check_at is not None:
        paces.append(round(pace.steady_poll.total_seconds()))
    return min(paces, default=None)


_MADE = (IntentState.CREATED, IntentState.RECOVERED)
