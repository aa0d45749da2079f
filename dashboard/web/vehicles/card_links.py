"""Add to known vehicles in a list their drivers and their links: the last one, and what is to be done of it first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import replace

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.links import is_ended, is_live
from dashboard.domain.phones import shown as phone_of
from dashboard.services.links import doubts
from dashboard.store.creation import claims
from dashboard.store.links import ended_links, links
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, follow_ups, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.web.links import cards as link_cards
from dashboard.web.shared import texts as shared_texts
from dashboard.web.vehicles.records import LastLink, UsualDriver, VehicleCard


def with_links(connection: Connection, found: Sequence[VehicleCard]) -> tuple[VehicleCard, ...]:
    """Add the usual drivers of each vehicle, the request that may have created a link of it, and its last link, or the
    one that is to be checked before another.
    """
    rcs = [card.rc for card in found]
    unclear = claims.requests_of_vehicles(connection, [card.rc for card in found if card.is_being_checked])
    usual, newest = drivers.of_vehicles(connection, rcs), links.newest_of_vehicles(connection, rcs)
    live = [link for link in newest.values() if is_live(link.status)]
    ids, doubtful = [link.id for link in live], doubts.before_sending(connection, live)
    given = {*shares.newest_of_links(connection, ids), *follow_ups.copied_at(connection, ids)} if ids else set()
    over = {rc for rc, link in newest.items() if is_ended(link.status)}
    payable = [challan_id for card in found if card.rc in over for challan_id in card.payable_ids]
    was_on = defaultdict[str, set[str]](set)
    for challan_id, link in ended_links.ended_on(connection, payable) if payable else []:
        was_on[link.id].add(challan_id)

    def last_link(card: VehicleCard) -> LastLink | None:
        link = newest.get(card.rc)
        shown = link if link is not None and is_live(link.status) else card.failed or link
        return _last_link(shown, given, doubtful)

    return tuple(
        replace(
            card,
            drivers=usual_drivers(usual.get(card.rc, [])),
            link=last_link(card),
            request=url_for("creation.request_page", request_id=unclear[card.rc]) if card.rc in unclear else "",
            created_again=_created_again(card, newest.get(card.rc), was_on),
        )
        for card in found
    )


def _created_again(card: VehicleCard, newest: Link | None, was_on: Mapping[str, Set[str]]) -> str:
    """Return the id of the last link of a vehicle, where it has ended and all that can be paid was on it: a link on
    that is this one again, and is called so beside the link too.
    """
    if newest is None or newest.is_unknown or not is_ended(newest.status) or not card.payable_ids:
        return ""
    return newest.id if set(card.payable_ids) <= was_on.get(newest.id, set()) else ""


def _last_link(link: Link | None, given: Container[str], doubtful: Container[str]) -> LastLink | None:
    """Show a link with its state, which says what happened at the moment beside it, or with when it ends.

    `given` are the links that somebody was sent, or that were copied, and `doubtful` those to check before that.
    """
    if link is None:
        return None
    is_unsent = is_live(link.status) and not link.is_unknown and link.id not in given
    when = link_cards.when(link).brief
    return LastLink(link.id, shared_texts.state_of(link), when, is_unsent, link.is_observed, link.id in doubtful)


def usual_drivers(found: Sequence[Driver]) -> tuple[UsualDriver, ...]:
    """Show the drivers who are usual for a vehicle."""
    return tuple(UsualDriver(each.id, each.name, phone_of(each.phone) if each.phone else None) for each in found)
