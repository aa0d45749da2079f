"""The route of the overview, for managers: what was collected, made and ended in a period, and what is open now."""

from __future__ import annotations

from flask import Blueprint, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.web.overview.page import overview_page, period_form
from dashboard.web.overview.periods import read_period
from dashboard.web.shared.periods import FIELDS, values_before

bp = Blueprint("overview", __name__)


@bp.get("/overview")
def index() -> ResponseReturnValue:
    period, problem = read_period(request.args)
    if problem:
        period, _problem = read_period(values_before())
    form = period_form(period, {name: request.args.get(name, "") for name in FIELDS}, problem)
    return render_template("overview/index.html", period=form, page=overview_page(period)), 422 if problem else 200
