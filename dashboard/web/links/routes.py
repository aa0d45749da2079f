"""Serve the page of a payment link with its regions, and what people do on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask.typing import ResponseReturnValue

from dashboard.domain.registration import spaced
from dashboard.errors import ServiceError
from dashboard.services.creation.release import ReleaseRefused
from dashboard.services.creation.replacement import ReplacementRefused
from dashboard.services.links.duplicates import AlarmChanged
from dashboard.services.sharing.share import NotShareable
from dashboard.services.vehicles.search import RefreshBusy
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.engine import NotStored
from dashboard.store.links import links
from dashboard.web.creation import release_texts, review_page
from dashboard.web.creation import texts as creation_texts
from dashboard.web.creation.forms import ReleaseClaimsForm
from dashboard.web.links import (
    amounts,
    custom_fields,
    duplicate_texts,
    texts,
    timeline,
    unknown_link_texts,
    unknown_links,
)
from dashboard.web.links import page as link_page
from dashboard.web.links.custom_field_texts import LABELS, SAVED_CUSTOM_FIELDS
from dashboard.web.links.custom_fields import Typed
from dashboard.web.links.forms import AcknowledgeDuplicatesForm
from dashboard.web.links.payment import payment_card
from dashboard.web.links.records import LinkPanel, PaymentReference
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, retry_after, status_of
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.records import ChallanRow
from dashboard.web.shared.request_id import request_origin
from dashboard.web.shared.saved_forms import discard, resumes, resumes_on_its_own_page
from dashboard.web.shared.texts import REFRESH_BUSY, link_state
from dashboard.web.shared.toasts import notice, toast

bp = Blueprint("links", __name__)
#: The regions of the page that hold a form of their own.
_REGIONS = {"own-fields": "links/_custom_fields.html", "double-alarm": "links/_duplicate_alarm.html"}


@bp.get("/links/<uuid:link_id>")
def show(link_id: UUID) -> ResponseReturnValue:
    current_services().link_poller.mark_watched(str(link_id))
    return page_of(link_id)


def page_of(
    link_id: UUID,
    form: AcknowledgeDuplicatesForm | None = None,
    fields: Typed | None = None,
    release_form: ReleaseClaimsForm | None = None,
    reference: PaymentReference | None = None,
    **more: Any,
) -> str:
    """Draw the page of a link; see `_context`."""
    return render_template("links/show.html", **_context(link_id, form, fields, release_form, reference, **more))


def _part_of(
    link_id: UUID, status: int = 200, *, announce: str = "", stale: str = "link-timeline", **given: Any
) -> ResponseReturnValue:
    """Answer a form of the page with the region that it stands in; without scripts with the whole page."""
    context = _context(link_id, **given)
    for name, template in _REGIONS.items():
        if htmx.puts_into(name):
            return htmx.region(template, status, announce=announce, stale=stale, is_saved=status == 200, **context)
    return render_template("links/show.html", **context), status


def _context(
    link_id: UUID,
    form: AcknowledgeDuplicatesForm | None = None,
    fields: Typed | None = None,
    release_form: ReleaseClaimsForm | None = None,
    reference: PaymentReference | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return what the page of a link shows. `more` are fields of its record that this request decides, `fields` is what
    was typed into the custom fields, and `reference` into the field of the payment reference, where there still is one.
    """
    page = replace(link_page.link_page(str(link_id)) or abort(404), **more)
    if reference is not None and page.panel.reference is not None:
        page = replace(page, panel=replace(page.panel, reference=reference))
    if page.rc is not None:
        selection = current_services().selections.of(person_id(), page.rc)
        page = replace(page, left_to_review=review_page.count_waiting(page.rc, selection, page.panel.id))
    current_services().paid_notifications.mark_seen(person_id(), str(link_id))
    if form is None and page.alarm is not None and page.alarm.unacknowledged and page.alarm.may_acknowledge:
        form = AcknowledgeDuplicatesForm.for_alarm(page.alarm.newest, request.args.get("note", ""))
    custom = custom_fields.form_of_link(page.panel.id, page.rc, fields)
    if release_form is None:
        release_form = ReleaseClaimsForm(formdata=None, data={"reason": unknown_links.saved_reason(str(link_id))})
    release_form.reason.description = release_texts.RELEASE_HINT
    return {
        "page": page,
        "copyable": page.payment.copyable,
        "form": form,
        "fields": custom,
        "release_form": release_form,
    }


@bp.get("/links/<uuid:link_id>/panel")
@htmx.region_of("links.show")
def panel(link_id: UUID) -> ResponseReturnValue:
    """Serve the live region; 204 with the last check and the next poll when the page shows it already."""
    current_services().link_poller.mark_watched(str(link_id))
    region = link_page.link_panel(str(link_id)) or abort(404)
    event = _checked(region)
    if request.args.get("seen") == region.seen:
        return htmx.unchanged(event | {"poll_seconds": link_page.next_poll(region)})
    current_services().paid_notifications.mark_seen(person_id(), str(link_id))
    own = _own(region)
    return htmx.region("links/_panel.html", checked=event, panel=own, copyable=own.copyable)


def _checked(region: LinkPanel) -> dict[str, Any]:
    """Return the event of the panel, by which the other regions of the page learn what has changed."""
    return checked_event(
        region.freshness.checked_at,
        timeline=region.timeline,
        payment=region.payment,
        card=region.card,
        amounts=region.amounts,
    )


def _own(region: LinkPanel) -> LinkPanel:
    """Return the panel as the signed-in person sees it."""
    card = payment_card(region.id)
    return link_page.panel_for(region, card) if card else region


@bp.get("/links/<uuid:link_id>/payment")
@htmx.region_of("links.show")
def payment(link_id: UUID) -> ResponseReturnValue:
    """Serve the payment URL and the ways to share it; the page fetches them when the panel says that they changed."""
    card = payment_card(str(link_id)) or abort(404)
    return htmx.region("links/_payment.html", card=card)


@bp.get("/links/<uuid:link_id>/timeline", endpoint="timeline")
@htmx.region_of("links.show")
def history(link_id: UUID) -> ResponseReturnValue:
    """Serve the history; the page fetches it when it has grown."""
    shown = timeline.timeline(str(link_id)) or abort(404)
    return htmx.region("links/_timeline.html", timeline=shown)


@bp.get("/links/<uuid:link_id>/amounts", endpoint="amounts")
@htmx.region_of("links.show")
def amounts_of(link_id: UUID) -> ResponseReturnValue:
    """Serve what the link comes to; the page fetches it when an answer of the service has changed it."""
    shown = amounts.shown_amounts(str(link_id)) or abort(404)
    return htmx.region("links/_amounts.html", amounts=shown)


@bp.post("/links/<uuid:link_id>/copied")
def copied(link_id: UUID) -> ResponseReturnValue:
    """Record that the signed-in person copies the payment URL.

    The page posts this after the copy; where another link on the challans has ended, before it, and copies nothing
    without a 204. With `unasked` the page made it by itself, right after the creation.
    """
    unasked = "unasked" in request.form
    try:
        current_services().sharing.record_copy(str(link_id), person_id(), request_origin(), unasked=unasked)
    except NotStored:
        abort(404)
    except NotShareable:
        return Response(str(texts.PAID_WITH_DUPLICATE), 409, mimetype="text/plain")
    except ServiceError as error:
        current_app.logger.info("the ended link beside a copied one could not be checked: %s", error)
        return Response(str(texts.COPY_NOT_CHECKED), 504, mimetype="text/plain")
    return "", 204


@bp.post("/links/<uuid:link_id>/fields")
def update_custom_fields(link_id: UUID) -> ResponseReturnValue:
    """Save a link's custom fields."""
    typed = custom_fields.read(request.form)
    if typed.problems:
        return _part_of(link_id, 422, fields=typed)
    save = partial(current_services().custom_fields.save_on_link, str(link_id))
    if (conflict := custom_fields.save(typed, f"link {link_id}", save)) is not None:
        return _part_of(link_id, 409, fields=conflict)
    if htmx.puts_into("own-fields"):
        return _part_of(link_id, announce=texts.FIELDS_SAVED)
    return redirect(url_for("links.show", link_id=link_id, _anchor="own-fields"), 303)


@bp.post("/links/<uuid:link_id>/check")
def check(link_id: UUID) -> ResponseReturnValue:
    """Poll the link now. A failure is shown on the panel, with the last answer."""
    try:
        current_services().link_poller.require_fresh(str(link_id))
    except ServiceError as error:
        current_app.logger.info("a check on request failed: %s", error)
    if htmx.puts_into("link-panel"):
        region = link_page.link_panel(str(link_id)) or abort(404)
        event = _checked(region)
        said = region.freshness.trouble or texts.checked(region.state)
        copyable, own = region.copyable, _own(region)
        return htmx.region("links/_panel.html", checked=event, announce=said, panel=own, copyable=copyable)
    return redirect(url_for("links.show", link_id=link_id), 303)


@bp.post("/links/<uuid:link_id>/reissue")
def reissue(link_id: UUID) -> ResponseReturnValue:
    """Check an ended link and search its vehicle, then review what can go on a replacement link. Creates nothing."""
    if link_page.link_panel(str(link_id)) is None:
        abort(404)
    services = current_services()
    try:
        found = services.replacement_planner.plan(str(link_id), person_id())
    except ReplacementRefused as refused:
        is_now = link_state(refused.status or "").predicate
        return _not_reissued(link_id, creation_texts.REPLACEMENT_PROBLEMS[refused.problem].format(is_now=is_now))
    except RefreshBusy:
        return _not_reissued(link_id, REFRESH_BUSY)
    except ServiceError as error:
        title, text = explain(error)
        answer = _not_reissued(link_id, texts.REPLACEMENT_FAILED.format(title=title, text=text), status_of(error))
        answer.headers.update(retry_after(error))
        return answer
    audit("reissue", str(link_id), vehicle=found.rc, payable=len(found.payable), left_out=len(found.left_out))
    if not found.payable:
        problem = creation_texts.NOTHING_TO_REPLACE if found.left_out else creation_texts.NOTHING_COVERED
        return _not_reissued(link_id, problem, left_out=review_page.left_out_rows(found.left_out))
    services.selections.put_first(person_id(), found.rc, found.payable, str(found.link.hours or ""))
    return redirect(url_for("creation.review", rc=found.rc, replaces=link_id), 303)


def _not_reissued(link_id: UUID, problem: str, status: int = 422, left_out: tuple[ChallanRow, ...] = ()) -> Response:
    """Say on the page of a link why no new one can be reviewed; what is half typed there stays."""
    context = _context(link_id, problem=problem, left_out=left_out)
    if htmx.is_on(url_for("links.show", link_id=link_id)):
        region = htmx.region("links/_problem.html", status, announce=problem, in_region=True, **context)
        return htmx.region_at("link-problem", region)
    answer = make_response(render_template("links/show.html", **context), status)
    # It may have been tried in a list.
    return htmx.at_address(url_for("links.show", link_id=link_id), answer)


@bp.post("/links/<uuid:link_id>/release")
def release(link_id: UUID) -> ResponseReturnValue:
    """Release the challans of a link that the service no longer knows, for a manager's reason."""
    form = ReleaseClaimsForm()
    releaser = current_services().unknown_link_releaser
    try:
        done = releaser.release(str(link_id), person_id(), form.reason.data or "", request_origin())
    except ReleaseRefused as refused:
        if refused.problem in release_texts.RELEASE_FIELD:
            form.reason.errors = [release_texts.RELEASE_FIELD[refused.problem]]
            return page_of(link_id, release_form=form), 422
        return page_of(link_id, problem=unknown_link_texts.RELEASE_REFUSALS[refused.problem], release_form=form), 422
    except RefreshBusy:
        return page_of(link_id, problem=REFRESH_BUSY, release_form=form), 422
    except ServiceError as error:
        title, text = explain(error)
        problem = f"{title}. {text} {release_texts.NOTHING_RELEASED}"
        return page_of(link_id, problem=problem, release_form=form), status_of(error)
    discard(unknown_links.ENDPOINT)
    if done:
        toast(unknown_link_texts.RELEASE_DONE)
    else:
        notice(unknown_link_texts.RELEASE_KNOWN_AGAIN, "waiting")
    return redirect(url_for("links.show", link_id=link_id), 303)


@bp.post("/links/<uuid:link_id>/double-seen")
def acknowledge_duplicates(link_id: UUID) -> ResponseReturnValue:
    """Record a manager's acknowledgement of the duplicate alarm, with their note."""
    form = AcknowledgeDuplicatesForm()
    if not form.validate():
        return _part_of(link_id, 422, form=form)
    try:
        current_services().duplicate_alarms.acknowledge(
            str(link_id), person_id(), form.note.data, int(form.newest.data)
        )
    except AlarmChanged:
        page = link_page.link_page(str(link_id)) or abort(404)
        if page.alarm is None:
            abort(404)
        again = AcknowledgeDuplicatesForm.for_alarm(page.alarm.newest, form.note.data)
        again.note.errors = [duplicate_texts.ALARM_CHANGED]
        return _part_of(link_id, 422, form=again)
    audit("double-seen", str(link_id), note=form.note.data)
    if htmx.puts_into("double-alarm"):
        return _part_of(link_id, announce=duplicate_texts.ALARM_NOTED, stale="banner")
    return redirect(url_for("links.show", link_id=link_id), 303)


@resumes("links.reissue", "links.acknowledge_duplicates")
def _page_again(form: SavedForm) -> str:
    """Show the link's page again, with its button or with the note that was typed."""
    return url_for("links.show", link_id=form.view_args["link_id"], note=form.first("note"))


def subject_of_saved_form(view_args: Mapping[str, str]) -> tuple[str, str]:
    """Return the link that a saved form is about, and its address."""
    with current_services().store.read() as connection:
        link = links.find(connection, view_args["link_id"])
    name = spaced(link.rc) if link is not None and link.rc else texts.WITHOUT_VEHICLE
    return name, url_for("links.show", link_id=view_args["link_id"])


resumes_on_its_own_page(
    "links.update_custom_fields",
    SAVED_CUSTOM_FIELDS,
    LABELS,
    subject_of_saved_form,
)
