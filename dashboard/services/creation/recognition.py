"""Recognize a link by its status answer as one that an intent of unclear outcome created (link-creation.md, step 7).

Presence needs no search at the source, only absence does.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection

from dashboard.domain import outcomes
from dashboard.domain.intents import RESOLVABLE, IntentState
from dashboard.domain.links import PaymentLink
from dashboard.domain.outcomes import Attempt, Outcome
from dashboard.services.links import ledger
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.steady_clock import elapsed
from dashboard.store.creation import intents, releases
from dashboard.store.creation.intents import Intent
from dashboard.store.links import links
from dashboard.store.links.links import Attribution
from dashboard.store.links.records import Asked, Link


def recognize(
    connection: Connection, answer: PaymentLink, asked: Asked, schedule: Schedule, clock: Clock, *, but: str = ""
) -> None:
    """Recover the intent that created a link of which this is a recorded status answer, if there is one.

    Call it in the transaction that recorded the answer. The intent `but` is left out.
    """
    at = clock()
    row = links.find(connection, answer.id)
    if row is None or not row.is_observed:
        return
    for intent in intents.resolvable_on(connection, [item.id for item in answer.challans], at - ledger.LATE_FOR):
        if intent.id == but or intent.rc != row.rc or not _is_ours(connection, intent, answer, row, clock):
            continue
        if releases.under_way(connection, intent.challan_ids, intent.id):
            continue  # The other intent may have created it, and is compared as well.
        recover(connection, intent, answer, asked, schedule, at)
        return


def _is_ours(connection: Connection, intent: Intent, answer: PaymentLink, row: Link, clock: Clock) -> bool:
    assert intent.send_started is not None
    at = clock()
    attempt = Attempt(
        challan_ids=frozenset(intent.challan_ids),
        hours=intent.hours,
        since_send=elapsed(clock, intent.send_started, at),
        service_now=answer.service_time or at,
        conflict=False,
        known_links=links.not_created_by(connection, intent.rc, intent.send_started, intent.id),
        absence_counts=False,
        observed_since=frozenset({answer.id}),
        known_for={answer.id: max(elapsed(clock, row.first_seen_at, at), timedelta())},
    )
    return outcomes.conclude(attempt, (), {answer.id: answer}).outcome is Outcome.RECOVERED


def recover(
    connection: Connection, intent: Intent, answer: PaymentLink, asked: Asked, schedule: Schedule, at: datetime
) -> None:
    """Record that an intent created a link. After NOT_CREATED the intent's page apologizes."""
    assert intent.send_started is not None
    facts: dict[str, Any] = {"link_id": answer.id, "attribution": "inferred", "next_check_at": None}
    if not intents.move(connection, intent.id, RESOLVABLE, IntentState.RECOVERED, at, **facts):
        return
    attribution = Attribution(
        links.RECOVERED,
        intent.id,
        intent.person_id,
        intent.rc,
        intent.hours,
        created_at=intent.send_started,  # By our own clock, as the other moments.
    )
    ledger.attribute(connection, answer.id, attribution, at)
    ledger.hold(connection, intent.id, answer.id, intent.challan_ids, at)
    # Entered again after its claims were made: a link that has ended releases them.
    ledger.enter_link(connection, answer, schedule, at, asked=asked, rc=intent.rc)
