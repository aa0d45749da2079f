"""Drivers: their details, the vehicles that they usually drive, and whether they have left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Select,
    String,
    Table,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
)
from sqlalchemy import update as change

from dashboard.domain import drivers as limits
from dashboard.domain.drivers import DriverDetails
from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.fleet import runs
from dashboard.store.once import once
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

driver = Table(
    "driver",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(limits.MAX_NAME), nullable=False),
    Column("phone", String(limits.MAX_PHONE)),
    Column("email", String(limits.MAX_EMAIL)),
    Column("language", String(5), nullable=False),
    Column("note", Text),
    Column("added_at", Moment, nullable=False),
    Column("added_by", Integer, ForeignKey("person.id"), nullable=False),
    # Drivers who leave are not deleted, because past shares name them; some time later they are forgotten.
    Column("gone_at", Moment),
    Column("forgotten_at", Moment),
)
Index("ix_driver_name", driver.c.name)

driver_vehicle = Table(
    "driver_vehicle",
    metadata,
    Column("driver_id", Integer, ForeignKey("driver.id"), primary_key=True),
    Column("rc", String(MAX_LENGTH), primary_key=True, index=True),
)


@dataclass(frozen=True, slots=True)
class Driver:
    """A driver without their vehicles. `language` is a code of LANGUAGES; `left_at` is None while they are with us."""

    id: int
    name: str
    phone: str | None  # as typed
    email: str | None
    language: str
    note: str | None
    left_at: datetime | None

    def details(self, vehicles: Iterable[str] = ()) -> DriverDetails:
        """Return the driver's details with these vehicles."""
        return DriverDetails(self.name, self.phone, self.email, self.language, self.note, tuple(vehicles))


def add(connection: Connection, details: DriverDetails, *, at: datetime, by: int) -> int:
    """Store a new driver, entered by a person; return the driver's id."""
    entered = insert(driver).values(added_at=at, added_by=by, **_columns(details)).returning(driver.c.id)
    driver_id = int(connection.execute(entered).scalar_one())
    _insert_vehicles(connection, driver_id, details)
    return driver_id


def update(connection: Connection, driver_id: int, details: DriverDetails) -> None:
    """Replace a driver's details and vehicles."""
    connection.execute(change(driver).where(driver.c.id == driver_id).values(**_columns(details)))
    connection.execute(delete(driver_vehicle).where(driver_vehicle.c.driver_id == driver_id))
    _insert_vehicles(connection, driver_id, details)


def set_language(connection: Connection, driver_id: int, language: str) -> None:
    """Store the language in which a driver's next message is worded."""
    connection.execute(change(driver).where(driver.c.id == driver_id).values(language=language))


def set_left(connection: Connection, driver_id: int, left_at: datetime | None) -> bool:
    """Record that a driver left, or is back (None); return False where that is recorded already, or is forgotten."""
    is_stored = driver.c.gone_at.is_(None) if left_at is None else driver.c.gone_at.is_not(None)
    mine = (driver.c.id == driver_id, driver.c.forgotten_at.is_(None))
    changed = change(driver).where(*mine, ~is_stored).values(gone_at=left_at)
    return connection.execute(changed.returning(driver.c.id)).first() is not None


def forget(connection: Connection, driver_id: int, at: datetime) -> bool:
    """Remove what says who a driver is; return False where that is done already.

    The row stays, because past shares belong to it.
    """
    nothing = {"phone": None, "email": None, "note": None, "language": "en"}
    gone = {"gone_at": func.coalesce(driver.c.gone_at, at), "forgotten_at": at}
    changed = change(driver).where(driver.c.id == driver_id, driver.c.forgotten_at.is_(None))
    changed = changed.values(name=f"Forgotten driver {driver_id}", **nothing, **gone)
    if connection.execute(changed.returning(driver.c.id)).first() is None:
        return False
    connection.execute(delete(driver_vehicle).where(driver_vehicle.c.driver_id == driver_id))
    return True


def left_before(connection: Connection, before: datetime, limit: int) -> list[Driver]:
    """Return drivers who left before a time and are not forgotten, those who left first before the others."""
    query = _select().where(driver.c.gone_at < before, driver.c.forgotten_at.is_(None))
    return _read(connection, query.order_by(driver.c.gone_at, driver.c.id).limit(limit))


def find(connection: Connection, driver_id: int) -> Driver | None:
    """Return a driver, or None when there is none with this id or the driver is forgotten."""
    mine = (driver.c.id == driver_id, driver.c.forgotten_at.is_(None))
    return next(iter(_read(connection, _select().where(*mine))), None)


def listed(connection: Connection, *, left: bool = False) -> list[Driver]:
    """Return the drivers who are with us, or those who have left and are not forgotten, by name."""
    return _read(connection, _LEFT if left else _WITH_US)


def present(connection: Connection, driver_ids: Iterable[int]) -> dict[int, Driver]:
    """Return those of these drivers who are with us, by id."""
    return {found.id: found for found in _read(connection, _PRESENT, {"driver_ids": list(driver_ids)})}


def names(connection: Connection, driver_ids: Iterable[int]) -> dict[int, str]:
    """Return the names of those of these drivers who are not forgotten, by id."""
    return dict(connection.execute(_NAMES, {"driver_ids": list(driver_ids)}).all())


@once
def of_vehicle(connection: Connection, rc: str) -> list[Driver]:
    """Return the drivers with us who usually drive a vehicle, by name."""
    return _read(connection, _OF_VEHICLE, {"rc": rc})


@once
def of_vehicles(connection: Connection, rcs: Iterable[str]) -> dict[str, list[Driver]]:
    """Return the drivers with us who usually drive each of these vehicles, by RC number."""
    found: dict[str, list[Driver]] = defaultdict(list)
    for *row, rc in connection.execute(_OF_VEHICLES, {"rcs": list(rcs)}):
        found[rc].append(Driver(*row))
    return found


def of_run(connection: Connection, run_id: str) -> dict[str, list[Driver]]:
    """Return the drivers with us who usually drive the vehicles that a search run found, by RC number."""
    found: dict[str, list[Driver]] = defaultdict(list)
    query = _select().add_columns(driver_vehicle.c.rc).join(driver_vehicle, driver_vehicle.c.driver_id == driver.c.id)
    query = query.where(driver_vehicle.c.rc.in_(runs.numbers_of(run_id)), driver.c.gone_at.is_(None))
    for *row, rc in connection.execute(query.order_by(driver.c.name, driver.c.id)):
        found[rc].append(Driver(*row))
    return found


def vehicles(connection: Connection, driver_ids: Iterable[int]) -> dict[int, list[str]]:
    """Return the RC numbers of drivers' usual vehicles, by driver; a driver without any gets an empty list."""
    found: dict[int, list[str]] = defaultdict(list)
    for row in connection.execute(_VEHICLES, {"driver_ids": list(driver_ids)}):
        found[row.driver_id].append(row.rc)
    return found


def _select() -> Select[Any]:
    columns = driver.c
    return select(
        columns.id, columns.name, columns.phone, columns.email, columns.language, columns.note, columns.gone_at
    )


_is_with_us = driver.c.gone_at.is_(None)
_DRIVER_IDS: BindParameter[Any] = bindparam("driver_ids", expanding=True)
_WITH_US = _select().where(_is_with_us).order_by(driver.c.name, driver.c.id)
_LEFT = _select().where(~_is_with_us, driver.c.forgotten_at.is_(None)).order_by(driver.c.name, driver.c.id)
_PRESENT = _select().where(driver.c.id.in_(_DRIVER_IDS), _is_with_us)
_NAMES = select(driver.c.id, driver.c.name).where(driver.c.id.in_(_DRIVER_IDS), driver.c.forgotten_at.is_(None))
_USUAL = _select().join(driver_vehicle, driver_vehicle.c.driver_id == driver.c.id).order_by(driver.c.name)
_OF_VEHICLE = _USUAL.where(driver_vehicle.c.rc == bindparam("rc"), _is_with_us)
_OF_VEHICLES = _USUAL.add_columns(driver_vehicle.c.rc)
_OF_VEHICLES = _OF_VEHICLES.where(driver_vehicle.c.rc.in_(bindparam("rcs", expanding=True)), _is_with_us)
_VEHICLES = select(driver_vehicle).where(driver_vehicle.c.driver_id.in_(_DRIVER_IDS)).order_by(driver_vehicle.c.rc)


def _read(connection: Connection, query: Select[Any], given: Mapping[str, Any] | None = None) -> list[Driver]:
    return [Driver(*row) for row in connection.execute(query, given)]


def _columns(details: DriverDetails) -> dict[str, str | None]:
    return {
        "name": details.name,
        "phone": details.phone,
        "email": details.email,
        "language": details.language,
        "note": details.note,
    }


def _insert_vehicles(connection: Connection, driver_id: int, details: DriverDetails) -> None:
    rows = [{"driver_id": driver_id, "rc": rc} for rc in dict.fromkeys(details.vehicles)]
    if rows:
        connection.execute(insert(driver_vehicle), rows)
