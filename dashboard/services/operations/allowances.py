"""Count our calls against the organization's daily allowances, whose size the service does not state (section 8).

A search may be answered 429, and counts no more then. The number of calls that were granted before is stored as the
learned allowance; from then on 5 % of it, at least 20 calls, is reserved for calls that resolve unclear outcomes,
because people wait for those with their challans reserved. Before the first 429 nothing is known and nothing is
reserved. A learned allowance is forgotten after a week, because the real one may have grown, and one ordinary search
an hour tries in any case. Bulk work leaves alone what is reserved, and what people usually need until the allowance
comes back.

The day of an allowance begins when it comes back, as learned from the first call that is granted after a 429
(`domain/allowance_resets.py`); until that was seen, at midnight in India.

Searches and bulk creations are counted one by one in the store, before each call: a search costs seconds and part of an
allowance, and the reserve needs the number that all processes share. Other calls are counted in memory and written by
the watcher every few seconds: a write for each would cost more than the rest of a status call.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from dashboard.domain import allowance_resets
from dashboard.domain.allowance_forecast import left_for_bulk, people_share, reserve, usual_use
from dashboard.domain.allowance_resets import Refusals, Reset, day_of, next_day_begins, next_return
from dashboard.errors import AllowanceReserved, CallGroup, Operation
from dashboard.services.operations.call_outcomes import hour_of
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.operations import allowance_resets as resets
from dashboard.store.operations import call_counts, clock_checks, people_calls
from dashboard.store.operations.allowance_resets import Known
from dashboard.store.operations.call_counts import CallCount

log = logging.getLogger(__name__)

_LEARNED_FOR = timedelta(days=7)
_TRY_EVERY = timedelta(hours=1)
#: For how long a process keeps what people usually use.
_USUAL_FOR = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class AllowanceUse:
    """Hold a group's calls of its day, its learned allowance, when that comes back, and what bulk work leaves of it to
    unclear requests and to people. None, and nothing to leave: not learned yet.
    """

    call_group: CallGroup
    calls: int
    learned: int | None
    reset: Reset | None
    for_resolving: int = 0
    for_people: int = 0
    #: The calls of the day before, while it is unsure whether the allowance has come back since.
    carried: int = 0

    @property
    def left_for_bulk(self) -> int | None:
        reserved = self.for_resolving + self.for_people
        if self.learned is None or self.learned <= reserved:
            # So small a size means that others had spent the day on which it was learned; bulk work tries the next one.
            return None
        return left_for_bulk(self.calls + self.carried, self.learned, reserved)


@dataclass(frozen=True)
class Allowances:
    """`person_searches` is how many searches a person may make in an hour."""

    store: Store
    clock: Clock
    person_searches: int
    #: By the minute of the call, because it is known only when they are written to which day that belongs.
    _unwritten: Counter[tuple[datetime, CallGroup]] = field(default_factory=Counter)
    #: The single calls of people, by hour.
    _of_people: Counter[tuple[datetime, CallGroup]] = field(default_factory=Counter)
    _usual: dict[CallGroup, tuple[datetime, datetime, Sequence[int]]] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def spend(
        self,
        operation: Operation,
        *,
        resolving: bool = False,
        bulk: bool = False,
        asked: bool = False,
        person_id: int | None = None,
    ) -> None:
        """Count a call that is about to be made.

        Raises AllowanceReserved, and counts nothing, when only the reserve is left and this call resolves no unclear
        outcome, when the person has made their searches of the hour, or when a `bulk` call would use what is reserved
        for people and unclear requests, unless it is the try that a person has `asked` for. Bulk calls count towards
        nobody's searches of the hour.
        """
        now = self.clock()
        if operation is not Operation.SEARCH_CHALLANS and not (bulk and operation is Operation.CREATE_PAYMENT_LINK):
            self._count(operation, now)
        elif (refusal := self._spend_in_store(operation, now, resolving, bulk, asked, person_id)) is not None:
            raise refusal
        by_person = operation is Operation.CREATE_PAYMENT_LINK or person_id is not None
        if by_person and not bulk and not resolving:
            with self._lock:
                self._of_people[hour_of(now), operation.call_group] += 1

    def spend_more(self, operation: Operation) -> None:
        """Count a further try within a call."""
        self._count(operation, self.clock())

    def write_counts(self) -> None:
        """Write the counts in memory to the database. On failure, retain them and raise SQLAlchemyError."""
        with self._lock:
            counted, of_people = Counter(self._unwritten), Counter(self._of_people)
            self._unwritten.clear()
            self._of_people.clear()
        if not counted and not of_people:
            return
        try:
            with self.store.write() as connection:
                known = resets.read_all(connection)
                for (minute, group), calls in sorted(counted.items()):
                    call_counts.add(connection, day_of(minute, known.get(group)).isoformat(), group, calls)
                for (hour, group), calls in sorted(of_people.items()):
                    people_calls.add(connection, hour, group, calls)
                if of_people:
                    people_calls.forget(connection, self.clock())
        except SQLAlchemyError:
            with self._lock:
                self._unwritten.update(counted)
                self._of_people.update(of_people)
            raise

    def give_back(self, operation: Operation, asked_at: datetime) -> None:
        """Count a call no longer that the service refused because the allowance is spent.

        Of several such calls under way at once the last shows how many others were granted, and so the size.
        """
        self.write_counts()
        group = operation.call_group
        with self.store.write() as connection:
            day = day_of(asked_at, resets.find(connection, group)).isoformat()
            count = call_counts.find_locked(connection, day, group)
            values = {"calls": max(0, count.calls - 1)}
            if count.refused_after is not None and 0 < values["calls"] < count.refused_after:
                values["refused_after"] = values["calls"]
            call_counts.record(connection, day, group, **values)

    def learn(self, operation: Operation, asked_at: datetime, *, first: bool) -> None:
        """Record that the service answered 429, and store the size of the day's allowance at the `first` such answer.
        Where it had granted no call of ours that day, the size stays unknown: others have spent it, or its day begins
        at another hour. The refused call was given back before.
        """
        now, group = self.clock(), operation.call_group
        with self.store.write() as connection:
            known = resets.find_locked(connection, group)
            refusals = known.refusals.and_again(asked_at) if known.refusals else Refusals(asked_at, asked_at)
            reset = known.reset
            if reset is not None and allowance_resets.is_contradicted(reset, refusals):
                log.warning("an allowance did not come back when it was expected", extra={"call_group": group})
                reset = None
            self._save(connection, group, known.reset, Known(reset, refusals), now)
            if first:
                day = day_of(now, reset).isoformat()
                granted = call_counts.find_locked(connection, day, group).calls
                size = granted if granted > 0 else None
                call_counts.record(connection, day, group, refused_after=size, refused_at=now)

    def unlearn(self, operation: Operation, asked_at: datetime) -> None:
        """Learn when the allowance comes back from a call that was granted after refusals. A size that was learned on
        the same day is forgotten: it was not the day's.
        """
        self.write_counts()
        now, group = self.clock(), operation.call_group
        with self.store.write() as connection:
            known = resets.find_locked(connection, group)
            reset = known.reset
            if (refusals := known.refusals) is not None and refusals.latest_at < asked_at:
                steps = [check.stepped_at for check in clock_checks.read_all(connection) if check.stepped_at]
                if all(step < refusals.since for step in steps):
                    reset = allowance_resets.learn(known.reset, refusals, now)
            day = day_of(now, reset)
            call_counts.forget_learned(connection, asked_at, day=day.isoformat(), call_group=group)
            self._save(connection, group, known.reset, Known(reset), now)
            if (
                reset is not None and reset is not known.reset
            ):  # It was seen to come back: the calls before are of before.
                counted_as, ended = day_of(now, known.reset), day - timedelta(days=1)
                call_counts.begin_day(connection, group, counted_as.isoformat(), ended.isoformat(), day.isoformat())

    def _save(
        self, connection: Connection, group: CallGroup, before: Reset | None, known: Known, now: datetime
    ) -> None:
        """Save what is known of an allowance. When its day begins at another hour now, the sizes learned were of other
        days.
        """
        resets.save(connection, group, known)
        if (before.begins if before else 0) != (known.reset.begins if known.reset else 0):
            log.info("an allowance comes back at another hour than before", extra={"call_group": group})
            call_counts.forget_learned(connection, now, call_group=group)

    def reset(self, operation: Operation) -> Reset | None:
        """Return when the allowance of a call comes back, as far as known."""
        with self.store.read() as connection:
            return resets.find(connection, operation.call_group)

    def forget_learned(self, group: CallGroup | None = None) -> None:
        """Forget the sizes that were learned, of one group or of all, where a person lets a call try. A call that it
        gets granted shows no new day.
        """
        with self.store.write() as connection:
            call_counts.forget_learned(connection, self.clock(), call_group=group)
            resets.end_refusals(connection, group)

    def is_left_for_bulk(self, operation: Operation) -> bool:
        """Return whether bulk work may make another call, as far as the size of the allowance is known."""
        return all(use.left_for_bulk != 0 for use in self.used() if use.call_group is operation.call_group)

    def is_spare(self, operation: Operation) -> bool:
        """Return whether less than half of a learned allowance is used, so that a call that can wait may be made."""
        return any(
            use.learned is None or use.calls * 2 < use.learned
            for use in self.used()
            if use.call_group is operation.call_group
        )

    def used(self) -> list[AllowanceUse]:
        """Return the calls of the day by group, as far as they are written."""
        now = self.clock()
        with self.store.read() as connection:
            known = resets.read_all(connection)
            return [self._use(connection, group, known.get(group), now) for group in CallGroup]

    def _use(
        self, connection: Connection, group: CallGroup, reset: Reset | None, now: datetime, calls: int | None = None
    ) -> AllowanceUse:
        day = day_of(now, reset)
        if calls is None:
            calls = call_counts.of_day(connection, day.isoformat(), group)
        if (learned := _learned(connection, group, reset, now)) is None:
            return AllowanceUse(group, calls, None, reset)
        for_resolving = reserve(learned) if group is CallGroup.SEARCH else 0
        for_people = people_share(learned, self._usual_use(connection, group, reset, now))
        carried = 0
        if allowance_resets.may_not_be_back(now, reset):
            carried = call_counts.of_day(connection, (day - timedelta(days=1)).isoformat(), group)
        return AllowanceUse(group, calls, learned, reset, for_resolving, for_people, carried)

    def _usual_use(self, connection: Connection, group: CallGroup, reset: Reset | None, now: datetime) -> Sequence[int]:
        """Return what people used on each of the past days from this time of day until the allowance comes back."""
        until = next_day_begins(now, reset)
        known = self._usual.get(group)
        if known is None or known[0] != until or not timedelta(0) <= now - known[1] < _USUAL_FOR:
            by_hour = people_calls.by_hour(connection, group)
            known = self._usual[group] = until, now, usual_use(by_hour, hour_of(now), until)
        return known[2]

    def _count(self, operation: Operation, now: datetime) -> None:
        with self._lock:
            self._unwritten[now.replace(second=0, microsecond=0), operation.call_group] += 1

    def _spend_in_store(
        self, operation: Operation, now: datetime, resolving: bool, bulk: bool, asked: bool, person_id: int | None
    ) -> AllowanceReserved | None:
        """Count a call, or return why it may not be made. A failure to count stops no call."""
        group = operation.call_group
        try:
            with self.store.write(durable=False) as connection:
                reset = resets.find(connection, group)
                count = call_counts.find_locked(connection, day_of(now, reset).isoformat(), group)
                if bulk:
                    return self._spend_bulk(connection, operation, count, reset, now, asked=asked)
                return self._spend_search(connection, count, reset, now, resolving=resolving, person_id=person_id)
        except SQLAlchemyError:
            log.exception("a call could not be counted")
            return None

    def _spend_bulk(
        self,
        connection: Connection,
        operation: Operation,
        count: CallCount,
        reset: Reset | None,
        now: datetime,
        *,
        asked: bool,
    ) -> AllowanceReserved | None:
        """Count a bulk call, or return why it may not be made; in the transaction that locks the day's row."""
        if not asked and self._use(connection, operation.call_group, reset, now, count.calls).left_for_bulk == 0:
            _, back_at = next_return(now, reset)
            return AllowanceReserved(operation, retry_after=(back_at - now).total_seconds())
        call_counts.record(connection, count.day, operation.call_group, calls=count.calls + 1)
        return None

    def _spend_search(
        self,
        connection: Connection,
        count: CallCount,
        reset: Reset | None,
        now: datetime,
        *,
        resolving: bool,
        person_id: int | None,
    ) -> AllowanceReserved | None:
        """Count a search, or return why it may not be made; in the transaction that locks the day's row."""
        day, group = count.day, CallGroup.SEARCH
        values: dict[str, object] = {"calls": count.calls + 1}
        if not resolving and _only_reserve_left(connection, count, reset, now):
            if count.ask_again_at is None or now < count.ask_again_at:
                again = count.ask_again_at or min(now + _TRY_EVERY, next_day_begins(now, reset))
                call_counts.record(connection, day, group, ask_again_at=again)
                return AllowanceReserved(Operation.SEARCH_CHALLANS, retry_after=(again - now).total_seconds())
            values["ask_again_at"] = now + _TRY_EVERY
        if person_id is not None:
            hour = hour_of(now)
            searches = call_counts.find_person_locked(connection, person_id, hour)
            if searches >= self.person_searches:
                rest = (hour + timedelta(hours=1) - now).total_seconds()
                return AllowanceReserved(Operation.SEARCH_CHALLANS, retry_after=rest, personal=True)
            call_counts.record_person(connection, person_id, hour, searches + 1)
            values["person_at"] = now
        call_counts.record(connection, day, group, **values)
        return None


def _only_reserve_left(connection: Connection, count: CallCount, reset: Reset | None, now: datetime) -> bool:
    """Return whether an ordinary search has to wait. Once the service has refused today, the call policy decides."""
    learned = _learned(connection, CallGroup.SEARCH, reset, now)
    if count.refused_at is not None or learned is None or not (reserved := reserve(learned)):
        return False
    return learned - count.calls <= reserved


def _learned(connection: Connection, group: CallGroup, reset: Reset | None, now: datetime) -> int | None:
    return call_counts.learned(connection, group, day_of(now - _LEARNED_FOR, reset).isoformat())
