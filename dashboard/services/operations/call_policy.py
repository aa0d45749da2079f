"""Decide for each call to the service whether it may be made, and record its outcome for all processes.

A refused secret blocks every call (a bad one is throttled, and each further call makes it worse). A service that is
not enabled, a spent allowance and an open circuit breaker block the calls that they concern. When the time of a block
is up, one caller may try; the outcome clears the block or prolongs it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from dashboard.errors import (
    AllowanceSpent,
    BreakerOpen,
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
from dashboard.services.schedule import Clock
from dashboard.store.creation import intents
from dashboard.store.engine import Store
from dashboard.store.operations import call_blocks
from dashboard.store.operations.call_blocks import CallBlock

T = TypeVar("T")

log = logging.getLogger(__name__)

SECRET, ORGANIZATION = "secret", "organization"
#: The allowances of a day (section 8).
LINK_ALLOWANCE, SEARCH_ALLOWANCE = "allowance:create", f"allowance:{ServiceGroup.CHALLAN_SEARCH}"
#: The operations whose 429 means a spent allowance, so that a success clears it.
_ALLOWANCES = {
    Operation.CREATE_PAYMENT_LINK: LINK_ALLOWANCE,
    Operation.SEARCH_CHALLANS: SEARCH_ALLOWANCE,
    Operation.LIST_RC_TYPES: SEARCH_ALLOWANCE,
}

_SECRET_WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30))
_ALLOWANCE_WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
_NOT_ENABLED_WAIT = timedelta(minutes=10)
_LONGEST_ALLOWANCE_WAIT = timedelta(hours=1)
#: The time for which a caller that tries blocks the others.
_TRY = timedelta(minutes=1)
_FOREVER = timedelta(days=36500)
#: After its rest, an open breaker is reserved this long for calls that resolve unclear outcomes, while any is due.
_RESOLVING_FIRST = timedelta(seconds=10)


@dataclass(frozen=True, slots=True)
class ActiveBlock:
    """Show a block of calls, since when it holds, and when one call may try.

    `scope` is SECRET, ORGANIZATION, a service group that is not enabled, LINK_ALLOWANCE, SEARCH_ALLOWANCE, or a call
    group whose circuit breaker is open. `cause` is the name of the latest failure of such a group.
    """

    scope: str
    since: datetime
    until: datetime
    cause: str | None = None


@dataclass(frozen=True, slots=True)
class _Barrier:
    """Block an operation before `until`; then one caller may try, and blocks the others for `rest`."""

    scope: str
    error: ServiceError
    until: datetime
    rest: timedelta


@dataclass(frozen=True)
class CallPolicy:
    """`fingerprint` identifies the secret in use without revealing it."""

    store: Store
    clock: Clock
    fingerprint: Callable[[], str]
    allowances: Allowances
    #: When this process last counted a failure of a group: calls that were in flight then have to count their answer.
    _failed_at: dict[CallGroup, datetime] = field(default_factory=dict)

    def call(
        self, operation: Operation, ask: Callable[[], T], *, resolving: bool = False, person_id: int | None = None
    ) -> T:
        """Call the service and record the outcome; while a block holds, raise its error instead, with `sent` False.

        `resolving`: the call resolves an unclear outcome, so it goes before others. With a `person_id` a search counts
        as one of theirs.
        """
        blocks = self._read()
        barriers = self._barriers(operation, blocks, resolving=resolving)
        self._refuse(barriers)
        self.allowances.spend(operation, resolving=resolving, person_id=person_id)
        self._take_tries(operation, barriers, resolving=resolving)
        # The secret may be replaced during the call; the answer is about the one that it was made with.
        asked_at, fingerprint = self.clock(), self.fingerprint()
        try:
            answer = ask()
        except ServiceError as error:
            with _best_effort():
                self._record_error(error, asked_at, fingerprint)
            raise
        with _best_effort():
            self._record_answer(operation, asked_at, blocks, granted=True)
        return answer

    def check(self, operation: Operation) -> None:
        """Raise the error of a block that a call would meet now."""
        self._refuse(self._barriers(operation, self._read()))

    def room(self, operation: Operation, *, resolving: bool = False) -> int | None:
        """Return how many calls the background work may begin: 0, 1 that tries, or None for as many as it likes."""
        barriers = self._barriers(operation, self._read(), resolving=resolving)
        if not barriers:
            return None
        now = self.clock()
        return 0 if any(now < barrier.until for barrier in barriers) else 1

    def refusal(self, operation: Operation) -> ActiveBlock | None:
        """Return the longest block of an operation by a refusal of the key, the service or the allowance."""
        now, active = self.clock(), self._active(self._read())
        found = [active[scope] for scope in _scopes(operation) if scope in active and now < active[scope].until]
        return max(found, key=lambda block: block.until, default=None)

    def active_blocks(self) -> list[ActiveBlock]:
        """Return the blocks that concern the present: not yesterday's allowance, nor a breaker that no
        call tried for long.
        """
        now = self.clock()
        return [block for block in self._active(self._read()).values() if _is_current(block, now)]

    def try_again(self) -> None:
        """Clear every block and forget the learned allowances, for an administrator."""
        with self.store.write() as connection:
            call_blocks.clear_all(connection)
        self.allowances.forget_learned()

    def block_other_organization(self, operation: Operation) -> OtherOrganization:
        """Block every call: this key answers for another organization than the store's. Returns the error to raise."""
        self._block(ORGANIZATION, (_FOREVER,), None, self.fingerprint())
        return OtherOrganization(operation)

    # Before a call

    def _read(self) -> Mapping[str, CallBlock]:
        return self.store.cached_read("call blocks", call_blocks.read_all)

    def _active(self, blocks: Mapping[str, CallBlock]) -> dict[str, ActiveBlock]:
        """Return the blocks that hold for the secret in use, by scope. An allowance belongs to the organization."""
        return {
            block.scope: ActiveBlock(block.scope, block.since or block.blocked_at, block.until, block.cause)
            for block in blocks.values()
            if block.blocked_at is not None
            and block.until is not None
            and (block.fingerprint is None or block.fingerprint == self.fingerprint())
        }

    def _barriers(
        self, operation: Operation, blocks: Mapping[str, CallBlock], *, resolving: bool = False
    ) -> list[_Barrier]:
        now, active = self.clock(), self._active(blocks)
        found = [
            _Barrier(scope, _error(operation, active[scope], now), active[scope].until, _TRY)
            for scope in _scopes(operation)
            if scope in active
        ]
        if (breaker := active.get(operation.call_group)) is not None:
            until = self._breaker_until(operation, breaker, active.get(CallGroup.STATUS), now, resolving=resolving)
            wait = max(0.0, (until - now).total_seconds())
            error = BreakerOpen(operation, cause=breaker.cause or "", retry_after=wait)
            found.append(_Barrier(breaker.scope, error, until, circuit_breaker.REST))
        return found

    def _breaker_until(
        self, operation: Operation, breaker: ActiveBlock, status: ActiveBlock | None, now: datetime, *, resolving: bool
    ) -> datetime:
        """Return when an operation may try an open breaker. Creations wait for the status calls, because a creation
        that fails costs more; other calls let those that resolve unclear outcomes go first.
        """
        if operation is Operation.CREATE_PAYMENT_LINK:
            return max(breaker.until, status.until) if status is not None else breaker.until
        if resolving or now < breaker.until:
            return breaker.until
        with self.store.read() as connection:
            resolving_is_due = intents.any_due(connection, now)
        return breaker.until + _RESOLVING_FIRST if resolving_is_due else breaker.until

    def _refuse(self, barriers: Sequence[_Barrier]) -> None:
        now = self.clock()
        for barrier in barriers:
            if now < barrier.until:
                raise barrier.error

    def _take_tries(self, operation: Operation, barriers: Sequence[_Barrier], *, resolving: bool) -> None:
        """Take the try of each block whose time is up; wait for the outcome when another caller was faster."""
        for barrier in barriers:
            now = self.clock()
            with self.store.write() as connection:
                taken = call_blocks.take_try(connection, barrier.scope, now, now + barrier.rest)
            if not taken:  # The other caller may have cleared the block by now.
                self._refuse(self._barriers(operation, self._read(), resolving=resolving))

    # After a call

    def _record_error(self, error: ServiceError, asked_at: datetime, fingerprint: str) -> None:
        blocks = self._read()
        secret = blocks.get(SECRET, CallBlock(SECRET))
        # Bad secrets are throttled (section 5): a 429 to one that was refused before is about the secret.
        throttled = isinstance(error, AllowanceSpent) and secret.blocked_at is not None
        throttled = throttled and secret.fingerprint == fingerprint
        if circuit_breaker.is_failure(error) and not throttled:
            self._record_failure(error, asked_at)
            return
        if error.sent:
            self._record_answer(error.operation, asked_at, blocks, granted=False)
        if throttled or isinstance(error, SecretRejected):
            self._block(SECRET, _SECRET_WAITS, asked_at, fingerprint)
        elif isinstance(error, ServiceNotEnabled):
            self._block(error.operation.group, (_NOT_ENABLED_WAIT,), None, fingerprint)
        elif isinstance(error, AllowanceSpent):
            self._block_allowance(error, asked_at)

    def _record_failure(self, error: ServiceError, asked_at: datetime) -> None:
        now, group = self.clock(), error.operation.call_group
        self._failed_at[group] = now
        with self.store.write() as connection:
            breaker = call_blocks.find_locked(connection, group)
            call_blocks.save(connection, circuit_breaker.after_failure(breaker, error, asked_at, now))

    def _block_allowance(self, error: AllowanceSpent, asked_at: datetime) -> None:
        now = self.clock()
        waits = tuple(min(wait, max(_ALLOWANCE_WAITS[0], next_midnight(now) - now)) for wait in _ALLOWANCE_WAITS)
        if error.retry_after:
            waits = (min(timedelta(seconds=error.retry_after), _LONGEST_ALLOWANCE_WAIT),)
        if self._block(_allowance_of(error.operation), waits, asked_at, None) == 1:
            self.allowances.learn(error.operation)

    def _block(
        self, scope: str, waits: Sequence[timedelta], asked_at: datetime | None, fingerprint: str | None
    ) -> int | None:
        """Count a refusal, and block its scope for longer each time. Returns how many came in a row.

        A call made before the first of them counts for nothing (None), and an allowance of another day is no longer
        refused.
        """
        now = self.clock()
        with self.store.write() as connection:
            block = call_blocks.find_locked(connection, scope)
            since = block.since if block.fingerprint == fingerprint else None
            if since is not None and scope in _ALLOWANCES.values() and now >= next_midnight(since):
                since = None
            if since is not None and asked_at is not None and asked_at <= since:
                return None
            refusals = block.failures + 1 if since is not None else 1
            since, until = since or now, now + waits[min(refusals, len(waits)) - 1]
            call_blocks.save(
                connection, CallBlock(scope, refusals, since, blocked_at=since, until=until, fingerprint=fingerprint)
            )
        return refusals

    def _record_answer(
        self, operation: Operation, asked_at: datetime, blocks: Mapping[str, CallBlock], *, granted: bool
    ) -> None:
        """Count an answer with the circuit breakers; one that was `granted` clears the refusals from before the call.

        `blocks` are those from before the call, so that a call in good times reads once and writes nothing.
        """
        now = self.clock()
        cleared = (SECRET, operation.group, _ALLOWANCES.get(operation)) if granted else ()

        def after(block: CallBlock) -> CallBlock:
            if block.scope == operation.call_group:
                return circuit_breaker.after_answer(block, now)
            if block.scope in tuple(CallGroup) and operation is Operation.GET_PAYMENT_LINK:
                return circuit_breaker.after_status_answer(block, asked_at)
            is_cleared = block.scope in cleared and block.since is not None and block.since <= asked_at
            return CallBlock(block.scope) if is_cleared else block

        changed = {scope for scope, block in blocks.items() if after(block) != block}
        failed_at = self._failed_at.get(operation.call_group)
        if failed_at is not None and failed_at >= asked_at:
            changed.add(operation.call_group)
        if not changed:
            return
        with self.store.write() as connection:
            for scope in sorted(changed):
                call_blocks.save(connection, after(call_blocks.find_locked(connection, scope)))
        if _ALLOWANCES.get(operation) in changed:
            self.allowances.unlearn(operation, asked_at)


@contextmanager
def _best_effort() -> Iterator[None]:
    """Log a failure of the bookkeeping: it must not turn a known answer into an unknown one."""
    try:
        yield
    except Exception:
        log.exception("the outcome of a call could not be recorded")


def _error(operation: Operation, block: ActiveBlock, now: datetime) -> ServiceError:
    """Return the error of a refusal."""
    if block.scope == SECRET:
        return SecretRejected(operation, status=401, sent=False)
    if block.scope == ORGANIZATION:
        return OtherOrganization(operation, sent=False)
    if block.scope == operation.group:
        return ServiceNotEnabled(operation, status=403, sent=False)
    return AllowanceSpent(operation, status=429, sent=False, retry_after=max(0.0, (block.until - now).total_seconds()))


def _is_current(block: ActiveBlock, now: datetime) -> bool:
    if block.scope in _ALLOWANCES.values():
        return now < next_midnight(block.since)
    return block.scope not in tuple(CallGroup) or now < block.until + circuit_breaker.STALE_AFTER


def _scopes(operation: Operation) -> tuple[str, ...]:
    """Return the refusals that block an operation; status calls have no allowance."""
    always = (ORGANIZATION, SECRET, str(operation.group))
    return always if operation is Operation.GET_PAYMENT_LINK else (*always, _allowance_of(operation))


def _allowance_of(operation: Operation) -> str:
    """Return the allowance that a call waits for. Locations wait with the searches, though none is known for them."""
    return _ALLOWANCES.get(operation, SEARCH_ALLOWANCE)
