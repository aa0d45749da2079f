"""Serve creation plans: progress, links by what became of them, and what a person does with a plan.

A plan is open to managers and to the person who made it.
"""

from __future__ import annotations

from uuid import UUID

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.fleet import JobKind, PlannedLink
from dashboard.domain.links import plan_links
from dashboard.domain.money import add_up
from dashboard.domain.registration import normalize, spaced
from dashboard.services.vehicles import eligibility
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.fleet import plans
from dashboard.store.vehicles.selections import MAX_HOURS_TEXT
from dashboard.web.creation.forms import is_hours
from dashboard.web.fleet import plan_page, review_texts
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.fleet.job_changes import after, answer_retry, change, page_of
from dashboard.web.fleet.routes import bp
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.shared.toasts import notice


@bp.get("/fleet/plans/<uuid:plan_id>")
def plan(plan_id: UUID) -> str:
    """Show a plan: its progress, and its links a page at a time."""
    shown = plan_page.shown_of(request.args.get("show"))
    page = plan_page.plan_page(str(plan_id), shown, after()) or abort(404)
    return render_template("fleet/plan.html", page=page)


@bp.get("/fleet/plans/<uuid:plan_id>/panel")
@htmx.region_of("fleet.plan")
def plan_panel(plan_id: UUID) -> ResponseReturnValue:
    """Serve the live panel, or nothing while what is shown is still true."""
    shown = plan_page.shown_of(request.args.get("show"))
    panel = plan_page.plan_panel(str(plan_id), shown, after()) or abort(404)
    actions, made = panel.actions.fingerprint, panel.made.fingerprint
    event = checked_event(poll_seconds=panel.poll_seconds, actions=actions, made=made)
    if request.args.get("seen") == panel.seen:
        return htmx.unchanged(event)
    return htmx.region("fleet/_plan_panel.html", checked=event, panel=panel)


@bp.get("/fleet/plans/<uuid:plan_id>/actions")
@htmx.region_of("fleet.plan")
def plan_actions(plan_id: UUID) -> ResponseReturnValue:
    """Serve the buttons for the state that the plan is in now."""
    shown = plan_page.shown_of(request.args.get("show"))
    panel = plan_page.plan_panel(str(plan_id), shown, after()) or abort(404)
    return htmx.region("fleet/_actions.html", actions=panel.actions, of="plan")


@bp.get("/fleet/plans/<uuid:plan_id>/made")
@htmx.region_of("fleet.plan")
def plan_made(plan_id: UUID) -> ResponseReturnValue:
    """Serve what can be done with the links of the plan, once there are some."""
    shown = plan_page.shown_of(request.args.get("show"))
    panel = plan_page.plan_panel(str(plan_id), shown, after()) or abort(404)
    return htmx.region("fleet/_made.html", made=panel.made)


@bp.post("/fleet/plans/<uuid:plan_id>/<any(pause, resume, cancel):act>")
def change_plan(plan_id: UUID, act: str) -> ResponseReturnValue:
    """Begin no more links, go on with them, or end the plan for good; links that exist stay."""
    return change(JobKind.CREATION, require_plan(plan_id), act)


@bp.post("/fleet/plans/<uuid:plan_id>/retry")
def retry_plan(plan_id: UUID) -> ResponseReturnValue:
    """Request the links anew of which it is certain that nothing was created."""
    count = current_services().fleet_plans.retry(require_plan(plan_id))
    return answer_retry(JobKind.CREATION, str(plan_id), texts.retried(count), links=count)


@bp.get("/fleet/plans/<uuid:plan_id>/<any(pause, resume, cancel, retry):_act>")
def sent_to_plan(plan_id: UUID, _act: str) -> ResponseReturnValue:
    """Show the plan where the address of one of its forms is opened."""
    return page_of(JobKind.CREATION, plan_id)


@bp.post("/fleet/plans/of/<rc>")
def create_selected(rc: str) -> ResponseReturnValue:
    """Begin to create all links of a person's own selection of one vehicle, which was reviewed as a whole."""
    rc = normalize(rc)
    plan_id = _plan_id() or abort(400)
    services = current_services()
    with services.store.read() as connection:
        if plans.find(connection, plan_id) is not None:
            return redirect(url_for("fleet.plan", plan_id=plan_id), 303)
        listed = {item.challan.id: item for item in eligibility.of_vehicle(connection, rc)}
    hours = request.form.get("hours", "").strip()
    selected = services.selections.of(person_id(), rc).challan_ids
    wanted = [each for each in selected if each in listed and listed[each].selectable]
    services.selections.replace(person_id(), rc, selected, hours)
    if not is_hours(hours):
        notice(review_texts.HOURS, "wrong")
        return redirect(url_for("creation.review", rc=rc, hours=hours[:MAX_HOURS_TEXT]), 303)
    if not wanted or fingerprint(wanted) != request.form.get("planned"):
        notice(texts.OTHER_SELECTION, "wrong")
        return redirect(url_for("creation.review", rc=rc), 303)
    links = [
        PlannedLink(rc, ids, add_up(listed[each].challan.total_amount for each in ids)) for ids in plan_links(wanted)
    ]
    services.fleet_plans.start(spaced(rc), links, hours=int(hours), person_id=person_id(), plan_id=plan_id)
    audit("bulk create", plan_id, links=len(links), challans=len(wanted), hours=int(hours))
    return redirect(url_for("fleet.plan", plan_id=plan_id), 303)


@bp.get("/fleet/plans/of/<rc>")
def sent_selection(rc: str) -> ResponseReturnValue:
    """Show the review where the address of its form is opened."""
    return redirect(url_for("creation.review", rc=normalize(rc)), 303)


@resumes("fleet.create_selected")
def _review_again(form: SavedForm) -> str:
    """Show the review again; what was selected is stored with its person."""
    return url_for("creation.review", rc=normalize(form.view_args["rc"]))


def require_plan(plan_id: UUID) -> str:
    """Return the id of a plan that the signed-in person may see; answer 404 for any other."""
    with current_services().store.read() as connection:
        if plan_page.find_plan(connection, str(plan_id)) is None:
            abort(404)
    return str(plan_id)


def _plan_id() -> str | None:
    text = request.form.get("plan_id", "")
    try:
        return str(UUID(text)) if len(text) <= 36 else None
    except ValueError:
        return None
