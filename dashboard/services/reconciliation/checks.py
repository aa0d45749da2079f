"""Run the discrepancy checks on a link and record what they find, with each answer of the service about it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from dashboard.domain.discrepancies import (
    CHECKED_WITH_ANSWERS,
    DiscrepancyKind,
    Facts,
    StatusChange,
    check_challans,
    check_late_money,
    check_sums,
)
from dashboard.domain.links import LinkChallan, PaymentLink
from dashboard.store.creation import intents
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.reconciliation import discrepancies
from dashboard.store.vehicles import vehicles


def run_checks(connection: Connection, link: Link, answer: PaymentLink | None, at: datetime) -> None:
    """Run the discrepancy checks on a link. `answer` is the service's latest reply, or None to check stored data."""
    found = _check(connection, link, answer) if link.detailed else {}
    if link.is_observed:
        found[DiscrepancyKind.ELSEWHERE] = {}
    stored = discrepancies.of_link(connection, link.id)
    for kind, facts in found.items():
        known = stored.get(kind)
        if known is None or known.withdrawn_at is not None or known.facts != facts:
            discrepancies.record(connection, link.id, kind, facts, at)
    over = [
        kind
        for kind in CHECKED_WITH_ANSWERS
        if kind in stored and kind not in found and stored[kind].withdrawn_at is None
    ]
    if over:
        discrepancies.withdraw(connection, link.id, over, at)


def _check(connection: Connection, link: Link, answer: PaymentLink | None) -> dict[DiscrepancyKind, Facts]:
    challans = answer.challans if answer is not None and answer.challans else _stored_challans(connection, link.id)
    sums, unchecked = check_sums(link.amount, link.payment_modes, challans)
    changes = [
        StatusChange(event.at, event.old, event.new)
        for event in links.events_of(connection, link.id)
        if event.kind == "status"
    ]
    found = {
        DiscrepancyKind.SUMS: sums,
        DiscrepancyKind.UNCHECKED: {"sums": unchecked} if unchecked else None,
        DiscrepancyKind.CHALLANS: _check_challans(connection, link, challans),
        DiscrepancyKind.LATE: check_late_money(link.status, link.paid_at, link.expires_at, changes),
    }
    return {kind: facts for kind, facts in found.items() if facts is not None}


def _stored_challans(connection: Connection, link_id: str) -> tuple[LinkChallan, ...]:
    return tuple(
        LinkChallan(
            id=each.challan_id,
            challan_no=each.challan_no,
            rc_number=each.rc_number,
            status=each.status,
            challan_type=each.challan_type,
            state=each.state,
            challan_amount=each.challan_amount,
            legal_fee=each.legal_fee,
            total_amount=each.total_amount,
        )
        for each in links.challans_of(connection, link_id)
    )


def _check_challans(connection: Connection, link: Link, challans: tuple[LinkChallan, ...]) -> Facts | None:
    """Compare the challans of a link with those of its request; return None also where either is unknown."""
    intent = intents.find(connection, link.intent_id) if link.intent_id is not None and challans else None
    if intent is None:
        return None
    covered = {each.id: each.challan_no for each in challans}
    if set(intent.challan_ids) == covered.keys():
        return None  # The usual case needs no listing of the vehicle.
    listed = (item.challan for item in vehicles.challans_of(connection, intent.rc))
    numbers = {each.id: each.challan_no for each in listed if each.id is not None}
    return check_challans(intent.challan_ids, covered, numbers | covered)
