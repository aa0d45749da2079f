"""Build the timeline of a link: who created and shared it, and what was observed of it, each with its moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import groupby

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.links import EXPIRED, has_run_out, is_live, is_paid
from dashboard.domain.sharing import Answer
from dashboard.services.reconciliation import discrepancies, settlement_rules
from dashboard.store.creation import intents, replacements
from dashboard.store.creation.intents import Intent
from dashboard.store.creation.replacements import ReplacementRequest
from dashboard.store.links import history, links, tables
from dashboard.store.links.records import Link, LinkEvent
from dashboard.store.sharing import drivers, receipts, shares
from dashboard.store.sharing.shares import Share
from dashboard.web.links import related_links
from dashboard.web.links import timeline_texts as texts
from dashboard.web.links.payment import back_in_follow_up
from dashboard.web.links.timeline_records import Timeline, TimelineEntry
from dashboard.web.shared.current import current_services, names
from dashboard.web.shared.texts import link_state
from dashboard.web.sharing import unsaved_driver

_MAX_ENTRIES = 60
#: A link is entered in the ledger at nearly the moment that it is created or found: people read of one event, not two.
_SAME_MOMENT = timedelta(seconds=10)
_COPIES = (tables.COPIED, tables.COPIED_UNASKED)
#: That a message was sent is said of its share; a receipt, a question and its answer have entries of their own.
_SAID_ELSEWHERE = (
    tables.SHARE_CONFIRMED,
    tables.RECEIPT_SENT,
    tables.DRIVER_ASKED,
    tables.DRIVER_PHONED,
    tables.DRIVER_ANSWERED,
    tables.PAYMENT_REFERENCE,
)
#: The words and icons of events of giving a link to somebody.
_GIVING = {
    tables.COPIED_UNASKED: (texts.COPIED_UNASKED, "copy"),
    tables.SHARE_UNDONE: (texts.SHARE_UNDONE, "share"),
    tables.RECEIPT_UNDONE: (texts.RECEIPT_UNDONE, "share"),
    tables.QUESTION_UNDONE: (texts.QUESTION_UNDONE, "chat"),
}


def timeline(link_id: str) -> Timeline | None:
    """Build the timeline of a link; None when the ledger does not know it."""
    with current_services().store.read() as connection:
        row = links.find(connection, link_id)
        return None if row is None else timeline_of(connection, row)


def timeline_of(connection: Connection, row: Link) -> Timeline:
    """Build the timeline of a link that was read already."""
    newest = history.newest(connection, row.id, _MAX_ENTRIES + 1)
    given = shares.of_link(connection, row.id, also_undone=True)
    again = back_in_follow_up(connection, row, shares.of_link(connection, row.id))
    intent = intents.find(connection, row.intent_id) if row.intent_id else None
    by_request = any(event.kind == links.DUPLICATE for event in newest)
    by_request = by_request and related_links.is_alarmed_by_request(connection, row)
    entries = [
        *_before_creation(row, intent),
        *_events(newest[:_MAX_ENTRIES][::-1], row, by_request=by_request),
        *_shares(given[:_MAX_ENTRIES]),
        *_receipts(connection, newest[:_MAX_ENTRIES]),
        *_questions(connection, newest[:_MAX_ENTRIES]),
        *_payment(row),
        *_end(row, newest),
        *_replacements(replacements.of_link(connection, row.id)),
    ]
    return Timeline(
        link_id=row.id,
        entries=tuple(sorted(entries, key=lambda entry: entry.at)),
        upcoming=tuple(_upcoming(row, again)),
        from_the_start=len(newest) <= _MAX_ENTRIES,
        fingerprint=fingerprint_of(connection, row, again),
    )


def fingerprint_of(connection: Connection, row: Link, again: datetime | None) -> str:
    """Return what changes whenever the timeline does; the page fetches it again then."""
    coming = "-".join(f"{at.timestamp():.0f}" if at else "0" for at in (row.paid_at, row.expires_at, again))
    return f"{history.version(connection, row.id)}-{coming}"


def _upcoming(row: Link, again: datetime | None) -> Iterator[TimelineEntry]:
    """Yield what comes by itself: Follow up asks for the link again, and it ends."""
    now = current_services().clock()
    if not is_live(row.status) or row.is_unknown or row.expires_at is None:
        return
    if has_run_out(row.expires_at, row.service_clock_offset, now):
        return
    if again is not None:
        yield TimelineEntry(again, texts.BACK_IN_FOLLOW_UP)
    yield TimelineEntry(row.expires_at, texts.ENDS)


def _before_creation(row: Link, intent: Intent | None) -> Iterator[TimelineEntry]:
    if intent is None:
        return
    who = names().get(intent.person_id)
    if row.origin == links.RECOVERED:
        at = intent.send_started or intent.prepared_at
        address = url_for("creation.request_page", request_id=intent.id)
        yield TimelineEntry(at, texts.ASKED_UNCLEAR, who, "waiting", address, texts.OPEN_REQUEST)
    if intent.released_at is not None:
        manager = names().get(intent.released_by)
        yield TimelineEntry(intent.released_at, texts.released(intent.release_reason), manager, "wrong")
    if intent.replaces is not None:
        address = url_for("links.show", link_id=intent.replaces)
        yield TimelineEntry(intent.prepared_at, texts.ASKED_IN_PLACE, who, "neutral", address, texts.OPEN_OLD_LINK)


def _events(events: Sequence[LinkEvent], row: Link, *, by_request: bool) -> Iterator[TimelineEntry]:
    made = [event.at for event in events if event.kind in (links.CREATED, links.RECOVERED)]
    payments = [event for event in events if event.kind in (links.OBSERVED, tables.STATUS) and is_paid(event.new)]
    # The time of payment has an entry of its own, and people read of one event, not two.
    paid = payments[-1] if payments and is_paid(row.status) and row.paid_at is not None else None
    for copies, event in _merged(events):
        is_entered = event.kind == links.OBSERVED and any(abs(at - event.at) <= _SAME_MOMENT for at in made)
        is_said = event is paid or event.kind in _SAID_ELSEWHERE
        if not is_said and not (is_entered and not is_paid(event.new)):
            yield (
                TimelineEntry(event.at, texts.copied(copies), names().get(event.person_id), icon="copy")
                if copies
                else _entry(event, row, by_request=by_request)
            )


def _merged(events: Sequence[LinkEvent]) -> Iterator[tuple[int, LinkEvent]]:
    """Yield events; of a person's copies in a row only the last, with how often it was copied on purpose."""
    for (is_copy, _who), group in groupby(events, lambda each: (each.kind in _COPIES, each.person_id)):
        found = list(group)
        if not is_copy:
            yield from ((0, event) for event in found)
        else:
            yield sum(event.kind == tables.COPIED for event in found), found[-1]


def _entry(event: LinkEvent, row: Link, *, by_request: bool) -> TimelineEntry:
    who = names().get(event.person_id)
    match event.kind:
        case links.CREATED:
            return TimelineEntry(event.at, texts.CREATED, who, "good")
        case links.RECOVERED:
            return TimelineEntry(event.at, texts.recovered(row.made_at), who, "good")
        case links.OBSERVED:
            return TimelineEntry(event.at, texts.observed(event.new))
        case tables.STATUS:
            # That it expired may be seen late; the page tells one time of its end.
            at = min(event.at, row.expires_at) if event.new == EXPIRED and row.expires_at else event.at
            text = texts.status_changed(event.old, event.new)
            return TimelineEntry(at, text, None, link_state(event.new or "").meaning)
        case links.DUPLICATE | tables.BECAME_UNKNOWN as kind:
            is_alarm = kind == links.DUPLICATE
            text = texts.alarmed(event.new, is_by_request=by_request) if is_alarm else str(texts.NO_LONGER_KNOWN)
            return TimelineEntry(event.at, text, None, "wrong" if is_alarm else "waiting")
        case links.DUPLICATE_ACKNOWLEDGED:
            return TimelineEntry(event.at, texts.alarm_acknowledged(event.new), who, "waiting")
        case tables.RELEASED:
            return TimelineEntry(event.at, texts.release_of_unknown(event.new), who)
        case tables.COPIED_UNASKED | tables.SHARE_UNDONE | tables.RECEIPT_UNDONE | tables.QUESTION_UNDONE as kind:
            text, drawn = _GIVING[kind]
            return TimelineEntry(event.at, text, who, icon=drawn)
        case settlement_rules.SETTLED:
            return TimelineEntry(event.at, texts.settled(event.new), None, "good")
        case settlement_rules.STILL_OPEN:
            return TimelineEntry(event.at, texts.not_settled(event.new), None, "wrong")
        case discrepancies.ACKNOWLEDGED | discrepancies.REOPENED:
            return TimelineEntry(event.at, texts.discrepancy_checked(event.new), who, "neutral")
        case _:
            return TimelineEntry(event.at, texts.other_event(event.kind, event.new), who)


def _receipts(connection: Connection, events: Sequence[LinkEvent]) -> Iterator[TimelineEntry]:
    for event in events:
        if event.kind == tables.RECEIPT_SENT:
            sent = receipts.read(connection, event.new or "", event.person_id, event.at, event.id)
            yield TimelineEntry(
                sent.at, texts.receipt_sent(sent.channel, sent.driver), names().get(sent.person_id), icon="share"
            )


def _questions(connection: Connection, events: Sequence[LinkEvent]) -> Iterator[TimelineEntry]:
    worded = {tables.DRIVER_ASKED: texts.asked, tables.DRIVER_PHONED: texts.phoned}
    asked = [event for event in events if event.kind in worded]
    named = drivers.names(connection, {int(event.new) for event in asked if event.new})
    for event in asked:
        words = worded[event.kind](named.get(int(event.new), "") if event.new else "")
        yield TimelineEntry(event.at, words, names().get(event.person_id), icon="chat")
    for event in events:
        if event.kind == tables.DRIVER_ANSWERED:
            words = str(texts.ANSWERS[Answer(event.new) if event.new else None])
            yield TimelineEntry(event.at, words, names().get(event.person_id), icon="chat")
        elif event.kind == tables.PAYMENT_REFERENCE:
            words = texts.payment_reference(event.new)
            yield TimelineEntry(event.at, words, names().get(event.person_id), icon="chat")


def _shares(found: Sequence[Share]) -> Iterator[TimelineEntry]:
    for share in found:
        # The sender's session has the number of the newest alone.
        number = unsaved_driver.own_number(share) if share is found[0] else ""
        text = texts.shared(share.channel, share.driver_name, is_unconfirmed=share.is_unconfirmed, number=number)
        yield TimelineEntry(share.at, text, names().get(share.person_id), icon="share")


def _payment(row: Link) -> Iterator[TimelineEntry]:
    if row.paid_at is not None:
        is_completed = is_paid(row.status)
        words = link_state(row.status).shown if is_completed else texts.PAYMENT_TIME_GIVEN
        yield TimelineEntry(row.paid_at, words, None, "good" if is_completed else "neutral")


def _end(row: Link, newest: Sequence[LinkEvent]) -> Iterator[TimelineEntry]:
    """Yield the end of a link that was over before a search found it; no check has seen that happen."""
    is_seen = any(event.kind == tables.STATUS for event in newest)
    if row.status == EXPIRED and not is_seen and row.expires_at and row.expires_at < row.first_seen_at:
        yield TimelineEntry(row.expires_at, texts.ENDED_UNPAID, None, "ended")


def _replacements(requests: Sequence[ReplacementRequest]) -> Iterator[TimelineEntry]:
    for request in requests:
        who = names().get(request.person_id)
        if request.link is None:
            address = url_for("creation.request_page", request_id=request.id)
            yield TimelineEntry(
                request.prepared_at,
                texts.REPLACEMENT_ASKED,
                who,
                "waiting",
                address,
                texts.OPEN_REQUEST,
            )
        else:
            address = url_for("links.show", link_id=request.link.id)
            yield TimelineEntry(request.link.made_at, texts.REPLACED, who, "ended", address, texts.OPEN_NEW_LINK)
