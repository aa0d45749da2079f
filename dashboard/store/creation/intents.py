"""Requests to create a link: the write-ahead record of link-creation.md. What they claim is in `claims`.

What must hold is held by the database: one open claim per challan (a partial unique index, I1) and at most one send
per intent (a check, I2). States change by conditional updates only, so that any number of processes may try.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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
    Row,
    String,
    Table,
    Text,
    UniqueConstraint,
    insert,
    select,
    update,
)

from dashboard.domain.intents import LOOKED_AT, OPEN, IntentState
from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

intent = Table(
    "intent",
    metadata,
    Column("id", String(36), primary_key=True),
    Column("request_key", String(64), nullable=False),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("organization_id", String(36)),
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
    Column("looks", Integer, nullable=False),
    Column("last_look_at", Moment),
    Column("look_failed_at", Moment),
    Column("look_failure", String(40)),
    Column("next_check_at", Moment),
    Column("looking_until", Moment),
    Column("link_id", String(36)),
    Column("attribution", String(8)),
    Column("replaces", String(36), index=True),  # The ended link in whose place this request asks for one.
    # A manager has let its challans go although nobody knows what became of it.
    Column("set_aside_at", Moment),
    Column("set_aside_by", Integer, ForeignKey("person.id")),
    Column("set_aside_why", Text),
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

_LOOKED_AT = [str(state) for state in LOOKED_AT]

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
    connection.execute(
        insert(intent).values(
            id=intent_id,
            request_key=request_key,
            person_id=person_id,
            rc=rc,
            challan_ids=ordered,
            hours=hours,
            state=IntentState.PREPARED,
            state_since=at,
            sends=0,
            prepared_at=at,
            replaces=replaces,
            negatives=0,
            looks=0,
        )
    )
    claims = [{"challan_id": item, "intent_id": intent_id, "claimed_at": at} for item in ordered]
    connection.execute(insert(claim), claims)
    _record_event(connection, intent_id, at, None, IntentState.PREPARED)


def find(connection: Connection, intent_id: str) -> Row[Any] | None:
    return connection.execute(select(intent).where(intent.c.id == intent_id)).one_or_none()


def find_by_key(connection: Connection, person_id: int, request_key: str) -> Row[Any] | None:
    query = select(intent).where(intent.c.person_id == person_id, intent.c.request_key == request_key)
    return connection.execute(query).one_or_none()


def in_states(
    connection: Connection, states: Iterable[IntentState], limit: int = 50, *, but_set_aside: bool = False
) -> Sequence[Row[Any]]:
    query = select(intent).where(intent.c.state.in_([str(state) for state in states]))
    if but_set_aside:
        query = query.where(intent.c.set_aside_at.is_(None))
    return connection.execute(query.order_by(intent.c.prepared_at).limit(limit)).all()


def open_of_vehicle(connection: Connection, rc: str) -> Sequence[Row[Any]]:
    query = select(intent).where(intent.c.rc == rc, intent.c.state.in_([str(state) for state in OPEN]))
    return connection.execute(query).all()


def mark_sending(connection: Connection, intent_id: str, at: datetime, lease_until: datetime) -> bool:
    """PREPARED -> SENDING, the send counted. False when the row is anything but PREPARED and within its time.

    Then nothing may be sent: its time is over, or somebody else has settled it.
    """
    in_time = (intent.c.lease_until.is_(None)) | (intent.c.lease_until > at)
    one = update(intent).where(intent.c.id == intent_id, intent.c.state == IntentState.PREPARED, in_time)
    values = {"state": IntentState.SENDING, "state_since": at, "send_started": at, "lease_until": lease_until}
    done = connection.execute(one.values(sends=intent.c.sends + 1, **values).returning(intent.c.id)).first()
    if done is None:
        return False
    _record_event(connection, intent_id, at, IntentState.PREPARED, IntentState.SENDING)
    return True


def move(
    connection: Connection,
    intent_id: str,
    old: Iterable[IntentState],
    new: IntentState,
    at: datetime,
    detail: str = "",
    **values: Any,
) -> bool:
    """Change the state if it is still one of `old`, with other columns; False when somebody else was first."""
    row = find(connection, intent_id)
    if row is None or row.state not in set(old):
        return False
    one = update(intent).where(intent.c.id == intent_id, intent.c.state == row.state)
    done = connection.execute(one.values(state=new, state_since=at, **values).returning(intent.c.id)).first()
    if done is None:
        return False
    _record_event(connection, intent_id, at, row.state, new, detail)
    return True


def note(connection: Connection, intent_id: str, seen_looks: int, **values: Any) -> bool:
    """Write what a look found, without a change of state; False when another look, or the end of it, came first."""
    same = (intent.c.id == intent_id, intent.c.looks == seen_looks, intent.c.state.in_(_LOOKED_AT))
    done = connection.execute(update(intent).where(*same).values(**values).returning(intent.c.id)).first()
    return done is not None


def take_look(connection: Connection, intent_id: str, now: datetime, until: datetime) -> bool:
    """Claim the one look at an intent; False while somebody else looks, or when there is nothing to find out."""
    free = (intent.c.looking_until.is_(None)) | (intent.c.looking_until <= now)
    one = update(intent).where(intent.c.id == intent_id, intent.c.state.in_(_LOOKED_AT), free)
    return connection.execute(one.values(looking_until=until).returning(intent.c.id)).first() is not None


def plan_look(connection: Connection, intent_id: str, at: datetime | None) -> None:
    """Say when an intent is looked at for the next time; never again with None."""
    connection.execute(update(intent).where(intent.c.id == intent_id).values(next_check_at=at))


def end_look(connection: Connection, intent_id: str) -> None:
    connection.execute(update(intent).where(intent.c.id == intent_id).values(looking_until=None))


def look_again(connection: Connection, rc: str, at: datetime, sent_after: datetime) -> None:
    """Make the requests for a vehicle that let its challans go without a link due: one has turned up."""
    late = (intent.c.state == IntentState.NOT_CREATED) & (intent.c.send_ended > sent_after)
    aside = (intent.c.state == IntentState.NEEDS_ATTENTION) & intent.c.set_aside_at.is_not(None)
    connection.execute(update(intent).where(intent.c.rc == rc, late | aside).values(next_check_at=at))


def extend(connection: Connection, intent_id: str, lease_until: datetime) -> None:
    """Give a prepared request until then to be sent; without it, it is abandoned sooner."""
    one = update(intent).where(intent.c.id == intent_id, intent.c.state == IntentState.PREPARED)
    connection.execute(one.values(lease_until=lease_until))


def any_due(connection: Connection, now: datetime) -> bool:
    """Whether a look may be due: a cheap question before anybody takes the write lock."""
    due = select(intent.c.id).where(intent.c.next_check_at <= now, intent.c.state.in_(_LOOKED_AT))
    return connection.execute(due.limit(1)).first() is not None


def take_due(connection: Connection, now: datetime, again_at: datetime, limit: int) -> list[str]:
    """Claim the intents that are due for a look, by moving their next look ahead: whoever moves one looks."""
    due = select(intent.c.id).where(intent.c.next_check_at <= now, intent.c.state.in_(_LOOKED_AT))
    due = due.order_by(intent.c.next_check_at).limit(limit)
    taken = []
    for intent_id in connection.execute(due).scalars().all():
        one = update(intent).where(intent.c.id == intent_id, intent.c.next_check_at <= now)
        if connection.execute(one.values(next_check_at=again_at).returning(intent.c.id)).first():
            taken.append(intent_id)
    return taken


def has_been(connection: Connection, intent_id: str, state: IntentState) -> bool:
    """Whether an intent ever came into a state."""
    query = select(intent_event.c.id).where(intent_event.c.intent_id == intent_id, intent_event.c.new == state)
    return connection.execute(query.limit(1)).first() is not None


def _record_event(
    connection: Connection, intent_id: str, at: datetime, old: str | None, new: str, detail: str = ""
) -> None:
    values = {"intent_id": intent_id, "at": at, "old": old, "new": new, "detail": detail or None}
    connection.execute(insert(intent_event).values(**values))
