"""Seed an empty file once, and empty it again."""

from __future__ import annotations

import sqlite3

from dashboard.replica import clock
from dashboard.replica.fleet import seed_fleet
from dashboard.replica.organizations import seed_organizations
from dashboard.replica.runtime import Replica

# Children before parents, because foreign keys are on.
TABLES = (
    "fault", "late_request", "call", "usage", "attachment", "link", "challan", "vehicle", "rc_type", "city",
    "bad_token", "secret", "organization", "meta",
)  # fmt: skip


def seed_once(replica: Replica) -> None:
    """Seed the file if no other process has done so: several may start on it at once, and the first writer seeds."""
    with replica.state.writing() as connection:
        if connection.execute("SELECT 1 FROM meta WHERE key = 'seeded'").fetchone() is None:
            plant(connection, replica, replica.settings.seed)


def plant(connection: sqlite3.Connection, replica: Replica, seed: str) -> None:
    connection.execute("INSERT INTO meta (key, value) VALUES ('seeded', ?)", (seed,))
    if seed == "none":
        return
    seed_organizations(connection, replica.settings)
    if seed == "demo":
        seed_fleet(connection, replica.settings, clock.now(connection))


def reset(connection: sqlite3.Connection, replica: Replica, seed: str) -> None:
    for table in TABLES:
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - only the names above
    plant(connection, replica, seed)
