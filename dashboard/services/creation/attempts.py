"""What a look asks about a request whose outcome is not known: facts of its row, of the ledger and of what was seen."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from sqlalchemy import Row

from dashboard.domain.intents import IntentState
from dashboard.domain.outcomes import Question, Verdict, judge
from dashboard.services.creation.evidence import Seen
from dashboard.services.schedule import Schedule
from dashboard.store.creation import intents, releases
from dashboard.store.engine import Store
from dashboard.store.links import links

#: The states in which nobody knows yet what became of a request.
UNCLEAR = (IntentState.UNKNOWN, IntentState.NEEDS_ATTENTION)


def verdict(store: Store, schedule: Schedule, row: Row[Any], seen: Seen) -> Verdict:
    """What was seen says of a request that was sent, or of one that is about to be."""
    return judge(_question(store, schedule, row, seen), seen.result.challans, seen.links)


def _question(store: Store, schedule: Schedule, row: Row[Any], seen: Seen) -> Question:
    sent = row.send_started or seen.started
    with store.read() as connection:
        known = links.known_before(connection, row.rc, sent, row.id)
        met = links.first_met(connection, row.rc, sent)
        # Read after the search: what it shows may be of another request, for challans let go since this look began.
        now_row = intents.find(connection, row.id)
        let_go = now_row.set_aside_at if now_row else None
        later = let_go is not None and releases.sent_since(connection, row.challan_ids, let_go, row.id)
    return Question(
        challan_ids=frozenset(row.challan_ids),
        hours=row.hours,
        since_send=seen.searched - sent,
        service_now=seen.result.service_time or seen.searched,
        conflict=row.http_status == 409,
        known_links=known,
        let_go=let_go is not None,
        # Its own link may have ended by now, or before another request was sent, and be shown no more.
        absence_shows=let_go is None or (not later and seen.started - sent < timedelta(hours=row.hours)),
        # A 409 is an answer; without one the request may still be on its way for as long as A4 allows.
        may_come_late=row.state in UNCLEAR
        and row.http_status != 409
        and seen.started - row.send_ended < schedule.commit_window,
        met=seen.also,
        known_for={link_id: seen.searched - at for link_id, at in met.items()},
    )
