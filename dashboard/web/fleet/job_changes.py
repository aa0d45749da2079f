"""Pause, resume and cancel jobs for a person, whether they search vehicles or create links."""

from __future__ import annotations

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict

from dashboard.domain.fleet import JobKind
from dashboard.services.fleet.jobs import GoingOn
from dashboard.web.fleet import plan_page, plan_texts, run_page, run_texts
from dashboard.web.fleet.job_page import place
from dashboard.web.shared.current import audit, current_services
from dashboard.web.shared.request_args import row_id
from dashboard.web.shared.toasts import notice, toast

_AUDITED = {JobKind.SEARCH: "bulk search", JobKind.CREATION: "bulk links"}


def after() -> int:
    """Return after which row the page of a list begins that the request is about; 0 for the first."""
    values: MultiDict[str, str] = request.values
    try:
        return row_id(values.get("after", "0"))
    except ValueError:
        return 0


def page_of(kind: JobKind, job_id: object) -> ResponseReturnValue:
    """Lead to the page of a job, at the place in its list that the form names."""
    if kind is JobKind.SEARCH:
        shown = run_page.outcome_of(request.form.get("outcome"))
        left = run_page.place_after(str(job_id), shown)
        found = place("outcome", left, after() if left == shown else 0)
        return redirect(url_for("fleet.run", run_id=job_id, **dict(found)), 303)
    found = place("show", plan_page.shown_of(request.form.get("show")), after())
    return redirect(url_for("fleet.plan", plan_id=job_id, **dict(found)), 303)


def change(kind: JobKind, job_id: str, act: str) -> ResponseReturnValue:
    """Pause, resume or cancel a job, which the caller has found for this person."""
    jobs = current_services().fleet_jobs
    match act:
        case "pause":
            return answer(kind, job_id, act, done=jobs.pause(job_id), words=run_texts.PAUSED)
        case "resume":
            return _resume(kind, job_id)
    words = run_texts.CANCELLED if kind is JobKind.SEARCH else plan_texts.CANCELLED
    return answer(kind, job_id, act, done=jobs.cancel(job_id), words=words)


def _resume(kind: JobKind, job_id: str) -> ResponseReturnValue:
    """Let a job go on, and promise no more than is known: the service may refuse again."""
    going_on = current_services().fleet_jobs.resume(job_id)
    if going_on is GoingOn.TOO_SOON:
        notice(run_texts.TRIED_JUST_NOW, "waiting")
        return page_of(kind, job_id)
    words = run_texts.TRIES if going_on is GoingOn.TRIES else run_texts.GOES_ON
    return answer(kind, job_id, "resume", done=going_on is not GoingOn.TOO_LATE, words=words)


def answer(kind: JobKind, job_id: str, act: str, *, done: bool, words: str, **detail: int) -> ResponseReturnValue:
    """Record what a person did with a job and say so, or say that it came too late."""
    if done:
        audit(f"{_AUDITED[kind]} {act}", job_id, **detail)
        toast(words)
    else:
        notice(run_texts.TOO_LATE, "waiting")
    return page_of(kind, job_id)


def answer_retry(kind: JobKind, job_id: str, words: str, **count: int) -> ResponseReturnValue:
    """Say how many parts of a job are tried again; `count` names them."""
    if not any(count.values()):
        notice(run_texts.NOTHING_TO_RETRY, "waiting")
        return page_of(kind, job_id)
    return answer(kind, job_id, "retry", done=True, words=words, **count)
