"""Build the page of a search run: its live panel, and its results a page at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.fleet import RETRYABLE, JobKind, JobState, SearchOutcome
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.domain.registration import spaced
from dashboard.domain.spreadsheets import Cell, defused
from dashboard.store.fleet import jobs, payable, plans, runs
from dashboard.store.fleet.jobs import Job
from dashboard.store.fleet.runs import RunCounts, RunVehicle
from dashboard.web.fleet import run_texts as texts
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.job_page import POLL_SECONDS, actions_of, place, progress_of
from dashboard.web.fleet.run_records import RunPage, RunPanel, RunResults, RunRow, Tally
from dashboard.web.links.records import Choice
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.languages import gettext as _

PAGE_SIZE = 50
_LATEST = 10
_NAMED = ("payable", "nothing_payable", "details_needed", "refused", "not_ours", "no_answer", "failed")
#: The states in which vehicles are still searched, so that what they have to pay is not added up yet.
MOVING = (JobState.RUNNING, JobState.WAITING)
#: The outcomes whose search a person may complete with RC type and city.
NEEDS_DETAILS = (SearchOutcome.DETAILS_NEEDED, SearchOutcome.REFUSED)
#: The columns of the export; `{zone}` is that of moments.
EXPORT_HEAD = (
    "Registration number",
    "Outcome",
    "Outcome code",
    "Challans to pay",
    "New challans",
    "Searched at ({zone})",
    "Known as",
    "Reason",
)
_EXPORT_BATCH = 500


def find_run(connection: Connection, run_id: str) -> Job | None:
    """Return a search run; None for any other id."""
    job = jobs.find(connection, run_id)
    return job if job is not None and job.kind is JobKind.SEARCH else None


def outcome_of(text: str | None) -> str:
    """Return the outcome that an address names, or "" for all of them."""
    return text if text in (*_NAMED, texts.LEFT) else ""


def run_page(run_id: str, shown: str, after: int, problem: str = "") -> RunPage | None:
    """Build the page of a run with the results of one outcome, or of all; None when there is no such run."""
    with current_services().store.read() as connection:
        job = find_run(connection, run_id)
        if job is None:
            return None
        counts = runs.counts(connection, [run_id])[run_id]
        to_pay = _to_pay(connection, run_id)
        panel = _panel(connection, job, counts, shown, after, to_pay)
        results = _results(connection, job, shown, after, to_pay, problem)
        made = [jobs.find(connection, plan_id) for plan_id in plans.of_run(connection, run_id)[:5]]
    if results.needs_details:
        results = _with_choices(results)
    return RunPage(
        panel=panel,
        results=results,
        started_by=name_of(job.person_id) if job.person_id is not None else _("the schedule"),
        started_at=job.created_at,
        ended_at=job.ended_at,
        at_source=job.at_source,
        plans=tuple((url_for("fleet.plan", plan_id=plan.id), fleet_texts.title(plan)) for plan in made if plan),
    )


def run_panel(run_id: str, shown: str, after: int = 0) -> RunPanel | None:
    """Build the live panel of a run; None when there is no such run."""
    with current_services().store.read() as connection:
        job = find_run(connection, run_id)
        if job is None:
            return None
        to_pay = None if job.state in MOVING else _to_pay(connection, run_id)
        return _panel(connection, job, runs.counts(connection, [run_id])[run_id], shown, after, to_pay)


def run_results(run_id: str, shown: str, after: int, problem: str = "") -> RunResults | None:
    """Build the results of a run; None when there is no such run."""
    with current_services().store.read() as connection:
        job = find_run(connection, run_id)
        if job is None:
            return None
        results = _results(connection, job, shown, after, _to_pay(connection, run_id), problem)
    return _with_choices(results) if results.needs_details else results


def _to_pay(connection: Connection, run_id: str) -> dict[str, Sum]:
    """Add up by vehicle what the run found and no link holds."""
    found: dict[str, list[Decimal | None]] = {}
    for each in payable.of_run(connection, run_id):
        found.setdefault(each.rc, []).append(each.total)
    return {rc: add_up(amounts) for rc, amounts in found.items()}


def _panel(
    connection: Connection, job: Job, counts: RunCounts, shown: str, after: int, to_pay: dict[str, Sum] | None
) -> RunPanel:
    progress = progress_of(connection, job, counts.ended, counts.vehicles)
    latest = tuple(row_of(each) for each in runs.latest(connection, job.id, _LATEST))
    failed = sum(counts.by_outcome.get(each, 0) for each in RETRYABLE)
    is_still = job.state not in MOVING
    incomplete = counts.by_outcome.get(SearchOutcome.DETAILS_NEEDED, 0)
    needs = incomplete and is_still and shown != SearchOutcome.DETAILS_NEEDED
    details = url_for("fleet.run", run_id=job.id, outcome=SearchOutcome.DETAILS_NEEDED, _anchor="results")
    actions = replace(
        actions_of(job, texts.retry(failed)),
        details=details if needs else "",
        details_words=texts.details(incomplete) if needs else "",
        place=place("outcome", shown, after),
    )
    review = url_for("fleet.review", run_id=job.id) if counts.by_outcome.get(SearchOutcome.PAYABLE) else ""
    return RunPanel(
        id=job.id,
        title=fleet_texts.title(job),
        state=texts.state(job.state),
        why=texts.why(job),
        progress=progress,
        tallies=_tallies(job, counts, shown),
        payable=counts.payable,
        new_challans=counts.new_challans,
        to_pay=sum(to_pay.values(), NO_SUM) if to_pay and is_still else None,
        latest=latest,
        actions=replace(actions, review=review),
        poll_seconds=POLL_SECONDS.get(job.state),
        seen=fingerprint([job.state, job.resume_at, counts, progress]),
        shown=shown,
    )


def _tallies(job: Job, counts: RunCounts, shown: str) -> tuple[Tally, ...]:
    found = []
    for key in _NAMED:
        words, count = texts.outcome(SearchOutcome(key)), counts.by_outcome.get(SearchOutcome(key), 0)
        address = url_for("fleet.run", run_id=job.id, outcome=key, _anchor="results")
        found.append(Tally(key, texts.tally(SearchOutcome(key)), count, words.meaning, address, key == shown))
    left = counts.vehicles - counts.ended
    address = url_for("fleet.run", run_id=job.id, outcome=texts.LEFT, _anchor="results")
    found.append(Tally(texts.LEFT, texts.left(job.state), left, "neutral", address, shown == texts.LEFT))
    return tuple(found)


def row_of(vehicle: RunVehicle) -> RunRow:
    """Build the row of a vehicle of a run."""
    known = vehicle.found_rc
    return RunRow(
        position=vehicle.position,
        rc=vehicle.rc,
        plate=spaced(known or vehicle.rc),
        state=texts.outcome(vehicle.outcome) if vehicle.outcome else None,
        payable=vehicle.payable,
        new=vehicle.new_challans,
        ended_at=vehicle.ended_at,
        why=texts.why_failed(vehicle.failure) if vehicle.outcome in (None, *RETRYABLE) else "",
        leads_to=url_for("vehicles.show", rc=known) if known else None,
        to_pay=None,
    )


def _with_rest(row: RunRow, to_pay: Sum | None) -> RunRow:
    """Return a row with what no link holds yet."""
    return replace(row, state=texts.NONE_LEFT if row.payable and not to_pay else row.state, to_pay=to_pay)


def _results(
    connection: Connection, job: Job, shown: str, after: int, to_pay: dict[str, Sum], problem: str
) -> RunResults:
    run_id = job.id
    if shown == texts.LEFT:
        outcomes, title = None, texts.left(job.state)
    else:
        outcomes = [SearchOutcome(shown)] if shown else list(SearchOutcome)
        title = texts.outcome(SearchOutcome(shown)).shown if shown else str(texts.ALL_RESULTS)
    found = runs.with_outcome(connection, run_id, outcomes, after=after, limit=PAGE_SIZE + 1)
    rows = tuple(_with_rest(row_of(each), to_pay.get(each.found_rc or "")) for each in found[:PAGE_SIZE])
    here: dict[str, Any] = {"run_id": run_id, "outcome": shown or None, "_anchor": "results"}
    more = len(found) > PAGE_SIZE
    return RunResults(
        run_id=run_id,
        outcome=shown,
        after=after,
        title=title,
        left_words=texts.left(job.state),
        rows=rows,
        first=url_for("fleet.run", **here) if after else None,
        following=url_for("fleet.run", after=rows[-1].position, **here) if more else None,
        needs_details=bool(rows) and shown in NEEDS_DETAILS,
        problem=problem,
    )


def _with_choices(results: RunResults) -> RunResults:
    """Add the RC types and cities of the organization, as they were last read."""
    cities, rc_types = current_services().reference_data.known()
    return replace(
        results,
        rc_types=tuple(Choice(each.value, each.label, False) for each in rc_types),
        cities=tuple(Choice(each.id, each.label, False) for each in cities),
    )


def exported(run_id: str, shown: str) -> Iterator[list[Cell]]:
    """Yield a row for each vehicle of a run, or of an outcome; the store is read in batches."""
    store, after = current_services().store, 0
    outcomes: list[SearchOutcome] | None = [SearchOutcome(shown)] if shown in _NAMED else list(SearchOutcome)
    if shown == texts.LEFT:
        outcomes = None
    while True:
        with store.read() as connection:
            found = runs.with_outcome(connection, run_id, outcomes, after=after, limit=_EXPORT_BATCH)
        for each in found:
            words = texts.outcome(each.outcome).shown if each.outcome else str(texts.LEFT_TO_SEARCH)
            yield [
                defused(each.rc),
                words,
                str(each.outcome or texts.LEFT),
                each.payable,
                each.new_challans,
                each.ended_at,
                defused(each.found_rc),
                texts.why_failed(each.failure),
            ]
        if len(found) < _EXPORT_BATCH:
            return
        after = found[-1].position
