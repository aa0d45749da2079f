"""Writing down who copied a payment URL, in the link's history and in the audit log."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from dashboard.services.accounts.audit import Origin
from dashboard.services.schedule import Clock
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from dashboard.store.links import history
from dashboard.store.links.tables import COPIED

#: The same person copying the same link is written down once in so long.
_NOTED_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class Copying:
    store: Store
    clock: Clock

    def record(self, link_id: str, person_id: int, origin: Origin) -> None:
        """Write down that a person copied a link. Raises LookupError when the ledger does not know the link."""
        now = self.clock()
        since = now - _NOTED_EVERY
        with self.store.write() as connection:
            if not history.record_once(connection, link_id, COPIED, now, not_since=since, person_id=person_id):
                return
            audit.record(
                connection,
                "copy",
                now,
                person_id=person_id,
                subject=link_id,
                address=origin.address,
                request_id=origin.request_id,
            )
