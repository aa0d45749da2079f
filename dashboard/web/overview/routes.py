"""The route of the overview, for managers: what is open, what was made and paid, and how long payment took."""

from __future__ import annotations

from flask import Blueprint, render_template

from dashboard.web.overview.page import overview_page

bp = Blueprint("overview", __name__)


@bp.get("/overview")
def index() -> str:
    return render_template("overview/index.html", page=overview_page())
