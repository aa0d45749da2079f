"""Store vehicles and their organizations, and decide what another organization may do with one."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from dashboard.replica.bodies import new_id


@dataclass(frozen=True)
class Vehicle:
    id: str
    rc: str
    organization: str | None
    rc_type: str | None
    city: str | None
    deleted: bool
    searched_at: str | None
    note: str | None


def by_rc(connection: sqlite3.Connection, rc: str) -> Vehicle | None:
    row = connection.execute("SELECT * FROM vehicle WHERE rc = ?", (rc,)).fetchone()
    if row is None:
        return None
    return Vehicle(
        id=row["id"],
        rc=row["rc"],
        organization=row["organization"],
        rc_type=row["rc_type"],
        city=row["city"],
        deleted=bool(row["deleted"]),
        searched_at=row["searched_at"],
        note=row["note"],
    )


def register(
    connection: sqlite3.Connection,
    rc: str,
    *,
    organization: str | None = None,
    rc_type: str | None = None,
    city: str | None = None,
    searched_at: str | None = None,
    deleted: bool = False,
    note: str | None = None,
    vehicle_id: str | None = None,
) -> str:
    vehicle_id = vehicle_id or new_id()
    connection.execute(
        "INSERT INTO vehicle (id, rc, organization, rc_type, city, searched_at, deleted, note) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (vehicle_id, rc, organization, rc_type, city, searched_at, deleted, note),
    )
    return vehicle_id


def elsewhere(vehicle: Vehicle, organization_id: str) -> bool:
    """Check whether the vehicle is deleted or another organization's; the interface document answers 409 then."""
    return vehicle.deleted or vehicle.organization not in {None, organization_id}
