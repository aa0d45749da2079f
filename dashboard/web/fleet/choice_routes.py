"""Serve the choice of drivers for the vehicles of a plan. Choosing sends nothing."""

from __future__ import annotations

from uuid import UUID

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.services.fleet.plan_drivers import NewPhoneTaken
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.web.fleet import choice_page, forms, share_page
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.fleet.choice_records import PlanDriversPage
from dashboard.web.fleet.plan_records import PlanShare
from dashboard.web.fleet.routes import bp
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.toasts import toast

_SAVE = "fleet.save_drivers"


@bp.get("/fleet/plans/<uuid:plan_id>/drivers")
def choose_drivers(plan_id: UUID) -> str:
    """Show the vehicles of a plan without a driver, and what somebody chose whose session then expired."""
    waits = saved_forms.waiting(_SAVE)
    typed = dict(waits.fields) if waits is not None and waits.view_args["plan_id"] == str(plan_id) else None
    asked = request.args.get("vehicle", "")
    also_usual = typed is None or "usual" in typed
    return _shown(choice_page.choice_page(_share(plan_id), _page(), typed=typed, also_usual=also_usual, focused=asked))


@bp.post("/fleet/plans/<uuid:plan_id>/drivers")
def save_drivers(plan_id: UUID) -> ResponseReturnValue:
    """Store who gets the links of which vehicles, and add who is new; nothing is saved where a row is wrong."""
    share, page, also_usual = _share(plan_id), _page(), "usual" in request.form
    choices = choice_page.read(share, page, request.form)
    problem = "" if choices.chosen or not choices.is_sound else str(texts.NOBODY_CHOSEN)
    if choices.is_sound and not problem:
        try:
            done = current_services().plan_drivers.choose(
                str(plan_id), choices.chosen, also_usual=also_usual, person_id=person_id()
            )
        except NewPhoneTaken as taken:
            choices = choices.refused(taken, request.form)
        else:
            for action, named in (("driver added", done.added), ("driver changed", done.usual)):
                for driver_id, name in named.items():
                    audit(action, str(driver_id), name=name)
            audit("bulk links drivers", str(plan_id), vehicles=len(choices.chosen))
            saved_forms.discard(_SAVE)
            toast(texts.drivers_chosen(len(choices.chosen)))
            return redirect(url_for("fleet.share_plan", plan_id=plan_id), 303)
    shown = choice_page.choice_page(share, page, choices=choices, also_usual=also_usual, problem=problem)
    return _shown(shown), 422


@saved_forms.resumes(_SAVE, waits=True)
def _resume(form: SavedForm) -> str:
    return url_for("fleet.choose_drivers", plan_id=form.view_args["plan_id"])


def _shown(page: PlanDriversPage) -> str:
    return render_template("fleet/drivers.html", page=page, field_of=choice_page.field_of)


def _share(plan_id: UUID) -> PlanShare:
    return share_page.plan_share(str(plan_id)) or abort(404)


def _page() -> int:
    return forms.page_number(request.args)
