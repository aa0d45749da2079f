"""Define the circuit breakers: one for each group of calls, which opens when the service fails repeatedly.

A breaker opens after five failures in a row, or when half of the latest ten calls failed within 30 s. After 30 s one
call may try, and its success closes the breaker. A failure is a call with an unknown effect: no answer, an error of
the service, an unreadable answer. A refusal is an answer.

Successes are written only after a failure in the last 30 s, so that a working service costs no writes.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from dashboard.errors import (
    SILENCE,
    ServiceError,
    ServiceFailed,
    Unreachable,
    UnreadableAnswer,
)
from dashboard.store.operations.call_blocks import CallBlock

REST = timedelta(seconds=30)
#: An open breaker is ignored when no call tried it for this long after its rest.
STALE_AFTER = timedelta(minutes=5)

_IN_A_ROW = 5
_CALLS, _HALF = 10, 5
_WINDOW = timedelta(seconds=30)


def is_failure(error: ServiceError) -> bool:
    """Return whether an error counts against the service. A refusal is an answer."""
    return isinstance(error, (Unreachable, ServiceFailed, UnreadableAnswer))


def has_failed_last(breaker: CallBlock) -> bool:
    """Return whether the latest call that was answered or should have been is a failure."""
    return breaker.failures > 0 and breaker.since is not None


def after_failure(breaker: CallBlock, error: ServiceError, asked_at: datetime, now: datetime) -> CallBlock:
    """Count a failure; open the breaker when it is one too many."""
    recent = _recent(breaker, now, failed=True)
    counted = replace(
        breaker, failures=breaker.failures + 1, since=breaker.since or now, cause=error.failure_name, recent=recent
    )
    if breaker.blocked_at is not None:
        # Only the call that was let try prolongs the rest; those in flight before the opening say nothing new.
        return replace(counted, until=now + REST) if asked_at >= breaker.blocked_at else counted
    half_failed = len(recent) >= _CALLS and sum(failed for _, failed in recent) >= _HALF
    if counted.failures >= _IN_A_ROW or half_failed:
        return replace(counted, blocked_at=now, until=now + REST)
    return counted


def after_answer(breaker: CallBlock, now: datetime) -> CallBlock:
    """Count an answer: it ends a run of failures, and closes the breaker."""
    if breaker.blocked_at is not None:
        return CallBlock(breaker.scope)
    counts = breaker.failures or any(failed for at, failed in breaker.recent if at >= _oldest(now))
    if not counts:
        return breaker
    return replace(breaker, failures=0, since=None, recent=_recent(breaker, now, failed=False))


def after_status_answer(breaker: CallBlock, asked_at: datetime) -> CallBlock:
    """Close the breaker of another group when its rest is over and its calls got no answer.

    A status call spends no allowance and changes nothing, so its answer shows that the service can be reached. One more
    failure opens the breaker again.
    """
    rested = breaker.until is not None and breaker.until <= asked_at
    if rested and breaker.cause in SILENCE:
        return CallBlock(breaker.scope, failures=_IN_A_ROW - 1)
    return breaker


def _recent(breaker: CallBlock, now: datetime, *, failed: bool) -> tuple[tuple[float, bool], ...]:
    """Return the latest calls that still count, with one more."""
    counting = [call for call in breaker.recent if call[0] >= _oldest(now)]
    return (*counting, (now.timestamp(), failed))[-_CALLS:]


def _oldest(now: datetime) -> float:
    return (now - _WINDOW).timestamp()
