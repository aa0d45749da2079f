"""Tell whether somebody's call is more urgent than bulk work; asked before each bulk call, so in one statement."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, bindparam, or_, select

from dashboard.domain.intents import RESOLVABLE
from dashboard.store.creation.intents import intent
from dashboard.store.operations.call_counts import call_count

_DUE = select(intent.c.id).where(
    intent.c.next_check_at <= bindparam("at"), intent.c.state.in_([str(state) for state in RESOLVABLE])
)
_BEGUN = select(call_count.c.day).where(
    # An allowance's day may be the next one of the calendar. The days narrow the search to a few rows.
    call_count.c.day >= bindparam("since_day"),
    call_count.c.person_at > bindparam("since"),
    call_count.c.person_at <= bindparam("at"),
)
_ANY = select(or_(_BEGUN.exists(), _DUE.exists()))


def any_waits(connection: Connection, now: datetime, since: datetime) -> bool:
    """Return whether an unclear outcome is due to be resolved, or a person's search began after a moment."""
    days = (since - timedelta(days=1)).date().isoformat()
    return bool(connection.execute(_ANY, {"at": now, "since": since, "since_day": days}).scalar())
