"""Build the cards of links, which lists show."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial

from sqlalchemy import Connection

from dashboard.domain.links import EXPIRED, is_ended, is_paid
from dashboard.domain.registration import spaced
from dashboard.store.creation import possible_makers
from dashboard.store.links.duplicates import DuplicateLink
from dashboard.store.links.records import Link
from dashboard.web.links import list_texts, texts
from dashboard.web.links.records import LinkCard, When
from dashboard.web.shared.current import current_services, format_near, format_near_day, names
from dashboard.web.shared.records import LinkMention
from dashboard.web.shared.texts import state_of


def cards(connection: Connection, found: Sequence[Link], challans: Mapping[str, int | None]) -> tuple[LinkCard, ...]:
    """Build the cards of links, with how many challans each covers; None where that is not known."""
    possible = possible_makers.of_links(connection, [link.id for link in found])
    return tuple(_card(link, challans.get(link.id), link.id in possible) for link in found)


def _card(link: Link, challans: int | None, possibly_ours: bool) -> LinkCard:
    return LinkCard(
        id=link.id,
        plate=spaced(link.rc) if link.rc else None,
        state=state_of(link),
        total=link.total,
        challans=challans,
        created_at=link.made_at,
        is_found=link.created_at is None,
        created_by=names().get(link.person_id),
        unnamed_maker=texts.MAKER_NOT_SETTLED if possibly_ours else list_texts.CREATED_ELSEWHERE,
        when=when(link),
    )


def when(link: Link) -> When:
    """Say when a link ends, was paid or has ended."""
    if is_paid(link.status):
        if link.paid_at is None:
            return When(str(list_texts.PAID_AT_UNKNOWN), None, str(list_texts.TIME_UNKNOWN))
        return _over(link.paid_at, list_texts.was_paid)
    if is_ended(link.status):
        ended = ended_at(link)
        if ended is None:
            return When(str(list_texts.END_UNKNOWN), None, str(list_texts.TIME_UNKNOWN))
        return _over(ended, partial(list_texts.has_ended, link.status))
    if link.expires_at is None:
        return When(str(list_texts.END_UNKNOWN), None, str(list_texts.END_UNKNOWN))
    should_have = link.expires_at <= current_services().clock()
    say = partial(list_texts.ends, should_have=should_have)
    return When(say(format_near(link.expires_at)), link.expires_at, say(format_near_day(link.expires_at)))


def _over(at: datetime, say: Callable[[str], str]) -> When:
    """Say when a link reached the state that stands beside it."""
    return When(say(format_near(at)), at, format_near_day(at))


def mention(row: Link | DuplicateLink) -> LinkMention:
    """Build the mention of a link on the page of another."""
    total = row.total if isinstance(row, Link) else None
    return LinkMention(row.id, row.made_at, state_of(row), is_found=row.created_at is None, total=total)


def ended_at(link: Link) -> datetime | None:
    """Return since when a link has its state; None of an expired one that only a search has shown, which tells no end.

    That it expired may be seen late, and the service may end it early.
    """
    if link.status != EXPIRED:
        return link.status_since
    return min(link.status_since, link.expires_at) if link.expires_at else None
