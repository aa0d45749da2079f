"""Drivers: who they are, how they are reached, in which language, and which vehicles they usually drive. Our own."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, ForeignKey, Index, Integer, Row, String, Table, Text, delete, insert, select
from sqlalchemy import update as change

from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

driver = Table(
    "driver",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(100), nullable=False),
    Column("phone", String(20)),
    Column("email", String(254)),
    Column("language", String(5), nullable=False),
    Column("note", Text),
    Column("added_at", Moment, nullable=False),
    Column("added_by", Integer, ForeignKey("person.id"), nullable=False),
    Column("gone_at", Moment),  # Nobody is deleted: what was given to whom stays known.
)
Index("ix_driver_name", driver.c.name)

driver_vehicle = Table(
    "driver_vehicle",
    metadata,
    Column("driver_id", Integer, ForeignKey("driver.id"), primary_key=True),
    Column("rc", String(MAX_LENGTH), primary_key=True, index=True),
)


def add(connection: Connection, *, at: datetime, by: int, rcs: Iterable[str], **values: Any) -> int:
    """Enter a driver with the vehicles they usually drive; returns the driver's id."""
    entered = insert(driver).values(added_at=at, added_by=by, **values).returning(driver.c.id)
    driver_id = int(connection.execute(entered).scalar_one())
    _set_vehicles(connection, driver_id, rcs)
    return driver_id


def update(connection: Connection, driver_id: int, *, rcs: Iterable[str], **values: Any) -> None:
    connection.execute(change(driver).where(driver.c.id == driver_id).values(**values))
    _set_vehicles(connection, driver_id, rcs)


def remember_language(connection: Connection, driver_id: int, language: str) -> None:
    connection.execute(change(driver).where(driver.c.id == driver_id).values(language=language))


def find(connection: Connection, driver_id: int) -> Row[Any] | None:
    return connection.execute(select(driver).where(driver.c.id == driver_id)).one_or_none()


def listed(connection: Connection, *, gone: bool = False) -> Sequence[Row[Any]]:
    """The drivers by name; those who have left, or those who have not."""
    left = driver.c.gone_at.is_not(None) if gone else driver.c.gone_at.is_(None)
    return connection.execute(select(driver).where(left).order_by(driver.c.name, driver.c.id)).all()


def of_vehicle(connection: Connection, rc: str) -> Sequence[Row[Any]]:
    """Who usually drives a vehicle."""
    query = select(driver).join(driver_vehicle, driver_vehicle.c.driver_id == driver.c.id)
    query = query.where(driver_vehicle.c.rc == rc, driver.c.gone_at.is_(None))
    return connection.execute(query.order_by(driver.c.name)).all()


def vehicles(connection: Connection, driver_ids: Iterable[int]) -> dict[int, list[str]]:
    """The usual vehicles of drivers, by driver."""
    found: dict[int, list[str]] = defaultdict(list)
    query = select(driver_vehicle).where(driver_vehicle.c.driver_id.in_(list(driver_ids)))
    for row in connection.execute(query.order_by(driver_vehicle.c.rc)):
        found[row.driver_id].append(row.rc)
    return found


def _set_vehicles(connection: Connection, driver_id: int, rcs: Iterable[str]) -> None:
    connection.execute(delete(driver_vehicle).where(driver_vehicle.c.driver_id == driver_id))
    rows = [{"driver_id": driver_id, "rc": rc} for rc in dict.fromkeys(rcs)]
    if rows:
        connection.execute(insert(driver_vehicle), rows)
