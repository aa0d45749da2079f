"""Build the page of a request to create a link, and its live region."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.challans import EligibilityReason
from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.intents import LINK_IS_OURS, NOTHING_CREATED, OPEN, UNCLEAR, IntentState
from dashboard.domain.links import MAX_CHALLANS, is_live
from dashboard.domain.money import NO_SUM, add_up
from dashboard.domain.registration import spaced
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
from dashboard.web.creation import attempts, holding_links, release, texts, wait_texts
from dashboard.web.creation.records import FreeAgain, RequestPage, RequestPanel
from dashboard.web.links.page import poll_seconds_of
from dashboard.web.links.payment import payment_address, sent_last
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.banner import back_at
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.live import whole_seconds
from dashboard.web.shared.records import ChallanRow
from dashboard.web.vehicles.challan_rows import row_on_other_page
from dashboard.web.vehicles.texts import MAY_BE_PAID

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

#: The outcome of a second attempt that was not sent, because the check before it showed something unclear.
NOT_SETTLED = "NotSettled"

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
    says_why = bool(attempts.unsettled(intent, listed))
    rows = tuple(
        _beside_link(row, link)
        for item in listed
        if (row := _requested_row(item, intent.id, now, says_why=says_why)).id not in held
    )
    gone_ids = {row.id for row in rows if row.is_gone}
    gone = [item.challan for item in listed if item.challan.id in gone_ids]
    still = [item.challan for item in listed if item.challan.id not in gone_ids]
    return RequestPage(
        panel=panel,
        rc=intent.rc,
        plate=spaced(intent.rc),
        created_by=names().get(intent.person_id, texts.A_COLLEAGUE),
        created_at=intent.prepared_at,
        hours=intent.hours,
        rows=rows,
        sum=add_up(each.total_amount for each in still) if still else None,
        gone_sum=add_up(each.total_amount for each in gone),
        gone=len(gone),
        fine_sum=add_up(item.challan.challan_amount for item in listed),
        fee_sum=NO_SUM if gone else add_up(item.challan.fee for item in listed),
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


def _requested_row(item: ListedChallan, intent_id: str, now: datetime, *, says_why: bool) -> ChallanRow:
    """Build the row of a requested challan, without the request itself as its holder.

    `says_why`: the panel says what it may mean that one is listed no longer.
    """
    row = row_on_other_page(item, now)
    own = (
        item.eligibility.reason is EligibilityReason.RESERVED
        and item.claim is not None
        and item.claim.intent_id == intent_id
    )
    if not item.listed and says_why:
        return replace(row, held_by=None, reason=str(wait_texts.NO_LONGER_LISTED), is_gone=True)
    if not own:
        return row
    return replace(row, held_by=None, reason=None if item.listed else MAY_BE_PAID, is_gone=not item.listed)


def _beside_link(row: ChallanRow, link: Link | None) -> ChallanRow:
    """Show a challan of the link that the panel shows: a row need not repeat its state, or lead there too."""
    if link is None or row.held_by is None or row.held_by.address != url_for("links.show", link_id=link.id):
        return row
    return replace(row, held_by=None, reason=str(wait_texts.ON_THIS_LINK))


def _panel(connection: Connection, intent: Intent, listed: list[ListedChallan]) -> RequestPanel:
    panel = release.add_release(_panel_before_release(connection, intent, listed), intent, listed)
    return replace(panel, next=attempts.joined(attempts.unsettled(intent, listed).strip(), panel.next))


def _given(connection: Connection, link: Link) -> tuple[str, str]:
    """Say to whom a link was sent last, and when its payment URL was copied by a person."""
    sent = sent_last(shares.of_link(connection, link.id))
    return sent, holding_links.only_copied(connection, [link.id]).get(link.id, "")


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
    may_go_on = bool(free) and not without_reason
    refresh_first = state in NOTHING_CREATED and (bool(prepaid) or without_reason) and not may_go_on
    limit = _limit(intent)
    words = texts.what_happened(intent, listed, limit)
    found_prepaid = bool(prepaid) and intent.outcome == NOT_SETTLED
    if found_prepaid:
        words = wait_texts.not_sent(prepaid)
    if state in LINK_IS_OURS and intents.was_ever(connection, intent.id, IntentState.NOT_CREATED):
        words = f"{words} {texts.APOLOGY}"
    what_next, next_attempt_at = attempts.what_next(intent, listed, now)
    headline, said = _said(intent, listed, words)
    if state is IntentState.REJECTED:
        said, what_next = attempts.joined(said, what_next), ""
    if refresh_first or (prepaid and state in NOTHING_CREATED):
        # Which are free and which are not stands below.
        what_next = attempts.joined(
            str(texts.AFTER_REJECTION) if without_reason else "",
            wait_texts.out_of_sight(prepaid) if prepaid and not found_prepaid else "",
            str(wait_texts.REFRESH_FIRST) if prepaid and refresh_first else "",
            wait_texts.see_later(prepaid) if prepaid else "",
        )
    held_rows = tuple(_held_row(item, now, link) for item in held)
    on_it = [row for row in held_rows if row.reason == str(wait_texts.ON_THIS_LINK)]
    is_on_one_link = state is IntentState.ATTACHED and len(on_it) == len(intent.challan_ids)
    if is_on_one_link and payment and payment.copyable:
        what_next = str(wait_texts.NO_OTHER_NEEDED)
    is_sound = link is not None and doubts.of_link(connection, link) is None and intent.released_at is None
    sent, copied = _given(connection, link) if link else ("", "")
    send = ""
    if link and payment and payment.copyable and is_sound and not sent and (is_on_one_link or state in LINK_IS_OURS):
        send = url_for("sharing.show", link_id=link.id)
    made = ""
    if state is IntentState.ATTACHED and link is not None:
        made = wait_texts.made(names().get(link.person_id) if link.person_id else None, link.made_at)
    wait = attempts.wait(intent, now)
    left = [item.challan for item in free] if state in NOTHING_CREATED and len(free) < len(listed) else []
    says_limit = state is IntentState.REJECTED and limit is not None
    unlinked = free if says_limit and len(free) == len(listed) else []
    # The head of the page says when it was requested.
    sent_later = intent.send_started and format_moment(intent.send_started) != format_moment(intent.prepared_at)
    return RequestPanel(
        id=intent.id,
        rc=intent.rc,
        state=state,
        words=words,
        headline=headline,
        said=said,
        says_limit=says_limit,
        till=wait_texts.no_links_till(limit[1]) if says_limit and limit else "",
        unlinked=add_up(item.challan.total_amount for item in unlinked),
        unlinked_count=len(unlinked),
        unclear=texts.unclear(intent) if state is IntentState.UNKNOWN else None,
        next=what_next,
        next_attempt_at=next_attempt_at,
        wait=wait,
        leave=str(wait_texts.LEAVE) if wait and state is IntentState.UNKNOWN else "",
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
                sent,
                send,
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
        fine_sum=add_up(item.challan.challan_amount for item in held) if is_on_one_link else NO_SUM,
        fee_sum=add_up(item.challan.fee for item in held) if is_on_one_link else NO_SUM,
        free=len(free) if state in _LEAVES_OTHERS and len(free) < len(listed) else 0,
        left=len(left),
        left_number=(left[0].challan_no or "") if len(left) == 1 else "",
        left_sum=add_up(each.total_amount for each in left),
        made=made,
        sent=sent or copied,
        is_observed=link is not None and link.is_observed,
        send=send,
        refresh_first=refresh_first,
        may_refresh=bool(prepaid) and state in NOTHING_CREATED and not refresh_first,
        title=f"{texts.TITLES[state]} · {spaced(intent.rc)} · Challan Dashboard",
        replaces=intent.replaces,
        follows=tuple(each.id for each in live),
        warning=str(texts.NOT_ELSEWHERE) if state in UNCLEAR else "",
        # Once checks have not settled it, no step is under way.
        steps=texts.steps(state) if state in OPEN and state is not IntentState.NEEDS_ATTENTION else (),
        step=0 if state is IntentState.PREPARED else 1,
    )


def _said(intent: Intent, listed: list[ListedChallan], words: str) -> tuple[str, str]:
    """Return what happened to a request as a headline and what it leaves to say."""
    if intent.state is IntentState.ATTACHED:
        which, others = texts.attached(intent, listed)
        return texts.as_headline(which), others
    if intent.state is IntentState.NEEDS_ATTENTION:
        why, _answer, meanwhile = texts.unclear(intent)
        return str(texts.ASK_SUPPORT if release.may_release() else texts.ASK_MANAGER), attempts.joined(why, meanwhile)
    if intent.state is IntentState.REJECTED:
        return str(texts.NO_LINK), texts.rejection(intent, _limit(intent))
    return str(texts.TITLES[intent.state]), words


def _held_row(item: ListedChallan, now: datetime, link: Link | None) -> ChallanRow:
    """Show a requested challan that is not free, in few words where the page says what to do about it."""
    row = _beside_link(row_on_other_page(item, now), link)
    is_prepaid = item.listed and item.eligibility.reason is EligibilityReason.PREPAID_WITHOUT_LINK
    return replace(row, reason=str(wait_texts.PREPAID)) if is_prepaid else row


def _limit(intent: Intent) -> tuple[datetime, str] | None:
    """Return since and until when today's limit for new links is reached, for an intent that it stopped, if known."""
    if intent.http_status != 429:
        return None
    refused_at = intent.send_ended or intent.prepared_at
    for each in current_services().call_policy.active_blocks():
        if each.scope == LINK_ALLOWANCE and each.since <= refused_at:
            return each.since, back_at(each)
    return None


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
