"""Save the custom fields of links and vehicles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.domain.custom_fields import in_full
from dashboard.domain.edit_conflicts import Basis, require_unchanged
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.links import custom_fields, links
from dashboard.store.links.custom_fields import LINK, VEHICLE
from dashboard.store.vehicles import vehicles


@dataclass(frozen=True)
class CustomFieldValues:
    """Save custom fields. Methods raise NotStored for unknown ids, and EditConflict when others saved meanwhile."""

    store: Store
    clock: Clock

    def save_on_link(self, link_id: str, values: Mapping[str, str], basis: Basis | None, person_id: int) -> None:
        with self.store.read() as connection:
            if links.find(connection, link_id) is None:
                raise NotStored(link_id)
        self._save(LINK, link_id, values, basis, person_id)

    def save_on_vehicle(self, rc: str, values: Mapping[str, str], basis: Basis | None, person_id: int) -> None:
        with self.store.read() as connection:
            if vehicles.find(connection, rc) is None:
                raise NotStored(rc)
        self._save(VEHICLE, rc, values, basis, person_id)

    def take_in(self, listed: Mapping[str, Mapping[str, str]], person_id: int) -> int:
        """Add the fields of a file to vehicles, also to those never searched; return how many have changed.

        A field that the file leaves out stays as it is.
        """
        changed = 0
        with self.store.write() as connection:
            stored = custom_fields.of(connection, VEHICLE, listed)
            for rc, values in listed.items():
                before = stored.get(rc, {})
                if (after := {**before, **values}) != before:
                    custom_fields.write(connection, VEHICLE, rc, after, self.clock(), person_id)
                    changed += 1
        return changed

    def _save(self, kind: str, ref: str, values: Mapping[str, str], basis: Basis | None, person_id: int) -> None:
        with self.store.write() as connection:
            stored = custom_fields.of(connection, kind, [ref]).get(ref, {})
            require_unchanged(basis, in_full(stored), in_full(values))
            custom_fields.write(connection, kind, ref, values, self.clock(), person_id)
