"""Build the live region of a vehicle's page: its links, and whether the list of challans is out of date."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.links import is_live
from dashboard.domain.money import add_up
from dashboard.store.creation import intents
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.vehicles import vehicles
from dashboard.store.vehicles.vehicles import Vehicle
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.live import whole_seconds
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.records import VehicleLink, VehiclePanel

#: A link that can no longer be paid stays on the page of its vehicle for this long.
_ENDED_SHOWN_FOR = timedelta(hours=24)
#: A link that only a search has shown is checked within seconds, and the region asks that often what came of it.
_UNREAD_FOR, _UNREAD_POLL = timedelta(minutes=2), timedelta(seconds=2)


def vehicle_panel(rc: str, drawn: str | None, *, listed: bool) -> VehiclePanel | None:
    """Show the live region again next to a list drawn at `drawn`; None when the vehicle was never searched.

    `listed` says whether the page lists challans.
    """
    with current_services().store.read() as connection:
        vehicle = vehicles.find(connection, rc)
        return None if vehicle is None else build(connection, vehicle, drawn, listed=listed)


def build(connection: Connection, vehicle: Vehicle, drawn: str | None, *, listed: bool) -> VehiclePanel:
    """Build the live region next to a list drawn at `drawn`, or now."""
    services = current_services()
    now = services.clock()
    known = links.of_vehicle(connection, vehicle.rc)
    shown = [each for each in known if is_live(each.status) or now - each.status_since < _ENDED_SHOWN_FOR]
    counts = links.challan_counts(connection, shown) if shown else {}
    open_requests = sorted(each.id for each in intents.open_of_vehicle(connection, vehicle.rc))
    current = ".".join(
        fingerprint((facet,))
        for facet in (vehicle.searched_at, [(each.id, each.status) for each in known], open_requests)
    )
    drawn = drawn or current
    live = [each for each in shown if is_live(each.status)]
    ended: dict[str, list[Link]] = {}
    for each in shown:
        if not is_live(each.status):
            ended.setdefault(each.status, []).append(each)
    cards = tuple(_card(vehicle.rc, each, counts, now) for each in ([[one] for one in live] + list(ended.values())))
    return VehiclePanel(
        rc=vehicle.rc,
        links=cards,
        outdated=_outdated(vehicle, drawn.split("."), current.split(".")),
        poll_seconds=whole_seconds(_UNREAD_POLL if any(each.is_unread for each in cards) else services.schedule.poll),
        seen=fingerprint((current, cards)),
        drawn=drawn,
        listed=listed,
    )


def _card(rc: str, same: Sequence[Link], counts: Mapping[str, int | None], now: datetime) -> VehicleLink:
    """Show links of one state; several lead to the list of them."""
    first, addresses = same[0], tuple(url_for("links.show", link_id=each.id) for each in same)
    of_all = url_for("links.index", vehicle=rc, state=first.status)
    return VehicleLink(
        address=addresses[0] if len(same) == 1 else of_all,
        addresses=addresses,
        state=shared_texts.state_of(first),
        sum=add_up(each.total for each in same),
        is_live=is_live(first.status),
        challans=counts[first.id],
        expires_at=first.expires_at,
        since=max(each.status_since for each in same),
        is_unread=not first.detailed and first.failed_at is None and now - first.first_seen_at < _UNREAD_FOR,
    )


def _outdated(vehicle: Vehicle, drawn: list[str], current: list[str]) -> tuple[str, ...]:
    """Say what has happened since the list was drawn, from the fingerprints of then and now."""
    if len(drawn) != len(current):  # The address was typed, or comes from a page of another version.
        return (texts.LIST_MAY_BE_OLD,)
    searched, links_changed, requests_changed = (was != now for was, now in zip(drawn, current, strict=True))
    said = []
    if searched:
        by = names().get(vehicle.searched_by) if vehicle.searched_by else None
        said.append(texts.searched_again(format_moment(vehicle.searched_at), by))
    if links_changed:
        said.append(texts.LINK_STATE_CHANGED)
    if requests_changed:
        said.append(texts.REQUEST_CHANGED)
    return tuple(said)
