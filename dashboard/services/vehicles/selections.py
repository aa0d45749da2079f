"""Keeping what a person ticked and typed for a vehicle, until it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.vehicles import selections
from dashboard.store.vehicles.selections import Selection

NOTHING = Selection((), "")


@dataclass(frozen=True)
class Selections:
    store: Store
    clock: Clock

    def of(self, person_id: int, rc: str) -> Selection:
        with self.store.read() as connection:
            return selections.find(connection, person_id, rc) or NOTHING

    def save(self, person_id: int, rc: str, challan_ids: Sequence[str], hours: str) -> None:
        """Keep a selection in its order, each challan once."""
        with self.store.write() as connection:
            self._save(connection, person_id, rc, challan_ids, hours)

    def put_first(self, person_id: int, rc: str, challan_ids: Sequence[str], hours: str) -> None:
        """Keep what was sent from a review at the head of the selection, with what waits for its own review behind."""
        sent = frozenset(challan_ids)
        with self.store.write() as connection:
            draft = selections.find(connection, person_id, rc, to_change=True) or NOTHING
            waiting = [item for item in draft.challan_ids if item not in sent]
            self._save(connection, person_id, rc, [*challan_ids, *waiting], hours)

    def remove(self, person_id: int, rc: str, challan_ids: Sequence[str]) -> None:
        """Take the challans of a created link out of the selection; the rest waits for its review."""
        gone = frozenset(challan_ids)
        with self.store.write() as connection:
            draft = selections.find(connection, person_id, rc, to_change=True) or NOTHING
            rest = [item for item in draft.challan_ids if item not in gone]
            if len(rest) != len(draft.challan_ids):
                self._save(connection, person_id, rc, rest, draft.hours)

    def _save(self, connection: Connection, person_id: int, rc: str, challan_ids: Sequence[str], hours: str) -> None:
        once = list(dict.fromkeys(challan_ids))
        selections.save(connection, person_id, rc, once, hours[:12], self.clock())
