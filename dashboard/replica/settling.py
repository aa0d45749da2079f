"""Apply the effects of time: expire links, and commit deferred requests.

Nothing runs in the background. Every request applies them first, so no caller sees a difference.
"""

from __future__ import annotations

import sqlite3
from datetime import timedelta

from dashboard.replica import auth, calls, clock, linking
from dashboard.replica.refusals import Refused
from dashboard.replica.runtime import Replica


def settle(replica: Replica) -> None:
    with replica.state.reading() as connection:
        if not _anything_due(connection):
            return
    with replica.state.writing() as connection:
        commit_late(connection, replica, everything=False)
        linking.end_overdue(connection, clock.now(connection))


def _anything_due(connection: sqlite3.Connection) -> bool:
    row = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM link WHERE status = 'ACTIVE' AND expires_at <= ?) "
        "OR EXISTS (SELECT 1 FROM late_request WHERE due_real_at <= ?) AS due",
        (clock.stamp(clock.now(connection)), clock.stamp(clock.real_now())),
    ).fetchone()
    return bool(row["due"])


def defer(replica: Replica, call: calls.Call, organization: auth.Organization, seconds: float | None) -> None:
    """Defer a received request by some real seconds, or (None) until a lever commits it."""
    due = None if seconds is None else clock.stamp(clock.real_now() + timedelta(seconds=seconds))
    with replica.state.writing() as connection:
        connection.execute(
            "INSERT INTO late_request (organization, call, due_real_at) VALUES (?, ?, ?)",
            (organization.id, call.stored(), due),
        )


def commit_late(connection: sqlite3.Connection, replica: Replica, *, everything: bool) -> list[int]:
    """Execute deferred requests as of the moment they were due. Return the statuses, which no caller received."""
    real = clock.real_now()
    rows = connection.execute(
        "SELECT * FROM late_request WHERE ? OR due_real_at <= ? ORDER BY due_real_at, id",
        (everything, clock.stamp(real)),
    ).fetchall()
    statuses = []
    for row in rows:
        connection.execute("DELETE FROM late_request WHERE id = ?", (row["id"],))
        owner = connection.execute("SELECT * FROM organization WHERE id = ?", (row["organization"],)).fetchone()
        due = clock.parse(row["due_real_at"]) if row["due_real_at"] else real
        now = clock.now(connection) - max(real - due, timedelta())
        connection.execute("SAVEPOINT late")
        try:
            answer = calls.perform(
                connection, replica.settings, calls.Call.restored(row["call"]), auth.organization_of(owner), now
            )
            statuses.append(answer.status)
        except Refused as refused:
            connection.execute("ROLLBACK TO late")
            statuses.append(refused.status)
        connection.execute("RELEASE late")
    return statuses
