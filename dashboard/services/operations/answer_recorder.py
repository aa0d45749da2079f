"""Record what the answer to a call means: for the circuit breakers, for refusals, and what is known of allowances."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from dashboard.errors import AllowanceSpent, CallGroup, KeyThrottled, Operation, ServiceError
from dashboard.services.operations import circuit_breaker
from dashboard.services.operations.allowances import Allowances
from dashboard.services.operations.blocks import ALLOWANCES, SECRET
from dashboard.services.operations.key_probe import KeyProbe
from dashboard.services.operations.refusals import Refusals
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.operations import call_blocks
from dashboard.store.operations.call_blocks import CallBlock

#: The calls without any allowance (section 7).
_WITHOUT_ALLOWANCE = (Operation.LIST_LOCATIONS, Operation.GET_PAYMENT_LINK)


@dataclass(frozen=True)
class AnswerRecorder:
    """`failed_at` is when this process last counted a failure of a group: calls that were in flight then have to count
    their answer.
    """

    store: Store
    clock: Clock
    allowances: Allowances
    key_probe: KeyProbe
    failed_at: dict[CallGroup, datetime]

    def meaning_of(self, error: ServiceError, fingerprint: str) -> ServiceError:
        """Return the error that a 429 stands for. Bad secrets are throttled (section 5), so it is about the secret
        where no allowance is, where the secret was refused before, and where a call without an allowance is refused.
        """
        if not isinstance(error, AllowanceSpent) or not error.sent:
            return error
        secret = self.store.cached_read("call blocks", call_blocks.read_all).get(SECRET, CallBlock(SECRET))
        refused_before = secret.blocked_at is not None and secret.fingerprint == fingerprint
        if refused_before or error.operation in _WITHOUT_ALLOWANCE or self.key_probe.is_refused():
            return KeyThrottled(error.operation, status=error.status, retry_after=error.retry_after)
        return error

    def record_error(self, error: ServiceError, asked_at: datetime, fingerprint: str) -> None:
        if circuit_breaker.is_failure(error):
            self._record_failure(error, asked_at)
            return
        if error.sent:
            self.record_answer(
                error.operation, asked_at, self.store.cached_read("call blocks", call_blocks.read_all), granted=False
            )
        Refusals(self.store, self.clock, self.allowances).record(error, asked_at, fingerprint)

    def _record_failure(self, error: ServiceError, asked_at: datetime) -> None:
        now, group = self.clock(), error.operation.call_group
        self.failed_at[group] = now
        with self.store.write() as connection:
            breaker = call_blocks.find_locked(connection, group)
            call_blocks.save(connection, circuit_breaker.after_failure(breaker, error, asked_at, now))

    def record_answer(
        self, operation: Operation, asked_at: datetime, blocks: Mapping[str, CallBlock], *, granted: bool
    ) -> None:
        """Count an answer with the circuit breakers; one that was `granted` clears the refusals from before the call.

        `blocks` are those from before the call, so that a call in good times reads once and writes nothing.
        """
        now = self.clock()
        cleared = (SECRET, operation.group, ALLOWANCES.get(operation)) if granted else ()

        def after(block: CallBlock) -> CallBlock:
            if block.scope == operation.call_group:
                return circuit_breaker.after_answer(block, now)
            if block.scope in tuple(CallGroup) and operation is Operation.GET_PAYMENT_LINK:
                return circuit_breaker.after_status_answer(block, asked_at)
            is_cleared = block.scope in cleared and block.since is not None and block.since <= asked_at
            return CallBlock(block.scope) if is_cleared else block

        changed = {scope for scope, block in blocks.items() if after(block) != block}
        failed_at = self.failed_at.get(operation.call_group)
        if failed_at is not None and failed_at >= asked_at:
            changed.add(operation.call_group)
        if not changed:
            return
        with self.store.write() as connection:
            for scope in sorted(changed):
                call_blocks.save(connection, after(call_blocks.find_locked(connection, scope)))
        if ALLOWANCES.get(operation) in changed:
            self.allowances.unlearn(operation, asked_at)
