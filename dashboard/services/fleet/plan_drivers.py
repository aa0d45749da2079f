"""Choose who gets the links of a plan whose vehicles nobody, or more than one person, usually drives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dashboard.domain.drivers import DriverDetails
from dashboard.services.schedule import Clock
from dashboard.services.sharing.drivers import PhoneTaken, require_free_phone
from dashboard.store.engine import Store
from dashboard.store.fleet import plan_drivers
from dashboard.store.sharing import drivers


@dataclass(frozen=True, slots=True)
class Chosen:
    """Name the drivers that a choice added, and those who became a usual driver of a vehicle."""

    added: Mapping[int, str]
    usual: Mapping[int, str]


class NewPhoneTaken(Exception):
    """Report that another driver has the phone number that was typed for the new driver of a vehicle."""

    def __init__(self, rc: str, taken: PhoneTaken) -> None:
        super().__init__(rc)
        self.rc = rc
        self.driver = taken.driver


@dataclass(frozen=True)
class PlanDrivers:
    store: Store
    clock: Clock

    def choose(
        self, plan_id: str, chosen: Mapping[str, int | DriverDetails], *, also_usual: bool, person_id: int
    ) -> Chosen:
        """Store who gets the links of each vehicle: a driver with us, or a new one. All of them are saved, or none.

        Who is typed for several vehicles is added once. Raises NewPhoneTaken.
        """
        added: dict[DriverDetails, int] = {}
        usual: dict[int, str] = {}
        with self.store.write() as connection:
            for rc, driver in chosen.items():
                if isinstance(driver, int) or driver in added:
                    continue
                try:
                    require_free_phone(connection, driver)
                except PhoneTaken as taken:
                    raise NewPhoneTaken(rc, taken) from taken
                added[driver] = drivers.add(connection, driver, at=self.clock(), by=person_id)
            by_rc = {rc: each if isinstance(each, int) else added[each] for rc, each in chosen.items()}
            plan_drivers.choose(connection, plan_id, by_rc)
            if also_usual:
                vehicles = drivers.vehicles(connection, by_rc.values())
                for driver_id in dict.fromkeys(by_rc.values()):
                    stored = drivers.find(connection, driver_id)
                    new = [rc for rc, each in by_rc.items() if each == driver_id and rc not in vehicles[driver_id]]
                    if stored is not None and new:
                        drivers.update(connection, driver_id, stored.details([*vehicles[driver_id], *new]))
                        usual[driver_id] = stored.name
        return Chosen({driver_id: each.name for each, driver_id in added.items()}, usual)
