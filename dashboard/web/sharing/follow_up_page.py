"""Build the follow-up queue: the links that wait for a person, and the snoozed ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from flask import render_template, request, url_for
from sqlalchemy import Connection

from dashboard.domain.link_filters import SortBy
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import Channel
from dashboard.store.links.listing import Place
from dashboard.store.sharing import drivers, follow_ups, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.follow_ups import FollowUpLink, Note
from dashboard.store.sharing.shares import Share
from dashboard.web.links.list_page import PAGE_SIZE, read_place
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.sharing.records import FollowUp, FollowUpPage, Queue

#: The arguments of the address that say where the two lists begin.
_WAITING, _SNOOZED = "after", "later"
_Query = Callable[[Connection, datetime, Place | None, int], list[FollowUpLink]]


def follow_up_page(link_id: str = "", typed: str = "", problem: str | None = None) -> str:
    """Render the queue; at the link of `link_id` with the note that was typed, and why it was refused."""
    return render_template("sharing/follow_up.html", page=queues(link_id, typed, problem))


def queues(link_id: str = "", typed: str = "", problem: str | None = None) -> FollowUpPage:
    """Build the queue, and that of the snoozed links; see `follow_up_page`."""
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        waiting = _read_page(connection, follow_ups.waiting, now, _WAITING)
        snoozed = _read_page(connection, follow_ups.snoozed, now, _SNOOZED)
        counts = follow_ups.counts(connection, now)
        link_ids = [link.id for link in (*waiting.links, *snoozed.links)]
        facts = _Facts(
            shared=shares.newest_of_links(connection, link_ids),
            copied=follow_ups.copied_at(connection, link_ids),
            notes=follow_ups.newest_notes(connection, link_ids),
            drivers={driver.id: driver for driver in drivers.listed(connection)},
        )

    def queue(page: _Page, count: int) -> Queue:
        items = (_item(link, facts) for link in page.links)
        rows = (replace(item, typed=typed, problem=problem) if item.link_id == link_id else item for item in items)
        return Queue(tuple(rows), count, page.first, page.more)

    return FollowUpPage(queue(waiting, counts.waiting), queue(snoozed, counts.snoozed), places())


def row_of(page: FollowUpPage, link_id: str) -> tuple[FollowUp | None, str]:
    """Return the row of a link, None where it is on another page, and where htmx inserts it."""
    for queue, name in ((page.waiting, "follow-waiting"), (page.later, "follow-snoozed")):
        for row, following in zip(queue.rows, (*queue.rows[1:], None), strict=False):
            if row.link_id == link_id:
                return row, f"beforebegin:#follow-{following.link_id}" if following else f"beforeend:#{name}"
    return None, ""


def places() -> dict[str, Any]:
    """Return the arguments of the address that say where the two lists begin, so that an action comes back there."""
    return {name: request.args[name] for name in (_WAITING, _SNOOZED) if request.args.get(name)}


@dataclass(frozen=True, slots=True)
class _Page:
    links: list[FollowUpLink]
    first: str | None
    more: str | None


@dataclass(frozen=True, slots=True)
class _Facts:
    """Hold the stored data of the links of both lists, by link; `drivers` by id."""

    shared: dict[str, Share]
    copied: dict[str, datetime]
    notes: dict[str, Note]
    drivers: dict[int, Driver]


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


def _item(link: FollowUpLink, facts: _Facts) -> FollowUp:
    share, note = facts.shared.get(link.id), facts.notes.get(link.id)
    driver = facts.drivers.get(share.driver_id) if share and share.driver_id is not None else None
    return FollowUp(
        link_id=link.id,
        plate=spaced(link.rc) if link.rc else None,
        state=shared_texts.link_state(link.status),
        total=link.total,
        expires_at=link.expires_at,
        copied_at=facts.copied.get(link.id),
        shared_at=share.at if share else None,
        shared_with=driver.name if driver else None,
        driver_id=driver.id if driver else None,
        by_whatsapp=bool(driver and driver.phone and share and share.channel is Channel.WHATSAPP),
        note=note.text if note else None,
        noted_by=name_of(note.person_id) if note else None,
        noted_at=note.at if note else None,
        snoozed_until=link.snoozed_until,
        snoozed_by=name_of(link.snoozed_by) if link.snoozed_until else None,
    )
