"""What was paid while somebody was away, and who has seen it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.home import paid_notifications


@dataclass(frozen=True)
class PaidNotifications:
    store: Store
    clock: Clock

    def saw(self, person_id: int, link_id: str) -> None:
        """A person looks at a link: if it is paid and theirs, it is news to them no longer."""
        with self.store.read() as connection:
            if not paid_notifications.is_unseen(connection, person_id, link_id):
                return
        with self.store.write() as connection:
            paid_notifications.saw(connection, person_id, link_id, self.clock())

    def saw_all(self, person_id: int, until: datetime) -> None:
        """A person has seen what was paid until a moment; one that is still to come counts as now."""
        with self.store.write() as connection:
            paid_notifications.saw_all(connection, person_id, min(until, self.clock()))

    def set_notice(self, person_id: int, wanted: bool) -> None:
        """Remember whether a person wants the browser to tell when a link of theirs is paid."""
        with self.store.write() as connection:
            paid_notifications.set_notice(connection, person_id, wanted)
