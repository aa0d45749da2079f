"""Build the follow-up queue: the links that wait for a person, and the snoozed ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from itertools import chain
from typing import Any

from flask import Response, abort, render_template, request, url_for
from sqlalchemy import Connection

from dashboard.domain.follow_up import ends_soon, is_urgent
from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.link_filters import SortBy
from dashboard.domain.links import EXPIRED, is_paid
from dashboard.domain.money import add_up
from dashboard.domain.phones import international, is_phone, shown
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import Channel
from dashboard.services.sharing.share import UNDO_FOR
from dashboard.store.links import links
from dashboard.store.links.listing import Place
from dashboard.store.links.records import Link
from dashboard.store.links.totals import Total, add
from dashboard.store.sharing import ended_links, follow_ups, returning_links, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.ended_links import EndedLink
from dashboard.store.sharing.follow_ups import FollowUpLink
from dashboard.store.sharing.shares import Share
from dashboard.web.links import list_texts, questions
from dashboard.web.links.list_page import PAGE_SIZE, read_place
from dashboard.web.links.payment import undoable
from dashboard.web.links.rows import payment_of
from dashboard.web.links.timeline_texts import PREPARED
from dashboard.web.shared import htmx
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, name_of, person_id, zone
from dashboard.web.sharing import texts, unsent
from dashboard.web.sharing.follow_up_facts import Facts, read_facts
from dashboard.web.sharing.follow_up_records import (
    FollowUp,
    FollowUpEntry,
    FollowUpPage,
    Opened,
    Queue,
    Returns,
    alone,
    sent_together,
)
from dashboard.web.sharing.page import sent_now
from dashboard.web.sharing.reminder_address import queue_address, queue_of
from dashboard.web.sharing.reminder_records import RemindersDone
from dashboard.web.sharing.snoozes import snoozes

#: The arguments of the address that say where the lists begin.
_WAITING, _SNOOZED, _SENT = "after", "later", "sent"
_Query = Callable[[Connection, datetime, Place | None, int], list[FollowUpLink]]


def follow_up_page(
    link_id: str = "",
    typed: str = "",
    problem: str | None = None,
    done: RemindersDone | None = None,
) -> str:
    """Render the queue; at a link with the note that was typed, and why it was refused.

    `done` says what became of the reminders that were sent one by one.
    """
    return render_template("sharing/follow_up.html", page=queues(link_id, typed, problem), done=done)


def queues(link_id: str = "", typed: str = "", problem: str | None = None) -> FollowUpPage:
    """Build the queue, and that of the snoozed links; see `follow_up_page`."""
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        waiting = _read_page(connection, follow_ups.waiting, now, _WAITING)
        snoozed = _read_page(connection, follow_ups.snoozed, now, _SNOOZED)
        sent = _read_page(connection, follow_ups.sent, now, _SENT)
        just_sent = _just_sent(connection, now)
        ended = ended_links.newest(connection, now, PAGE_SIZE)
        totals = follow_ups.totals(connection, now)
        lists = (waiting.links, snoozed.links, sent.links, just_sent, map(_to_follow_up, ended))
        facts = read_facts(connection, list(chain.from_iterable(lists)))
        back = [] if waiting.links else returning_links.returning(connection, now)
        several_driverless = bool(waiting.links) and unsent.several_without_driver(connection)

    def item(link: FollowUpLink) -> FollowUp:
        found = _item(link, facts)
        if found.link_id != link_id:
            return found
        return replace(found, typed=typed, problem=problem)

    waits = sent_together(map(item, waiting.links))
    newest = {link.id for link in just_sent}
    rests = sent_together(replace(item(link), rests=True) for link in sent.links if link.id not in newest)
    reachable = [entry for entry in waits if entry.first.whatsapp]
    return FollowUpPage(
        Queue(waits, waiting.first, waiting.more),
        Queue(alone(map(item, snoozed.links)), snoozed.first, snoozed.more),
        Queue(rests, sent.first, sent.more),
        alone(
            sorted((_ended(link, item(_to_follow_up(link)), facts) for link in ended), key=_when_ended, reverse=True)
        ),
        totals,
        places(),
        _reminders_of(reachable) if reachable else "",
        add(entry.total for entry in reachable),
        len(reachable),
        just_sent=sent_together(replace(item(link), rests=True) for link in just_sent),
        several_driverless=several_driverless,
        back=_first_back([(each.at, each.total) for each in back]),
        snoozed_back=None if waiting.links else _snoozed_back(snoozed.links, totals.snoozed),
    )


def _just_sent(connection: Connection, now: datetime) -> list[FollowUpLink]:
    """Return the links of the message that this person sent last, while they can take it back."""
    message = shares.last_message(connection, person_id(), now - UNDO_FOR)
    return follow_ups.sent_of(connection, now, [each.link_id for each in message]) if message else []


def _first_back(found: Sequence[tuple[datetime, Decimal | None]]) -> Returns | None:
    """Say what comes back on the first day on which anything does; `found` is in its order."""
    if not found:
        return None
    first = found[0][0]
    same = [total for at, total in found if at.astimezone(zone()).date() == first.astimezone(zone()).date()]
    return Returns(Total(len(same), add_up(same)), first)


def _snoozed_back(found: Sequence[FollowUpLink], total: Total) -> Returns | None:
    """Say what is snoozed, and when the first of that comes back."""
    first = min((link.snoozed_until for link in found if link.snoozed_until), default=None)
    return Returns(total, first) if first else None


def _reminders_of(entries: Sequence[FollowUpEntry]) -> str:
    """Return the address where these messages are sent one by one, and no others."""
    link_ids = [link_id for entry in entries for link_id in entry.link_ids]
    return queue_address(queue_of(link_ids, current_services().clock()))


def _to_follow_up(link: EndedLink) -> FollowUpLink:
    return FollowUpLink(link.id, link.rc, link.status, link.total, link.expires_at, link.since, None, None)


def _ended(link: EndedLink, row: FollowUp, facts: Facts) -> FollowUp:
    """Say when a link ended: when the service said it would, or else when its end was found; and what is left of it."""
    says_when = link.status == EXPIRED and link.expires_at is not None and link.expires_at <= link.since
    whole = facts.links[link.id].total if link.free is not None else None
    return replace(row, ended_at=link.expires_at if says_when else link.since, free=link.free, whole=whole)


def _when_ended(row: FollowUp) -> tuple[datetime | None, str]:
    return row.ended_at, row.link_id


def entry_of(page: FollowUpPage, link_id: str) -> FollowUpEntry | None:
    """Return the row that holds a link; None where it is on another page."""
    return next((entry for _name, entries in _lists(page) for entry in entries if link_id in entry.link_ids), None)


def _lists(page: FollowUpPage) -> Iterator[tuple[str, Sequence[FollowUpEntry]]]:
    """Return the lists of the page, by the id of their element."""
    for group in page.groups:
        yield f"follow-{group.name}", group.entries
    yield "follow-just-sent", page.just_sent
    yield "follow-snoozed", page.later.entries
    yield "follow-sent", page.sent.entries
    yield "follow-failed", page.failed
    yield "follow-ended", page.ended_rest


def moved_rows(link_ids: Sequence[str], *, is_undone: bool = False) -> Response:
    """Answer that links went from one list to the other. A toast that undoes it is no row: nothing takes its place.

    What else waits for their drivers, or has none either, is renewed with them: its row may hold other links now.
    `is_undone`: it was taken back that they were sent, so the focus goes to the button that sends them.
    """
    page = queues()
    moved_now = items_of(link_ids)
    given = {row.driver_id for row in moved_now if row.driver_id}
    driverless_now = {row.plate for row in moved_now if not row.driver_id}
    renewed = {
        entry.link_id
        for entry in page.waiting.entries
        if entry.first.driver_id in given or (entry.first.lacks_driver and entry.first.plate in driverless_now)
    }
    renewed |= {found.link_id for link_id in link_ids if (found := entry_of(page, link_id))}
    renewed |= {entry.link_id for entry in (*page.just_sent, *_sent_before(page))}
    moved: list[tuple[FollowUpEntry, str]] = []
    for name, entries in _lists(page):
        place = f"beforeend:#{name}"
        for entry in reversed(entries):
            if entry.link_id in renewed:
                moved.append((entry, place))
            else:
                place = f"beforebegin:#follow-{entry.link_id}"
    moved.reverse()  # Of those that come before the same row, the first is inserted first.
    gone = [*link_ids, *(link_id for entry, _place in moved for link_id in entry.link_ids)]
    shown: dict[str, Any] = {"page": page, "gone": dict.fromkeys(gone), "moved": moved, "wanted": link_ids[0]}
    answer = htmx.region("sharing/_follow_moved.html", **shown, is_undone=is_undone)
    answer.headers.update({"HX-Reswap": "none", "HX-Push-Url": "false"})
    return answer


def _sent_before(page: FollowUpPage) -> list[FollowUpEntry]:
    """Return the message that this person sent before the last one: it makes room for that."""
    mine = {entry.first.shared_at: entry for entry in page.sent.entries if entry.undoable and entry.first.shared_at}
    return [mine[max(mine)]] if mine else []


def entry_now(link_ids: Sequence[str]) -> FollowUpEntry:
    """Return a row of these links. They may wait no more, because they were given just now."""
    return FollowUpEntry(tuple(items_of(link_ids)) or abort(404))


def contact_region(entry: FollowUpEntry) -> Response:
    """Answer with how a driver got the links of a row last, or was asked about them."""
    page, sent = queues(), entry.undoable
    # What is done with a link that ended, its list alone knows.
    entry = next((each for each in page.ended if each.link_id == entry.link_id), entry)
    said = entry.first.question.words if entry.first.question else sent.undoable.words if sent and sent.undoable else ""
    return htmx.region("sharing/_follow_contact.html", announce=said, entry=entry, page=page)


def items_of(link_ids: Sequence[str]) -> list[FollowUp]:
    """Return the rows of links in this order, whatever list they are in by now; unknown ones are left out."""
    with current_services().store.read() as connection:
        found = links.find_all(connection, link_ids)
        rows = [_row_of(found[link_id]) for link_id in link_ids if link_id in found]
        facts = read_facts(connection, rows, found)
    return [_item(row, facts) for row in rows]


def _row_of(link: Link) -> FollowUpLink:
    return FollowUpLink(link.id, link.rc, link.status, link.total, link.expires_at, link.ends_rank, None, None)


def places() -> dict[str, Any]:
    """Return the arguments of the address that say where the lists begin, so that an action comes back there."""
    return {name: request.args[name] for name in (_WAITING, _SNOOZED, _SENT) if request.args.get(name)}


@dataclass(frozen=True, slots=True)
class _Page:
    links: list[FollowUpLink]
    first: str | None
    more: str | None


def _read_page(connection: Connection, query: _Query, now: datetime, name: str) -> _Page:
    """Read the page of a list that an argument of the address names; the first page where that one is empty by now."""
    others = places()
    place = read_place(SortBy.ENDS, others.pop(name, None), None)
    found = query(connection, now, place, PAGE_SIZE + 1)
    if place is not None and not found:
        place, found = None, query(connection, now, None, PAGE_SIZE + 1)
    links, more = found[:PAGE_SIZE], None
    if len(found) > PAGE_SIZE:
        following = others | {name: f"{links[-1].id}~{links[-1].rank.isoformat()}"}
        more = url_for("sharing.follow_up", **following)
    return _Page(links, None if place is None else url_for("sharing.follow_up", **others), more)


def _item(link: FollowUpLink, facts: Facts) -> FollowUp:
    share, note, stored = facts.shared.get(link.id), facts.notes.get(link.id), facts.links.get(link.id)
    copied, opened = facts.copied.get(link.id), facts.opened.get(link.id)
    driver, asked = _driver_of(link, share, facts), undoable(opened)
    is_nobody = share is not None and driver is None and share.driver_id is None
    now, withheld = current_services().clock(), _withheld(stored, facts)
    return FollowUp(
        link_id=link.id,
        plate=spaced(link.rc) if link.rc else None,
        state=shared_texts.link_state(link.status),
        total=link.total,
        expires_at=link.expires_at,
        copied_at=copied.at if copied else None,
        copied_by=name_of(copied.person_id) if copied else None,
        shared_at=share.at if share else None,
        shared_with=share.driver_name if share else None,
        shared_by=name_of(share.person_id) if share else None,
        sent_by=texts.sent_by(share.channel) if share else "",
        sent_brief=texts.sent_brief(share.channel) if share else "",
        channel=texts.channel_beside(share.channel) if share else "",
        opened=_opened(opened) if opened else None,
        asked=asked,
        times=facts.times.get(link.id, 0),
        challans=facts.challans.get(link.id),
        apart=facts.apart.get(link.id, ""),
        created_at=stored.created_at if stored else None,
        found_at=stored.first_seen_at if stored and stored.is_observed else None,
        made_by=name_of(stored.person_id) if stored and stored.person_id is not None else None,
        driver=driver.name if driver else None,
        driver_id=driver.id if driver else None,
        phone=shown(driver.phone) if driver and driver.phone else None,
        call=_call(driver),
        language=_language(driver),
        recipient=str(texts.NOT_DRIVERS.get(share.channel, "")) if share and is_nobody else "",
        # Whoever got the link in another way is not surprised by a message, nor by a second one.
        whatsapp=_has_phone(driver)
        and not (asked or withheld or link.id in facts.to_check)
        and (share is None or share.channel is Channel.WHATSAPP),
        note=note.text if note else None,
        noted_by=name_of(note.person_id) if note else None,
        noted_at=note.at if note else None,
        group=_group(link, now, is_sent=share is not None or copied is not None),
        is_urgent=is_urgent(link.expires_at, now),
        snoozes=tuple(
            snoozes(link.expires_at, now, is_asked=driver is not None or share is not None or copied is not None)
        ),
        snoozed_until=link.snoozed_until,
        snoozed_by=name_of(link.snoozed_by) if link.snoozed_until else None,
        withheld=withheld,
        is_to_check=link.id in facts.to_check,
        undoable=None if opened or is_paid(link.status) else sent_now(share),
        question=questions.for_person(facts.asked.get(link.id)),
    )


def _withheld(link: Link | None, facts: Facts) -> str:
    """Say why a link that can still be paid must not be sent now, as the list of links does; "" where it may be."""
    payment = payment_of(link, facts.duplicates.get(link.id, [])) if link else None
    if link and payment and payment.copyable and (doubt := facts.doubtful.get(link.id)):
        return list_texts.check_first(doubt)
    return list_texts.withheld(payment) if payment and not payment.copyable else ""


def _opened(share: Share) -> Opened:
    return Opened(str(PREPARED[share.channel]), share.at, name_of(share.person_id))


def _group(link: FollowUpLink, now: datetime, *, is_sent: bool) -> str:
    if ends_soon(link.expires_at, now):
        return texts.ENDS_SOON
    return texts.CHOSEN if is_sent else texts.NOT_SENT


def _has_phone(driver: Driver | None) -> bool:
    return bool(driver and driver.phone and is_phone(driver.phone))


def _call(driver: Driver | None) -> str:
    """Return the address that calls a driver's number; "" where nothing can."""
    return f"tel:+{international(driver.phone)}" if driver and driver.phone and is_phone(driver.phone) else ""


def _language(driver: Driver | None) -> tuple[str, str]:
    found = LANGUAGES.get(driver.language, DEFAULT_LANGUAGE) if driver else None
    return (found.code, found.name) if found else ("", "")


def _driver_of(link: FollowUpLink, share: Share | None, facts: Facts) -> Driver | None:
    """Return whom to remind: who was given the link last, or else the only usual driver of its vehicle."""
    if share is not None:
        return facts.drivers.get(share.driver_id) if share.driver_id is not None else None
    usual = facts.usual.get(link.rc or "", [])
    return usual[0] if len(usual) == 1 else None
