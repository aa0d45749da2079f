"""List the links that wait for a person, for the first page: those that end soon, or are odd."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.follow_up import LAST_HOURS
from dashboard.domain.link_filters import URGENT, LinkFilter
from dashboard.domain.links import is_live
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import follow_ups, shares
from dashboard.store.sharing.follow_ups import FollowUpLink
from dashboard.store.sharing.shares import Share
from dashboard.web.home import texts
from dashboard.web.home.records import AttentionItem
from dashboard.web.links import filters, list_texts, rows
from dashboard.web.links.list_page import PAGE_SIZE
from dashboard.web.links.list_records import LinkRow
from dashboard.web.shared.current import current_services, format_moment, format_near_day
from dashboard.web.sharing.texts import sent_brief

#: An unpaid link needs attention this long before it ends, which is when Follow up reminds sooner.
_ENDS_SOON = LAST_HOURS
#: The most of them that are named one by one, among so many that are compared, and the list that has all.
_MAX_ENDING, _MAX_COMPARED = 5, 200
#: The most links to check that are named one by one; of more, how many are, beside a list of the others.
_MAX_TO_CHECK, _NAMED = 5, 3


def ending(connection: Connection) -> Iterator[AttentionItem]:
    """List the links that end soon: first those that wait, last those that were sent lately or are snoozed."""
    now = current_services().clock()
    found = links.ending_between(connection, now, now + _ENDS_SOON, _MAX_COMPARED)
    live = [link for link in found if is_live(link.status)]
    if not live:
        return
    ids = [link.id for link in live]
    resting = follow_ups.resting(connection, now, ids)
    put_off = resting.union(follow_ups.snoozed_until(connection, now, ids))
    live.sort(key=lambda link: link.id in put_off)
    shown = live[:_MAX_ENDING]
    sent = shares.newest_of_links(connection, [link.id for link in shown if link.id in resting])
    for link, row in zip(shown, rows.rows(connection, shown), strict=True):
        if link.expires_at is not None:
            yield _ends_soon(row, format_moment(link.expires_at), sent)
    if len(live) > _MAX_ENDING:
        yield AttentionItem(
            words=str(texts.MORE_END_SOON),
            address=url_for("links.index", **filters.write(URGENT)),
            action=str(texts.OPEN_LIST),
        )


def _ends_soon(row: LinkRow, at: str, resting: Mapping[str, Share]) -> AttentionItem:
    item = AttentionItem(
        words=texts.not_sent_ends(at) if row.is_unsent and row.payment else texts.ends(at),
        address=url_for("links.show", link_id=row.card.id),
        action=str(texts.OPEN_LINK),
        plate=row.card.plate or "",
        total=row.card.total,
        driver=row.driver,
        link_id=row.card.id,
    )
    if row.snoozed_until:
        return replace(item, meaning="ended", done=texts.snoozed_till(format_near_day(row.snoozed_until)))
    if share := resting.get(row.card.id):
        done = f"{sent_brief(share.channel)} {format_moment(share.at)}"
        return replace(item, meaning="ended", done=done, was_sent=True)
    if row.has_paid_duplicate:
        return replace(item, meaning="ended", done=row.why_not)
    if row.why_not:
        return replace(item, act=str(texts.CHECK_FIRST_BUTTON), act_address=item.address)
    if not row.payment:
        return item
    if row.is_doubtful:
        return replace(item, act=str(texts.CHECK_FIRST_BUTTON), act_address=item.address) if row.is_unsent else item
    if row.driver_id:
        return replace(item, driver_id=row.driver_id, verb="remind" if row.is_sent else "send")
    if not row.driver and not row.is_sent:
        return replace(item, sends_to=True)
    return replace(item, act=str(texts.SHARE), act_address=url_for("sharing.show", link_id=row.card.id))


def to_check(
    connection: Connection, withheld: Sequence[FollowUpLink], listed: Container[str]
) -> Iterator[AttentionItem]:
    """List the links that nobody was given and that are checked first, and those `withheld`, which cannot be sent.

    They are those that the figure of what was not sent counts so, without what is `listed` already.
    """
    doubtful = [link for link in follow_ups.to_check_first(connection, PAGE_SIZE) if link.id not in listed]
    found = links.find_all(connection, [link.id for link in withheld if link.id not in listed]) if withheld else {}
    others = [found[link.id] for link in withheld if link.id in found]
    named = [*_named(doubtful), *_named(others)]
    shown = {row.card.id: row for row in rows.rows(connection, named)}
    yield from (_to_check(shown[link.id], _check_because) for link in _named(doubtful))
    yield from _rest(doubtful, texts.more_to_check)
    yield from (_to_check(shown[link.id], _withheld_because) for link in _named(others))
    yield from _rest(others, texts.more_cannot_be_sent)


def _named(found: Sequence[Link]) -> Sequence[Link]:
    return found if len(found) <= _MAX_TO_CHECK else found[:_NAMED]


def _rest(found: Sequence[Link], words: Callable[[int], str]) -> Iterator[AttentionItem]:
    """Lead to exactly those that are not named."""
    if others := tuple(link.id for link in found[len(_named(found)) :]):
        address = url_for("links.index", **filters.write(LinkFilter(chosen=others)))
        yield AttentionItem(words=words(len(others)), address=address, action=str(texts.OPEN_LIST))


def _to_check(row: LinkRow, words: Callable[[LinkRow], str]) -> AttentionItem:
    return AttentionItem(
        words=words(row),
        address=url_for("links.show", link_id=row.card.id),
        action=str(texts.OPEN_LINK),
        plate=row.card.plate or "",
        total=row.card.total,
        link_id=row.card.id,
        act=str(texts.CHECK_NOW),
        act_address=url_for("links.check", link_id=row.card.id),
        checks=True,
    )


def _check_because(row: LinkRow) -> str:
    return texts.check_because(row.why_withheld)


def _withheld_because(row: LinkRow) -> str:
    return list_texts.withheld_because(row.why_not)
