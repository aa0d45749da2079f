"""Build the review of a search run: its payable challans by vehicle, and the plan of what is ticked."""

from __future__ import annotations

import math
import uuid
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal

from flask import current_app, url_for
from sqlalchemy import Connection

from dashboard.domain.fleet import FOUND, PlannedLink
from dashboard.domain.fleet_plan import (
    FleetPlan,
    PayableChallan,
    ReviewFilter,
    VehicleLot,
    by_vehicle,
    make_plan,
    narrowed,
)
from dashboard.domain.links import may_have_taken_money
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.domain.registration import spaced
from dashboard.errors import CallGroup
from dashboard.services.vehicles import earlier_links
from dashboard.store.fleet import jobs, open_plans, payable, plans_of_runs
from dashboard.store.fleet.jobs import Job
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, questions
from dashboard.store.sharing.drivers import Driver
from dashboard.web.creation.earlier_payments import earlier_payments
from dashboard.web.creation.forms import PRESETS, is_hours
from dashboard.web.fleet import review_texts as texts
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.review_address import ANY, NONE, Asked
from dashboard.web.fleet.review_records import (
    EarlierOfVehicle,
    FilterChange,
    FleetReview,
    PlanLine,
    PlannedEarlier,
    PlannedElsewhere,
    PlanReview,
    ReviewFields,
    ReviewRow,
)
from dashboard.web.fleet.run_page import find_run, on_links
from dashboard.web.fleet.run_records import OnLinks
from dashboard.web.links.records import Choice
from dashboard.web.shared import service_words
from dashboard.web.shared.current import current_services

PAGE_SIZE = 200
_LINES = 20
#: The most vehicles that are named as having challans that were on ended links.
_NAMED_EARLIER = 5
#: The filters that are offered in one click.
_QUICK = (("days", "60"), ("least", "10000"), ("driver", ANY), ("driver", NONE))


@dataclass(frozen=True, slots=True)
class Reviewed:
    """Hold what a run has to pay: all of it but what stands in plans `elsewhere`, and the vehicles that the filter
    finds, in their order.
    """

    job: Job
    challans: list[PayableChallan]
    lots: list[VehicleLot]
    drivers: dict[str, list[Driver]]
    elsewhere: tuple[PlannedElsewhere, ...]
    earlier: Mapping[str, Link]  # the ended links on which challans may be paid besides, by their ids
    failed: frozenset[str]  # the challans of failed links, which are left out until a person ticks them
    on_links: OnLinks | None = None  # where nothing else is left
    is_unpaid: bool = False  # and some of it waits for payment

    def ticked(self, asked: Asked) -> list[VehicleLot]:
        """Return the vehicles that are ticked, with those of their challans that are."""
        listed = (
            lot.ticked(asked.skipped, self.failed, asked.anyway)
            for lot in self.lots
            if lot.position not in asked.without
        )
        return [lot for lot in listed if lot.challans]

    def of_failed_links(self, asked: Asked) -> set[int]:
        """Return the vehicles all of whose challans that may be ticked were on a failed link: a person ticks these one
        by one, once they know that no money was taken.
        """
        left = (lot.without(asked.skipped) for lot in self.lots)
        return {lot.position for lot in left if lot.challans and all(each.id in self.failed for each in lot.challans)}

    @property
    def hidden(self) -> list[PayableChallan]:
        """Return the challans that the filter leaves out."""
        shown = {each.id for lot in self.lots for each in lot.challans}
        return [each for each in self.challans if each.id not in shown]

    def earlier_of(self, lots: Iterable[VehicleLot]) -> list[Link]:
        """Return the ended link of each challan of vehicles that was on one."""
        return [self.earlier[each.id] for lot in lots for each in lot.challans if each.id in self.earlier]


def reviewed(run_id: str, asked: Asked, *, with_earlier: bool = True) -> Reviewed | None:
    """Read what a run has to pay, as the filter narrows it; None when there is no such run.

    `with_earlier` reads the ended links too, which only the rows and the plan show: a tick asks for its sum alone.
    """
    services = current_services()
    with services.store.read() as connection:
        job = find_run(connection, run_id)
        if job is None:
            return None
        everything, planned = payable.of_run(connection, run_id), open_plans.challans(connection)
        usual = drivers.of_run(connection, run_id)
        ids = {each.id for each in everything} if with_earlier else set()
        earlier = earlier_links.of_run(connection, run_id, ids, services.schedule, services.clock()) if ids else {}
        failed = earlier_links.failed_of_run(connection, run_id) if everything else frozenset()
        challans = [each for each in everything if each.id not in planned]
        elsewhere = tuple(
            _elsewhere(connection, plan_id, [each.total for each in everything if planned.get(each.id) == plan_id])
            for plan_id in dict.fromkeys(planned[each.id] for each in everything if each.id in planned)
        )
        made = [] if everything else plans_of_runs.of_runs(connection, [run_id]).get(run_id, [])
        is_unpaid = not everything and bool(payable.on_links(connection, run_id, FOUND))
    wanted = asked.filter.driver_id
    of_driver = {rc for rc, found in usual.items() if wanted is None or any(each.id == wanted for each in found)}
    found = narrowed(challans, asked.filter, services.clock(), of_driver)
    lots = by_vehicle(found, asked.order)
    return Reviewed(job, challans, lots, usual, elsewhere, earlier, failed, on_links(made), is_unpaid)


def _elsewhere(connection: Connection, plan_id: str, amounts: Sequence[Decimal | None]) -> PlannedElsewhere:
    plan = jobs.find(connection, plan_id)
    assert plan is not None
    address = url_for("fleet.plan", plan_id=plan_id)
    return PlannedElsewhere(
        address, fleet_texts.title(plan), plan.created_at, texts.planned(len(amounts), add_up(amounts))
    )


def review_page(found: Reviewed, asked: Asked, page: int) -> FleetReview:
    """Build a page of the review."""
    run_id = found.job.id
    pages = max(1, math.ceil(len(found.lots) / PAGE_SIZE))
    page = min(max(page, 1), pages)
    ticked = found.ticked(asked)
    every, chosen = make_sum(found.lots), make_sum(ticked)
    by_position = {lot.position: lot for lot in ticked}
    of_failed = found.of_failed_links(asked)
    to_check = of_failed - by_position.keys()
    hidden = found.hidden
    return FleetReview(
        run_id=run_id,
        title=fleet_texts.title(found.job),
        order=asked.order,
        fields=_fields(asked, found),
        rows=tuple(
            _row(lot, by_position.get(lot.position), found, asked, page, is_of_failed=lot.position in of_failed)
            for lot in of_page(found.lots, page)
        ),
        page=page,
        pages=pages,
        vehicles=len(found.lots),
        challans=sum(len(lot.challans) for lot in found.lots),
        to_pay=every,
        ticked_vehicles=len(ticked),
        ticked_challans=sum(len(lot.challans) for lot in ticked),
        ticked_links=sum(lot.links for lot in ticked),
        ticked_sum=chosen,
        hidden=texts.hidden(len(hidden), add_up(each.total for each in hidden)) if asked.filter.is_set else "",
        left_out=texts.left_out(
            len(asked.without & {each.position for each in found.challans} - to_check),
            sum(len(lot.challans) for lot in found.lots if lot.position in by_position)
            - sum(len(lot.challans) for lot in ticked),
            failed=len(to_check),
        ),
        tickable=sum(
            lot.position in by_position or any(each.id not in found.failed for each in lot.challans)
            for lot in found.lots
        ),
        action=url_for("fleet.tick", run_id=run_id, **asked.arguments(page=page if page > 1 else None)),
        elsewhere=found.elsewhere,
        on_links=found.on_links,
        is_unpaid=found.is_unpaid,
    )


def plan_of(found: Reviewed, asked: Asked) -> FleetPlan:
    """Make the plan of what is ticked."""
    return make_plan(found.ticked(asked), asked.order)


def plan_review(found: Reviewed, asked: Asked, *, hours: str, hours_problem: str = "", problem: str = "") -> PlanReview:
    """Build the plan for its confirmation, with an id that leads a second confirmation to the same plan."""
    plan = plan_of(found, asked)
    forecast = current_services().allowance_planner.forecast(CallGroup.CREATE, len(plan.links))
    lines = _lines(plan.links, found.drivers)
    undriven = list(dict.fromkeys(link.rc for link in plan.links if not found.drivers.get(link.rc)))
    fitting, late = lines[: forecast.fits], lines[forecast.fits :]
    arguments = asked.arguments()
    return PlanReview(
        run_id=found.job.id,
        title=fleet_texts.title(found.job),
        back=url_for("fleet.review", run_id=found.job.id, **arguments),
        action=url_for("fleet.create_links", run_id=found.job.id, **arguments),
        plan_id=str(uuid.uuid4()),
        seen=plan.fingerprint,
        links=len(plan.links),
        challans=plan.challans,
        vehicles=plan.vehicles,
        undriven=len(undriven),
        choose_driver=url_for("sharing.drivers", vehicle=undriven[0]) if undriven else "",
        to_pay=plan.to_pay,
        allowance=texts.allowance(forecast, len(plan.links)),
        waiting=len(late),
        waiting_words=texts.waiting(len(late), forecast),
        first=tuple(fitting[:_LINES]),
        more=max(0, len(fitting) - _LINES),
        first_waiting=tuple(late[:_LINES]),
        more_waiting=max(0, len(late) - _LINES),
        hours=hours,
        hours_problem=hours_problem,
        hours_words=str(texts.HOURS),
        ends_at=current_services().clock() + timedelta(hours=int(hours)) if is_hours(hours) else None,
        problem=problem,
        presets=PRESETS,
        zone=current_app.config["TIMEZONE"],
        elsewhere=found.elsewhere,
        earlier=_planned_earlier(found, asked),
    )


def _planned_earlier(found: Reviewed, asked: Asked) -> tuple[PlannedEarlier, ...]:
    """Say by which old links the planned challans may be paid besides: by what that means, failed links first."""
    lots = found.ticked(asked)
    failed = {link.id for link in found.earlier_of(lots) if may_have_taken_money(link.status)}
    with current_services().store.read() as connection:
        of_drivers = questions.newest_of_links(connection, failed) if failed else {}
    groups: dict[tuple[bool, str], list[EarlierOfVehicle]] = {}
    for lot in lots:
        place = {"run_id": found.job.id, "rc": lot.rc, **asked.arguments()}
        for each in earlier_payments(found.earlier_of([lot]), of_drivers):
            vehicle = EarlierOfVehicle(spaced(lot.rc), url_for("fleet.review_vehicle", **place), each)
            groups.setdefault((not each.may_have_taken_money, each.next), []).append(vehicle)
    return tuple(
        PlannedEarlier(words, not is_late, tuple(vehicles[:_NAMED_EARLIER]), max(0, len(vehicles) - _NAMED_EARLIER))
        for (is_late, words), vehicles in sorted(groups.items(), key=lambda group: group[0])
    )


def make_sum(lots: list[VehicleLot]) -> Sum:
    """Add up what the challans of vehicles cost."""
    found = NO_SUM
    for lot in lots:
        found = found + lot.to_pay
    return found


def _lines(planned: Sequence[PlannedLink], usual: Mapping[str, list[Driver]]) -> list[PlanLine]:
    of_vehicle, before = Counter(link.rc for link in planned), Counter[str]()
    lines = []
    for link in planned:
        before[link.rc] += 1
        part = texts.part(before[link.rc], of_vehicle[link.rc])
        names = names_of(usual, link.rc)
        lines.append(PlanLine(spaced(link.rc), part, len(link.challan_ids), link.to_pay, names))
    return lines


def names_of(usual: Mapping[str, list[Driver]], rc: str) -> str:
    return ", ".join(each.name for each in usual.get(rc, ()))


def of_page(lots: Sequence[VehicleLot], page: int) -> Sequence[VehicleLot]:
    """Return the vehicles that a page of the review shows."""
    return lots[(page - 1) * PAGE_SIZE : page * PAGE_SIZE]


def _row(
    lot: VehicleLot, ticked: VehicleLot | None, found: Reviewed, asked: Asked, page: int, *, is_of_failed: bool
) -> ReviewRow:
    """Show a vehicle with what is ticked of it, or with all of it where it is left out."""
    chosen = ticked or lot
    dates = [each.date for each in chosen.challans if each.date is not None]
    place = asked.arguments(page=page if page > 1 else None)
    return ReviewRow(
        position=lot.position,
        plate=spaced(lot.rc),
        address=url_for("fleet.review_vehicle", run_id=found.job.id, rc=lot.rc, **place),
        challans=len(chosen.challans),
        of=len(lot.challans),
        to_pay=chosen.to_pay,
        links=chosen.links,
        oldest=min(dates) if dates else None,
        driver=names_of(found.drivers, lot.rc),
        ticked=ticked is not None,
        is_of_failed=is_of_failed,
        earlier=tuple(earlier_payments(found.earlier_of([lot.without(asked.skipped)]))),
    )


def _fields(asked: Asked, found: Reviewed) -> ReviewFields:
    states = sorted({each.state for each in found.challans if each.state})
    types = sorted({each.type for each in found.challans if each.type})
    everybody = {each.id: each.name for listed in found.drivers.values() for each in listed}
    return ReviewFields(
        typed=asked.typed,
        problems=asked.problems,
        states=_choices(
            texts.ANY_STATE, {each: service_words.state_of_india(each) for each in states}, asked.typed["state"]
        ),
        types=_choices(texts.ANY_TYPE, {each: service_words.challan_type(each) for each in types}, asked.typed["type"]),
        drivers=_choices(
            texts.ANY_DRIVER,
            {ANY: str(texts.HAS_DRIVER), NONE: str(texts.HAS_NO_DRIVER)}
            | {str(key): name for key, name in sorted(everybody.items(), key=lambda each: each[1])},
            asked.typed["driver"],
        ),
        is_narrowed=asked.filter.is_set,
        chips=_chips(asked, everybody),
        quick=_quick(asked, found),
    )


def _chips(asked: Asked, everybody: Mapping[int, str]) -> tuple[FilterChange, ...]:
    """Return each filter that narrows the review, with what removes it."""
    by, typed = asked.filter, asked.typed
    words = {
        "plate": by.plate,
        "days": texts.older_than(by.days) if by.days is not None else None,
        "least": texts.at_least(by.least) if by.least is not None else None,
        "most": texts.at_most(by.most) if by.most is not None else None,
        "state": service_words.state_of_india(by.state) if by.state else None,
        "type": service_words.challan_type(by.type) if by.type else None,
        "driver": _driver_words(by, everybody, typed["driver"]),
    }
    return tuple(FilterChange(said, f"{name}=") for name, said in words.items() if said)


def _driver_words(by: ReviewFilter, everybody: Mapping[int, str], typed: str) -> str | None:
    if by.has_driver is not None:
        return str(texts.HAS_DRIVER if by.has_driver else texts.HAS_NO_DRIVER)
    return everybody.get(by.driver_id, typed) if by.driver_id is not None else None


def _quick(asked: Asked, found: Reviewed) -> tuple[FilterChange, ...]:
    """Offer usual filters whose field is empty; by driver where only some vehicles have one."""
    with_driver = sum(each.rc in found.drivers for each in found.lots)
    words = {
        "days": texts.older_than(60),
        "least": texts.at_least(Decimal(10000)),
        ANY: str(texts.HAS_DRIVER),
        NONE: str(texts.HAS_NO_DRIVER),
    }
    return tuple(
        FilterChange(words.get(value) or words[name], f"{name}={value}")
        for name, value in _QUICK
        if not asked.typed[name] and (name != "driver" or 0 < with_driver < len(found.lots))
    )


def _choices(nothing: str, offered: Mapping[str, str], chosen: str) -> tuple[Choice, ...]:
    """Offer the values, the first of which is no value; the chosen one too where nothing has it any more."""
    offered = dict(offered) if not chosen or chosen in offered else {**offered, chosen: chosen}
    return (
        Choice("", str(nothing), not chosen),
        *(Choice(value, words, value == chosen) for value, words in offered.items()),
    )
