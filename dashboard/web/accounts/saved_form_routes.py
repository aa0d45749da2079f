"""Serve the page of a saved form: what was typed, to be saved by a click or discarded."""

from __future__ import annotations

from typing import Any

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.web.accounts.records import SavedFormPage
from dashboard.web.accounts.routes import bp
from dashboard.web.accounts.texts import NOT_SAVED, SAVED_FORM_GONE
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import current_services, person_id
from dashboard.web.shared.edit_conflicts import shown_value
from dashboard.web.shared.toasts import notice


@bp.get("/kept")
def saved_form() -> ResponseReturnValue:
    form = saved_forms.waiting(*saved_forms.DESCRIPTIONS)
    if form is None:
        return redirect(url_for("home.index"), 303)
    description = saved_forms.DESCRIPTIONS[form.endpoint]
    subject, address = description.subject(form.view_args) or (None, None)
    labels = description.labels
    shown = tuple((labels[name], shown_value(name, value)) for name, value in form.fields if name in labels)
    page = SavedFormPage(form.key, description.title, subject, address, shown, form.fields)
    return render_template("accounts/saved_form.html", form=page)


@bp.post("/kept")
def submit_saved_form() -> ResponseReturnValue:
    """Send the form on to its own address, once."""
    form = _take()
    if form is None:
        notice(SAVED_FORM_GONE, "waiting")
        return redirect(url_for("home.index"), 303)
    # The browser sends the same fields again, to another address of ours.
    arguments: dict[str, Any] = {**form.view_args}
    return redirect(url_for(form.endpoint, **arguments), 307)


@saved_forms.resumes("accounts.submit_saved_form", waits=True)
def _same_page(page: SavedForm) -> str:
    """Return to the same page: the session expired again while it was open, and its form is still saved."""
    saved_forms.wait_for(page.first("saved_form"))
    return url_for("accounts.saved_form")


@bp.post("/kept/forget")
def discard_saved_form() -> ResponseReturnValue:
    _take()
    notice(NOT_SAVED, "neutral")
    return redirect(url_for("home.index"), 303)


def _take() -> SavedForm | None:
    return current_services().saved_forms.take(request.form.get("saved_form", ""), person_id())
