"""Serve known vehicles, and the page of one: its challans, the person's selection and the live region."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.custom_fields import LABELS
from dashboard.domain.registration import InvalidRegistration, normalize, normalize_part, spaced
from dashboard.errors import ServiceError
from dashboard.services.vehicles.search import RefreshBusy
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.web.links import custom_fields
from dashboard.web.links.custom_fields import Typed
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, retry_after, status_of
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.saved_forms import resumes, resumes_on_its_own_page
from dashboard.web.vehicles import page as vehicle_page
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.forms import SearchVehicleForm

bp = Blueprint("vehicles", __name__)

#: The most known vehicles on the page, and in the region below the search form.
_MOST_ON_PAGE, _MOST_IN_REGION = 50, 12


@bp.url_value_preprocessor
def _normalize_address(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Give every view the stored spelling; answer 404 where the address cannot hold a number."""
    if values and "rc" in values:
        try:
            values["rc"] = normalize(values["rc"])
        except InvalidRegistration:
            abort(404)


@bp.get("/vehicles")
def known() -> ResponseReturnValue:
    """List known vehicles by any part of their number; the service is not called."""
    query = request.args.get("q", "")
    cards = vehicle_page.cards(normalize_part(query), _MOST_IN_REGION if htmx.is_htmx() else _MOST_ON_PAGE)
    if htmx.is_htmx():
        return htmx.region("vehicles/_known_vehicles.html", vehicles=cards, query=query)
    return htmx.vary(make_response(render_template("vehicles/index.html", vehicles=cards, query=query)))


@bp.get("/vehicles/<rc>")
def show(rc: str) -> ResponseReturnValue:
    here = url_for("vehicles.show", rc=rc)
    if request.path != here:
        return redirect(here, 308)
    if (shown := page(rc)) is not None:
        return shown
    form = _search_form(spaced(rc), request.args)
    return render_template(
        "vehicles/unsearched.html", rc=rc, plate=spaced(rc), form=form, first_search=form.first_search
    )


def page(rc: str, typed: str = "", fields: Typed | None = None) -> str | None:
    """Render the page of a vehicle with the person's ticks; None when the vehicle was never searched.

    `typed` fills the search box, and `fields` the custom fields.
    """
    selection = current_services().selections.of(person_id(), rc)
    vehicle = vehicle_page.vehicle_page(rc, selection.challan_ids, request.values.get("replaces"))
    if vehicle is None:
        return None
    form, custom = _search_form(typed), custom_fields.form_of_vehicle(vehicle.rc, fields)
    return render_template("vehicles/show.html", page=vehicle, form=form, first_search=False, fields=custom)


def flash_personal(error: ServiceError) -> bool:
    """Flash a refusal that concerns one person alone, which no vehicle's page shows. Returns whether it is one."""
    if error.personal:
        flash(". ".join(explain(error)), "wrong")
    return error.personal


@bp.get("/vehicles/<rc>/panel")
@htmx.region_of("vehicles.show")
def panel(rc: str) -> ResponseReturnValue:
    """Answer a poll of the live region: 204 when it is unchanged."""
    drawn, listed = request.args.get("drawn"), request.args.get("listed") != "no"
    region = vehicle_page.vehicle_panel(rc, drawn, listed=listed) or abort(404)
    if request.args.get("seen") == region.seen:
        return htmx.unchanged(checked_event(poll_seconds=region.poll_seconds))
    return htmx.region("vehicles/_panel.html", checked=checked_event(), panel=region)


@bp.post("/vehicles/<rc>/refresh")
def refresh(rc: str) -> ResponseReturnValue:
    """Refresh from the source; a failure leaves the last list, with its age."""
    if "selection" in request.form or "challan" in request.form:
        _save_ticks(rc)
    try:
        rc = current_services().vehicle_search.refresh(rc, person_id())
        audit("refresh", rc)
    except RefreshBusy:
        flash(texts.REFRESH_UNDER_WAY, "waiting")
    except ServiceError as error:
        flash_personal(error)
        if (shown := page(rc)) is None:
            raise
        return shown, status_of(error), retry_after(error)
    return redirect(url_for("vehicles.show", rc=rc, replaces=request.form.get("replaces")), 303)


@bp.post("/vehicles/<rc>/fields")
def update_custom_fields(rc: str) -> ResponseReturnValue:
    """Save a vehicle's custom fields."""
    typed = custom_fields.read(request.form)
    if typed.problems:
        return page(rc, fields=typed) or abort(404), 422
    save = partial(current_services().custom_fields.save_on_vehicle, rc)
    if (conflict := custom_fields.save(typed, f"vehicle {rc}", save)) is not None:
        return page(rc, fields=conflict) or abort(404), 409
    return redirect(url_for("vehicles.show", rc=rc, _anchor="own-fields"), 303)


@bp.post("/vehicles/<rc>/selection")
def select(rc: str) -> ResponseReturnValue:
    """Save what is ticked, and go on to its review."""
    replaces = request.form.get("replaces")
    if not _save_ticks(rc):
        flash(texts.NOTHING_TICKED, "wrong")
        return redirect(url_for("vehicles.show", rc=rc, replaces=replaces), 303)
    return redirect(url_for("creation.review", rc=rc, replaces=replaces), 303)


@bp.post("/vehicles/<rc>/keep")
def keep(rc: str) -> ResponseReturnValue:
    """Save what is ticked, and list the challans again."""
    _save_ticks(rc)
    return redirect(url_for("vehicles.show", rc=rc), 303)


def _save_ticks(rc: str) -> list[str]:
    return current_services().selections.tick(person_id(), rc, request.form.getlist("challan"))


def _search_form(number: str, chosen: Mapping[str, str] | None = None) -> SearchVehicleForm:
    """Return an unsent search form; `chosen` may hold the RC type and City of a form that resumes."""
    more = {name: value for name in ("rc_type", "city_id") if (value := (chosen or {}).get(name))}
    form = SearchVehicleForm(formdata=None, data={"rc_number": number, **more})
    if more:
        form.ask_for_more(fresh=False)
    return form


@resumes("vehicles.select")
def _review_again(form: SavedForm) -> str:
    """Save the ticks, and show them in the review."""
    rc = form.view_args["rc"]
    _save_ticks_of(form)
    return url_for("creation.review", rc=rc, replaces=form.first("replaces"))


@resumes("vehicles.keep", "vehicles.refresh")
def _list_again(form: SavedForm) -> str:
    """Save the ticks, and show them in the list; a refresh needs another click."""
    if form.all("selection") or form.all("challan"):
        _save_ticks_of(form)
    return url_for("vehicles.show", rc=form.view_args["rc"], replaces=form.first("replaces"))


def _save_ticks_of(form: SavedForm) -> None:
    current_services().selections.tick(person_id(), form.view_args["rc"], form.all("challan"))


def _subject_of_saved_form(view_args: Mapping[str, str]) -> tuple[str, str]:
    """Return the vehicle that a saved form is about, and its address."""
    return spaced(view_args["rc"].upper()), url_for("vehicles.show", rc=view_args["rc"])


resumes_on_its_own_page("vehicles.update_custom_fields", "Our own fields on a vehicle", LABELS, _subject_of_saved_form)
