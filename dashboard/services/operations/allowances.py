"""Count our calls against the organization's daily allowances, whose size the service does not state (section 8).

A search may be answered 429. The number of calls after which that came is stored as the learned allowance; from then
on 5 % of it, at least 20 calls, is reserved for calls that resolve unclear outcomes, because people wait for those with
their challans reserved. Before the first 429 nothing is known and nothing is reserved. A learned allowance is forgotten
after a week, because the real one may have grown, and one ordinary search an hour tries in any case.

Searches are counted one by one in the store, before each call: a search costs seconds and part of an allowance, and
the reserve needs the number that all processes share. Creations and status calls are counted in memory and written by
the watcher every few seconds: no rule depends on them, and a write for each would cost more than the rest of a status
call.
"""

from __future__ import annotations

import logging
import math
import threading
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from dashboard.errors import AllowanceReserved, CallGroup, Operation
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.operations import call_counts
from dashboard.store.operations.call_counts import CallCount

log = logging.getLogger(__name__)

#: A new day's allowance begins at midnight in India: the service is an Indian one, and the document does not say.
INDIA = ZoneInfo("Asia/Kolkata")

_RESERVE_SHARE, _RESERVE_LEAST = 0.05, 20
_LEARNED_FOR = timedelta(days=7)
_TRY_EVERY = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class AllowanceUse:
    """Hold a group's calls of today, and its learned allowance; None while nothing was learned."""

    call_group: CallGroup
    calls: int
    learned: int | None


def reserve(learned: int) -> int:
    """Return how many of a day's searches are reserved. An allowance no larger than the least reserve has none: other
    systems may have spent the organization's day.
    """
    return 0 if learned <= _RESERVE_LEAST else max(_RESERVE_LEAST, math.ceil(learned * _RESERVE_SHARE))


def next_midnight(now: datetime) -> datetime:
    """Return when the day of the allowances ends."""
    here = now.astimezone(INDIA)
    return datetime.combine(here.date() + timedelta(days=1), datetime.min.time(), INDIA)


@dataclass(frozen=True)
class Allowances:
    """`person_searches` is how many searches a person may make in an hour."""

    store: Store
    clock: Clock
    person_searches: int
    _unwritten: Counter[tuple[str, CallGroup]] = field(default_factory=Counter)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def spend(self, operation: Operation, *, resolving: bool, person_id: int | None) -> None:
        """Count a call that is about to be made.

        Raises AllowanceReserved, and counts nothing, when only the reserve is left and this call resolves no unclear
        outcome, or when the person has made their searches of the hour.
        """
        if operation is not Operation.SEARCH_CHALLANS:
            self._count(operation)
            return
        now = self.clock()
        refusal: AllowanceReserved | None = None
        try:
            with self.store.write(durable=False) as connection:
                refusal = self._spend_search(connection, now, resolving=resolving, person_id=person_id)
        except SQLAlchemyError:
            log.exception("a search could not be counted")
        if refusal is not None:
            raise refusal

    def spend_more(self, operation: Operation) -> None:
        """Count a further try within a call."""
        self._count(operation)

    def write_counts(self) -> None:
        """Write the counts in memory to the database. On failure, retain them and raise SQLAlchemyError."""
        with self._lock:
            counted = Counter(self._unwritten)
            self._unwritten.clear()
        if not counted:
            return
        try:
            with self.store.write() as connection:
                for (day, group), calls in sorted(counted.items()):
                    call_counts.add(connection, day, group, calls)
        except SQLAlchemyError:
            with self._lock:
                self._unwritten.update(counted)
            raise

    def learn(self, operation: Operation) -> None:
        """Store the size of today's allowance, which the service has just answered to be spent. Where it had granted no
        call of ours today, the size stays unknown: others have spent it, or its day begins at another hour.
        """
        self.write_counts()
        now = self.clock()
        day, group = _day(now), operation.call_group
        with self.store.write() as connection:
            # The refused call is counted already, and was not granted.
            granted = call_counts.find_locked(connection, day, group).calls - 1
            call_counts.record(connection, day, group, refused_after=granted if granted > 0 else None, refused_at=now)

    def unlearn(self, operation: Operation, asked_at: datetime) -> None:
        """Forget the allowance that was learned today: a call was granted after it seemed spent."""
        day = _day(self.clock())
        with self.store.write() as connection:
            call_counts.forget_learned(connection, asked_at, day=day, call_group=operation.call_group)

    def forget_learned(self) -> None:
        """Forget what was learned, for an administrator who selects another try."""
        with self.store.write() as connection:
            call_counts.forget_learned(connection, self.clock())

    def is_spare(self, operation: Operation) -> bool:
        """Return whether less than half of a learned allowance is used, so that a call that can wait may be made."""
        return any(
            use.learned is None or use.calls * 2 < use.learned
            for use in self.used()
            if use.call_group is operation.call_group
        )

    def used(self) -> list[AllowanceUse]:
        """Return the calls of today by group, as far as they are written."""
        now = self.clock()
        with self.store.read() as connection:
            calls = call_counts.of_day(connection, _day(now))
            return [AllowanceUse(group, calls.get(group, 0), _learned(connection, group, now)) for group in CallGroup]

    def _count(self, operation: Operation) -> None:
        with self._lock:
            self._unwritten[_day(self.clock()), operation.call_group] += 1

    def _spend_search(
        self, connection: Connection, now: datetime, *, resolving: bool, person_id: int | None
    ) -> AllowanceReserved | None:
        """Count a search, or return why it may not be made; in the transaction that locks the day's row."""
        day, group = _day(now), CallGroup.SEARCH
        count = call_counts.find_locked(connection, day, group)
        values: dict[str, object] = {"calls": count.calls + 1}
        if not resolving and _only_reserve_left(connection, count, now):
            if count.ask_again_at is None or now < count.ask_again_at:
                again = count.ask_again_at or min(now + _TRY_EVERY, next_midnight(now))
                call_counts.record(connection, day, group, ask_again_at=again)
                return AllowanceReserved(Operation.SEARCH_CHALLANS, retry_after=(again - now).total_seconds())
            values["ask_again_at"] = now + _TRY_EVERY
        if person_id is not None:
            hour = now.astimezone(INDIA).replace(minute=0, second=0, microsecond=0)
            searches = call_counts.find_person_locked(connection, person_id, hour)
            if searches >= self.person_searches:
                rest = (hour + timedelta(hours=1) - now).total_seconds()
                return AllowanceReserved(Operation.SEARCH_CHALLANS, retry_after=rest, personal=True)
            call_counts.record_person(connection, person_id, hour, searches + 1)
        call_counts.record(connection, day, group, **values)
        return None


def _only_reserve_left(connection: Connection, count: CallCount, now: datetime) -> bool:
    """Return whether an ordinary search has to wait. Once the service has refused today, the call policy decides."""
    learned = _learned(connection, CallGroup.SEARCH, now)
    if count.refused_at is not None or learned is None or not (reserved := reserve(learned)):
        return False
    return learned - count.calls <= reserved


def _learned(connection: Connection, group: CallGroup, now: datetime) -> int | None:
    return call_counts.learned(connection, group, _day(now - _LEARNED_FOR))


def _day(now: datetime) -> str:
    return now.astimezone(INDIA).date().isoformat()
