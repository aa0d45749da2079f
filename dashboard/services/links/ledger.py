"""Record the service's answers in the ledger, with all that follows from them, in one transaction (I4, I5, I7)."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable
from datetime import datetime, timedelta

from sqlalchemy import Connection

from dashboard.domain.challans import AttachedLink, SearchResult
from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.domain.links import PaymentLink, is_ended, is_live, is_paid
from dashboard.domain.registration import InvalidRegistration, normalize
from dashboard.services.reconciliation import checks, settlement_rules
from dashboard.services.schedule import Schedule
from dashboard.store.creation import claims, intents, organization
from dashboard.store.links import duplicates, links
from dashboard.store.links.links import Attribution
from dashboard.store.links.records import Asked, Link
from dashboard.store.reconciliation import discrepancies
from dashboard.store.vehicles import vehicles

log = logging.getLogger(__name__)

#: An intent in NOT_CREATED may turn out to have created a link until this long after its send.
LATE_FOR = timedelta(hours=48)


def enter_search(
    connection: Connection,
    searched_rc: str,
    result: SearchResult,
    person_id: int | None,
    at: datetime,
    schedule: Schedule,
    *,
    at_source: bool,
) -> str:
    """Record a search and adopt every link that it shows. Returns the number that the vehicle is stored by.

    `at_source`: the result is certainly the source's own, and not from the service's cache.
    """
    try:
        rc = normalize(result.rc_number)
    except InvalidRegistration:
        rc = searched_rc
    # Challans of an intent with an open outcome stay stored, because resolving it may need their numbers.
    needed = {item for row in intents.open_of_vehicle(connection, rc) for item in row.challan_ids}
    vehicles.record_search(connection, rc, result, person_id, at, keep=needed)
    shown: dict[str, AttachedLink] = {}
    for challan in result.challans:
        if challan.payment_link is not None:
            shown[challan.payment_link.id] = challan.payment_link
        if challan.payment_link_id is not None:
            shown.setdefault(challan.payment_link_id, AttachedLink(challan.payment_link_id, "", None, None))
    new = [link_id for link_id, link in sorted(shown.items()) if links.record_sighting(connection, link, rc, at)]
    if new:
        # An intent of unclear outcome, or one that was taken for NOT_CREATED, may have created one of these.
        intents.make_due(connection, rc, at, at - LATE_FOR)
    for link_id in new:
        discrepancies.record(connection, link_id, DiscrepancyKind.ELSEWHERE, {}, at)
    _best_effort(
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
    asked: Asked | None = None,
    rc: str | None = None,
    attribution: Attribution | None = None,
) -> Link:
    """Record a creation or status answer, and release the link's claims if it has ended.

    `asked` is when the answer was asked for; one asked for before the newest recorded one changes nothing.
    `attribution` says which intent created the link; `rc` is its vehicle, where only that is known.

    A duplicate alarm is recorded when an ended link is unpaid or paid after all while others cover its challans, when
    a link becomes paid while others cover its challans, when the challans of a link become known after another was paid
    for them, and when two links on one challan are both live.
    """
    rc = attribution.rc if attribution else rc
    known = links.find(connection, answer.id)
    status = answer.status or (known.status if known else "")
    offset = known.service_clock_offset if known else None
    due = schedule.next_check(
        status=status,
        status_since=known.status_since if known and known.status == status else at,
        paid_at=answer.paid_at or (known.paid_at if known else None),
        expires_at=answer.expires_at or (known.expires_at if known else None),
        first_seen_at=known.first_seen_at if known else at,
        watched_at=known.watched_at if known else None,
        now=at,
        service_clock_offset=answer.service_time - at if answer.service_time else timedelta(seconds=offset or 0),
        beside_payable=is_ended(status) and duplicates.is_beside_payable(connection, answer.id),
    )
    recorded = links.record_answer(connection, answer, at, next_check_at=due, asked=asked, rc=rc)
    row = recorded.row
    if recorded.is_news or (known is not None and known.is_unknown):
        _watch_ended_duplicates(connection, row, at)
    # A manager released its claims while the service did not know it.
    lives_again = known is not None and known.released_at is not None and not row.not_found
    if lives_again:
        links.end_release(connection, row.id)
    if is_ended(row.status):
        claims.release_link(connection, answer.id, at, f"the link was seen {row.status}")
    elif known is not None and (is_ended(known.status) or lives_again or _became_paid(known, row)):
        duplicates.lock_detection(connection)
        # Links created elsewhere have no claims here, so the challans that links cover count as well.
        held = _reclaim(connection, row, at)
        _record_alarm(connection, row.id, held | duplicates.shared_challans(connection, row.id), at)
    elif recorded.covers_more:
        duplicates.lock_detection(connection)
        # Two unpaid links are no alarm yet: the other may have ended since its last poll, which the next one detects.
        shared = duplicates.shared_challans(connection, row.id, paid=not is_paid(row.status))
        _record_alarm(connection, row.id, shared, at)
        links.due_now(connection, duplicates.live_duplicates(connection, row.id), at)
    elif asked is not None and is_live(row.status) and not recorded.is_dropped:
        _record_live_duplicates(connection, row, asked.at, at)
    if attribution is not None:
        row = links.attribute(connection, row.id, attribution, at)
    if recorded.is_news or attribution is not None:
        newest = answer if recorded.is_news else None
        _best_effort(connection, lambda: checks.run_checks(connection, row, newest, at), link_id=row.id)
    if recorded.is_news and is_paid(row.status):
        _best_effort(connection, lambda: settlement_rules.plan_checks(connection, row, at, schedule), link_id=row.id)
    return row


def _record_live_duplicates(connection: Connection, row: Link, asked_at: datetime, at: datetime) -> None:
    """Record an alarm when another link on the same challans is live as well.

    Both count as live by answers that were asked for once both were known: an older one may be from before an end.
    """
    if not duplicates.live_at_once(connection, row, asked_at):
        return
    duplicates.lock_detection(connection)
    if found := duplicates.live_at_once(connection, row, asked_at):
        _record_alarm(connection, row.id, found, at)


def attribute(connection: Connection, link_id: str, attribution: Attribution, at: datetime) -> None:
    """Record which intent created a link that is known already, and check the link for discrepancies again."""
    row = links.attribute(connection, link_id, attribution, at)
    _best_effort(connection, lambda: checks.run_checks(connection, row, None, at), link_id=link_id)


def hold(connection: Connection, intent_id: str, link_id: str, challan_ids: Iterable[str], at: datetime) -> None:
    """Claim the challans of a link; those that another link or intent holds as well are a duplicate alarm."""
    _record_alarm(connection, link_id, claims.hold(connection, intent_id, link_id, challan_ids, at), at)


def _reclaim(connection: Connection, row: Link, at: datetime) -> set[str]:
    """Claim the challans of a link again that had ended and has not after all.

    Returns those that another intent or its link holds by now.
    """
    held: set[str] = set()
    released = claims.released_with(connection, row.id)
    for intent_id in set(released.values()):
        challan_ids = [challan_id for challan_id, owner in released.items() if owner == intent_id]
        held.update(claims.hold(connection, intent_id, row.id, challan_ids, at))
    return held


def _watch_ended_duplicates(connection: Connection, row: Link, at: datetime) -> None:
    """Make the ended links due beside a link that can be paid, or the link itself if it is such an ended one."""
    if is_live(row.status):
        links.due_now(connection, [other.id for other in duplicates.ended_of(connection, row.id)], at)
    elif is_ended(row.status) and duplicates.is_beside_payable(connection, row.id):
        links.due_now(connection, [row.id], at)


def _became_paid(known: Link, row: Link) -> bool:
    """Return whether this is the first answer that says PAID. A search that said so before named no challans."""
    return is_paid(row.status) and not (known.detailed and is_paid(known.status))


def _record_alarm(connection: Connection, link_id: str, challan_ids: Collection[str], at: datetime) -> None:
    """Record a duplicate alarm about challans that another link or intent holds as well, if there are any."""
    if not challan_ids:
        return
    links.record_event(connection, link_id, links.DUPLICATE, at, new=f"{len(challan_ids)} challans")
    # Each alarm is a discrepancy of its own: its moment makes its facts differ.
    discrepancies.record(
        connection, link_id, DiscrepancyKind.DUPLICATE, {"challans": len(challan_ids), "at": at.isoformat()}, at
    )


def is_our_organization(connection: Connection, answer: PaymentLink, at: datetime) -> bool:
    """Return whether the link belongs to this store's organization, which the first link determines."""
    return answer.organization is None or organization.learn(connection, answer.organization, at)


def _best_effort(connection: Connection, work: Callable[[], None], **context: str) -> None:
    """Do bookkeeping in a savepoint: a failure is logged and never loses the recorded answer."""
    try:
        with connection.begin_nested():
            work()
    except Exception:
        log.exception("what an answer means could not be recorded beside it", extra=context)
