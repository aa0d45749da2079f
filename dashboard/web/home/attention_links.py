"""List the links that wait for a person, for the first page: those that end soon, or are odd."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import replace

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.follow_up import LAST_HOURS
from dashboard.domain.link_filters import URGENT, LinkFilter, Only
from dashboard.domain.links import is_live
from dashboard.store.links import links
from dashboard.store.sharing import follow_ups, shares
from dashboard.store.sharing.shares import Share
from dashboard.web.home import texts
from dashboard.web.home.records import AttentionItem
from dashboard.web.links import filters, list_texts, rows
from dashboard.web.links.list_records import LinkRow
from dashboard.web.shared.current import current_services, format_moment, format_near_day
from dashboard.web.sharing.texts import sent_brief

#: An unpaid link needs attention this long before it ends, which is when Follow up reminds sooner.
_ENDS_SOON = LAST_HOURS
#: The most of them that are named one by one, among so many that are compared, and the list that has all.
_MAX_ENDING, _MAX_COMPARED = 5, 200
#: The most links to check first that are named one by one, and the list that has all.
_MAX_TO_CHECK = 5
_TO_CHECK = LinkFilter(only=Only.CHECK_FIRST)


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


def to_check_first(connection: Connection, listed: Container[str]) -> Iterator[AttentionItem]:
    """List the doubtful links that nobody was given, without those that are `listed` already."""
    found = follow_ups.to_check_first(connection, _MAX_TO_CHECK + 1)
    unlisted = [link for link in found[:_MAX_TO_CHECK] if link.id not in listed]
    for row in rows.rows(connection, unlisted) if unlisted else ():
        yield AttentionItem(
            words=list_texts.withheld_because(row.why_not) if row.why_not else texts.check_because(row.doubt),
            address=url_for("links.show", link_id=row.card.id),
            action=str(texts.OPEN_LINK),
            plate=row.card.plate or "",
            total=row.card.total,
            link_id=row.card.id,
        )
    if len(found) > _MAX_TO_CHECK:
        yield AttentionItem(
            words=str(texts.MORE_TO_CHECK),
            address=url_for("links.index", **filters.write(_TO_CHECK)),
            action=str(texts.OPEN_LIST),
        )
