"""Save what a person has ticked and typed for a vehicle, until it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.vehicles import selections, vehicles
from dashboard.store.vehicles.selections import Selection

EMPTY = Selection((), "")


@dataclass(frozen=True)
class Selections:
    store: Store
    clock: Clock

    def of(self, person_id: int, rc: str) -> Selection:
        """Return a person's selection for a vehicle; an empty one when nothing is ticked."""
        with self.store.read() as connection:
            return selections.find(connection, person_id, rc) or EMPTY

    def tick(self, person_id: int, rc: str, challan_ids: Sequence[str]) -> list[str]:
        """Save and return the ticked challans in listed order; the typed hours stay.

        A selection larger than one link is cut in this order, so people can foresee which challans go together.
        """
        with self.store.write() as connection:
            listed = [item.challan.id for item in vehicles.challans_of(connection, rc)]
            place = {challan_id: position for position, challan_id in enumerate(listed) if challan_id}
            ticked = sorted(dict.fromkeys(challan_ids), key=lambda item: place.get(item, len(place)))
            hours = self._locked(connection, person_id, rc).hours
            self._save(connection, person_id, rc, ticked, hours)
        return ticked

    def replace(self, person_id: int, rc: str, challan_ids: Sequence[str], hours: str) -> None:
        """Save a selection in its order, each challan once, in place of the one before."""
        with self.store.write() as connection:
            self._save(connection, person_id, rc, challan_ids, hours)

    def put_first(self, person_id: int, rc: str, challan_ids: Sequence[str], hours: str) -> None:
        """Save what was sent from a review at the head of the selection; the rest waits for its own review behind."""
        sent = frozenset(challan_ids)
        with self.store.write() as connection:
            selection = self._locked(connection, person_id, rc)
            waiting = [item for item in selection.challan_ids if item not in sent]
            self._save(connection, person_id, rc, [*challan_ids, *waiting], hours)

    def remove(self, person_id: int, rc: str, challan_ids: Sequence[str]) -> None:
        """Remove the challans of a created link from the selection; the rest waits for its own review."""
        gone = frozenset(challan_ids)
        with self.store.write() as connection:
            selection = self._locked(connection, person_id, rc)
            rest = [item for item in selection.challan_ids if item not in gone]
            if len(rest) != len(selection.challan_ids):
                self._save(connection, person_id, rc, rest, selection.hours)

    def _locked(self, connection: Connection, person_id: int, rc: str) -> Selection:
        return selections.find(connection, person_id, rc, to_change=True) or EMPTY

    def _save(self, connection: Connection, person_id: int, rc: str, challan_ids: Sequence[str], hours: str) -> None:
        once = list(dict.fromkeys(challan_ids))
        selections.save(connection, person_id, rc, once, hours[: selections.MAX_HOURS_TEXT], self.clock())
