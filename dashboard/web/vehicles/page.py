"""From the ledger's rows to what the pages about vehicles show."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from flask import url_for

from dashboard.domain.challans import EligibilityGroup, EligibilityReason
from dashboard.domain.links import is_live
from dashboard.domain.money import add_up
from dashboard.domain.registration import spaced
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.vehicles import vehicles
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_age, format_moment, names, person_id
from dashboard.web.shared.records import ChallanRow, Freshness, HeldBy
from dashboard.web.shared.texts import join_words
from dashboard.web.vehicles import panel as vehicle_panel
from dashboard.web.vehicles.records import ChallanGroup, VehicleCard, VehiclePage

_TITLES = {
    EligibilityGroup.PAYABLE: "Can be paid",
    EligibilityGroup.ON_LINK: "On an active link",
    EligibilityGroup.NOT_PAYABLE: "Not payable",
}
GONE = "No longer listed. It may have been paid."
_FIELD_WORDS = {
    "status": "Status",
    "challan_amount": "Amount",
    "total_amount": "Total",
    "challan_date": "Date",
    "state": "State",
    "challan_type": "Type",
    "challan_place": "Place",
}


_GAP_WORDS = {
    "id": "a readable id",
    "challan_no": "a number",
    "status": "a status",
    "prepaid": "saying whether it is prepaid",
    "payment_link_id": "a readable link id",
    "payment_link": "a readable link",
}


def cards(part: str = "", limit: int = 12) -> list[VehicleCard]:
    """The vehicles searched last, or those whose number holds a part."""
    with current_services().store.read() as connection:
        rows = vehicles.recent(connection, part, limit)
        placed = eligibility.of_vehicles(connection, [row.rc for row in rows])
    return [
        VehicleCard(
            rc=row.rc,
            plate=spaced(row.rc),
            searched_at=row.searched_at,
            payable=len(payable := [item for item in placed[row.rc] if item.selectable]),
            payable_sum=add_up(item.challan.total_amount for item in payable),
            on_link=sum(item.eligibility.group is EligibilityGroup.ON_LINK for item in placed[row.rc] if item.listed),
        )
        for row in rows
    ]


def vehicle_page(rc: str, ticked: Sequence[str] = ()) -> VehiclePage | None:
    """The page of a searched vehicle, or None when it never was."""
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        row = vehicles.find(connection, rc)
        if row is None:
            return None
        placed = eligibility.of_vehicle(connection, rc)
        refreshing = vehicles.refreshing(connection, rc, now)
        listed = [item for item in placed if item.listed]
        panel = vehicle_panel.vehicle_panel(connection, rc, listed=bool(listed))
    people = names()
    payable = [item for item in listed if item.selectable]
    return VehiclePage(
        rc=rc,
        plate=spaced(rc),
        searched_at=row.searched_at,
        searched_by=people.get(row.searched_by) if row.searched_by else None,
        new_count=row.new_count,
        compared_with=row.compared_with,
        groups=tuple(_group(group, listed, ticked, now) for group in EligibilityGroup),
        gone=tuple(challan_row(item, now) for item in placed if not item.listed),
        payable_sum=add_up(item.challan.total_amount for item in payable),
        unreadable=row.unreadable,
        freshness=Freshness(row.searched_at, _trouble(row.failure, row.searched_at)),
        refreshing_by=people.get(refreshing) if refreshing else None,
        next_lot=0,
        states=_distinct(item.challan.state for item in listed),
        types=_distinct(item.challan.challan_type for item in listed),
        panel=panel,
    )


def challan_row(item: ListedChallan, now: datetime, ticked: Container[str] = ()) -> ChallanRow:
    challan = item.challan
    return ChallanRow(
        id=challan.id,
        challan_no=challan.challan_no or "(no number)",
        status=challan.status or "(no status)",
        date=challan.challan_date,
        age_days=(now - challan.challan_date).days if challan.challan_date else None,
        offence=challan.offense_details,
        place=challan.challan_place,
        state=challan.state,
        type=challan.challan_type,
        amount=challan.challan_amount,
        total=challan.total_amount,
        reason=_reason(item),
        held_by=_held_by(item),
        mark=item.stored.mark,
        changes=tuple(f"{_FIELD_WORDS[name]} was {before or 'unknown'}" for name, before in item.stored.changes),
        ticked=challan.id in ticked,
    )


def away_row(item: ListedChallan, now: datetime) -> ChallanRow:
    """A challan away from its vehicle's page, where no heading tells that it is listed no more."""
    row = challan_row(item, now)
    if item.listed or row.held_by is not None:
        return row
    return replace(row, reason=GONE)


def trouble_of(failure: str | None, shown_from: datetime | None, *, age: bool = False) -> str | None:
    """A sentence about a failed look: what happened, and from when what is shown dates.

    With `age` it says how long ago that was too, which is only true of a page that is drawn anew each time.
    """
    if failure is None:
        return None
    if shown_from is None:
        return shared_texts.failure(failure)
    ago = format_age(shown_from)  # Of a moment long past it is the moment itself.
    since = f", {ago}" if age and ago.endswith("ago") else ""
    return f"{shared_texts.failure(failure)} This is from {format_moment(shown_from)}{since}."


def _trouble(failure: str | None, searched_at: datetime) -> str | None:
    said = trouble_of(failure, searched_at, age=True)
    return f"{said} Refresh from source asks again." if said else None


def _group(
    group: EligibilityGroup, listed: Sequence[ListedChallan], ticked: Sequence[str], now: datetime
) -> ChallanGroup:
    chosen = frozenset(ticked)
    rows = tuple(challan_row(item, now, chosen) for item in listed if item.eligibility.group is group)
    return ChallanGroup(group.value, _TITLES[group], rows)


def _distinct(values: Iterable[str | None]) -> tuple[str, ...]:
    return tuple(sorted({value for value in values if value}))


def _reason(item: ListedChallan) -> str | None:
    challan = item.challan
    match item.eligibility.reason:
        case EligibilityReason.STATUS:
            return challan.status
        case EligibilityReason.GAPS:
            return f"The service sent it without {join_words([_GAP_WORDS.get(gap, gap) for gap in challan.gaps])}."
        case EligibilityReason.PAID_LINK:
            return f"{challan.status}: paid with a link"
        case EligibilityReason.PREPAID_WITHOUT_LINK:
            return f"{challan.status}: prepaid, but no link is shown. Refresh from source to look again."
        case EligibilityReason.RESERVED:
            return "Reserved by a request"
        case _:
            return None


def _held_by(item: ListedChallan) -> HeldBy | None:
    if item.eligibility.reason is EligibilityReason.RESERVED and item.claim is not None:
        asked = format_moment(item.claim.prepared_at)
        mine = item.claim.person_id == person_id()
        who = "your request" if mine else f"a request by {names().get(item.claim.person_id, 'a colleague')}"
        return HeldBy(url_for("creation.request_page", request_id=item.claim.intent_id), f"{who} of {asked}")
    link_id = item.link.id if item.link else item.challan.link_id
    if item.eligibility.reason not in (EligibilityReason.LIVE_LINK, EligibilityReason.PAID_LINK) or link_id is None:
        return None
    status = item.link.status if item.link else (item.challan.payment_link.status if item.challan.payment_link else "")
    expires_at = item.link.expires_at if item.link and is_live(status) else None
    return HeldBy(url_for("links.show", link_id=link_id), "open link", shared_texts.link_state(status), expires_at)
