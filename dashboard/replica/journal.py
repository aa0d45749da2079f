"""Record the calls and their answers, never with a token."""

from __future__ import annotations

import sqlite3
from typing import Any

from dashboard.replica import clock

LONGEST_BODY = 65536


def received(connection: sqlite3.Connection, operation: str, method: str, path: str, body: bytes) -> int:
    cursor = connection.execute(
        "INSERT INTO call (at, real_at, operation, method, path, body) VALUES (?, ?, ?, ?, ?, ?)",
        (
            clock.stamp(clock.now(connection)),
            clock.stamp(clock.real_now()),
            operation,
            method,
            path,
            body[:LONGEST_BODY].decode("utf-8", "replace") or None,
        ),
    )
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def answered(
    connection: sqlite3.Connection,
    call_id: int,
    *,
    status: int | None,
    organization: str | None,
    reason: str | None,
    fault: str | None,
) -> None:
    """Record the answer of a call; None as status means that no whole answer was sent."""
    connection.execute(
        "UPDATE call SET status = ?, organization = ?, reason = ?, fault = ? WHERE id = ?",
        (status, organization, reason, fault, call_id),
    )


def listing(connection: sqlite3.Connection, operation: str | None, after: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        "SELECT c.*, o.handle FROM call c LEFT JOIN organization o ON o.id = c.organization "
        "WHERE c.id > ? AND (? IS NULL OR c.operation = ?) ORDER BY c.id",
        (after, operation, operation),
    )
    return [
        {
            "number": row["id"],
            "at": row["at"],
            "realAt": row["real_at"],
            "operation": row["operation"],
            "method": row["method"],
            "path": row["path"],
            "body": row["body"],
            "status": row["status"],
            "organization": row["handle"],
            "reason": row["reason"],
            "fault": row["fault"],
        }
        for row in rows
    ]


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    rows = connection.execute("SELECT operation, count(*) AS calls FROM call GROUP BY operation")
    return {row["operation"]: row["calls"] for row in rows}
