"""The audit log, as the rest of the dashboard writes to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dashboard.services.schedule import Clock
from dashboard.store.accounts import audit
from dashboard.store.engine import Store


@dataclass(frozen=True, slots=True)
class Origin:
    """From where, and in which request, something is asked of us."""

    address: str = ""
    user_agent: str = ""
    request_id: str | None = None


#: Asked by a command on the machine itself.
COMMAND_LINE = Origin(address="command line")


@dataclass(frozen=True)
class Audit:
    store: Store
    clock: Clock

    def record(
        self, action: str, origin: Origin, *, person_id: int | None = None, subject: str | None = None, **detail: Any
    ) -> None:
        with self.store.write() as connection:
            audit.record(
                connection,
                action,
                self.clock(),
                person_id=person_id,
                subject=subject,
                address=origin.address,
                request_id=origin.request_id,
                detail=detail,
            )
