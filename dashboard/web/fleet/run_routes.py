"""Serve search runs: progress, results, and what a person does with a run."""

from __future__ import annotations

from uuid import UUID

from flask import abort, redirect, render_template, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.fleet import JobKind
from dashboard.domain.fleet_input import lines_of
from dashboard.errors import ServiceError
from dashboard.web.fleet import places, run_page
from dashboard.web.fleet import run_texts as texts
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.job_changes import after, answer, answer_retry, change, page_of
from dashboard.web.fleet.routes import bp
from dashboard.web.fleet.run_rest import left_by
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id, zone
from dashboard.web.shared.errors import explain
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.spreadsheets import csv_download
from dashboard.web.shared.toasts import notice


@bp.get("/fleet/runs/<uuid:run_id>")
def run(run_id: UUID) -> str:
    """Show a search run: its progress, and its results a page at a time."""
    return _page(run_id)


def _page(run_id: UUID, problem: str = "") -> str:
    shown = run_page.outcome_of(request.values.get("outcome"))
    page = run_page.run_page(str(run_id), shown, after(), problem, request.form) or abort(404)
    return render_template("fleet/run.html", page=page)


@bp.get("/fleet/runs/<uuid:run_id>/panel")
@htmx.region_of("fleet.run")
def run_panel(run_id: UUID) -> ResponseReturnValue:
    """Serve the live panel, or nothing while what is shown is still true."""
    panel = run_page.run_panel(str(run_id), run_page.outcome_of(request.args.get("outcome"))) or abort(404)
    event = checked_event(poll_seconds=panel.poll_seconds, actions=panel.actions.fingerprint, results=panel.state.raw)
    if request.args.get("seen") == panel.seen:
        return htmx.unchanged(event)
    return htmx.region("fleet/_run_panel.html", checked=event, panel=panel)


@bp.get("/fleet/runs/<uuid:run_id>/actions")
@htmx.region_of("fleet.run")
def run_actions(run_id: UUID) -> ResponseReturnValue:
    """Serve the buttons for the state that the run is in now."""
    panel = run_page.run_panel(str(run_id), run_page.outcome_of(request.args.get("outcome")), after()) or abort(404)
    return htmx.region("fleet/_actions.html", actions=panel.actions, of="run")


@bp.get("/fleet/runs/<uuid:run_id>/results")
@htmx.region_of("fleet.run", query=lambda: {"outcome": request.args.get("outcome"), "after": after() or None})
def run_results(run_id: UUID) -> ResponseReturnValue:
    """Serve the results once the state of the run has changed."""
    shown = run_page.outcome_of(request.args.get("outcome"))
    results = run_page.run_results(str(run_id), shown, after()) or abort(404)
    panel = run_page.run_panel(str(run_id), shown) or abort(404)
    return htmx.region("fleet/_run_results.html", results=results, mark=panel.state.raw)


@bp.post("/fleet/runs/<uuid:run_id>/<any(pause, resume, cancel):act>")
def change_run(run_id: UUID, act: str) -> ResponseReturnValue:
    """Begin no more searches, go on with them, or end the run for good; what it found stays."""
    return change(JobKind.SEARCH, _run(run_id), act)


@bp.post("/fleet/runs/<uuid:run_id>/retry")
def retry_run(run_id: UUID) -> ResponseReturnValue:
    """Search the vehicles again whose search failed."""
    count = current_services().fleet_searches.retry_failed(_run(run_id))
    return answer_retry(JobKind.SEARCH, str(run_id), texts.retried(count), vehicles=count)


@bp.post("/fleet/runs/<uuid:run_id>/rest")
def search_rest(run_id: UUID) -> ResponseReturnValue:
    """Make a draft of the vehicles that a cancelled run has left, to be searched as a new run."""
    services = current_services()
    with services.store.read() as connection:
        job = run_page.find_run(connection, str(run_id)) or abort(404)
        left = left_by(connection, job)
    if not left:
        notice(texts.TOO_LATE, "waiting")
        return redirect(url_for("fleet.run", run_id=run_id), 303)
    title = fleet_texts.rest_of(fleet_texts.title(job))
    draft_id = services.fleet_drafts.add(person_id(), title, lines_of(left), at_source=job.at_source)
    return redirect(url_for("fleet.draft", draft_id=draft_id), 303)


@bp.get("/fleet/runs/<uuid:run_id>/<any(pause, resume, cancel, retry, rest, lists, details):_act>")
def sent_to_run(run_id: UUID, _act: str) -> ResponseReturnValue:
    """Show the run where the address of one of its forms is opened."""
    return page_of(JobKind.SEARCH, run_id)


@bp.post("/fleet/runs/<uuid:run_id>/details")
def complete_run(run_id: UUID) -> ResponseReturnValue:
    """Search vehicles again with the RC type and the city that a person has chosen."""
    services, shown = current_services(), run_page.outcome_of(request.form.get("outcome"))
    cities, rc_types = services.reference_data.known()
    with services.store.read() as connection:
        lacking = places.lacking(connection, _run(run_id), shown)
    try:
        found = places.chosen(request.form, [each.rc for each in lacking], cities, rc_types)
    except places.PlaceIncomplete:
        return _page(run_id, str(texts.CHOOSE_BOTH)), 422
    if lacking and not found:
        return _page(run_id, str(texts.CHOOSE_BOTH)), 422
    count = 0
    for place, rcs in places.by_place(found).items():
        positions = [each.position for each in lacking if each.rc in rcs]
        count += services.fleet_searches.complete(str(run_id), positions, *place)
    words = texts.completed(count, len(lacking) - count)
    return answer(JobKind.SEARCH, str(run_id), "details", done=bool(count), words=words, vehicles=count)


@bp.post("/fleet/runs/<uuid:run_id>/lists")
def load_lists(run_id: UUID) -> ResponseReturnValue:
    """Read the RC types and cities of the organization, where none are stored."""
    try:
        current_services().reference_data.fresh()
    except ServiceError as error:
        notice(" ".join(map(str, explain(error))), "wrong")
    outcome = run_page.outcome_of(request.form.get("outcome")) or None
    return redirect(url_for("fleet.run", run_id=_run(run_id), outcome=outcome, _anchor="results"), 303)


resumes_on_its_own_page("fleet.complete_run", texts.DETAILS_AGAIN, {"rc_type": "RC type", "city_id": "City"})


@bp.get("/fleet/runs/<uuid:run_id>/results.csv")
def export_run(run_id: UUID) -> ResponseReturnValue:
    """Export what came of the vehicles, of all or of one outcome."""
    shown = run_page.outcome_of(request.args.get("outcome"))
    audit("export", _run(run_id), of="search run", outcome=shown or "all")
    head = [each.format(zone=zone()) for each in run_page.EXPORT_HEAD]
    answer = csv_download(f"search-{str(run_id)[:8]}.csv", head, run_page.exported(str(run_id), shown), zone())
    answer.response = stream_with_context(answer.iter_encoded())  # Outcomes are worded as the rows are sent.
    return answer


def _run(run_id: UUID) -> str:
    with current_services().store.read() as connection:
        if run_page.find_run(connection, str(run_id)) is None:
            abort(404)
    return str(run_id)
