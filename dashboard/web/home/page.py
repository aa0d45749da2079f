"""Build the first page: what was paid while its reader was away, and what waits for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from flask import url_for
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.intents import IntentState
from dashboard.domain.link_filters import DayOf, LinkFilter, Only, SortBy
from dashboard.domain.links import PAID, is_live
from dashboard.domain.registration import spaced
from dashboard.store.creation import intents, releases
from dashboard.store.fleet import news
from dashboard.store.fleet.news import FleetNews
from dashboard.store.home import figures, paid_notifications
from dashboard.store.home.change_token import change_token as stored_token
from dashboard.store.home.paid_notifications import UnseenPaid
from dashboard.store.links import duplicates, links
from dashboard.store.links.listing import start_of, start_of_tomorrow
from dashboard.web.creation import release
from dashboard.web.fleet.page import run_address
from dashboard.web.home import texts
from dashboard.web.home.records import AttentionItem, Figure, HomePanel, PaidCard, PaidNotifications, PaidSince
from dashboard.web.links import filters
from dashboard.web.links.records import LinkCard
from dashboard.web.shared.current import current_services, format_moment, person_id, today, zone
from dashboard.web.shared.live import whole_seconds

#: The most links paid since a person left that the page has, and how many of them are in view.
_MAX_CARDS, _IN_VIEW = 12, 3
#: An unpaid link needs attention this long before it ends.
_ENDS_SOON = timedelta(hours=6)
#: The most of them that are named one by one, and the list that has all.
_MAX_ENDING = 5
_ENDING_FIRST = LinkFilter(only=Only.NEEDS_ACTION, sort=SortBy.ENDS, descending=False)
#: The panel is built again after these seconds even if the change token is the same. Time
#: alone changes the panel when a link ends soon, and PostgreSQL may commit an event after one with a higher number.
_REBUILD_SECONDS = 60


def home_panel(cards: Sequence[LinkCard]) -> HomePanel:
    """Build the live region of the first page; `cards` are its recent links."""
    token = change_token()  # Read first: a change during the reads below must make the next poll read again.
    with current_services().store.read() as connection:
        paid = _paid_since(paid_notifications.unseen(connection, person_id(), _MAX_CARDS))
        day = _figures(connection) if cards else ()
    attention = tuple(_attention())
    shown = fingerprint((day, paid, tuple((item.words, item.address, item.action, item.meaning) for item in attention)))
    return HomePanel(
        figures=day,
        paid=paid,
        attention=attention,
        poll_seconds=poll_seconds(),
        seen=f"{shown}.{token}",
        title=texts.PAID_TITLE.format(count=paid.count) if paid.count else texts.TITLE,
        links_mark=fingerprint(cards),
    )


def _figures(connection: Connection) -> tuple[Figure, ...]:
    """Add up the figures of the day, each with the list that has exactly its links."""
    yesterday = today() - timedelta(days=1)
    tomorrow = start_of_tomorrow(current_services().clock(), zone())
    found = figures.figures(connection, tomorrow, start_of(yesterday, zone()))
    lists = {
        texts.OPEN: (found.open, LinkFilter(only=Only.OPEN)),
        texts.ENDS_TODAY: (found.ends_today, LinkFilter(only=Only.ENDS_TODAY)),
        texts.NOT_SENT: (found.not_sent, LinkFilter(only=Only.NOT_SENT)),
        texts.COLLECTED: (found.collected, LinkFilter(states=(PAID,), day_of=DayOf.PAID, first_day=yesterday)),
    }
    return tuple(
        Figure(str(words), *total, url_for("links.index", **filters.write(asked)))
        for words, (total, asked) in lists.items()
    )


def change_token() -> str:
    """Return a token that stays the same while a poll of the first page need not read anything else."""
    services = current_services()
    with services.store.read() as connection:
        stored = stored_token(connection, person_id())
    return fingerprint((stored, int(services.clock().timestamp() // _REBUILD_SECONDS)))


def poll_seconds() -> int:
    """Return the polling interval of the first page, in whole seconds."""
    return whole_seconds(current_services().schedule.poll)


def wants_notifications() -> bool:
    """Return whether the signed-in person wants the browser to notify them of paid links."""
    with current_services().store.read() as connection:
        return paid_notifications.is_wanted(connection, person_id())


def notifications(after: datetime) -> PaidNotifications:
    """Build the notifications of the signed-in person's unseen links that were paid after a moment."""
    with current_services().store.read() as connection:
        unseen = paid_notifications.unseen(connection, person_id(), _MAX_CARDS)
    fresh = tuple(card for card in _cards(unseen) if card.paid_since > after)
    newest = max([card.paid_since for card in fresh], default=after)
    return PaidNotifications(fresh, unseen.count, newest.isoformat(), poll_seconds())


def _paid_since(unseen: UnseenPaid) -> PaidSince:
    cards = _cards(unseen)
    until = cards[0].paid_since.isoformat() if cards else ""
    return PaidSince(cards[:_IN_VIEW], cards[_IN_VIEW:], unseen.count, unseen.sum, until)


def _cards(unseen: UnseenPaid) -> tuple[PaidCard, ...]:
    return tuple(
        PaidCard(link.id, spaced(link.rc) if link.rc else None, link.total, link.paid_since, link.paid_at)
        for link in unseen.links
    )


def _attention() -> Iterator[AttentionItem]:
    """List what waits for a person, the most urgent kind first."""
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        states = (IntentState.NEEDS_ATTENTION, IntentState.UNKNOWN, IntentState.SENDING)
        unclear = intents.in_states(connection, states, but_released=True)
        released = releases.still_resolving(connection)
        duplicated = [row for row in duplicates.unacknowledged(connection) if row.id == row.alarm_of]
        ending = links.ending_between(connection, now, now + _ENDS_SOON)
    for intent in unclear:
        yield AttentionItem(
            words=texts.OUTCOME_UNCLEAR.format(plate=spaced(intent.rc)),
            address=url_for("creation.request_page", request_id=intent.id),
            action=texts.OPEN_REQUEST,
            since=intent.prepared_at,
            meaning="wrong" if intent.state == IntentState.NEEDS_ATTENTION else "waiting",
        )
    for alarmed in duplicated:
        yield AttentionItem(
            words=texts.DUPLICATE_LINKS.format(plate=_plate(alarmed.rc)),
            address=url_for("links.show", link_id=alarmed.id),
            action=texts.OPEN_LINK,
            since=alarmed.status_since,
            meaning="wrong",
        )
    live = [link for link in ending if is_live(link.status)]
    for link in live[:_MAX_ENDING]:
        if link.expires_at is not None:
            yield AttentionItem(
                words=texts.ENDS_SOON.format(plate=_plate(link.rc), moment=format_moment(link.expires_at)),
                address=url_for("links.show", link_id=link.id),
                action=texts.OPEN_LINK,
                since=link.made_at,
            )
    if len(live) > _MAX_ENDING:
        yield AttentionItem(
            words=str(texts.MORE_END_SOON),
            address=url_for("links.index", **filters.write(_ENDING_FIRST)),
            action=str(texts.OPEN_LIST),
        )
    if current_user.may_open("fleet.index") and (new := _fleet_news()):
        yield AttentionItem(
            words=texts.new_challans(new.challans),
            address=run_address(new.run_id),
            action=str(texts.OPEN_SEARCH),
            meaning="neutral",
        )
    # Last, and neutral: a manager handles it, so other people need not act.
    for intent in released:
        yield AttentionItem(
            words=texts.CLAIMS_RELEASED.format(plate=spaced(intent.rc), manager=release.released_by(intent)),
            address=url_for("creation.request_page", request_id=intent.id),
            action=texts.OPEN_REQUEST,
            since=intent.released_at or intent.prepared_at,
            meaning="neutral",
        )


def _fleet_news() -> FleetNews | None:
    """Return what searches of the fleet that began yesterday or today have found."""
    yesterday = start_of(today() - timedelta(days=1), zone())
    with current_services().store.read() as connection:
        return news.found_since(connection, yesterday)


def _plate(rc: str | None) -> str:
    return spaced(rc) if rc else texts.LINK_WITHOUT_VEHICLE
