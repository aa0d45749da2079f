"""Build the pages of drivers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from flask import render_template, url_for
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.follow_up import rests
from dashboard.domain.languages import LANGUAGES
from dashboard.domain.links import is_live, is_paid
from dashboard.domain.money import add_up
from dashboard.domain.phones import digits, shown
from dashboard.domain.registration import normalize_part, spaced
from dashboard.services.sharing.driver_money import links_by_driver, money_of, still_open, unsent_by_driver
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import driver_links as links_of_drivers
from dashboard.store.sharing import drivers, follow_ups, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.follow_ups import UnsentLink
from dashboard.store.sharing.shares import DriverShare, GivenTo
from dashboard.web.links import list_texts, payment
from dashboard.web.links import rows as link_rows
from dashboard.web.links.list_records import LinkRow
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.shared.live import whole_seconds
from dashboard.web.sharing import texts
from dashboard.web.sharing.driver_records import DriverCard, DriverLink, DriverLinks, DriversPage, DriversTab, Vehicle
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.reminder_address import queue_address, queue_of
from dashboard.web.sharing.unsent import not_to_send
from dashboard.web.vehicles import page as vehicle_page

_NO_DIGIT = re.compile(r"\D+")
#: Fewer digits are rather of a vehicle's number than of a phone's.
_FEWEST_DIGITS = 3
#: Who owes is what the list is opened for; while nobody does, it is by name.
_BY_NAME, _OWES = "name", "owes"
#: The parts of the list, as addresses name them: whose links can still be paid, and whose links nobody was given.
_PARTS: dict[str, Callable[[DriverCard], bool]] = {
    _OWES: lambda card: card.owed_links > 0,
    "unsent": lambda card: card.unsent > 0,
}
_LONG_AGO = datetime.min.replace(tzinfo=UTC)
_HAS: dict[str, Callable[[DriverCard], Any]] = {
    _OWES: lambda card: (card.owed.total, card.owed_links, card.unsent),
    "unsent": lambda card: (card.unsent_sum.total, card.unsent),
    "paid": lambda card: (card.money.paid.total, card.money.paid_links),
    "last-paid": lambda card: card.money.last_paid_at or _LONG_AGO,
}
#: The columns that the list may leave out, and whether one says something of a driver.
_COLUMNS: dict[str, Callable[[DriverCard], object]] = {
    _OWES: lambda card: card.owed_links,
    "unsent": lambda card: card.unsent,
    "paid": lambda card: card.money.paid_links,
}


def part_of(args: Mapping[str, str]) -> str:
    """Return the part of the list that an address asks for; "" for all of it."""
    return next((part for part in _PARTS if args.get(part) == "yes"), "")


def drivers_page(query: str = "", order: str = "", part: str = "", *, added: int = 0, vehicle: str = "") -> DriversPage:
    """Build the list of the drivers that `query` finds; `order` is by name, or one of `_HAS`.

    Of all who are found, those alone who are in `part`. `added` is the id of the driver who was just added, and need
    not be among them. `vehicle` is the RC number whose usual driver is to be chosen.
    """
    with current_services().store.read() as connection:
        present, left = drivers.listed(connection), drivers.listed(connection, left=True)
        vehicles = drivers.vehicles(connection, [driver.id for driver in (*present, *left)])
    known = _known(each.id for each in (*present, *left))
    given, unsent = known.given, known.unsent

    everyone = {driver.id: _card(driver, vehicles[driver.id], known) for driver in (*present, *left)}

    def cards(listed: Sequence[Driver]) -> tuple[DriverCard, ...]:
        return tuple(everyone[each.id] for each in listed if _is_found(each, vehicles[each.id], query))

    def address(order: str, part: str = part) -> str:
        asked: dict[str, Any] = {part: "yes"} if part else {}
        return url_for("sharing.drivers", q=query or None, sort=None if order == usual else order, **asked)

    def tab(words: str, number: int, of: str) -> DriversTab:
        return DriversTab(words, number, address(order, of), of == part)

    active, former = cards(present), cards(left)
    found = [*active, *former]
    usual = _OWES if unsent or any(still_open(listed) for listed in given.values()) else _BY_NAME
    order = order if order in (_BY_NAME, *_HAS) else usual
    # The lists of the store are by name, and sorting leaves equal ones in their order.
    if order in _HAS:
        active, former = (tuple(sorted(each, key=_HAS[order], reverse=True)) for each in (active, former))
    if part:
        active, former = (tuple(filter(_PARTS[part], each)) for each in (active, former))
    # A link that two drivers were given, or could be given, is one link.
    everybody = {each.link_id: each for card in active for each in given.get(card.id, [])}
    to_send = {each.link_id: each for card in active for each in unsent.get(card.id, [])}
    return DriversPage(
        active=active,
        former=former,
        total=money_of(list(everybody.values())),
        unsent=len(to_send),
        unsent_sum=add_up(each.total for each in to_send.values()),
        count=len(present) + len(left),
        query=query,
        order=order,
        addresses={each: address(each) for each in (_BY_NAME, *_HAS)},
        tabs=(
            tab(str(texts.ALL_DRIVERS), len(found), ""),
            *(tab(str(words), sum(map(_PARTS[of], found)), of) for of, words in texts.PARTS_OF_DRIVERS.items()),
        ),
        usual_order=usual,
        part=part,
        columns=frozenset(name for name, has in _COLUMNS.items() if any(map(has, everyone.values()))),
        added=next((everyone[each.id] for each in present if each.id == added), None),
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


def driver_page(driver: Driver, form: DriverForm, editing: Editing, *, opens: str = "") -> str:
    """Render the page of a driver around the form for the details, which `opens` at a field: "phone" or "vehicles"."""
    links_of = driver_links(driver)
    return render_template(
        "sharing/driver.html", form=form, driver=links_of.driver, page=links_of, editing=editing, opens=opens
    )


def driver_links(driver: Driver) -> DriverLinks:
    """Show what a driver owes and has paid: links to send or remind of, challans on none, and links that are over.

    Other links of the usual vehicles stand apart, which no driver has: what became of a failed one can be asked.
    """
    services, card = current_services(), driver_card(driver)
    vehicles = () if card.has_left else vehicle_page.cards_of([each.rc for each in card.vehicles])
    with services.store.read() as connection:
        given = shares.of_driver(connection, driver.id)
        # Nobody who has left is given a link.
        unsent = [] if card.has_left else [each.link_id for each in _unsent(driver)]
        once = {each.link_id: each for each in reversed(given)}.values()  # The newest share of each link.
        last = sorted(once, key=_urgency)
        known = [*unsent, *(each.link_id for each in last)]
        usual = [each for each in links_of_drivers.for_usual_driver(connection, driver.id) if each not in known]
        found = links.find_all(connection, {*known, *usual})
        ordered = [found[each] for each in dict.fromkeys([*known, *usual]) if each in found]
        rows = {row.card.id: row for row in link_rows.rows(connection, ordered)}
        times = Counter(each.link_id for each in given)
        shown = [_given(each, rows[each.link_id], times[each.link_id], card) for each in last]
        resting = [found[each.row.card.id] for each in shown if each.is_sendable and each.row.rests]
        back = _back_in_follow_up(connection, resting) if card.sent_at else None
    to_send = [DriverLink(rows[link_id], is_sendable=card.is_reached) for link_id in unsent]
    open_links = (*to_send, *(each for each in shown if each.row.is_open))
    over = tuple(each for each in shown if not each.row.is_open)
    others = tuple(DriverLink(row := rows[each], is_sendable=row.driver_id == driver.id) for each in usual)
    to_pay = tuple(each for each in vehicles if each.payable)
    return DriverLinks(
        driver=card,
        open=open_links,
        over=over,
        others=others,
        to_pay=to_pay,
        back=back,
        seen=fingerprint((card, open_links, over, others, to_pay, back)),
        poll_seconds=whole_seconds(services.schedule.poll),
    )


def _back_in_follow_up(connection: Connection, resting: Sequence[Link]) -> datetime | None:
    """Return when Follow up asks again for the first of these links, which is what the page of that link says."""
    moments = (payment.back_in_follow_up(connection, each, shares.of_link(connection, each.id)) for each in resting)
    return min(filter(None, moments), default=None)


def driver_card(driver: Driver) -> DriverCard:
    with current_services().store.read() as connection:
        vehicles = drivers.vehicles(connection, [driver.id])[driver.id]
    return _card(driver, vehicles, _known([driver.id]))


def _unsent(driver: Driver) -> Sequence[UnsentLink]:
    return unsent_by_driver(current_services().store).get(driver.id, [])


@dataclass(frozen=True, slots=True)
class _Known:
    """Hold the links of all drivers, by driver: those given to each, and those of their usual vehicles given to nobody.

    `receivers` and `usual` count the drivers of each link; `snoozed` says until when one is put off. Nobody can be sent
    those that are `withheld`.
    """

    given: Mapping[int, Sequence[GivenTo]]
    unsent: Mapping[int, Sequence[UnsentLink]]
    receivers: Mapping[str, int]
    usual: Mapping[str, int]
    snoozed: Mapping[str, datetime]
    withheld: Set[str]


def _known(driver_ids: Iterable[int]) -> _Known:
    """Read the links of all drivers; of those of these drivers, which ones are withheld."""
    given, unsent = links_by_driver(current_services().store), unsent_by_driver(current_services().store)
    receivers, usual = (Counter(each.link_id for listed in of.values() for each in listed) for of in (given, unsent))
    open_links: set[str] = set()
    for driver in driver_ids:
        open_links |= {each.link_id for each in still_open(given.get(driver, []))}
        open_links |= {each.link_id for each in unsent.get(driver, [])}
    with current_services().store.read() as connection:
        snoozed = follow_ups.all_snoozed(connection, current_services().clock())
        withheld = not_to_send(connection, list(open_links))
    return _Known(given, unsent, receivers, usual, snoozed, withheld)


def _urgency(share: DriverShare) -> tuple[int, float]:
    """Rank what can still be paid first and what is paid last; of each, what was given last comes first."""
    return 0 if is_live(share.status) else 2 if is_paid(share.status) else 1, -share.at.timestamp()


def _given(share: DriverShare, row: LinkRow, times: int, driver: DriverCard) -> DriverLink:
    # Whoever was given it last is reminded of it.
    is_his = driver.is_reached and row.driver_id == driver.id and not row.is_usual
    how = list_texts.how_given(share.channel)
    return DriverLink(row, share.at, name_of(share.person_id), how, times, is_sendable=is_his)


def _card(driver: Driver, vehicles: Sequence[str], known: _Known) -> DriverCard:
    number = digits(driver.phone)
    mine, unsent = known.given.get(driver.id, []), known.unsent.get(driver.id, [])
    # The reminder of a link goes to whoever was given it last, so one that several were given is not his alone.
    owed = [each for each in still_open(mine) if known.receivers[each.link_id] == 1]
    now = current_services().clock()
    snoozed = [known.snoozed[each.link_id] for each in owed if each.link_id in known.snoozed]
    awake = [each for each in owed if each.link_id not in known.snoozed and each.link_id not in known.withheld]
    due = [each.link_id for each in awake if not rests(each.given_at, each.expires_at, now)]
    # Nor is one whose vehicle has two usual drivers.
    to_send = [each.link_id for each in unsent if each.link_id not in known.withheld]
    is_his = all(known.usual[each] == 1 for each in to_send)
    link_ids = [*(each.link_id for each in owed), *(each.link_id for each in unsent)]
    withheld = [each for each in link_ids if each in known.withheld]
    to_check = [each for each in withheld if each not in known.snoozed]
    is_reached = bool(number) and driver.left_at is None
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
        remind=_queue(due, driver.id) if is_reached else "",
        reminded=len(due),
        sent_at=max((each.given_at for each in awake), default=None) if is_reached and not due else None,
        snoozed_until=min(snoozed, default=None) if is_reached and not awake else None,
        send=_queue(to_send, driver.id) if is_reached and is_his else "",
        to_send=len(to_send),
        withheld=len(withheld),
        check=_page_to_check(to_check, driver.id) if to_check and driver.left_at is None else "",
        unsent=len(unsent),
        unsent_sum=add_up(each.total for each in unsent),
        is_reached=is_reached,
    )


def _page_to_check(link_ids: Sequence[str], driver_id: int) -> str:
    """Return the address of a link that cannot be sent, or of the page of its driver, which lists several."""
    if len(link_ids) == 1:
        return url_for("links.show", link_id=link_ids[0])
    return url_for("sharing.driver", driver_id=driver_id, _anchor="open-links")


def _queue(link_ids: Sequence[str], driver_id: int) -> str:
    """Return the address of the message to a driver that names these links; "" without any."""
    return queue_address(queue_of(link_ids, current_services().clock(), driver_id)) if link_ids else ""
