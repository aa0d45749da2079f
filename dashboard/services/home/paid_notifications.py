"""Record which paid links a person has seen, and whether the browser notifies them."""

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

    def mark_seen(self, person_id: int, link_id: str) -> None:
        """Record that a person has a link before them. Writes only if it is theirs, paid, and unseen until now."""
        with self.store.read() as connection:
            if not paid_notifications.is_unseen(connection, person_id, link_id):
                return
        with self.store.write() as connection:
            paid_notifications.mark_seen(connection, person_id, link_id, self.clock())

    def mark_all_seen(self, person_id: int, until: datetime) -> None:
        """Record that a person has seen everything paid up to a moment; a moment in the future counts as now."""
        with self.store.write() as connection:
            paid_notifications.mark_all_seen(connection, person_id, min(until, self.clock()))

    def set_wanted(self, person_id: int, wanted: bool) -> None:
        """Store whether the browser notifies a person when a link of theirs is paid."""
        with self.store.write() as connection:
            paid_notifications.set_wanted(connection, person_id, wanted)
