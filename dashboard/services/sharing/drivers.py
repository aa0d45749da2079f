"""Manage the drivers: add them, change their details, and record that they left or are back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.edit_conflicts import Basis, require_unchanged
from dashboard.domain.languages import DEFAULT_LANGUAGE
from dashboard.domain.phones import InvalidPhone, international
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver


@dataclass(frozen=True, slots=True)
class Imported:
    """Name the drivers that a file added, and those that it was merged with; `unchanged` held all of it already."""

    added: tuple[int, ...]
    merged: tuple[int, ...]
    unchanged: int


class PhoneTaken(Exception):
    """Report that a driver who is with us has this phone number already."""

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver.id)
        self.driver = driver


@dataclass(frozen=True)
class Drivers:
    store: Store
    clock: Clock

    def add(self, details: DriverDetails, person_id: int) -> int:
        """Add a driver; return the driver's id. Raises PhoneTaken."""
        with self.store.write() as connection:
            require_free_phone(connection, details)
            return drivers.add(connection, details, at=self.clock(), by=person_id)

    def known_phones(self) -> dict[str, tuple[Driver, DriverDetails]]:
        """Return the drivers by phone number, also those who have left, each with what is stored of them."""
        with self.store.read() as connection:
            known = _by_phone(connection)
            vehicles = drivers.vehicles(connection, [each.id for each in known.values()])
        return {phone: (each, each.details(vehicles[each.id])) for phone, each in known.items()}

    def take_in(self, listed: Sequence[DriverDetails], person_id: int) -> Imported:
        """Add the drivers of a file; whose phone number is known is merged. All of them are saved, or none."""
        added, merged, unchanged = [], [], 0
        with self.store.write() as connection:
            known = _by_phone(connection)
            vehicles = drivers.vehicles(connection, [each.id for each in known.values()])
            for details in listed:
                stored = known.get(international(details.phone)) if details.phone else None
                if stored is None:
                    new = replace(details, language=details.language or DEFAULT_LANGUAGE.code)
                    added.append(drivers.add(connection, new, at=self.clock(), by=person_id))
                    continue
                before = stored.details(vehicles[stored.id])
                after = before.completed_by(details)
                if after == before:
                    unchanged += 1
                    continue
                drivers.update(connection, stored.id, after)
                merged.append(stored.id)
        return Imported(tuple(added), tuple(merged), unchanged)

    def change(self, driver_id: int, details: DriverDetails, basis: Basis | None) -> None:
        """Change a driver's details. Raises EditConflict when others did since `basis`, and PhoneTaken.

        Raises NotStored when there is no such driver, or when they are forgotten.
        """
        with self.store.write() as connection:
            stored, vehicles = _stored(connection, driver_id)
            require_unchanged(basis, stored.details(vehicles).fields(), details.fields())
            if details.phone != stored.phone:
                require_free_phone(connection, details, driver_id)
            drivers.update(connection, driver_id, details)

    def make_usual_driver(self, driver_id: int, rc: str) -> bool:
        """Make a driver a usual one of a vehicle. Returns False if the driver was one before.

        Raises NotStored when there is no such driver, or when they are forgotten.
        """
        with self.store.write() as connection:
            stored, vehicles = _stored(connection, driver_id)
            if rc in vehicles:
                return False
            drivers.update(connection, driver_id, stored.details([*vehicles, rc]))
        return True

    def leave(self, driver_id: int) -> bool:
        """Record that a driver has left: not offered for sharing, past shares stay. False if recorded before."""
        with self.store.write() as connection:
            return drivers.set_left(connection, driver_id, self.clock())

    def come_back(self, driver_id: int) -> bool:
        """Record that a driver is back. False if recorded before, or if the driver is forgotten."""
        with self.store.write() as connection:
            return drivers.set_left(connection, driver_id, None)


def _stored(connection: Connection, driver_id: int) -> tuple[Driver, list[str]]:
    """Return a driver and the vehicles they usually drive. Raises NotStored when there is none, or when forgotten."""
    found = drivers.find(connection, driver_id)
    if found is None:
        raise NotStored(driver_id)
    return found, drivers.vehicles(connection, [driver_id])[driver_id]


def require_free_phone(connection: Connection, details: DriverDetails, but: int | None = None) -> None:
    """Refuse the phone number of another driver; the number of one who has left may have been passed on."""
    taken = _by_phone(connection).get(international(details.phone)) if details.phone else None
    if taken is not None and taken.left_at is None and taken.id != but:
        raise PhoneTaken(taken)


def _by_phone(connection: Connection) -> dict[str, Driver]:
    """Return drivers by phone number; where several have one, who is with us."""
    found: dict[str, Driver] = {}
    for each in (*drivers.listed(connection), *drivers.listed(connection, left=True)):
        try:
            found.setdefault(international(each.phone or ""), each)
        except InvalidPhone:
            continue
    return found
