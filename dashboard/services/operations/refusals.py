"""Record refusals of calls: of the secret, of a service that is not enabled, and of a spent allowance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.domain.allowance_resets import next_day_begins, next_return, next_try
from dashboard.errors import AllowanceSpent, KeyThrottled, SecretRejected, ServiceError, ServiceNotEnabled
from dashboard.services.operations.allowances import Allowances
from dashboard.services.operations.blocks import (
    ALLOWANCE_WAITS,
    ALLOWANCES,
    LONGEST_ALLOWANCE_WAIT,
    LONGEST_THROTTLE,
    NOT_ENABLED_WAIT,
    SECRET,
    SECRET_WAITS,
    allowance_of,
)
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.operations import call_blocks
from dashboard.store.operations.call_blocks import CallBlock


@dataclass(frozen=True)
class Refusals:
    store: Store
    clock: Clock
    allowances: Allowances

    def record(self, error: ServiceError, asked_at: datetime, fingerprint: str) -> None:
        """Block what the service refused to a call that was made at `asked_at`; other errors block nothing."""
        if isinstance(error, SecretRejected):
            self._block_secret(error, asked_at, fingerprint)
        elif isinstance(error, ServiceNotEnabled):
            self.block(error.operation.group, (NOT_ENABLED_WAIT,), None, fingerprint)
        elif isinstance(error, AllowanceSpent):
            self._block_allowance(error, asked_at)

    def block(
        self,
        scope: str,
        waits: Sequence[timedelta],
        asked_at: datetime | None,
        fingerprint: str | None,
        cause: str | None = None,
        outdated_at: datetime | None = None,
    ) -> int | None:
        """Count a refusal, and block its scope for longer each time. Returns how many came in a row.

        A call made before the first of them counts for nothing (None), and an allowance of another day is no longer
        refused.
        """
        now = self.clock()
        with self.store.write() as connection:
            block = call_blocks.find_locked(connection, scope)
            since = block.since if block.fingerprint == fingerprint else None
            ends_at = block.outdated_at
            if since is not None and scope in ALLOWANCES.values():
                ends_at = ends_at or next_day_begins(since, None)
                since = None if now >= ends_at else since
            if since is not None and asked_at is not None and asked_at <= since:
                return None
            refusals = block.failures + 1 if since is not None else 1
            outdated_at = ends_at if since is not None else outdated_at
            since, until = since or now, now + waits[min(refusals, len(waits)) - 1]
            call_blocks.save(
                connection, CallBlock(scope, refusals, since, since, until, cause, fingerprint, outdated_at=outdated_at)
            )
        return refusals

    def _block_secret(self, error: SecretRejected, asked_at: datetime, fingerprint: str) -> None:
        waits, cause = SECRET_WAITS, None
        if isinstance(error, KeyThrottled):
            with self.store.read() as connection:
                known = call_blocks.read_all(connection).get(SECRET, CallBlock(SECRET))
            refused_before = known.blocked_at is not None and known.fingerprint == fingerprint and known.cause is None
            cause = None if refused_before else error.failure_name
            if error.retry_after:
                waits = (min(timedelta(seconds=error.retry_after), LONGEST_THROTTLE),)
        self.block(SECRET, waits, asked_at, fingerprint, cause)

    def _block_allowance(self, error: AllowanceSpent, asked_at: datetime) -> None:
        """Block an allowance until the next try: after a growing wait, and when it should come back at the latest.
        While it is coming back, only the planned tries are made.
        """
        self.allowances.give_back(error.operation, asked_at)
        now, reset = self.clock(), self.allowances.reset(error.operation)
        longest = max(ALLOWANCE_WAITS[0], next_try(now, reset) - now)
        waits = tuple(min(wait, longest) for wait in ALLOWANCE_WAITS)
        if next_return(now, reset)[0] <= now:
            waits = (min(longest, LONGEST_ALLOWANCE_WAIT),)
        if error.retry_after:
            waits = (min(timedelta(seconds=error.retry_after), LONGEST_ALLOWANCE_WAIT),)
        outdated_at = next_day_begins(now, reset)
        refusals = self.block(allowance_of(error.operation), waits, asked_at, None, outdated_at=outdated_at)
        if refusals is not None:
            error.retry_after = waits[min(refusals, len(waits)) - 1].total_seconds()
            self.allowances.learn(error.operation, asked_at, first=refusals == 1)
