"""Serve the drivers: the list, and the page of each with the links that they were given."""

from __future__ import annotations

from collections.abc import Mapping

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.edit_conflicts import EditConflict
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.sharing import texts
from dashboard.web.sharing.driver_page import driver_page, drivers_page
from dashboard.web.sharing.forms import DriverForm
from dashboard.web.sharing.routes import bp

_ADDED, _CHANGED = "driver added", "driver changed"


@bp.get("/drivers", endpoint="drivers")
def index() -> str:
    return drivers_page(DriverForm(formdata=None))


@bp.post("/drivers")
def add_driver() -> ResponseReturnValue:
    form = DriverForm()
    if not form.validate():
        return drivers_page(form), 422
    details = form.details()
    driver_id = current_services().drivers.add(details, person_id())
    audit(_ADDED, str(driver_id), name=details.name)
    return redirect(url_for("sharing.driver", driver_id=driver_id), 303)


@bp.get("/drivers/<int:driver_id>")
def driver(driver_id: int) -> str:
    found = _find(driver_id)
    with current_services().store.read() as connection:
        fields = found.details(drivers.vehicles(connection, [driver_id])[driver_id]).fields()
    return driver_page(found, DriverForm(formdata=None, data=fields), edit_conflicts.start(fields))


@bp.post("/drivers/<int:driver_id>")
def update_driver(driver_id: int) -> ResponseReturnValue:
    found = _find(driver_id)
    form = DriverForm()
    if not form.validate():
        return driver_page(found, form, edit_conflicts.go_on()), 422
    details = form.details()
    try:
        current_services().drivers.change(driver_id, details, edit_conflicts.sent_basis())
    except EditConflict as conflict:
        editing = edit_conflicts.restart(
            conflict, details.fields(), texts.DRIVER_LABELS, subject=str(driver_id), actions=(_ADDED, _CHANGED)
        )
        return driver_page(_find(driver_id), form, editing), 409
    audit(_CHANGED, str(driver_id), name=details.name)
    return redirect(url_for("sharing.driver", driver_id=driver_id), 303)


@bp.post("/drivers/<int:driver_id>/leave")
def mark_driver_left(driver_id: int) -> ResponseReturnValue:
    """Record that a driver has left, or is back, unless a colleague did so first."""
    found = _find(driver_id)
    services = current_services()
    if request.form.get("back") == "yes":
        if services.drivers.come_back(driver_id):
            audit("driver back", str(driver_id), name=found.name)
    elif services.drivers.leave(driver_id):
        audit("driver left", str(driver_id), name=found.name)
    return redirect(url_for("sharing.driver", driver_id=driver_id), 303)


def _subject(view_args: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the driver that a saved form is about, and its address."""
    with current_services().store.read() as connection:
        found = drivers.find(connection, int(view_args["driver_id"]))
    return (found.name, url_for("sharing.driver", driver_id=found.id)) if found is not None else None


resumes_on_its_own_page("sharing.add_driver", texts.NEW_DRIVER, texts.DRIVER_LABELS)
resumes_on_its_own_page("sharing.update_driver", texts.DRIVER_DETAILS, texts.DRIVER_LABELS, _subject)


def _find(driver_id: int) -> Driver:
    with current_services().store.read() as connection:
        return drivers.find(connection, driver_id) or abort(404)
