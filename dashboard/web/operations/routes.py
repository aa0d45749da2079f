"""The service page, for administrators: status of the calls, allowances, what waits, and another try."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, abort, redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.assumptions import AssumptionOutcome
from dashboard.errors import ServiceError
from dashboard.web.operations import texts, verdict_texts
from dashboard.web.operations.assumption_texts import ASSUMPTIONS
from dashboard.web.operations.assumptions_page import MEANINGS, checked_assumptions
from dashboard.web.operations.forms import RecordCheckForm
from dashboard.web.operations.page import service_page
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain, retry_after, status_of
from dashboard.web.shared.request_id import request_origin
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.toasts import notice, toast

bp = Blueprint("operations", __name__)

#: So many late links are checked at a click, and for so long.
_MOST_CHECKED, _CHECKS_WITHIN = 25, timedelta(seconds=15)

_CODES = tuple(each.code for each in ASSUMPTIONS)


@bp.get("/service")
def index() -> str:
    return render_template("operations/index.html", page=service_page())


@bp.get("/service/assumptions")
def assumptions() -> str:
    """Show what creations rely on, with the checks that people made of it."""
    return _assumptions_page()


def _assumptions_page(**sent: RecordCheckForm) -> str:
    """Render the page; `sent` is a form that has to be sent again, by the code of its assumption."""
    forms = {code: sent.get(code) or RecordCheckForm.of(code) for code in _CODES}
    shown = checked_assumptions()
    opened = tuple(sent) or (shown.next,)
    return render_template("operations/assumptions.html", page=shown, forms=forms, meanings=MEANINGS, opened=opened)


@bp.post("/service/try-again")
def try_again() -> ResponseReturnValue:
    """Clear every block, and fetch cities and RC types anew, to see whether the service answers."""
    services = current_services()
    services.call_policy.try_again()
    audit("service tried again", "service")
    try:
        services.reference_data.probe_service()
        services.reference_data.renew_rc_types()
    except ServiceError as error:
        services.call_outcomes.write_counts()  # The page below is read from the database.
        notice(". ".join(map(str, explain(error))), "wrong")
        return index(), status_of(error), retry_after(error)
    toast(texts.TRIED_AGAIN)
    return redirect(url_for("operations.index"), 303)


@bp.post("/service/check-late")
def check_late_links() -> ResponseReturnValue:
    """Check links that are late, as the background work does when it runs; the page says how many are left."""
    services = current_services()
    checked = services.link_poller.check_due(_MOST_CHECKED, _CHECKS_WITHIN)
    services.call_outcomes.write_counts()  # The page is read from the database.
    toast(verdict_texts.late_checked(checked))
    return redirect(url_for("operations.index"), 303)


@bp.post("/service/assumptions/<code>")
def record_check(code: str) -> ResponseReturnValue:
    """Record what an administrator saw when they checked an assumption."""
    if code not in _CODES:
        abort(404)
    form = RecordCheckForm.of(code, sent=True)
    if not form.validate():
        return _assumptions_page(**{code: form}), 422
    outcome = AssumptionOutcome(form.outcome.data)
    current_services().assumption_checks.record(code, outcome, form.note.data, by=person_id(), origin=request_origin())
    toast(texts.check_recorded(code))
    # The next check is open, and whoever recorded this one goes on with it.
    return redirect(url_for("operations.assumptions", _anchor=checked_assumptions().next or code), 303)


resumes_on_its_own_page(
    "operations.record_check",
    texts.NEW_CHECK,
    texts.CHECK_LABELS,
    lambda asked: (texts.check_of(asked["code"]), url_for("operations.assumptions", _anchor=asked["code"])),
)
