"""The organization's daily allowances, whose size nobody tells: our own calls are counted, and a 429 teaches.

A search may answer 429 for a daily limit that the document does not state (section 8). After how many calls of a day it
came is kept; from then on a part of it, 5 % and at least 20 calls, is left to looks at unclear requests, which people
wait for with their challans reserved. Until a first 429 nothing is known and nothing is kept back. A lesson is
forgotten after a week, as the allowance may have grown, and one ordinary search an hour still tries.

Searches are counted one by one in the store, before each is made: each costs seconds and part of an allowance, and the
reserve needs the number that all processes share. Creations and status calls are counted in memory and written by the
watcher every few seconds: no rule hangs on them, and a write for each would be the dearest part of a status call.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection, Row
from sqlalchemy.exc import SQLAlchemyError

from dashboard.errors import AllowanceReserved, CallGroup, Operation
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.operations import call_counts

log = logging.getLogger(__name__)

#: Whose midnight begins a new day's allowance: the service is an Indian one, and the document does not say.
INDIA = ZoneInfo("Asia/Kolkata")

_RESERVE_SHARE, _RESERVE_LEAST = 0.05, 20
_LESSON_KEPT = timedelta(days=7)
_ASK_AGAIN = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Used:
    """A group's calls of today: how many were made, and the allowance as far as it was learned."""

    call_group: CallGroup
    calls: int
    learned: int | None


def reserve(learned: int) -> int:
    """How many of a day's searches are kept for looks. So few that all would be kept are no lesson: others may have
    spent the organization's day.
    """
    return 0 if learned <= _RESERVE_LEAST else max(_RESERVE_LEAST, math.ceil(learned * _RESERVE_SHARE))


def next_midnight(now: datetime) -> datetime:
    """When the day of the allowances ends, in India."""
    here = now.astimezone(INDIA)
    return datetime.combine(here.date() + timedelta(days=1), datetime.min.time(), INDIA)


class Allowances:
    """`person_searches` is how many searches a person may make in an hour."""

    def __init__(self, store: Store, clock: Clock, person_searches: int = 600) -> None:
        self._store = store
        self._clock = clock
        self._person_searches = person_searches
        self._unwritten: Counter[tuple[str, CallGroup]] = Counter()
        self._lock = threading.Lock()

    def spend(self, operation: Operation, *, resolving: bool, person_id: int | None) -> None:
        """Count a call that is about to be made.

        Raises AllowanceReserved, and counts nothing, when only the reserve is left and this call resolves no unclear
        outcome, or when the person has made their searches of the hour.
        """
        if operation is not Operation.SEARCH_CHALLANS:
            self._count(operation)
            return
        now = self._clock()
        refusal: AllowanceReserved | None = None
        try:
            with self._store.write() as connection:
                refusal = self._spend_search(connection, now, resolving=resolving, person_id=person_id)
        except SQLAlchemyError:
            log.exception("a search could not be counted")
        if refusal is not None:
            raise refusal

    def spend_more(self, operation: Operation) -> None:
        """Count a further try within a call."""
        self._count(operation)

    def write_counts(self) -> None:
        """Write down what was counted in memory. Raises SQLAlchemyError, and keeps the numbers, when that fails."""
        with self._lock:
            counted, self._unwritten = self._unwritten, Counter()
        if not counted:
            return
        try:
            with self._store.write() as connection:
                for (day, group), calls in sorted(counted.items()):
                    call_counts.add(connection, day, group, calls)
        except SQLAlchemyError:
            with self._lock:
                self._unwritten += counted
            raise

    def learn(self, operation: Operation) -> None:
        """The service has just answered that today's allowance is spent. Where it had granted no call of ours today,
        others have spent it, or its day begins at another hour than we think: that tells nothing of its size.
        """
        self.write_counts()
        now = self._clock()
        day, group = _day(now), operation.call_group
        with self._store.write() as connection:
            row = call_counts.find_locked(connection, day, group)
            # The call that was refused is counted already, and was not granted.
            granted = row.calls - 1
            call_counts.record(connection, day, group, refused_after=granted if granted > 0 else None, refused_at=now)

    def unlearn(self, operation: Operation, asked_at: datetime) -> None:
        """A call was granted after a refusal of the same day: where that came tells nothing of the day's allowance."""
        now = self._clock()
        with self._store.write() as connection:
            call_counts.forget_lessons(connection, asked_at, day=_day(now), call_group=operation.call_group)

    def forget_lessons(self) -> None:
        """Learn anew, for an administrator who asks for another try."""
        with self._store.write() as connection:
            call_counts.forget_lessons(connection, self._clock())

    def is_spare(self, operation: Operation) -> bool:
        """Whether a call that can wait for another day may be made: less than half of a learned allowance is used."""
        return any(
            used.learned is None or used.calls * 2 < used.learned
            for used in self.used()
            if used.call_group is operation.call_group
        )

    def used(self) -> list[Used]:
        """The calls of today, as far as they are written down, by group."""
        now = self._clock()
        with self._store.read() as connection:
            calls = {row.call_group: row.calls for row in call_counts.of_day(connection, _day(now))}
            return [Used(group, calls.get(group, 0), _learned(connection, group, now)) for group in CallGroup]

    def _count(self, operation: Operation) -> None:
        with self._lock:
            self._unwritten[_day(self._clock()), operation.call_group] += 1

    def _spend_search(
        self, connection: Connection, now: datetime, *, resolving: bool, person_id: int | None
    ) -> AllowanceReserved | None:
        """Count a search, or say why it may not be made; in the transaction that holds the day's row."""
        day, group = _day(now), CallGroup.SEARCH
        row = call_counts.find_locked(connection, day, group)
        values: dict[str, object] = {"calls": row.calls + 1}
        if not resolving and _only_reserve_left(connection, row, now):
            if row.ask_again_at is None or now < row.ask_again_at:
                again = row.ask_again_at or min(now + _ASK_AGAIN, next_midnight(now))
                call_counts.record(connection, day, group, ask_again_at=again)
                return AllowanceReserved(Operation.SEARCH_CHALLANS, retry_after=(again - now).total_seconds())
            values["ask_again_at"] = now + _ASK_AGAIN
        if person_id is not None:
            hour = now.astimezone(INDIA).replace(minute=0, second=0, microsecond=0)
            searches = call_counts.find_person_locked(connection, person_id, hour)
            if searches >= self._person_searches:
                rest = (hour + timedelta(hours=1) - now).total_seconds()
                return AllowanceReserved(Operation.SEARCH_CHALLANS, retry_after=rest, personal=True)
            call_counts.record_person(connection, person_id, hour, searches + 1)
        call_counts.record(connection, day, group, **values)
        return None


def _only_reserve_left(connection: Connection, row: Row[tuple[object, ...]], now: datetime) -> bool:
    """Whether an ordinary search has to wait. Once the service itself has refused today, that is the latch's to say."""
    learned = _learned(connection, CallGroup.SEARCH, now)
    if row.refused_at is not None or learned is None or not (kept := reserve(learned)):
        return False
    return learned - int(row.calls) <= kept


def _learned(connection: Connection, group: CallGroup, now: datetime) -> int | None:
    return call_counts.learned(connection, group, _day(now - _LESSON_KEPT))


def _day(now: datetime) -> str:
    return now.astimezone(INDIA).date().isoformat()
