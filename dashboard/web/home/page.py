"""Build the first page: what was paid while its reader was away, and what waits for a person."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import cache, partial

from flask import g
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.registration import spaced
from dashboard.store.home import paid_notifications
from dashboard.store.home.change_token import change_token as stored_token
from dashboard.store.home.paid_notifications import UnseenPaid
from dashboard.store.sharing import shares
from dashboard.web.home import attention_duplicates, texts
from dashboard.web.home.attention import attention
from dashboard.web.home.figures import figures_of_the_day
from dashboard.web.home.records import HomePanel, PaidCard, PaidNotifications, PaidSince
from dashboard.web.links import rows
from dashboard.web.links.list_records import LinkRow
from dashboard.web.shared.banner import silent_since
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.live import whole_seconds
from dashboard.web.sharing.unsent import unsent_links

#: The most links paid since a person left that the page has, and how many of them are in view.
_MAX_CARDS, _IN_VIEW = 12, 3
#: The panel is built again after these seconds even if the change token is the same. Time
#: alone changes the panel when a link ends soon, and PostgreSQL may commit an event after one with a higher number.
_REBUILD_SECONDS = 60


def home_panel(connection: Connection) -> tuple[HomePanel, tuple[LinkRow, ...]]:
    """Build the live region of the first page, and the rows of its recent links."""
    token = change_token(connection)  # Read first: a change during the reads below must make the next poll read again.
    unseen = paid_notifications.unseen(connection, person_id(), _MAX_CARDS)
    recent, paid = _recent(connection, unseen), _paid_since(connection, unseen)
    unsent = cache(partial(unsent_links, connection))
    day = tuple(figures_of_the_day(connection, recent, unsent)) if recent else ()
    waits = tuple(attention(connection, unsent))
    shown = fingerprint((day, paid, waits))
    panel = HomePanel(
        figures=day,
        paid=paid,
        attention=waits,
        is_grave=any(item.meaning == "wrong" for item in waits),
        poll_seconds=poll_seconds(),
        seen=f"{shown}.{token}",
        title=texts.PAID_TITLE.format(count=paid.count) if paid.count else texts.TITLE,
        links_mark=links_mark(recent),
    )
    return panel, recent


def recent_links(connection: Connection) -> tuple[LinkRow, ...]:
    """Build the rows of the recent links; those that are listed as newly paid stand there alone."""
    return _recent(connection, paid_notifications.unseen(connection, person_id(), _MAX_CARDS))


def links_mark(recent: Sequence[LinkRow]) -> str:
    """Return the fingerprint of the recent links, which say when they were checked last while no call is made."""
    return fingerprint((recent, silent_since(current_services())))


def _recent(connection: Connection, unseen: UnseenPaid) -> tuple[LinkRow, ...]:
    """Those that can still be paid come first, newest first; the others in the order of the moments that they show."""
    recent = rows.recent(connection, without={link.id for link in unseen.links})
    still_open = [row for row in recent if row.is_open]
    over = sorted((row for row in recent if not row.is_open), key=_over_at, reverse=True)
    recent = (*still_open, *over)
    return tuple(replace(row, noted_by=attention_duplicates.noted_by(connection, row)) for row in recent)


def _over_at(row: LinkRow) -> datetime:
    """Return when a link was paid or ended, or else when it was created or found."""
    return row.card.when.at or row.card.created_at


def change_token(connection: Connection) -> str:
    """Return a token that stays the same while a poll of the first page need not read anything else."""
    now = current_services().clock()
    return fingerprint((stored_token(connection, person_id(), now), int(now.timestamp() // _REBUILD_SECONDS)))


def poll_seconds() -> int:
    """Return the polling interval of the first page, in whole seconds."""
    return whole_seconds(current_services().schedule.poll)


def wants_notifications() -> bool:
    """Return whether the signed-in person wants the browser to notify them of paid links, read once for a request."""
    if "wants_notifications" not in g:
        with current_services().store.read() as connection:
            g.wants_notifications = paid_notifications.is_wanted(connection, person_id())
    return bool(g.wants_notifications)


def notifications(after: datetime) -> PaidNotifications:
    """Build the notifications of the signed-in person's unseen links that were paid after a moment."""
    with current_services().store.read() as connection:
        unseen = paid_notifications.unseen(connection, person_id(), _MAX_CARDS)
    fresh = tuple(card for card in _cards(unseen) if card.paid_since > after)
    newest = max([card.paid_since for card in fresh], default=after)
    return PaidNotifications(fresh, unseen.count, newest.isoformat(), poll_seconds())


def _paid_since(connection: Connection, unseen: UnseenPaid) -> PaidSince:
    given = shares.newest_of_links(connection, [link.id for link in unseen.links])
    cards = tuple(
        replace(card, driver=given[card.id].driver_name if card.id in given else None) for card in _cards(unseen)
    )
    until = cards[0].paid_since.isoformat() if cards else ""
    return PaidSince(cards[:_IN_VIEW], cards[_IN_VIEW:], unseen.count, unseen.sum, until)


def _cards(unseen: UnseenPaid) -> tuple[PaidCard, ...]:
    return tuple(
        PaidCard(link.id, spaced(link.rc) if link.rc else None, link.total, link.paid_since, link.paid_at)
        for link in unseen.links
    )
