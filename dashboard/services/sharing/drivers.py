"""Manage the drivers: add them, change their details, and record that they left or are back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

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
    """Report that a current driver has this phone number already."""

    def __init__(self, driver: Driver) -> None:
        super().__init__(driver.id)
        self.driver = driver


class NewPhoneTaken(Exception):
    """Report that another driver has the phone number that was typed for the new driver of a vehicle."""

    def __init__(self, rc: str, taken: PhoneTaken) -> None:
        super().__init__(rc)
        self.rc = rc
        self.driver = taken.driver


@dataclass(frozen=True, slots=True)
class Chosen:
    """Hold the drivers that a choice for vehicles added, and those that became usual drivers, by id."""

    added: Mapping[int, str]
    usual: Mapping[int, str]


@dataclass(frozen=True)
class Drivers:
    store: Store
    clock: Clock

    def add(self, details: DriverDetails, person_id: int) -> int:
        """Add a driver; return the driver's id. Raises PhoneTaken."""
        with self.store.write() as connection:
            require_free_phone(connection, details)
            return drivers.add(connection, details, at=self.clock(), by=person_id)

    def choose(self, chosen: Mapping[str, int | DriverDetails], person_id: int) -> Chosen:
        """Store the usual drivers of vehicles: a current driver, or a new one. All are saved, or none.

        Raises NewPhoneTaken.
        """
        with self.store.write() as connection:
            by_rc, added = add_new(connection, chosen, at=self.clock(), by=person_id)
            return Chosen(added, make_usual(connection, by_rc))

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


def add_new(
    connection: Connection, chosen: Mapping[str, int | DriverDetails], *, at: datetime, by: int
) -> tuple[dict[str, int], dict[int, str]]:
    """Add the new drivers; return the driver of each vehicle, and the added drivers by id. Raises NewPhoneTaken.

    New drivers need a phone number. One with the same name and number for several vehicles is added once.
    """
    ids: dict[tuple[str, str], int] = {}
    by_rc: dict[str, int] = {}
    added: dict[int, str] = {}
    for rc, driver in chosen.items():
        if isinstance(driver, int):
            by_rc[rc] = driver
            continue
        same = driver.name.casefold(), international(driver.phone or "")
        if same not in ids:
            try:
                require_free_phone(connection, driver)
            except PhoneTaken as taken:
                raise NewPhoneTaken(rc, taken) from taken
            ids[same] = drivers.add(connection, driver, at=at, by=by)
            added[ids[same]] = driver.name
        by_rc[rc] = ids[same]
    return by_rc, added


def make_usual(connection: Connection, by_rc: Mapping[str, int]) -> dict[int, str]:
    """Make drivers usual drivers of these vehicles; return those for whom that is new, by id."""
    usual: dict[int, str] = {}
    vehicles = drivers.vehicles(connection, by_rc.values())
    for driver_id in dict.fromkeys(by_rc.values()):
        stored = drivers.find(connection, driver_id)
        new = [rc for rc, each in by_rc.items() if each == driver_id and rc not in vehicles[driver_id]]
        if stored is not None and new:
            drivers.update(connection, driver_id, stored.details([*vehicles[driver_id], *new]))
            usual[driver_id] = stored.name
    return usual


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
    """Return drivers by phone number; where several have one, the current driver."""
    found: dict[str, Driver] = {}
    for each in (*drivers.listed(connection), *drivers.listed(connection, left=True)):
        try:
            found.setdefault(international(each.phone or ""), each)
        except InvalidPhone:
            continue
    return found
