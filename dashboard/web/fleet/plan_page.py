"""Build the page of a creation plan: its live panel with the links of it, a page at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from flask import url_for
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.fleet import JobKind, JobState, LinkOutcome
from dashboard.domain.money import NO_SUM, Sum
from dashboard.domain.registration import spaced
from dashboard.store.fleet import jobs, plans
from dashboard.store.fleet.jobs import Job
from dashboard.store.fleet.plans import LinkOfPlan, Plan
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.fleet import run_texts
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.job_page import POLL_SECONDS, actions_of, place, progress_of
from dashboard.web.fleet.plan_records import PlanMade, PlanPage, PlanPanel, PlanRow, PlanTally
from dashboard.web.shared.current import current_services, name_of, person_id

PAGE_SIZE = 50


def find_plan(connection: Connection, plan_id: str) -> tuple[Job, Plan] | None:
    """Return a plan that the signed-in person may see: a manager all, others what they made themselves."""
    job, plan = jobs.find(connection, plan_id), plans.find(connection, plan_id)
    if job is None or plan is None or job.kind is not JobKind.CREATION:
        return None
    if not current_user.may_open("fleet.run") and job.person_id != person_id():
        return None
    return job, plan


def shown_of(text: str | None) -> str:
    """Return the group of links that an address names, or "" for all."""
    return text if text in texts.KEYS else ""


def plan_page(plan_id: str, shown: str, after: int) -> PlanPage | None:
    """Build the page of a plan; None when there is none that the person may see."""
    is_manager = current_user.may_open("fleet.run")
    with current_services().store.read() as connection:
        found = find_plan(connection, plan_id)
        if found is None:
            return None
        job, plan = found
        panel = _panel(connection, job, shown, after)
        vehicle = plans.links_of(connection, plan_id, limit=1)[0].rc if plan.run_id is None else ""
        run = jobs.find(connection, plan.run_id) if plan.run_id is not None and is_manager else None
    return PlanPage(
        panel=panel,
        made_by=name_of(job.person_id),
        made_at=job.created_at,
        hours=plan.hours,
        run=url_for("fleet.run", run_id=run.id) if run is not None else "",
        run_title=fleet_texts.title(run) if run is not None else "",
        vehicle=vehicle,
    )


def plan_panel(plan_id: str, shown: str, after: int) -> PlanPanel | None:
    """Build the live panel of a plan; None when there is none that the person may see."""
    with current_services().store.read() as connection:
        found = find_plan(connection, plan_id)
        return _panel(connection, found[0], shown, after) if found is not None else None


def _panel(connection: Connection, job: Job, shown: str, after: int) -> PlanPanel:
    grouped: dict[str, tuple[int, Sum]] = dict.fromkeys(texts.KEYS, (0, NO_SUM))
    for share in plans.shares(connection, job.id):
        key = texts.key_of(share.outcome, share.state)
        count, to_pay = grouped[key]
        grouped[key] = (count + share.links, to_pay + share.to_pay)
    total = sum(count for count, _to_pay in grouped.values())
    done = total - grouped[texts.LEFT][0]
    # The time left is that of what was attempted; what is shown is what exists.
    created = grouped[texts.CREATED][0]
    progress = replace(progress_of(connection, job, done, total), done=created)
    listed = _listed(connection, job.id, shown, after)
    rows = tuple(map(_row, listed[:PAGE_SIZE]))
    here: dict[str, Any] = {"plan_id": job.id, "show": shown or None, "_anchor": "plan-links"}
    again = texts.retry(grouped[texts.NOT_CREATED][0] + grouped[texts.FAILED][0])
    actions = replace(actions_of(job, again), has_links=created > 0, place=place("show", shown, after))
    return PlanPanel(
        id=job.id,
        title=fleet_texts.title(job),
        state=texts.ended_with(created, total) if job.state is JobState.DONE else run_texts.state(job.state),
        why=run_texts.why(job),
        progress=progress,
        tallies=tuple(
            PlanTally(
                key,
                texts.group(key).shown,
                *grouped[key],
                texts.group(key).meaning,
                url_for("fleet.plan", plan_id=job.id, show=key, _anchor="plan-links"),
                key == shown,
            )
            for key in texts.KEYS
        ),
        rows=rows,
        listed=texts.group(shown).shown if shown else str(texts.ALL_LINKS),
        first=url_for("fleet.plan", **here) if after else None,
        following=url_for("fleet.plan", after=rows[-1].position, **here) if len(listed) > PAGE_SIZE else None,
        actions=actions,
        made=PlanMade(
            job.id,
            has_links=created > 0,
            may_export=current_user.may_open("fleet.export_plan_csv"),
            is_next=not job.is_open,
        ),
        poll_seconds=POLL_SECONDS.get(job.state) or (15 if grouped[texts.UNCLEAR_NOW][0] else None),
        seen=fingerprint([job.state, job.resume_at, grouped, progress, rows]),
        shown=shown,
        after=after,
        created=created,
        created_sum=grouped[texts.CREATED][1],
    )


def _listed(connection: Connection, plan_id: str, shown: str, after: int) -> list[LinkOfPlan]:
    limit = PAGE_SIZE + 1
    match shown:
        case "":
            return plans.links_of(connection, plan_id, after=after, limit=limit)
        case "left":
            return plans.links_in(connection, plan_id, None, None, after=after, limit=limit)
        case "refused" | "failed":
            return plans.links_in(connection, plan_id, [LinkOutcome(shown)], None, after=after, limit=limit)
    states = texts.STATES[shown]
    return plans.links_in(connection, plan_id, [LinkOutcome.REQUESTED], states, after=after, limit=limit)


def _row(link: LinkOfPlan) -> PlanRow:
    address, words = "", ""
    if link.link_id is not None and link.intent_state in texts.STATES[texts.CREATED]:
        address, words = url_for("links.show", link_id=link.link_id), str(texts.LINK)
    elif link.intent_id is not None:
        address, words = url_for("creation.request_page", request_id=link.intent_id), str(texts.REQUEST)
    return PlanRow(
        position=link.position,
        plate=spaced(link.rc),
        challans=len(link.challan_ids),
        to_pay=link.to_pay,
        state=texts.state_of(link),
        why=texts.why(link),
        address=address,
        address_words=words,
    )
