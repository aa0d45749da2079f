"""Serve the choice of drivers for the follow-up queue: for all vehicles that lack one, or a new one for a link."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.follow_up import ends_soon
from dashboard.domain.phones import shown
from dashboard.domain.registration import spaced
from dashboard.services.sharing.drivers import PhoneTaken
from dashboard.store.links import links
from dashboard.store.sharing import driverless, drivers, shares
from dashboard.web.links.routes import subject_of_saved_form
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes, resumes_on_its_own_page
from dashboard.web.sharing import driver_choice, texts
from dashboard.web.sharing.driver_choice import Choices
from dashboard.web.sharing.driver_choice_records import VehicleToChoose
from dashboard.web.sharing.driver_typed import new_driver
from dashboard.web.sharing.follow_up_page import follow_up_page
from dashboard.web.sharing.follow_up_records import NewDriver
from dashboard.web.sharing.reminder_address import queue_address, queue_of
from dashboard.web.sharing.routes import bp, send_to_driver


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


@bp.post("/follow-up/<uuid:link_id>/new-driver")
def send_to_new_driver(link_id: UUID) -> ResponseReturnValue:
    """Save a driver as the usual one of the vehicle of a link, then send them the link."""
    with current_services().store.read() as connection:
        link = links.find(connection, str(link_id)) or abort(404)
    found = save_new_driver(request.form.get("name", ""), request.form.get("phone", ""), link.rc)
    if isinstance(found, NewDriver):
        return follow_up_page(link.id, new=found), 422
    return send_to_driver(link_id, found)


def save_new_driver(name: str, phone: str, rc: str | None) -> int | NewDriver:
    """Save a driver with a phone number as the usual one of a vehicle; return their id, or what is wrong.

    Whoever is entered again with the same name and number is the same driver.
    """
    form = new_driver(name, phone)
    if form.errors:
        return NewDriver(name, phone, *(str(next(iter(each.errors), "")) for each in (form.name, form.phone)))
    details = replace(form.details(), vehicles=(rc,) if rc else ())
    try:
        driver_id = current_services().drivers.add(details, person_id())
    except PhoneTaken as taken:
        known = taken.driver
        if known.name.casefold() != details.name.casefold():
            return NewDriver(name, phone, "", texts.phone_taken(shown(known.phone or ""), known.name))
        if rc and current_services().drivers.make_usual_driver(known.id, rc):
            audit("driver changed", str(known.id), name=known.name)
        return known.id
    audit("driver added", str(driver_id), name=details.name)
    return driver_id


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
            each.rc, spaced(each.rc), each.links, ends_at=each.ends_at, is_urgent=ends_soon(each.ends_at, now)
        )
        for each in found
    ]


resumes("sharing.save_drivers", waits=True)(driver_choice.address_of)
resumes_on_its_own_page("sharing.send_to_new_driver", texts.NEW_DRIVER, texts.DRIVER_LABELS, subject_of_saved_form)
