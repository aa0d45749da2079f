"""List the alarms about duplicate links that nobody has noted, for the first page: what is known, and what to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.intents import UNCLEAR
from dashboard.domain.link_filters import LinkFilter
from dashboard.domain.links import is_live, is_paid
from dashboard.domain.registration import spaced
from dashboard.services.links.duplicates import alarm_of
from dashboard.store.creation.claims import OpenClaim
from dashboard.store.links import duplicates, links
from dashboard.store.links.duplicates import AlarmedLink
from dashboard.store.sharing import follow_ups, shares
from dashboard.web.home import duplicate_texts as texts
from dashboard.web.home.records import AttentionItem
from dashboard.web.home.texts import CHECK_NOW, OPEN_LINK
from dashboard.web.links import filters
from dashboard.web.links.list_records import LinkRow
from dashboard.web.links.related_links import claim_without_link
from dashboard.web.shared.current import name_of


def alarms(connection: Connection, alarmed_links: Sequence[AlarmedLink]) -> Iterator[AttentionItem]:
    """Say of each alarm which of its links are paid, which can still be paid, and what to do."""
    given = _given(connection, [each.id for each in alarmed_links if is_live(each.status)])
    for alarmed in alarmed_links:
        if alarmed.id != alarmed.alarm_of:
            continue
        found = [each for each in alarmed_links if each.alarm_of == alarmed.id]
        item = AttentionItem(
            words=_words(found),
            to_do=_to_do(found, given),
            address=url_for("links.show", link_id=alarmed.id),
            action=str(OPEN_LINK),
            since=alarmed.status_since,
            meaning="wrong",
            plate=spaced(alarmed.rc) if alarmed.rc else "",
            total=alarmed.total,
            link_id=alarmed.id,
        )
        claim = _claim_beside(connection, alarmed) if len(found) == 1 else None
        yield _beside_a_request(item, alarmed, claim) if claim else _compared(item, found)


def noted_by(connection: Connection, row: LinkRow) -> str:
    """Name who noted last what was done about the duplicates of a link; "" while an alarm about it waits."""
    if not row.has_paid_duplicate:
        return ""
    found = alarm_of(connection, row.card.id, duplicates.of_link(connection, row.card.id))
    if found is None or found.unacknowledged or not found.acknowledgements:
        return ""
    return name_of(found.acknowledgements[-1].person_id)


def _claim_beside(connection: Connection, alarmed: AlarmedLink) -> OpenClaim | None:
    """Return a claim of a request, of which nobody knows whether it made a link, on a challan of this link."""
    row = links.find(connection, alarmed.id)
    return claim_without_link(connection, row) if row else None


def _beside_a_request(item: AttentionItem, alarmed: AlarmedLink, claim: OpenClaim) -> AttentionItem:
    """Say of a link alone that such a request has the same challans. A row says both, while nobody is to decide it."""
    to_do = texts.ONLY_ONE if is_live(alarmed.status) else ""
    item = replace(item, words=str(texts.REQUESTED), to_do=str(to_do))
    if is_paid(alarmed.status):
        item = replace(item, words=str(texts.PAID_AND_REQUESTED), to_do=str(texts.NOT_ITS_LINK))
    if claim.state not in UNCLEAR:
        return replace(item, request_id=claim.intent_id)
    address = url_for("creation.check", request_id=claim.intent_id)
    return replace(item, request_id=claim.intent_id, act=str(CHECK_NOW), act_address=address, checks=True)


def _compared(item: AttentionItem, found: Sequence[AlarmedLink]) -> AttentionItem:
    """Lead to all links of an alarm, where it is decided which of those that can be paid is."""
    if sum(is_live(each.status) for each in found) < 2 or any(is_paid(each.status) for each in found):
        return item
    address = url_for("links.index", **filters.write(LinkFilter(chosen=tuple(each.id for each in found))))
    return replace(item, act=texts.compare(len(found)), act_address=address)


def _words(found: Sequence[AlarmedLink]) -> str:
    payable = sum(is_live(each.status) and not each.is_unknown for each in found)
    paid, live = (sum(which(each.status) for each in found) for which in (is_paid, is_live))
    if paid > 1:
        return str(texts.PAID_TWICE)
    if paid and payable:
        return str(texts.PAID_AND_PAYABLE)
    if paid and not live:
        return str(texts.PAID_ONCE)
    return str(texts.BOTH_PAYABLE if payable > 1 else texts.DUPLICATE_LINKS)


def _to_do(found: Sequence[AlarmedLink], given: Mapping[str, str | None]) -> str:
    """Say what to do. A link that the service does not find now may still be paid."""
    live = [each.id for each in found if is_live(each.status)]
    have = [given[link_id] for link_id in live if link_id in given]
    paid = sum(is_paid(each.status) for each in found)
    if paid > 1:
        return str(texts.ASK_SUPPORT)
    if paid and live:
        return texts.do_not_pay(have, len(live))
    return texts.only_one(len(have), len(live)) if len(live) > 1 else ""


def _given(connection: Connection, link_ids: Sequence[str]) -> dict[str, str | None]:
    """Return which of these links somebody has or may have, and the driver who has it, where that is known."""
    if not link_ids:
        return {}
    may_have = follow_ups.newest_copies(connection, link_ids).keys() | shares.unconfirmed_of_links(connection, link_ids)
    # Whoever created one elsewhere may have sent it, too.
    may_have |= {each.id for each in links.find_all(connection, link_ids).values() if each.is_observed}
    sent = shares.newest_of_links(connection, link_ids)
    return dict.fromkeys(may_have) | {each.link_id: each.driver_name for each in sent.values()}
