"""Reconciling, for managers: what was found of links, looking at the source again, and ticking off with a note."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from flask import Blueprint, abort, flash, redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.findings import FindingKind
from dashboard.errors import ServiceError
from dashboard.services.findings import FindingChanged, NoteRefused
from dashboard.services.searching import RefreshBusy
from dashboard.store import findings, kept_posts, settlements
from dashboard.web import reconcile_views, words
from dashboard.web.desk import current_desk, note, person_id
from dashboard.web.errors import explain, status_of
from dashboard.web.kept_posts import RESUMERS
from dashboard.web.reconcile_views import Refused

bp = Blueprint("reconcile", __name__, url_prefix="/reconcile")

_SEE = "reconcile.see"
_KEPT = "kept_note"
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
    typed, version = request.form.get("note", ""), request.form.get("version", 0, type=int)
    try:
        found = current_desk().findings.see(finding_id, version, person_id(), typed)
    except LookupError:
        abort(404)
    except NoteRefused as refused:
        return _shown(Refused(finding_id, typed, str(refused))), 422
    except FindingChanged:
        flash(_CHANGED, "waiting")
        return _back()
    _forget_typed()
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


# A note typed into a form whose session had ended


def _typed_before() -> Refused | None:
    """The note that was typed before signing in again."""
    key = session.get(_KEPT)
    if not isinstance(key, str):
        return None
    with current_desk().store.read() as connection:
        post = kept_posts.find(connection, key, person_id(), current_desk().clock())
        row = findings.find(connection, int(post.view_args["finding_id"])) if post is not None else None
    if post is None or row is None or row.seen_at is not None:
        return None
    return Refused(row.id, next((value for name, value in post.fields if name == "note"), ""), None)


def _forget_typed() -> None:
    session.pop(_KEPT, None)


def _resume(person: Any, view_args: dict[str, Any], fields: MultiDict[str, str]) -> str:
    """After signing in again: the note waits on the page; nothing was ticked off."""
    address = url_for("reconcile.index")
    with current_desk().store.write() as connection:
        session[_KEPT] = kept_posts.keep(
            connection,
            current_desk().clock(),
            person_id=person.id,
            path=address,
            endpoint=_SEE,
            view_args=view_args,
            fields=[("note", fields.get("note", ""))],
        )
    return address


RESUMERS[_SEE] = _resume
