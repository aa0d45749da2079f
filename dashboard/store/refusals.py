"""Tell a database that refuses (locked, full, read-only, away) from a fault of our own."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout


class StoreRefusal(StrEnum):
    """Name why the database refuses; `web/shared/error_texts.py` has the words."""

    BUSY = "busy"
    FULL = "full"
    READ_ONLY = "read_only"
    AWAY = "away"


class StoreBusy(SQLAlchemyError):
    """Report that the turn to write did not come in time; nothing was begun."""

    def __init__(self) -> None:
        super().__init__("the turn to write did not come in time")


#: Primary result codes of SQLite: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN.
_SQLITE = {
    5: StoreRefusal.BUSY,
    6: StoreRefusal.BUSY,
    8: StoreRefusal.READ_ONLY,
    10: StoreRefusal.AWAY,
    13: StoreRefusal.FULL,
    14: StoreRefusal.AWAY,
}
#: States of PostgreSQL, by their beginnings; the longer ones first.
_POSTGRESQL = (
    ("25006", StoreRefusal.READ_ONLY),
    ("53100", StoreRefusal.FULL),
    ("55P03", StoreRefusal.BUSY),
    ("57014", StoreRefusal.BUSY),
    ("25P03", StoreRefusal.BUSY),
    ("40", StoreRefusal.BUSY),
    ("08", StoreRefusal.AWAY),
    ("53", StoreRefusal.AWAY),
    ("57P", StoreRefusal.AWAY),
)


def refusal_of(error: BaseException) -> StoreRefusal | None:
    """Return why the database refuses; None for an error that another try would meet again."""
    if isinstance(error, StoreBusy | PoolTimeout):
        return StoreRefusal.BUSY
    if not isinstance(error, DBAPIError):
        return None
    return of_driver(error.orig) or (StoreRefusal.AWAY if error.connection_invalidated else None)


def of_driver(error: Any) -> StoreRefusal | None:
    """Return why the database refuses, by the driver's own error."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return _SQLITE.get(code & 0xFF)
    state = getattr(error, "sqlstate", None)
    if state:
        return next((refusal for begins, refusal in _POSTGRESQL if state.startswith(begins)), None)
    # A connection that was never made, or was cut, has no state.
    return StoreRefusal.AWAY if type(error).__name__ in ("OperationalError", "ConnectionTimeout") else None
