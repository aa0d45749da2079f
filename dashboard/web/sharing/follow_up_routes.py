"""The queue of links to follow up: nudge again, put off, note."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Connection, Row

from dashboard.domain.link_filters import SortBy
from dashboard.domain.registration import spaced
from dashboard.services.sharing.share import Channel
from dashboard.store.links import links
from dashboard.store.links.listing import Place
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, follow_ups, shares
from dashboard.web.links.list_page import PAGE_SIZE, read_place, today, zone
from dashboard.web.links.routes import subject_of_saved_form
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import audit, current_services, format_moment, names, person_id
from dashboard.web.shared.records import StateWords
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.sharing.routes import bp

_LONGEST_NOTE = 500
_MORNING = time(9)
#: A link is put off until so long before its end at most, so that somebody can still do something about it.
_LAST_CHANCE = timedelta(hours=1)
#: The names under which an address tells where the two lists begin.
_AFTER, _LATER = "after", "later"
_Ask = Callable[[Connection, datetime, Place | None, int], Sequence[Row[Any]]]


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A link that waits for somebody: why, what was done last, and until when it is put off."""

    link_id: str
    plate: str | None
    state: StateWords
    total: Decimal | None
    expires_at: datetime | None
    ends_soon: bool
    copied_at: datetime | None
    shared_at: datetime | None
    shared_with: str | None
    driver_id: int | None
    by_whatsapp: bool  # it was given so, to a driver whose number is known: one tap does it again
    note: str | None
    noted_by: str | None
    noted_at: datetime | None
    snoozed_until: datetime | None = None
    snoozed_by: str | None = None
    typed: str = ""
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Queue:
    """A page of links that wait, of `count` in all; the addresses of the first page and of the next are None where
    this is it, or where there is none.
    """

    rows: tuple[FollowUp, ...]
    count: int
    first: str | None = None
    more: str | None = None


@bp.get("/follow-up")
def follow_up() -> str:
    return _shown()


@bp.post("/follow-up/<uuid:link_id>/snooze")
def snooze(link_id: UUID) -> ResponseReturnValue:
    """Put a link off for a while: four hours, until tomorrow morning, or not any more; never past its end."""
    services = current_services()
    now = services.clock()
    asked = {"hours": now + timedelta(hours=4), "morning": _tomorrow_morning(), "now": now}.get(
        request.form.get("until", "")
    )
    if asked is None:
        abort(400)
    row = _find(link_id)
    until, done = _put_off(row, asked, now)
    if until is not None:
        with services.store.write() as connection:
            follow_ups.snooze(connection, str(link_id), until, now, person_id())
        audit("snooze", str(link_id), until=until.isoformat())
    flash(f"{spaced(row.rc) if row.rc else 'The link without a vehicle'} {done}", "good" if until else "wrong")
    return redirect(url_for("sharing.follow_up", **_places()), 303)


def _put_off(row: Link, asked: datetime, now: datetime) -> tuple[datetime | None, str]:
    """Until when a link is put off when somebody asks for a moment, and what to say of it; None when it is not."""
    if asked <= now:
        return asked, "waits here again."
    if row.expires_at is None or asked <= row.expires_at - _LAST_CHANCE:
        return asked, f"is put off until {format_moment(asked)}."
    if row.expires_at <= now:
        return None, "was not put off: it should have ended by now."
    if row.expires_at - _LAST_CHANCE <= now:
        return None, "was not put off: it ends within the hour."
    until = row.expires_at - _LAST_CHANCE
    return until, f"is put off until {format_moment(until)}, an hour before it ends."


@bp.post("/follow-up/<uuid:link_id>/note")
def add_note(link_id: UUID) -> ResponseReturnValue:
    """Add a note to a link's history; it is shown with the link from then on."""
    text = " ".join(request.form.get("note", "").split())
    _find(link_id)
    if not text or len(text) > _LONGEST_NOTE:
        problem = "Write the note." if not text else f"A note has at most {_LONGEST_NOTE} letters."
        return _shown(str(link_id), text, problem), 422
    services = current_services()
    with services.store.write() as connection:
        follow_ups.write_note(connection, str(link_id), text, services.clock(), person_id())
    audit("note", str(link_id))
    if request.form.get("back") == "link":
        return redirect(url_for("links.show", link_id=link_id), 303)
    return redirect(url_for("sharing.follow_up", **_places()), 303)


resumes_on_its_own_page("sharing.add_note", "A note on a link", {"note": "Note"}, subject_of_saved_form)


def _find(link_id: UUID) -> Link:
    with current_services().store.read() as connection:
        return links.find(connection, str(link_id)) or abort(404)


def _tomorrow_morning() -> datetime:
    return datetime.combine(today() + timedelta(days=1), _MORNING, zone())


def _places() -> dict[str, Any]:
    """Where the two lists begin, as the address says it; what somebody does there leads back there."""
    return {name: request.args[name] for name in (_AFTER, _LATER) if request.args.get(name)}


@dataclass(frozen=True, slots=True)
class _Page:
    rows: Sequence[Row[Any]]
    first: str | None
    more: str | None


def _page(connection: Connection, ask: _Ask, now: datetime, name: str, rank: str) -> _Page:
    """The page of a list whose place the address tells under a name; the first where nothing is left behind it."""
    others = _places()
    place = read_place(SortBy.ENDS, others.pop(name, None), None)
    found = ask(connection, now, place, PAGE_SIZE + 1)
    if place is not None and not found:
        place, found = None, ask(connection, now, None, PAGE_SIZE + 1)
    rows, more = found[:PAGE_SIZE], None
    if len(found) > PAGE_SIZE:
        following = others | {name: f"{rows[-1].id}~{rows[-1]._mapping[rank].isoformat()}"}
        more = url_for("sharing.follow_up", **following)
    return _Page(rows, None if place is None else url_for("sharing.follow_up", **others), more)


def _shown(link_id: str = "", typed: str = "", problem: str | None = None) -> str:
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        waiting = _page(connection, follow_ups.queue, now, _AFTER, "ends_rank")
        later = _page(connection, follow_ups.snoozed, now, _LATER, "snoozed_until")
        count, count_later = follow_ups.counts(connection, now)
        keys = [row.id for row in (*waiting.rows, *later.rows)]
        shared = shares.newest_of_links(connection, keys)
        copied = follow_ups.copied_of(connection, keys)
        notes = follow_ups.notes_of(connection, keys)
        known = {row.id: row for row in drivers.listed(connection)}
    people = names()

    def item(row: Row[Any]) -> FollowUp:
        given, noted = shared.get(row.id), notes.get(row.id)
        driver = known.get(given.driver_id) if given else None
        wrong = row.id == link_id
        return FollowUp(
            link_id=row.id,
            plate=spaced(row.rc) if row.rc else None,
            state=shared_texts.link_state(row.status),
            total=row.total,
            expires_at=row.expires_at,
            ends_soon=row.expires_at is not None and row.expires_at <= now + follow_ups.ENDS_SOON,
            copied_at=copied.get(row.id),
            shared_at=given.at if given else None,
            shared_with=driver.name if driver else None,
            driver_id=driver.id if driver else None,
            by_whatsapp=bool(driver and driver.phone and given and given.channel == Channel.WHATSAPP),
            note=noted.new if noted else None,
            noted_by=people.get(noted.person_id) if noted else None,
            noted_at=noted.at if noted else None,
            snoozed_until=row._mapping.get("snoozed_until"),
            snoozed_by=people.get(row._mapping.get("snoozed_by") or 0),
            typed=typed if wrong else "",
            problem=problem if wrong else None,
        )

    def queue(page: _Page, number: int) -> Queue:
        return Queue(tuple(map(item, page.rows)), number, page.first, page.more)

    return render_template(
        "sharing/follow_up.html", waiting=queue(waiting, count), later=queue(later, count_later), places=_places()
    )
