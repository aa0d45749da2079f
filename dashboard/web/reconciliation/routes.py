"""Route the money pages for managers: discrepancies, settlement checks, and acknowledgements with a note."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.errors import ServiceError
from dashboard.services.reconciliation.discrepancies import DiscrepancyChanged, NoteRefused
from dashboard.services.vehicles.search import RefreshBusy
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.engine import NotStored
from dashboard.store.reconciliation import discrepancies, settlements
from dashboard.web.reconciliation import texts, verification_texts
from dashboard.web.reconciliation.page import FailedCheck, RefusedNote, discrepancies_page, kind_page, unverified_links
from dashboard.web.shared import htmx, saved_forms
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, status_of
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.request_args import moment, row_id
from dashboard.web.shared.toasts import Undo, notice, toast

bp = Blueprint("reconciliation", __name__)


@bp.get("/reconcile")
def index() -> str:
    return _render(_saved_note())


@bp.get("/reconcile/unverified")
@htmx.region_of("reconciliation.index")
def unverified() -> ResponseReturnValue:
    """Serve the live region of the paid links that nobody verified."""
    return htmx.region(
        "reconciliation/_unverified.html",
        checked=checked_event(),
        unverified=unverified_links(moment(request.args.get("since"))),
    )


@bp.get("/reconcile/findings/<kind>")
def kind(kind: str) -> str:
    """Show all discrepancies of a kind, a page at a time."""
    return _render_kind(_kind_of(kind) or abort(404))


@bp.post("/reconcile/findings/<int:discrepancy_id>/seen")
def acknowledge(discrepancy_id: int) -> ResponseReturnValue:
    """Acknowledge a discrepancy, with a note of what is known or was done."""
    typed, version = request.form.get("note", ""), request.form.get("version", 0, type=row_id)
    try:
        kind = current_services().discrepancies.acknowledge(discrepancy_id, version, person_id(), typed)
    except NotStored:
        abort(404)
    except NoteRefused as refused:
        problem = texts.note_refused(refused.shortest, refused.longest)
        return _render(RefusedNote(discrepancy_id, typed, problem)), 422
    except DiscrepancyChanged:
        notice(texts.CHANGED, "waiting")
        return _back()
    saved_forms.discard("reconciliation.acknowledge")
    audit("finding seen", str(discrepancy_id), kind=str(kind))
    toast(texts.marked(kind), undo=_undo(discrepancy_id, version, kind))
    return _back(kind)


@bp.post("/reconcile/findings/<int:discrepancy_id>/open")
def reopen(discrepancy_id: int) -> ResponseReturnValue:
    """Take back that a discrepancy was acknowledged."""
    try:
        kind = current_services().discrepancies.reopen(
            discrepancy_id, request.form.get("version", 0, type=row_id), person_id()
        )
    except NotStored:
        abort(404)
    except DiscrepancyChanged:
        notice(texts.NOT_REOPENED, "waiting")
        return _back()
    audit("finding reopened", str(discrepancy_id), kind=str(kind))
    toast(texts.reopened(kind))
    return _back(kind)


def _undo(discrepancy_id: int, version: int, kind: DiscrepancyKind) -> Undo | None:
    """Offer to take an acknowledgement back, on the same page. That of an alarm stands."""
    if kind is DiscrepancyKind.DUPLICATE:
        return None
    place = {name: request.args[name] for name in ("on", "after") if name in request.args}
    return Undo("reconciliation.reopen", {"discrepancy_id": discrepancy_id, **place}, {"version": str(version)})


@bp.post("/reconcile/look/<uuid:link_id>")
def check_settlement(link_id: UUID) -> ResponseReturnValue:
    """Search the vehicle of a paid link at the source now."""
    with current_services().store.read() as connection:
        plan = settlements.find_plan(connection, str(link_id))
    if plan is None or plan.rc is None:
        abort(404)
    try:
        current_services().vehicle_search.refresh(plan.rc, person_id())
    except RefreshBusy:
        notice(shared_texts.REFRESH_BUSY, "waiting")
    except ServiceError as error:
        title, text = explain(error)
        return _render(failed=FailedCheck(plan.link_id, f"{title}. {text}")), status_of(error)
    else:
        audit("refresh", plan.rc)
        toast(texts.CHECKED)
    return _back(DiscrepancyKind.UNSETTLED)


@bp.post("/reconcile/verify")
def verify() -> ResponseReturnValue:
    """Have the watcher search at the source the vehicles of paid links that nobody verified, or the pending ones."""
    count = current_services().settlement_tracker.ask_for_all(only_pending="pending" in request.form)
    audit("verification asked", "paid links", links=count)
    if not count:
        toast(verification_texts.NOTHING_TO_VERIFY, "neutral")
    return redirect(url_for("reconciliation.index", _anchor="unverified"), 303)


def _render(note: RefusedNote | None = None, failed: FailedCheck | None = None) -> str:
    """Render the page that a form was sent from: that of one kind, or that of all."""
    kind = _kind_of(request.args.get("on", ""))
    if kind is not None:
        return _render_kind(kind, note, failed)
    return render_template("reconciliation/index.html", page=discrepancies_page(note, failed))


def _render_kind(kind: DiscrepancyKind, note: RefusedNote | None = None, failed: FailedCheck | None = None) -> str:
    page = kind_page(kind, request.args.get("after", ""), note, failed)
    return render_template("reconciliation/kind.html", page=page)


def _back(section: DiscrepancyKind | None = None) -> ResponseReturnValue:
    """Redirect to the page that a form was sent from, and there to a section."""
    anchor = str(section) if section is not None else None
    kind = _kind_of(request.args.get("on", ""))
    if kind is None:
        return redirect(url_for("reconciliation.index", _anchor=anchor), 303)
    after = request.args.get("after") or None
    return redirect(url_for("reconciliation.kind", kind=kind.value, after=after, _anchor=anchor), 303)


def _kind_of(text: str) -> DiscrepancyKind | None:
    try:
        return DiscrepancyKind(text)
    except ValueError:
        return None


@saved_forms.resumes("reconciliation.acknowledge", waits=True)
def _index_again(_form: SavedForm) -> str:
    """Show the note in its form on the page again."""
    return url_for("reconciliation.index")


def _saved_note() -> RefusedNote | None:
    """Return the note that was typed before the session expired, unless the discrepancy is acknowledged by now."""
    form = saved_forms.waiting("reconciliation.acknowledge")
    if form is None:
        return None
    with current_services().store.read() as connection:
        stored = discrepancies.find(connection, int(form.view_args["discrepancy_id"]))
    if stored is None or stored.acknowledged_at is not None:
        return None
    return RefusedNote(stored.id, form.first("note") or "", None)
