"""Whether the challans of a paid link were settled: what every answer of the service records of it.

A row is entered with the answer that says PAID. Every search of the vehicle is a look at it: one at the source moves
the plan on; one that may come from the service's cache can show the challans settled, and else proves nothing.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from dashboard.domain.challans import SearchResult
from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.settlements import Listed, Listing, Look, SettlementState, Shown, look
from dashboard.services.schedule import Schedule
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.reconciliation import discrepancies, settlements

#: What the history of a link keeps of it.
SETTLED, STILL_OPEN = "settled", "still_open"


def enter(connection: Connection, row: Link, at: datetime, schedule: Schedule) -> None:
    """Plan the looks for a link that an answer has just said PAID; once for each link."""
    since = min(row.paid_at or at, at)
    known = settlements.find(connection, row.id)
    if known is None:
        _enter(connection, row.id, row.rc, since, schedule.first_settlement_look(since, at), at)
        return
    # Nothing could be asked while the service had not told of which vehicle or challans it is.
    never_asked = known.state == SettlementState.OPEN and known.seen_at is None and not known.tries
    if never_asked and _can_be_looked_for(connection, row.id, row.rc):
        facts = {"rc": row.rc, "state": SettlementState.WAITING, "due_at": at, "ended_at": None}
        settlements.change(connection, row.id, **facts)
        discrepancies.withdraw(connection, row.id, [DiscrepancyKind.UNSETTLED], at)


def enter_later(connection: Connection, row: Row[Any], at: datetime, schedule: Schedule) -> None:
    """Plan the looks for a link that was PAID already when no row was written for it."""
    since = min(row.paid_at or row.status_since, at)
    _enter(connection, row.id, row.rc, since, schedule.first_settlement_look(since, at), at)


def _enter(
    connection: Connection, link_id: str, rc: str | None, since: datetime, due_at: datetime, at: datetime
) -> None:
    if _can_be_looked_for(connection, link_id, rc):
        state = SettlementState.WAITING
        settlements.enter(connection, link_id, rc=rc, state=state, since=since, due_at=due_at, at=at)
        return
    if settlements.enter(connection, link_id, rc=rc, state=SettlementState.OPEN, since=since, due_at=None, at=at):
        discrepancies.record(connection, link_id, DiscrepancyKind.UNSETTLED, {"given_up": True}, at)


def _can_be_looked_for(connection: Connection, link_id: str, rc: str | None) -> bool:
    return rc is not None and bool(settlements.covered(connection, [link_id])[link_id])


def record_search(
    connection: Connection, rc: str, result: SearchResult, at: datetime, schedule: Schedule, *, at_source: bool
) -> None:
    """Judge the paid links of a vehicle by a search of it."""
    plans = settlements.of_vehicle(connection, rc)
    if not plans:
        return
    listing = listing_of(result)
    covered = settlements.covered(connection, [plan.link_id for plan in plans])
    for plan in plans:
        seen = look(covered[plan.link_id], listing)
        if plan.state == SettlementState.SETTLED:
            if at_source and seen.shown is Shown.PAYABLE:
                _reopen(connection, plan, seen, at)
        elif at_source or seen.shown is Shown.SETTLED:
            conclude(connection, plan, seen, at, schedule, at_source=at_source)


def listing_of(result: SearchResult) -> Listing:
    listed = (
        Listed(
            each.id, each.challan_no, each.status, each.payment_link.status if each.payment_link is not None else None
        )
        for each in result.challans
    )
    return Listing(tuple(listed), result.unreadable)


def conclude(
    connection: Connection, plan: Row[Any], seen: Look, at: datetime, schedule: Schedule, *, at_source: bool
) -> None:
    """Record what a look shows of a link whose challans were not seen settled yet, and when the next one is due."""
    facts: dict[str, Any] = {}
    if seen.challans:
        facts |= {"seen_at": at, "raw": settlements.kept(seen.challans)}
    if at_source:
        facts |= {"tries": plan.tries + 1, "failures": 0, "failed_at": None, "failure": None}
    given_up = plan.state == SettlementState.OPEN
    if seen.shown is Shown.SETTLED:
        facts |= {"state": SettlementState.SETTLED, "due_at": None, "ended_at": at}
        links.record_event(connection, plan.link_id, SETTLED, at, new=in_words(seen))
    elif not given_up:
        facts["due_at"] = schedule.next_settlement_look(plan.since, at)
        if given_up := facts["due_at"] is None:
            facts |= {"state": SettlementState.OPEN, "ended_at": at}
            links.record_event(connection, plan.link_id, STILL_OPEN, at, new=in_words(seen))
    settlements.change(connection, plan.link_id, **facts)
    if seen.shown is Shown.SETTLED:
        discrepancies.withdraw(connection, plan.link_id, [DiscrepancyKind.UNSETTLED], at)
    elif given_up or seen.shown is Shown.PAYABLE:
        discrepancies.record(connection, plan.link_id, DiscrepancyKind.UNSETTLED, {"given_up": given_up}, at)


def give_up(connection: Connection, plan: Row[Any], at: datetime) -> None:
    """End the looks for a link of whose vehicle none could be made for too long."""
    facts = {"state": SettlementState.OPEN, "due_at": None, "ended_at": at}
    settlements.change(connection, plan.link_id, **facts)
    links.record_event(connection, plan.link_id, STILL_OPEN, at, new="no look could be made")
    discrepancies.record(connection, plan.link_id, DiscrepancyKind.UNSETTLED, {"given_up": True}, at)


def _reopen(connection: Connection, plan: Row[Any], seen: Look, at: datetime) -> None:
    """The source lists as payable what it had not: somebody has to look into it, and no search can tell more."""
    facts = {"state": SettlementState.OPEN, "seen_at": at, "raw": settlements.kept(seen.challans), "ended_at": at}
    settlements.change(connection, plan.link_id, **facts)
    links.record_event(connection, plan.link_id, STILL_OPEN, at, new=in_words(seen))
    discrepancies.record(connection, plan.link_id, DiscrepancyKind.UNSETTLED, {"given_up": True}, at)


def in_words(seen: Look) -> str:
    """What a look shows, challan by challan, with the source's own words, e.g. "MH1 PAID, MH2 not listed"."""
    if not seen.challans:
        return "nothing was shown of its challans"
    said = (
        f"{each.challan_no or each.challan_id} {(each.status or 'without a status') if each.listed else 'not listed'}"
        for each in seen.challans
    )
    return ", ".join(said)
