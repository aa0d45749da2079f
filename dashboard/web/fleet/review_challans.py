"""Build the page of one vehicle of the review: its challans, each of which may be left out of the plan."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from flask import url_for

from dashboard.domain.fleet_plan import MOST_SKIPPED, VehicleLot, mark_of
from dashboard.domain.registration import spaced
from dashboard.services.vehicles import eligibility
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.review_page import Asked, Reviewed
from dashboard.web.fleet.review_records import ReviewChallan, ReviewVehicle
from dashboard.web.shared.current import current_services


def vehicle_page(found: Reviewed, asked: Asked, lot: VehicleLot, page: int, problem: str = "") -> ReviewVehicle:
    """Build the page; `page` is that of the review to which it leads back."""
    chosen = next((each for each in found.ticked(asked) if each.rc == lot.rc), None)
    ticked = {each.id for each in chosen.challans} if chosen else set()
    place = asked.arguments(page=page if page > 1 else None)
    return ReviewVehicle(
        rc=lot.rc,
        plate=spaced(lot.rc),
        title=fleet_texts.title(found.job),
        action=url_for("fleet.tick_challans", run_id=found.job.id, rc=lot.rc, **place),
        rows=_rows(lot, ticked),
        challans=len(lot.challans),
        ticked=len(ticked),
        to_pay=chosen.to_pay if chosen else None,
        links=chosen.links if chosen else 0,
        problem=problem,
    )


def _rows(lot: VehicleLot, ticked: Collection[str]) -> tuple[ReviewChallan, ...]:
    """Return the challans of a vehicle, the oldest first, with what its own page says of them."""
    with current_services().store.read() as connection:
        stored = {item.challan.id: item.challan for item in eligibility.of_vehicle(connection, lot.rc)}
    rows = []
    for each in lot.challans:
        known = stored.get(each.id)
        words = (known.challan_no, known.offense_details, known.challan_place) if known else (None, None, None)
        rows.append(ReviewChallan(each.id, *words, each.date, each.state, each.type, each.total, each.id in ticked))
    return tuple(sorted(rows, key=lambda each: each.date.timestamp() if each.date else math.inf))


def with_ticks(found: Reviewed, asked: Asked, lot: VehicleLot, ticked: Collection[str]) -> Asked | None:
    """Return what is asked for once these challans of a vehicle are ticked; None where too many would be left out.

    A vehicle without any tick is left out as a whole, as in the review.
    """
    of_lot = {mark_of(each.id): each.id for each in lot.challans}
    left_out = {mark for mark, challan_id in of_lot.items() if challan_id not in ticked}
    # What somebody else has put on a link since needs no mark any more.
    others = (asked.skipped & {mark_of(each.id) for each in found.challans}) - of_lot.keys()
    if len(left_out) == len(of_lot):
        return replace(asked, without=asked.without | {lot.position}, skipped=frozenset(others))
    if len(others) + len(left_out) > MOST_SKIPPED:
        return None
    return replace(asked, without=asked.without - {lot.position}, skipped=frozenset(others | left_out))
