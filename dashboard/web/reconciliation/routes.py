"""Route the money pages for managers: discrepancies, settlement checks, and acknowledgements with a note."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
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
from dashboard.web.reconciliation import acknowledgement_texts, texts, verification_texts
from dashboard.web.reconciliation.page import (
    FailedCheck,
    RefusedNote,
    RefusedNoteOnSeveral,
    discrepancies_page,
    kind_page,
    unverified_links,
)
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
    return _render(_saved_note() or _saved_note_on_several())


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
        problem = acknowledgement_texts.note_refused(refused.shortest, refused.longest)
        return _render(RefusedNote(discrepancy_id, typed, problem)), 422
    except DiscrepancyChanged:
        notice(acknowledgement_texts.CHANGED, "waiting")
        return _back()
    saved_forms.discard("reconciliation.acknowledge")
    audit("finding seen", str(discrepancy_id), kind=str(kind))
    toast(acknowledgement_texts.marked(kind), undo=_undo(discrepancy_id, version, kind))
    return _back(kind)


@bp.post("/reconcile/findings/<kind>/seen")
def acknowledge_several(kind: str) -> ResponseReturnValue:
    """Acknowledge the ticked discrepancies of a kind, with one note for all of them."""
    of_kind = _kind_with_one_note(kind)
    typed, ticked = request.form.get("note", ""), _ticked(request.form.getlist("row"))
    if not ticked:
        return _render(RefusedNoteOnSeveral(of_kind, frozenset(), typed, str(acknowledgement_texts.NONE_TICKED))), 422
    marked: list[tuple[int, int]] = []
    for discrepancy_id, version in ticked:
        try:
            current_services().discrepancies.acknowledge(discrepancy_id, version, person_id(), typed, of_kind=of_kind)
        except NoteRefused as refused:
            problem = acknowledgement_texts.note_refused(refused.shortest, refused.longest)
            ids = frozenset(each for each, _version in ticked)
            return _render(RefusedNoteOnSeveral(of_kind, ids, typed, problem)), 422
        except (DiscrepancyChanged, NotStored):
            continue
        audit("finding seen", str(discrepancy_id), kind=str(of_kind))
        marked.append((discrepancy_id, version))
    saved_forms.discard("reconciliation.acknowledge_several")
    if marked:
        rows = " ".join(f"{discrepancy_id}.{version}" for discrepancy_id, version in marked)
        undo = Undo("reconciliation.reopen_several", {"kind": of_kind.value, **_place()}, {"row": rows})
        toast(acknowledgement_texts.marked_several(of_kind, len(marked)), undo=undo)
    if len(marked) < len(ticked):
        notice(acknowledgement_texts.changed_of_several(len(ticked) - len(marked)), "waiting")
    return _back(of_kind)


@bp.post("/reconcile/findings/<kind>/open")
def reopen_several(kind: str) -> ResponseReturnValue:
    """Take back that several discrepancies of a kind were acknowledged."""
    of_kind, ticked, reopened = _kind_with_one_note(kind), _ticked(request.form.getlist("row")), 0
    for discrepancy_id, version in ticked:
        try:
            current_services().discrepancies.reopen(discrepancy_id, version, person_id())
        except (DiscrepancyChanged, NotStored):
            continue
        audit("finding reopened", str(discrepancy_id), kind=str(of_kind))
        reopened += 1
    if reopened:
        toast(acknowledgement_texts.reopened_several(of_kind, reopened))
    if reopened < len(ticked):
        notice(acknowledgement_texts.NOT_REOPENED, "waiting")
    return _back(of_kind)


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
        notice(acknowledgement_texts.NOT_REOPENED, "waiting")
        return _back()
    audit("finding reopened", str(discrepancy_id), kind=str(kind))
    toast(acknowledgement_texts.reopened(kind))
    return _back(kind)


def _undo(discrepancy_id: int, version: int, kind: DiscrepancyKind) -> Undo | None:
    """Offer to take an acknowledgement back, on the same page. That of an alarm stands."""
    if kind is DiscrepancyKind.DUPLICATE:
        return None
    return Undo("reconciliation.reopen", {"discrepancy_id": discrepancy_id, **_place()}, {"version": str(version)})


def _place() -> dict[str, str]:
    """Return the arguments that lead the answer of a form back to its page."""
    return {name: request.args[name] for name in ("on", "after") if name in request.args}


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
    count = current_services().settlement_tracker.ask_for_all(pending="pending" in request.form)
    audit("verification asked", "paid links", links=count)
    if not count:
        toast(verification_texts.NOTHING_TO_VERIFY, "neutral")
    return redirect(url_for("reconciliation.index", _anchor="unverified"), 303)


def _kind_with_one_note(text: str) -> DiscrepancyKind:
    """Read a kind of which several may be acknowledged together. Of an alarm each one needs a note of its own."""
    kind = _kind_of(text)
    return kind if kind in texts.WITH_ONE_NOTE and kind is not None else abort(404)


def _ticked(rows: Iterable[str]) -> list[tuple[int, int]]:
    """Read the ids of discrepancies with the versions that were shown, such as "12.1", or several of them in one text.

    What cannot be read is left out.
    """
    read = []
    for row in " ".join(rows).split():
        number, _, version = row.partition(".")
        with suppress(ValueError):
            read.append((row_id(number), row_id(version)))
    return read


def _render(note: RefusedNote | RefusedNoteOnSeveral | None = None, failed: FailedCheck | None = None) -> str:
    """Render the page that a form was sent from: that of one kind, or that of all."""
    kind = _kind_of(request.args.get("on", ""))
    if kind is not None:
        return _render_kind(kind, note, failed)
    return render_template("reconciliation/index.html", page=discrepancies_page(note, failed))


def _render_kind(
    kind: DiscrepancyKind, note: RefusedNote | RefusedNoteOnSeveral | None = None, failed: FailedCheck | None = None
) -> str:
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


@saved_forms.resumes("reconciliation.acknowledge", "reconciliation.acknowledge_several", waits=True)
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


def _saved_note_on_several() -> RefusedNoteOnSeveral | None:
    """Return the note on several discrepancies that was typed before the session expired, with what was ticked."""
    form = saved_forms.waiting("reconciliation.acknowledge_several")
    kind = _kind_of(form.view_args["kind"]) if form else None
    if form is None or kind is None:
        return None
    ids = frozenset(each for each, _version in _ticked(form.all("row")))
    return RefusedNoteOnSeveral(kind, ids, form.first("note") or "", None)
