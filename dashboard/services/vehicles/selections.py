"""Save what a person has ticked and typed for a vehicle, until it is sent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import Connection

from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.vehicles import selections, vehicles
from dashboard.store.vehicles.selections import Selection

EMPTY = Selection((), "")
#: Ticks of an earlier visit are dropped after this long; what is left of a plan waits longer for its next link.
TICKS_KEPT_FOR = timedelta(minutes=30)
PLAN_KEPT_FOR = timedelta(hours=24)


@dataclass(frozen=True)
class Selections:
    store: Store
    clock: Clock

    def of(self, person_id: int, rc: str) -> Selection:
        """Return a person's selection for a vehicle; an empty one when nothing is ticked, or too long ago."""
        with self.store.read() as connection:
            return self._if_fresh(selections.find(connection, person_id, rc))

    def tick(self, person_id: int, rc: str, challan_ids: Sequence[str], step: str = "") -> list[str]:
        """Save and return the ticked challans in listed order; the typed hours stay.

        A selection larger than one link is cut in this order, so people can foresee which challans go together.
        Requests of one page may arrive out of order: `step` numbers them, and an older one never replaces a newer one.
        """
        step = step[: selections.MAX_STEP]
        with self.store.write(durable=False) as connection:
            before = self._stored(connection, person_id, rc)
            listed = vehicles.challan_ids_of(connection, rc)
            place = {challan_id: position for position, challan_id in enumerate(listed)}
            ticked = sorted(dict.fromkeys(challan_ids), key=lambda item: place.get(item, len(place)))
            if not _is_overtaken(step, by=before.step):
                self._save(connection, person_id, rc, ticked, before.hours, step=step)
        return ticked

    def replace(self, person_id: int, rc: str, challan_ids: Sequence[str], hours: str) -> None:
        """Save a selection in its order, each challan once, in place of the one before."""
        with self.store.write(durable=False) as connection:
            self._save(connection, person_id, rc, challan_ids, hours)

    def put_first(
        self, person_id: int, rc: str, challan_ids: Sequence[str], hours: str, *, resumed: bool = False
    ) -> Selection:
        """Save what was sent from a review at the head of the selection; the rest waits for its own review behind.

        Return the selection as saved: a link that is created in another tab may take challans out of it at once.
        `resumed` after sign-in: the rest was ticked before the session ended, however long ago.
        """
        sent = frozenset(challan_ids)
        with self.store.write(durable=False) as connection:
            selection = self._stored(connection, person_id, rc)
            selection = selection if resumed else self._if_fresh(selection)
            waiting = [item for item in selection.challan_ids if item not in sent]
            self._save(connection, person_id, rc, [*challan_ids, *waiting], hours, link_id=selection.link_id)
            return selections.find(connection, person_id, rc) or EMPTY

    def remove(self, person_id: int, rc: str, challan_ids: Sequence[str], link_id: str | None = None) -> None:
        """Remove the challans of a created link from the selection; the rest waits on its page for its own review."""
        gone = frozenset(challan_ids)
        with self.store.write(durable=False) as connection:
            selection = self._stored(connection, person_id, rc)
            rest = [item for item in selection.challan_ids if item not in gone]
            if len(rest) != len(selection.challan_ids):
                self._save(connection, person_id, rc, rest, selection.hours, link_id=link_id)

    def _stored(self, connection: Connection, person_id: int, rc: str) -> Selection:
        return selections.find(connection, person_id, rc, to_change=True) or EMPTY

    def _if_fresh(self, found: Selection | None) -> Selection:
        if found is None or found.saved_at is None:
            return EMPTY
        kept_for = PLAN_KEPT_FOR if found.link_id else TICKS_KEPT_FOR
        return found if self.clock() - found.saved_at < kept_for else EMPTY

    def _save(
        self,
        connection: Connection,
        person_id: int,
        rc: str,
        challan_ids: Sequence[str],
        hours: str,
        *,
        step: str = "",
        link_id: str | None = None,
    ) -> None:
        once, hours = list(dict.fromkeys(challan_ids)), hours[: selections.MAX_HOURS_TEXT]
        selections.save(connection, person_id, rc, once, hours, self.clock(), step=step, link_id=link_id)


def _is_overtaken(step: str, *, by: str) -> bool:
    """Return whether a later tick of the same page has been saved already; `<page>.<number>` counts them."""
    page, _, number = step.rpartition(".")
    latest_page, _, latest = by.rpartition(".")
    if not page or page != latest_page or not (number.isdecimal() and latest.isdecimal()):
        return False
    return int(number) < int(latest)
