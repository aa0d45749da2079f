"""Store intents: the write-ahead record of a creation (link-creation.md, "Records and states").

The database enforces the invariants: one open claim per challan (a partial unique index, I1) and at most one send per
intent (a check, I2). States change by conditional updates only, so that any number of processes may try.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    CheckConstraint,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Select,
    String,
    Table,
    Text,
    UniqueConstraint,
    bindparam,
    func,
    insert,
    select,
    update,
)

from dashboard.domain.intents import OPEN, RESOLVABLE, UNCLEAR, IntentState
from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.once import once
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

intent = Table(
    "intent",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("request_key", String(64), nullable=False),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("rc", String(MAX_LENGTH), nullable=False, index=True),
    Column("challan_ids", JSON, nullable=False),
    Column("hours", Integer, nullable=False),
    Column("state", String(16), nullable=False, index=True),
    Column("state_since", Moment, nullable=False),
    Column("sends", Integer, nullable=False),
    Column("prepared_at", Moment, nullable=False),
    Column("send_started", Moment),
    Column("send_ended", Moment),
    Column("lease_until", Moment),
    Column("http_status", Integer),
    Column("outcome", String(40)),
    Column("negatives", Integer, nullable=False),
    Column("last_negative_at", Moment),
    Column("attempts", Integer, nullable=False),
    Column("last_attempt_at", Moment),
    Column("attempt_failed_at", Moment),
    Column("attempt_failure", String(40)),
    Column("next_check_at", Moment),
    Column("resolving_until", Moment),
    Column("link_id", String(36)),
    Column("attribution", String(8)),
    Column("replaces", String(36), index=True),
    Column("released_at", Moment),
    Column("released_by", Integer, ForeignKey("person.id")),
    Column("release_reason", Text),
    UniqueConstraint("person_id", "request_key"),
    CheckConstraint("sends <= 1", name="one_send"),
)
Index("ix_intent_next_check_at", intent.c.next_check_at)

claim = Table(
    "claim",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("challan_id", String(36), nullable=False, index=True),
    Column("intent_id", String(36), ForeignKey("intent.id"), nullable=False, index=True),
    Column("link_id", String(36), index=True),
    Column("claimed_at", Moment, nullable=False),
    Column("released_at", Moment),
    Column("why", Text),
)
_open_claims = claim.c.released_at.is_(None)
Index(
    "uq_claim_open_challan",
    claim.c.challan_id,
    unique=True,
    sqlite_where=_open_claims,
    postgresql_where=_open_claims,
)

_RESOLVABLE = [str(state) for state in RESOLVABLE]

#: Every change of state, append-only (I7).
intent_event = Table(
    "intent_event",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("intent_id", String(36), ForeignKey("intent.id"), nullable=False, index=True),
    Column("at", Moment, nullable=False),
    Column("old", String(16)),
    Column("new", String(16), nullable=False),
    Column("detail", Text),
)


@dataclass(frozen=True, slots=True)
class Intent:
    """An intent as stored. Moments are aware UTC; None means that it has not happened or is unknown.

    `challan_ids` is sorted. `hours` is the requested lifetime of the link, 24 to 168.
    `sends` is 0 or 1 (I2). `lease_until` ends the time in which the sending process alone works on it.
    `http_status` and `outcome` (the name of an error class, or of a cause of our own) describe the answer to the send.
    `negatives` counts attempts that showed all challans payable and free, as far as they were a gap apart.
    `attempts`, `last_attempt_at`, `attempt_failed_at` and `attempt_failure` (the name of an error class) describe the
    attempts to resolve an unclear outcome; one is under way until `resolving_until` at the latest.
    `next_check_at` is when the next attempt is due, or None when no more are made.
    `link_id` is the link that the intent created, or after ATTACHED one that holds some of its challans.
    `attribution` is "certain" when the service returned the link to the send, "inferred" when a search found it.
    `replaces` is the ended link for which a replacement was requested.
    `released_at`, `released_by` and `release_reason` are set once a manager has released its claims.
    """

    id: str
    state: IntentState
    state_since: datetime
    request_key: str
    person_id: int
    rc: str
    challan_ids: list[str]
    hours: int
    sends: int
    prepared_at: datetime
    send_started: datetime | None
    send_ended: datetime | None
    lease_until: datetime | None
    http_status: int | None
    outcome: str | None
    negatives: int
    last_negative_at: datetime | None
    attempts: int
    last_attempt_at: datetime | None
    attempt_failed_at: datetime | None
    attempt_failure: str | None
    resolving_until: datetime | None
    next_check_at: datetime | None
    link_id: str | None
    attribution: str | None
    replaces: str | None
    released_at: datetime | None
    released_by: int | None
    release_reason: str | None


#: Selects what `read` needs; add conditions to it.
selection = select(*(intent.c[field.name] for field in fields(Intent)))
# To build a statement takes longer than to execute it: those of every page and every creation are built once.
_BY_ID = selection.where(intent.c.id == bindparam("intent_id"))
_BY_IDS = selection.where(intent.c.id.in_(bindparam("ids", expanding=True)))
_BY_KEY = selection.where(
    intent.c.person_id == bindparam("person_id"), intent.c.request_key == bindparam("request_key")
)
_OPEN_OF_VEHICLE = selection.where(intent.c.rc == bindparam("rc"), intent.c.state.in_([str(state) for state in OPEN]))
_IN_STATES = selection.where(intent.c.state.in_(bindparam("states", expanding=True)))
_IN_STATES = _IN_STATES.order_by(intent.c.prepared_at).limit(bindparam("limit"))
_IN_STATES_BUT_RELEASED = _IN_STATES.where(intent.c.released_at.is_(None))
_RESULTS = select(intent.c.id, intent.c.state, intent.c.link_id).where(
    intent.c.id.in_(bindparam("ids", expanding=True))
)
_STATE = select(intent.c.state).where(intent.c.id == bindparam("intent_id"))
# Locked, so that of two changes at once the second one goes by the state that the first one left.
_STATE_LOCKED = _STATE.with_for_update()
_ADDED = insert(intent)
_CLAIMED = insert(claim)
_EVENT = insert(intent_event)


def read(connection: Connection, query: Select[Any], given: Mapping[str, Any] | None = None) -> list[Intent]:
    """Return the intents that a query of `selection` with conditions finds; `given` holds its parameters."""
    return [Intent(row[0], IntentState(row[1]), *row[2:]) for row in connection.execute(query, given)]


def add(
    connection: Connection,
    *,
    intent_id: str,
    request_key: str,
    person_id: int,
    rc: str,
    challan_ids: Sequence[str],
    hours: int,
    replaces: str | None = None,
    at: datetime,
) -> None:
    """Write a PREPARED intent with its claims, in sorted order. IntegrityError when a challan is claimed already."""
    ordered = sorted(challan_ids)
    prepared = {
        "id": intent_id,
        "request_key": request_key,
        "person_id": person_id,
        "rc": rc,
        "challan_ids": ordered,
        "hours": hours,
        "state": IntentState.PREPARED,
        "state_since": at,
        "sends": 0,
        "prepared_at": at,
        "replaces": replaces,
        "negatives": 0,
        "attempts": 0,
    }
    connection.execute(_ADDED, prepared)
    claims = [{"challan_id": item, "intent_id": intent_id, "claimed_at": at} for item in ordered]
    connection.execute(_CLAIMED, claims)
    record_event(connection, intent_id, at, None, IntentState.PREPARED)


@once
def find(connection: Connection, intent_id: str) -> Intent | None:
    return next(iter(read(connection, _BY_ID, {"intent_id": intent_id})), None)


def find_all(connection: Connection, intent_ids: Collection[str]) -> dict[str, Intent]:
    """Return the intents with these ids that there are, by id."""
    return {found.id: found for found in read(connection, _BY_IDS, {"ids": list(intent_ids)})} if intent_ids else {}


def results(connection: Connection, intent_ids: Collection[str]) -> dict[str, tuple[IntentState, str | None]]:
    """Return the states of intents by id, and the links that they name."""
    if not intent_ids:
        return {}
    rows = connection.execute(_RESULTS, {"ids": list(intent_ids)})
    return {row.id: (IntentState(row.state), row.link_id) for row in rows}


def find_by_key(connection: Connection, person_id: int, request_key: str) -> Intent | None:
    """Return the intent of a person's request key, if there is one."""
    return next(iter(read(connection, _BY_KEY, {"person_id": person_id, "request_key": request_key})), None)


def count_with_outcome(connection: Connection, person_id: int, keys: Collection[str], outcomes: Collection[str]) -> int:
    """Count those of a person's request keys whose intents ended with one of these outcomes."""
    if not keys:
        return 0
    query = select(func.count()).where(intent.c.person_id == person_id, intent.c.request_key.in_(list(keys)))
    return int(connection.execute(query.where(intent.c.outcome.in_(sorted(outcomes)))).scalar_one())


def in_states(
    connection: Connection, states: Iterable[IntentState], limit: int = 50, *, but_released: bool = False
) -> list[Intent]:
    """Return intents in these states, oldest first; `but_released` leaves out those whose claims a manager released."""
    query = _IN_STATES_BUT_RELEASED if but_released else _IN_STATES
    return read(connection, query, {"states": [str(state) for state in states], "limit": limit})


def open_of_vehicle(connection: Connection, rc: str) -> list[Intent]:
    """Return the intents of a vehicle whose claims stand."""
    return read(connection, _OPEN_OF_VEHICLE, {"rc": rc})


def resolvable_on(connection: Connection, challan_ids: Iterable[str], late_since: datetime) -> list[Intent]:
    """Return the intents on these challans that may turn out to have created a link, the latest sent first.

    Of those that ended NOT_CREATED only the ones whose send ended after `late_since`.
    """
    had = select(claim.c.intent_id).where(claim.c.challan_id.in_(list(challan_ids)))
    late = (intent.c.state != IntentState.NOT_CREATED) | (intent.c.send_ended > late_since)
    query = selection.where(intent.c.id.in_(had), intent.c.state.in_(_RESOLVABLE), late)
    return read(connection, query.order_by(intent.c.send_started.desc(), intent.c.id))


def mark_sending(
    connection: Connection, intent_id: str, at: datetime, lease_until: datetime, prepared_after: datetime
) -> bool:
    """Move PREPARED to SENDING and count the send (step 3). False when the intent is not PREPARED or out of time.

    Then nothing may be sent: another process has moved it, or it was prepared before `prepared_after` and has no lease.
    """
    is_new = (intent.c.lease_until.is_(None)) & (intent.c.prepared_at > prepared_after)
    in_time = is_new | (intent.c.lease_until > at)
    one = update(intent).where(intent.c.id == intent_id, intent.c.state == IntentState.PREPARED, in_time)
    values = {"state": IntentState.SENDING, "state_since": at, "send_started": at, "lease_until": lease_until}
    done = connection.execute(one.values(sends=intent.c.sends + 1, **values).returning(intent.c.id)).first()
    if done is None:
        return False
    record_event(connection, intent_id, at, IntentState.PREPARED, IntentState.SENDING)
    return True


def move(
    connection: Connection,
    intent_id: str,
    old: Iterable[IntentState],
    new: IntentState,
    at: datetime,
    detail: str = "",
    **values: Any,  # any columns of the table
) -> bool:
    """Change the state if it is one of `old`, and other columns with it; False when another process was first."""
    state = connection.execute(_STATE_LOCKED, {"intent_id": intent_id}).scalar_one_or_none()
    if state is None or state not in set(old):
        return False
    one = update(intent).where(intent.c.id == intent_id, intent.c.state == state)
    done = connection.execute(one.values(state=new, state_since=at, **values).returning(intent.c.id)).first()
    if done is None:
        return False
    record_event(connection, intent_id, at, state, new, detail)
    return True


def record_attempt(connection: Connection, intent_id: str, attempts_before: int, **values: Any) -> bool:
    """Write what an attempt to resolve found, without a change of state; False when another attempt came first."""
    same = (intent.c.id == intent_id, intent.c.attempts == attempts_before, intent.c.state.in_(_RESOLVABLE))
    done = connection.execute(update(intent).where(*same).values(**values).returning(intent.c.id)).first()
    return done is not None


def begin_attempt(connection: Connection, intent_id: str, now: datetime, until: datetime) -> bool:
    """Claim the one attempt to resolve an intent; False while another is under way, or when nothing is unclear."""
    free = (intent.c.resolving_until.is_(None)) | (intent.c.resolving_until <= now)
    one = update(intent).where(intent.c.id == intent_id, intent.c.state.in_(_RESOLVABLE), free)
    return connection.execute(one.values(resolving_until=until).returning(intent.c.id)).first() is not None


def end_attempt(connection: Connection, intent_id: str) -> None:
    """Give the claim of `begin_attempt` back."""
    connection.execute(update(intent).where(intent.c.id == intent_id).values(resolving_until=None))


def plan_attempt(connection: Connection, intent_id: str, at: datetime | None) -> None:
    """Set when the next attempt to resolve an intent is due; None for never."""
    connection.execute(update(intent).where(intent.c.id == intent_id).values(next_check_at=at))


def make_due(connection: Connection, rc: str, at: datetime, sent_after: datetime) -> None:
    """Make the intents due that may have created a link of their vehicle which was observed just now."""
    late = (intent.c.state == IntentState.NOT_CREATED) & (intent.c.send_ended > sent_after)
    unclear = intent.c.state.in_([str(state) for state in UNCLEAR])
    connection.execute(update(intent).where(intent.c.rc == rc, late | unclear).values(next_check_at=at))


def extend_lease(connection: Connection, intent_id: str, lease_until: datetime) -> None:
    """Give a prepared intent until then to be sent; without it, the watcher abandons it sooner."""
    one = update(intent).where(intent.c.id == intent_id, intent.c.state == IntentState.PREPARED)
    connection.execute(one.values(lease_until=lease_until))


def shorten_lease(connection: Connection, intent_id: str, lease_until: datetime) -> None:
    """End the lease of a sending intent earlier: a clock that was far ahead has set it."""
    one = update(intent).where(intent.c.id == intent_id, intent.c.state == IntentState.SENDING)
    connection.execute(one.where(intent.c.lease_until > lease_until).values(lease_until=lease_until))


def clamp_plans(connection: Connection, now: datetime, unclear_until: datetime, until: datetime) -> None:
    """Make intents due whose plan is later than any plan of ours, and free attempts that seem to last for ever."""
    is_unclear = intent.c.state == IntentState.UNKNOWN
    too_late = (intent.c.next_check_at > until) | (is_unclear & (intent.c.next_check_at > unclear_until))
    connection.execute(update(intent).where(intent.c.state.in_(_RESOLVABLE), too_late).values(next_check_at=now))
    stuck = intent.c.resolving_until > unclear_until
    connection.execute(update(intent).where(intent.c.state.in_(_RESOLVABLE), stuck).values(resolving_until=None))


def any_due(connection: Connection, now: datetime) -> bool:
    """Tell whether an attempt may be due: a cheap read before anybody takes the write lock."""
    due = select(intent.c.id).where(intent.c.next_check_at <= now, intent.c.state.in_(_RESOLVABLE))
    return connection.execute(due.limit(1)).first() is not None


def claim_due(connection: Connection, now: datetime, again_at: datetime, limit: int) -> list[str]:
    """Claim the intents that are due by moving `next_check_at` ahead: the process that moves one works on it."""
    due = select(intent.c.id).where(intent.c.next_check_at <= now, intent.c.state.in_(_RESOLVABLE))
    # Those that a day of attempts did not settle let the others go first.
    waits = intent.c.state == IntentState.NEEDS_ATTENTION
    due = due.order_by(waits, intent.c.next_check_at).limit(limit)
    taken = []
    for intent_id in connection.execute(due).scalars().all():
        one = update(intent).where(intent.c.id == intent_id, intent.c.next_check_at <= now)
        if connection.execute(one.values(next_check_at=again_at).returning(intent.c.id)).first():
            taken.append(intent_id)
    return taken


def was_ever(connection: Connection, intent_id: str, state: IntentState) -> bool:
    """Tell whether an intent was ever in a state."""
    query = select(intent_event.c.id).where(intent_event.c.intent_id == intent_id, intent_event.c.new == state)
    return connection.execute(query.limit(1)).first() is not None


def record_event(
    connection: Connection, intent_id: str, at: datetime, old: str | None, new: str, detail: str = ""
) -> None:
    """Append to the history of an intent (I7)."""
    values = {"intent_id": intent_id, "at": at, "old": old, "new": new, "detail": detail or None}
    connection.execute(_EVENT, values)
