"""The route of the overview, for managers: what was collected, made and ended in a period, and what is open now."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from dashboard.web.overview.page import overview_page

bp = Blueprint("overview", __name__)


@bp.get("/overview")
def index() -> str:
    return render_template("overview/index.html", page=overview_page(request.args.get("days", "")))
