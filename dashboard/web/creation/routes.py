"""Serve the review of a selection, and create a payment link from it exactly once."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.intents import LINK_IS_OURS
from dashboard.domain.registration import normalize, spaced
from dashboard.errors import ServiceError
from dashboard.services.creation.commands import CreateLink, CreationProblem, CreationRefused
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.creation import intents
from dashboard.store.vehicles.selections import Selection
from dashboard.web.creation import review_page, texts
from dashboard.web.creation.forms import CreateLinkForm
from dashboard.web.creation.records import Problem
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, status_of
from dashboard.web.shared.request_args import link_id
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.shared.toasts import toast

bp = Blueprint("creation", __name__)


@bp.get("/vehicles/<rc>/review")
def review(rc: str) -> ResponseReturnValue:
    """Show the review of the person's selection; the list of challans when nothing is selected."""
    rc = normalize(rc)
    selection = current_services().selections.of(person_id(), rc)
    typed = request.args.get("hours")
    shown = _review_of(rc, selection, hours=typed) if selection.challan_ids else None
    return shown or redirect(url_for("vehicles.show", rc=rc), 303)


def _review_of(
    rc: str, selection: Selection, problem: Problem | None = None, *, hours: str | None = None, status: int = 200
) -> Response | None:
    """Show the review of a selection, with a form that creates at most one link; None if never searched.

    It is a region beside the list of challans, or a page of its own. `hours` as typed, when the form was just sent. The
    request may name an ended link to replace (`replaces`).
    """
    view = review_page.review_page(rc, selection, problem, link_id(request.values.get("replaces")), hours)
    if view is None:
        return None
    form = CreateLinkForm.drawn(view.hours)
    if htmx.wants_region():
        return htmx.region("creation/_review.html", status, page_title=view.title, page=view, form=form, in_region=True)
    return make_response(render_template("creation/review.html", page=view, form=form), status)


@bp.get("/vehicles/<rc>/links")
def sent_review(rc: str) -> ResponseReturnValue:
    """Show the review where the address of its form is opened, which the browser shows after a form with errors."""
    return redirect(url_for("creation.review", rc=normalize(rc), replaces=link_id(request.args.get("replaces"))), 303)


@bp.post("/vehicles/<rc>/links")
def create(rc: str) -> ResponseReturnValue:
    """Create a link once, and go to it; to the page of the request for any other outcome."""
    rc = normalize(rc)
    form = CreateLinkForm()
    selection = _save_sent(rc)
    if not form.validate():
        reused = None if form.hours.errors else Problem(str(texts.PROBLEMS[CreationProblem.OTHER_PAYLOAD]))
        return _again(rc, selection, reused, 422)
    chosen = tuple(dict.fromkeys(request.form.getlist("challan")))
    replaces = request.form.get("replaces") or None
    command = CreateLink(person_id(), form.request_key.data, rc, chosen, int(form.hours.data), replaces)
    try:
        intent_id = current_services().link_creator.create(command)
    except CreationRefused as refused:
        return _again(rc, selection, review_page.problem(rc, refused, chosen), 422)
    except ServiceError as error:
        title, text = explain(error)
        return _again(rc, selection, Problem(f"{title}. {text} {texts.NOTHING_SENT}"), status_of(error))
    audit("create", rc, request=intent_id, challans=len(command.challan_ids), hours=command.hours)
    return redirect(_outcome_address(intent_id, rc, command.challan_ids), 303)


def _save_sent(rc: str) -> Selection:
    """Save the sent challans and hours at the head of the person's selection, so that nothing typed is lost."""
    challans, hours = request.form.getlist("challan"), request.form.get("hours", "")
    return current_services().selections.put_first(person_id(), rc, challans, hours)


def _again(rc: str, selection: Selection, problem: Problem | None, status: int) -> ResponseReturnValue:
    shown = _review_of(rc, selection, problem, hours=request.form.get("hours", ""), status=status)
    return shown or redirect(url_for("vehicles.show", rc=rc), 303)


def _outcome_address(intent_id: str, rc: str, challan_ids: tuple[str, ...]) -> str:
    services = current_services()
    with services.store.read() as connection:
        intent = intents.find(connection, intent_id)
    assert intent is not None
    if intent.state in LINK_IS_OURS:
        services.selections.remove(person_id(), rc, challan_ids, intent.link_id)
        toast(texts.confirmed(spaced(rc)))
        return url_for("links.show", link_id=intent.link_id)
    return url_for("creation.request_page", request_id=intent_id)


@resumes("creation.create")
def _review_again(form: SavedForm) -> str:
    """Show the selection and the hours in the review again."""
    rc = normalize(form.view_args["rc"])
    current_services().selections.put_first(
        person_id(), rc, form.all("challan"), form.first("hours") or "", resumed=True
    )
    return url_for("creation.review", rc=rc, replaces=link_id(form.first("replaces")))
