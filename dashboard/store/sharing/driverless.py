"""Find the links of the follow-up queue whose vehicles nobody usually drives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from sqlalchemy import Connection, and_, exists, select

from dashboard.store.sharing.drivers import driver, driver_vehicle
from dashboard.store.sharing.queue_facts import FACTS, moments


@dataclass(frozen=True, slots=True)
class DriverlessLink:
    """A link that waits for a driver of its vehicle; `total` and `expires_at` are None when unknown."""

    id: str
    rc: str
    total: Decimal | None
    expires_at: datetime | None


_facts = FACTS.links.c
_HAS_USUAL_DRIVER = exists().where(
    driver_vehicle.c.rc == _facts.rc, driver.c.id == driver_vehicle.c.driver_id, driver.c.gone_at.is_(None)
)
# Whoever was given a link is reminded of it, whether they usually drive its vehicle or not.
_LACKS_DRIVER = and_(FACTS.waits, ~FACTS.was_given, ~_HAS_USUAL_DRIVER, _facts.rc.is_not(None))
_LINKS = (
    select(_facts.id, _facts.rc, _facts.total, _facts.expires_at)
    .where(_LACKS_DRIVER)
    .order_by(_facts.expires_at.nulls_last(), _facts.rc, _facts.id)
)


def links(connection: Connection, now: datetime) -> list[DriverlessLink]:
    """Return these links, those that end first before the others. Some may not be sent now."""
    return [DriverlessLink(*row) for row in connection.execute(_LINKS, moments(now))]
