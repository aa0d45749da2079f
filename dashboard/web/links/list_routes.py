"""Serve the list of links, filtered and sorted by its address, and its saved views."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from flask import Response, abort, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.link_filters import MAX_VIEW_NAME, MAX_VIEWS, LinkFilter
from dashboard.services.links.saved_views import TooManyViews
from dashboard.store.engine import NotStored
from dashboard.web.links import filters, list_page, list_texts
from dashboard.web.links.custom_field_texts import LABELS
from dashboard.web.links.routes import bp
from dashboard.web.shared import htmx, request_args
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.live import checked_event
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.toasts import Undo, toast

#: The fields of the filter that show what was typed, even where it cannot be read.
_FIELDS = ("q", "vehicle", "from", "to", "least", "most")


#: The region of the page that a filter, an order or another page changes; with the filter it is that of a view.
_LIST, _ALL = "links-list", "links-all"


@bp.get("/links")
def index() -> ResponseReturnValue:
    """Show the list. An address with empty fields, as a browser without scripts writes it, leads to its clean one."""
    if not htmx.is_htmx() and not all(value.strip() for _, value in request.args.items(multi=True)):
        asked, problems = filters.read(request.args)
        clean: dict[str, Any] = filters.write(asked) | {name: request.args[name] for name in problems}
        return redirect(url_for("links.index", **clean), 303)
    return _shown(request.args)


def _shown(asked_for: MultiDict[str, str], problem: str | None = None, name: str = "") -> Response:
    asked, problems = filters.read(asked_for)
    typed = {field: asked_for.get(field, "") for field in _FIELDS}
    place = list_page.read_place(asked.sort, request.args.get("after"), request.args.get("before"))
    page = list_page.links_page(asked, problems, typed, place, _row())
    status = 422 if problem else 200
    has_filter = htmx.puts_into(_ALL)
    if not has_filter and not htmx.puts_into(_LIST):
        whole = {"page": page, "saving": (name, problem), "is_filtered": False, "is_saved": False}
        return make_response(render_template("links/index.html", **whole), status)
    is_asked, listed = not htmx.follows_form(), page.listed
    has_view = any(view.current for view in page.views)
    answer = htmx.region(
        "links/_all.html" if has_filter else "links/_list.html",
        status,
        announce=problem or listed.counted,
        page=page,
        saving=(name, problem),
        is_filtered=is_asked and not has_filter,
        is_saved=has_filter or not is_asked,
        is_turned=place is not None if is_asked and not has_filter else not (problem or has_view),
    )
    if is_asked:
        shown: dict[str, Any] = filters.write(asked) | {field: typed[field] for field in problems} | _turned()
        address = url_for("links.index", **shown)
        answer.headers["HX-Replace-Url" if _is_being_typed(asked, address) else "HX-Push-Url"] = address
    return answer


def _is_being_typed(asked: LinkFilter, address: str) -> bool:
    """Return whether the page shows this list, or that of a text typed before: Back then skips what was half typed."""
    before, _ = filters.read(MultiDict(parse_qsl(urlsplit(htmx.current_path() or "").query)))
    is_continued = bool(before.text and asked.text) and before.text != asked.text
    return address == htmx.current_path() or (is_continued and replace(before, text=asked.text) == asked)


def _turned() -> dict[str, str]:
    """Return the arguments of the address that say where in the list its page begins."""
    return {name: request.args[name] for name in ("after", "before", "row") if request.args.get(name)}


def _row() -> int:
    """Return the number in the list of the first row of the page, as its address says it."""
    return request.args.get("row", 1, type=request_args.row_id)


def _filter_of_address() -> Mapping[str, Any]:
    """Return the values of this address's filter."""
    return filters.write(filters.read(request.args)[0])


@bp.get("/links/rows")
@htmx.region_of("links.index", query=_filter_of_address)
def rows() -> ResponseReturnValue:
    """Serve the live region; 204 when the page shows it already."""
    asked, problems = filters.read(request.args)
    place = list_page.read_place(asked.sort, request.args.get("after"), request.args.get("before"))
    listed = list_page.link_rows(asked, place, _row(), {name: request.args[name] for name in problems})
    if request.args.get("seen") == listed.seen:
        return htmx.unchanged(checked_event(poll_seconds=listed.poll_seconds))
    return htmx.region("links/_listed.html", checked=checked_event(), listed=listed, has_sum=True)


@bp.post("/links/views")
def save_view() -> ResponseReturnValue:
    """Save the filter that the form holds under a name, for the signed-in person."""
    undone = request.form.get("query")
    asked, _ = filters.read(request.form if undone is None else MultiDict(parse_qsl(undone)))
    name = " ".join(request.form.get("name", "").split())
    if not name or len(name) > MAX_VIEW_NAME:
        return _shown(request.form, list_texts.VIEW_NAME.format(most=MAX_VIEW_NAME), name)
    query = urlencode(filters.write(asked), doseq=True)
    try:
        current_services().saved_views.save(person_id(), name, query)
    except TooManyViews:
        return _shown(request.form, list_texts.TOO_MANY_VIEWS.format(most=MAX_VIEWS), name)
    toast(list_texts.VIEW_SAVED.format(name=name))
    return redirect(url_for("links.index", **filters.write(asked)) if undone is None else list_shown(), 303)


# The form also holds the filter of the list, which may include custom fields.
resumes_on_its_own_page("links.save_view", list_texts.SAVED_VIEW, {"name": list_texts.NAME_OF_VIEW} | LABELS)


@bp.post("/links/views/<int:view_id>/forget")
def forget_view(view_id: int) -> ResponseReturnValue:
    """Delete a view; the list stays as it is filtered, and the view can be saved again."""
    try:
        view = current_services().saved_views.delete(person_id(), view_id)
    except NotStored:
        abort(404)
    undo = Undo("links.save_view", fields={"name": view.name, "query": view.query})
    toast(list_texts.VIEW_DELETED.format(name=view.name), undo=undo)
    return redirect(list_shown(), 303)


def list_shown() -> str:
    """Return the address of the list as it is filtered on the page."""
    return url_for("links.index", **filter_shown())


def filter_shown() -> dict[str, Any]:
    """Return the values of the filter of the list that the page shows, or showed when its form was sent."""
    shown = urlsplit((htmx.current_path() if htmx.is_htmx() else request.referrer) or "")
    asked, _ = filters.read(MultiDict(parse_qsl(shown.query if shown.path == url_for("links.index") else "")))
    return filters.write(asked)
