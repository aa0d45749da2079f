"""Build the page of a request to create a link, and its live region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.challans import EligibilityReason, eligibility_of
from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.intents import LINK_IS_OURS, NOTHING_CREATED, OPEN, UNCLEAR, IntentState
from dashboard.domain.links import MAX_CHALLANS, is_live
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.errors import Operation
from dashboard.services.creation.evidence import would_have_ended
from dashboard.services.links import doubts
from dashboard.services.links.duplicates import has_ended_duplicate, has_paid_duplicate
from dashboard.services.operations.blocks import LINK_ALLOWANCE
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation import intents
from dashboard.store.creation.intents import Intent
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import shares
from dashboard.web.creation import release, release_texts, texts, wait_texts
from dashboard.web.creation.records import FreeAgain, RequestPage, RequestPanel
from dashboard.web.links.page import LATE, poll_seconds_of
from dashboard.web.links.payment import payment_address, sent_last
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.live import whole_seconds
from dashboard.web.shared.records import ChallanRow
from dashboard.web.vehicles.challan_rows import row_on_other_page
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

#: In these the intent itself holds no challan, so the page says what does hold some.
_MAY_BE_HELD = NOTHING_CREATED | {IntentState.ATTACHED}

#: In these, the problem may concern some of the challans and leave the others free.
_LEAVES_OTHERS = (IntentState.ATTACHED, IntentState.REJECTED)


def request_page(intent_id: str, problem: str | None = None) -> RequestPage | None:
    """Build the page of a request; None when there is none. `problem` says why its claims were not released."""
    with current_services().store.read() as connection:
        intent = intents.find(connection, intent_id)
        if intent is None:
            return None
        listed = _requested(connection, intent)
        panel = _panel(connection, intent, listed)
        link = links.find(connection, intent.link_id) if intent.link_id else None
    now = current_services().clock()
    held = {row.id for row in panel.held}
    return RequestPage(
        panel=panel,
        rc=intent.rc,
        plate=spaced(intent.rc),
        created_by=names().get(intent.person_id, texts.A_COLLEAGUE),
        created_at=intent.prepared_at,
        hours=intent.hours,
        rows=tuple(
            _beside_link(row, link) for item in listed if (row := _requested_row(item, intent.id, now)).id not in held
        ),
        sum=add_up(item.challan.total_amount for item in listed),
        fine_sum=add_up(item.challan.challan_amount for item in listed),
        fee_sum=add_up(item.challan.fee for item in listed),
        release=release.offer(intent, problem),
    )


def request_panel(intent_id: str) -> RequestPanel | None:
    """Build the live region of a request; None when there is no such request."""
    with current_services().store.read() as connection:
        intent = intents.find(connection, intent_id)
        if intent is None:
            return None
        return _panel(connection, intent, _requested(connection, intent))


def free_again(intent_id: str) -> FreeAgain | None:
    """Return what of a request can be tried again, or None when there is no such request."""
    with current_services().store.read() as connection:
        intent = intents.find(connection, intent_id)
        if intent is None:
            return None
        free = {item.challan.id for item in _requested(connection, intent) if item.selectable}
    chosen = tuple(item for item in intent.challan_ids if item in free) if intent.state in _MAY_BE_HELD else ()
    full = len(intent.challan_ids) == MAX_CHALLANS
    return FreeAgain(intent.rc, chosen, str(intent.hours), full, intent.replaces)


def _requested(connection: Connection, intent: Intent) -> list[ListedChallan]:
    requested = set(intent.challan_ids)
    return [item for item in eligibility.of_vehicle(connection, intent.rc) if item.challan.id in requested]


def _requested_row(item: ListedChallan, intent_id: str, now: datetime) -> ChallanRow:
    """Build the row of a requested challan, without the request itself as its holder."""
    row = row_on_other_page(item, now)
    own = (
        item.eligibility.reason is EligibilityReason.RESERVED
        and item.claim is not None
        and item.claim.intent_id == intent_id
    )
    return replace(row, held_by=None, reason=None if item.listed else NO_LONGER_LISTED) if own else row


def _beside_link(row: ChallanRow, link: Link | None) -> ChallanRow:
    """Show a challan of the link that the panel shows: a row need not repeat its state, or lead there too."""
    if link is None or row.held_by is None or row.held_by.address != url_for("links.show", link_id=link.id):
        return row
    return replace(row, held_by=None, reason=str(wait_texts.ON_THIS_LINK))


def _panel(connection: Connection, intent: Intent, listed: list[ListedChallan]) -> RequestPanel:
    panel = release.add_release(_panel_before_release(connection, intent, listed), intent, listed)
    return replace(panel, next=_joined(_unsettled(intent, listed).strip(), panel.next))


def _panel_before_release(connection: Connection, intent: Intent, listed: list[ListedChallan]) -> RequestPanel:
    state = intent.state
    link = links.find(connection, intent.link_id) if intent.link_id else None
    link_state = shared_texts.state_of(link) if link else None
    link_total = link.total if link else None
    link_ends_at = link.expires_at if link and is_live(link.status) else None
    payment = None
    if link is not None:
        check_first = has_ended_duplicate(connection, link.id)
        payment = payment_address(link, has_paid_duplicate(connection, link.id), check_first=check_first)
    live = [each for each in _shown_links(intent, link, listed) if is_live(each.status)]
    held = [item for item in listed if state in _MAY_BE_HELD and not item.selectable]
    poll_seconds = _poll_seconds(intent, live)
    now = current_services().clock()
    free = [item for item in listed if item.selectable]
    without_link = EligibilityReason.PREPAID_WITHOUT_LINK
    prepaid = [item.challan.challan_no for item in held if item.eligibility.reason is without_link]
    without_reason = texts.is_rejected_without_reason(intent)
    refresh_first = state in NOTHING_CREATED and (bool(prepaid) or without_reason)
    words = texts.what_happened(intent, listed, _limit_since(intent))
    if state in LINK_IS_OURS and intents.was_ever(connection, intent.id, IntentState.NOT_CREATED):
        words = f"{words} {texts.APOLOGY}"
    what_next, next_attempt_at = _what_next(intent, listed, now)
    headline, said = _said(intent, listed, words)
    if state is IntentState.REJECTED:
        said, what_next = _joined(said, what_next), ""
    if refresh_first:
        # Which are free and which are not stands below.
        what_next = _joined(
            str(texts.AFTER_REJECTION) if without_reason else "",
            wait_texts.prepaid(prepaid) if prepaid else "",
        )
    held_rows = tuple(_held_row(item, now, link) for item in held)
    on_it = [row for row in held_rows if row.reason == str(wait_texts.ON_THIS_LINK)]
    if state is IntentState.ATTACHED and payment and payment.copyable and len(on_it) == len(intent.challan_ids):
        what_next = str(wait_texts.SEND_THAT_LINK)
    is_sound = link is not None and doubts.of_link(connection, link) is None and intent.released_at is None
    if state is IntentState.RECOVERED and payment and payment.copyable and is_sound:
        what_next = str(wait_texts.SEND_IT)
    made = ""
    if state is IntentState.ATTACHED and link is not None:
        by = names().get(link.person_id) if link.person_id else None
        made = wait_texts.made_and_sent(by, link.made_at, sent_last(shares.of_link(connection, link.id)))
    wait = _wait(intent, now)
    # The head of the page says when it was requested.
    sent_later = intent.send_started and format_moment(intent.send_started) != format_moment(intent.prepared_at)
    return RequestPanel(
        id=intent.id,
        rc=intent.rc,
        state=state,
        words=words,
        headline=headline,
        said=said,
        unclear=texts.unclear(intent) if state in (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION) else None,
        next=what_next,
        next_attempt_at=next_attempt_at,
        wait=wait,
        leave=str(wait_texts.LEAVE) if wait else "",
        support=_for_support(intent, listed) if state is IntentState.NEEDS_ATTENTION or without_reason else "",
        meaning=_MEANINGS.get(state, "waiting"),
        sent_at=intent.send_started if sent_later and state is not IntentState.SENDING else None,
        poll_seconds=poll_seconds,
        seen=fingerprint(
            (
                *_facts(intent),
                what_next,
                next_attempt_at,
                wait,
                link_state,
                link_total,
                link_ends_at,
                made,
                len(free),
                payment,
                poll_seconds is None,
                *map(_challan_facts, held),
            )
        ),
        can_check=state in UNCLEAR,
        can_retry=state in NOTHING_CREATED,
        link_id=intent.link_id if link else None,
        link_state=link_state,
        link_total=link_total,
        link_ends_at=link_ends_at,
        payment=payment,
        held=held_rows,
        free=len(free) if state in _LEAVES_OTHERS and len(free) < len(listed) else 0,
        left=len(free) if state in NOTHING_CREATED and len(free) < len(listed) else 0,
        made=made,
        refresh_first=refresh_first,
        may_choose=bool(free) and release.is_released(intent),
        title=f"{texts.TITLES[state]} · {spaced(intent.rc)} · Challan Dashboard",
        replaces=intent.replaces,
        follows=tuple(each.id for each in live),
        warning=str(texts.NOT_ELSEWHERE) if state in UNCLEAR else "",
        steps=texts.steps(state) if state in OPEN else (),
        step=0 if state is IntentState.PREPARED else 1,
    )


def _said(intent: Intent, listed: list[ListedChallan], words: str) -> tuple[str, str]:
    """Return what happened to a request as a headline and what it leaves to say."""
    if intent.state is IntentState.ATTACHED:
        return texts.attached(intent, listed)
    # Others need more than a line.
    if intent.state is IntentState.REJECTED and intent.http_status not in (404, 409):
        return texts.rejection(intent, _limit_since(intent)), str(wait_texts.NOTHING_CREATED)
    return str(texts.TITLES[intent.state]), words


def _held_row(item: ListedChallan, now: datetime, link: Link | None) -> ChallanRow:
    """Show a requested challan that is not free, in few words where the page says what to do about it."""
    row = _beside_link(row_on_other_page(item, now), link)
    is_prepaid = item.listed and item.eligibility.reason is EligibilityReason.PREPAID_WITHOUT_LINK
    return replace(row, reason=str(wait_texts.PREPAID)) if is_prepaid else row


def _limit_since(intent: Intent) -> datetime | None:
    """Return when today's limit for new links was reached, for an intent that it stopped, as far as we know."""
    if intent.http_status != 429:
        return None
    blocks = current_services().call_policy.active_blocks()
    return next((each.since for each in blocks if each.scope == LINK_ALLOWANCE), None)


def _what_next(intent: Intent, listed: list[ListedChallan], now: datetime) -> tuple[str, datetime | None]:
    """Say what happens next, and return the moment of the next attempt when the page counts down to it."""
    if intent.state not in UNCLEAR:
        return texts.what_next(intent, listed), None
    released = release.is_released(intent)
    if (block := current_services().call_policy.refusal(Operation.SEARCH_CHALLANS)) is not None:
        return texts.paused(block.scope, block.until, released=released), None
    coming, counted = _next_attempt(intent, now)
    overdue = coming if _is_overdue(intent, now) else ""
    failed = texts.failed_attempt(intent)
    if released:
        last_at = current_services().schedule.last_attempt(intent.send_ended or intent.prepared_at)
        goes_on = intent.next_check_at is not None
        said = release_texts.after_release(last_at, goes_on=goes_on)
        return _joined(said, failed if goes_on else "", overdue), None
    if intent.state is IntentState.UNKNOWN:
        return _joined(coming, failed), counted
    support = texts.NEEDS_SUPPORT if release.may_release() else texts.NEEDS_MANAGER
    if intent.send_started is not None and would_have_ended(intent, now):
        support = texts.outlived(intent.send_started + timedelta(hours=intent.hours))
    return _joined(support, failed, overdue), None


def _wait(intent: Intent, now: datetime) -> tuple[str, ...]:
    """Say since when an outcome is unclear, and, while the first attempts go as planned, when it should be known."""
    if intent.state is not IntentState.UNKNOWN or release.is_released(intent):
        return ()
    since = intent.send_ended or intent.prepared_at
    known_at = since + current_services().schedule.resolve_after[-1]
    is_paused = current_services().call_policy.refusal(Operation.SEARCH_CHALLANS) is not None
    on_time = now < known_at and not is_paused and not _is_overdue(intent, now)
    return wait_texts.wait(since, known_at if on_time else None)


def _for_support(intent: Intent, listed: Sequence[ListedChallan]) -> str:
    """Write down a request for the service's support, in English as they read it."""
    question = "why was this rejected?" if intent.state is IntentState.REJECTED else "does this link exist?"
    sent = (intent.send_started or intent.prepared_at).astimezone(UTC)
    numbers = {item.challan.id: item.challan.challan_no for item in listed}
    return "\n".join(
        (
            f"Create Payment Link: {question}",
            f"Vehicle: {intent.rc}",
            f"Sent: {sent:%Y-%m-%d %H:%M:%S} UTC",
            f"Expires after: {intent.hours} hours",
            f"Answer: HTTP {intent.http_status}" if intent.http_status else "Answer: none",
            "Challans:",
            *(f"- {numbers.get(each) or 'no number'} ({each})" for each in intent.challan_ids),
        )
    )


def _joined(*sentences: str) -> str:
    return " ".join(str(each) for each in sentences if each)


def _next_attempt(intent: Intent, now: datetime) -> tuple[str, datetime | None]:
    """Say when the next attempt to resolve comes, or return its moment when that is still to come."""
    if _is_being_resolved(intent, now):
        return texts.RESOLVING_NOW, None
    if intent.next_check_at is not None and intent.next_check_at > now:
        return "", intent.next_check_at
    if intent.next_check_at is None or not _is_overdue(intent, now):
        return texts.ATTEMPT_DUE, None
    held_back = current_services().call_policy.room(Operation.SEARCH_CHALLANS, resolving=True) is not None
    return texts.overdue(intent.next_check_at, held_back=held_back), None


def _is_being_resolved(intent: Intent, now: datetime) -> bool:
    return intent.resolving_until is not None and intent.resolving_until > now


def _is_overdue(intent: Intent, now: datetime) -> bool:
    due = intent.next_check_at
    return due is not None and now - due >= LATE and not _is_being_resolved(intent, now)


def _unsettled(intent: Intent, listed: list[ListedChallan]) -> str:
    """Say why attempts could not resolve a request, as far as the source shows it."""
    if intent.state not in UNCLEAR or not intent.attempts:
        return ""
    known = {item.challan.id: item for item in listed}
    gone = [known[each].challan.challan_no if each in known else None for each in _gone(intent, known)]
    prepaid = EligibilityReason.PREPAID_WITHOUT_LINK
    shown = [item.challan for item in listed if item.listed]
    return wait_texts.unsettled(gone, [each.challan_no for each in shown if eligibility_of(each).reason is prepaid])


def _gone(intent: Intent, known: Mapping[str | None, ListedChallan]) -> list[str]:
    return [each for each in intent.challan_ids if each not in known or not known[each].listed]


def _shown_links(intent: Intent, link: Link | None, listed: list[ListedChallan]) -> list[Link]:
    """Return the links whose status the page shows: the request's own, or those that hold its challans."""
    attached = intent.state is IntentState.ATTACHED
    holders = [item.link for item in listed if item.link is not None] if attached else []
    return list({each.id: each for each in [link, *holders] if each is not None}.values())


def _facts(intent: Intent) -> tuple[object, ...]:
    """Return what the page shows of the intent itself, for its fingerprint."""
    return (intent.state, intent.attempts, intent.attempt_failure, intent.next_check_at, intent.link_id)


def _challan_facts(item: ListedChallan) -> tuple[object, ...]:
    """Return what the page shows of a challan that is not free, for its fingerprint."""
    return (item.challan.id, item.eligibility, item.link and (item.link.id, item.link.status))


def _poll_seconds(intent: Intent, live: list[Link]) -> int | None:
    """Return how often the page polls us, in seconds; None when nothing can change any more.

    It polls for a link as the link's own page does, and while attempts or late checks are planned: a page that was left
    open must not go on to deny a link that has appeared.
    """
    schedule = current_services().schedule
    if intent.state in OPEN:
        return whole_seconds(schedule.watched_poll)
    seconds = [found for each in live if (found := poll_seconds_of(each)) is not None]
    if intent.next_check_at is not None:
        seconds.append(whole_seconds(schedule.steady_poll))
    return min(seconds, default=None)
