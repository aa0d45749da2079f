"""Build the page of a search run: its live panel, and its results a page at a time."""

from __future__ import annotations

import functools
import operator
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.fleet import FOUND, RETRYABLE, SEARCHED, JobKind, JobState, SearchOutcome
from dashboard.domain.registration import spaced
from dashboard.domain.spreadsheets import Cell, defused
from dashboard.store.fleet import jobs, plans, plans_of_runs, runs
from dashboard.store.fleet.jobs import Job
from dashboard.store.fleet.plans_of_runs import PlanOfRun
from dashboard.store.fleet.runs import RunCounts, RunVehicle
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver
from dashboard.web.fleet import places, unsent_links
from dashboard.web.fleet import run_texts as texts
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.job_page import POLL_SECONDS, actions_of, place, progress_of
from dashboard.web.fleet.run_records import OnLinks, RunPage, RunPanel, RunResults, RunRow, Tally
from dashboard.web.fleet.run_rest import FOUND_NOW, HeldOn, Rest, held_on, moved, rest_of, rest_of_none_to_pay
from dashboard.web.shared.current import current_services, format_sum, name_of
from dashboard.web.shared.languages import gettext as _
from dashboard.web.shared.records import StateWords

PAGE_SIZE = 100
_LATEST = 10
#: What vehicles with nothing for a link are counted as besides.
_BESIDES = (*(state.raw for state in texts.HELD.values()), texts.UNREADABLE)
_NAMED = ("payable", "nothing_payable", "details_needed", "refused", "not_ours", "no_answer", "failed")
#: The states in which vehicles are still searched, so that more may be found.
MOVING = (JobState.RUNNING, JobState.WAITING)
#: The most challans that are added up anew for each poll while more are found.
_ADDED_UP = 5_000
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
    return text if text in (*_NAMED, *_BESIDES, texts.LEFT, texts.LARGEST) else ""


def place_after(run_id: str, shown: str) -> str:
    """Return what to list after a change: all, once no vehicle is left that was to be searched again."""
    if shown not in (*places.NEEDED, *RETRYABLE):
        return shown
    with current_services().store.read() as connection:
        has_some = runs.counts(connection, [run_id])[run_id].by_outcome.get(SearchOutcome(shown))
    return shown if has_some else ""


def run_page(
    run_id: str, shown: str, after: int, problem: str = "", typed: Mapping[str, str] | None = None
) -> RunPage | None:
    """Build the page of a run with the results of one outcome, or of all; None when there is no such run."""
    with current_services().store.read() as connection:
        job = find_run(connection, run_id)
        if job is None:
            return None
        counts = runs.counts(connection, [run_id])[run_id]
        rest = _rest(connection, job, counts)
        panel = _panel(connection, job, counts, shown, after, rest)
        results = _results(connection, job, shown, after, rest)
        lacking = places.lacking(connection, run_id, shown)
        made = [jobs.find(connection, plan_id) for plan_id in plans.of_run(connection, run_id)[:5]]
    if results.needs_details:
        results = _with_places(results, lacking, typed or {}, problem)
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
        counts = runs.counts(connection, [run_id])[run_id]
        rest = rest_of_none_to_pay(connection, run_id) if _is_long(job, counts) else rest_of(connection, run_id)
        return _panel(connection, job, counts, shown, after, rest)


def run_results(run_id: str, shown: str, after: int) -> RunResults | None:
    """Build the results of a run; None when there is no such run."""
    with current_services().store.read() as connection:
        job = find_run(connection, run_id)
        if job is None:
            return None
        counts = runs.counts(connection, [run_id])[run_id]
        results = _results(connection, job, shown, after, _rest(connection, job, counts))
        lacking = places.lacking(connection, run_id, shown)
    return _with_places(results, lacking, {}) if results.needs_details else results


def _is_long(job: Job, counts: RunCounts) -> bool:
    return job.state in MOVING and counts.payable > _ADDED_UP


def _rest(connection: Connection, job: Job, counts: RunCounts) -> Rest:
    """Add up what is left; of a long run that still finds more, counted and listed as its panel can at each poll."""
    return replace(rest_of(connection, job.id), is_whole=not _is_long(job, counts))


def _panel(connection: Connection, job: Job, counts: RunCounts, shown: str, after: int, now: Rest) -> RunPanel:
    progress = progress_of(connection, job, counts.ended, counts.vehicles)
    rest = now if now.is_whole else None
    latest = tuple(_latest(each, now) for each in runs.latest(connection, job.id, _LATEST))
    failed = sum(counts.by_outcome.get(each, 0) for each in RETRYABLE)
    is_still = job.state not in MOVING
    incomplete = counts.by_outcome.get(SearchOutcome.DETAILS_NEEDED, 0)
    needs = incomplete and is_still and shown != SearchOutcome.DETAILS_NEEDED
    details = url_for("fleet.run", run_id=job.id, outcome=SearchOutcome.DETAILS_NEEDED, _anchor="results")
    # RC type and city are asked for beside the vehicles that need them, or first where other vehicles are shown.
    is_over = is_still and rest is not None and rest.is_planned
    made = plans.of_run(connection, job.id)[:1] if is_over else []
    of_plans = plans_of_runs.of_runs(connection, [job.id]).get(job.id, []) if is_still else []
    send, send_words = unsent_links.next_step(connection, [each.id for each in of_plans if each.left])
    has_payable = bool(counts.by_outcome.get(SearchOutcome.PAYABLE) or (rest and rest.to_pay)) and not is_over
    asks = any(each == shown and counts.by_outcome.get(each) for each in places.NEEDED)
    actions = replace(
        actions_of(job, texts.retry(failed)),
        details=details if needs else "",
        details_words=str(texts.DETAILS) if needs else "",
        review=url_for("fleet.review", run_id=job.id) if has_payable else "",
        plan=url_for("fleet.plan", plan_id=made[0]) if made else "",
        send=send,
        send_words=send_words,
        rest=texts.rest(counts.vehicles - counts.ended + failed) if job.state is JobState.CANCELLED else "",
        review_is_next=is_still and not (asks or job.state is JobState.PAUSED),
        place=place("outcome", shown, after),
    )
    return RunPanel(
        id=job.id,
        title=fleet_texts.title(job),
        state=texts.state_with(job.state, counts),
        why=texts.why(job),
        progress=progress,
        tallies=_tallies(job, counts, shown, moved(connection, job, now), len(now.plans)),
        far=texts.far(counts),
        payable=counts.payable,
        new_challans=counts.new_challans,
        to_pay=rest.sum if rest is not None and rest.to_pay else None,
        is_moving=not is_still,
        challans_left=rest.challans if rest is not None else None,
        latest=latest,
        actions=actions,
        poll_seconds=POLL_SECONDS.get(job.state),
        seen=fingerprint([job.state, job.resume_at, counts, progress]),
        shown=shown,
        on_links=on_links(of_plans),
        in_plans=format_sum(rest.apart) if rest is not None and rest.apart else "",
    )


def on_links(made: Sequence[PlanOfRun]) -> OnLinks | None:
    """Add up what the links of plans hold, the newest plan first; None where there is none."""
    if not made:
        return None
    of_all = functools.reduce(operator.add, made)
    return OnLinks(of_all.links, of_all.total, fleet_texts.on_links(of_all), url_for("fleet.plan", plan_id=made[0].id))


def _latest(vehicle: RunVehicle, rest: Rest) -> RunRow:
    row = row_of(vehicle)
    if vehicle.outcome is SearchOutcome.PAYABLE and not rest.is_whole:
        return replace(row, words=texts.challans(row.payable or 0, row.payable or 0))
    return _with_rest(row, vehicle.found_rc or "", rest)


def _none_to_pay(state: StateWords | None, rc: str, rest: Rest) -> StateWords | None:
    """Return the state of a vehicle with nothing for a link: why that is, where it is not that nothing is to pay."""
    if rc in rest.on_links:
        return texts.HELD[rest.on_links[rc]]
    return texts.unreadable(rest.unreadable[rc]) if rc in rest.unreadable else state


def _tallies(job: Job, counts: RunCounts, shown: str, since: Mapping[str, int], planned: int) -> tuple[Tally, ...]:
    """Count the vehicles by outcome, so that each is counted once; of those to pay so many are `planned`."""
    every: list[tuple[str, str, int, str]] = []
    more = {SearchOutcome.PAYABLE.value: [texts.planned(planned)]} if planned else {}
    for key in _NAMED:
        count = counts.by_outcome.get(SearchOutcome(key), 0) + since.get(key, 0)
        every.append((key, texts.tally(SearchOutcome(key), count), count, texts.outcome(SearchOutcome(key)).meaning))
        if key == SearchOutcome.PAYABLE:
            for each in texts.HELD.values():
                every.append((each.raw, each.shown, since.get(each.raw, 0), each.meaning))
            every.append((texts.UNREADABLE, str(texts.ALL_UNREADABLE), since.get(texts.UNREADABLE, 0), "waiting"))
    every.append((texts.LEFT, texts.left(job.state), counts.vehicles - counts.ended, "neutral"))
    return tuple(
        Tally(key, words, count, meaning, _address(job.id, key), key == _narrowed_to(shown), *more.get(key, ()))
        for key, words, count, meaning in every
    )


def _narrowed_to(shown: str) -> str:
    """Return the outcome of the vehicles that an address lists."""
    return SearchOutcome.PAYABLE if shown == texts.LARGEST else shown


def _address(run_id: str, shown: str) -> str:
    return url_for("fleet.run", run_id=run_id, outcome=shown, _anchor="results")


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
        searched_at=vehicle.ended_at if vehicle.outcome in SEARCHED else None,
        why=texts.why_failed(vehicle.failure) if vehicle.outcome in (None, *RETRYABLE) else "",
        leads_to=url_for("vehicles.show", rc=known) if known else None,
        to_pay=None,
    )


def _with_rest(row: RunRow, rc: str, rest: Rest) -> RunRow:
    """Return a row with what no link holds yet."""
    to_pay = rest.to_pay.get(rc)
    state = row.state
    if to_pay:
        state = texts.outcome(SearchOutcome.PAYABLE)
    elif row.payable and rc not in rest.on_links:
        state = texts.NONE_LEFT
    elif row.state and row.state.raw in FOUND:
        state = _none_to_pay(state, rc, rest)
    left, plan_id = rest.of_vehicle.get(rc, 0), rest.plans.get(rc)
    words = texts.challans(max(row.payable or 0, left), left) if to_pay else ""
    return replace(
        row,
        state=state,
        to_pay=rest.open_of(rc),
        left=rest.open_count(rc),
        has_left=bool(to_pay),
        words=str(texts.IN_A_PLAN) if plan_id else words,
        plan=url_for("fleet.plan", plan_id=plan_id) if plan_id else "",
        planned=texts.of_plan(rest.planned.get(rc, []), is_all=bool(plan_id)),
    )


def _row(vehicle: RunVehicle, rest: Rest, usual: Mapping[str, Sequence[Driver]], held: Mapping[str, HeldOn]) -> RunRow:
    known_as = vehicle.found_rc or vehicle.rc
    names = ", ".join(each.name for each in usual.get(known_as, ()))
    row = replace(_with_rest(row_of(vehicle), known_as, rest), driver=names)
    on = HeldOn() if row.has_left else held.get(known_as, HeldOn())
    return replace(row, request=on.request, links=on.links, on_links=on.to_pay)


def _results(connection: Connection, job: Job, shown: str, after: int, rest: Rest) -> RunResults:
    run_id = job.id
    needs_details = shown in places.NEEDED
    is_ranked = not shown and job.state not in MOVING
    size = places.ONE_BY_ONE if needs_details else PAGE_SIZE
    found: list[RunVehicle] = []
    if shown == texts.LARGEST:
        largest = sorted(rest.to_pay, key=lambda rc: (*rest.rank_of(rc), rc))[after : after + PAGE_SIZE + 1]
        found = runs.found_as(connection, run_id, largest)
        found.sort(key=lambda each: largest.index(each.found_rc or ""))
    elif is_ranked:
        found = runs.at(connection, run_id, _ranked(connection, run_id, rest)[after : after + PAGE_SIZE + 1])
    else:
        place: int | None = after
        while place is not None and len(found) <= size:
            batch, place = _batch(connection, job, shown, place, rest, size + 1)
            found += batch
    known_as = {each.found_rc or each.rc for each in found}
    usual, held = drivers.of_vehicles(connection, known_as), held_on(connection, rest, known_as)
    rows = tuple(_row(each, rest, usual, held) for each in found[:size])
    here: dict[str, Any] = {"run_id": run_id, "outcome": shown or None, "_anchor": "results"}
    more = len(found) > size
    following = after + PAGE_SIZE if is_ranked or shown == texts.LARGEST else rows[-1].position if rows else 0
    return RunResults(
        run_id=run_id,
        outcome=shown,
        after=after,
        title=texts.listed(shown, job.state),
        left_words=texts.left(job.state),
        rows=rows,
        first=url_for("fleet.run", **here) if after else None,
        following=url_for("fleet.run", after=following, **here) if more else None,
        needs_details=bool(rows) and needs_details,
        waiting=0,
        by_amount=_address(run_id, texts.LARGEST) if rest.to_pay else "",
    )


def _ranked(connection: Connection, run_id: str, rest: Rest) -> list[int]:
    """Return the positions of the vehicles with an outcome: those with the most left to pay, then those that need RC
    type and city, those that failed, and the others.
    """

    def rank(each: tuple[int, SearchOutcome, str | None]) -> tuple[int, bool, Decimal, int]:
        position, outcome, found_rc = each
        if found_rc in rest.to_pay:
            return 0, *rest.rank_of(found_rc), position
        if outcome in places.NEEDED:
            return 1, False, Decimal(0), position
        return 2 if outcome in RETRYABLE else 3, False, Decimal(0), position

    return [each[0] for each in sorted(runs.ended(connection, run_id), key=rank)]


def _batch(
    connection: Connection, job: Job, shown: str, after: int, rest: Rest, size: int
) -> tuple[list[RunVehicle], int | None]:
    """Read so many vehicles after a place, and return those that an address names, as the tallies count them; also the
    place of the last one that was read, None at the end.
    """
    outcomes: Collection[SearchOutcome] | None = list(SearchOutcome)
    wanted = _narrowed_to(shown)
    if shown == texts.LEFT:
        outcomes = None
    elif wanted:
        outcomes = FOUND if wanted in FOUND_NOW else [SearchOutcome(wanted)]
    found = runs.with_outcome(connection, job.id, outcomes, after=after, limit=size)
    place = found[-1].position if len(found) == size else None
    if wanted in FOUND_NOW:
        found = [each for each in found if _listed_among(each, rest) == wanted]
    return found, place


def _listed_among(vehicle: RunVehicle, rest: Rest) -> str:
    return rest.outcome_of(vehicle.outcome, vehicle.found_rc) if vehicle.outcome else texts.LEFT


def _with_places(
    results: RunResults, lacking: Sequence[RunVehicle], typed: Mapping[str, str], problem: str = ""
) -> RunResults:
    """Add the choice of RC type and city, where the lists of these are stored."""
    found = places.of_run(lacking, [each.rc for each in results.rows], typed, problem)
    return replace(results, waiting=len(lacking), places=found)


def exported(run_id: str, shown: str) -> Iterator[list[Cell]]:
    """Yield a row for each vehicle of a run, or of an outcome; the store is read in batches."""
    store = current_services().store
    with store.read() as connection:
        job = find_run(connection, run_id)
        rest = rest_of(connection, run_id)
    place: int | None = 0
    while job is not None and place is not None:
        with store.read() as connection:
            found, place = _batch(connection, job, shown, place, rest, _EXPORT_BATCH)
        for each in found:
            state = _with_rest(row_of(each), each.found_rc or each.rc, rest).state
            yield [
                defused(each.rc),
                state.shown if state else str(texts.LEFT_TO_SEARCH),
                state.raw if state else texts.LEFT,
                each.payable,
                each.new_challans,
                each.ended_at if each.outcome in SEARCHED else None,
                defused(each.found_rc),
                texts.why_failed(each.failure),
            ]
