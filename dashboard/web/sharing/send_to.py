"""Say whom a link can be sent to, where no driver is known: the menu of a row, which is read once it is opened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from flask import abort
from sqlalchemy import Connection

from dashboard.domain.phones import is_phone, shown
from dashboard.domain.registration import spaced
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.web.links.payment import number_check
from dashboard.web.shared.current import current_services
from dashboard.web.sharing.driver_typed import known_drivers

#: Where the menu may stand: in the row of a list, in one that ends soon, in a figure of the first page, and where it is
#: chosen who is asked about a failed payment.
PLACES = ("send-to", "ending", "figure", "ask")
#: At most so many drivers are offered by name.
_CANDIDATES = 6


@dataclass(frozen=True, slots=True)
class Candidate:
    """Offer a driver to whom one tap sends a link."""

    driver_id: int
    name: str
    phone: str
    is_usual: bool


@dataclass(frozen=True, slots=True)
class SendTo:
    """Show whom a link can be sent to: `candidates` by one tap, and all `drivers` as they are typed.

    `number_check` is what a typed number looks like, and what is said of anything else, or of a name alone.
    """

    link_id: str
    plate: str | None
    total: Decimal | None
    candidates: tuple[Candidate, ...]
    drivers: tuple[str, ...]
    number_check: tuple[str, str, str]


def send_to(link_id: str) -> SendTo:
    """Return whom a link can be sent to."""
    with current_services().store.read() as connection:
        link = links.find(connection, link_id) or abort(404)
        candidates = tuple(_candidates(connection, link))
    known = tuple(each.typed for each in known_drivers() if each.phone)
    plate = spaced(link.rc) if link.rc else None
    return SendTo(link.id, plate, link.total, candidates, known, number_check(has_drivers=bool(known)))


def _candidates(connection: Connection, link: Link) -> Iterator[Candidate]:
    """Offer drivers for a link: those of its vehicle first, then those who were given links last."""
    rc = link.rc or ""
    usual = drivers.of_vehicle(connection, rc) if rc else []
    last = [*shares.last_drivers(connection, {rc}).get(rc, []), *shares.recent_drivers(connection)]
    present = drivers.present(connection, set(last))
    known = [present[driver_id] for driver_id in last if driver_id in present]
    offered = {each.id: each for each in (*usual, *known) if _has_phone(each)}
    for each in list(offered.values())[:_CANDIDATES]:
        yield Candidate(each.id, each.name, shown(each.phone or ""), each in usual)


def _has_phone(driver: Driver) -> bool:
    return bool(driver.phone and is_phone(driver.phone))
