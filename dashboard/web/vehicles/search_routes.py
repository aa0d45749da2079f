"""Search a vehicle. Only a POST calls the service; no GET does."""

from __future__ import annotations

import logging
from typing import Any

from flask import Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import InvalidRegistration, normalize, normalize_part, spaced
from dashboard.errors import RequestRefused, ServiceError
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.web.home import routes as home_routes
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, retry_after, status_of
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.vehicles import routes as vehicle_routes
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.forms import SearchVehicleForm
from dashboard.web.vehicles.routes import bp
from dashboard.web.vehicles.search_failure import failure_of

log = logging.getLogger(__name__)


@bp.post("/search")
def search() -> ResponseReturnValue:
    """Search a vehicle and show its page; a vehicle that is new to the organization needs RC type and City first."""
    form = SearchVehicleForm()
    extras = bool(form.rc_type.data), bool(form.city_id.data)
    if any(extras) or form.asked.data:
        form.ask_for_more(fresh=False)
    if not form.validate():
        return _again(form, 422)
    if not any(extras) and form.asked.data != form.rc:
        form.first_search = False  # RC type and City were asked for with another number.
    if not any(extras) and form.may_be_mistyped():
        return _again(form, 422)
    if form.lacks_more():
        return _again(form, 422)
    more = {"rc_type": form.rc_type.data, "city_id": form.city_id.data} if all(extras) else {}
    try:
        found = current_services().vehicle_search.search(form.rc, person_id(), **more)
    except RequestRefused as error:
        return _refused(form, error, asked_fully=all(extras))
    except ServiceError as error:
        return _failed(form, error)
    audit("search", found)
    vehicle_routes.flash_other_vehicle(form.rc, found)
    return redirect(url_for("vehicles.show", rc=found), 303)


@bp.get("/search")
def sent_search() -> ResponseReturnValue:
    """Show the first page where the address of the search form is opened."""
    return redirect(url_for("home.index"), 303)


@bp.get("/search/wait")
def search_progress() -> ResponseReturnValue:
    """Say which try the person's search has come to; 204 before a second one."""
    try:
        rc = normalize(request.args.get("rc_number", ""))
        attempt = current_services().vehicle_search.retry_under_way(rc, person_id())
    except InvalidRegistration:
        attempt = None
    if attempt is None:
        return "", 204
    return Response(texts.retrying(attempt), mimetype="text/plain")


def _refused(form: SearchVehicleForm, error: RequestRefused, *, asked_fully: bool) -> ResponseReturnValue:
    """Ask for RC type and City, which a first search needs (section 4.3, rule 2); with both sent, show the refusal."""
    if asked_fully:
        form.explain_refusal(". ".join(map(str, explain(error))))
        return _again(form, 422)
    try:
        form.ask_for_more(fresh=True)
    except ServiceError as no_lists:
        return _failed(form, no_lists)
    return _again(form, 422)


def _failed(form: SearchVehicleForm, error: ServiceError) -> ResponseReturnValue:
    """Say below the form what failed; without JavaScript on the vehicle as last searched, where there is one."""
    log.warning("%s", error)
    status, headers = status_of(error), retry_after(error)
    form.failure = failure_of(form.rc, error)
    if htmx.wants_region():
        answer = htmx.region("vehicles/_search_form.html", status, form=form, first_search=form.first_search)
        answer = htmx.region_at("search-form", answer)
        answer.headers.update(headers)
        return answer
    if form.failure.address:
        vehicle_routes.flash_personal(error)
    if known := vehicle_routes.page(form.rc, form.rc_number.data or ""):
        return known, status, headers
    return home_routes.page(form), status, headers


def _again(form: SearchVehicleForm, status: int) -> ResponseReturnValue:
    if form.first_search and form.rc:
        # What else is asked for belongs to this number, which is read once more.
        form.rc_number.data = spaced(form.rc)
    form.explain_missing_city()
    if htmx.wants_region():
        return htmx.region("vehicles/_search_form.html", status, form=form, first_search=form.first_search)
    if form.first_search and form.rc and htmx.is_htmx():
        # Sent from another page: what else is asked for stands on that of the vehicle, which may be read again.
        page = render_template(
            "vehicles/unsearched.html", rc=form.rc, plate=spaced(form.rc), form=form, first_search=True
        )
        return htmx.at_address(url_for("vehicles.show", rc=form.rc), make_response(page, status))
    return home_routes.page(form), status


@resumes("vehicles.search")
def _form_again(form: SavedForm) -> str:
    """Show what was entered, in the search form of its vehicle."""
    rc = normalize_part(form.first("rc_number") or "")
    chosen: dict[str, Any] = {name: form.first(name) for name in ("rc_type", "city_id") if form.first(name)}
    return url_for("vehicles.show", rc=rc, **chosen) if rc else url_for("home.index")
