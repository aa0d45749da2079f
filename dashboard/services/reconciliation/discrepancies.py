"""Ticking off what was found of links, with a note, by whoever answers for the money."""

from __future__ import annotations

from dataclasses import dataclass

from dashboard.domain.discrepancies import DiscrepancyKind
from dashboard.services.links import duplicates
from dashboard.services.links.duplicates import AlarmChanged, DuplicateAlarms, alarm_of
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.links import duplicates as stored_duplicates
from dashboard.store.links import links
from dashboard.store.reconciliation import discrepancies

#: What the history of a link keeps when somebody ticks a finding off: its kind, and the note.
SEEN = "finding_seen"
MIN_NOTE, MAX_NOTE = 3, 500


class DiscrepancyChanged(Exception):
    """It is not any more what a person has read, or a colleague has ticked it off."""


class NoteRefused(Exception):
    """The note is too short or too long; `str()` is a sentence."""


@dataclass(frozen=True)
class Discrepancies:
    store: Store
    duplicate_alarms: DuplicateAlarms
    clock: Clock

    def see(self, finding_id: int, version: int, person_id: int, note: str) -> DiscrepancyKind:
        """Tick off what a person has read, with their note, which the link's history keeps.

        Raises LookupError, NoteRefused and DiscrepancyChanged.
        """
        note = " ".join(note.split())
        with self.store.read() as connection:
            row = discrepancies.find(connection, finding_id)
            if row is None:
                raise LookupError(finding_id)
            doubled = row.kind == DiscrepancyKind.DOUBLE
            alarm = (
                alarm_of(connection, row.link_id, stored_duplicates.sharing(connection, row.link_id))
                if doubled
                else None
            )
        least = duplicates.MIN_NOTE if doubled else MIN_NOTE
        if not least <= len(note) <= MAX_NOTE:
            raise NoteRefused(f"Write a note of {least} to {MAX_NOTE} characters: what you know, or what was done.")
        if row.version != version or row.gone_at is not None or row.seen_at is not None:
            raise DiscrepancyChanged(finding_id)
        if alarm is not None:
            self._note_double(row.link_id, person_id, note, alarm.newest)
        else:
            self._see(finding_id, version, person_id, note)
        return DiscrepancyKind(row.kind)

    def _note_double(self, link_id: str, person_id: int, note: str, newest: int) -> None:
        """An alarm is about all links that share the challans, and is taken note of as one."""
        try:
            self.duplicate_alarms.acknowledge(link_id, person_id, note, newest)
        except AlarmChanged as changed:
            raise DiscrepancyChanged(link_id) from changed

    def _see(self, finding_id: int, version: int, person_id: int, note: str) -> None:
        now = self.clock()
        with self.store.write() as connection:
            ticked = discrepancies.see(connection, finding_id, version, person_id=person_id, note=note, at=now)
            if ticked is None:
                raise DiscrepancyChanged(finding_id)
            links.record_event(connection, ticked.link_id, SEEN, now, person_id=person_id, old=ticked.kind, new=note)
