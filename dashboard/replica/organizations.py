"""Seed the two organizations, with secrets and cities, that even an empty replica has."""

from __future__ import annotations

import json
import sqlite3
import uuid

from dashboard.replica import auth
from dashboard.replica.settings import ReplicaSettings
from dashboard.replica.vocabulary import RC_TYPES, STATES

NAMESPACE = uuid.UUID("5f0c1f4e-6f0e-4f43-9a55-0d1b7c3f9a10")
DEMO, SECOND = "demo", "second"
NAMES = {DEMO: "Sahyadri Fleet Services Pvt Ltd", SECOND: "Deccan Cargo Movers LLP"}

# City, state, address label, landmark, postal code, building. The two Punes differ only in the address label.
CITIES = (
    ("Pune", "MH", "Hinjawadi hub", "Opposite Phase 1 circle", "411057", "Sahyadri House"),
    ("Pune", "MH", "Hadapsar depot", None, "411028", None),
    ("Mumbai", "MH", "Andheri East office", "Near Chakala metro", "400093", "Kohinoor Square"),
    ("New Delhi", "DL", "Okhla Phase II yard", "Behind the container depot", "110020", None),
    ("Bengaluru", "KA", "Peenya depot", None, "560058", "Shed 14"),
    ("Chennai", "TN", "Ambattur warehouse", "Near the estate post office", "600058", None),
    ("Ahmedabad", "GJ", None, None, None, None),
    ("Lucknow", "UP", "Transport Nagar", None, "226012", "Bay 7"),
    ("Gurugram", "HR", "Sector 34 office", "Hero Honda chowk", "122001", "Tower B"),
)
SECOND_CITIES = (("Hyderabad", "TS", "Kukatpally office", None, "500072", None),)


def stable_id(*words: object) -> str:
    """Return the same id for the same words, so that a document can describe the demo."""
    return str(uuid.uuid5(NAMESPACE, "/".join(str(word) for word in words)))


def seed_organizations(connection: sqlite3.Connection, settings: ReplicaSettings) -> None:
    for handle, secret in ((DEMO, settings.api_secret), (SECOND, settings.second_api_secret)):
        organization_id = stable_id("organization", handle)
        connection.execute(
            "INSERT INTO organization (id, handle, name) VALUES (?, ?, ?)", (organization_id, handle, NAMES[handle])
        )
        auth.replace_secret(connection, organization_id, secret)
        for position, city in enumerate(CITIES if handle == DEMO else SECOND_CITIES):
            name, code, address, landmark, zip_code, building = city
            add_city(
                connection,
                organization_id,
                {
                    "cityId": stable_id("city", handle, position),
                    "cityName": name,
                    "stateId": stable_id("state", code),
                    "stateName": STATES[code],
                    "stateCode": code,
                    "address": address,
                    "landmark": landmark,
                    "zipCode": zip_code,
                    "buildingName": building,
                },
            )
    for position, (value, label) in enumerate(RC_TYPES):
        connection.execute("INSERT INTO rc_type (value, label, position) VALUES (?, ?, ?)", (value, label, position))


def add_city(connection: sqlite3.Connection, organization_id: str, record: dict[str, object]) -> None:
    connection.execute(
        "INSERT INTO city (id, organization, position, record) "
        "VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM city), ?)",
        (record["cityId"], organization_id, json.dumps(record)),
    )
