"""Requests that a manager set aside: nobody knows what became of them, and their challans are free for another one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, insert, select, update

from dashboard.domain.intents import IntentState
from dashboard.store.creation.intents import claim, intent, intent_event


def record(
    connection: Connection, intent_id: str, at: datetime, person_id: int, why: str, next_check_at: datetime | None
) -> bool:
    """Set a request aside; its state stays. False unless it needs attention and nobody has set it aside yet."""
    waits = (intent.c.state == IntentState.NEEDS_ATTENTION, intent.c.set_aside_at.is_(None))
    values = {"set_aside_at": at, "set_aside_by": person_id, "set_aside_why": why, "next_check_at": next_check_at}
    one = update(intent).where(intent.c.id == intent_id, *waits)
    if connection.execute(one.values(**values).returning(intent.c.id)).first() is None:
        return False
    state = IntentState.NEEDS_ATTENTION
    event = {"intent_id": intent_id, "at": at, "old": state, "new": state, "detail": f"set aside: {why}"}
    connection.execute(insert(intent_event).values(**event))
    return True


def still_looked_for(connection: Connection, limit: int = 12) -> Sequence[Row[Any]]:
    """The requests set aside whose link is still looked for, those set aside last first."""
    aside = (intent.c.state == IntentState.NEEDS_ATTENTION, intent.c.set_aside_at.is_not(None))
    query = select(intent).where(*aside, intent.c.next_check_at.is_not(None))
    return connection.execute(query.order_by(intent.c.set_aside_at.desc()).limit(limit)).all()


def undecided(connection: Connection, challan_ids: Iterable[str]) -> Sequence[Row[Any]]:
    """The requests that stand set aside and had one of these challans, oldest first."""
    had = select(claim.c.intent_id).where(claim.c.challan_id.in_(list(challan_ids)))
    aside = (intent.c.state == IntentState.NEEDS_ATTENTION, intent.c.set_aside_at.is_not(None))
    return connection.execute(select(intent).where(intent.c.id.in_(had), *aside).order_by(intent.c.prepared_at)).all()


def sent_since(connection: Connection, challan_ids: Iterable[str], at: datetime, intent_id: str) -> bool:
    """Whether another request for one of these challans was sent after a moment."""
    return _claimed_by_another(connection, challan_ids, intent_id, intent.c.sends > 0, claim.c.claimed_at >= at)


def under_way(connection: Connection, challan_ids: Iterable[str], intent_id: str) -> bool:
    """Whether another request holds one of these challans and does not know of a link yet."""
    open_ones = (claim.c.released_at.is_(None), claim.c.link_id.is_(None))
    return _claimed_by_another(connection, challan_ids, intent_id, *open_ones)


def _claimed_by_another(
    connection: Connection, challan_ids: Iterable[str], intent_id: str, *conditions: ColumnElement[bool]
) -> bool:
    query = select(claim.c.id).join(intent, intent.c.id == claim.c.intent_id)
    theirs = (claim.c.challan_id.in_(list(challan_ids)), claim.c.intent_id != intent_id)
    return connection.execute(query.where(*theirs, *conditions).limit(1)).first() is not None
