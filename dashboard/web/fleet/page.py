"""Build the page for many vehicles: the form for their numbers, saved lists, and repeated searches."""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from flask import url_for
from sqlalchemy import Connection
from werkzeug.datastructures import MultiDict

from dashboard.domain.fleet import JobKind, JobState
from dashboard.domain.fleet_schedules import EVERY_DAY, Scope
from dashboard.domain.intents import LINK_IS_OURS
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.store.fleet import (
    jobs,
    known_vehicles,
    lists,
    open_plans,
    payable,
    plans,
    plans_of_runs,
    runs,
    schedules,
)
from dashboard.store.fleet.jobs import Job
from dashboard.store.fleet.lists import FleetList
from dashboard.store.fleet.plan_shares import Share
from dashboard.store.fleet.plans import PlanCounts
from dashboard.store.fleet.plans_of_runs import PlanOfRun
from dashboard.store.fleet.runs import RunCounts
from dashboard.store.fleet.schedules import FleetSchedule
from dashboard.web.fleet import forms, plan_texts, run_texts, texts, unsent_links
from dashboard.web.fleet.records import (
    FleetPage,
    InputForm,
    ListRow,
    PlanLacks,
    ScheduleForm,
    ScheduleRow,
    WorkLinks,
    WorkRow,
)
from dashboard.web.fleet.unsent_links import UnsentLinks
from dashboard.web.links.records import Choice
from dashboard.web.shared.current import current_services, format_moment, name_of

#: What the forms propose: vehicles not searched for a week, and the small hours, when nobody waits for a search.
USUAL_DAYS, _USUAL_TIME = 7, "02:00"
#: What the field for registration numbers shows while it is empty.
_EXAMPLE = ("MH12 AB 1001, Ramesh, 98765 43210", "MH12 AB 1002")
#: The most recent searches that are listed beside those that go on.
_MOST_RUNS = 10
#: How many of them are seen without unfolding the others.
_SHOWN = 3
#: The most challans that are added up for these.
_ADDED_UP = 5_000


def fleet_page(
    form: InputForm | None = None,
    *,
    days: str = str(USUAL_DAYS),
    days_problem: str = "",
    renamed: tuple[int, str, str] | None = None,
    repeat: MultiDict[str, str] | None = None,
    repeat_problems: dict[str, str] | None = None,
) -> FleetPage:
    """Build the page. `renamed` is a list's id with a refused name and why; `repeat` is a refused form."""
    services = current_services()
    asked = forms.days(days) or USUAL_DAYS
    with services.store.read() as connection:
        saved = lists.listed(connection)
        repeated = schedules.listed(connection)
        known = known_vehicles.count(connection)
        old = known_vehicles.count(connection, services.clock() - timedelta(days=asked))
        going_on = jobs.open_ones(connection)
        plans_open = [job for job in going_on if job.kind is JobKind.CREATION]
        of_plans = plans.counts(connection, [job.id for job in plans_open])
        recent = [job for job in jobs.listed(connection, JobKind.SEARCH, _MOST_RUNS) if not job.is_open]
        searches = [job for job in going_on if job.kind is JobKind.SEARCH]
        counts = runs.counts(connection, [job.id for job in (*searches, *recent)])
        made = plans_of_runs.of_runs(connection, [job.id for job in recent])
        unsent = unsent_links.of_plans(connection, [plan.id for each in made.values() for plan in each if plan.left])
        lacking = plans_of_runs.without_links(connection, [job.id for job in recent])
        to_pay = _to_pay(connection, [job.id for job in recent if job.id not in made], counts)
    told_apart = _told_apart(
        [
            *(_plan_row(job, of_plans[job.id]) for job in plans_open),
            *(_run_row(job, counts[job.id]) for job in searches),
            *(
                replace(
                    _with_links(
                        _run_row(job, counts[job.id]),
                        counts[job.id].payable,
                        made.get(job.id, []),
                        to_pay.get(job.id),
                        unsent,
                    ),
                    plans_lack=_plans_lack(lacking.get(job.id, {})),
                )
                for job in recent
            ),
        ]
    )
    return FleetPage(
        form=form or InputForm(),
        example="\n".join(_EXAMPLE),
        under_way=told_apart[: len(told_apart) - len(recent)],
        recent=_folded(told_apart[len(told_apart) - len(recent) :]),
        known=known,
        days=days if days_problem else str(asked),
        days_problem=days_problem,
        old="" if days_problem else texts.so_old(asked, old),
        none_old=not (old or days_problem),
        lists=tuple(_list_row(each, renamed) for each in saved),
        schedules=tuple(schedule_row(each) for each in repeated),
        schedule_form=_schedule_form(saved, repeat, repeat_problems or {}),
    )


def run_address(run_id: str) -> str:
    """Return the address of a run."""
    return url_for("fleet.run", run_id=run_id)


def schedule_row(each: FleetSchedule) -> ScheduleRow:
    """Show a repeated search."""
    return ScheduleRow(
        id=each.id,
        what=texts.what(each.repeat, each.list_name),
        when=texts.when(each.repeat.weekdays, each.repeat.at),
        next_at=each.next_at,
        last_at=each.last_at,
        last_run_id=each.last_run_id,
        at_source=each.repeat.at_source,
        trouble=str(texts.LIST_GONE) if each.lacks_its_list else "",
    )


def _plan_row(job: Job, counts: PlanCounts) -> WorkRow:
    created = sum(counts.by_state.get(state, 0) for state in LINK_IS_OURS)
    return WorkRow(
        id=job.id,
        address=url_for("fleet.plan", plan_id=job.id),
        title=texts.name_of(job),
        size=texts.so_many_links(counts.links),
        state=texts.JOB_STATES[job.state],
        parts=counts.links,
        ended=counts.ended,
        far=texts.created_of(created, counts.links),
        found="",
        at=job.created_at,
        by=name_of(job.person_id),
        is_open=True,
        resume=_while_paused(job, url_for("fleet.change_plan", act="resume", plan_id=job.id)),
    )


def _run_row(job: Job, counts: RunCounts) -> WorkRow:
    is_all, title = job.state is JobState.DONE and counts.searched == counts.vehicles, texts.title(job)
    size = texts.pasted(counts.vehicles)
    return WorkRow(
        id=job.id,
        address=run_address(job.id),
        title=title,
        size=size if title != size else "",
        state=texts.JOB_STATES[job.state],
        parts=counts.vehicles,
        ended=counts.ended,
        far="" if is_all else texts.searched_of(counts.searched, counts.vehicles),
        lacks=run_texts.unsearched(counts),
        found=texts.payable_found(counts.payable),
        at=job.created_at,
        by=name_of(job.person_id) if job.person_id is not None else str(texts.REPEATED),
        is_open=job.is_open,
        resume=_while_paused(job, url_for("fleet.change_run", act="resume", run_id=job.id)),
    )


def _while_paused(job: Job, address: str) -> str:
    return address if job.state is JobState.PAUSED else ""


def _to_pay(
    connection: Connection, run_ids: Iterable[str], counts: Mapping[str, RunCounts]
) -> dict[str, tuple[int, Sum]]:
    """Count and add up what can be put on links of each run, the newest first, as long as that is not too much to read.

    What stands in a plan that is not finished is left out, as in the review to which the sum leads.
    """
    found, room, planned = {}, _ADDED_UP, open_plans.challans(connection)
    for run_id in run_ids:
        room -= counts[run_id].payable
        if counts[run_id].payable and room >= 0:
            listed = [each for each in payable.of_run(connection, run_id) if each.id not in planned]
            found[run_id] = len(listed), add_up(each.total for each in listed)
    return found


def _with_links(
    row: WorkRow,
    payable_found: int,
    made: list[PlanOfRun],
    to_pay: tuple[int, Sum] | None,
    unsent: Mapping[str, UnsentLinks],
) -> WorkRow:
    """Return the row of a search that is over with what became of its links, or with the way to create some.

    Its sum says of how many challans it is. `to_pay` is None where it was not added up; links may have been made of the
    challans of another search.
    """
    left, total = to_pay or (0, NO_SUM)
    review = url_for("fleet.review", run_id=row.id) if row.found and not made and (left or to_pay is None) else ""
    row = replace(
        row, links=tuple(_work_links(each, unsent.get(each.id), is_one=len(made) == 1) for each in made), review=review
    )
    if made and (of_all := functools.reduce(operator.add, made)).links:
        found = row.found if of_all.challans != payable_found else ""
        words = texts.challans_on_links(of_all.challans, of_all.links)
        return replace(row, found=found, sum=of_all.total, sum_of=of_all.links, sum_words=words)
    if not made and left:
        words = texts.challans_left(left, payable_found)
        return replace(row, found="", sum=total, sum_of=left, sum_words=words)
    return row


def _work_links(plan: PlanOfRun, unsent: UnsentLinks | None, *, is_one: bool) -> WorkLinks:
    """Show a plan of a search; the only one has its links named beside their sum."""
    links = WorkLinks(
        address=url_for("fleet.plan", plan_id=plan.id),
        words=texts.sent_and_paid(plan) if is_one else texts.on_links(plan),
    )
    if unsent is None:
        return links
    steps = unsent.next_words, unsent.next_address(plan.id) if unsent.next_words else ""
    return replace(links, unsent=unsent.words, next_words=steps[0], next_address=steps[1])


def _plans_lack(of_plans: Mapping[str, Sequence[Share]]) -> tuple[PlanLacks, ...]:
    """Lead to the plans of a search with links that were not created, or may not have been."""
    said = {plan_id: plan_texts.to_look_at(came_to) for plan_id, came_to in of_plans.items()}
    return tuple(PlanLacks(url_for("fleet.plan", plan_id=plan_id), words) for plan_id, words in said.items() if words)


def _told_apart(listed: Sequence[WorkRow]) -> tuple[WorkRow, ...]:
    """Show the seconds of those that have one name, one size and one minute, where that tells them apart."""
    seconds: dict[tuple[str, str, str], set[datetime]] = {}
    for row in listed:
        seconds.setdefault(_seen_as(row), set()).add(row.at.replace(microsecond=0))
    return tuple(replace(row, shows_seconds=len(seconds[_seen_as(row)]) > 1) for row in listed)


def _seen_as(row: WorkRow) -> tuple[str, str, str]:
    return row.title, row.size, format_moment(row.at)


def _folded(rows: tuple[WorkRow, ...]) -> tuple[WorkRow, ...]:
    """Fold all but the first few of many, and rather those that need no work; the order stays that of time."""
    if len(rows) <= _SHOWN + 1:
        return rows
    shown = {each.id for each in sorted(rows, key=lambda each: not each.has_work)[:_SHOWN]}
    return tuple(replace(each, is_folded=each.id not in shown) for each in rows)


def _list_row(each: FleetList, renamed: tuple[int, str, str] | None) -> ListRow:
    typed, problem = (renamed[1], renamed[2]) if renamed and renamed[0] == each.id else ("", "")
    return ListRow(each.id, each.name, each.count, each.saved_at, name_of(each.saved_by), typed, problem)


def _schedule_form(saved: list[FleetList], sent: MultiDict[str, str] | None, problems: dict[str, str]) -> ScheduleForm:
    what = sent.get("what", "") if sent else ""
    weekdays = set(sent.getlist("day")) if sent else {str(day) for day in EVERY_DAY}
    scopes: list[tuple[str, str]] = [(Scope.ALL, str(texts.ALL_KNOWN)), (Scope.OLD, str(texts.OLD_ONES))]
    scopes += [(f"{Scope.LIST}:{each.id}", each.name) for each in saved]
    return ScheduleForm(
        scopes=tuple(Choice(value, words, value == what) for value, words in scopes),
        days=sent.get("days", "") if sent else str(USUAL_DAYS),
        weekdays=tuple(Choice(str(day), str(words), str(day) in weekdays) for day, words in enumerate(texts.WEEKDAYS)),
        at=sent.get("at", "") if sent else _USUAL_TIME,
        at_source=forms.at_source(sent) if sent else True,
        problems=problems,
    )
