"""What every answer of the service does to the ledger, in the transaction that handles it (I4, I5, I7)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row

from dashboard.domain.challans import AttachedLink, SearchResult
from dashboard.domain.links import PaymentLink, is_ended
from dashboard.domain.registration import InvalidRegistration, normalize
from dashboard.services.pace import Pace
from dashboard.store import intents, links, organization, vehicles


def enter_search(connection: Connection, asked: str, result: SearchResult, person_id: int | None, at: datetime) -> str:
    """Record a search and adopt every link it shows. Returns the number the vehicle is known by."""
    try:
        rc = normalize(result.rc_number)
    except InvalidRegistration:
        rc = asked
    vehicles.record_search(connection, rc, result, person_id, at)
    seen: dict[str, AttachedLink] = {}
    for challan in result.challans:
        if challan.link_id is not None:
            summary = challan.payment_link or AttachedLink(challan.link_id, "", None, None)
            seen.setdefault(summary.id, summary)
    for summary in seen.values():
        links.record_sighting(connection, summary, rc, at)
    return rc


def enter_link(
    connection: Connection,
    answer: PaymentLink,
    pace: Pace,
    at: datetime,
    *,
    started_at: datetime | None = None,
    rc: str | None = None,
) -> Row[Any]:
    """Record what a creation or status answer says of a link, and release its claims if it has ended there."""
    known = links.find(connection, answer.id)
    status = answer.status or (known.status if known else "")
    due = pace.next_check(
        status=status,
        paid_at=answer.paid_at,
        expires_at=answer.expires_at,
        first_seen_at=known.first_seen_at if known else at,
        looked_at=known.looked_at if known else None,
        now=at,
    )
    row = links.record_answer(connection, answer, at, next_check_at=due, started_at=started_at, rc=rc)
    if is_ended(row.status):
        intents.release_link(connection, answer.id, at, f"the link was seen {row.status}")
    return row


def is_our_organization(connection: Connection, answer: PaymentLink, at: datetime) -> bool:
    """Whether the link belongs to the organization of this store; the first link teaches which that is."""
    return answer.organization is None or organization.learn(connection, answer.organization, at)
