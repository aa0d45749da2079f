"""Manage the drivers: add them, change their details, and record that they left or are back."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.edit_conflicts import Basis, require_unchanged
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.sharing import drivers


@dataclass(frozen=True)
class Drivers:
    store: Store
    clock: Clock

    def add(self, details: DriverDetails, person_id: int) -> int:
        """Add a driver; return the driver's id."""
        with self.store.write() as connection:
            return drivers.add(connection, details, at=self.clock(), by=person_id)

    def change(self, driver_id: int, details: DriverDetails, basis: Basis | None) -> None:
        """Change a driver's details. Raises EditConflict when others did since `basis`.

        Raises NotStored when there is no such driver, or when they are forgotten.
        """
        with self.store.write() as connection:
            stored = drivers.find(connection, driver_id)
            if stored is None:
                raise NotStored(driver_id)
            vehicles = drivers.vehicles(connection, [driver_id])[driver_id]
            require_unchanged(basis, stored.details(vehicles).fields(), details.fields())
            drivers.update(connection, driver_id, details)

    def leave(self, driver_id: int) -> bool:
        """Record that a driver has left: not offered for sharing, past shares stay. False if recorded before."""
        with self.store.write() as connection:
            return drivers.set_left(connection, driver_id, self.clock())

    def come_back(self, driver_id: int) -> bool:
        """Record that a driver is back. False if recorded before, or if the driver is forgotten."""
        with self.store.write() as connection:
            return drivers.set_left(connection, driver_id, None)
