"""Build what the pages about vehicles show from stored vehicles, challans and links."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal

from flask import url_for
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.challans import EligibilityGroup, EligibilityReason
from dashboard.domain.links import ACTIVE, is_live, plan_links
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.services.vehicles import eligibility, link_amounts
from dashboard.services.vehicles.earlier_links import all_earlier_links, failed_links, of_doubtful_payment
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.fleet import open_plans
from dashboard.store.fleet.open_plans import PlanOfVehicle
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers
from dashboard.store.vehicles import known, vehicles
from dashboard.store.vehicles.known import MostOf, Only
from dashboard.store.vehicles.vehicles import Vehicle
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import (
    current_services,
    format_amount,
    format_moment,
    name_of,
    names,
    person_id,
)
from dashboard.web.shared.live import whole_seconds
from dashboard.web.shared.records import ChallanRow
from dashboard.web.vehicles import live_panel, texts
from dashboard.web.vehicles.card_links import usual_drivers, with_links
from dashboard.web.vehicles.challan_rows import challan_row, usual_where
from dashboard.web.vehicles.none_payable import none_payable, nothing_to_pay
from dashboard.web.vehicles.records import (
    ChallanGroup,
    KnownVehicles,
    Narrowing,
    SelectionSum,
    ToCheck,
    VehicleCard,
    VehiclePage,
    VehiclePlan,
)

#: The first page has so many vehicles.
_MOST_TO_OPEN = 10
#: A page of known vehicles has so many.
_PAGE_SIZE = 50
#: What a vehicle has needs all its challans, so no more of them are compared: those that lead by their last search.
_MOST_COMPARED = 200
_UPDATED, _BY_NUMBER = "updated", "plate"
_HAS: dict[MostOf, Callable[[VehicleCard], Decimal]] = {
    MostOf.SUM: lambda card: card.payable_sum.total,
    MostOf.PAYABLE: lambda card: Decimal(card.payable),
    MostOf.ON_LINK: lambda card: Decimal(card.on_link),
}


def cards(part: str = "", limit: int = 12) -> list[VehicleCard]:
    """Show the vehicles searched last, or those whose number contains `part`."""
    with current_services().store.read() as connection:
        return _cards(connection, vehicles.recent(connection, part, limit))


def cards_to_open(connection: Connection) -> list[VehicleCard]:
    """Show the vehicles searched last."""
    return _cards(connection, vehicles.recent(connection, "", _MOST_TO_OPEN))


def _cards(connection: Connection, found: Sequence[Vehicle]) -> list[VehicleCard]:
    listed = eligibility.of_vehicles(connection, [vehicle.rc for vehicle in found])
    challans = link_amounts.by_vehicle(connection, listed)
    doubtful = failed_links(connection, [item for items in challans.values() for item in items])
    ended = [rc for rc, items in listed.items() if items and not any(map(_is_open, items))]
    newest = links.newest_of_vehicles(connection, ended)
    still_open = {rc for rc, link in newest.items() if is_live(link.status) and not link.is_unknown}
    return [_card(each, challans[each.rc], doubtful, has_open_link=each.rc in still_open) for each in found]


def _is_open(item: ListedChallan) -> bool:
    return item.listed and (item.selectable or item.eligibility.group is EligibilityGroup.ON_LINK)


def known_vehicles(part: str, order: str, number: int, filters: Iterable[str] = ()) -> KnownVehicles:
    """Show a page of the known vehicles whose number contains `part`, in an order of `texts.ORDERS`.

    `number` is that of the page, from 1; one after the last page leads to the last. `filters` are of `texts.ONLY`.
    """
    only = frozenset(each for each in Only if each in filters)
    order = order if order in texts.ORDERS else _UPDATED
    among = 0
    with current_services().store.read() as connection:
        count, narrowed = known.counts(connection, part, only)
        pages = max(1, -(-count // _PAGE_SIZE))
        number = min(max(1, number), pages)
        start, end = (number - 1) * _PAGE_SIZE, number * _PAGE_SIZE
        if order in (_UPDATED, _BY_NUMBER):
            by_number = order == _BY_NUMBER
            listed = known.listed(connection, part, _PAGE_SIZE, start, only=only, by_number=by_number)
            found = _cards(connection, listed)
        else:
            leading, among = _leading(connection, MostOf(order), part, end, only)
            found = leading[start:]
        shown = with_links(connection, found)
        whole = shown
        if _PAGE_SIZE < count <= _MOST_COMPARED:
            whole = tuple(_leading(connection, MostOf.SUM, part, count, only)[0])

    def address(order: str, number: int = 1, only: frozenset[Only] = only) -> str:
        sort, page = None if order == _UPDATED else order, number if number > 1 else None
        return url_for("vehicles.known", q=part or None, only=sorted(only), sort=sort, page=page)

    return KnownVehicles(
        vehicles=shown,
        counted=whole,
        count=count,
        first=start + 1,
        order=order,
        orders=texts.ORDERS,
        addresses={each: address(each) for each in texts.ORDERS},
        among=among,
        previous=address(order, number - 1) if number > 1 else "",
        next=address(order, number + 1) if number < pages else "",
        page_size=_PAGE_SIZE,
        filters=tuple(
            Narrowing(each, str(words), address(order, only=only ^ {each}), each in only, narrowed[each])
            for each, words in texts.ONLY.items()
        ),
    )


def cards_of(rcs: Sequence[str]) -> tuple[VehicleCard, ...]:
    """Show known vehicles in the order of their numbers here, with their drivers and last links."""
    with current_services().store.read() as connection:
        found = {each.rc: each for each in vehicles.find_all(connection, rcs)}
        return with_links(connection, _cards(connection, [found[rc] for rc in rcs if rc in found]))


def _leading(
    connection: Connection, most_of: MostOf, part: str, limit: int, only: frozenset[Only]
) -> tuple[list[VehicleCard], int]:
    """Return the vehicles that have the most, and of how many; 0 where no other vehicle can have more."""
    most = max(_MOST_COMPARED, limit + _PAGE_SIZE)
    compared = known.leading(connection, most_of, part, most, only)
    has = _HAS[most_of]
    found = sorted(_cards(connection, [vehicle for vehicle, _most in compared]), key=has, reverse=True)[:limit]
    # Nobody else can have more than the last that was compared may have.
    is_whole = len(compared) < most or has(found[-1]) >= compared[-1][1]
    return found, 0 if is_whole else len(compared)


def _card(
    vehicle: Vehicle, challans: Sequence[ListedChallan], doubtful: Mapping[str, Link], *, has_open_link: bool
) -> VehicleCard:
    listed = [item for item in challans if item.listed]
    payable = [item for item in listed if item.selectable]
    ids = tuple(item.challan.id for item in payable if item.challan.id)
    failed = max((doubtful[each] for each in ids if each in doubtful), key=_first_seen, default=None)
    active = any(map(is_on_link, listed))
    on_link = list(filter(_may_be_paid_there, listed))
    held = {item.eligibility.reason for item in listed if item.eligibility.group is EligibilityGroup.ON_LINK}
    paid = sum(item.eligibility.reason is EligibilityReason.PAID_LINK for item in listed)
    return VehicleCard(
        rc=vehicle.rc,
        plate=spaced(vehicle.rc),
        searched_at=vehicle.searched_at,
        payable=len(payable),
        payable_sum=add_up(item.challan.total_amount for item in payable),
        to_check=_to_check(payable, doubtful),
        failed_link=failed.id if failed else "",
        failed=failed,
        payable_ids=ids,
        on_link=len(on_link),
        on_link_sum=add_up(item.challan.total_amount for item in on_link),
        none_payable="" if payable or active else none_payable(len(listed), paid, held, has_open_link=has_open_link),
        is_being_checked=EligibilityReason.RESERVED in held,
    )


def _first_seen(link: Link) -> datetime:
    return link.first_seen_at


def _to_check(payable: Iterable[ListedChallan], doubtful: Container[str]) -> ToCheck:
    """Return what of it may have been paid with a link whose payment failed."""
    found = [item.challan.total_amount for item in payable if item.challan.id in doubtful]
    return ToCheck(len(found), add_up(found))


def vehicle_page(
    rc: str,
    ticked: Sequence[str] = (),
    replaces: str | None = None,
    *,
    is_new_visit: bool = False,
    has_left: bool = False,
) -> VehiclePage | None:
    """Show a searched vehicle with these challans ticked; None when it was never searched.

    `replaces` is the id of the ended link whose replacement the selection is for. On a new visit the page says that
    there were ticks before; to whoever `has_left` since, those of challans on a failed link are left out.
    """
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        vehicle = vehicles.find(connection, rc)
        if vehicle is None:
            return None
        challans = link_amounts.with_link_amounts(connection, eligibility.of_vehicle(connection, rc))
        refreshing = vehicles.refreshing(connection, rc, now)
        listed = [item for item in challans if item.listed]
        gone = [item for item in challans if not item.listed]
        panel = live_panel.build(connection, vehicle, None, challans, listed=bool(listed))
        usual = usual_drivers(drivers.of_vehicle(connection, rc))
        planned = open_plans.of_vehicle(connection, rc)
        earlier_of = all_earlier_links(connection, listed, services.schedule, now)
        doubtful = of_doubtful_payment(connection, earlier_of)
    # Whoever comes back ticks these anew, knowing that money may have been taken.
    kept = [each for each in ticked if not (has_left and each in doubtful)]
    can_be_paid = [item for item in listed if item.selectable]
    payable = [item.challan for item in can_be_paid]
    people = names()
    shown = [address for card in panel.links for address in card.addresses]
    groups = tuple(_groups(listed, frozenset(kept), now, earlier_of, doubtful, shown))
    on_link = sum(len(group.rows) for group in groups if group.key == EligibilityGroup.ON_LINK.value)
    selection = _sum_of(rc, challans, kept)
    paid = sum(len(group.rows) for group in groups if group.key == "paid")
    earlier = texts.selection_kept(selection.count, len(ticked) - len(kept)) if is_new_visit else ""
    return VehiclePage(
        rc=rc,
        plate=spaced(rc),
        groups=groups,
        gone=tuple(challan_row(item, now) for item in gone),
        listed_until=None if any(item.claim for item in gone) else vehicle.compared_with,
        payable_sum=add_up(challan.total_amount for challan in payable),
        to_check=_to_check(can_be_paid, doubtful),
        fine_sum=add_up(challan.challan_amount for challan in payable),
        fee_sum=add_up(challan.fee for challan in payable),
        drivers=usual,
        unreadable=vehicle.unreadable,
        panel=panel,
        selection=selection,
        announcement=texts.announcement(spaced(rc), selection.payable, on_link, earlier, panel.trouble),
        refresh_seconds=whole_seconds(services.schedule.refresh_deadline),
        replaces=replaces,
        refreshing_by=people.get(refreshing) if refreshing else None,
        states=_distinct(item.challan.state for item in listed),
        types=_distinct(item.challan.challan_type for item in listed),
        usual=usual_where(listed),
        plans=tuple(map(_plan, planned)),
        earlier=earlier,
        nothing=nothing_to_pay(are_paid=paid == len(listed), has_open_link=panel.has_open_link),
    )


def _plan(plan: PlanOfVehicle) -> VehiclePlan:
    own = plan.person_id == person_id()
    words = texts.planned(plan.links, format_moment(plan.made_at), name_of(plan.person_id), own=own)
    # A plan is open to managers and to the person who made it.
    if own or current_user.may_open("fleet.run"):
        return VehiclePlan(url_for("fleet.plan", plan_id=plan.id), words)
    return VehiclePlan("", f"{words} {texts.MANAGERS_OPEN_IT}")


def payable_ids(rc: str) -> list[str]:
    """Return the ids of the challans of a vehicle that can be ticked now."""
    with current_services().store.read() as connection:
        listed = eligibility.of_vehicle(connection, rc)
    return [item.challan.id for item in listed if item.selectable and item.challan.id]


def selection_sum(rc: str, ticked: Sequence[str], problem: str = "") -> SelectionSum:
    """Sum up a selection by what can be paid now; what no longer can is named, and not counted."""
    with current_services().store.read() as connection:
        return _sum_of(rc, eligibility.of_vehicle(connection, rc), ticked, problem)


def _sum_of(rc: str, listed: Sequence[ListedChallan], ticked: Sequence[str], problem: str = "") -> SelectionSum:
    payable = {item.challan.id: item.challan for item in listed if item.selectable and item.challan.id}
    counted = [payable[challan_id] for challan_id in ticked if challan_id in payable]
    refused = [challan_id for challan_id in ticked if challan_id not in payable]
    numbers = {item.challan.id: item.challan.challan_no for item in listed}
    sizes = [len(lot) for lot in plan_links(list(payable)[: len(counted)])]
    plan = texts.PLAN.format(count=len(counted), links=len(sizes), sizes=" + ".join(map(str, sizes)))
    total = add_up(challan.total_amount for challan in counted)
    return SelectionSum(
        rc=rc,
        count=len(counted),
        payable=len(payable),
        words=texts.SELECTED.format(count=len(counted), payable=len(payable)),
        sum=format_amount(total.total) if counted else "",
        without=shared_texts.unknown_amounts(total.unknown) if total.unknown else "",
        plan=plan if len(sizes) > 1 else "",
        brief=texts.below_the_sum(len(counted), len(payable), len(sizes)) if counted else "",
        refused=tuple(refused),
        problem=problem or texts.no_longer_payable([numbers.get(each) or texts.NO_NUMBER for each in refused]),
    )


def _groups(
    listed: Sequence[ListedChallan],
    ticked: Container[str],
    now: datetime,
    earlier: Mapping[str, Sequence[Link]],
    doubtful: Container[str],
    shown: Sequence[str],
) -> Iterator[ChallanGroup]:
    for group in EligibilityGroup:
        members = [item for item in listed if item.eligibility.group is group]
        held = [item for item in members if group is EligibilityGroup.ON_LINK and not is_on_link(item)]
        requested = [item for item in held if item.eligibility.reason is EligibilityReason.RESERVED]
        paid = [item for item in members if item.eligibility.reason is EligibilityReason.PAID_LINK]
        rest = [item for item in members if item not in held and item not in paid]
        rows = [challan_row(item, now, ticked, earlier.get(item.challan.id or "", ()), doubtful) for item in rest]
        for lot in _by_link(rows, shown) if group is EligibilityGroup.ON_LINK and rows else [rows]:
            yield ChallanGroup(group.value, texts.GROUP_TITLES[group], tuple(lot))
        apart = (
            ("requested", texts.REQUESTED, requested),
            ("held", texts.HELD, [item for item in held if item not in requested]),
            ("paid", texts.PAID, paid),
        )
        for key, title, others in apart:
            if others:
                yield ChallanGroup(key, title, tuple(challan_row(item, now) for item in others))


def _by_link(rows: Sequence[ChallanRow], shown: Sequence[str]) -> Iterable[list[ChallanRow]]:
    """Return the challans of each link, which a head names once, in the order in which links are `shown`."""
    of_link: dict[str, list[ChallanRow]] = {address: [] for address in shown}
    for row in rows:
        of_link.setdefault(row.held_by.address if row.held_by else "", []).append(row)
    return filter(None, of_link.values())


def is_on_link(item: ListedChallan) -> bool:
    """Return whether a challan is on a link that the service calls active and still knows; others are merely held."""
    if item.eligibility.group is not EligibilityGroup.ON_LINK:
        return False
    if item.link is not None:
        return item.link.status == ACTIVE and not item.link.is_unknown
    shown = item.challan.payment_link
    return item.eligibility.reason is EligibilityReason.LIVE_LINK and shown is not None and shown.status == ACTIVE


def _may_be_paid_there(item: ListedChallan) -> bool:
    """Return whether a challan is on a link that may still be paid, as a link in a state that no paper names may."""
    if is_on_link(item):
        return True
    link = item.link if item.eligibility.group is EligibilityGroup.ON_LINK else None
    return link is not None and is_live(link.status) and not link.is_unknown


def _distinct(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))
