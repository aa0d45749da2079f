"""Find what the find box names, by kind, with state and sum; as many queries for any number of results."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from decimal import Decimal, InvalidOperation

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.link_filters import LinkFilter
from dashboard.domain.links import link_of_receipt
from dashboard.domain.money import Sum, add_up
from dashboard.domain.payment_references import normalized
from dashboard.domain.phones import INDIA, shown
from dashboard.domain.registration import InvalidRegistration, doubt, is_beginning, normalize, normalize_part, spaced
from dashboard.services.sharing.driver_money import DriverMoney, links_by_driver, money_of, unsent_by_driver
from dashboard.services.vehicles import eligibility, link_amounts
from dashboard.store.links import links, listing
from dashboard.store.links.custom_fields import LINK
from dashboard.store.sharing import drivers
from dashboard.store.sharing.follow_ups import UnsentLink
from dashboard.store.vehicles import quick_find, vehicles
from dashboard.store.vehicles.quick_find import FoundDriver, FoundField, FoundLink
from dashboard.web.links import filters
from dashboard.web.links import rows as link_rows
from dashboard.web.links.custom_field_texts import LABELS
from dashboard.web.links.list_page import fixed_columns
from dashboard.web.links.list_records import LinkRow
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, zone
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.find_challans import count_challans, find_challans
from dashboard.web.vehicles.find_hits import FEWEST, FEWEST_LETTERS, hit_of
from dashboard.web.vehicles.find_jobs import find_jobs
from dashboard.web.vehicles.find_orders import in_order
from dashboard.web.vehicles.find_records import MOST_OFFERED, FindPage, Found, FoundGroup, WithoutState
from dashboard.web.vehicles.link_words import links_named, state_beside, words_of
from dashboard.web.vehicles.page import cards_of, is_on_link
from dashboard.web.vehicles.places import places_elsewhere, places_named

#: The most results of each kind, and of one kind alone.
_MOST, _ALL = 20, 500
#: So many vehicles are offered before anything is typed.
_RECENT = 4
#: So many digits has an Indian number without its country.
_NATIONAL = 10
#: A shorter one is rather the beginning of a number.
_SHORTEST_PLATE = 6
#: A link's id, or its beginning.
_LINK_ID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{0,4}){0,3}(-[0-9a-f]{0,12})?")
_AMOUNT = re.compile(r"(?:₹|rs\.?|inr)?\s*([\d,]{1,12}(?:\.\d{1,2})?)", re.IGNORECASE)


def find_page(
    typed: str, of: str = "", *, counts: bool = False, order: str = "", filters: Container[str] = ()
) -> FindPage:
    """Find vehicles, challans, links, drivers and custom fields by a text, or many of one kind in `texts.KINDS`.

    `counts`: say how many there are of what is too much to be listed. `order` and `filters` are of challans alone.
    """
    of = of if of in texts.KINDS else ""
    most = {kind: _ALL if kind == of else _MOST for kind in texts.KINDS}
    with current_services().store.read() as connection:
        is_partial = quick_find.has_more_challans(connection)
        found = {kind: tuple(_FINDS[kind](connection, typed, most[kind] + 1)) for kind in texts.KINDS}
        cut = [kind for kind in _COUNTS if counts and len(found[kind]) > most[kind]]
        count_of = {kind: _COUNTS[kind](connection, typed, _ALL + 1) for kind in cut if most[kind] < _ALL}
    asked = _asked(typed)
    ordered = _ordered(found, typed, is_of_state=asked is not None)
    kinds = tuple(
        _group(kind, items, typed, most[kind], asked, count_of.get(kind, 0)) for kind, items in ordered.items() if items
    )
    groups = (
        tuple(in_order(group, typed, order, filters) for group in kinds if group.kind == of)
        if of
        else (*places_named(typed), *kinds)
    )
    without_state = None if groups or of else _without_state(typed)
    unknown = "" if of or any(item.is_vehicle for group in groups for item in group.items) else searchable(typed)
    return FindPage(
        typed,
        groups,
        kinds,
        quick_find.CHALLANS if is_partial else 0,
        search_plate=spaced(unknown) if unknown else None,
        search_rc=unknown or None,
        is_beginning=not (groups or of) and is_beginning(typed),
        of=of,
        without_state=without_state,
        best=None if of else _best(groups, typed),
    )


def _without_state(typed: str) -> WithoutState | None:
    """Say that no link of what is typed is in the state beside it, with what is found without that."""
    if not (parted := state_beside(typed)):
        return None
    asked, rest = parted
    found = texts.counted((group.title, group.count) for group in find_page(rest).groups if group.kind in texts.KINDS)
    state = words_of(asked)
    none, others = texts.none_in_state(rest, state), texts.without_state(state, found)
    return WithoutState(none, others, url_for("vehicles.find", q=rest)) if found else None


def _ordered(found: dict[str, tuple[Found, ...]], typed: str, *, is_of_state: bool) -> dict[str, tuple[Found, ...]]:
    """Order the kinds: links of a state that is typed come before offences that have its word, a phone that begins
    as typed before challans and links that have it somewhere, and the links of vehicles before their challans.
    """
    begins = any(item.words.casefold().startswith(typed.casefold()) for item in found.get("challans", ()))
    if is_of_state:
        before: tuple[str, ...] = ("links",)
    elif not begins and any(item.begins for item in found.get("drivers", ())):
        before = ("vehicles", "drivers")
    elif found.get("vehicles"):
        before = ("vehicles", "links")
    else:
        return found
    first = {kind: found[kind] for kind in before if kind in found}
    return first | {kind: items for kind, items in found.items() if kind not in first}


def _asked(typed: str) -> LinkFilter | None:
    """Return the filter that a text means: a state alone, or beside a part of a number or of a driver's name."""
    if whole := links_named(typed):
        return whole
    asked, rest = state_beside(typed) or (None, "")
    is_part = len(rest) >= FEWEST_LETTERS or any(map(str.isdigit, rest))
    return replace(asked, text=rest) if asked and is_part else None


def _group(
    kind: str, items: Sequence[Found], typed: str, most: int, asked: LinkFilter | None, counted: int
) -> FoundGroup:
    shown = tuple(_with_hit(item, typed) for item in items[:most])
    is_cut = len(items) > most
    in_links = url_for("links.index", **filters.write(asked)) if kind == "links" and asked else ""
    total, is_more = (min(counted, _ALL), counted > _ALL) if counted else (len(shown), is_cut)
    return FoundGroup(texts.KINDS[kind], shown, is_cut, in_links, kind=kind, total=total, is_more=is_more)


def in_palette(page: FindPage) -> FindPage:
    """Show links with what tells them from others of their vehicle, as far as the palette lists them."""
    return replace(page, groups=tuple(replace(group, links=_rows(group, MOST_OFFERED)) for group in page.groups))


def _rows(group: FoundGroup, most: int) -> tuple[LinkRow, ...]:
    if not (ids := [item.link_id for item in group.items[:most] if item.link_id]):
        return ()
    with current_services().store.read() as connection:
        known = links.find_all(connection, ids)
        return link_rows.with_left(
            connection, link_rows.rows(connection, [known[each] for each in ids if each in known])
        )


def in_tables(page: FindPage) -> FindPage:
    """Show the vehicles that were found as known vehicles are shown, and links with what is done next.

    The palette has no room for that.
    """

    def shown(group: FoundGroup) -> FoundGroup:
        if rows := _rows(group, page.first or _ALL):
            return replace(group, links=rows, columns=fixed_columns())
        rcs = [normalize_part(item.words) for item in group.items if item.is_vehicle]
        return replace(group, vehicles=cards_of(rcs)) if rcs else group

    # What a script does in the header stands there.
    groups = (replace(group, items=tuple(item for item in group.items if not item.presses)) for group in page.groups)
    return replace(page, groups=tuple(shown(group) for group in groups if group.items or group.filters))


def recent_page() -> FindPage:
    """Show the vehicles searched last and the places of the menu, for who has not typed anything yet."""
    with current_services().store.read() as connection:
        found = tuple(_found_vehicles(connection, [each.rc for each in vehicles.recent(connection, limit=_RECENT)]))
    places = places_elsewhere()
    if not found:
        return FindPage("", places)
    return FindPage("", (FoundGroup(texts.RECENT_VEHICLES, found, kind="vehicles"), *places))


def _with_hit(item: Found, typed: str) -> Found:
    """Mark where the words, or the place, have what was typed."""
    return replace(item, hit=hit_of(item.words, typed), place_hit=hit_of(item.place, typed))


def _best(groups: Sequence[FoundGroup], text: str) -> str | None:
    """Return where the text leads at once: to what it names exactly, or to all that was found; None for neither."""
    found = [item for group in groups for item in group.items]
    part, typed = normalize_part(text), text.upper()

    def is_named(item: Found) -> bool:
        return normalize_part(item.words) == part if item.is_vehicle else item.words.upper() == typed

    exact = [item for item in found if is_named(item)]
    # Of a kind with more than are listed, the others may lead elsewhere. Links are found with their vehicle.
    vehicles_found = {item.words for item in found if item.is_vehicle}
    apart = [item for item in found if item.is_vehicle or not (item.link_id and item.words in vehicles_found)]
    all_found = [] if any(group.is_cut for group in groups) else apart
    for candidates in ([item for item in exact if item.is_vehicle], exact, all_found):
        if len({item.address for item in candidates}) == 1:
            return candidates[0].address
    return None


def searchable(typed: str) -> str:
    """Return the number that a text is in its stored spelling; empty for a text that does not look like one."""
    try:
        rc = normalize(typed)
    except InvalidRegistration:
        return ""
    return "" if len(rc) < _SHORTEST_PLATE or ((found := doubt(rc)) and not found.meant) else rc


def _vehicles(connection: Connection, typed: str, most: int) -> Iterator[Found]:
    part = normalize_part(typed)
    found = list(_found_vehicles(connection, quick_find.vehicles(connection, part, most), by_sum=True))
    # Whoever typed a whole number looks for that one; the others come by what is to pay, as the list says.
    yield from sorted(found, key=lambda item: normalize_part(item.words) != part)


def _found_vehicles(connection: Connection, rcs: Sequence[str], *, by_sum: bool = False) -> Iterator[Found]:
    """Show vehicles, first those with something to pay, then those with challans on open links; the most of each kind
    `by_sum` first.
    """
    challans = link_amounts.by_vehicle(connection, eligibility.of_vehicles(connection, rcs))
    payable = {rc: [item.challan.total_amount for item in challans[rc] if item.selectable] for rc in rcs}
    on_link = {
        rc: [item.challan.total_amount for item in challans[rc] if item.listed and is_on_link(item)] for rc in rcs
    }

    def place(rc: str) -> tuple[int, Decimal]:
        most = add_up(payable[rc] or on_link[rc]).total if by_sum else Decimal(0)
        return 0 if payable[rc] else 1 if on_link[rc] else 2, -most

    for rc in sorted(rcs, key=place):
        open_amounts = payable[rc] or on_link[rc]
        yield Found(
            spaced(rc),
            url_for("vehicles.show", rc=rc),
            texts.open_challans(len(payable[rc]), len(on_link[rc])),
            None,
            add_up(open_amounts) if open_amounts else None,
            is_plate=True,
            is_vehicle=True,
            amounts=len(open_amounts),
            sum_words=str(texts.TO_PAY if payable[rc] else texts.ON_LINKS),
        )


def _links(connection: Connection, typed: str, most: int) -> Iterator[Found]:
    shown, why, of_sum = _found_links(connection, typed, most)
    for item in shown:
        more = item.id if item.id.startswith(typed.lower()) else why.get(item.id, "")
        yield replace(_link(item), more=more, is_sum=item in of_sum)


def _found_links(
    connection: Connection, typed: str, most: int
) -> tuple[list[FoundLink], dict[str, str], list[FoundLink]]:
    """Return the links that a text finds, by id why it finds one where that is not shown, and those of its amount."""
    part = normalize_part(typed)
    found: list[FoundLink] = []
    if asked := _asked(typed):
        listed = listing.page(connection, asked, zone(), current_services().clock(), place=None, limit=most)
        known = quick_find.links_by_id(connection, [link.id for link in listed])
        found += [known[link.id] for link in listed]
    if len(part) >= FEWEST_LETTERS:
        found += quick_find.links_of_vehicles(connection, part, most)
    if _LINK_ID.fullmatch(beginning := link_of_receipt(typed).lower()):
        found += quick_find.links(connection, beginning, most)
    at_url: list[FoundLink] = []
    of_sum: list[FoundLink] = []
    of_payment: list[FoundLink] = []
    if len(typed) > 2 * FEWEST and " " not in typed and not typed.isdigit():
        at_url = quick_find.links_at(connection, typed, most)
    if amount := _amount(typed):
        of_sum = quick_find.links_of(connection, *amount, most)
    if reference := normalized(typed):
        of_payment = quick_find.links_of_payment(connection, reference, most)
    found += of_payment + at_url + of_sum
    why = dict.fromkeys((item.id for item in at_url), str(texts.URL_FITS))
    why |= dict.fromkeys((item.id for item in of_payment), str(texts.REFERENCE_FITS))
    return list({item.id: item for item in found}.values())[:most], why, of_sum


def _amount(typed: str) -> tuple[Decimal, Decimal] | None:
    """Return from which amount to below which one a text means: rupees without paise mean any paise."""
    matched = _AMOUNT.fullmatch(typed)
    try:
        least = Decimal(matched[1].replace(",", "")) if matched else None
    except InvalidOperation:
        return None
    if not least:
        return None
    return (least - Decimal("0.005"), least + Decimal("0.005")) if "." in typed else (least, least + 1)


def _link(item: FoundLink) -> Found:
    plate = spaced(item.rc) if item.rc else str(texts.NO_VEHICLE)
    address, state = url_for("links.show", link_id=item.id), shared_texts.state_of(item)
    return Found(plate, address, "", state, _sum(item), is_plate=item.rc is not None, link_id=item.id)


def _sum(item: FoundLink) -> Sum:
    return add_up([item.total])


def _drivers(connection: Connection, typed: str, most: int) -> Iterator[Found]:
    digits = _phone_digits(typed)
    name = typed if re.search(r"[^\W\d_]{2}", typed) else ""
    found = quick_find.drivers(connection, name, digits, most)
    driven = drivers.vehicles(connection, [item.id for item in found])
    store = current_services().store
    given, unsent = (links_by_driver(store), unsent_by_driver(store)) if found else ({}, {})
    for item in found:
        to_send = () if item.has_left else unsent.get(item.id, ())
        yield _driver(item, driven.get(item.id, []), money_of(given.get(item.id, [])), to_send, digits)


def _phone_digits(typed: str) -> str:
    """Return the digits of a part of a phone, which may be stored without its country; "" for a text that is none."""
    digits = "" if re.search(r"[^\W\d_]", typed) else re.sub(r"\D", "", typed).lstrip("0")
    if digits.startswith(INDIA) and (typed.lstrip().startswith(("+", "00")) or len(digits) > _NATIONAL):
        digits = digits.removeprefix(INDIA)
    return digits if len(digits) >= FEWEST else ""


def _driver(
    item: FoundDriver, vehicles: Sequence[str], money: DriverMoney, unsent: Sequence[UnsentLink], digits: str
) -> Found:
    """Show a driver with what they owe: links that they were given, and those that they are to be sent."""
    amounts = money.open_links + len(unsent)
    phone = shown(item.phone) if item.phone else ""
    hit = hit_of(phone, digits)
    more = [phone] if phone else []
    more += map(spaced, vehicles[:2])
    more += [str(texts.HAS_LEFT)] if item.has_left else []
    more += [texts.open_links(amounts)] if amounts else []
    address = url_for("sharing.driver", driver_id=item.id)
    owed = money.open + add_up(each.total for each in unsent) if amounts else None
    begins = hit[1] > 0 and re.sub(r"\D", "", phone).removeprefix(INDIA).startswith(digits)
    text = " · ".join(more)
    words = str(texts.ON_LINKS) if owed else ""
    return Found(item.name, address, text, None, owed, amounts=amounts, more_hit=hit, begins=begins, sum_words=words)


def _fields(connection: Connection, typed: str, most: int) -> Iterator[Found]:
    found = quick_find.fields(connection, typed if len(typed) >= FEWEST - 1 else "", most)
    of_links = quick_find.links_by_id(connection, [item.ref for item in found if item.kind == LINK])
    for item in found:
        if item.kind != LINK:
            yield Found(item.text, url_for("vehicles.show", rc=item.ref), _of_field(item, spaced(item.ref)))
        elif link := of_links.get(item.ref):
            plate = spaced(link.rc) if link.rc else str(texts.NO_VEHICLE)
            address = url_for("links.show", link_id=link.id)
            yield Found(item.text, address, _of_field(item, plate), shared_texts.state_of(link), _sum(link))


def _of_field(item: FoundField, plate: str) -> str:
    return f"{LABELS[item.name]} · {plate}"


def _count_vehicles(connection: Connection, typed: str, most: int) -> int:
    return len(quick_find.vehicles(connection, normalize_part(typed), most))


def _count_links(connection: Connection, typed: str, most: int) -> int:
    return len(_found_links(connection, typed, most)[0])


#: What of may be too much to be listed, and how it is counted then, up to some number.
_COUNTS = {"vehicles": _count_vehicles, "challans": count_challans, "links": _count_links}
_FINDS = {
    "vehicles": _vehicles,
    "challans": find_challans,
    "links": _links,
    "drivers": _drivers,
    "jobs": find_jobs,
    "fields": _fields,
}
