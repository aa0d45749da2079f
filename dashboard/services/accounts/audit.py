"""Record what people do in the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from dashboard.services.schedule import Clock
from dashboard.store.accounts import audit
from dashboard.store.engine import Store


@dataclass(frozen=True, slots=True)
class Origin:
    """Hold the origin of a request: network address, browser, and request id."""

    address: str = ""
    user_agent: str = ""
    request_id: str | None = None


#: The origin of what a command on the machine itself does.
COMMAND_LINE = Origin(address="command line")


def record(
    connection: Connection,
    action: str,
    at: datetime,
    origin: Origin,
    *,
    person_id: int | None = None,
    subject: str | None = None,
    **detail: Any,
) -> None:
    """Append an entry in the transaction of the action itself."""
    audit.record(
        connection,
        action,
        at,
        person_id=person_id,
        subject=subject,
        address=origin.address,
        request_id=origin.request_id,
        detail=detail,
    )


@dataclass(frozen=True)
class Audit:
    store: Store
    clock: Clock

    def record(self, action: str, origin: Origin, *, person_id: int, subject: str, **detail: Any) -> None:
        """Append an entry in a transaction of its own."""
        with self.store.write() as connection:
            record(connection, action, self.clock(), origin, person_id=person_id, subject=subject, **detail)
