"""Tell which links that nobody was given can be sent at once, and which of them wait for a driver of their vehicle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection

from dashboard.domain.phones import is_phone
from dashboard.store.links import duplicates, links
from dashboard.store.sharing import driverless, drivers, follow_ups, shares
from dashboard.store.sharing.driverless import DriverlessLink
from dashboard.store.sharing.follow_ups import FollowUpLink
from dashboard.web.links.list_page import PAGE_SIZE
from dashboard.web.links.list_texts import why_not
from dashboard.web.links.payment import undoable
from dashboard.web.links.records import PaymentAddress
from dashboard.web.links.rows import payment_of
from dashboard.web.shared.current import current_services
from dashboard.web.sharing.reminder_address import queue_address, queue_of

#: Of links that nobody was given every share counts, so that the address is the same for as long as they are.
_EVER = datetime.fromtimestamp(0, UTC)
#: So many links are compared at a time.
_COMPARED = 200


@dataclass(frozen=True, slots=True)
class UnsentLinks:
    """Count the links that nobody was given and whose drivers one tap reaches; `without_driver` lack one.

    `address` is where they are sent, message by message; "" where there are none. `withheld` must not be shared, and
    `why_withheld` says why where it is the same for all. Of those `to_confirm` the signed-in person is asked whether
    they were sent.
    """

    links: int
    without_driver: tuple[FollowUpLink, ...]
    address: str
    withheld: tuple[FollowUpLink, ...]
    why_withheld: str
    to_confirm: int


def unsent_links(connection: Connection) -> UnsentLinks:
    """Return the links that wait and that nobody was given, as the queue sends them; as many as a page of it has."""
    found = follow_ups.unsent(connection, current_services().clock(), PAGE_SIZE)
    if not found:
        return UnsentLinks(0, (), "", (), "", 0)
    to_check = follow_ups.to_check_of(connection, [link.id for link in found])
    waiting = [link for link in found if link.id not in to_check]
    withheld = _withheld(connection, [link.id for link in waiting])
    usual = drivers.of_vehicles(connection, {link.rc for link in waiting if link.rc})
    opened = shares.unconfirmed_of_links(connection, [link.id for link in waiting])
    # One message names all links of a driver.
    messages: dict[int, list[str]] = defaultdict(list)
    without_driver = []
    asked = {link_id for link_id, share in opened.items() if link_id not in withheld and undoable(share)}
    for link in waiting:
        if link.id in withheld or link.id in asked:
            continue
        known = usual.get(link.rc or "", [])
        if len(known) != 1:
            if link.id not in opened:
                without_driver.append(link)
        elif known[0].phone and is_phone(known[0].phone):
            messages[known[0].id].append(link.id)
    link_ids = [link_id for each in messages.values() for link_id in each]
    address = queue_address(queue_of(link_ids, _EVER)) if link_ids else ""
    left_out = tuple(link for link in waiting if link.id in withheld)
    reasons = {why_not(payment) for payment in withheld.values()}
    why = reasons.pop() if len(reasons) == 1 else ""
    return UnsentLinks(len(link_ids), tuple(without_driver), address, left_out, why, len(asked))


def withheld_reminders(connection: Connection) -> int:
    """Count the links that end within a day, that somebody was given, and that can be sent no more."""
    waiting = follow_ups.reminders(connection, current_services().clock(), PAGE_SIZE)
    return len(_withheld(connection, [link.id for link in waiting]))


def without_driver(connection: Connection) -> Iterator[DriverlessLink]:
    """Return the links that wait for a driver of their vehicle and can be sent; those that end first come first."""
    found = driverless.links(connection, current_services().clock())
    for at in range(0, len(found), _COMPARED):
        some = found[at : at + _COMPARED]
        link_ids = [link.id for link in some]
        left_out = not_to_send(connection, link_ids) | shares.unconfirmed_of_links(connection, link_ids).keys()
        yield from (link for link in some if link.id not in left_out)


def several_without_driver(connection: Connection) -> bool:
    """Return whether the links that `without_driver` returns are of several vehicles."""
    found = without_driver(connection)
    first = next(found, None)
    return first is not None and any(link.rc != first.rc for link in found)


def not_to_send(connection: Connection, link_ids: Sequence[str]) -> Set[str]:
    """Return those of these links that nobody can be sent now: their pages say why, or what to check first."""
    found: set[str] = set()
    for at in range(0, len(link_ids), _COMPARED):
        some = link_ids[at : at + _COMPARED]
        found |= _withheld(connection, some).keys() | follow_ups.to_check_of(connection, some)
    return found


def _withheld(connection: Connection, link_ids: Sequence[str]) -> dict[str, PaymentAddress]:
    """Return the payment URLs of those of these links that must not be shared, as their pages say."""
    found, others = links.find_all(connection, link_ids), duplicates.of_links(connection, link_ids)
    payments = {each.id: payment_of(each, others.get(each.id, [])) for each in found.values()}
    return {link_id: payment for link_id, payment in payments.items() if payment is not None and not payment.copyable}
