"""Serve the pages of vehicles: the known ones, and the challans of one with the person's selection."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import Blueprint, abort, flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import InvalidRegistration, normalize, normalize_part, spaced
from dashboard.errors import SearchLimitReached, ServiceError
from dashboard.services.vehicles.search import RefreshBusy
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.web.links.custom_fields import Typed, custom_fields_of_vehicle
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, retry_after, status_of
from dashboard.web.shared.saved_forms import resumes
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
        return htmx.region("home/_known_vehicles.html", vehicles=cards, query=query)
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


def page(rc: str, typed: str = "", own: Typed | None = None) -> str | None:
    """The page of a vehicle as last searched, with the person's ticks; None when it never was.

    `typed` stands in the search box, and `own` in our own fields.
    """
    draft = current_services().selections.of(person_id(), rc)
    vehicle = vehicle_page.vehicle_page(rc, draft.challan_ids)
    if vehicle is None:
        return None
    vehicle = replace(vehicle, replaces=request.values.get("replaces"))
    view, form = custom_fields_of_vehicle(vehicle.rc, own), _search_form(typed)
    return render_template("vehicles/show.html", page=vehicle, form=form, first_search=False, own=view)


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
        if isinstance(error, SearchLimitReached):  # No vehicle's trouble, so its page does not tell.
            flash(". ".join(explain(error)), "wrong")
        if (shown := page(rc)) is None:
            raise
        return shown, status_of(error), retry_after(error)
    return redirect(url_for("vehicles.show", rc=rc, replaces=request.form.get("replaces")), 303)


@bp.post("/vehicles/<rc>/selection")
def select(rc: str) -> ResponseReturnValue:
    replaces = request.form.get("replaces")
    if not keep_ticks(rc):
        flash("Tick at least one challan to review.", "wrong")
        return redirect(url_for("vehicles.show", rc=rc, replaces=replaces), 303)
    return redirect(url_for("creation.review", rc=rc, replaces=replaces), 303)


def keep_ticks(rc: str) -> list[str]:
    """Keep what is ticked in the form that was sent, in the person's draft; returns it."""
    chosen = vehicle_page.in_listed_order(rc, request.form.getlist("challan"))
    services = current_services()
    services.selections.save(person_id(), rc, chosen, services.selections.of(person_id(), rc).hours)
    return chosen


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
    selections = current_services().selections
    chosen = vehicle_page.in_listed_order(rc, form.all("challan"))
    selections.save(person_id(), rc, chosen, selections.of(person_id(), rc).hours)
    return rc
