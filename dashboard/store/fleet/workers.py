"""Store which workers run the jobs of the fleet, and when each last reported."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import Column, Connection, String, Table, delete, select

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_or_change

#: The greatest length of an executor's id.
MAX_EXECUTOR = 120

fleet_worker = Table(
    "fleet_worker",
    metadata,
    Column("executor_id", String(MAX_EXECUTOR), primary_key=True),
    Column("reported_at", Moment, nullable=False),
)


def report(connection: Connection, executor_id: str, at: datetime) -> None:
    """Record that a worker is alive."""
    insert_or_change(connection, fleet_worker, {"executor_id": executor_id}, reported_at=at)


def silent_since(connection: Connection, before: datetime) -> list[str]:
    """Return the workers that last reported before a moment."""
    query = select(fleet_worker.c.executor_id).where(fleet_worker.c.reported_at < before)
    return list(connection.execute(query.order_by(fleet_worker.c.executor_id)).scalars())


def take_over(connection: Connection, executor_id: str, before: datetime) -> bool:
    """Remove a silent worker, whose work the caller takes over; False where another was faster, or it reported."""
    silent = (fleet_worker.c.executor_id == executor_id, fleet_worker.c.reported_at < before)
    gone = delete(fleet_worker).where(*silent).returning(fleet_worker.c.executor_id)
    return connection.execute(gone).first() is not None
