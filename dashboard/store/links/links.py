"""Store the ledger of payment links: every link ever observed, its challans, and an append-only history.

Rows are never deleted. A status is overwritten only by a newer answer, and the history records each change.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import Connection, Select, func, insert, select, update

from dashboard.domain.challans import AttachedLink
from dashboard.domain.links import AmountBreakdown, PaymentLink, is_paid
from dashboard.domain.registration import InvalidRegistration, normalize
from dashboard.store.links import statements
from dashboard.store.links.records import LINK_COLUMNS, Asked, CoveredChallan, Link, LinkEvent
from dashboard.store.links.tables import (
    CREATED,
    DUPLICATE,
    DUPLICATE_ACKNOWLEDGED,
    OBSERVED,
    RECOVERED,
    RELEASED,
    STATUS,
    link,
    link_challan,
    ranks,
    saving,
)
from dashboard.store.once import once
from dashboard.store.upserts import insert_if_absent

__all__ = ["CREATED", "DUPLICATE", "DUPLICATE_ACKNOWLEDGED", "OBSERVED", "RECOVERED"]

#: The largest clock offset that the column holds, in seconds; a larger one is stored as this.
_LARGEST_OFFSET = 2**31 - 1
#: The fields that the service may leave empty in an answer, and that an earlier one may have given.
UNSTATED_FIELDS = ("payment_url", "expires_at")
_ANY = select(link.c.id).limit(1)
#: The fields whose change makes an answer news.
_NEWS = ("status", "paid_at", "expires_at", "stored_amount", "stored_modes", "detailed")


@dataclass(frozen=True, slots=True)
class Recorded:
    """A link after an answer was recorded. `is_news`: the answer changed its status, amounts or challans.
    `covers_more`: it named challans that the link was not known to cover. `is_dropped`: a newer one is recorded.
    """

    row: Link
    is_news: bool
    covers_more: bool = False
    is_dropped: bool = False


@dataclass(frozen=True, slots=True)
class Attribution:
    """Which intent created a link. `origin` is CREATED, or RECOVERED for a link that resolving the outcome found."""

    origin: str
    intent_id: str
    person_id: int
    rc: str
    hours: int
    created_at: datetime


def select_links() -> Select[Any]:
    """Begin a query that `read_links` can read."""
    return select(*LINK_COLUMNS)


def read_links(connection: Connection, query: Select[Any]) -> list[Link]:
    """Run a query that begins with `select_links()`."""
    return [Link(*row) for row in connection.execute(query)]


def find(connection: Connection, link_id: str) -> Link | None:
    """Return a link; None when the ledger does not know it."""
    row = connection.execute(statements.BY_ID, {"link_id": link_id}).one_or_none()
    return None if row is None else Link(*row)


def are_any(connection: Connection) -> bool:
    """Return whether the ledger knows any link."""
    return connection.execute(_ANY).first() is not None


@once
def find_all(connection: Connection, link_ids: Iterable[str]) -> dict[str, Link]:
    """Return the links that the ledger knows, by id."""
    if not (wanted := list(link_ids)):
        return {}
    return {row[0]: Link(*row) for row in connection.execute(statements.BY_IDS, {"link_ids": wanted})}


def not_created_by(connection: Connection, rc: str, at: datetime, intent_id: str) -> frozenset[str]:
    """Return the links of a vehicle that an intent cannot have created: observed before its send, or of another one."""
    other = link.c.intent_id.is_not(None) & (link.c.intent_id != intent_id)
    query = select(link.c.id).where(link.c.rc == rc, (link.c.first_seen_at < at) | other)
    return frozenset(connection.execute(query).scalars())


def first_observed(connection: Connection, rc: str, since: datetime) -> dict[str, datetime]:
    """Return when each link of a vehicle was first observed, of those first observed since a moment; by link id."""
    query = select(link.c.id, link.c.first_seen_at).where(link.c.rc == rc, link.c.first_seen_at >= since)
    return {row.id: row.first_seen_at for row in connection.execute(query)}


def observed_since(connection: Connection, rc: str, at: datetime, challan_ids: Iterable[str]) -> list[str]:
    """Return the links of a vehicle that were first observed since a moment and are of no known intent.

    Of these, those that cover just these challans, or have no recorded answer yet.
    """
    unattributed = select(link.c.id, link.c.detailed).where(link.c.rc == rc, link.c.intent_id.is_(None))
    found = connection.execute(unattributed.where(link.c.first_seen_at >= at).order_by(link.c.id)).all()
    covered: dict[str, set[str]] = {row.id: set() for row in found}
    for row in challans_of(connection, *covered):
        covered[row.link_id].add(row.challan_id)
    return [row.id for row in found if not row.detailed or covered[row.id] == set(challan_ids)]


def recent(connection: Connection, limit: int = 12) -> list[Link]:
    """Return the newest links of the ledger, newest first."""
    return [Link(*row) for row in connection.execute(statements.NEWEST, {"limit": limit})]


def answered(connection: Connection, limit: int) -> list[str]:
    """Return the newest links that the service has answered for, and that it has not answered 404 for since."""
    query = select(link.c.id).where(link.c.detailed, func.coalesce(link.c.not_found, 0) == 0)
    return list(connection.execute(query.order_by(link.c.first_seen_at.desc(), link.c.id).limit(limit)).scalars())


def of_vehicle(connection: Connection, rc: str) -> list[Link]:
    """Return the links of a vehicle, newest first."""
    return [Link(*row) for row in connection.execute(statements.OF_VEHICLE, {"rc": rc})]


def newest_of_vehicles(connection: Connection, rcs: Iterable[str]) -> dict[str, Link]:
    """Return the newest link of each vehicle that has one, by RC number: of those that can still be paid, if any."""
    if not (wanted := list(rcs)):
        return {}
    found = [Link(*row) for row in connection.execute(statements.NEWEST_OF_VEHICLES, {"rcs": wanted})]
    return {link.rc: link for link in found if link.rc}


@once
def challans_of(connection: Connection, *link_ids: str) -> list[CoveredChallan]:
    """Return the challans of links, by link and in the service's order."""
    return [CoveredChallan(*row) for row in connection.execute(statements.CHALLANS, {"link_ids": link_ids})]


def paid_on(connection: Connection, challan_ids: Iterable[str]) -> dict[str, Link]:
    """Return the PAID link that covers each of these challans, for those that have one."""
    found = connection.execute(statements.PAID_ON, {"challan_ids": list(challan_ids)})
    return {row[0]: Link(*row[1:]) for row in found}


def ending_between(connection: Connection, start: datetime, end: datetime, limit: int = 12) -> list[Link]:
    """Return links whose expiry lies between two moments, soonest first."""
    given = {"start": start, "end": end, "limit": limit}
    return [Link(*row) for row in connection.execute(statements.ENDING, given)]


def challan_counts(connection: Connection, rows: Collection[Link]) -> dict[str, int | None]:
    """Return how many challans each link covers, by its id; None while only a search has shown the link."""
    counted = _challan_counts(connection, [row.id for row in rows])
    return {row.id: counted.get(row.id, 0 if row.detailed else None) for row in rows}


@once
def _challan_counts(connection: Connection, link_ids: list[str]) -> dict[str, int]:
    return dict(connection.execute(statements.CHALLAN_COUNTS, {"link_ids": link_ids}).all())


def events_of(connection: Connection, link_id: str) -> list[LinkEvent]:
    """Return the whole history of a link, oldest first."""
    return [LinkEvent(*row) for row in connection.execute(statements.EVENTS, {"link_id": link_id})]


def record_event(
    connection: Connection,
    link_id: str,
    kind: str,
    at: datetime,
    *,
    person_id: int | None = None,
    old: str | None = None,
    new: str | None = None,
) -> None:
    """Append an event to a link's history."""
    values = {"link_id": link_id, "kind": kind, "at": at, "person_id": person_id, "old": old, "new": new}
    connection.execute(statements.EVENT, values)


def record_sighting(connection: Connection, shown: AttachedLink, rc: str | None, at: datetime) -> bool:
    """Enter a link that a search showed on a challan (I5). True when the ledger did not know it.

    A search may come from the service's cache, so a known link is only made due: its next poll brings its status.
    """
    entered = insert_if_absent(
        connection,
        link,
        id=shown.id,
        rc=rc,
        status=shown.status,
        status_since=at,
        payment_url=shown.payment_url,
        modes=[],
        total=shown.total_amount,
        **ranks({"rc": rc, "total": shown.total_amount, "expires_at": None}),
        detailed=False,
        origin=OBSERVED,
        first_seen_at=at,
        next_check_at=at,
        version=1,
    )
    if entered:
        record_event(connection, shown.id, OBSERVED, at, new=shown.status)
    else:
        due_now(connection, [shown.id], at)
    return entered


def record_answer(
    connection: Connection,
    answer: PaymentLink,
    at: datetime,
    *,
    next_check_at: datetime | None,
    asked: Asked | None = None,
    rc: str | None = None,
) -> Recorded:
    """Record a creation or status answer; returns the link as it is then.

    An answer that was asked for before the newest recorded one changes nothing.
    """
    facts = _facts(answer, at, next_check_at)
    if asked is not None:
        facts |= {"answered_poll": asked.number, "asked_at": asked.at}
    row = _find_locked(connection, answer.id)
    if row is None and not _enter(connection, answer, at, facts, rc):
        row = _find_locked(connection, answer.id)  # Another transaction was first.
    if row is not None:
        if asked is not None and _is_older(asked, row):
            return Recorded(row, is_news=False, is_dropped=True)
        _update(connection, row, answer, at, facts)
    other_challans, covers_more = _record_challans(connection, answer)
    found = find(connection, answer.id)
    assert found is not None
    is_changed = row is None or any(getattr(found, name) != getattr(row, name) for name in _NEWS)
    return Recorded(found, is_changed or other_challans or covers_more, covers_more)


def _is_older(asked: Asked, row: Link) -> bool:
    """Return whether an answer was asked for before the newest recorded one of its link."""
    return row.asked_at is not None and asked < Asked(row.answered_poll, row.asked_at)


def _find_locked(connection: Connection, link_id: str) -> Link | None:
    """Return the link as last committed, locked until this transaction ends."""
    row = connection.execute(statements.LOCKED, {"link_id": link_id}).one_or_none()
    return None if row is None else Link(*row)


def _enter(connection: Connection, answer: PaymentLink, at: datetime, facts: dict[str, Any], rc: str | None) -> bool:
    """Enter a link that the ledger did not know; False when another transaction has entered it."""
    values = {"modes": [], "origin": OBSERVED, "first_seen_at": at, "version": 1}
    values |= {"status": answer.status or "(none)", "status_since": at, "rc": rc or _vehicle_of(answer)}
    ranked = ranks({"expires_at": None} | values | facts)
    entered = insert_if_absent(connection, link, id=answer.id, **values | facts | ranked)
    if entered:
        record_event(connection, answer.id, OBSERVED, at, new=answer.status)
    return entered


def _update(connection: Connection, row: Link, answer: PaymentLink, at: datetime, facts: dict[str, Any]) -> None:
    """Update a known link; what the answer leaves out stays."""
    values = {"version": row.version + 1} | facts
    offset, known = facts.get("service_clock_offset"), row.service_clock_offset
    if offset is not None and known is not None and abs(offset - known) <= 1:
        # The service says whole seconds, so that the offset of the same clocks is now one more and now one less, and
        # what is shown of the link would change with each of its checks.
        values["service_clock_offset"] = known
    status = row.status if answer.status is None else answer.status
    if status != row.status:
        values |= {"status": status, "status_since": at}
        record_event(connection, answer.id, STATUS, at, old=row.status, new=status)
    if not is_paid(status):
        values.setdefault("paid_at", None)
    connection.execute(update(link).where(link.c.id == answer.id).values(**values | ranks(values)))


def _vehicle_of(answer: PaymentLink) -> str | None:
    """Return the vehicle that all challans of a link name; None when they name several, or none."""
    numbers = {item.rc_number for item in answer.challans if item.rc_number}
    try:
        return normalize(numbers.pop()) if len(numbers) == 1 else None
    except InvalidRegistration:
        return None


def _facts(answer: PaymentLink, at: datetime, next_check_at: datetime | None) -> dict[str, Any]:
    """Return the columns that an answer gives, with their values."""
    checked: dict[str, Any] = {"detailed": True, "checked_at": at, "next_check_at": next_check_at}
    checked |= {"failed_at": None, "failure": None, "failures": 0, "not_found": 0, "lease_until": None}
    given: dict[str, Any] = {
        "expires_at": answer.expires_at,
        "paid_at": answer.paid_at,
        "payment_url": answer.payment_url,
    }
    if "payment_mode_options" not in answer.gaps:
        given["modes"] = [_amounts(option) for option in answer.payment_mode_options]
        given["saving"] = saving([option.total_amount for option in answer.payment_mode_options])
    if answer.service_time is not None:
        offset = round((answer.service_time - at).total_seconds())
        given["service_clock_offset"] = max(-_LARGEST_OFFSET, min(offset, _LARGEST_OFFSET))
    checked["unstated"] = ",".join(name for name in UNSTATED_FIELDS if given[name] is None)
    facts = checked | {name: value for name, value in given.items() if value is not None}
    if answer.amount is not None:
        # Replaced as a whole: an old total beside new parts would not be their sum.
        facts |= {"amount": _amounts(answer.amount), "total": answer.amount.total_amount}
    return facts


def _record_challans(connection: Connection, answer: PaymentLink) -> tuple[bool, bool]:
    """Record the challans of an answer. A challan that was named before stays.

    Returns whether the stored challans changed, and whether any were added.
    """
    known = {row.challan_id: row for row in challans_of(connection, answer.id)}
    listed = {item.id: asdict(item) | {"position": position} for position, item in enumerate(answer.challans)}
    fresh, is_changed = [], bool(answer.challans and known.keys() - listed.keys())
    for challan_id, values in listed.items():
        del values["id"]
        row = known.get(challan_id)
        if row is None:
            fresh.append({"link_id": answer.id, "challan_id": challan_id, **values})
        elif any(getattr(row, name) != value for name, value in values.items()):
            same = (link_challan.c.link_id == answer.id, link_challan.c.challan_id == challan_id)
            connection.execute(update(link_challan).where(*same).values(**values))
            is_changed = True
    if fresh:
        connection.execute(insert(link_challan), fresh)
    return is_changed, bool(fresh)


def attribute(connection: Connection, link_id: str, attribution: Attribution, at: datetime) -> Link:
    """Record which intent created a link; returns the link."""
    values = asdict(attribution)
    same = update(link).where(link.c.id == link_id).values(**values | ranks(values))
    row = connection.execute(same.returning(*LINK_COLUMNS)).one()
    record_event(connection, link_id, attribution.origin, at, person_id=attribution.person_id)
    return Link(*row)


def record_release(connection: Connection, link_id: str, at: datetime, person_id: int, reason: str) -> None:
    """Record that a manager released the claims of a link that the service no longer knows."""
    values = {"released_at": at, "released_by": person_id, "release_reason": reason}
    connection.execute(update(link).where(link.c.id == link_id).values(**values))
    record_event(connection, link_id, RELEASED, at, person_id=person_id, new=reason)


def end_release(connection: Connection, link_id: str) -> None:
    """Forget a manager's release, because the service knows the link again; its history keeps it."""
    values = {"released_at": None, "released_by": None, "release_reason": None}
    connection.execute(update(link).where(link.c.id == link_id).values(**values))


@dataclass(frozen=True, slots=True)
class NotFoundCount:
    """How many links the service has answered 404 for since it last knew any link, and when it first did."""

    links: int
    since: datetime


def not_found_since_last_answer(connection: Connection) -> NotFoundCount | None:
    """Count the links that the service does not know since the newest answer about any link; None without one."""
    found, since = connection.execute(statements.NOT_FOUND).one()
    return NotFoundCount(found, since) if found else None


def due_now(connection: Connection, link_ids: Iterable[str], at: datetime) -> None:
    """Make links due at `at`; those that are due sooner stay so."""
    if not (wanted := list(link_ids)):
        return
    late = (link.c.id.in_(wanted), (link.c.next_check_at > at) | link.c.next_check_at.is_(None))
    connection.execute(update(link).where(*late).values(next_check_at=at))


def _amounts(breakdown: AmountBreakdown) -> dict[str, str | None]:
    return {name: str(value) if isinstance(value, Decimal) else value for name, value in asdict(breakdown).items()}
