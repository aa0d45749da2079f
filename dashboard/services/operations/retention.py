"""Delete personal data that is older than the settings say, a little at a time. Nothing that money depends on."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from dashboard.services.accounts import audit
from dashboard.services.accounts.audit import Origin
from dashboard.services.operations.clocks import Clocks
from dashboard.services.schedule import Clock, Schedule
from dashboard.services.sharing.forgetting import Forgetting
from dashboard.store.accounts import audit as entries
from dashboard.store.accounts import invitations, saved_forms, sessions
from dashboard.store.engine import Store
from dashboard.store.fleet import drafts

log = logging.getLogger(__name__)

#: The origin of what is deleted because of its age.
RETENTION = Origin(address="retention")
#: The most rows of a kind that are deleted in one transaction; and drivers, for whom many texts are read.
MOST_ROWS, MOST_DRIVERS = 500, 20


@dataclass(frozen=True)
class Retention:
    store: Store
    clock: Clock
    schedule: Schedule
    clocks: Clocks
    forgetting: Forgetting

    def delete_old(self) -> None:
        """Delete one batch of each kind, in transactions of their own; nothing while the clocks differ."""
        if self.clocks.broken():
            return
        now = self.clock()
        drivers = self.forgetting.forget_left(now - self.schedule.keep_left_drivers, MOST_DRIVERS, RETENTION)
        old = now - self.schedule.keep_sessions
        with self.store.read() as connection:
            old_sessions = sessions.old(connection, old, MOST_ROWS)
            old_invitations = invitations.old(connection, old, MOST_ROWS)
            old_forms = saved_forms.expired(connection, now, MOST_ROWS)
            old_drafts = drafts.expired(connection, now, MOST_ROWS)
            old_entries = entries.older(connection, now - self.schedule.keep_audit, MOST_ROWS)
        if old_sessions or old_invitations or old_forms or old_drafts:
            with self.store.write(durable=False) as connection:
                sessions.delete_all(connection, old_sessions)
                invitations.delete_all(connection, old_invitations)
                saved_forms.delete_all(connection, old_forms)
                drafts.delete_all(connection, old_drafts)
        if old_entries:
            with self.store.write() as connection:
                if deleted := entries.delete_old(connection, old_entries, now - self.schedule.keep_audit):
                    audit.record(connection, "old entries deleted", now, RETENTION, entries=deleted)
        gone = (old_sessions, old_invitations, old_forms, old_drafts, old_entries)
        counts = (drivers, *(len(rows) for rows in gone))
        if any(counts):
            kinds = "%d drivers, %d sessions, %d invitations, %d forms, %d drafts of searches, %d audit entries"
            log.info(f"deleted by age: {kinds}", *counts)
