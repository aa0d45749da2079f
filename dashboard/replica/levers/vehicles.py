"""Serve the levers on vehicles and their challans."""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from flask import Response

from dashboard.replica import challans, clock, money, vehicles
from dashboard.replica.bodies import normalize, uuid_of
from dashboard.replica.levers.blueprint import Misordered, answer, flag_of, levers, ordered, take_only
from dashboard.replica.levers.organizations import find_organization
from dashboard.replica.levers.truth import challan_truth
from dashboard.replica.runtime import current

CHALLAN_ORDER = ("id", *challans.FIELDS, "seen", "raw", "gone")
# The defaults of a challan: payable and complete.
USUAL = {
    "status": "PENDING",
    "challanAmount": 500,
    "state": "Maharashtra",
    "challanType": "ONLINE",
    "challanPlace": "Sion circle, Mumbai",
    "offenseDetails": "No parking, Sec 122 r/w 177 MV Act",
}


def _vehicle(connection: sqlite3.Connection, rc: str) -> vehicles.Vehicle:
    vehicle = vehicles.by_rc(connection, normalize(rc) or rc)
    if vehicle is None:
        raise Misordered("no such vehicle", 404)
    return vehicle


def _told(connection: sqlite3.Connection, rc: str) -> Response:
    vehicle = _vehicle(connection, rc)
    return answer(
        {
            "carId": vehicle.id,
            "rcNumber": vehicle.rc,
            "organization": vehicle.organization,
            "deleted": vehicle.deleted,
            "searchedAt": vehicle.searched_at,
            "challans": [challan_truth(challan) for challan in challans.of_vehicle(connection, vehicle.id)],
        }
    )


def _checked(order: dict[str, Any]) -> dict[str, Any]:
    """Convert amounts and dates for the replica's computations; texts may be anything."""
    if not isinstance(order, dict):
        raise Misordered("a challan is an object")
    take_only(order, *CHALLAN_ORDER)
    fields = {name: order[name] for name in challans.FIELDS if name in order}
    if fields.get("challanAmount") is not None:
        fields["challanAmount"] = money.paise(fields["challanAmount"])
    if order.get("raw") is not None and not isinstance(order["raw"], dict):
        raise Misordered("raw is an object, or null to take it away")
    for name in ("challanNo", "status"):
        if name in fields and not isinstance(fields[name], str):
            raise Misordered(f"{name} is text; use raw for anything else")
    return fields


def _issue(connection: sqlite3.Connection, vehicle_id: str, order: dict[str, Any], seen: bool) -> str:
    fields = _checked(order)
    now = clock.now(connection)
    number = connection.execute("SELECT coalesce(max(position), 0) + 1 AS n FROM challan").fetchone()["n"]
    usual = {**USUAL, "challanAmount": 500_00, "challanDate": clock.stamp(now), "challanNo": f"MH{7 * 10**9 + number}"}
    challan_id = uuid_of(order["id"]) if "id" in order else None
    if "id" in order and challan_id is None:
        raise Misordered("id is a UUID; use raw for anything else")
    if challan_id and challans.by_id(connection, challan_id):
        raise Misordered("there is a challan with this id", 409)
    return challans.issue(
        connection,
        vehicle_id,
        {**usual, **fields},
        shown=flag_of(order, "seen", seen),
        challan_id=challan_id,
        raw=order.get("raw"),
    )


@levers.post("/vehicles")
def add_vehicle() -> Response:
    order = ordered()
    take_only(order, "rcNumber", "organization", "rcType", "cityId", "searched", "deleted", "challans", "note")
    rc = normalize(str(order.get("rcNumber", "")))
    if rc is None:
        raise Misordered("rcNumber is not a registration number")
    # No organization has searched a vehicle that belongs to none, unless the order says so.
    searched = flag_of(order, "searched", order.get("organization", "demo") is not None)
    with current().state.writing() as connection:
        if vehicles.by_rc(connection, rc):
            raise Misordered("there is such a vehicle already", 409)
        owner = order.get("organization", "demo")
        vehicle_id = vehicles.register(
            connection,
            rc,
            organization=find_organization(connection, owner)["id"] if owner else None,
            rc_type=order.get("rcType"),
            city=order.get("cityId"),
            searched_at=clock.stamp(clock.now(connection)) if searched else None,
            deleted=flag_of(order, "deleted"),
            note=order.get("note"),
        )
        for challan in order.get("challans", []):
            _issue(connection, vehicle_id, challan, searched)
        return _told(connection, rc)


@levers.get("/vehicles/<rc>")
def vehicle_truth(rc: str) -> Response:
    with current().state.reading() as connection:
        return _told(connection, rc)


@levers.patch("/vehicles/<rc>")
def change_vehicle(rc: str) -> Response:
    order = ordered()
    take_only(order, "organization", "deleted")
    with current().state.writing() as connection:
        vehicle = _vehicle(connection, rc)
        if "organization" in order:
            owner = order["organization"]
            connection.execute(
                "UPDATE vehicle SET organization = ? WHERE id = ?",
                (find_organization(connection, owner)["id"] if owner else None, vehicle.id),
            )
        if "deleted" in order:
            connection.execute("UPDATE vehicle SET deleted = ? WHERE id = ?", (flag_of(order, "deleted"), vehicle.id))
        return _told(connection, rc)


@levers.post("/vehicles/<rc>/challans")
def issue_challan(rc: str) -> Response:
    """Issue a challan at the source; cached searches show it too only when `seen` is true."""
    order = ordered()
    with current().state.writing() as connection:
        challan_id = _issue(connection, _vehicle(connection, rc).id, order, False)
        challan = challans.by_id(connection, challan_id)
        assert challan is not None
        return answer(challan_truth(challan))


@levers.patch("/challans/<challan_id>")
def change_challan(challan_id: str) -> Response:
    """Change a challan at the source, for cached searches too when `seen` is true; `raw` changes search answers at
    once.
    """
    order = ordered()
    fields = _checked(order)
    with current().state.writing() as connection:
        challan = challans.by_id(connection, challan_id.lower())
        if challan is None:
            raise Misordered("no such challan", 404)
        source = json.dumps({**challan.source, **fields})
        connection.execute("UPDATE challan SET source = ? WHERE id = ?", (source, challan.id))
        if flag_of(order, "seen"):
            connection.execute("UPDATE challan SET shown = ? WHERE id = ?", (source, challan.id))
        if "gone" in order:
            connection.execute("UPDATE challan SET gone = ? WHERE id = ?", (flag_of(order, "gone"), challan.id))
        if "raw" in order:
            raw = json.dumps(order["raw"]) if order["raw"] else None
            connection.execute("UPDATE challan SET raw = ? WHERE id = ?", (raw, challan.id))
        changed = challans.by_id(connection, challan.id)
        assert changed is not None
        return answer(challan_truth(changed))
