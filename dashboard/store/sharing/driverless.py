"""Find the vehicles of the follow-up queue that nobody usually drives."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, and_, exists, func, select

from dashboard.store.links.totals import Total, adding_up, total_of
from dashboard.store.sharing.drivers import driver, driver_vehicle
from dashboard.store.sharing.queue_facts import FACTS, moments


@dataclass(frozen=True, slots=True)
class DriverlessVehicle:
    """A vehicle without a usual driver, the links that wait for one, and when the first of them ends."""

    rc: str
    links: Total
    ends_at: datetime | None


_facts = FACTS.links.c
_HAS_USUAL_DRIVER = exists().where(
    driver_vehicle.c.rc == _facts.rc, driver.c.id == driver_vehicle.c.driver_id, driver.c.gone_at.is_(None)
)
# Whoever was given a link is reminded of it, whether they usually drive its vehicle or not.
_LACKS_DRIVER = and_(FACTS.waits, ~FACTS.was_given, ~_HAS_USUAL_DRIVER, _facts.rc.is_not(None))
_NUMBER = select(func.count(_facts.rc.distinct())).where(_LACKS_DRIVER)
_ENDS_AT = func.min(_facts.expires_at)
_DRIVERLESS = (
    select(_facts.rc, *adding_up(_facts.amount_rank), _ENDS_AT)
    .where(_LACKS_DRIVER)
    .group_by(_facts.rc)
    .order_by(_ENDS_AT.nulls_last(), _facts.rc)
)


def number(connection: Connection, now: datetime) -> int:
    """Count these vehicles."""
    return int(connection.execute(_NUMBER, moments(now)).scalar_one())


def vehicles(connection: Connection, now: datetime) -> list[DriverlessVehicle]:
    """Return the vehicles without a usual driver whose links wait in the queue, in the order in which they end."""
    rows = connection.execute(_DRIVERLESS, moments(now))
    return [DriverlessVehicle(rc, total_of(total), ends_at) for rc, *total, ends_at in rows]


def links(connection: Connection, now: datetime, rcs: Iterable[str]) -> list[str]:
    """Return the ids of the links of these vehicles that wait in the queue for a driver, in the order of their end."""
    named = select(_facts.id).where(_LACKS_DRIVER, _facts.rc.in_(list(rcs)))
    return list(connection.scalars(named.order_by(_facts.expires_at.nulls_last(), _facts.id), moments(now)))
