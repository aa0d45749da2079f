"""Store the release of claims by a manager: the outcome stays unclear, and the challans are free for other intents."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, bindparam, select, update

from dashboard.domain.intents import IntentState
from dashboard.store.creation import intents
from dashboard.store.creation.intents import Intent, claim, intent

_released = (intent.c.state == IntentState.NEEDS_ATTENTION) & intent.c.released_at.is_not(None)
_STILL_RESOLVING = intents.selection.where(_released, intent.c.next_check_at.is_not(None))
_STILL_RESOLVING = _STILL_RESOLVING.order_by(intent.c.released_at.desc()).limit(bindparam("limit"))


def record(
    connection: Connection, intent_id: str, at: datetime, person_id: int, reason: str, next_check_at: datetime | None
) -> bool:
    """Record who released an intent's claims and why; its state stays.

    False unless the intent needs attention and nobody has released its claims yet.
    """
    state = IntentState.NEEDS_ATTENTION
    one = update(intent).where(intent.c.id == intent_id, intent.c.state == state, intent.c.released_at.is_(None))
    one = one.values(released_at=at, released_by=person_id, release_reason=reason, next_check_at=next_check_at)
    if connection.execute(one.returning(intent.c.id)).first() is None:
        return False
    intents.record_event(connection, intent_id, at, state, state, f"released by a manager: {reason}")
    return True


def still_resolving(connection: Connection, limit: int = 12) -> list[Intent]:
    """Return the released intents whose outcome is still being resolved, the latest released first."""
    return intents.read(connection, _STILL_RESOLVING, {"limit": limit})


def unclear_on(connection: Connection, challan_ids: Iterable[str]) -> list[Intent]:
    """Return the released intents of unclear outcome that had one of these challans, oldest first."""
    had = select(claim.c.intent_id).where(claim.c.challan_id.in_(list(challan_ids)))
    query = intents.selection.where(intent.c.id.in_(had), _released)
    return intents.read(connection, query.order_by(intent.c.prepared_at))


def sent_since(connection: Connection, challan_ids: Iterable[str], at: datetime, intent_id: str) -> bool:
    """Tell whether another intent for one of these challans was sent after a moment."""
    return _claimed_by_another(connection, challan_ids, intent_id, intent.c.sends > 0, claim.c.claimed_at >= at)


def under_way(connection: Connection, challan_ids: Iterable[str], intent_id: str) -> bool:
    """Tell whether another intent holds one of these challans and knows of no link yet."""
    open_ones = (claim.c.released_at.is_(None), claim.c.link_id.is_(None))
    return _claimed_by_another(connection, challan_ids, intent_id, *open_ones)


def _claimed_by_another(
    connection: Connection, challan_ids: Iterable[str], intent_id: str, *conditions: ColumnElement[bool]
) -> bool:
    query = select(claim.c.id).join(intent, intent.c.id == claim.c.intent_id)
    theirs = (claim.c.challan_id.in_(list(challan_ids)), claim.c.intent_id != intent_id)
    return connection.execute(query.where(*theirs, *conditions).limit(1)).first() is not None
