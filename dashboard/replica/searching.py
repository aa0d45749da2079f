"""Search the challans of one vehicle (section 4.3 of the document)."""

from __future__ import annotations

import random
import sqlite3
from datetime import datetime
from typing import Any

from dashboard.replica import allowances, challans, clock, invention, switches, vehicles
from dashboard.replica.auth import Organization
from dashboard.replica.bodies import SearchBody
from dashboard.replica.refusals import Refused
from dashboard.replica.settings import ReplicaSettings


def search(
    connection: sqlite3.Connection,
    settings: ReplicaSettings,
    organization: Organization,
    body: SearchBody,
    now: datetime,
    page_base: str,
) -> dict[str, Any]:
    """Check, associate, look up and answer in one transaction, so that only one of two concurrent searches is first."""
    vehicle = vehicles.by_rc(connection, body.rc)
    if vehicle and vehicles.elsewhere(vehicle, organization.id):
        raise Refused(409, "the vehicle belongs to another organization or is deleted")
    if body.rc_type is not None and not _rc_type_exists(connection, body.rc_type):
        raise Refused(400, "rcType is not one of the RC types")
    if body.city_id is not None and not _city_available(connection, organization.id, body.city_id):
        raise Refused(400, "cityId is not available to the organization")
    new_here = vehicle is None or vehicle.organization is None
    if new_here and (body.rc_type is None or body.city_id is None):
        raise Refused(400, "a first search needs rcType and cityId")

    at_source = vehicle is None or new_here or vehicle.searched_at is None or body.bypass_cache
    if at_source and _source_fails(connection, settings):
        raise Refused(502, "the source did not answer")
    allowance = organization.search_allowance
    allowances.require(
        connection, organization.id, "search", settings.search_allowance if allowance is None else allowance, now
    )
    allowances.count(connection, organization.id, "search", now)

    if vehicle is None:
        vehicle_id = vehicles.register(connection, body.rc)
        for fields in invention.invent(body.rc, now):
            challans.issue(connection, vehicle_id, fields, shown=False)
    else:
        vehicle_id = vehicle.id
    new = 0
    if new_here:
        connection.execute(
            "UPDATE vehicle SET organization = ?, rc_type = ?, city = ? WHERE id = ?",
            (organization.id, body.rc_type, body.city_id, vehicle_id),
        )
    if at_source:
        # A first search reads the source too, because nothing is cached for the organization yet.
        new = challans.bring_in(connection, vehicle_id, now)
        connection.execute("UPDATE vehicle SET searched_at = ? WHERE id = ?", (clock.stamp(now), vehicle_id))
    holders = challans.holders(
        connection, vehicle_id, now, page_base, ended_visible=switches.read(connection).ended_links_visible
    )
    found = [challan for challan in challans.of_vehicle(connection, vehicle_id) if challan.shown is not None]
    found.sort(key=lambda challan: str((challan.shown or {}).get("challanDate") or ""), reverse=True)
    return {
        "rcNumber": body.rc,
        "carId": vehicle_id,
        "newChallansCount": new,
        "challans": [challans.search_record(challan, holders.get(challan.id)) for challan in found],
    }


def _source_fails(connection: sqlite3.Connection, settings: ReplicaSettings) -> bool:
    """Decide whether the challan fetch fails by itself this time, as often as was set."""
    switched = switches.read(connection).source_failures
    share = settings.source_failures if switched is None else switched
    return random.random() < share  # noqa: S311 - weather, not secrecy.


def _rc_type_exists(connection: sqlite3.Connection, value: str) -> bool:
    try:
        row = connection.execute("SELECT 1 FROM rc_type WHERE value = ?", (value,)).fetchone()
    except UnicodeEncodeError:
        # JSON can contain a lone surrogate, but SQLite cannot store one.
        return False
    return row is not None


def _city_available(connection: sqlite3.Connection, organization_id: str, city_id: str) -> bool:
    row = connection.execute(
        "SELECT 1 FROM city WHERE id = ? AND organization = ?", (city_id, organization_id)
    ).fetchone()
    return row is not None
