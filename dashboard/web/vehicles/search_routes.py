"""The POST that asks the service for a vehicle's challans. No GET ever does."""

from __future__ import annotations

from typing import Any

from flask import Response, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import InvalidRegistration, normalize, normalize_part
from dashboard.errors import RequestRefused, ServiceError
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.web.home import routes as home_routes
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.error_texts import NO_ANSWER, TRYING_AGAIN
from dashboard.web.shared.errors import explain, retry_after, status_of
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.vehicles import routes as vehicle_routes
from dashboard.web.vehicles.forms import SearchVehicleForm
from dashboard.web.vehicles.routes import bp


@bp.post("/search")
def search() -> ResponseReturnValue:
    form = SearchVehicleForm()
    extras = bool(form.rc_type.data), bool(form.city_id.data)
    if any(extras):
        form.ask_for_more(fresh=False)
    if not form.validate():
        return _again(form, 422)
    if any(extras) and not all(extras):
        missing, words = (form.city_id, "Choose a city.") if extras[0] else (form.rc_type, "Choose an RC type.")
        missing.errors = [words]
        return _again(form, 422)
    rc = normalize(form.rc_number.data)
    more = {"rc_type": form.rc_type.data, "city_id": form.city_id.data} if all(extras) else {}
    try:
        found = current_services().vehicle_search.search(rc, person_id(), **more)
    except RequestRefused as error:
        return _refused(form, rc, error, asked_fully=all(extras))
    except ServiceError as error:
        return _failed(form, rc, error)
    audit("search", found)
    return redirect(url_for("vehicles.show", rc=found), 303)


@bp.get("/search/wait")
def search_progress() -> ResponseReturnValue:
    """What to say to a person whose search has to be tried again; nothing while it has not."""
    try:
        rc = normalize(request.args.get("rc_number", ""))
        attempt = current_services().vehicle_search.retry_under_way(rc, person_id())
    except InvalidRegistration:
        attempt = None
    if attempt is None:
        return "", 204
    why = TRYING_AGAIN.get(attempt.failure, NO_ANSWER)
    return Response(f"{why}; trying again ({attempt.attempt} of {attempt.total})", mimetype="text/plain")


def _refused(form: SearchVehicleForm, rc: str, error: RequestRefused, *, asked_fully: bool) -> ResponseReturnValue:
    """A first search wants RC type and City too (section 4.3, rule 2); with both given, the refusal is what it says."""
    if asked_fully:
        form.rc_number.errors = [". ".join(explain(error))]
        return _again(form, 422)
    try:
        form.ask_for_more(fresh=True)
    except ServiceError as no_lists:
        return _failed(form, rc, no_lists)
    return _again(form, 422)


def _failed(form: SearchVehicleForm, rc: str, error: ServiceError) -> ResponseReturnValue:
    """A notice says why; without JavaScript the last known listing is shown, or the form as it was sent."""
    if htmx.is_htmx():
        raise error
    problem = None if vehicle_routes.flash_personal(error) else ". ".join(explain(error))
    known = vehicle_routes.page(rc, form.rc_number.data or "")
    return known or home_routes.page(form, problem), status_of(error), retry_after(error)


def _again(form: SearchVehicleForm, status: int) -> ResponseReturnValue:
    if htmx.is_htmx():
        return htmx.region("vehicles/_search_form.html", status, form=form, first_search=form.first_search)
    return home_routes.page(form), status


@resumes("vehicles.search")
def _form_again(form: SavedForm) -> str:
    """Show what was entered in the search form of its vehicle again."""
    rc = normalize_part(form.first("rc_number") or "")
    chosen: dict[str, Any] = {name: form.first(name) for name in ("rc_type", "city_id") if form.first(name)}
    return url_for("vehicles.show", rc=rc, **chosen) if rc else url_for("home.index")
