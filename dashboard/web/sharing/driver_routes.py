"""Serve the drivers: the list, and the page of each with the links that they were given."""

from __future__ import annotations

from collections.abc import Mapping

from flask import abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.edit_conflicts import EditConflict, Fields
from dashboard.domain.registration import InvalidRegistration, normalize, normalize_part, spaced
from dashboard.services.sharing.drivers import PhoneTaken
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver
from dashboard.web.shared import edit_conflicts, htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.request_args import row_id
from dashboard.web.shared.saved_forms import resumes, resumes_on_its_own_page
from dashboard.web.shared.toasts import Undo, toast
from dashboard.web.sharing import texts
from dashboard.web.sharing.driver_page import driver_card, driver_links, driver_page, drivers_page, part_of
from dashboard.web.sharing.driver_records import Vehicle
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.routes import bp

_ADDED, _CHANGED = "driver added", "driver changed"
#: The region of a driver's page that holds the form for the details.
_DETAILS = "driver-details"
#: The region of the list.
_LIST = "drivers-list"


@bp.get("/drivers", endpoint="drivers")
def index() -> ResponseReturnValue:
    """List the drivers; while somebody types whom to find, the list alone."""
    query, order, part = request.args.get("q", ""), request.args.get("sort", ""), part_of(request.args)
    added = request.args.get("added", 0, type=row_id)
    vehicle = normalize_part(request.args.get("vehicle", ""))
    page = drivers_page(query, order, part, added=added, vehicle=vehicle)
    if htmx.puts_into(_LIST):
        said = texts.drivers_found(len(page.active) + len(page.former))
        answer = htmx.region("sharing/_drivers_list.html", page=page, announce=said)
        answer.headers["HX-Replace-Url"] = page.addresses[page.order]
        return answer
    form = DriverForm(formdata=None, vehicles=request.args.get("vehicle", ""))
    back = _vehicle_of(request.args.get("vehicle", ""))
    return htmx.vary(make_response(render_template("sharing/drivers.html", form=form, page=page, back=back)))


@bp.post("/drivers/usual")
def choose_usual_driver() -> ResponseReturnValue:
    """Make one of the drivers the usual one of a vehicle, and go back to it."""
    try:
        rc = normalize(request.form.get("vehicle", ""))
    except InvalidRegistration:
        abort(400)
    if not request.form.get("driver"):
        return redirect(url_for("sharing.drivers", vehicle=rc), 303)
    chosen = _find(request.form.get("driver", 0, type=row_id))
    if current_services().drivers.make_usual_driver(chosen.id, rc):
        audit(_CHANGED, str(chosen.id), name=chosen.name)
    toast(texts.is_usual_driver(chosen.name, spaced(rc)))
    return redirect(url_for("vehicles.show", rc=rc), 303)


@bp.post("/drivers")
def add_driver() -> ResponseReturnValue:
    form = DriverForm()
    if not form.validate():
        return _new(form)
    details = form.details()
    try:
        driver_id = current_services().drivers.add(details, person_id())
    except PhoneTaken as taken:
        form.phone_is_of(taken.driver)
        return _new(form)
    audit(_ADDED, str(driver_id), name=details.name)
    if back := _vehicle_of(request.form.get("back", "")):
        drives = back.rc in details.vehicles
        toast(texts.is_usual_driver(details.name, back.plate) if drives else texts.is_added(details.name))
        return redirect(url_for("vehicles.show", rc=back.rc), 303)
    # Often several are added, one after the other.
    return redirect(url_for("sharing.drivers", added=driver_id), 303)


def _new(form: DriverForm) -> ResponseReturnValue:
    """Answer with the form for a new driver and what is wrong in it."""
    back = _vehicle_of(request.form.get("back", ""))
    if htmx.puts_into("driver-new"):
        return htmx.region("sharing/_driver_new.html", 422, form=form, back=back)
    return render_template("sharing/drivers.html", form=form, page=drivers_page(), back=back), 422


def _vehicle_of(text: str) -> Vehicle | None:
    """Return the vehicle from whose page a driver is added, and which is gone back to."""
    try:
        rc = normalize(text)
    except InvalidRegistration:
        return None
    return Vehicle(rc, spaced(rc))


@bp.get("/drivers/<int:driver_id>")
def driver(driver_id: int) -> str:
    form, editing = _opened(driver_id)
    return driver_page(_find(driver_id), form, editing, opens=request.args.get("change", ""))


@bp.get("/drivers/<int:driver_id>/links", endpoint="driver_links")
@htmx.region_of("sharing.driver")
def links_of_driver(driver_id: int) -> ResponseReturnValue:
    """Serve the live region of the page: the links; 204 when the page shows them already."""
    page = driver_links(_find(driver_id))
    if request.args.get("seen") == page.seen:
        return htmx.unchanged(checked_event(poll_seconds=page.poll_seconds))
    return htmx.region("sharing/_driver_links.html", checked=checked_event(), driver=page.driver, page=page)


@bp.post("/drivers/<int:driver_id>")
def update_driver(driver_id: int) -> ResponseReturnValue:
    _find(driver_id)
    form = DriverForm()
    if not form.validate():
        return _details(driver_id, form, edit_conflicts.go_on(), 422)
    details = form.details()
    before = _stored_fields(driver_id)
    try:
        current_services().drivers.change(driver_id, details, edit_conflicts.sent_basis())
    except PhoneTaken as taken:
        form.phone_is_of(taken.driver)
        return _details(driver_id, form, edit_conflicts.go_on(), 422)
    except EditConflict as conflict:
        editing = edit_conflicts.restart(
            conflict, details.fields(), texts.DRIVER_LABELS, subject=str(driver_id), actions=(_ADDED, _CHANGED)
        )
        for name in conflict.untouched:
            form[name].data = conflict.stored[name] or ""
        return _details(driver_id, form, editing, 409)
    audit(_CHANGED, str(driver_id), name=details.name)
    toast(texts.DRIVER_SAVED.format(name=details.name), undo=_undo_change(driver_id, before))
    # All of the page may be of other details now: numbers to call, the name, the vehicles.
    return redirect(url_for("sharing.driver", driver_id=driver_id), 303)


def _opened(driver_id: int) -> tuple[DriverForm, Editing]:
    """Open the form for the details on what is stored."""
    fields = _stored_fields(driver_id)
    return DriverForm(formdata=None, data=fields), edit_conflicts.start(fields)


def _stored_fields(driver_id: int) -> Fields:
    found = _find(driver_id)
    with current_services().store.read() as connection:
        return found.details(drivers.vehicles(connection, [driver_id])[driver_id]).fields()


def _undo_change(driver_id: int, before: Fields) -> Undo | None:
    """Bring the details back, unless others change them meanwhile.

    Without scripts they would wait in the session's cookie, which is too small for a long note.
    """
    now = _stored_fields(driver_id)
    if before == now or not htmx.is_htmx():
        return None
    fields = {name: value or "" for name, value in before.items()} | {"basis": edit_conflicts.start(now).basis}
    return Undo("sharing.update_driver", {"driver_id": driver_id}, fields)


def _details(driver_id: int, form: DriverForm, editing: Editing, status: int) -> ResponseReturnValue:
    """Answer with the form for the details alone and what is wrong in it; without scripts with the whole page."""
    found = _find(driver_id)
    if not htmx.puts_into(_DETAILS):
        return driver_page(found, form, editing), status
    return htmx.region("sharing/_driver_details.html", status, driver=driver_card(found), form=form, editing=editing)


@bp.post("/drivers/<int:driver_id>/leave")
def mark_driver_left(driver_id: int) -> ResponseReturnValue:
    """Record that a driver has left, or is back, unless a colleague did so first."""
    found = _find(driver_id)
    services, here = current_services(), url_for("sharing.driver", driver_id=driver_id)
    if request.form.get("back") == "yes":
        if services.drivers.come_back(driver_id):
            audit("driver back", str(driver_id), name=found.name)
            toast(texts.DRIVER_BACK.format(name=found.name), undo=_undo(driver_id, back="no"))
    elif services.drivers.leave(driver_id):
        audit("driver left", str(driver_id), name=found.name)
        toast(texts.DRIVER_LEFT.format(name=found.name), undo=_undo(driver_id, back="yes"))
    if htmx.is_on(here):  # What is half typed in the details stays.
        card = driver_card(_find(driver_id))
        return htmx.region_at("driver-presence", htmx.region("sharing/_driver_presence.html", driver=card, moved=True))
    return redirect(here, 303)


def _undo(driver_id: int, *, back: str) -> Undo:
    return Undo("sharing.mark_driver_left", {"driver_id": driver_id}, {"back": back})


def _subject(view_args: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the driver that a saved form is about, and its address."""
    with current_services().store.read() as connection:
        found = drivers.find(connection, int(view_args["driver_id"]))
    return (found.name, url_for("sharing.driver", driver_id=found.id)) if found is not None else None


@resumes("sharing.choose_usual_driver")
def _choice_again(form: SavedForm) -> str:
    """Offer the drivers of the vehicle again."""
    return url_for("sharing.drivers", vehicle=form.first("vehicle"))


resumes_on_its_own_page("sharing.add_driver", texts.NEW_DRIVER, texts.DRIVER_LABELS)
resumes_on_its_own_page("sharing.update_driver", texts.DRIVER_DETAILS, texts.DRIVER_LABELS, _subject)


def _find(driver_id: int) -> Driver:
    with current_services().store.read() as connection:
        return drivers.find(connection, driver_id) or abort(404)
