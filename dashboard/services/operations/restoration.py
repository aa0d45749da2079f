"""Go on after the database was restored from a backup: what happened after the backup is unknown here.

A request that the backup shows as prepared may have been sent, so its outcome is unclear. Links that were created since
are found by searches at the source, which every vehicle needs before its next link. All links are polled.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import update

from dashboard.domain.intents import IntentState
from dashboard.services.schedule import Clock
from dashboard.store.creation import intents
from dashboard.store.engine import Store
from dashboard.store.links import due_links
from dashboard.store.operations import restorations


@dataclass(frozen=True, slots=True)
class Restored:
    """How many requests became unclear, and how many links are polled."""

    requests: int
    links: int


@dataclass(frozen=True)
class Restoration:
    store: Store
    clock: Clock

    def record(self) -> Restored:
        """Record that the database was restored, while no process of ours runs; doing it twice does no harm."""
        now = self.clock()
        with self.store.write() as connection:
            restorations.record(connection, now)
            left = intents.in_states(connection, (IntentState.PREPARED, IntentState.SENDING), limit=100_000)
            for intent in left:
                intents.move(
                    connection,
                    intent.id,
                    (IntentState.PREPARED, IntentState.SENDING),
                    IntentState.UNKNOWN,
                    now,
                    "restored from a backup",
                    send_started=intent.send_started or intent.prepared_at,
                    send_ended=now,
                    sends=1,
                    outcome="Restored",
                    next_check_at=now,
                )
            connection.execute(update(intents.intent).values(resolving_until=None))
            return Restored(len(left), due_links.make_all_due(connection, now))
