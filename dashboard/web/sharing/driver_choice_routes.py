"""Serve the choice of drivers for the vehicles of the follow-up queue that lack one."""

from __future__ import annotations

from dataclasses import replace

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.follow_up import is_urgent
from dashboard.domain.registration import spaced
from dashboard.store.sharing import driverless, drivers, shares
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.sharing import driver_choice, texts
from dashboard.web.sharing.driver_choice import Choices
from dashboard.web.sharing.driver_choice_records import VehicleToChoose
from dashboard.web.sharing.reminder_address import queue_address, queue_of
from dashboard.web.sharing.routes import bp


@bp.get("/follow-up/drivers")
def choose_drivers() -> str:
    """Ask for the usual drivers of the vehicles that lack one."""
    return _shown()


@bp.post("/follow-up/drivers")
def save_drivers() -> ResponseReturnValue:
    """Save the usual drivers of vehicles, and add who is new; nothing is saved where a row is wrong."""
    if (typed := driver_choice.typed_row()) is not None:
        return typed
    services = current_services()
    choices = driver_choice.read(_vehicles(), request.form)
    with services.store.read() as connection:
        waiting = driverless.links(connection, services.clock(), choices.chosen)
    if again := driver_choice.save(choices, lambda chosen: services.drivers.choose(chosen, person_id())):
        return _shown(again), again.status
    if "send" in request.form and waiting:
        return redirect(queue_address(queue_of(waiting, services.clock())), 303)
    return redirect(url_for("sharing.follow_up"), 303)


def _shown(choices: Choices | None = None) -> str:
    """Show a page of vehicles, and who was sent the links of each before."""
    page = driver_choice.choice_page(_vehicles(), choices)
    with current_services().store.read() as connection:
        last = shares.last_drivers(connection, [each.rc for each in page.rows])
        present = drivers.present(connection, {of_vehicle[0] for of_vehicle in last.values()})
    names = {rc: present[ids[0]].name for rc, ids in last.items() if ids[0] in present}
    rows = (replace(each, why=texts.last_sent_to(names[each.rc]) if each.rc in names else "") for each in page.rows)
    return render_template("sharing/choose_drivers.html", page=replace(page, rows=tuple(rows)))


def _vehicles() -> list[VehicleToChoose]:
    services = current_services()
    now = services.clock()
    with services.store.read() as connection:
        found = driverless.vehicles(connection, now)
    return [
        VehicleToChoose(
            each.rc, spaced(each.rc), each.links, ends_at=each.ends_at, is_urgent=is_urgent(each.ends_at, now)
        )
        for each in found
    ]


resumes("sharing.save_drivers", waits=True)(driver_choice.address_of)
