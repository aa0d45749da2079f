"""Serve drafts: what would be searched, its corrections, and the start of the run."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any
from uuid import UUID

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.fleet import FleetVehicle
from dashboard.domain.fleet_input import searched_anyway, with_place
from dashboard.services.fleet.drafts import NothingToSearch
from dashboard.services.fleet.lists import NameTaken, TooManyLists
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.engine import NotStored
from dashboard.store.fleet.drafts import Draft
from dashboard.web.fleet import forms, input_page, texts
from dashboard.web.fleet.page import run_address
from dashboard.web.fleet.places import PlaceIncomplete, by_place, chosen
from dashboard.web.fleet.routes import bp
from dashboard.web.fleet.run_texts import CHOOSE_BOTH
from dashboard.web.shared import htmx, saved_forms
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.toasts import notice, toast

_CORRECT, _START = "fleet.correct", "fleet.start"


@bp.get("/fleet/drafts/<uuid:draft_id>")
def draft(draft_id: UUID) -> ResponseReturnValue:
    """Show what would be searched. A draft that was started leads to its run."""
    if current_services().fleet_drafts.is_started(str(draft_id)):
        return redirect(run_address(str(draft_id)), 303)
    return _shown(_find(draft_id))


@bp.post("/fleet/drafts/<uuid:draft_id>")
def correct(draft_id: UUID) -> ResponseReturnValue:
    """Store corrections, and show what is searched now."""
    found = _find(draft_id)
    try:
        _store_corrections(found)
    except PlaceIncomplete:
        return _shown(_find(draft_id), place_problem=str(CHOOSE_BOTH), typed=request.form), 422
    current_services().fleet_drafts.fetch_lists(found.lines, wanted="lists" in request.form)
    saved_forms.discard(_CORRECT, _START)
    return redirect(url_for("fleet.draft", draft_id=found.id), 303)


@bp.post("/fleet/drafts/<uuid:draft_id>/lists")
def load_draft_lists(draft_id: UUID) -> ResponseReturnValue:
    """Fetch RC types and cities for the new vehicles of a draft, and show what can be chosen for them."""
    found, drafts = _find(draft_id), current_services().fleet_drafts
    drafts.fetch_lists(found.lines, wanted=True)
    if not htmx.puts_into("new-vehicles"):
        return redirect(url_for("fleet.draft", draft_id=found.id), 303)
    shown = input_page.draft_page(found, drafts.check(found.lines), lists_tried=True)
    return htmx.region("fleet/_new_vehicles.html", draft=shown)


@bp.get("/fleet/drafts/<uuid:draft_id>/lists")
def sent_lists(draft_id: UUID) -> ResponseReturnValue:
    """Show the draft where the address of its lists is opened."""
    return redirect(url_for("fleet.draft", draft_id=draft_id), 303)


@bp.post("/fleet/drafts/<uuid:draft_id>/start")
def start(draft_id: UUID) -> ResponseReturnValue:
    """Start the run. Corrections are checked first: where one leaves a line out, or some of it would not be saved, they
    are shown, and nothing is started.
    """
    if current_services().fleet_drafts.is_started(str(draft_id)):
        notice(texts.ALREADY_STARTED, "neutral")
        return redirect(run_address(str(draft_id)), 303)
    found, drafts = _find(draft_id), current_services().fleet_drafts
    try:
        is_corrected = _store_corrections(found)
    except PlaceIncomplete:
        return _shown(_find(draft_id), place_problem=str(CHOOSE_BOTH), typed=request.form), 422
    found = _find(draft_id)
    checked = drafts.check(found.lines)
    if is_corrected and (checked.bad or checked.unsaved or checked.held):
        notice(texts.CORRECTED, "neutral")
        return redirect(url_for("fleet.draft", draft_id=found.id), 303)
    if forms.title(request.form) is None:
        typed = request.form.get("title", "")
        return _shown(found, title=typed, title_problem=str(texts.TITLE_NEEDED)), 422
    title = texts.stored_title(input_page.title_of(found, checked), len(checked.vehicles))
    try:
        begun = drafts.start(replace(found, title=title), person_id())
    except NothingToSearch:
        notice(texts.NOTHING_TO_SEARCH, "waiting")
        return redirect(url_for("fleet.draft", draft_id=found.id), 303)
    saved_forms.discard(_CORRECT, _START)
    if begun.is_new:
        counts = {"vehicles": begun.vehicles, "drivers": begun.drivers, "custom_fields": begun.with_fields}
        audit("fleet search", begun.run_id, title=title, **counts)
    return redirect(run_address(begun.run_id), 303)


@bp.post("/fleet/drafts/<uuid:draft_id>/discard")
def discard(draft_id: UUID) -> ResponseReturnValue:
    """Delete a draft."""
    current_services().fleet_drafts.discard(_find(draft_id))
    notice(texts.DISCARDED, "neutral")
    return redirect(url_for("fleet.index"), 303)


@bp.post("/fleet/drafts/<uuid:draft_id>/list")
def save_list(draft_id: UUID) -> ResponseReturnValue:
    """Save the vehicles of a draft as a list, or in place of one."""
    found = _find(draft_id)
    checked = current_services().fleet_drafts.check(found.lines)
    name, typed = forms.list_name(request.form), request.form.get("name", "")
    if name is None:
        return _shown(found, list_name=typed, list_problem=str(texts.LIST_NAME)), 422
    if not checked.vehicles:
        return _shown(found, list_name=typed, list_problem=str(texts.NOTHING_TO_SEARCH)), 422
    vehicles = [FleetVehicle(each.rc, each.rc_type, each.city_id) for each in checked.vehicles]
    try:
        saved = current_services().fleet_lists.save(name, vehicles, person_id(), replace="replace" in request.form)
    except NameTaken:
        problem = texts.NAME_TAKEN.format(name=name)
        return _shown(found, list_name=typed, list_problem=problem, offers_replacement=True), 409
    except TooManyLists:
        return _shown(found, list_name=typed, list_problem=str(texts.TOO_MANY_LISTS)), 422
    audit("fleet list saved", name, vehicles=len(vehicles), replaced="yes" if saved.replaced else "")
    toast(texts.list_saved(name, len(vehicles), replaced=saved.replaced))
    return redirect(url_for("fleet.draft", draft_id=found.id), 303)


@saved_forms.resumes("fleet.correct", "fleet.start", "fleet.save_list")
def _resume(form: SavedForm) -> str:
    """Return to the draft, which is stored, with the corrections of this form in it. Nothing is started."""
    try:
        found = current_services().fleet_drafts.find(form.view_args["draft_id"], person_id())
    except NotStored:  # It is too old, or somebody else's.
        return url_for("fleet.index")
    if form.endpoint != "fleet.save_list":
        with suppress(PlaceIncomplete):
            _store_corrections(found, form)
    return url_for("fleet.draft", draft_id=found.id)


def _find(draft_id: UUID) -> Draft:
    try:
        return current_services().fleet_drafts.find(str(draft_id), person_id())
    except NotStored:
        abort(404)


def _store_corrections(found: Draft, saved: SavedForm | None = None) -> bool:
    """Store the corrections and the name of a form; return whether other lines are searched now.

    RC type and city of new vehicles change no line that is searched. Raises PlaceIncomplete when one of them is
    missing, after the rest was stored.
    """
    sent = request.form if saved is None else MultiDict(saved.fields)
    services = current_services()
    cities, rc_types = services.reference_data.known()
    lines = forms.corrected(found.lines, sent, cities)
    if "anyway-all" in sent:
        for each in input_page.ticked_together(services.fleet_drafts.check(lines)):
            lines[each.index] = searched_anyway(each.line, wanted=True)
    # Until a person names the search, its name goes on counting what is searched.
    title = forms.title(sent) or found.title
    if title == input_page.title_of(found, services.fleet_drafts.check(found.lines)):
        title = found.title
    changed, at_source = lines != list(found.lines), forms.at_source(sent)
    try:
        unplaced = services.fleet_drafts.check(lines).unplaced
        for place, rcs in by_place(chosen(sent, unplaced, cities, rc_types)).items():
            lines = with_place(lines, rcs, *place)
    finally:
        if lines != list(found.lines) or (title, at_source) != (found.title, found.at_source):
            services.fleet_drafts.change(found, title, lines, at_source=at_source)
    return changed


def _shown(found: Draft, **typed: Any) -> str:
    checked = current_services().fleet_drafts.check(found.lines)
    return render_template("fleet/draft.html", draft=input_page.draft_page(found, checked, **typed))
