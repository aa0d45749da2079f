"""Serve the pages of vehicles: the known ones, and the challans of one with the person's selection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
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
from dashboard.web.shared.saved_forms import resumes, resumes_on_its_own_page
from dashboard.web.vehicles import page as vehicle_page
from dashboard.web.vehicles.forms import SearchVehicleForm

bp = Blueprint("vehicles", __name__)

_MOST_KNOWN = 50


@bp.url_value_preprocessor
def _normalize_address(_endpoint: str | None, values: dict[str, Any] | None) -> None:
    """Every view gets the stored spelling; an address that can be no number's is not found."""
    if values and "rc" in values:
        try:
            values["rc"] = normalize(values["rc"])
        except InvalidRegistration:
            abort(404)


@bp.get("/vehicles")
def known() -> ResponseReturnValue:
    """Known vehicles by any part of their number; asks the store alone."""
    query = request.args.get("q", "")
    cards = vehicle_page.cards(normalize_part(query), 12 if htmx.is_htmx() else _MOST_KNOWN)
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
    """The page of a vehicle as last searched, with the person's ticks; None when it never was.

    `typed` stands in the search box, and `fields` in the custom fields.
    """
    draft = current_services().selections.of(person_id(), rc)
    vehicle = vehicle_page.vehicle_page(rc, draft.challan_ids)
    if vehicle is None:
        return None
    vehicle = replace(vehicle, replaces=request.values.get("replaces"))
    form, custom = _search_form(typed), custom_fields.form_of_vehicle(vehicle.rc, fields)
    return render_template("vehicles/show.html", page=vehicle, form=form, first_search=False, fields=custom)


def flash_personal(error: ServiceError) -> bool:
    """Flash a refusal that concerns one person alone, which no vehicle's page shows. Returns whether it is one."""
    if error.personal:
        flash(". ".join(explain(error)), "wrong")
    return error.personal


@bp.post("/vehicles/<rc>/refresh")
def refresh(rc: str) -> ResponseReturnValue:
    """Ask the source itself, deliberately; what a failure leaves is the last listing with its age."""
    if "selection" in request.form or "challan" in request.form:
        keep_ticks(rc)
    try:
        rc = current_services().vehicle_search.refresh(rc, person_id())
        audit("refresh", rc)
    except RefreshBusy:
        flash("A colleague is refreshing this vehicle from the source just now. The result will stand here.", "waiting")
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
    replaces = request.form.get("replaces")
    if not keep_ticks(rc):
        flash("Tick at least one challan to review.", "wrong")
        return redirect(url_for("vehicles.show", rc=rc, replaces=replaces), 303)
    return redirect(url_for("creation.review", rc=rc, replaces=replaces), 303)


def keep_ticks(rc: str) -> list[str]:
    """Keep what is ticked in the form that was sent, in the person's draft; returns it."""
    return current_services().selections.tick(person_id(), rc, request.form.getlist("challan"))


def _search_form(number: str, chosen: Mapping[str, str] | None = None) -> SearchVehicleForm:
    """An unsent search; `chosen` may hold RC type and City, as they were before signing in again."""
    more = {name: value for name in ("rc_type", "city_id") if (value := (chosen or {}).get(name))}
    form = SearchVehicleForm(formdata=None, data={"rc_number": number, **more})
    if more:
        form.ask_for_more(fresh=False)
    return form


@resumes("vehicles.select")
def _review_again(form: SavedForm) -> str:
    """Show the selection in the review again."""
    rc = _save_ticks(form)
    return url_for("creation.review", rc=rc, replaces=form.first("replaces"))


@resumes("vehicles.keep", "vehicles.refresh")
def _list_again(form: SavedForm) -> str:
    """Show the ticks in the list again; another click refreshes it."""
    rc = normalize(form.view_args["rc"])
    if form.all("selection") or form.all("challan"):
        _save_ticks(form)
    return url_for("vehicles.show", rc=rc, replaces=form.first("replaces"))


def _save_ticks(form: SavedForm) -> str:
    rc = normalize(form.view_args["rc"])
    current_services().selections.tick(person_id(), rc, form.all("challan"))
    return rc


def _subject_of_saved_form(view_args: Mapping[str, str]) -> tuple[str, str]:
    """Return the vehicle that a saved form is about, and its address."""
    return spaced(view_args["rc"].upper()), url_for("vehicles.show", rc=view_args["rc"])


resumes_on_its_own_page("vehicles.update_custom_fields", "Our own fields on a vehicle", LABELS, _subject_of_saved_form)
