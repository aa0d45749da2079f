"""The list of all links ever known: filtered and sorted in its address, a page at a time, live."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.custom_fields import LABELS
from dashboard.store.links import saved_views
from dashboard.web.links import filters, list_page
from dashboard.web.links.routes import bp
from dashboard.web.shared import htmx
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.saved_forms import resumes_on_its_own_page

_NAME_LENGTH = 60
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
    return filters.write(filters.read(request.args)[0])


@bp.get("/links/rows")
@htmx.region_of("links.index", query=_filter_of_address)
def rows() -> ResponseReturnValue:
    """The live region. A poll that has seen it all gets nothing new."""
    asked, _ = filters.read(request.args)
    place = list_page.read_place(asked.sort, request.args.get("after"), request.args.get("before"))
    listed = list_page.link_rows(asked, place)
    if request.args.get("seen") == listed.seen:
        return htmx.unchanged(checked_event(poll_seconds=listed.poll_seconds))
    return htmx.region("links/_rows.html", checked=checked_event(), listed=listed)


@bp.post("/links/views")
def save_view() -> ResponseReturnValue:
    """Keep the filter that the form holds under a name, for oneself."""
    asked, _ = filters.read(request.form)
    name = " ".join(request.form.get("name", "").split())
    if not name or len(name) > _NAME_LENGTH:
        return _shown(request.form, f"Give the view a name of at most {_NAME_LENGTH} letters.", name), 422
    query = urlencode(filters.write(asked), doseq=True)
    services = current_services()
    with services.store.write() as connection:
        kept = saved_views.save(connection, person_id(), name, query, services.clock())
    if not kept:
        return _shown(request.form, f"You keep {saved_views.MOST} views already. Forget one first.", name), 422
    return redirect(url_for("links.index", **filters.write(asked)), 303)


# The form holds the filter of the list too, which may ask for custom fields.
resumes_on_its_own_page("links.save_view", "A view of the list of links", {"name": "Name"} | LABELS)


@bp.post("/links/views/<int:view_id>/forget")
def forget_view(view_id: int) -> ResponseReturnValue:
    with current_services().store.write() as connection:
        if not saved_views.forget(connection, person_id(), view_id):
            abort(404)
    return redirect(url_for("links.index"), 303)
