"""What every answer of the service does to the ledger, in the transaction that handles it (I4, I5, I7)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta

from sqlalchemy import Connection

from dashboard.domain.challans import AttachedLink, SearchResult
from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.links import PaymentLink, is_ended, is_paid
from dashboard.domain.registration import InvalidRegistration, normalize
from dashboard.services.reconciliation import checks, settlement_rules
from dashboard.services.schedule import Schedule
from dashboard.store.creation import claims, intents, organization
from dashboard.store.links import duplicates, links
from dashboard.store.links.records import Link
from dashboard.store.reconciliation import discrepancies
from dashboard.store.vehicles import vehicles

log = logging.getLogger(__name__)

#: How long after its send a request believed to have made nothing may still turn out to have made a link.
_LATE_FOR = timedelta(hours=48)


def enter_search(
    connection: Connection,
    asked: str,
    result: SearchResult,
    person_id: int | None,
    at: datetime,
    schedule: Schedule,
    *,
    at_source: bool,
) -> str:
    """Record a search and adopt every link it shows. Returns the number the vehicle is known by.

    `at_source`: the search was sure to ask the source, and did not come from the service's cache.
    """
    try:
        rc = normalize(result.rc_number)
    except InvalidRegistration:
        rc = asked
    # Those of a request whose outcome is open stay known by their numbers, for whoever has to find out about them.
    waited_for = {item for row in intents.open_of_vehicle(connection, rc) for item in row.challan_ids}
    vehicles.record_search(connection, rc, result, person_id, at, keep=waited_for)
    seen: dict[str, AttachedLink] = {}
    for challan in result.challans:
        if challan.payment_link is not None:
            seen[challan.payment_link.id] = challan.payment_link
        if challan.payment_link_id is not None:
            seen.setdefault(challan.payment_link_id, AttachedLink(challan.payment_link_id, "", None, None))
    fresh = [key for key, summary in sorted(seen.items()) if links.record_sighting(connection, summary, rc, at)]
    if fresh:
        # One of these may be what a request made after we had said that there is none.
        intents.make_due(connection, rc, at, at - _LATE_FOR)
    for link_id in fresh:
        discrepancies.record(connection, link_id, DiscrepancyKind.ELSEWHERE, {}, at)
    _beside(
        connection,
        lambda: settlement_rules.record_search(connection, rc, result, at, schedule, at_source=at_source),
        rc=rc,
    )
    return rc


def enter_link(
    connection: Connection,
    answer: PaymentLink,
    schedule: Schedule,
    at: datetime,
    *,
    started_at: datetime | None = None,
    rc: str | None = None,
) -> Link:
    """Record what a creation or status answer says of a link, and release its claims if it has ended there.

    One that lives again or was paid beside others that cover its challans is an alarm, each time anew; and so is one
    whose challans are first told when another was paid for them.
    """
    known = links.find(connection, answer.id)
    status = answer.status or (known.status if known else "")
    ahead = known.service_clock_offset if known else None
    due = schedule.next_check(
        status=status,
        status_since=known.status_since if known and known.status == status else at,
        paid_at=answer.paid_at or (known.paid_at if known else None),
        expires_at=answer.expires_at or (known.expires_at if known else None),
        first_seen_at=known.first_seen_at if known else at,
        watched_at=known.watched_at if known else None,
        now=at,
        service_clock_offset=answer.service_time - at if answer.service_time else timedelta(seconds=ahead or 0),
    )
    recorded = links.record_answer(connection, answer, at, next_check_at=due, started_at=started_at, rc=rc)
    row = recorded.row
    if is_ended(row.status):
        claims.release_link(connection, answer.id, at, f"the link was seen {row.status}")
    elif known is not None and (is_ended(known.status) or _turned_paid(known, row)):
        duplicates.take_turn(connection)
        # Links made elsewhere hold no claims of ours, so what links are known to cover counts as well.
        held = _take_back(connection, row, at)
        _alarm(connection, row.id, held | duplicates.shared_challans(connection, row.id), at)
    elif recorded.covers_more:
        duplicates.take_turn(connection)
        # Two that can be paid are no alarm: one may have ended since it was looked at, and the next look tells.
        _alarm(connection, row.id, duplicates.shared_challans(connection, row.id, paid=not is_paid(row.status)), at)
    if recorded.is_news:
        _beside(connection, lambda: checks.run_checks(connection, row, answer, at), link_id=row.id)
        if is_paid(row.status):
            _beside(connection, lambda: settlement_rules.plan_checks(connection, row, at, schedule), link_id=row.id)
    return row


def attribute(
    connection: Connection,
    link_id: str,
    *,
    origin: str,
    intent_id: str,
    person_id: int,
    rc: str,
    hours: int,
    created_at: datetime,
    at: datetime,
) -> None:
    """Say that a link came of one of our requests: created by it, or found again by checking."""
    links.attribute(
        connection,
        link_id,
        origin=origin,
        intent_id=intent_id,
        person_id=person_id,
        rc=rc,
        hours=hours,
        created_at=created_at,
        at=at,
    )
    _beside(connection, lambda: _check_again(connection, link_id, at), link_id=link_id)


def _check_again(connection: Connection, link_id: str, at: datetime) -> None:
    row = links.find(connection, link_id)
    assert row is not None
    checks.run_checks(connection, row, None, at)


def hold(connection: Connection, intent_id: str, link_id: str, challan_ids: Iterable[str], at: datetime) -> None:
    """Claim the challans of a known link; what another one holds as well is an alarm, for ever in its history."""
    _alarm(connection, link_id, claims.hold(connection, intent_id, link_id, challan_ids, at), at)


def _take_back(connection: Connection, row: Link, at: datetime) -> set[str]:
    """A link that had ended lives or was paid after all: its challans are not free, whatever has been done since.

    Returns those that another request or its link holds by now.
    """
    held: set[str] = set()
    claimed = claims.released_with(connection, row.id)
    for intent_id in set(claimed.values()):
        mine = [key for key, owner in claimed.items() if owner == intent_id]
        held.update(claims.hold(connection, intent_id, row.id, mine, at))
    return held


def _turned_paid(known: Link, row: Link) -> bool:
    """Whether this is the first answer that says so; a search may have shown it before, but not its challans."""
    return is_paid(row.status) and not (known.detailed and is_paid(known.status))


def _alarm(connection: Connection, link_id: str, challan_ids: Collection[str], at: datetime) -> None:
    """Challans that another link or request holds as well; none is no alarm."""
    if not challan_ids:
        return
    links.record_event(connection, link_id, links.DOUBLE, at, new=f"{len(challan_ids)} challans")
    # Each alarm stands anew, and so none has the same facts.
    discrepancies.record(
        connection, link_id, DiscrepancyKind.DOUBLE, {"challans": len(challan_ids), "at": at.isoformat()}, at
    )


def is_our_organization(connection: Connection, answer: PaymentLink, at: datetime) -> bool:
    """Whether the link belongs to the organization of this store; the first link teaches which that is."""
    return answer.organization is None or organization.learn(connection, answer.organization, at)


def _beside(connection: Connection, work: Callable[[], None], **about: str) -> None:
    """Do what only tells of an answer, in a part of its transaction: when that fails, the answer is recorded still."""
    try:
        with connection.begin_nested():
            work()
    except Exception:
        log.exception("what an answer means could not be recorded beside it", extra=about)
