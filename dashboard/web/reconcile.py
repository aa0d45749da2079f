"""Reconciling, for managers: what was found of links, looking at the source again, and ticking off with a note."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.findings import FindingKind
from dashboard.errors import ServiceError
from dashboard.services.findings import FindingChanged, NoteRefused
from dashboard.services.searching import RefreshBusy
from dashboard.store import findings, settlements
from dashboard.web import reconcile_views, words
from dashboard.web.desk import current_desk, note, person_id
from dashboard.web.errors import explain, status_of
from dashboard.web.kept_posts import TypedText
from dashboard.web.reading import row_id
from dashboard.web.reconcile_views import Refused

bp = Blueprint("reconcile", __name__, url_prefix="/reconcile")

_CHANGED = "Nothing was ticked off: this has changed since, or a colleague was first. What is known of it stands here."
_LOOKED = "The source was asked just now. What it shows stands here."


@bp.get("")
def index() -> str:
    return _shown(_typed_before())


@bp.get("/findings/<kind>")
def kind(kind: str) -> str:
    """All of a kind, a page at a time."""
    return _shown_alone(_kind_of(kind) or abort(404))


@bp.post("/findings/<int:finding_id>/seen")
def see(finding_id: int) -> ResponseReturnValue:
    """Tick a finding off, with a note of what is known or was done."""
    typed, version = request.form.get("note", ""), request.form.get("version", 0, type=row_id)
    try:
        found = current_desk().findings.see(finding_id, version, person_id(), typed)
    except LookupError:
        abort(404)
    except NoteRefused as refused:
        return _shown(Refused(finding_id, typed, str(refused))), 422
    except FindingChanged:
        flash(_CHANGED, "waiting")
        return _back()
    _TYPED.forget()
    note("finding seen", str(finding_id), kind=str(found))
    return _back(found)


@bp.post("/look/<uuid:link_id>")
def look(link_id: UUID) -> ResponseReturnValue:
    """Ask the source about the vehicle of a paid link now."""
    with current_desk().store.read() as connection:
        row = settlements.find(connection, str(link_id))
    if row is None or row.rc is None:
        abort(404)
    try:
        current_desk().searching.refresh(row.rc, person_id())
    except RefreshBusy:
        flash(words.REFRESH_BUSY, "waiting")
    except ServiceError as error:
        title, text = explain(error)
        flash(f"{title}. {text}", "wrong")
        return _shown(), status_of(error)
    else:
        note("refresh", row.rc)
        flash(_LOOKED, "good")
    return _back(FindingKind.UNSETTLED)


def _shown(refused: Refused | None = None) -> str:
    """The page that a form was sent from, or the first one."""
    kind = _kind_of(request.args.get("on", ""))
    if kind is not None:
        return _shown_alone(kind, refused)
    return render_template("reconcile/index.html", page=reconcile_views.page(refused))


def _shown_alone(kind: FindingKind, refused: Refused | None = None) -> str:
    after = request.args.get("after", "")
    return render_template("reconcile/kind.html", page=reconcile_views.kind_page(kind, after, refused))


def _back(found: FindingKind | None = None) -> ResponseReturnValue:
    """To the page that a form was sent from, and there to what was found of this kind."""
    anchor = str(found) if found is not None else None
    kind = _kind_of(request.args.get("on", ""))
    if kind is None:
        return redirect(url_for("reconcile.index", _anchor=anchor), 303)
    after = request.args.get("after") or None
    return redirect(url_for("reconcile.kind", kind=kind.value, after=after, _anchor=anchor), 303)


def _kind_of(text: str) -> FindingKind | None:
    try:
        return FindingKind(text)
    except ValueError:
        return None


#: A note typed into a form whose session had ended: it waits on the page; nothing was ticked off.
_TYPED = TypedText("reconcile.see", "note", lambda _view_args: url_for("reconcile.index"))


def _typed_before() -> Refused | None:
    """The note that was typed before signing in again."""
    found = _TYPED.found(person_id())
    if found is None:
        return None
    view_args, typed = found
    with current_desk().store.read() as connection:
        row = findings.find(connection, int(view_args["finding_id"]))
    return Refused(row.id, typed, None) if row is not None and row.seen_at is None else None
