"""Choose the drivers of a plan, for vehicles that have no usual driver or several."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.domain.drivers import DriverDetails
from dashboard.services.schedule import Clock
from dashboard.services.sharing.drivers import Chosen, add_new, make_usual
from dashboard.store.engine import Store
from dashboard.store.fleet import plan_drivers


@dataclass(frozen=True)
class PlanDrivers:
    store: Store
    clock: Clock

    def choose(
        self, plan_id: str, chosen: Mapping[str, int | DriverDetails], *, also_usual: bool, person_id: int
    ) -> Chosen:
        """Store the driver of each vehicle of a plan: a current driver, or a new one. All are saved, or none.

        Raises NewPhoneTaken.
        """
        with self.store.write() as connection:
            by_rc, added = add_new(connection, chosen, at=self.clock(), by=person_id)
            plan_drivers.choose(connection, plan_id, by_rc)
            return Chosen(added, make_usual(connection, by_rc) if also_usual else {})
