"""What is found of a link: judged with the answer that tells it, and kept until it is no longer so."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Connection

from dashboard.domain.discrepancies import JUDGED, Change, DiscrepancyKind, Facts, late, other_challans, sums
from dashboard.domain.links import LinkChallan, PaymentLink
from dashboard.store.creation import intents
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.reconciliation import discrepancies
from dashboard.store.vehicles import vehicles


def judge(connection: Connection, row: Link, answer: PaymentLink | None, at: datetime) -> None:
    """Find what is to be found of a link as it is known now; `answer` is what was just told of it, if anything was."""
    found = dict(_found(connection, row, answer)) if row.detailed else {}
    if row.origin == links.OBSERVED:
        found[DiscrepancyKind.ELSEWHERE] = {}
    stored = discrepancies.of_link(connection, row.id)
    for kind, facts in found.items():
        if kind not in stored or stored[kind].gone_at is not None or stored[kind].facts != facts:
            discrepancies.record(connection, row.id, kind, facts, at)
    over = [kind for kind in JUDGED if kind in stored and kind not in found and stored[kind].gone_at is None]
    if over:
        discrepancies.withdraw(connection, row.id, over, at)


def _found(connection: Connection, row: Link, answer: PaymentLink | None) -> list[tuple[DiscrepancyKind, Facts]]:
    found: list[tuple[DiscrepancyKind, Facts | None]] = []
    challans = answer.challans if answer is not None and answer.challans else _stored_challans(connection, row.id)
    modes = [mode for each in row.modes if (mode := links.breakdown_from(each)) is not None]
    wrong, unchecked = sums(links.breakdown_from(row.amount), modes, challans)
    found.append((DiscrepancyKind.SUMS, wrong))
    found.append((DiscrepancyKind.UNCHECKED, {"sums": unchecked} if unchecked else None))
    if row.intent_id is not None and challans:
        found.append((DiscrepancyKind.CHALLANS, _other_challans(connection, row, challans)))
    events = (event for event in links.events_of(connection, row.id) if event.kind == "status")
    changes = [Change(event.at, event.old, event.new) for event in events]
    found.append((DiscrepancyKind.LATE, late(row.status, row.paid_at, row.expires_at, changes)))
    return [(kind, facts) for kind, facts in found if facts is not None]


def _stored_challans(connection: Connection, link_id: str) -> tuple[LinkChallan, ...]:
    rows = links.challans_of(connection, link_id)
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
        for each in rows
    )


def _other_challans(connection: Connection, row: Link, challans: tuple[LinkChallan, ...]) -> Facts | None:
    asked = intents.find(connection, row.intent_id) if row.intent_id else None
    covered = {each.id: each.challan_no for each in challans}
    if asked is None or set(asked.challan_ids) == covered.keys():
        return None
    numbers = {item.challan.id: item.challan.challan_no for item in vehicles.challans_of(connection, asked.rc)}
    named = {key: number for key, number in numbers.items() if key is not None}
    return other_challans(asked.challan_ids, covered, named | covered)
