"""Store what each host found when it compared its clock with those of the database and the service (A8)."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from datetime import datetime

from sqlalchemy import Column, Connection, Float, String, Table, select, update

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

#: The greatest length of a host's name that is stored.
MAX_HOST = 100

clock_check = Table(
    "clock_check",
    metadata,
    Column("host", String(MAX_HOST), primary_key=True),
    Column("at", Moment, nullable=False),
    Column("database_ahead", Float),
    Column("service_ahead", Float),
    Column("stepped_at", Moment),
    Column("stepped_by", Float),
)


@dataclass(frozen=True, slots=True)
class ClockCheck:
    """The newest comparison of a host, in seconds: how far the clocks of the database and the service are ahead of its
    own, and its clock's latest step. None: not known, or no step.
    """

    host: str
    at: datetime
    database_ahead: float | None = None
    service_ahead: float | None = None
    stepped_at: datetime | None = None
    stepped_by: float | None = None


_ALL = select(*(clock_check.c[each.name] for each in fields(ClockCheck))).order_by(clock_check.c.host)


def save(connection: Connection, check: ClockCheck) -> None:
    """Store a host's newest comparison in place of the one before; its latest step stays until there is another."""
    values = asdict(check)
    if not insert_if_absent(connection, clock_check, **values):
        if check.stepped_at is None:
            del values["stepped_at"], values["stepped_by"]
        connection.execute(update(clock_check).where(clock_check.c.host == check.host).values(**values))


def read_all(connection: Connection) -> list[ClockCheck]:
    """Return the newest comparison of each host, by its name."""
    return [ClockCheck(*row) for row in connection.execute(_ALL)]
