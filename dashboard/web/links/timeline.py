"""The history of a link in words: who made it, handed it on, and what was seen of it, each with its moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.links import is_paid
from dashboard.domain.sharing import Channel
from dashboard.services.reconciliation import discrepancies, settlement_rules
from dashboard.store.creation import intents, replacements
from dashboard.store.creation.intents import Intent
from dashboard.store.creation.replacements import ReplacementRequest
from dashboard.store.links import history, links, tables
from dashboard.store.links.records import Link, LinkEvent
from dashboard.store.sharing import shares
from dashboard.store.sharing.shares import Share
from dashboard.web.links.records import Timeline, TimelineEntry
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment, names

_MOST = 60
#: A link enters the ledger in the same breath as it is created or found: that is one thing to people, not two.
_ONE_BREATH = timedelta(seconds=10)

_SHARED = {
    Channel.COPY: "Message copied",
    Channel.WHATSAPP: "Shared on WhatsApp",
    Channel.SMS: "Shared by SMS",
    Channel.EMAIL: "Shared by e-mail",
    Channel.SHEET: "Shared with the phone's share sheet",
    Channel.QR: "Shown as a QR code",
    Channel.PRINT: "Printed",
}


def timeline(link_id: str) -> Timeline | None:
    """The history of a link, or None when the ledger does not know it."""
    with current_services().store.read() as connection:
        row = links.find(connection, link_id)
        return None if row is None else timeline_of(connection, row)


def timeline_of(connection: Connection, row: Link) -> Timeline:
    """The same, for a row that was read already."""
    newest = history.newest(connection, row.id, _MOST + 1)
    events = list(reversed(newest[:_MOST]))
    asked = intents.find(connection, row.intent_id) if row.intent_id else None
    replacing = replacements.of_link(connection, row.id)
    given = shares.of_link(connection, row.id)[:_MOST]
    entries = [*_before(row, asked), *_seen(events, row), *_shared(given), *_paid(row), *_replaced(replacing)]
    return Timeline(
        link_id=row.id,
        entries=tuple(sorted(entries, key=lambda entry: entry.at)),
        from_the_start=len(newest) <= _MOST,
        mark=mark(connection, row),
    )


def mark(connection: Connection, row: Link) -> str:
    """What the page compares to know whether it shows the whole history."""
    return f"{history.mark(connection, row.id)}-{row.paid_at.timestamp() if row.paid_at else 0}"


def _before(row: Link, asked: Intent | None) -> Iterator[TimelineEntry]:
    if asked is None:
        return
    people = names()
    if row.origin == links.RECOVERED:
        yield TimelineEntry(
            asked.send_started or asked.prepared_at,
            "Asked for; the answer was not clear, so it was looked for",
            people.get(asked.person_id),
            "waiting",
            url_for("creation.request_page", request_id=asked.id),
            "Open the request",
        )
    if asked.released_at is not None:
        who = people.get(asked.released_by or 0)
        yield TimelineEntry(asked.released_at, f"Its request was set aside: {asked.release_reason}", who, "wrong")
    if asked.replaces is not None:
        address = url_for("links.show", link_id=asked.replaces)
        who = people.get(asked.person_id)
        yield TimelineEntry(
            asked.prepared_at, "Asked for in the place of a link that had ended", who, "neutral", address, "Open it"
        )


def _seen(events: Sequence[LinkEvent], row: Link) -> Iterator[TimelineEntry]:
    made = [event.at for event in events if event.kind in (links.CREATED, links.RECOVERED)]
    paid_before = False
    for event in events:
        at_once = event.kind == links.OBSERVED and any(abs(at - event.at) <= _ONE_BREATH for at in made)
        if at_once and not is_paid(event.new):
            continue
        entry = _entry(event, row, paid_before)
        paid_before |= is_paid(event.new)
        yield entry


def _entry(event: LinkEvent, row: Link, paid_before: bool) -> TimelineEntry:
    who = names().get(event.person_id)
    match event.kind:
        case links.CREATED:
            return TimelineEntry(event.at, "Created", who, "good")
        case links.RECOVERED:
            asked = format_moment(row.made_at)
            return TimelineEntry(
                event.at, f"Found by checking; most likely made by the request of {asked}", who, "good"
            )
        case links.OBSERVED:
            return TimelineEntry(event.at, f"First seen by a search, {event.new or 'without a state'}")
        case "status":
            return _change(event, paid_before)
        case links.DUPLICATE:
            said = f"Alarm: {event.new} of it are on another link too; money may be paid twice"
            return TimelineEntry(event.at, said, None, "wrong")
        case links.DUPLICATE_ACKNOWLEDGED:
            return TimelineEntry(event.at, f"Alarm noted: {event.new}", who, "waiting")
        case tables.COPIED:
            return TimelineEntry(event.at, "Payment URL copied", who, icon="copy")
        case settlement_rules.SETTLED:
            return TimelineEntry(event.at, f"Its challans were seen settled: {event.new}", None, "good")
        case settlement_rules.STILL_OPEN:
            return TimelineEntry(event.at, f"Paid, and not seen settled: {event.new}", None, "wrong")
        case discrepancies.ACKNOWLEDGED:
            return TimelineEntry(event.at, f"Noted at the reconciling: {event.new}", who, "neutral")
        case _:
            name = str(event.kind).replace("_", " ").capitalize()
            return TimelineEntry(event.at, f"{name}: {event.new}" if event.new else name, who)


def _change(event: LinkEvent, paid_before: bool) -> TimelineEntry:
    state = shared_texts.link_state(event.new or "")
    if is_paid(event.new) and not paid_before:
        said = "First seen PAID"
    elif is_paid(event.old):
        said = f"Seen {state.raw}, though it had been seen PAID"
    else:
        said = f"Seen {state.raw}"
    if event.old and not is_paid(event.old):
        said += f"; it was {event.old}"
    return TimelineEntry(event.at, said, None, state.meaning)


def _shared(rows: Sequence[Share]) -> Iterator[TimelineEntry]:
    for row in rows:
        said = _SHARED[row.channel]
        to = f", for {row.driver_name}" if row.driver_name else ""
        yield TimelineEntry(row.at, said + to, names().get(row.person_id), icon="share")


def _paid(row: Link) -> Iterator[TimelineEntry]:
    if row.paid_at is not None:
        yield TimelineEntry(row.paid_at, "Paid, as the service says", None, "good")


def _replaced(rows: Sequence[ReplacementRequest]) -> Iterator[TimelineEntry]:
    for row in rows:
        who = names().get(row.person_id)
        if row.link is None:
            address = url_for("creation.request_page", request_id=row.id)
            yield TimelineEntry(
                row.prepared_at, "Another link was asked for", who, "waiting", address, "Open the request"
            )
        else:
            address = url_for("links.show", link_id=row.link.id)
            yield TimelineEntry(
                row.link.made_at, "Replaced by another link", who, "ended", address, "Open the new link"
            )
