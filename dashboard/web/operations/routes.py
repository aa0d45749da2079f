"""How the service is, for administrators: what is held back, what was spent of the day, what waits; and another try."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from dashboard.errors import ServiceError
from dashboard.web.operations.page import service_page
from dashboard.web.shared.current import audit, current_services
from dashboard.web.shared.errors import explain, retry_after, status_of

bp = Blueprint("operations", __name__)


@bp.get("/service")
def index() -> str:
    return render_template("operations/index.html", page=service_page())


@bp.post("/service/try-again")
def try_again() -> ResponseReturnValue:
    """Let everything through that was held back, and ask the service once to see what it says."""
    current_services().call_policy.try_again()
    audit("service tried again", "service")
    try:
        current_services().reference_data.probe_service()
    except ServiceError as error:
        flash(". ".join(explain(error)), "wrong")
        return index(), status_of(error), retry_after(error)
    flash("The service has just answered. What was held back goes on by itself.", "good")
    return redirect(url_for("operations.index"), 303)
