"""Count calls against the daily allowances, by the Indian day."""

from __future__ import annotations

import sqlite3
from datetime import datetime

from dashboard.replica import clock
from dashboard.replica.refusals import Refused


def used(connection: sqlite3.Connection, organization_id: str, kind: str, now: datetime) -> int:
    row = connection.execute(
        "SELECT used FROM usage WHERE organization = ? AND day = ? AND kind = ?",
        (organization_id, clock.indian_day(now), kind),
    ).fetchone()
    return int(row["used"]) if row else 0


def require(connection: sqlite3.Connection, organization_id: str, kind: str, allowance: int, now: datetime) -> None:
    if used(connection, organization_id, kind, now) >= allowance:
        raise Refused(429, f"the daily {kind} allowance of {allowance} is spent")


def count(connection: sqlite3.Connection, organization_id: str, kind: str, now: datetime) -> None:
    connection.execute(
        "INSERT INTO usage (organization, day, kind, used) VALUES (?, ?, ?, 1) "
        "ON CONFLICT (organization, day, kind) DO UPDATE SET used = used + 1",
        (organization_id, clock.indian_day(now), kind),
    )
