"""Provide the replica's clock: real time plus an offset in the database, which tests change."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from zoneinfo import ZoneInfo

INDIA = ZoneInfo("Asia/Kolkata")
EARLIEST, LATEST = datetime(1971, 1, 1, tzinfo=UTC), datetime(9998, 1, 1, tzinfo=UTC)


def real_now() -> datetime:
    return datetime.now(UTC)


def offset(connection: sqlite3.Connection) -> float:
    row = connection.execute("SELECT value FROM meta WHERE key = 'clock_offset'").fetchone()
    return float(row["value"]) if row else 0.0


def set_offset(connection: sqlite3.Connection, seconds: float) -> None:
    moved = real_now() + timedelta(seconds=seconds)
    if not EARLIEST <= moved <= LATEST:
        raise OverflowError("the clock would leave the calendar")
    connection.execute(
        "INSERT INTO meta (key, value) VALUES ('clock_offset', ?) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (repr(seconds),),
    )


def now(connection: sqlite3.Connection) -> datetime:
    return real_now() + timedelta(seconds=offset(connection))


def shifted(moment: datetime, seconds: float) -> datetime:
    return moment + timedelta(seconds=seconds)


def stamp(moment: datetime) -> str:
    """Format a moment as the service writes it, in fixed width, so that text order is time order."""
    moment = moment.astimezone(UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def parse(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def http_date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC), usegmt=True)


def indian_day(moment: datetime) -> str:
    """Return the day of an allowance, which starts at midnight in India and not at midnight UTC."""
    return moment.astimezone(INDIA).date().isoformat()
