"""The service page, for administrators: status of the calls, allowances, what waits, and another try."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from dashboard.errors import ServiceError
from dashboard.web.operations import texts
from dashboard.web.operations.page import service_page
from dashboard.web.shared.current import audit, current_services
from dashboard.web.shared.errors import explain, retry_after, status_of
from dashboard.web.shared.toasts import toast

bp = Blueprint("operations", __name__)


@bp.get("/service")
def index() -> str:
    return render_template("operations/index.html", page=service_page())


@bp.post("/service/try-again")
def try_again() -> ResponseReturnValue:
    """Clear every block, and fetch cities and RC types anew, to see whether the service answers."""
    current_services().call_policy.try_again()
    audit("service tried again", "service")
    try:
        current_services().reference_data.probe_service()
        current_services().reference_data.renew_rc_types()
    except ServiceError as error:
        flash(". ".join(map(str, explain(error))), "wrong")
        return index(), status_of(error), retry_after(error)
    toast(texts.TRIED_AGAIN)
    return redirect(url_for("operations.index"), 303)
