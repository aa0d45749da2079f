"""Serve the choice of drivers for the follow-up queue: for all vehicles that lack one, or a new one for a link."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.languages import DEFAULT_LANGUAGE
from dashboard.domain.phones import shown
from dashboard.domain.registration import InvalidRegistration, normalize, spaced
from dashboard.services.sharing.drivers import PhoneTaken
from dashboard.store.links import links
from dashboard.store.sharing import driverless, drivers, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.web.links.payment import SOMEONE_ELSE, driver_choices
from dashboard.web.links.records import Choice
from dashboard.web.links.routes import subject_of_saved_form
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.toasts import toast
from dashboard.web.sharing import texts
from dashboard.web.sharing.follow_up_page import follow_up_page
from dashboard.web.sharing.follow_up_records import ChoicePage, NewDriver, VehicleChoice
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.routes import bp, send_to_driver

#: So many vehicles are on a page, each with a list of all drivers.
_ROWS = 10
#: What the list of drivers sends for a new one; and the field in its place, while nobody is among the drivers.
_NEW, _NAMED = "new", "named"
#: The fields of each vehicle.
_FIELDS = "vehicle", "driver", "name", "phone"


@bp.get("/follow-up/drivers")
def choose_drivers() -> ResponseReturnValue:
    """Ask for the usual drivers of the vehicles that lack one; the queue, where there are none."""
    page = _page(request.args.get("after", ""), {})
    if not page.rows:
        return redirect(url_for("sharing.follow_up"), 303)
    return render_template("sharing/choose_drivers.html", page=page)


@bp.post("/follow-up/drivers")
def save_drivers() -> ResponseReturnValue:
    """Save the drivers that were chosen or named; then ask for those of the next vehicles, or for what was refused."""
    saved, refused = 0, {}
    for vehicle, chosen, name, phone in zip(*map(request.form.getlist, _FIELDS), strict=False):
        rc = _number(vehicle)
        if chosen == _NEW or (chosen == _NAMED and (name.strip() or phone.strip())):
            found = save_new_driver(name, phone, rc)
            if isinstance(found, NewDriver):
                refused[rc] = found
                continue
        elif chosen in ("", _NAMED):
            continue
        else:
            _make_usual(chosen, rc)
        saved += 1
    if saved:
        toast(texts.drivers_chosen(saved))
    after = request.args.get("after", "")
    if refused:
        return render_template("sharing/choose_drivers.html", page=_page("", refused)), 422
    if _page(after, {}).rows:
        return redirect(url_for("sharing.choose_drivers", after=after), 303)
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
    typed = {"name": name, "phone": phone, "language": DEFAULT_LANGUAGE.code, "vehicles": rc or ""}
    form = DriverForm(MultiDict(typed), meta={"csrf": False})
    is_valid = form.validate()
    phone_problem = str(form.phone.errors[0] if form.phone.errors else "" if phone.strip() else texts.NO_PHONE)
    if not is_valid or phone_problem:
        return NewDriver(name, phone, str(form.name.errors[0]) if form.name.errors else "", phone_problem)
    details = form.details()
    try:
        driver_id = current_services().drivers.add(details, person_id())
    except PhoneTaken as taken:
        known = taken.driver
        if known.name.casefold() != details.name.casefold():
            return NewDriver(name, phone, "", texts.phone_taken(shown(known.phone or ""), known.name))
        if rc:
            _make_usual(str(known.id), rc)
        return known.id
    audit("driver added", str(driver_id), name=details.name)
    return driver_id


def _make_usual(chosen: str, rc: str) -> None:
    with current_services().store.read() as connection:
        found = drivers.present(connection, [int(chosen)] if chosen.isascii() and chosen.isdigit() else [])
    for driver in found.values():
        if current_services().drivers.make_usual_driver(driver.id, rc):
            audit("driver changed", str(driver.id), name=driver.name)
    if not found:
        abort(400)


def _page(after: str, refused: Mapping[str, NewDriver]) -> ChoicePage:
    """Build the page of the vehicles behind a number; or of those whose new drivers were refused."""
    services = current_services()
    with services.store.read() as connection:
        every = driverless.vehicles(connection, services.clock())
        behind = [each for each in every if each.rc in refused or (not refused and each.rc > after)]
        shown_now = behind[:_ROWS]
        last = shares.last_drivers(connection, [each.rc for each in shown_now])
        everybody = drivers.listed(connection)
    names = {driver.id: driver for driver in everybody}
    rows = []
    for each in shown_now:
        known = [names[driver_id] for driver_id in dict.fromkeys(last.get(each.rc, [])) if driver_id in names]
        facts = each.rc, spaced(each.rc), each.links, each.ends_at
        rows.append(VehicleChoice(*facts, _choices(known), refused.get(each.rc)))
    return ChoicePage(
        rows=tuple(rows),
        drivers=_choices(everybody),
        count=len(every),
        more=len(behind) - len(rows),
        last=rows[-1].rc if rows else "",
        is_refused=bool(refused),
    )


def _choices(listed: Sequence[Driver]) -> tuple[Choice, ...]:
    offered = driver_choices(listed, (), None, with_phones=True)
    return tuple(each for each in offered if each.value not in ("", str(SOMEONE_ELSE)))


def _number(text: str) -> str:
    try:
        return normalize(text)
    except InvalidRegistration:
        abort(400)


resumes_on_its_own_page("sharing.save_drivers", texts.CHOSEN_DRIVERS, texts.DRIVER_LABELS)
resumes_on_its_own_page("sharing.send_to_new_driver", texts.NEW_DRIVER, texts.DRIVER_LABELS, subject_of_saved_form)
