"""Build the page of a creation plan: its live panel with the links of it, a page at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from flask import url_for
from flask_login import current_user
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.fleet import JobKind, JobState, LinkOutcome
from dashboard.domain.intents import LINK_IS_OURS, NOTHING_CREATED
from dashboard.domain.links import is_live
from dashboard.domain.money import NO_SUM, Sum, add_up
from dashboard.domain.phones import digits
from dashboard.domain.registration import spaced
from dashboard.store.creation import intents
from dashboard.store.creation.intents import Intent
from dashboard.store.fleet import jobs, plan_shares, plans
from dashboard.store.fleet.jobs import Job
from dashboard.store.fleet.plans import LinkOfPlan, Plan
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.shares import Share
from dashboard.web.fleet import plan_texts as texts
from dashboard.web.fleet import review_texts, run_texts, unsent_links
from dashboard.web.fleet import texts as fleet_texts
from dashboard.web.fleet.job_page import POLL_SECONDS, actions_of, place, progress_of
from dashboard.web.fleet.plan_records import PlanMade, PlanPage, PlanPanel, PlanRow, PlanTally
from dashboard.web.fleet.share_records import minutes
from dashboard.web.fleet.unsent_links import UnsentLinks
from dashboard.web.links import rows as link_rows
from dashboard.web.links.list_records import LinkRow
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, name_of, person_id
from dashboard.web.sharing.messages_sent import MOST_OF_A_MESSAGE

PAGE_SIZE = 50
#: How often the panel asks again, in seconds, once all links were tried: they are sent and paid from now on.
_LATER = 15


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
    came_to = plan_shares.shares(connection, job.id)
    for share in came_to:
        key = texts.key_of(share.outcome, share.state)
        count, to_pay = grouped[key]
        grouped[key] = (count + share.links, to_pay + share.to_pay)
    ends = minutes(at for share in came_to for at in share.ends)
    checked_at = min((share.checked_at for share in came_to if share.checked_at), default=None)
    sent, paid = sum(share.sent for share in came_to), sum(share.paid for share in came_to)
    total = sum(count for count, _to_pay in grouped.values())
    done = total - grouped[texts.LEFT][0]
    # The time left is that of what was attempted; what is shown is what exists.
    created = grouped[texts.CREATED][0]
    progress = replace(progress_of(connection, job, done, total), done=created)
    listed = _listed(connection, job.id, shown, after)
    left = unsent_links.of_plan(connection, job.id) if any(share.to_send for share in came_to) else UnsentLinks()
    rows = _rows(connection, job, listed[:PAGE_SIZE], left)
    waits = grouped[texts.UNCLEAR_NOW][0] or any(share.live for share in came_to)
    here: dict[str, Any] = {"plan_id": job.id, "show": shown or None, "_anchor": "plan-links"}
    again = texts.retry(grouped[texts.NOT_CREATED][0] + grouped[texts.FAILED][0])
    # What can be sent comes first, because links that exist run out; without any, and beside those not created, these.
    sends_first = bool(left.by_driver or left.undriven) and shown not in texts.RETRIED
    retry_first = bool(again) and not sends_first and not job.is_open
    actions = replace(
        actions_of(job, again),
        go_on=texts.try_now(grouped[texts.LEFT][0]) if job.state is JobState.WAITING else actions_of(job, again).go_on,
        has_links=created > 0,
        retry_is_next=retry_first,
        place=place("show", shown, after),
    )
    return PlanPanel(
        id=job.id,
        title=fleet_texts.title(job),
        state=texts.ended_with(came_to) if job.state is JobState.DONE else run_texts.state(job.state),
        why=run_texts.why(job),
        progress=progress,
        tallies=tuple(
            PlanTally(
                key,
                texts.group(key, job.state).shown,
                *grouped[key],
                texts.group(key, job.state).meaning,
                url_for("fleet.plan", plan_id=job.id, show=key, _anchor="plan-links"),
                chosen=key == shown,
                is_said=key != shown and (key == texts.CREATED or (key == texts.LEFT and not done)),
            )
            for key in texts.KEYS
        ),
        rows=rows,
        listed=texts.group(shown, job.state).shown if shown else str(texts.ALL_LINKS),
        first=url_for("fleet.plan", **here) if after else None,
        following=url_for("fleet.plan", after=rows[-1].position, **here) if len(listed) > PAGE_SIZE else None,
        actions=actions,
        made=PlanMade(
            job.id,
            has_links=created > 0,
            may_export=current_user.may_open("fleet.export_plan_csv"),
            # A paused plan goes on first, what is listed is tried again first, and a driver gets one message.
            is_next=not actions.next_step and left.is_complete,
            sends=bool(left.by_driver),
            chooses=bool(left.undriven) and not left.by_driver,
            next_words=left.next_words,
            place=actions.place,
        ),
        poll_seconds=POLL_SECONDS.get(job.state) or (_LATER if waits else None),
        seen=fingerprint([job.state, job.resume_at, grouped, progress, rows, sent, paid, ends, checked_at, left.words]),
        shown=shown,
        after=after,
        created=created,
        far=texts.far(created, total, unclear=grouped[texts.UNCLEAR_NOW][0]),
        created_sum=grouped[texts.CREATED][1],
        changed=texts.changed(
            grouped[texts.CREATED][1], sum((share.reviewed for share in came_to if share.state in LINK_IS_OURS), NO_SUM)
        ),
        sent=sent,
        unsent=left.words,
        paid=paid,
        paid_sum=sum((share.paid_sum for share in came_to), NO_SUM),
        left_sum=sum((share.live_sum for share in came_to), NO_SUM),
        ends=ends,
        checked_at=checked_at,
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


def _rows(connection: Connection, job: Job, listed: list[LinkOfPlan], left: UnsentLinks) -> tuple[PlanRow, ...]:
    """Show a page of the links of a plan, with what has become of those that exist."""
    ours = [each.link_id for each in listed if each.link_id and each.intent_state in texts.STATES[texts.CREATED]]
    known, sent = links.find_all(connection, ours), shares.newest_of_links(connection, ours)
    rcs = {each.rc for each in listed}
    usual = unsent_links.drivers_of(connection, job.id, rcs)
    places = plans.places(connection, job.id, rcs)
    acting = {each.card.id: each for each in link_rows.rows(connection, list(known.values()))}
    in_vain = [each.intent_id for each in listed if each.intent_id and each.intent_state in NOTHING_CREATED]
    requests = intents.find_all(connection, in_vain)
    rows = (
        _row(
            each,
            part=review_texts.part(*places[each.position]),
            link=known.get(each.link_id or ""),
            in_vain=requests.get(each.intent_id or ""),
            share=sent.get(each.link_id or ""),
            usual=usual.get(each.rc, []),
            acts=acting.get(each.link_id or ""),
            left=left,
            job_state=job.state,
        )
        for each in listed
    )
    return _sent_once(rows)


def _sent_once(rows: Iterable[PlanRow]) -> tuple[PlanRow, ...]:
    """Leave the button to the first row of a driver whose links are sent together."""
    found: list[PlanRow] = []
    for row in rows:
        again = row.waits and row.sends > 1 and any(row.driver_id == each.driver_id for each in found if each.waits)
        found.append(replace(row, sends=0) if again else row)
    return tuple(found)


def _row(
    of: LinkOfPlan,
    *,
    part: str,
    link: Link | None,
    in_vain: Intent | None,
    share: Share | None,
    usual: Sequence[Driver],
    acts: LinkRow | None,
    left: UnsentLinks,
    job_state: JobState,
) -> PlanRow:
    to_check = acts is not None and acts.is_withheld
    waits = link is not None and share is None and is_live(link.status) and not to_check
    driver_id = acts.driver_id if acts else None
    if share is None:
        driver_id = usual[0].id if len(usual) == 1 and digits(usual[0].phone) else None
    names = [share.driver_name] if share and share.driver_name else [each.name for each in usual]
    is_known = link is not None
    request = url_for("creation.request_page", request_id=of.intent_id) if of.intent_id and not is_known else ""
    return PlanRow(
        position=of.position,
        rc=of.rc,
        plate=spaced(of.rc),
        part=part,
        challans=len(of.challan_ids),
        amounts=1 if is_known else len(of.challan_ids),
        to_pay=add_up([link.total]) if link else of.to_pay,
        state=shared_texts.state_of(link) if link else texts.state_of(of, job_state),
        why=acts.why_withheld if acts and to_check else "" if is_known else texts.why(of, in_vain),
        link_id=link.id if link else "",
        request=request,
        driver=names[0] if len(names) == 1 else "",
        no_driver=str(texts.SEVERAL_DRIVERS if names else texts.NO_DRIVER) if len(names) != 1 else "",
        lacks_driver=not is_known and not names,
        sent_at=share.at if share else None,
        waits=waits,
        to_check=to_check,
        payment=acts.payment if acts and not to_check else None,
        driver_id=driver_id,
        sends=min(left.by_driver.get(driver_id or 0, 1), MOST_OF_A_MESSAGE) if waits else 1,
        to_come=left.to_come.get(driver_id or 0, 0) if waits else 0,
    )
