"""What was paid while somebody was away, and who has seen it."""

from __future__ import annotations

from datetime import datetime

from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.sharing import paid_notifications


class PaidNotifications:
    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def saw(self, person_id: int, link_id: str) -> None:
        """A person looks at a link: if it is paid and theirs, it is news to them no longer."""
        with self._store.read() as connection:
            if not paid_notifications.is_unseen(connection, person_id, link_id):
                return
        with self._store.write() as connection:
            paid_notifications.saw(connection, person_id, link_id, self._clock())

    def saw_all(self, person_id: int, until: datetime) -> None:
        """A person has seen what was paid until a moment; one that is still to come counts as now."""
        with self._store.write() as connection:
            paid_notifications.saw_all(connection, person_id, min(until, self._clock()))

    def set_notice(self, person_id: int, wanted: bool) -> None:
        """Remember whether a person wants the browser to tell when a link of theirs is paid."""
        with self._store.write() as connection:
            paid_notifications.set_notice(connection, person_id, wanted)
