"""Serve the choice of drivers for the vehicles of a plan. Choosing sends nothing."""

from __future__ import annotations

from uuid import UUID

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.money import add_up
from dashboard.store.links.totals import Total
from dashboard.web.fleet import share_page
from dashboard.web.fleet.routes import bp
from dashboard.web.fleet.share_records import SharedLink
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.sharing import driver_choice
from dashboard.web.sharing.driver_choice import Choices
from dashboard.web.sharing.driver_choice_records import VehicleToChoose


@bp.get("/fleet/plans/<uuid:plan_id>/drivers")
def choose_drivers(plan_id: UUID) -> str:
    """Show the vehicles of a plan without a driver, and what somebody chose whose session then expired."""
    waits = driver_choice.waiting()
    return _shown(plan_id, also_usual=waits is None or "usual" in waits)


@bp.post("/fleet/plans/<uuid:plan_id>/drivers")
def save_drivers(plan_id: UUID) -> ResponseReturnValue:
    """Store who gets the links of which vehicles, and add who is new; nothing is saved where a row is wrong."""
    if (typed := driver_choice.typed_row()) is not None:
        return typed
    also_usual, choose = "usual" in request.form, current_services().plan_drivers.choose
    choices = driver_choice.read(_vehicles(plan_id), request.form)
    again = driver_choice.save(
        choices, lambda chosen: choose(str(plan_id), chosen, also_usual=also_usual, person_id=person_id())
    )
    if again:
        return _shown(plan_id, again, also_usual=also_usual), again.status
    audit("bulk links drivers", str(plan_id), vehicles=len(choices.chosen))
    following = "fleet.plan_message" if "send" in request.form else "fleet.share_plan"
    return redirect(url_for(following, plan_id=plan_id), 303)


resumes("fleet.save_drivers", waits=True)(driver_choice.address_of)


def _shown(plan_id: UUID, choices: Choices | None = None, *, also_usual: bool) -> str:
    page = driver_choice.choice_page(_vehicles(plan_id), choices)
    return render_template("fleet/drivers.html", page=page, plan_id=plan_id, also_usual=also_usual)


def _vehicles(plan_id: UUID) -> list[VehicleToChoose]:
    """Return the vehicles without a driver, then those for which one was chosen and nothing was sent yet."""
    share = share_page.plan_share(str(plan_id)) or abort(404)
    found = [_vehicle(each.to_choose, why=each.no_driver) for each in share.to_choose]
    for driver in share.drivers:
        of_vehicle: dict[str, tuple[SharedLink, ...]] = {}
        for each in driver.unsent:
            if each.rc in share.chosen:
                of_vehicle[each.rc] = (*of_vehicle.get(each.rc, ()), each)
        typed = ", ".join(part for part in (driver.name, driver.phone) if part)
        found += [_vehicle(links, typed=typed) for links in of_vehicle.values()]
    return found


def _vehicle(links: tuple[SharedLink, ...], why: str = "", typed: str = "") -> VehicleToChoose:
    total = Total(len(links), add_up(each.total for each in links))
    return VehicleToChoose(links[0].rc, links[0].plate, total, why, typed=typed)
