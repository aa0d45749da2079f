"""Serve the review of a search run: what is to be paid by vehicle, the plan before it is confirmed, and its start."""

from __future__ import annotations

from typing import NoReturn
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.fleet_plan import VehicleLot
from dashboard.domain.links import DEFAULT_HOURS
from dashboard.domain.registration import normalize, spaced
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.fleet import plans, runs
from dashboard.web.creation.forms import is_hours
from dashboard.web.fleet import forms, review_address, review_challans, review_page, review_ticks
from dashboard.web.fleet import review_texts as texts
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.routes import bp
from dashboard.web.shared import htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes
from dashboard.web.shared.toasts import notice


@bp.get("/fleet/runs/<uuid:run_id>/review")
def review(run_id: UUID) -> str:
    """Show the payable challans of a run by vehicle."""
    asked = review_address.read(request.args)
    found = review_page.reviewed(str(run_id), asked) or abort(404)
    return render_template("fleet/review.html", page=review_page.review_page(found, asked, _page()))


@bp.get("/fleet/runs/<uuid:run_id>/review/vehicles/<rc>")
def review_vehicle(run_id: UUID, rc: str) -> str:
    """Show the challans of one vehicle that the filter finds, to tick those of the plan."""
    asked, page = _came_from(run_id)
    found, lot = _lot(run_id, rc, asked)
    return _vehicle_page(found, asked, lot, page)


@bp.post("/fleet/runs/<uuid:run_id>/review/vehicles/<rc>")
def tick_challans(run_id: UUID, rc: str) -> ResponseReturnValue:
    """Take the ticks of challans along, to others of the vehicle or back to the review, or answer one with its sum."""
    asked, page = review_address.read(request.args), _page()
    found, lot = _lot(run_id, rc, asked, with_earlier=not htmx.puts_into("lot-sum"))
    shown, go = review_challans.view(request.args), request.form.get("go", "")
    ticked = review_challans.ticked_after(found, asked, lot, shown, request.form.getlist("challan"), go)
    after = review_challans.with_ticks(found, asked, lot, ticked)
    if after is None:
        if htmx.puts_into("lot-sum"):
            stays = review_challans.vehicle_page(found, asked, lot, page, shown, str(texts.TOO_MANY_SKIPPED))
            return htmx.region("fleet/_review_vehicle_sum.html", page=stays)
        return _vehicle_page(found, asked, lot, page, str(texts.TOO_MANY_SKIPPED)), 422
    place = after.arguments(page=page if page > 1 else None)
    if htmx.puts_into("lot-sum"):
        summed = review_challans.vehicle_page(found, after, lot, page, shown)
        answer = htmx.region("fleet/_review_vehicle_sum.html", page=summed)
        here = url_for("fleet.review_vehicle", run_id=run_id, rc=lot.rc, **place, **shown.arguments())
        answer.headers["HX-Replace-Url"] = here
        return answer
    following = review_challans.view_after(request.form, shown)
    if following is not None:
        return redirect(
            url_for("fleet.review_vehicle", run_id=run_id, rc=lot.rc, **place, **following.arguments()), 303
        )
    return redirect(url_for("fleet.review", run_id=run_id, **place), 303)


def _vehicle_page(
    found: review_page.Reviewed, asked: review_address.Asked, lot: VehicleLot, page: int, problem: str = ""
) -> str:
    view = review_challans.view(request.args)
    shown = review_challans.vehicle_page(found, asked, lot, page, view, problem)
    return render_template("fleet/review_vehicle.html", page=shown)


def _lot(
    run_id: UUID, rc: str, asked: review_address.Asked, *, with_earlier: bool = True
) -> tuple[review_page.Reviewed, VehicleLot]:
    found = review_page.reviewed(str(run_id), asked, with_earlier=with_earlier) or abort(404)
    rc = normalize(rc)
    lot = next((each for each in found.lots if each.rc == rc), None)
    return found, lot or _none_left(found, rc, asked)


def _none_left(found: review_page.Reviewed, rc: str, asked: review_address.Asked) -> NoReturn:
    """Lead from a vehicle of the run that has nothing to put on links by now to the review, which says why."""
    with current_services().store.read() as connection:
        is_of_run = runs.found_as(connection, found.job.id, [rc])
    if not is_of_run or htmx.puts_into("lot-sum"):
        abort(404)
    notice(texts.none_left(spaced(rc)), "neutral")
    abort(redirect(url_for("fleet.review", run_id=found.job.id, **asked.arguments()), 303))


def _came_from(run_id: UUID) -> tuple[review_address.Asked, int]:
    """Return the review as it was left, and its page: ticks that were changed there are in its address alone."""
    left = urlsplit(htmx.current_path() or "")
    if left.path == url_for("fleet.review", run_id=run_id):
        args = dict(parse_qsl(left.query))
        return review_address.read(args), forms.page_number(args)
    return review_address.read(request.args), _page()


@bp.post("/fleet/runs/<uuid:run_id>/review")
def tick(run_id: UUID) -> ResponseReturnValue:
    """Take the ticks of a page along: to another page of the review, to other filters, or to the plan."""
    asked = review_address.read(request.args)
    found = review_page.reviewed(str(run_id), asked, with_earlier=False) or abort(404)
    go = request.form.get("go", "")
    ticked = frozenset(int(each) for each in request.form.getlist("vehicle") if each.isascii() and each.isdecimal())
    asked = review_ticks.after_ticks(found, asked, _page(), ticked, go)
    if (changes := review_address.narrowing(request.form)) is not None:
        return redirect(url_for("fleet.review", run_id=run_id, **asked.arguments(**changes)), 303)
    if htmx.puts_into("review-sum"):
        return _sum(found, asked)
    if go == "plan":
        if found.ticked(asked):
            return redirect(url_for("fleet.review_plan", run_id=run_id, **asked.arguments()), 303)
        notice(texts.NOTHING_TICKED, "wrong")
    page = go if go.isascii() and go.isdecimal() else _page()
    return redirect(url_for("fleet.review", run_id=run_id, page=page, **asked.arguments()), 303)


def _sum(found: review_page.Reviewed, asked: review_address.Asked) -> ResponseReturnValue:
    """Answer a tick with the sum of all ticks, and put them into the address, so that a reload has them."""
    page = review_page.review_page(found, asked, _page())
    answer = htmx.region("fleet/_review_sum.html", page=page)
    number = page.page if page.page > 1 else None
    answer.headers["HX-Replace-Url"] = url_for("fleet.review", run_id=found.job.id, **asked.arguments(page=number))
    return answer


@bp.get("/fleet/runs/<uuid:run_id>/review/plan")
def review_plan(run_id: UUID) -> ResponseReturnValue:
    """Show the plan of what is ticked, before anything is sent."""
    asked = review_address.read(request.args)
    found = review_page.reviewed(str(run_id), asked) or abort(404)
    if not found.ticked(asked):
        return redirect(url_for("fleet.review", run_id=run_id, **asked.arguments()), 303)
    return render_template(
        "fleet/review_plan.html", page=review_page.plan_review(found, asked, hours=str(DEFAULT_HOURS))
    )


@bp.post("/fleet/runs/<uuid:run_id>/review/plan")
def create_links(run_id: UUID) -> ResponseReturnValue:
    """Begin to create the links of a plan as it was reviewed; a second time this leads to the same plan."""
    plan_id = _uuid(request.form.get("plan_id", "")) or abort(400)
    with current_services().store.read() as connection:
        if plans.find(connection, plan_id) is not None:
            return redirect(url_for("fleet.plan", plan_id=plan_id), 303)
    asked = review_address.read(request.args)
    found = review_page.reviewed(str(run_id), asked) or abort(404)
    hours, plan = request.form.get("hours", ""), review_page.plan_of(found, asked)
    if not plan.links:
        notice(texts.CHANGED, "wrong")
        return redirect(url_for("fleet.review", run_id=run_id, **asked.arguments()), 303)
    wrong = "" if is_hours(hours) else str(texts.HOURS)
    changed = "" if plan.fingerprint == request.form.get("seen") else str(texts.CHANGED)
    if wrong or changed:
        page = review_page.plan_review(found, asked, hours=hours, hours_problem=wrong, problem=changed)
        return render_template("fleet/review_plan.html", page=page), 422 if wrong else 409
    current_services().fleet_plans.start(
        fleet_texts.plan_title(found.job.title, plan.vehicles),
        plan.links,
        hours=int(hours),
        person_id=person_id(),
        plan_id=plan_id,
        run_id=found.job.id,
    )
    audit("bulk create", plan_id, links=len(plan.links), challans=plan.challans, hours=int(hours))
    return redirect(url_for("fleet.plan", plan_id=plan_id), 303)


@resumes("fleet.tick", "fleet.tick_challans", "fleet.create_links")
def _review_again(form: SavedForm) -> str:
    """Show the review again: what was chosen before is in its address, which is not stored with the form."""
    return url_for("fleet.review", run_id=form.view_args["run_id"])


def _page() -> int:
    return forms.page_number(request.args)


def _uuid(text: str) -> str | None:
    try:
        return str(UUID(text)) if len(text) <= 36 else None
    except ValueError:
        return None
