"""Serve the page of a request: its state, another attempt to resolve it, another try, and the release of its claims."""

from __future__ import annotations

from uuid import UUID

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.errors import ServiceError
from dashboard.services.creation.release import ReleaseProblem, ReleaseRefused
from dashboard.web.creation import release, release_texts, request_page, texts
from dashboard.web.creation.forms import ReleaseClaimsForm
from dashboard.web.creation.records import RequestPanel
from dashboard.web.creation.routes import bp
from dashboard.web.shared import htmx, saved_forms
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.errors import explain, status_of
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.request_id import request_origin
from dashboard.web.shared.toasts import notice

#: The regions of the page: all but its head, and the live one.
_REQUEST, _PANEL = "request", "request-panel"


@bp.get("/requests/<uuid:request_id>", endpoint="request_page")
def show(request_id: UUID) -> ResponseReturnValue:
    region = request_page.request_panel(str(request_id)) or abort(404)
    _watch_links(region)
    if htmx.wants_region() and htmx.puts_into(_PANEL):  # What is typed below the panel stays.
        return htmx.region("creation/_request_panel.html", page_title=region.title, announce=region.words, panel=region)
    typed = release.saved_reason(str(request_id))
    return _page(request_id, ReleaseClaimsForm(formdata=None, data={"reason": typed}))


@bp.get("/requests/<uuid:request_id>/check")
@bp.get("/requests/<uuid:request_id>/again")
@bp.get("/requests/<uuid:request_id>/set-aside")
def sent_request(request_id: UUID) -> ResponseReturnValue:
    """Show the page of the request where the address of one of its forms is opened."""
    return redirect(url_for("creation.request_page", request_id=request_id), 303)


@bp.get("/requests/<uuid:request_id>/panel")
@htmx.region_of("creation.request_page")
def request_panel(request_id: UUID) -> ResponseReturnValue:
    region = request_page.request_panel(str(request_id)) or abort(404)
    _watch_links(region)
    if request.args.get("seen") == region.seen:
        return htmx.unchanged(checked_event(poll_seconds=region.poll_seconds))
    return htmx.region("creation/_request_panel.html", checked=checked_event(), panel=region)


@bp.post("/requests/<uuid:request_id>/check")
def check(request_id: UUID) -> ResponseReturnValue:
    """Attempt to resolve the request now, then show its page."""
    current_services().outcome_resolver.resolve_on_request(str(request_id))
    return redirect(url_for("creation.request_page", request_id=request_id), 303)


@bp.post("/requests/<uuid:request_id>/again")
def retry(request_id: UUID) -> ResponseReturnValue:
    """Review those of its challans that are free, for any person and selection. Sends nothing itself."""
    found = request_page.free_again(str(request_id)) or abort(404)
    if not found.challan_ids:
        notice(texts.NOTHING_FREE, "waiting")
        return redirect(url_for("creation.request_page", request_id=request_id), 303)
    selections = current_services().selections
    # Behind a full link the rest of the selection waits for the next one; behind any other it would join this review.
    save = selections.put_first if found.full else selections.replace
    save(person_id(), found.rc, found.challan_ids, found.hours)
    return redirect(url_for("creation.review", rc=found.rc, replaces=found.replaces), 303)


@bp.post("/requests/<uuid:request_id>/set-aside", endpoint="release")
def release_claims(request_id: UUID) -> ResponseReturnValue:
    """Release its claims for a manager's reason, unless the attempt before resolves the request."""
    form = ReleaseClaimsForm()
    services = current_services()
    try:
        reason = form.reason.data or ""
        done = services.claim_releaser.release(str(request_id), person_id(), reason, request_origin())
    except ReleaseRefused as refused:
        return _refused(request_id, form, refused.problem)
    except ServiceError as error:
        title, text = explain(error)
        return _page(request_id, form, f"{title}. {text} {release_texts.NOTHING_RELEASED}", status_of(error))
    saved_forms.discard(release.ENDPOINT)
    if not done:
        notice(release_texts.RESOLVED_INSTEAD, "waiting")
    return redirect(url_for("creation.request_page", request_id=request_id), 303)


def _refused(request_id: UUID, form: ReleaseClaimsForm, problem: ReleaseProblem) -> ResponseReturnValue:
    if problem in release_texts.RELEASE_FIELD:
        form.reason.errors = [release_texts.RELEASE_FIELD[problem]]
        return _page(request_id, form, status=422)
    if problem is ReleaseProblem.BEING_RESOLVED:
        return _page(request_id, form, release_texts.BEING_RESOLVED, 422)
    # The page shows no form any more; its state says why.
    already = problem is ReleaseProblem.ALREADY_RELEASED
    notice(release_texts.ALREADY_RELEASED if already else release_texts.RELEASE_NOT_NEEDED, "waiting")
    return redirect(url_for("creation.request_page", request_id=request_id), 303)


def _watch_links(region: RequestPanel) -> None:
    """Mark the links that the page shows as watched, as their own pages do."""
    for link_id in region.follows:
        current_services().link_poller.mark_watched(link_id)


def _page(request_id: UUID, form: ReleaseClaimsForm, problem: str | None = None, status: int = 200) -> Response:
    """Answer with the page; to a form of the page, with all but its head."""
    page = request_page.request_page(str(request_id), problem) or abort(404)
    if htmx.follows_form() and htmx.is_on(url_for("creation.request_page", request_id=request_id)):
        # A field that is wrong gets the focus, and is read out with what is wrong.
        announce = problem or (page.panel.words if status == 200 else "")
        title = page.panel.title
        region = htmx.region(
            "creation/_request.html", status, page_title=title, announce=announce, page=page, form=form, in_region=True
        )
        return htmx.region_at(_REQUEST, region)
    return make_response(render_template("creation/request.html", page=page, form=form), status)
