"""Count the outcomes of calls by hour, for the service page.

They are counted in memory and written by the watcher every few seconds, without waiting for the disk: a call costs no
commit, and a process that is killed loses the counts of some seconds.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from dashboard.domain.allowance_resets import INDIA
from dashboard.errors import CallGroup, Operation
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.operations import call_outcomes
from dashboard.store.operations.call_outcomes import ANSWERED, CallOutcome

_Key = tuple[datetime, CallGroup, str]


def hour_of(moment: datetime) -> datetime:
    """Return when the hour of a moment began, as clocks in India show it."""
    return moment.astimezone(INDIA).replace(minute=0, second=0, microsecond=0)


@dataclass(frozen=True)
class CallOutcomes:
    store: Store
    clock: Clock
    _unwritten: dict[_Key, CallOutcome] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    #: The hour in which this process last deleted what is too old.
    _cleaned: dict[str, datetime] = field(default_factory=dict)

    def count(self, operation: Operation, failure: str = ANSWERED) -> None:
        """Count a call by the name of its failure."""
        now = self.clock()
        hour = hour_of(now)
        key = (hour, operation.call_group, failure)
        with self._lock:
            self._add({key: CallOutcome(hour, operation.call_group, failure, 1, now)})

    def write_counts(self) -> None:
        """Write the counts in memory to the database. On failure, retain them and raise SQLAlchemyError."""
        with self._lock:
            counted = dict(self._unwritten)
            self._unwritten.clear()
        if not counted:
            return
        now = self.clock()
        hour = hour_of(now)
        try:
            with self.store.write(durable=False) as connection:
                for each in counted.values():
                    call_outcomes.add(connection, each)
                if self._cleaned.get("hour") != hour:
                    call_outcomes.forget(connection, now)
        except SQLAlchemyError:
            with self._lock:
                newer = dict(self._unwritten)
                self._unwritten.clear()
                self._add(counted)
                self._add(newer)
            raise
        self._cleaned["hour"] = hour

    def since(self, connection: Connection, since: datetime) -> list[CallOutcome]:
        """Return the outcomes of the hours from a moment on, with those that this process has not written yet."""
        stored = call_outcomes.outcomes_since(connection, since)
        with self._lock:
            return [*stored, *(each for each in self._unwritten.values() if each.hour >= since)]

    def latest_answers(self, connection: Connection) -> dict[str, datetime]:
        """Return when the service last granted a call, by group, also where that is not written yet."""
        latest = call_outcomes.latest_answers(connection)
        with self._lock:
            for each in self._unwritten.values():
                if each.outcome == ANSWERED:
                    latest[each.call_group] = max(each.latest_at, latest.get(each.call_group, each.latest_at))
        return latest

    def _add(self, counted: Mapping[_Key, CallOutcome]) -> None:
        for key, each in counted.items():
            known = self._unwritten.get(key)
            self._unwritten[key] = replace(each, calls=each.calls + known.calls) if known else each
