"""Serve the levers on organizations: permissions, allowances, secrets, names and the two lookup lists."""

from __future__ import annotations

import secrets
import sqlite3

from flask import Response

from dashboard.replica import auth
from dashboard.replica.bodies import new_id
from dashboard.replica.levers.blueprint import Misordered, answer, flag_of, levers, ordered, take_only
from dashboard.replica.levers.truth import organizations_truth
from dashboard.replica.organizations import add_city
from dashboard.replica.runtime import current

PERMISSIONS = {"mayUseApi": "may_use_api", "searchEnabled": "search_enabled", "linksEnabled": "links_enabled"}
ALLOWANCES = {"linkAllowance": "link_allowance", "searchAllowance": "search_allowance"}


def find_organization(connection: sqlite3.Connection, name: object) -> sqlite3.Row:
    row: sqlite3.Row | None = connection.execute(
        "SELECT * FROM organization WHERE handle = ? OR id = ?", (str(name), str(name))
    ).fetchone()
    if row is None:
        raise Misordered("no such organization", 404)
    return row


@levers.get("/organizations")
def organizations() -> Response:
    with current().state.reading() as connection:
        return answer(organizations_truth(connection))


@levers.patch("/organizations/<name>")
def change_organization(name: str) -> Response:
    order = ordered()
    take_only(order, "name", *PERMISSIONS, *ALLOWANCES)
    with current().state.writing() as connection:
        row = find_organization(connection, name)
        changes: dict[str, object] = {
            column: flag_of(order, field) for field, column in PERMISSIONS.items() if field in order
        }
        for field, column in ALLOWANCES.items():
            if field in order:
                value = order[field]
                if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
                    raise Misordered(f"{field} is a whole number, or null for the setting's")
                changes[column] = value
        if "name" in order:
            changes["name"] = str(order["name"])
        for column, value in changes.items():
            connection.execute(f"UPDATE organization SET {column} = ? WHERE id = ?", (value, row["id"]))  # noqa: S608 - columns of ours.
        return answer(organizations_truth(connection))


@levers.post("/organizations/<name>/secret")
def replace_secret(name: str) -> Response:
    """Replace the secret: the old one stops working at once, the new one is shown here and never again."""
    order = ordered()
    take_only(order, "secret")
    secret = order.get("secret") or f"replica-testing-{secrets.token_hex(16)}"
    with current().state.writing() as connection:
        auth.replace_secret(connection, find_organization(connection, name)["id"], str(secret))
    return answer({"secret": secret})


@levers.delete("/organizations/<name>/secret")
def revoke_secret(name: str) -> Response:
    with current().state.writing() as connection:
        auth.replace_secret(connection, find_organization(connection, name)["id"], None)
    return answer({})


@levers.post("/organizations/<name>/cities")
def add_location(name: str) -> Response:
    """Add a city with any fields; missing ones get harmless defaults."""
    city_id = new_id()
    usual = {
        "cityId": city_id,
        "cityName": "Nashik",
        "stateId": new_id(),
        "stateName": "Maharashtra",
        "stateCode": "MH",
        "address": None,
        "landmark": None,
        "zipCode": None,
        "buildingName": None,
    }
    order = ordered()
    take_only(order, *usual)
    with current().state.writing() as connection:
        record = {**usual, **order}
        add_city(connection, find_organization(connection, name)["id"], record)
    return answer(record)


@levers.delete("/organizations/<name>/cities")
def remove_locations(name: str) -> Response:
    with current().state.writing() as connection:
        connection.execute("DELETE FROM city WHERE organization = ?", (find_organization(connection, name)["id"],))
    return answer({})


@levers.post("/rc-types")
def add_rc_type() -> Response:
    order = ordered()
    take_only(order, "value", "label")
    value, label = str(order.get("value", "TEMPO")), str(order.get("label", "Tempo"))
    with current().state.writing() as connection:
        connection.execute(
            "INSERT INTO rc_type (value, label, position) "
            "VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM rc_type)) "
            "ON CONFLICT (value) DO UPDATE SET label = excluded.label",
            (value, label),
        )
    return answer({"value": value, "label": label})
