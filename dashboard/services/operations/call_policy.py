"""Decide for each call to the service whether it may be made, and record its outcome for all processes.

A refused secret blocks every call (a bad one is throttled, and each further call makes it worse). A service that is
not enabled, a spent allowance and an open circuit breaker block the calls that they concern. When the time of a block
is up, one caller may try; the outcome clears the block or prolongs it.

A secret that has changed is first tried on links that we know: the service answers 404 for those of another
organization (section 4.5). A 429 is taken for a spent allowance only while the service answers this secret at all.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TypeVar

from dashboard.errors import (
    AllowanceSpent,
    BreakerOpen,
    CallGroup,
    Operation,
    OtherOrganization,
    ServiceError,
    ServiceNotEnabled,
)
from dashboard.services.operations import circuit_breaker
from dashboard.services.operations.allowances import Allowances
from dashboard.services.operations.answer_recorder import AnswerRecorder
from dashboard.services.operations.asked_tries import AskedTries
from dashboard.services.operations.blocks import (
    KEY,
    ORGANIZATION,
    TRY,
    ActiveBlock,
    allowance_of,
    error_of,
    is_current,
    scopes_of,
)
from dashboard.services.operations.call_outcomes import CallOutcomes
from dashboard.services.operations.key_probe import GRANTED, KeyProbe
from dashboard.services.operations.refusals import Refusals
from dashboard.services.schedule import Clock
from dashboard.store.creation import intents
from dashboard.store.engine import Store
from dashboard.store.operations import call_blocks, urgent_calls
from dashboard.store.operations.asked_tries import TryState
from dashboard.store.operations.call_blocks import CallBlock

T = TypeVar("T")

log = logging.getLogger(__name__)

_FOREVER = timedelta(days=36500)
#: After its rest, an open breaker is reserved this long for calls that resolve unclear outcomes, while any is due.
_RESOLVING_FIRST = timedelta(seconds=10)
#: For how long bulk work waits for a person's search that has begun, or for an unclear outcome that is due.
_WAY_FOR = timedelta(seconds=1)


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
    outcomes: CallOutcomes
    key_probe: KeyProbe
    asked_tries: AskedTries
    #: Held while a changed secret is tried, so that the other threads wait for the outcome.
    _trying_key: threading.Lock = field(default_factory=threading.Lock)
    #: When this process last counted a failure of a group: calls that were in flight then have to count their answer.
    _failed_at: dict[CallGroup, datetime] = field(default_factory=dict)
    #: The secret that this process found in use last.
    _key: dict[str, str] = field(default_factory=dict)

    @property
    def _answers(self) -> AnswerRecorder:
        return AnswerRecorder(self.store, self.clock, self.allowances, self.key_probe, self._failed_at)

    @property
    def _refusals(self) -> Refusals:
        return Refusals(self.store, self.clock, self.allowances)

    def call(
        self,
        operation: Operation,
        ask: Callable[[], T],
        *,
        resolving: bool = False,
        bulk: bool = False,
        person_id: int | None = None,
    ) -> T:
        """Call the service and record the outcome; while a block holds, raise its error instead, with `sent` False.

        `resolving`: the call resolves an unclear outcome, so it goes before others. `bulk`: it is one of many, so it
        goes after others, and AllowanceReserved is raised when only what is reserved for them is left. With a
        `person_id` a search counts as one of theirs, unless it is a bulk search.
        """
        self._require_known_key(operation)
        if bulk:
            self._make_way()
        return self._perform(operation, ask, resolving=resolving, bulk=bulk, person_id=person_id)

    def _perform(
        self,
        operation: Operation,
        ask: Callable[[], T],
        *,
        resolving: bool = False,
        bulk: bool = False,
        person_id: int | None = None,
    ) -> T:
        blocks = self._read()
        barriers = self._barriers(operation, blocks, resolving=resolving)
        try:
            self._refuse(barriers)
            self.allowances.spend(operation, resolving=resolving, bulk=bulk, person_id=person_id)
        except AllowanceSpent:
            if not bulk:
                raise
            return self._try_as_asked(operation, ask)
        self._take_tries(operation, barriers, resolving=resolving)
        return self._ask(operation, ask, blocks)

    def _try_as_asked(self, operation: Operation, ask: Callable[[], T]) -> T:
        """Make a bulk call for which nothing is left: as the try that a person asked for, or after the one of another
        caller, by what that has shown. Raises AllowanceSpent.
        """
        group = operation.call_group
        if not self.asked_tries.take(group):
            self.asked_tries.await_end(group)
            blocks = self._read()
            barriers = self._barriers(operation, blocks)
            self._refuse(barriers)
            self.allowances.spend(operation, bulk=True)
            self._take_tries(operation, barriers, resolving=False)
            return self._ask(operation, ask, blocks)
        refused = False
        try:
            blocks = self._read()
            spent = allowance_of(operation)
            barriers = [each for each in self._barriers(operation, blocks) if each.scope != spent]
            self._refuse(barriers)
            self.allowances.spend(operation, bulk=True, asked=True)
            self._take_tries(operation, barriers, resolving=False)
            return self._ask(
                operation, ask, blocks, on_granted=lambda: self.allowances.forget_learned(operation.call_group)
            )
        except AllowanceSpent:
            refused = True
            raise
        finally:
            with _best_effort():
                self.asked_tries.end(group, refused=refused)

    def _ask(
        self,
        operation: Operation,
        ask: Callable[[], T],
        blocks: Mapping[str, CallBlock],
        *,
        on_granted: Callable[[], None] = lambda: None,
    ) -> T:
        """Make a call that may be made, and record its outcome. `blocks` are those from before the call."""
        # The secret may be replaced during the call; the answer is about the one that it was made with.
        asked_at, fingerprint = self.clock(), self.fingerprint()
        try:
            answer = ask()
        except ServiceError as error:
            meant: ServiceError = error
            with _best_effort():
                meant = self._answers.meaning_of(error, fingerprint)
                self.outcomes.count(operation, meant.failure_name)
                self._answers.record_error(meant, asked_at, fingerprint)
            raise meant from error.__cause__
        with _best_effort():
            self.outcomes.count(operation)
            on_granted()
            self._answers.record_answer(operation, asked_at, blocks, granted=True)
            self.key_probe.record_granted(blocks, fingerprint, asked_at)
        return answer

    def check(self, operation: Operation, *, bulk: bool = False) -> None:
        """Raise the error of a block that a call would meet now, with a changed secret tried first.

        A `bulk` call may be the try that a person has asked for; it waits here for the answer to one under way.
        """
        self._require_known_key(operation)
        try:
            self._refuse(self._barriers(operation, self._read()))
        except AllowanceSpent:
            if not bulk:
                raise
            if self.asked_tries.await_end(operation.call_group) is not TryState.ASKED:
                self._refuse(self._barriers(operation, self._read()))

    def has_new_key(self) -> bool:
        """Return whether the secret is another one than was in use last, by this process or any other before it."""
        fingerprint = self.fingerprint()
        if self._key.get(KEY) == fingerprint:
            return False
        known = self._read().get(KEY)
        if known is not None and known.fingerprint == fingerprint:
            self._key[KEY] = fingerprint
            return False
        return True

    def remember_key(self) -> None:
        """Store that the secret is in use."""
        fingerprint = self.fingerprint()
        with self.store.write() as connection:
            call_blocks.save(connection, replace(call_blocks.find_locked(connection, KEY), fingerprint=fingerprint))
        self._key[KEY] = fingerprint

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
        found = [active[scope] for scope in scopes_of(operation) if scope in active and now < active[scope].until]
        return max(found, key=lambda block: block.until, default=None)

    def active_blocks(self) -> list[ActiveBlock]:
        """Return the blocks that concern the present: not yesterday's allowance, nor a breaker that no
        call tried for long.
        """
        now = self.clock()
        return [block for block in self._active(self._read()).values() if is_current(block, now)]

    def try_again(self) -> None:
        """Clear every block and forget the learned allowances, for an administrator."""
        with self.store.write() as connection:
            call_blocks.clear_all(connection, but=GRANTED)
        self.allowances.forget_learned()

    def ask_for_try(self, operation: Operation) -> bool | None:
        """Let one bulk call try, because a person says so, where nothing is left for bulk work.

        None where something is left, as far as is known. False where a call has tried less than a minute ago.
        """
        refusal = self.refusal(operation)
        is_spent = refusal is not None and refusal.scope == allowance_of(operation)
        if not is_spent and self.allowances.is_left_for_bulk(operation):
            return None
        return self.asked_tries.ask(operation.call_group)

    def has_refused_again(self, operation: Operation) -> bool:
        """Return whether the try that a person asked for was refused, less than a minute ago."""
        return self.asked_tries.state(operation.call_group) is TryState.REFUSED

    def block_other_organization(self, operation: Operation) -> OtherOrganization:
        """Block every call: this key answers for another organization than the store's. Returns the error to raise."""
        self._refusals.block(ORGANIZATION, (_FOREVER,), None, self.fingerprint())
        return OtherOrganization(operation)

    # A secret that has changed

    def _require_known_key(self, operation: Operation) -> None:
        """Try a secret that has changed on links that we know, before anything else is asked with it.

        Raises OtherOrganization when it knows none of them, and the error of the try when that got no answer.
        """
        if not self._key_has_changed():
            return
        with self._trying_key:
            fingerprint = self.fingerprint()
            if not self._key_has_changed():  # Another thread has tried it.
                return
            self._refuse(self._barriers(operation, self._read()))
            try:
                knows = self.key_probe.knows_our_links(lambda ask: self._perform(Operation.GET_PAYMENT_LINK, ask))
            except ServiceNotEnabled:
                return  # It is accepted, and may not say whose it is.
            except ServiceError as error:
                error.operation, error.sent = operation, False
                raise
            if knows is False:
                raise self.block_other_organization(operation)
            if knows:
                self.key_probe.save_granted(fingerprint, self.clock())

    def _key_has_changed(self) -> bool:
        fingerprint = self.fingerprint()
        if self._key.get(GRANTED) == fingerprint:
            return False
        granted = self._read().get(GRANTED)
        if granted is not None and granted.fingerprint == fingerprint:
            self._key[GRANTED] = fingerprint
        return granted is not None and granted.fingerprint != fingerprint

    # Before a call

    def _make_way(self) -> None:
        """Wait a moment while a person's search begins or an unclear outcome is due: bulk work goes after them."""
        give_up = time.monotonic() + _WAY_FOR.total_seconds()
        while time.monotonic() < give_up:
            now = self.clock()
            with self.store.read() as connection:
                if not urgent_calls.any_waits(connection, now, now - _WAY_FOR):
                    return
            time.sleep(_WAY_FOR.total_seconds() / 10)

    def _read(self) -> Mapping[str, CallBlock]:
        return self.store.cached_read("call blocks", call_blocks.read_all)

    def _active(self, blocks: Mapping[str, CallBlock]) -> dict[str, ActiveBlock]:
        """Return the blocks that hold for the secret in use, by scope. An allowance belongs to the organization."""
        return {
            block.scope: ActiveBlock(
                block.scope, block.since or block.blocked_at, block.until, block.cause, block.outdated_at
            )
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
            _Barrier(scope, error_of(operation, active[scope], now), active[scope].until, TRY)
            for scope in scopes_of(operation)
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


@contextmanager
def _best_effort() -> Iterator[None]:
    """Log a failure of the bookkeeping: it must not turn a known answer into an unknown one."""
    try:
        yield
    except Exception:
        log.exception("the outcome of a call could not be recorded")
