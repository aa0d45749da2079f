"""Taking note of an alarm that money may be paid twice: by whom, and what was done about it."""

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

#: How many characters a note of what was done has.
MIN_NOTE, MAX_NOTE = 10, 1000
#: Why a link that can still be paid is not to be given to anybody.
PAID_BESIDE = "Challans of this link were paid with another link. Do not share it."


class AlarmChanged(Exception):
    """There is another alarm by now than the one that a person has read."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """The alarms of a link and of those that cover its challans too. `others` are rows of the ledger, oldest first.

    `newest` is the number of the newest alarm, which taking note of it must name; `alarmed` are the links with an alarm
    of their own, `standing` those of them whose alarm nobody took note of; `seen` are the events of those who did.
    """

    newest: int
    alarmed: tuple[str, ...]
    others: tuple[Link, ...]
    standing: tuple[str, ...]
    seen: tuple[LinkEvent, ...]
    since: datetime


def alarm_of(connection: Connection, link_id: str, others: Sequence[Link]) -> Alarm | None:
    """The alarm that concerns a link: its own, or that of one of the others that cover its challans."""
    events = duplicates.events(connection, [link_id, *(row.id for row in others)])
    alarms = [event for event in events if event.kind == links.DOUBLE]
    if not alarms:
        return None
    seen = [event for event in events if event.kind == links.DOUBLE_SEEN]
    last_seen = {event.link_id: event.id for event in seen}
    last_alarm = {event.link_id: event for event in alarms}
    return Alarm(
        newest=alarms[-1].id,
        alarmed=tuple(last_alarm),
        others=tuple(others),
        standing=tuple(key for key, event in last_alarm.items() if event.id > last_seen.get(key, 0)),
        seen=tuple(seen),
        since=alarms[-1].at,
    )


def is_paid_beside(connection: Connection, link_id: str) -> bool:
    """Whether another link that covers a challan of this one is paid: then this one must not leave the house."""
    return any(is_paid(other.status) for other in duplicates.sharing(connection, link_id))


@dataclass(frozen=True)
class DuplicateAlarms:
    store: Store
    clock: Clock

    def acknowledge(self, link_id: str, person_id: int, note: str, newest: int) -> None:
        """Record that a person took note of the alarm numbered `newest`, and what they did; history only grows.

        The note stands for every link that the alarm is about. Raises AlarmChanged.
        """
        with self.store.write() as connection:
            others = duplicates.sharing(connection, link_id)
            duplicates.lock(connection, [link_id, *(row.id for row in others)])
            alarm = alarm_of(connection, link_id, others)
            if alarm is None or alarm.newest != newest:
                raise AlarmChanged(link_id)
            if not alarm.standing and _said_before(alarm.seen, person_id, note):
                return  # The same form, sent twice.
            now, noted = self.clock(), alarm.standing or (link_id,)
            for each in noted:
                links.record_event(connection, each, links.DOUBLE_SEEN, now, person_id=person_id, new=note)
            discrepancies.acknowledge_duplicates(connection, noted, person_id=person_id, note=note, at=now)


def _said_before(seen: Sequence[LinkEvent], person_id: int, note: str) -> bool:
    return any((event.person_id, event.new) == (person_id, note) for event in seen)
