"""Build what a review says of the links that hold selected challans already: a colleague was faster, or another tab."""

from __future__ import annotations

from collections.abc import Sequence

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.challans import EligibilityReason
from dashboard.domain.links import is_live
from dashboard.domain.money import add_up
from dashboard.services.links import doubts
from dashboard.services.links.duplicates import has_paid_duplicate
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import follow_ups, shares
from dashboard.web.creation import holding_texts as texts
from dashboard.web.creation import wait_texts
from dashboard.web.creation.records import HoldingLink
from dashboard.web.links import texts as link_texts
from dashboard.web.links.payment import payment_address, sent_last
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import format_moment, name_of, person_id
from dashboard.web.vehicles.texts import NO_NUMBER

_ON_LINKS = (EligibilityReason.LIVE_LINK, EligibilityReason.PAID_LINK)


def is_on_link(item: ListedChallan) -> bool:
    """Return whether a link holds the challan that is known here."""
    return item.link is not None and item.eligibility.reason in _ON_LINKS


def build(connection: Connection, held: Sequence[ListedChallan], *, are_all: bool) -> tuple[HoldingLink, ...]:
    """Show each link that holds some of the challans `held`, which are all that was selected or not."""
    of_link: dict[str, list[ListedChallan]] = {}
    known: dict[str, Link] = {}
    for item in held:
        if item.link is not None:
            known[item.link.id] = item.link
            of_link.setdefault(item.link.id, []).append(item)
    counts = links.challan_counts(connection, known.values()) if known else {}
    is_one = len(known) == 1
    sent = _sent(connection, list(known))
    unsent = [row for row in known.values() if is_one and are_all and not sent[row.id] and _is_sound(connection, row)]
    return tuple(
        HoldingLink(
            address=url_for("links.show", link_id=row.id),
            words=_words(row, len(held), are_all=are_all) if is_one else _made_by(row),
            state=shared_texts.state_of(row),
            sum=add_up([row.total]),
            challans=counts[row.id],
            expires_at=row.expires_at if is_live(row.status) else None,
            numbers=tuple(item.challan.challan_no or str(NO_NUMBER) for item in of_link[row.id]),
            made=wait_texts.made(_maker(row), row.made_at) if is_one else "",
            sent=sent[row.id],
            is_observed=row.is_observed,
            send=url_for("sharing.show", link_id=row.id) if row in unsent else "",
        )
        for row in known.values()
    )


def _sent(connection: Connection, link_ids: Sequence[str]) -> dict[str, str]:
    """Say to whom each link was sent last, or that it was only copied; "" of one that nobody was given."""
    if not link_ids:
        return {}
    newest = {each: [share] for each, share in shares.newest_of_links(connection, link_ids).items()}
    # How often the only one was sent is said, too.
    given = {each: shares.of_link(connection, each) for each in newest} if len(link_ids) == 1 else newest
    copied = only_copied(connection, link_ids)
    return {each: sent_last(given[each]) if each in given else copied.get(each, "") for each in link_ids}


def only_copied(connection: Connection, link_ids: Sequence[str]) -> dict[str, str]:
    """Say of each link whose payment URL a person copied when that was; for those that were not sent otherwise."""
    return {each: link_texts.copied_only(at) for each, at in follow_ups.copied_at(connection, link_ids).items()}


def _is_sound(connection: Connection, row: Link) -> bool:
    """Return whether a link can be sent, and nothing is to be checked before."""
    payment = payment_address(row, has_paid_duplicate(connection, row.id))
    return payment.copyable and doubts.of_link(connection, row) is None


def _words(row: Link, count: int, *, are_all: bool) -> str:
    """Say of the only link that it holds all of the selected challans, or who made it for which of them."""
    if are_all:
        return texts.on_this_link(count)
    own = row.person_id == person_id()
    return texts.link_made(_maker(row), format_moment(row.made_at), texts.which(count), own=own)


def _made_by(row: Link) -> str:
    return texts.made_by(_maker(row), format_moment(row.made_at), own=row.person_id == person_id())


def _maker(row: Link) -> str | None:
    return name_of(row.person_id) if row.person_id is not None else None


def summary(holders: Sequence[HoldingLink], count: int, of: int) -> str:
    """Say that links hold so many `of` the selected challans; "" where none does."""
    if len(holders) > 1:
        return texts.on_links(len(holders), count, of)
    return holders[0].words if holders else ""
