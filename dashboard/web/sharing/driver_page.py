"""Build the pages of drivers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from flask import render_template, url_for

from dashboard.domain.languages import LANGUAGES
from dashboard.domain.links import is_live, is_paid
from dashboard.domain.money import add_up
from dashboard.domain.phones import shown
from dashboard.domain.registration import normalize_part, spaced
from dashboard.services.sharing.driver_money import links_by_driver, money_of, still_open, unsent_by_driver
from dashboard.store.links import links
from dashboard.store.sharing import drivers, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.follow_ups import UnsentLink
from dashboard.store.sharing.shares import DriverShare, GivenTo
from dashboard.web.links import rows as link_rows
from dashboard.web.links.list_records import LinkRow
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.sharing import texts
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.page import digits
from dashboard.web.sharing.records import DriverCard, DriversPage, DriversTab, GivenLink, Vehicle
from dashboard.web.sharing.reminder_address import queue_address, queue_of

_NO_DIGIT = re.compile(r"\D+")
#: Fewer digits are rather of a vehicle's number than of a phone's.
_FEWEST_DIGITS = 3
#: Who owes is what the list is opened for; while nobody does, it is by name.
_BY_NAME, _OWES = "name", "owes"
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_HAS: dict[str, Callable[[DriverCard], Any]] = {
    _OWES: lambda card: (card.money.open.total, card.money.open_links),
    "paid": lambda card: (card.money.paid.total, card.money.paid_links),
    "last-paid": lambda card: card.money.last_paid_at or _LONG_AGO,
}


def drivers_page(
    query: str = "", order: str = "", *, owing: bool = False, added: int = 0, vehicle: str = ""
) -> DriversPage:
    """Build the list of the drivers that `query` finds; `order` is by name, or one of `_HAS`.

    Of all who are found, those alone who owe something, where they are asked for. `added` is the id of the driver who
    was just added, and need not be among them. `vehicle` is the RC number whose usual driver is to be chosen.
    """
    with current_services().store.read() as connection:
        present, left = drivers.listed(connection), drivers.listed(connection, left=True)
        vehicles = drivers.vehicles(connection, [driver.id for driver in (*present, *left)])
    given, unsent = links_by_driver(current_services().store), unsent_by_driver(current_services().store)
    drivers_of = _drivers_of(given)

    def cards(listed: Sequence[Driver]) -> tuple[DriverCard, ...]:
        found = [driver for driver in listed if _is_found(driver, vehicles[driver.id], query)]
        return tuple(
            _card(driver, vehicles[driver.id], given, drivers_of, unsent.get(driver.id, [])) for driver in found
        )

    def address(order: str, *, owing: bool = owing) -> str:
        sort = None if order == usual else order
        return url_for("sharing.drivers", q=query or None, sort=sort, owes="yes" if owing else None)

    active, former = cards(present), cards(left)
    found, owe = len(active) + len(former), sum(card.money.open_links > 0 for card in (*active, *former))
    usual = _OWES if any(still_open(listed) for listed in given.values()) else _BY_NAME
    order = order if order in (_BY_NAME, *_HAS) else usual
    # The lists of the store are by name, and sorting leaves equal ones in their order.
    if order in _HAS:
        active, former = (tuple(sorted(each, key=_HAS[order], reverse=True)) for each in (active, former))
    if owing:
        active, former = (tuple(card for card in each if card.money.open_links) for each in (active, former))
    # A link that two drivers were given is one link.
    everybody = {each.link_id: each for card in active for each in given.get(card.id, [])}
    return DriversPage(
        active=active,
        former=former,
        total=money_of(list(everybody.values())),
        count=len(present) + len(left),
        query=query,
        order=order,
        addresses={each: address(each) for each in (_BY_NAME, *_HAS)},
        tabs=(
            DriversTab(str(texts.ALL_DRIVERS), found, address(order, owing=False), not owing),
            DriversTab(str(texts.DRIVERS_WHO_OWE), owe, address(order, owing=True), owing),
        ),
        usual_order=usual,
        owing=owing,
        added=next((driver for driver in present if driver.id == added), None),
        vehicle=vehicle if present else "",
        choices=tuple((each.id, _named(each)) for each in present) if vehicle else (),
    )


def _named(driver: Driver) -> str:
    return f"{driver.name}, {shown(driver.phone)}" if driver.phone else driver.name


def _is_found(driver: Driver, vehicles: Sequence[str], query: str) -> bool:
    """Return whether a driver's name, number or usual vehicle has what was typed."""
    typed, number, part = query.strip().casefold(), _NO_DIGIT.sub("", query), normalize_part(query)
    return (
        not typed
        or typed in driver.name.casefold()
        or (len(number) >= _FEWEST_DIGITS and number in (digits(driver.phone) or ""))
        or (bool(part) and any(part in rc for rc in vehicles))
    )


def driver_page(driver: Driver, form: DriverForm, editing: Editing, *, opens: bool = False) -> str:
    """Render the page of a driver around the form for the details, which `opens` at the phone number."""
    card = driver_card(driver)
    with current_services().store.read() as connection:
        given = shares.of_driver(connection, driver.id)
        # Nobody who has left is given a link.
        unsent = [] if card.has_left else [each.link_id for each in _unsent(driver)]
        found = links.find_all(connection, {*unsent, *(each.link_id for each in given)})
        rows = {row.card.id: row for row in link_rows.rows(connection, list(found.values()))}
    return render_template(
        "sharing/driver.html",
        form=form,
        driver=card,
        unsent=[rows[link_id] for link_id in unsent],
        given=[_given(each, rows[each.link_id]) for each in sorted(given, key=_urgency)],
        editing=editing,
        opens=opens,
    )


def driver_card(driver: Driver) -> DriverCard:
    with current_services().store.read() as connection:
        vehicles = drivers.vehicles(connection, [driver.id])[driver.id]
    given = links_by_driver(current_services().store)
    return _card(driver, vehicles, given, _drivers_of(given), _unsent(driver))


def _unsent(driver: Driver) -> Sequence[UnsentLink]:
    return unsent_by_driver(current_services().store).get(driver.id, [])


def _drivers_of(given: Mapping[int, Sequence[GivenTo]]) -> Mapping[str, int]:
    """Count the drivers who were given each link."""
    return Counter(each.link_id for listed in given.values() for each in listed)


def _urgency(share: DriverShare) -> int:
    """Rank what can still be paid before what ended unpaid, and what is paid last."""
    return 0 if is_live(share.status) else 2 if is_paid(share.status) else 1


def _given(share: DriverShare, row: LinkRow) -> GivenLink:
    return GivenLink(row, share.at, name_of(share.person_id), texts.CHANNELS[share.channel])


def _card(
    driver: Driver,
    vehicles: Sequence[str],
    given: Mapping[int, Sequence[GivenTo]],
    drivers_of: Mapping[str, int],
    unsent: Sequence[UnsentLink],
) -> DriverCard:
    number, mine = digits(driver.phone), given.get(driver.id, [])
    # The reminder of a link goes to whoever was given it last, so one that several were given is not his alone.
    owed = [each.link_id for each in still_open(mine) if drivers_of[each.link_id] == 1]
    can_remind = bool(number and owed) and driver.left_at is None
    language = LANGUAGES.get(driver.language)
    return DriverCard(
        id=driver.id,
        name=driver.name,
        phone=shown(driver.phone) if driver.phone else None,
        email=driver.email,
        language=language.name if language else driver.language,
        note=driver.note,
        vehicles=tuple(Vehicle(rc, spaced(rc)) for rc in vehicles),
        has_left=driver.left_at is not None,
        money=money_of(mine),
        call=f"tel:+{number}" if number else "",
        whatsapp=f"https://wa.me/{number}" if number else "",
        remind=queue_address(queue_of(owed, current_services().clock())) if can_remind else "",
        unsent=len(unsent),
        unsent_sum=add_up(each.total for each in unsent),
    )
