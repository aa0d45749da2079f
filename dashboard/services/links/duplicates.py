"""Evaluate duplicate alarms, and acknowledge them with a note."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection

from dashboard.domain.links import is_paid
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.links import duplicates, links
from dashboard.store.links.records import Link, LinkEvent
from dashboard.store.reconciliation import discrepancies


class AlarmChanged(Exception):
    """Report that the alarm changed since a person read it."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """Hold the duplicate alarms of a link and of its duplicates. `duplicates` are oldest first.

    `newest` is the id of the newest alarm event, which an acknowledgement names; `since` is its moment. `alarmed` are
    the links with an alarm of their own, `unacknowledged` those of them whose newest alarm is unacknowledged.
    """

    newest: int
    since: datetime
    alarmed: tuple[str, ...]
    unacknowledged: tuple[str, ...]
    duplicates: tuple[Link, ...]
    acknowledgements: tuple[LinkEvent, ...]


def alarm_of(connection: Connection, link_id: str, others: Sequence[Link]) -> Alarm | None:
    """Return the alarm that concerns a link, its own or one of `others`, its duplicates; None without one."""
    events = duplicates.alarm_events(connection, [link_id, *(other.id for other in others)])
    alarms = [event for event in events if event.kind == links.DUPLICATE]
    if not alarms:
        return None
    acknowledgements = [event for event in events if event.kind == links.DUPLICATE_ACKNOWLEDGED]
    last_acknowledged = {event.link_id: event.id for event in acknowledgements}
    last_alarm = {event.link_id: event.id for event in alarms}
    return Alarm(
        newest=alarms[-1].id,
        since=alarms[-1].at,
        alarmed=tuple(last_alarm),
        unacknowledged=tuple(key for key, newest in last_alarm.items() if newest > last_acknowledged.get(key, 0)),
        duplicates=tuple(others),
        acknowledgements=tuple(acknowledgements),
    )


def has_paid_duplicate(connection: Connection, link_id: str) -> bool:
    """Return whether a duplicate of a link is paid; then the link must not be shared."""
    return any(is_paid(other.status) for other in duplicates.of_link(connection, link_id))


def has_ended_duplicate(connection: Connection, link_id: str) -> bool:
    """Return whether a duplicate of a link has ended; it is polled before the link is shared or copied."""
    return bool(duplicates.ended_of(connection, link_id))


@dataclass(frozen=True)
class DuplicateAlarms:
    store: Store
    clock: Clock

    def acknowledge(self, link_id: str, person_id: int, note: str, newest: int) -> None:
        """Record that a person acknowledged the alarm whose newest event is `newest`, with a note of what they did.

        The note is recorded for every link that the alarm is about. Raises AlarmChanged.
        """
        with self.store.write() as connection:
            others = duplicates.of_link(connection, link_id)
            duplicates.lock_alarms(connection, [link_id, *(other.id for other in others)])
            alarm = alarm_of(connection, link_id, others)
            if alarm is None or alarm.newest != newest:
                raise AlarmChanged(link_id)
            if not alarm.unacknowledged and _is_recorded(alarm, person_id, note):
                return  # The same form, sent twice.
            now, link_ids = self.clock(), alarm.unacknowledged or (link_id,)
            for each in link_ids:
                links.record_event(connection, each, links.DUPLICATE_ACKNOWLEDGED, now, person_id=person_id, new=note)
            discrepancies.acknowledge_duplicates(connection, link_ids, person_id=person_id, note=note, at=now)


def _is_recorded(alarm: Alarm, person_id: int, note: str) -> bool:
    return any((event.person_id, event.new) == (person_id, note) for event in alarm.acknowledgements)
