"""OutcomeResolver, for managers: what was found of links, looking at the source again, and ticking off with a note."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.errors import ServiceError
from dashboard.services.reconciliation.discrepancies import DiscrepancyChanged, NoteRefused
from dashboard.services.vehicles.search import RefreshBusy
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.reconciliation import discrepancies, settlements
from dashboard.web.reconciliation import page as reconciliation_page
from dashboard.web.reconciliation.page import Refused
from dashboard.web.shared import saved_forms
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, status_of
from dashboard.web.shared.request_args import row_id

bp = Blueprint("reconciliation", __name__)

_CHANGED = "Nothing was ticked off: this has changed since, or a colleague was first. What is known of it stands here."
_LOOKED = "The source was asked just now. What it shows stands here."


@bp.get("/reconcile")
def index() -> str:
    return _shown(_saved_note())


@bp.get("/reconcile/findings/<kind>")
def kind(kind: str) -> str:
    """All of a kind, a page at a time."""
    return _shown_alone(_kind_of(kind) or abort(404))


@bp.post("/reconcile/findings/<int:finding_id>/seen")
def acknowledge(finding_id: int) -> ResponseReturnValue:
    """Tick a finding off, with a note of what is known or was done."""
    typed, version = request.form.get("note", ""), request.form.get("version", 0, type=row_id)
    try:
        found = current_services().discrepancies.see(finding_id, version, person_id(), typed)
    except LookupError:
        abort(404)
    except NoteRefused as refused:
        return _shown(Refused(finding_id, typed, str(refused))), 422
    except DiscrepancyChanged:
        flash(_CHANGED, "waiting")
        return _back()
    saved_forms.discard("reconciliation.acknowledge")
    audit("finding seen", str(finding_id), kind=str(found))
    return _back(found)


@bp.post("/reconcile/look/<uuid:link_id>")
def check_settlement(link_id: UUID) -> ResponseReturnValue:
    """Ask the source about the vehicle of a paid link now."""
    with current_services().store.read() as connection:
        row = settlements.find(connection, str(link_id))
    if row is None or row.rc is None:
        abort(404)
    try:
        current_services().vehicle_search.refresh(row.rc, person_id())
    except RefreshBusy:
        flash(shared_texts.REFRESH_BUSY, "waiting")
    except ServiceError as error:
        title, text = explain(error)
        flash(f"{title}. {text}", "wrong")
        return _shown(), status_of(error)
    else:
        audit("refresh", row.rc)
        flash(_LOOKED, "good")
    return _back(DiscrepancyKind.UNSETTLED)


def _shown(refused: Refused | None = None) -> str:
    """The page that a form was sent from, or the first one."""
    kind = _kind_of(request.args.get("on", ""))
    if kind is not None:
        return _shown_alone(kind, refused)
    return render_template("reconciliation/index.html", page=reconciliation_page.page(refused))


def _shown_alone(kind: DiscrepancyKind, refused: Refused | None = None) -> str:
    after = request.args.get("after", "")
    return render_template("reconciliation/kind.html", page=reconciliation_page.kind_page(kind, after, refused))


def _back(found: DiscrepancyKind | None = None) -> ResponseReturnValue:
    """To the page that a form was sent from, and there to what was found of this kind."""
    anchor = str(found) if found is not None else None
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


def _saved_note() -> Refused | None:
    """Return the note that was typed before the session expired, unless the discrepancy is acknowledged by now."""
    form = saved_forms.waiting("reconciliation.acknowledge")
    if form is None:
        return None
    with current_services().store.read() as connection:
        row = discrepancies.find(connection, int(form.view_args["finding_id"]))
    return Refused(row.id, form.first("note") or "", None) if row is not None and row.seen_at is None else None
