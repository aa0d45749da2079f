"""Serve the list of links, filtered and sorted by its address, and its saved views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.custom_fields import LABELS
from dashboard.domain.link_filters import MAX_VIEW_NAME, MAX_VIEWS
from dashboard.services.links.saved_views import TooManyViews
from dashboard.store.engine import NotStored
from dashboard.web.links import filters, list_page, texts
from dashboard.web.links.routes import bp
from dashboard.web.shared import htmx
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.saved_forms import resumes_on_its_own_page

#: The fields of the filter that show what was typed, even where it cannot be read.
_FIELDS = ("q", "vehicle", "from", "to", "least", "most")


@bp.get("/links")
def index() -> str:
    return _shown(request.args)


def _shown(asked_for: MultiDict[str, str], problem: str | None = None, name: str = "") -> str:
    asked, problems = filters.read(asked_for)
    typed = {field: asked_for.get(field, "") for field in _FIELDS} | {"needs": "action" if asked.needs_action else ""}
    place = list_page.read_place(asked.sort, request.args.get("after"), request.args.get("before"))
    return render_template(
        "links/index.html", page=list_page.links_page(asked, problems, typed, place), saving=(name, problem)
    )


def _filter_of_address() -> Mapping[str, Any]:
    """Return the values of this address's filter."""
    return filters.write(filters.read(request.args)[0])


@bp.get("/links/rows")
@htmx.region_of("links.index", query=_filter_of_address)
def rows() -> ResponseReturnValue:
    """Serve the live region; 204 when the page shows it already."""
    asked, _ = filters.read(request.args)
    place = list_page.read_place(asked.sort, request.args.get("after"), request.args.get("before"))
    listed = list_page.link_rows(asked, place)
    if request.args.get("seen") == listed.seen:
        return htmx.unchanged(checked_event(poll_seconds=listed.poll_seconds))
    return htmx.region("links/_rows.html", checked=checked_event(), listed=listed)


@bp.post("/links/views")
def save_view() -> ResponseReturnValue:
    """Save the filter that the form holds under a name, for the signed-in person."""
    asked, _ = filters.read(request.form)
    name = " ".join(request.form.get("name", "").split())
    if not name or len(name) > MAX_VIEW_NAME:
        return _shown(request.form, texts.VIEW_NAME.format(most=MAX_VIEW_NAME), name), 422
    query = urlencode(filters.write(asked), doseq=True)
    try:
        current_services().saved_views.save(person_id(), name, query)
    except TooManyViews:
        return _shown(request.form, texts.TOO_MANY_VIEWS.format(most=MAX_VIEWS), name), 422
    return redirect(url_for("links.index", **filters.write(asked)), 303)


# The form also holds the filter of the list, which may include custom fields.
resumes_on_its_own_page("links.save_view", texts.SAVED_VIEW, {"name": "Name"} | LABELS)


@bp.post("/links/views/<int:view_id>/forget")
def forget_view(view_id: int) -> ResponseReturnValue:
    try:
        current_services().saved_views.delete(person_id(), view_id)
    except NotStored:
        abort(404)
    return redirect(url_for("links.index"), 303)
