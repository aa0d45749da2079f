"""Update the settlement of paid links from the service's answers.

A plan is added with the answer that says PAID. Every search of the vehicle is a settlement check: one that went to the
source moves the plan on; one that the service may have answered from its cache can show the challans settled, and
proves nothing else.
"""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from dashboard.domain.challans import SearchResult
from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.settlements import (
    Listed,
    Listing,
    Settlement,
    SettlementCheck,
    SettlementState,
    check_settlement,
)
from dashboard.services.schedule import Schedule
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.reconciliation import discrepancies, settlements
from dashboard.store.reconciliation.settlements import SettlementChange, SettlementPlan, UnplannedLink

#: Kinds of events in a link's history, as they are stored.
SETTLED, STILL_OPEN = "settled", "still_open"
#: What the event says of a plan that was given up without one answered check.
_NEVER_CHECKED = "no look could be made"


def plan_checks(connection: Connection, link: Link, at: datetime, schedule: Schedule) -> None:
    """Plan the settlement checks of a link whose answer says PAID, unless they are planned already."""
    since = min(link.paid_at or at, at)
    known = settlements.find_plan(connection, link.id)
    if known is None:
        _add_plan(connection, link.id, link.rc, since, at, schedule)
        return
    # The answer may be the first that names the vehicle or the challans: only now can the source be searched.
    never_checked = known.state is SettlementState.OPEN and known.checked_at is None and not known.checks
    if never_checked and _can_be_checked(connection, link.id, link.rc):
        settlements.change_plan(
            connection, link.id, rc=link.rc, state=SettlementState.WAITING, due_at=at, ended_at=None
        )
        discrepancies.withdraw(connection, link.id, [DiscrepancyKind.UNSETTLED], at)


def plan_checks_late(connection: Connection, link: UnplannedLink, at: datetime, schedule: Schedule) -> None:
    """Plan the settlement checks of a link that was PAID already when no plan was written for it."""
    since = min(link.paid_at or link.status_since, at)
    _add_plan(connection, link.id, link.rc, since, at, schedule)


def _add_plan(
    connection: Connection, link_id: str, rc: str | None, since: datetime, at: datetime, schedule: Schedule
) -> None:
    if _can_be_checked(connection, link_id, rc):
        due_at = schedule.first_settlement_check(since, at)
        state = SettlementState.WAITING
        settlements.add_plan(connection, link_id, rc=rc, state=state, since=since, due_at=due_at, at=at)
        return
    state = SettlementState.OPEN
    if settlements.add_plan(connection, link_id, rc=rc, state=state, since=since, due_at=None, at=at):
        _record_unsettled(connection, link_id, at, given_up=True)


def _can_be_checked(connection: Connection, link_id: str, rc: str | None) -> bool:
    return rc is not None and bool(settlements.covered(connection, [link_id])[link_id])


def record_search(
    connection: Connection, rc: str, result: SearchResult, at: datetime, schedule: Schedule, *, at_source: bool
) -> None:
    """Update the settlement of a vehicle's paid links from a search of it."""
    plans = settlements.of_vehicle(connection, rc)
    if not plans:
        return
    listing = _listing_of(result)
    covered = settlements.covered(connection, [plan.link_id for plan in plans])
    for plan in plans:
        check = check_settlement(covered[plan.link_id], listing)
        if plan.state is SettlementState.SETTLED:
            if at_source and check.result is Settlement.PAYABLE:
                _reopen(connection, plan, check, at)
        elif at_source or check.result is Settlement.SETTLED:
            record_check(connection, plan, check, at, schedule, at_source=at_source)


def _listing_of(result: SearchResult) -> Listing:
    """Return what a settlement check needs of a search."""
    listed = (
        Listed(
            each.id, each.challan_no, each.status, each.payment_link.status if each.payment_link is not None else None
        )
        for each in result.challans
    )
    return Listing(tuple(listed), result.unreadable)


def record_check(
    connection: Connection,
    plan: SettlementPlan,
    check: SettlementCheck,
    at: datetime,
    schedule: Schedule,
    *,
    at_source: bool,
) -> None:
    """Record a settlement check of a link that is not settled yet, and plan the next one."""
    change: SettlementChange = {}
    if check.challans:
        change |= {"checked_at": at, "challans": settlements.as_json(check.challans)}
    if at_source:
        change |= {"checks": plan.checks + 1, "failures": 0, "failed_at": None, "failure": None, "asked_at": None}
    given_up = plan.state is SettlementState.OPEN
    if check.result is Settlement.SETTLED:
        change |= {"state": SettlementState.SETTLED, "due_at": None, "ended_at": at, "asked_at": None}
        links.record_event(connection, plan.link_id, SETTLED, at, new=_describe(check))
    elif not given_up:
        due_at = schedule.next_settlement_check(plan.since, at)
        change["due_at"] = due_at
        if given_up := due_at is None:
            change |= {"state": SettlementState.OPEN, "ended_at": at}
            links.record_event(connection, plan.link_id, STILL_OPEN, at, new=_describe(check))
    settlements.change_plan(connection, plan.link_id, **change)
    if check.result is Settlement.SETTLED:
        discrepancies.withdraw(connection, plan.link_id, [DiscrepancyKind.UNSETTLED], at)
    elif given_up or check.result is Settlement.PAYABLE:
        _record_unsettled(connection, plan.link_id, at, given_up=given_up)


def give_up(connection: Connection, plan: SettlementPlan, at: datetime) -> None:
    """End the settlement checks of a link whose vehicle could not be searched for too long."""
    state = SettlementState.OPEN
    settlements.change_plan(connection, plan.link_id, state=state, due_at=None, ended_at=at, asked_at=None)
    links.record_event(connection, plan.link_id, STILL_OPEN, at, new=_NEVER_CHECKED)
    _record_unsettled(connection, plan.link_id, at, given_up=True)


def _reopen(connection: Connection, plan: SettlementPlan, check: SettlementCheck, at: datetime) -> None:
    """Record that the source lists a settled challan as payable again: a person has to find out why."""
    challans = settlements.as_json(check.challans)
    settlements.change_plan(
        connection, plan.link_id, state=SettlementState.OPEN, checked_at=at, challans=challans, ended_at=at
    )
    links.record_event(connection, plan.link_id, STILL_OPEN, at, new=_describe(check))
    _record_unsettled(connection, plan.link_id, at, given_up=True)


def _record_unsettled(connection: Connection, link_id: str, at: datetime, *, given_up: bool) -> None:
    discrepancies.record(connection, link_id, DiscrepancyKind.UNSETTLED, {"given_up": given_up}, at)


def _describe(check: SettlementCheck) -> str:
    """Write a check as the link's history stores it, with the source's statuses, e.g. "MH1 PAID, MH2 not listed"."""
    if not check.challans:
        return "nothing was shown of its challans"
    return ", ".join(
        f"{each.challan_no or each.challan_id} {(each.status or 'without a status') if each.listed else 'not listed'}"
        for each in check.challans
    )
