"""Acknowledge discrepancies of links with a note, or take that back."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.domain.discrepancies import MAX_NOTE, MIN_NOTE, DiscrepancyKind
from dashboard.domain.links import MIN_ALARM_NOTE
from dashboard.services.links.duplicates import AlarmChanged, DuplicateAlarms, alarm_of
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.links import duplicates as stored_duplicates
from dashboard.store.links import links
from dashboard.store.reconciliation import discrepancies
from dashboard.store.reconciliation.discrepancies import Discrepancy

#: The kind of event in a link's history for an acknowledged discrepancy, as it is stored.
ACKNOWLEDGED = "finding_seen"
#: The same for one whose acknowledgement was taken back.
REOPENED = "finding_open"


class DiscrepancyChanged(Exception):
    """Report that a discrepancy changed since the person read it, or that a colleague acknowledged it."""


class NoteRefused(Exception):
    """Report that a note is shorter than `shortest` or longer than `longest`, in characters."""

    def __init__(self, shortest: int, longest: int) -> None:
        super().__init__(f"a note has {shortest} to {longest} characters")
        self.shortest, self.longest = shortest, longest


@dataclass(frozen=True)
class Discrepancies:
    store: Store
    duplicate_alarms: DuplicateAlarms
    clock: Clock

    def acknowledge(
        self, discrepancy_id: int, version: int, person_id: int, note: str, *, of_kind: DiscrepancyKind | None = None
    ) -> DiscrepancyKind:
        """Acknowledge the version of a discrepancy that a person has read; the link's history records their note.

        One of another kind than `of_kind`, where that is given, is not what the person has read.
        Raises NotStored, NoteRefused and DiscrepancyChanged.
        """
        note = " ".join(note.split())
        with self.store.read() as connection:
            found = discrepancies.find(connection, discrepancy_id)
            if found is None:
                raise NotStored(discrepancy_id)
            alarm = None
            if found.kind is DiscrepancyKind.DUPLICATE:
                alarm = alarm_of(connection, found.link_id, stored_duplicates.of_link(connection, found.link_id))
        if of_kind not in (None, found.kind):
            raise DiscrepancyChanged(discrepancy_id)
        shortest = MIN_ALARM_NOTE if found.kind is DiscrepancyKind.DUPLICATE else MIN_NOTE
        if not shortest <= len(note) <= MAX_NOTE:
            raise NoteRefused(shortest, MAX_NOTE)
        if found.version != version or found.withdrawn_at is not None or found.acknowledged_at is not None:
            raise DiscrepancyChanged(discrepancy_id)
        if alarm is not None:
            self._acknowledge_alarm(found.link_id, person_id, note, alarm.newest)
        else:
            self._acknowledge(found, person_id, note)
        return found.kind

    def reopen(self, discrepancy_id: int, version: int, person_id: int) -> DiscrepancyKind:
        """Take back the acknowledgement of a version, which waits again; the link's history keeps the note.

        Raises NotStored and DiscrepancyChanged.
        """
        now = self.clock()
        with self.store.write() as connection:
            found = discrepancies.find(connection, discrepancy_id)
            if found is None:
                raise NotStored(discrepancy_id)
            if not discrepancies.reopen(connection, discrepancy_id, version):
                raise DiscrepancyChanged(discrepancy_id)
            links.record_event(connection, found.link_id, REOPENED, now, person_id=person_id, old=found.kind)
        return found.kind

    def _acknowledge_alarm(self, link_id: str, person_id: int, note: str, newest: int) -> None:
        """Acknowledge the alarm of all links that hold the same challans, and with it their discrepancies."""
        try:
            self.duplicate_alarms.acknowledge(link_id, person_id, note, newest)
        except AlarmChanged as changed:
            raise DiscrepancyChanged(link_id) from changed

    def _acknowledge(self, found: Discrepancy, person_id: int, note: str) -> None:
        now = self.clock()
        with self.store.write() as connection:
            if not discrepancies.acknowledge(
                connection, found.id, found.version, person_id=person_id, note=note, at=now
            ):
                raise DiscrepancyChanged(found.id)
            links.record_event(
                connection, found.link_id, ACKNOWLEDGED, now, person_id=person_id, old=found.kind, new=note
            )
