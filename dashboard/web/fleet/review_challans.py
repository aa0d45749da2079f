"""Build the page of one vehicle of the review: its challans, each of which may be left out of the plan.

What is shown of many challans is narrowed by one filter, and comes a page at a time. Neither changes a tick: what is
not shown stays as it was ticked.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

from flask import url_for

from dashboard.domain import phones
from dashboard.domain.fleet_plan import MOST_SKIPPED, PayableChallan, VehicleLot, mark_of
from dashboard.domain.links import plan_links
from dashboard.domain.registration import spaced
from dashboard.services.vehicles import eligibility
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, shares
from dashboard.web.fleet import forms
from dashboard.web.fleet import review_texts as texts
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.review_address import Asked
from dashboard.web.fleet.review_page import Reviewed, names_of
from dashboard.web.fleet.review_records import ReviewChallan, ReviewVehicle, ShownPart
from dashboard.web.shared import service_words
from dashboard.web.shared.current import current_services
from dashboard.web.vehicles.challan_rows import earlier_link

PAGE_SIZE = 50
#: So many challans need no filter.
_FEW = 10
_OLD_DAYS, _LARGE = 60, Decimal(10000)
_OLD, _LARGEST, _UNKNOWN, _TYPE = "old", "large", "unknown", "type:"
_MAX_TEXT = 60


@dataclass(frozen=True, slots=True)
class View:
    """Hold which challans of a vehicle are shown: those of the filter `show`, "" for all, and which page of them."""

    show: str = ""
    part: int = 1

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of an address that shows the same."""
        show = {"show": self.show} if self.show else {}
        return {**show, "part": self.part} if self.part > 1 else {**show}


def view(args: Mapping[str, str]) -> View:
    """Read what an address shows."""
    return View(args.get("show", "")[:_MAX_TEXT], forms.page_number({"page": args.get("part", "")}))


def view_after(form: Mapping[str, str], before: View) -> View | None:
    """Return what a button of the form shows next; None for one that leads back to the review."""
    go = form.get("go", "")
    if "show" in form:
        return View(form["show"][:_MAX_TEXT])
    if go in ("all", "none"):
        return before
    return replace(before, part=forms.page_number({"page": go})) if go.isdecimal() else None


def vehicle_page(
    found: Reviewed, asked: Asked, lot: VehicleLot, page: int, shown: View, problem: str = ""
) -> ReviewVehicle:
    """Build the page; `page` is that of the review to which it leads back."""
    chosen = next((each for each in found.ticked(asked) if each.rc == lot.rc), None)
    ticked = {each.id for each in chosen.challans} if chosen else set()
    place = asked.arguments(page=page if page > 1 else None)
    filters = _filters(lot)
    listed, shown = _listed(lot, shown, filters)
    part = _of_part(listed, shown)
    failed = {each.id for each in lot.challans if each.id in found.failed} - ticked
    together = _together(found, listed)
    links = {found.earlier[each].id for each in failed if each in found.earlier}
    names = names_of(found.drivers, lot.rc)
    sent_to, is_given = _given(links) if len(links) == 1 else ("", True)
    return ReviewVehicle(
        rc=lot.rc,
        plate=spaced(lot.rc),
        driver=names,
        title=fleet_texts.title(found.job),
        action=url_for("fleet.tick_challans", run_id=found.job.id, rc=lot.rc, **place, **shown.arguments()),
        rows=_rows(lot.rc, part, ticked, together, found.earlier),
        parts=_parts(lot, shown.show, filters),
        listed=len(listed),
        page=shown.part,
        shown=texts.shown((shown.part - 1) * PAGE_SIZE + 1, (shown.part - 1) * PAGE_SIZE + len(part), len(listed)),
        pages=max(1, math.ceil(len(listed) / PAGE_SIZE)),
        challans=len(lot.challans),
        tickable=sum(each.id in together or each.id in ticked for each in listed),
        ticked=len(ticked),
        to_pay=chosen.to_pay if chosen else None,
        links=tuple(map(len, plan_links(sorted(ticked)))),
        problem=problem,
        unticked=texts.unticked(len(failed), sent_to, is_given=is_given or bool(names)),
        failed_link=url_for("links.show", link_id=links.pop()) if len(links) == 1 else "",
    )


def _given(links: Collection[str]) -> tuple[str, bool]:
    """Return to whom a link was given last, with their phone number, and whether anybody was given it."""
    with current_services().store.read() as connection:
        share = next(iter(shares.newest_of_links(connection, links).values()), None)
        driver = drivers.find(connection, share.driver_id) if share and share.driver_id else None
    named = [share.driver_name if share else None, phones.shown(driver.phone) if driver and driver.phone else None]
    return ", ".join(filter(None, named)), share is not None


_Accepts = Callable[[PayableChallan], bool]


def _filters(lot: VehicleLot) -> dict[str, tuple[str, _Accepts]]:
    """Return the filters that narrow the challans of a vehicle, with their words."""
    if len(lot.challans) <= _FEW:
        return {}
    latest = current_services().clock() - timedelta(days=_OLD_DAYS)

    def of_type(wanted: str) -> _Accepts:
        return lambda each: each.type == wanted

    offered: dict[str, tuple[str, _Accepts]] = {
        _OLD: (texts.older_than(_OLD_DAYS), lambda each: each.date is not None and each.date <= latest),
        _LARGEST: (texts.at_least(_LARGE), lambda each: each.total is not None and each.total >= _LARGE),
    }
    for each in sorted({challan.type for challan in lot.challans if challan.type}):
        offered[f"{_TYPE}{each}"] = (service_words.challan_type(each), of_type(each))
    offered[_UNKNOWN] = (str(texts.AMOUNT_UNKNOWN), lambda each: each.total is None)
    return {
        name: (words, accepts)
        for name, (words, accepts) in offered.items()
        if 0 < sum(map(accepts, lot.challans)) < len(lot.challans)
    }


def _parts(lot: VehicleLot, chosen: str, filters: Mapping[str, tuple[str, _Accepts]]) -> tuple[ShownPart, ...]:
    if not filters:
        return ()
    everything = ShownPart("", str(texts.ALL), len(lot.challans), not chosen)
    narrowed = (
        ShownPart(name, words, sum(map(accepts, lot.challans)), name == chosen)
        for name, (words, accepts) in filters.items()
    )
    return (everything, *narrowed)


def _listed(
    lot: VehicleLot, shown: View, filters: Mapping[str, tuple[str, _Accepts]]
) -> tuple[list[PayableChallan], View]:
    """Return the challans that are listed, the oldest first, and what is shown of them: a page that there is."""
    show = shown.show if shown.show in filters else ""
    accepted = [each for each in lot.challans if not show or filters[show][1](each)]
    accepted.sort(key=lambda each: each.date.timestamp() if each.date else math.inf)
    return accepted, View(show, min(shown.part, max(1, math.ceil(len(accepted) / PAGE_SIZE))))


def _together(found: Reviewed, listed: Sequence[PayableChallan]) -> set[str]:
    """Return the challans that are ticked with one click. Those of failed links are ticked one by one, so that nobody
    pays them twice because somebody ticked all; where nothing else is listed, all of it is one decision.
    """
    return {each.id for each in listed if each.id not in found.failed} or {each.id for each in listed}


def _of_part(listed: Sequence[PayableChallan], shown: View) -> Sequence[PayableChallan]:
    return listed[(shown.part - 1) * PAGE_SIZE : shown.part * PAGE_SIZE]


def _rows(
    rc: str,
    challans: Sequence[PayableChallan],
    ticked: Collection[str],
    together: Collection[str],
    earlier: Mapping[str, Link],
) -> tuple[ReviewChallan, ...]:
    """Return challans of a vehicle with what its own page says of them."""
    with current_services().store.read() as connection:
        stored = {item.challan.id: item.challan for item in eligibility.of_vehicle(connection, rc)}
    rows = []
    for each in challans:
        known = stored.get(each.id)
        words = (known.challan_no, known.offense_details, known.challan_place) if known else (None, None, None)
        was_on = earlier_link(earlier[each.id]) if each.id in earlier else None
        stated = (*words, each.date, each.state, each.type, each.total)
        rows.append(ReviewChallan(each.id, *stated, each.id in ticked, each.id not in together, was_on))
    return tuple(rows)


def ticked_after(
    found: Reviewed, asked: Asked, lot: VehicleLot, shown: View, sent: Collection[str], go: str
) -> set[str]:
    """Return the challans that are ticked after these of a page were sent, or a button for all that are listed."""
    before = {each.id for of in found.ticked(asked) if of.rc == lot.rc for each in of.challans}
    listed, shown = _listed(lot, shown, _filters(lot))
    of_page = {each.id for each in _of_part(listed, shown)}
    after = (before - of_page) | (of_page & set(sent))
    if go == "all":
        return after | _together(found, listed)
    return after - {each.id for each in listed} if go == "none" else after


def with_ticks(found: Reviewed, asked: Asked, lot: VehicleLot, ticked: Collection[str]) -> Asked | None:
    """Return what is asked for once these challans of a vehicle are ticked; None where too many would be left out.

    A vehicle without any tick is left out as a whole, as in the review.
    """
    of_lot = {mark_of(each.id): each.id for each in lot.challans}
    failed = {each.id for each in lot.challans if each.id in found.failed}
    anyway = asked.anyway | {lot.position} if failed.intersection(ticked) else asked.anyway - {lot.position}
    # Those of failed links are left out without a mark, unless a person ticked one of them.
    unmarked = failed if lot.position not in anyway else set()
    left_out = {mark for mark, challan_id in of_lot.items() if challan_id not in {*ticked, *unmarked}}
    # What somebody else has put on a link since needs no mark any more.
    others = (asked.skipped & {mark_of(each.id) for each in found.challans}) - of_lot.keys()
    if not ticked:
        return replace(asked, without=asked.without | {lot.position}, skipped=frozenset(others), anyway=anyway)
    if len(others) + len(left_out) > MOST_SKIPPED:
        return None
    return replace(asked, without=asked.without - {lot.position}, skipped=frozenset(others | left_out), anyway=anyway)
