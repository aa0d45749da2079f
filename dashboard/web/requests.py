"""The page of a request to create a link whose outcome is not, or was not at once, known."""

from __future__ import annotations

from uuid import UUID

from flask import Blueprint, abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.web import htmx, request_views
from dashboard.web.desk import current_desk

bp = Blueprint("requests", __name__, url_prefix="/requests")


@bp.get("/<uuid:request_id>")
def show(request_id: UUID) -> ResponseReturnValue:
    page = request_views.request_page(str(request_id)) or abort(404)
    return render_template("requests/show.html", page=page)


@bp.get("/<uuid:request_id>/panel")
def panel(request_id: UUID) -> ResponseReturnValue:
    if not htmx.is_htmx():
        return redirect(url_for("requests.show", request_id=request_id), 303)
    region = request_views.request_panel(str(request_id)) or abort(404)
    if request.args.get("seen") == region.seen:
        return htmx.unchanged(current_desk().clock().isoformat())
    return htmx.region("requests/_panel.html", panel=region)


@bp.post("/<uuid:request_id>/check")
def check(request_id: UUID) -> ResponseReturnValue:
    """Look now, because a person asks; the page then says what was found."""
    current_desk().reconciling.look(str(request_id))
    return redirect(url_for("requests.show", request_id=request_id), 303)
