"""The page of a request to create a link whose outcome is not, or was not at once, known.

A manager may let its challans go there when nobody can find that out.
"""

from __future__ import annotations

from uuid import UUID

from flask import abort, flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.errors import ServiceError
from dashboard.services.creation.release import ReleaseProblem, ReleaseRefused
from dashboard.web.creation import release, request_page
from dashboard.web.creation.records import RequestPanel
from dashboard.web.creation.routes import bp
from dashboard.web.shared import htmx, saved_forms
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.errors import explain, status_of
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.request_id import request_origin


@bp.get("/requests/<uuid:request_id>", endpoint="request_page")
def show(request_id: UUID) -> ResponseReturnValue:
    _look_at_links(request_page.request_panel(str(request_id)) or abort(404))
    typed = release.saved_reason(str(request_id))
    return _page(request_id, release.ReleaseClaimsForm(formdata=None, data={"reason": typed}))


@bp.get("/requests/<uuid:request_id>/panel")
@htmx.region_of("creation.request_page")
def request_panel(request_id: UUID) -> ResponseReturnValue:
    region = request_page.request_panel(str(request_id)) or abort(404)
    _look_at_links(region)
    if request.args.get("seen") == region.seen:
        return htmx.unchanged(checked_event(poll_seconds=region.poll_seconds))
    return htmx.region("creation/_request_panel.html", checked=checked_event(), panel=region)


@bp.post("/requests/<uuid:request_id>/check")
def check(request_id: UUID) -> ResponseReturnValue:
    """Look now, because a person asks; the page then says what was found."""
    current_services().outcome_resolver.resolve_on_request(str(request_id))
    return redirect(url_for("creation.request_page", request_id=request_id), 303)


@bp.post("/requests/<uuid:request_id>/again")
def retry(request_id: UUID) -> ResponseReturnValue:
    """Review those of its challans that are free, whoever asks and whatever they had ticked. Sends nothing itself."""
    found = request_page.free_again(str(request_id)) or abort(404)
    if not found.challan_ids:
        flash("None of these challans can go on a new link now. What is known of them stands here.", "waiting")
        return redirect(url_for("creation.request_page", request_id=request_id), 303)
    selections = current_services().selections
    # What waits behind a full link is of no other review than before; behind any other it would be reviewed with it.
    save = selections.put_first if found.full else selections.replace
    save(person_id(), found.rc, found.challan_ids, found.hours)
    return redirect(url_for("creation.review", rc=found.rc, replaces=found.replaces), 303)


@bp.post("/requests/<uuid:request_id>/set-aside", endpoint="release")
def release_claims(request_id: UUID) -> ResponseReturnValue:
    """Let its challans go for a manager's reason, unless the look before finds out what became of it."""
    form = release.ReleaseClaimsForm()
    services = current_services()
    try:
        reason = form.reason.data or ""
        done = services.claim_releaser.release(str(request_id), person_id(), reason, request_origin())
    except ReleaseRefused as refused:
        return _refused(request_id, form, refused.problem)
    except ServiceError as error:
        title, text = explain(error)
        return _page(request_id, form, f"{title}. {text} Nothing was let go."), status_of(error)
    saved_forms.discard(release.ENDPOINT)
    if not done:
        flash(release.SETTLED, "waiting")
    return redirect(url_for("creation.request_page", request_id=request_id), 303)


def _refused(request_id: UUID, form: release.ReleaseClaimsForm, why: ReleaseProblem) -> ResponseReturnValue:
    if why in release.FIELD_WORDS:
        form.reason.errors = [release.FIELD_WORDS[why]]
        return _page(request_id, form), 422
    if why is ReleaseProblem.BEING_RESOLVED:
        return _page(request_id, form, release.BEING_LOOKED_AT), 422
    # There is no such form on its page any more, and what the page tells says why.
    flash(release.ALREADY if why is ReleaseProblem.ALREADY_RELEASED else release.NOT_IN_QUESTION, "waiting")
    return redirect(url_for("creation.request_page", request_id=request_id), 303)


def _look_at_links(region: RequestPanel) -> None:
    """Somebody looks at the links that a request led to, as they would on the pages of those."""
    for link_id in region.follows:
        current_services().link_poller.mark_watched(link_id)


def _page(request_id: UUID, form: release.ReleaseClaimsForm, problem: str | None = None) -> str:
    page = request_page.request_page(str(request_id), problem) or abort(404)
    return render_template("creation/request.html", page=page, form=form)
