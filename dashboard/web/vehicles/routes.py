"""Serve known vehicles, and the page of one: its challans, the person's selection and the live region."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import InvalidRegistration, normalize, normalize_part, spaced
from dashboard.errors import ServiceError
from dashboard.services.vehicles.search import RefreshBusy, RefreshedJustNow
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.web.links import custom_fields
from dashboard.web.links.custom_field_texts import LABELS
from dashboard.web.links.custom_fields import Typed
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, retry_after, status_of
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.request_args import link_id, row_id
from dashboard.web.shared.saved_forms import resumes, resumes_on_its_own_page
from dashboard.web.shared.toasts import notice, toast
from dashboard.web.vehicles import find_page, live_panel, texts
from dashboard.web.vehicles import page as vehicle_page
from dashboard.web.vehicles.forms import SearchVehicleForm, SelectChallansForm
from dashboard.web.vehicles.records import VehiclePage

bp = Blueprint("vehicles", __name__)

#: The most known vehicles in the list at the search field.
_MOST_IN_LIST = 8
#: The list of known vehicles at the search field, and that of their page.
_PLATES, _LIST = "known-plates", "known-list"
#: The regions of a vehicle's page: all about its challans, what the selection comes to, and the custom fields.
_VEHICLE, _SUM, _FIELDS = "vehicle", "selection-sum", "own-fields"


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
    """List known vehicles by any part of their number, alone while somebody types; the service is not called."""
    query = request.args.get("q", "")
    part = normalize_part(query)
    if htmx.puts_into(_PLATES):
        cards = vehicle_page.cards(part, _MOST_IN_LIST)
        said = texts.known_vehicles(len(cards), _MOST_IN_LIST)
        return htmx.region("vehicles/_known_plates.html", vehicles=cards, announced=said)
    number = request.args.get("page", 1, type=row_id)
    page = vehicle_page.known_vehicles(part, request.args.get("sort", ""), number, request.args.getlist("only"))
    unknown = "" if page.vehicles else find_page.searchable(query)
    if htmx.puts_into(_LIST):
        said = texts.vehicles_listed(page.count)
        answer = htmx.region("vehicles/_known_list.html", page=page, query=query, unknown=unknown, announce=said)
        answer.headers["HX-Replace-Url"] = page.addresses[page.order]
        return answer
    return htmx.vary(make_response(render_template("vehicles/index.html", page=page, query=query, unknown=unknown)))


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
    came_from = htmx.current_path() if htmx.is_htmx() else urlsplit(request.referrer or "").path
    is_new_visit = not (came_from or "").startswith(url_for("vehicles.show", rc=rc))
    # Whoever had to sign in again finds every tick as it was.
    has_left = is_new_visit and not (came_from or "").startswith(url_for("accounts.sign_in"))
    vehicle = _vehicle(rc, is_new_visit=is_new_visit, has_left=has_left)
    if vehicle is None:
        return None
    form, custom = _search_form(typed), custom_fields.form_of_vehicle(vehicle.rc, fields)
    return render_template("vehicles/show.html", page=vehicle, form=form, first_search=False, fields=custom)


def _vehicle(rc: str, *, is_new_visit: bool, has_left: bool = False) -> VehiclePage | None:
    selection = current_services().selections.of(person_id(), rc)
    return vehicle_page.vehicle_page(
        rc,
        selection.challan_ids,
        link_id(request.values.get("replaces")),
        is_new_visit=is_new_visit,
        has_left=has_left,
    )


def _in_place(rc: str, status: int = 200) -> Response:
    """Answer with the challans anew, beside the search and the custom fields as they stand."""
    vehicle = _vehicle(rc, is_new_visit=False) or abort(404)
    form = _search_form("")
    region = htmx.region("vehicles/_vehicle.html", status, page=vehicle, in_region=True, form=form, first_search=False)
    return htmx.region_at(_VEHICLE, region)


def flash_personal(error: ServiceError) -> bool:
    """Flash a refusal that concerns one person alone, which no vehicle's page shows. Returns whether it is one."""
    if error.personal:
        notice(". ".join(map(str, explain(error))), "wrong")
    return error.personal


def flash_other_vehicle(asked: str, answered: str) -> None:
    """Say that the service answered a search with another vehicle, if it did."""
    if asked != answered:
        notice(texts.other_vehicle(spaced(asked), spaced(answered)), "wrong")


@bp.get("/vehicles/<rc>/selection")
@bp.get("/vehicles/<rc>/refresh")
@bp.get("/vehicles/<rc>/keep")
@bp.get("/vehicles/<rc>/fields")
def sent_form(rc: str) -> ResponseReturnValue:
    """Show the vehicle's page where the address of one of its forms is opened."""
    return redirect(url_for("vehicles.show", rc=rc), 303)


@bp.get("/vehicles/<rc>/panel")
@htmx.region_of("vehicles.show")
def panel(rc: str) -> ResponseReturnValue:
    """Answer a poll of the live region: 204 when it is unchanged."""
    drawn, listed = request.args.get("drawn"), request.args.get("listed") != "no"
    region = live_panel.vehicle_panel(rc, drawn, listed=listed) or abort(404)
    if request.args.get("seen") == region.seen:
        return htmx.unchanged(checked_event(poll_seconds=region.poll_seconds))
    return htmx.region("vehicles/_panel.html", checked=checked_event(), panel=region, is_polled=True)


@bp.post("/vehicles/<rc>/refresh")
def refresh(rc: str) -> ResponseReturnValue:
    """Refresh from the source; a failure leaves the last list, with its age."""
    if "selection" in request.form or "challan" in request.form:
        _save_ticks(rc)
    found, in_place = rc, htmx.targets(_VEHICLE)
    try:
        found = current_services().vehicle_search.refresh_on_request(rc, person_id())
        audit("refresh", found)
        flash_other_vehicle(rc, found)
    except RefreshBusy:
        toast(texts.REFRESH_UNDER_WAY, "waiting")
    except RefreshedJustNow as recent:
        toast(texts.refreshed_just_now(recent.seconds), "waiting")
    except ServiceError as error:
        flash_personal(error)
        shown = _in_place(rc, status_of(error)) if in_place else page(rc)
        if shown is None:
            raise
        return make_response(shown, status_of(error), retry_after(error))
    if in_place and found == rc:
        return _in_place(rc)
    return redirect(url_for("vehicles.show", rc=found, replaces=link_id(request.form.get("replaces"))), 303)


@bp.post("/vehicles/<rc>/fields")
def update_custom_fields(rc: str) -> ResponseReturnValue:
    """Save a vehicle's custom fields."""
    typed = custom_fields.read(request.form)
    if typed.problems:
        return _fields_again(rc, typed, 422)
    save = partial(current_services().custom_fields.save_on_vehicle, rc)
    if (conflict := custom_fields.save(typed, f"vehicle {rc}", save)) is not None:
        return _fields_again(rc, conflict, 409)
    if htmx.targets(_FIELDS):
        return _fields_again(rc, None, 200)
    return redirect(url_for("vehicles.show", rc=rc, _anchor="own-fields"), 303)


def _fields_again(rc: str, typed: Typed | None, status: int) -> ResponseReturnValue:
    if not htmx.targets(_FIELDS):
        return page(rc, fields=typed) or abort(404), status
    form = custom_fields.form_of_vehicle(rc, typed)
    return htmx.region_at(
        _FIELDS, htmx.region("vehicles/_custom_fields.html", status, fields=form, saved=typed is None)
    )


@bp.post("/vehicles/<rc>/selection")
def select(rc: str) -> ResponseReturnValue:
    """Save what is ticked, and go on to its review; for each tick answer with what the selection comes to."""
    form = SelectChallansForm()
    ticked = _save_ticks(rc)
    if htmx.targets(_SUM):
        return _sum(rc, ticked)
    if not (form.ticked or (form.all.data and ticked)):
        if htmx.is_htmx():
            return htmx.region_at(_SUM, _sum(rc, ticked, texts.NOTHING_TICKED, 422))
        notice(texts.NOTHING_TICKED, "wrong")
        return redirect(url_for("vehicles.show", rc=rc, replaces=link_id(form.replaces.data)), 303)
    return redirect(url_for("creation.review", rc=rc, replaces=link_id(form.replaces.data)), 303)


def _sum(rc: str, ticked: Sequence[str], problem: str = "", status: int = 200) -> Response:
    selection = vehicle_page.selection_sum(rc, ticked, problem)
    return htmx.region("vehicles/_selection_sum.html", status, selection=selection)


@bp.post("/vehicles/<rc>/keep")
def keep(rc: str) -> ResponseReturnValue:
    """Save what is ticked, or nothing to clear it, and list the challans again."""
    _save_ticks(rc)
    return _in_place(rc) if htmx.targets(_VEHICLE) else redirect(url_for("vehicles.show", rc=rc), 303)


def _save_ticks(rc: str) -> list[str]:
    form = SelectChallansForm()
    ticked = form.ticked or (vehicle_page.payable_ids(rc) if form.all.data else [])
    ticked = [] if "clear" in request.form else ticked
    return current_services().selections.tick(person_id(), rc, ticked, form.step.data or "")


def _search_form(number: str, chosen: Mapping[str, str] | None = None) -> SearchVehicleForm:
    """Return an unsent search form; `chosen` may hold the RC type and City of a form that resumes."""
    more = {name: value for name in ("rc_type", "city_id") if (value := (chosen or {}).get(name))}
    form = SearchVehicleForm(formdata=None, data={"rc_number": number, **more})
    if more:
        form.ask_for_more(fresh=False)
    return form


@resumes("vehicles.select")
def _review_again(form: SavedForm) -> str:
    """Save the ticks, and show them in the review; those of a tick in their list."""
    if form.first("ticking"):
        return _list_again(form)
    rc = form.view_args["rc"]
    _save_ticks_of(form)
    return url_for("creation.review", rc=rc, replaces=link_id(form.first("replaces")))


@resumes("vehicles.keep", "vehicles.refresh")
def _list_again(form: SavedForm) -> str:
    """Save the ticks, and show them in the list; a refresh needs another click."""
    if form.all("selection") or form.all("challan"):
        _save_ticks_of(form)
    return url_for("vehicles.show", rc=form.view_args["rc"], replaces=link_id(form.first("replaces")))


def _save_ticks_of(form: SavedForm) -> None:
    current_services().selections.tick(person_id(), form.view_args["rc"], form.all("challan"))


def _subject_of_saved_form(view_args: Mapping[str, str]) -> tuple[str, str]:
    """Return the vehicle that a saved form is about, and its address."""
    return spaced(view_args["rc"].upper()), url_for("vehicles.show", rc=view_args["rc"])


resumes_on_its_own_page("vehicles.update_custom_fields", texts.SAVED_CUSTOM_FIELDS, LABELS, _subject_of_saved_form)
