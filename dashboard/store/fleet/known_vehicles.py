"""Read which vehicles were searched before, and when."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import Connection, bindparam, func, select

from dashboard.store.vehicles.vehicles import vehicle

_AMONG = select(vehicle.c.rc).where(vehicle.c.rc.in_(bindparam("rcs", expanding=True)))
_COUNT = select(func.count()).select_from(vehicle)
_COUNT_OLD = _COUNT.where(vehicle.c.searched_at < bindparam("before"))
_OLDEST = select(vehicle.c.rc).order_by(vehicle.c.searched_at, vehicle.c.rc).limit(bindparam("most"))
_OLD = _OLDEST.where(vehicle.c.searched_at < bindparam("before"))


def among(connection: Connection, rcs: Collection[str]) -> frozenset[str]:
    """Return which of these vehicles were searched before."""
    return frozenset(connection.execute(_AMONG, {"rcs": list(rcs)}).scalars()) if rcs else frozenset()


def count(connection: Connection, before: datetime | None = None) -> int:
    """Count all vehicles, or those not searched since a moment."""
    if before is None:
        return int(connection.execute(_COUNT).scalar_one())
    return int(connection.execute(_COUNT_OLD, {"before": before}).scalar_one())


def numbers(connection: Connection, most: int, before: datetime | None = None) -> list[str]:
    """Return their numbers, those first whose last search is the longest ago."""
    if before is None:
        return list(connection.execute(_OLDEST, {"most": most}).scalars())
    return list(connection.execute(_OLD, {"most": most, "before": before}).scalars())
