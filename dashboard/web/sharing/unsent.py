"""Tell which links that nobody was given can be sent at once, for the first page."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from dashboard.domain.phones import is_phone
from dashboard.store.sharing import drivers, follow_ups, shares
from dashboard.store.sharing.follow_ups import FollowUpLink
from dashboard.web.links.list_page import PAGE_SIZE
from dashboard.web.links.payment import undoable
from dashboard.web.shared.current import current_services
from dashboard.web.sharing.reminder_address import queue_address, queue_of

#: Of links that nobody was given every share counts, so that the address is the same for as long as they are.
_EVER = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True, slots=True)
class UnsentLinks:
    """Count the links that nobody was given and whose drivers one tap reaches; `without_driver` are the others.

    `address` is where they are sent, message by message; "" where there are none.
    """

    links: int
    without_driver: tuple[FollowUpLink, ...]
    address: str


def unsent_links(connection: Connection) -> UnsentLinks:
    """Return the links that wait and that nobody was given, as the queue sends them; as many as a page of it has."""
    waiting = follow_ups.unsent(connection, current_services().clock(), PAGE_SIZE)
    usual = drivers.of_vehicles(connection, {link.rc for link in waiting if link.rc})
    opened = shares.unconfirmed_of_links(connection, [link.id for link in waiting])
    # One message names all links of a driver.
    messages: dict[int, list[str]] = defaultdict(list)
    without_driver = []
    for link in waiting:
        known = usual.get(link.rc or "", [])
        if len(known) != 1:
            without_driver.append(link)
        elif known[0].phone and is_phone(known[0].phone) and not undoable(opened.get(link.id)):
            messages[known[0].id].append(link.id)
    link_ids = [link_id for each in messages.values() for link_id in each]
    return UnsentLinks(
        len(link_ids), tuple(without_driver), queue_address(queue_of(link_ids, _EVER)) if link_ids else ""
    )
