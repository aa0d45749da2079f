"""How links stand to each other, as their pages show it: made in the place of another, or on the same challans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.links import is_ended, is_live, is_paid
from dashboard.services.creation.replacement import challans_of
from dashboard.services.links.duplicates import Alarm, alarm_of
from dashboard.store.creation import claims, intents, replacements
from dashboard.store.creation.claims import OpenClaim
from dashboard.store.creation.replacements import ReplacementLink
from dashboard.store.links import duplicates, links
from dashboard.store.links.records import Link
from dashboard.web.links.records import AlarmNote, DuplicateAlarm, Replacement
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import format_moment, names
from dashboard.web.shared.records import LinkMention
from dashboard.web.shared.texts import join_words


def mention(row: Link) -> LinkMention:
    return LinkMention(row.id, row.made_at, shared_texts.link_state(row.status))


def in_place_of(connection: Connection, row: Link) -> LinkMention | None:
    """The ended link in whose place this one was asked for, if it was."""
    intent = intents.find(connection, row.intent_id) if row.intent_id else None
    old = links.find(connection, intent.replaces) if intent is not None and intent.replaces else None
    return mention(old) if old is not None else None


def _replaced_by(connection: Connection, link_id: str) -> tuple[Replacement, ...]:
    """The requests in the link's place that made another or still may, newest first."""
    return tuple(
        Replacement(
            request_id=row.id,
            by=names().get(row.person_id, "a colleague"),
            at=row.prepared_at,
            link=_new_link(row.link) if row.link else None,
        )
        for row in replacements.of_link(connection, link_id)
    )


def _new_link(new: ReplacementLink) -> LinkMention:
    return LinkMention(new.id, new.made_at, shared_texts.link_state(new.status))


def is_replaced(made: Sequence[Replacement]) -> bool:
    """Whether one of these stands in the link's place: not seen ended, or of unknown outcome."""
    return any(item.link is None or not is_ended(item.link.state.raw) for item in made)


@dataclass(frozen=True, slots=True)
class Ties:
    """How a link stands to others; `paid_beside` when it can still be paid and another on its challans is paid."""

    alarm: DuplicateAlarm | None
    paid_beside: bool
    replaced_by: tuple[Replacement, ...]


def ties_of(connection: Connection, row: Link) -> Ties:
    others = duplicates.of_link(connection, row.id)
    return Ties(
        alarm=_alarm(connection, row, others),
        paid_beside=is_live(row.status) and any(is_paid(other.status) for other in others),
        replaced_by=_replaced_by(connection, row.id),
    )


def _alarm(connection: Connection, row: Link, others: Sequence[Link]) -> DuplicateAlarm | None:
    """The alarm that concerns a link: its own for ever, another's while it stands or both can still be paid."""
    found = alarm_of(connection, row.id, others)
    if found is None:
        return None
    living = [other for other in found.duplicates if not is_ended(other.status)]
    concerns = not is_ended(row.status) and any(other.id in found.alarmed for other in living)
    if row.id not in found.alarmed and not found.unacknowledged and not concerns:
        return None
    request = None if living else _request_beside(connection, row)
    shown_too = [other for other in found.duplicates if other in living or other.id in found.alarmed]
    return DuplicateAlarm(
        standing=bool(found.unacknowledged),
        newest=found.newest,
        since=found.since,
        advice=_advice(row, living, request),
        others=tuple(mention(other) for other in shown_too),
        notes=_notes(found),
        request_id=request.intent_id if request is not None else None,
        may_note=current_user.may_open("links.acknowledge_duplicates"),
    )


def _request_beside(connection: Connection, row: Link) -> OpenClaim | None:
    """A request without a link, of somebody else, that holds challans of this one."""
    held = claims.open_of(connection, challans_of(connection, row)).values()
    return next((claim for claim in held if claim.link_id is None and claim.intent_id != row.intent_id), None)


def _notes(found: Alarm) -> tuple[AlarmNote, ...]:
    """What was noted stands in the history of each link that it is about, and is said once."""
    people = names()
    said = {(event.person_id, event.at, event.new): event for event in found.acknowledgements}
    return tuple(
        AlarmNote(people.get(event.person_id, "a colleague"), event.at, event.new or "") for event in said.values()
    )


def _advice(here: Link, living: Sequence[Link], request: OpenClaim | None) -> str:
    """What to do, by which of the links are paid and which still can be."""
    named = {row.id: f"the link of {format_moment(row.made_at)}" for row in living} | {here.id: "this link"}
    paid = [row for row in (here, *living) if is_paid(row.status)]
    live = [row for row in (here, *living) if is_live(row.status)]
    unshared = " ".join(_unshared(named[row.id], row.expires_at) for row in live)
    if request is not None:
        asked = (
            f"A request of {format_moment(request.prepared_at)}, whose outcome is not known yet, "
            "holds the same challans."
        )
        return f"{asked} {unshared or 'Share nothing that comes of it.'}"
    if len(paid) > 1:
        both = join_words([named[row.id] for row in paid])
        twice = f"{_capital(both)} are {'both' if len(paid) == 2 else 'all'} PAID: the same challans were paid twice."
        back = "Nothing can be refunded from here: ask the service's support, naming the links."
        return f"{twice} {back} {unshared}".strip()
    if paid:
        name = _capital(named[paid[0].id])
        return f"{name} is PAID. {unshared}" if live else f"{name} is PAID, and no other can be paid as things stand."
    if len(live) > 1:
        payable = _capital(join_words([named[row.id] for row in live]))
        can = f"{payable} can {'both' if len(live) == 2 else 'all'} be paid."
        ends = join_words([f"{named[row.id]} {_ends(row.expires_at)}" for row in live])
        return f"{can} Share only one, and tell whoever has another not to pay it. None can be withdrawn: {ends}."
    if live:
        return f"Only {named[live[0].id]} can be paid as things stand."
    return "None of them can be paid as things stand."


def _unshared(name: str, expires_at: datetime | None) -> str:
    ends = f"it {_ends(expires_at)}"
    return f"Do not share {name}, and tell whoever has it not to pay it. It cannot be withdrawn; {ends}."


def _ends(at: datetime | None) -> str:
    if at is None:
        return "has no end that is known"
    told = format_moment(at)  # A moment of today has no date.
    return f"ends {'on' if ',' in told else 'at'} {told}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
