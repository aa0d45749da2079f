"""Stands before every call: what the service has refused is not asked again until there is a reason to.

A refused secret stops all calls (a bad one is throttled, and each call would make it worse), a service that is not
enabled rests for a while, a spent allowance is remembered, and a service that does not answer is left alone (see
`breaker`). All of it lives in the store, so all processes share it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, TypeVar

from sqlalchemy import Connection, Row

from dashboard.errors import (
    AllowanceSpent,
    CallGroup,
    Operation,
    OtherOrganization,
    SecretRejected,
    ServiceError,
    ServiceGroup,
    ServiceNotEnabled,
)
from dashboard.services.operations import circuit_breaker
from dashboard.services.operations.allowances import Allowances, next_midnight
from dashboard.services.operations.circuit_breaker import Breakers
from dashboard.services.schedule import Clock
from dashboard.store.creation import intents
from dashboard.store.engine import Store
from dashboard.store.operations import call_blocks, circuit_breakers

T = TypeVar("T")

log = logging.getLogger(__name__)

SECRET, ORGANIZATION = "secret", "organization"
#: The allowances of a day (section 8).
LINKS_SPENT, SEARCHES_SPENT = "allowance:create", f"allowance:{ServiceGroup.CHALLAN_SEARCH}"
#: The calls that an allowance is known for: one that is granted shows that it is not spent.
_ALLOWANCES = {
    Operation.CREATE_PAYMENT_LINK: LINKS_SPENT,
    Operation.SEARCH_CHALLANS: SEARCHES_SPENT,
    Operation.LIST_RC_TYPES: SEARCHES_SPENT,
}

_SECRET_WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30))
_ALLOWANCE_WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
_NOT_ENABLED_WAIT = timedelta(minutes=10)
_LONGEST_ALLOWANCE_WAIT = timedelta(hours=1)
_TURN = timedelta(minutes=1)
_FOREVER = timedelta(days=36500)
#: Where one call may try, a due look at an unclear request goes first; for so long the others let it pass.
_LOOKS_FIRST = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class Trouble:
    """What is wrong with the service for everybody, since when, and when it is asked again.

    `scope` is SECRET, ORGANIZATION, a service group that is not enabled, LINKS_SPENT, SEARCHES_SPENT, or a call group
    whose breaker is open; the last has what the latest failure is told as for its `cause`.
    """

    scope: str
    since: datetime
    until: datetime
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class _Obstacle:
    """Why a call is not made before a moment; from then on whoever takes the turn may try."""

    error: ServiceError
    until: datetime
    take_turn: Callable[[Connection], bool]


class CallPolicy:
    """`fingerprint` tells which secret is in use, without telling it."""

    def __init__(
        self, store: Store, clock: Clock, fingerprint: Callable[[], str], allowances: Allowances | None = None
    ) -> None:
        self._store = store
        self._clock = clock
        self._fingerprint = fingerprint
        self._breakers = Breakers(store, clock)
        self.allowances = allowances or Allowances(store, clock)

    def call(
        self, operation: Operation, ask: Callable[[], T], *, looking: bool = False, person_id: int | None = None
    ) -> T:
        """Ask the service unless something stands in the way; raises the remembered error with `sent` False then.

        `looking`: to find out about an unclear request, which goes before everything else. With a `person_id` a search
        is counted as theirs.
        """
        obstacles = self._obstacles(operation, looking=looking)
        self._refuse(obstacles)
        self.allowances.spend(operation, looking=looking, person_id=person_id)
        self._take_turns(operation, obstacles, looking=looking)
        # The secret may be replaced while a call is under way: an answer is about the one that it was asked with.
        asked_at, fingerprint = self._clock(), self._fingerprint()
        try:
            answer = ask()
        except ServiceError as error:
            self._kept(partial(self._remember, error, asked_at, fingerprint))
            raise
        self._kept(partial(self._forget, operation, asked_at))
        return answer

    def check(self, operation: Operation) -> None:
        """Raise what a call would be refused with for certain, before anything is prepared for it."""
        self._refuse(self._obstacles(operation))

    def room(self, operation: Operation, *, looking: bool = False) -> int | None:
        """How many calls the background work may begin now: none, one that tries, or as many as it likes (None)."""
        obstacles = self._obstacles(operation, looking=looking)
        if not obstacles:
            return None
        now = self._clock()
        return 0 if any(now < obstacle.until for obstacle in obstacles) else 1

    def paused(self, operation: Operation) -> Trouble | None:
        """The refusal that keeps an operation from being asked at present: of the key, the service or the allowance."""
        now = self._clock()
        with self._store.read() as connection:
            rows = call_blocks.everything(connection)
        found = [row for row in rows if row.scope in _scopes(operation) and self._is_closed(row) and now < row.until]
        if not found:
            return None
        row = max(found, key=lambda row: row.until)
        return Trouble(row.scope, row.since, row.until)

    def try_again(self) -> None:
        """An administrator asks for another try of whatever was refused or failed."""
        with self._store.write() as connection:
            for row in call_blocks.everything(connection):
                call_blocks.reopen(connection, row.scope)
        self._breakers.close_all()
        self.allowances.forget_lessons()

    def troubles(self) -> list[Trouble]:
        """What is closed at present and concerns everybody.

        A breaker that nobody has tried for long tells nothing, nor does a spent allowance on another day.
        """
        now = self._clock()
        rows, broken = self._store.cached_read(
            "troubles", lambda connection: (call_blocks.everything(connection), circuit_breakers.everything(connection))
        )
        told = [SECRET, ORGANIZATION, *ServiceGroup]
        found = [Trouble(row.scope, row.since, row.until) for row in rows if row.scope in told and self._is_closed(row)]
        spent = [row for row in rows if row.scope in _ALLOWANCES.values() and now < next_midnight(row.since)]
        found += [Trouble(row.scope, row.since, row.until) for row in spent]
        for group in CallGroup:
            row = broken.get(group)
            if row is not None and row.opened_at is not None and now < row.until + circuit_breaker.TOLD_AFTER:
                found.append(Trouble(group, row.failing_since or row.opened_at, row.until, row.cause))
        return found

    def wrong_organization(self, operation: Operation) -> OtherOrganization:
        """Stop everything: this key answers for another organization than the store's."""
        with self._store.write() as connection:
            now = self._clock()
            call_blocks.close(connection, ORGANIZATION, now, now + _FOREVER, self._fingerprint())
        return OtherOrganization(operation)

    # What stands in the way

    def _obstacles(self, operation: Operation, *, looking: bool = False) -> list[_Obstacle]:
        now = self._clock()
        with self._store.read() as connection:
            rows = [row for row in call_blocks.everything(connection) if row.scope in _scopes(operation)]
            broken = {
                key: row for key, row in circuit_breakers.everything(connection).items() if row.opened_at is not None
            }
            looks_wait = bool(broken) and not looking and intents.any_due(connection, now)
        found = [self._latched(operation, row, now) for row in rows if self._is_closed(row)]
        let_pass = _LOOKS_FIRST if looks_wait and operation is not Operation.CREATE_PAYMENT_LINK else timedelta(0)
        if (rest := circuit_breaker.obstacle(broken, operation, now, let_pass=let_pass)) is not None:
            take_turn = partial(
                circuit_breakers.take_try, call_group=operation.call_group, now=now, until=now + circuit_breaker.REST
            )
            found.append(_Obstacle(*rest, take_turn))
        return found

    def _latched(self, operation: Operation, row: Row[Any], now: datetime) -> _Obstacle:
        error: ServiceError
        if row.scope == SECRET:
            error = SecretRejected(operation, status=401, sent=False)
        elif row.scope == ORGANIZATION:
            error = OtherOrganization(operation, sent=False)
        elif row.scope == operation.group:
            error = ServiceNotEnabled(operation, status=403, sent=False)
        else:
            rest = max(0.0, (row.until - now).total_seconds())
            error = AllowanceSpent(operation, status=429, sent=False, retry_after=rest)
        return _Obstacle(error, row.until, partial(call_blocks.take_try, scope=row.scope, now=now, until=now + _TURN))

    def _is_closed(self, row: Row[Any]) -> bool:
        """Whether a latch holds for the secret in use; an allowance is the organization's, whatever its secret."""
        return row.fingerprint is None or bool(row.fingerprint == self._fingerprint())

    def _refuse(self, obstacles: Sequence[_Obstacle]) -> None:
        now = self._clock()
        for obstacle in obstacles:
            if now < obstacle.until:
                raise obstacle.error

    def _take_turns(self, operation: Operation, obstacles: Sequence[_Obstacle], *, looking: bool) -> None:
        """Their time is up: one caller may try, and the others wait to see what becomes of it."""
        for obstacle in obstacles:
            with self._store.write() as connection:
                taken = obstacle.take_turn(connection)
            if not taken:  # Somebody else has tried; it may be over by now.
                self._refuse(self._obstacles(operation, looking=looking))

    # What came of a call

    @staticmethod
    def _kept(note: Callable[[], None]) -> None:
        """Our own bookkeeping must not turn a known answer into an unknown one."""
        try:
            note()
        except Exception:
            log.exception("what the service answered could not be remembered")

    def _remember(self, error: ServiceError, asked_at: datetime, fingerprint: str) -> None:
        throttled = self._is_throttled_secret(error, fingerprint)
        if circuit_breaker.is_failure(error) and not throttled:
            self._breakers.failed(error, asked_at)
            return
        if error.sent:
            with self._store.read() as connection:
                broken = circuit_breakers.everything(connection)
            self._breakers.answered(error.operation, asked_at, broken)
        if throttled or isinstance(error, SecretRejected):
            self._close(SECRET, _SECRET_WAITS, asked_at, fingerprint)
        elif isinstance(error, ServiceNotEnabled):
            self._close(error.operation.group, (_NOT_ENABLED_WAIT,), None, fingerprint)
        elif isinstance(error, AllowanceSpent):
            self._remember_allowance(error, asked_at)

    def _is_throttled_secret(self, error: ServiceError, fingerprint: str) -> bool:
        """Whether a 429 came to a secret that was refused before: bad bearer tokens are throttled (section 5)."""
        if not isinstance(error, AllowanceSpent):
            return False
        with self._store.read() as connection:
            row = call_blocks.find(connection, SECRET)
        return row is not None and row.fingerprint == fingerprint

    def _remember_allowance(self, error: AllowanceSpent, asked_at: datetime) -> None:
        now = self._clock()
        waits = tuple(min(wait, max(_ALLOWANCE_WAITS[0], next_midnight(now) - now)) for wait in _ALLOWANCE_WAITS)
        if error.retry_after:
            waits = (min(timedelta(seconds=error.retry_after), _LONGEST_ALLOWANCE_WAIT),)
        if self._close(_held_back_by(error.operation), waits, asked_at, None):
            self.allowances.learn(error.operation)

    def _close(
        self, scope: str, waits: Sequence[timedelta], asked_at: datetime | None, fingerprint: str | None
    ) -> bool:
        """Close a latch, for longer each time; True when it was not closed yet. A call asked for before it was closed
        does not count again, nor does an allowance of another day.
        """
        now = self._clock()
        with self._store.write() as connection:
            row = call_blocks.find(connection, scope)
            if row is not None and scope in _ALLOWANCES.values() and now >= next_midnight(row.since):
                call_blocks.reopen(connection, scope)
                row = None
            same = row is not None and row.fingerprint == fingerprint
            if row is not None and same and asked_at is not None and asked_at <= row.since:
                return False
            tries = row.tries if row is not None and same else 0
            call_blocks.close(connection, scope, now, now + waits[min(tries, len(waits) - 1)], fingerprint)
        return row is None

    def _forget(self, operation: Operation, asked_at: datetime) -> None:
        """A call was granted: what was refused before it was asked for is refused no more."""
        scopes = (SECRET, operation.group, _ALLOWANCES.get(operation))
        with self._store.read() as connection:
            rows = call_blocks.everything(connection)
            closed = [row.scope for row in rows if row.scope in scopes and row.since <= asked_at]
            broken = circuit_breakers.everything(connection)
        if closed:
            with self._store.write() as connection:
                for scope in closed:
                    call_blocks.reopen(connection, scope)
        if _ALLOWANCES.get(operation) in closed:
            self.allowances.unlearn(operation, asked_at)
        self._breakers.answered(operation, asked_at, broken)


def _scopes(operation: Operation) -> tuple[str, ...]:
    """The latches that an operation is held back by; no allowance is known for status calls."""
    usual = (ORGANIZATION, SECRET, str(operation.group))
    return usual if operation is Operation.GET_PAYMENT_LINK else (*usual, _held_back_by(operation))


def _held_back_by(operation: Operation) -> str:
    """The allowance that a call waits for: the cities wait with the searches, though none is known for them."""
    return _ALLOWANCES.get(operation, SEARCHES_SPENT)
