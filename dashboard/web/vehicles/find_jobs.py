"""Find the searches and plans of many vehicles by their names, for whoever may open them."""

from __future__ import annotations

from collections.abc import Iterator

from flask import url_for
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.fleet import JobKind
from dashboard.domain.intents import LINK_IS_OURS
from dashboard.store.fleet import jobs, plans, runs
from dashboard.store.fleet.jobs import Job
from dashboard.web.fleet import run_texts
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.shared.current import format_near
from dashboard.web.shared.records import StateWords
from dashboard.web.vehicles.find_records import Found

#: A name is looked for among so many of each kind, the newest: it is read in the words of this answer.
_NEWEST = 500
_FEWEST_LETTERS = 3


def find_jobs(connection: Connection, typed: str, most: int) -> Iterator[Found]:
    """Show the searches and plans with this part in their names, the newest first."""
    text = typed.casefold()
    if len(text) < _FEWEST_LETTERS or not current_user.may_open("fleet.run"):
        return
    newest = [job for kind in JobKind for job in jobs.listed(connection, kind, _NEWEST)]
    named = [job for job in newest if text in fleet_texts.title(job).casefold()]
    named = sorted(named, key=lambda job: job.created_at, reverse=True)[:most]
    of_runs = runs.counts(connection, [job.id for job in named if job.kind is JobKind.SEARCH])
    of_plans = plans.counts(connection, [job.id for job in named if job.kind is JobKind.CREATION])
    for job in named:
        if job.kind is JobKind.SEARCH:
            counts = of_runs[job.id]
            far = fleet_texts.searched(counts.searched, counts.vehicles)
            yield _found(job, url_for("fleet.run", run_id=job.id), far, run_texts.state_with(job.state, counts))
        else:
            created = sum(of_plans[job.id].by_state.get(state, 0) for state in LINK_IS_OURS)
            far = fleet_texts.links_created(created, of_plans[job.id].links)
            yield _found(job, url_for("fleet.plan", plan_id=job.id), far, fleet_texts.JOB_STATES[job.state])


def _found(job: Job, address: str, far: str, state: StateWords) -> Found:
    return Found(fleet_texts.title(job), address, f"{far} · {format_near(job.created_at)}", state)
