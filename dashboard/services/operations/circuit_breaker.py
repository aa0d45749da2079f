"""A breaker for each group of calls: a service that has failed again and again is left alone for a while.

It opens after five failures in a row, or when half of the latest ten calls failed within 30 s; after 30 s one call may
try, and its success closes it. What counts as a failure is that nobody knows what the service makes of the call: no
answer, an error of its own, an answer that cannot be read. A refusal is an answer.

All processes share the outcomes through the store. While all goes well that costs one read of an empty table a call;
successes are written only while failures of the last 30 s stand beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row

from dashboard.errors import (
    SILENCE,
    AllowanceSpent,
    BreakerOpen,
    CallGroup,
    Operation,
    ServiceError,
    ServiceFailed,
    Unreachable,
    UnreadableAnswer,
)
from dashboard.services.schedule import Clock
from dashboard.store.engine import Store
from dashboard.store.operations import circuit_breakers

REST = timedelta(seconds=30)
#: A breaker that nobody has tried for so long after its rest tells nothing of the present any more.
TOLD_AFTER = timedelta(minutes=5)

_IN_A_ROW = 5
_CALLS, _HALF = 10, 5
_WINDOW = timedelta(seconds=30)


def is_failure(error: ServiceError) -> bool:
    """Whether an error speaks against the service. A 429 of a status call does: no allowance is known for those."""
    if isinstance(error, AllowanceSpent):
        return error.operation is Operation.GET_PAYMENT_LINK
    return isinstance(error, (Unreachable, ServiceFailed, UnreadableAnswer))


@dataclass(frozen=True)
class Breakers:
    store: Store
    clock: Clock

    def failed(self, error: ServiceError, asked_at: datetime) -> None:
        """Count a failure, and open the breaker of its group when it is one too many."""
        now = self.clock()
        group = error.operation.call_group
        with self.store.write() as connection:
            row = circuit_breakers.find_locked(connection, group)
            failures = row.failures + 1
            recent = [*_recent(row, now), [now.timestamp(), True]][-_CALLS:]
            values: dict[str, Any] = {"failures": failures, "recent": recent, "cause": error.failure_name}
            values["failing_since"] = row.failing_since or now
            half = len(recent) >= _CALLS and sum(failed for _, failed in recent) >= _HALF
            if row.opened_at is None and (failures >= _IN_A_ROW or half):
                values |= {"opened_at": now, "until": now + REST}
            elif row.opened_at is not None and asked_at >= row.opened_at:
                values["until"] = now + REST  # The one that was let try; those in flight before tell nothing new.
            circuit_breakers.record(connection, group, **values)

    def answered(self, operation: Operation, asked_at: datetime, rows: Mapping[str, Row[Any]]) -> None:
        """Count an answer: it ends a row of failures, and closes the breaker of its group. `rows` are those of all
        groups, as they were read after it.

        An answer to a status call, which spends no allowance and changes nothing, lets the other groups try again as
        well where it was only that nobody answered; one more failure opens them again.
        """
        now = self.clock()
        own = rows.get(operation.call_group)
        if own is not None and (own.failures or own.opened_at or any(failed for _, failed in _recent(own, now))):
            self._count_answer(operation.call_group)
        if operation is Operation.GET_PAYMENT_LINK:
            for row in rows.values():
                rested = row.opened_at is not None and row.until <= asked_at
                if rested and row.cause in SILENCE and row.call_group != operation.call_group:
                    with self.store.write() as connection:
                        circuit_breakers.close(connection, row.call_group, failures=_IN_A_ROW - 1)

    def _count_answer(self, group: CallGroup) -> None:
        now = self.clock()
        with self.store.write() as connection:
            row = circuit_breakers.find_locked(connection, group)
            if row.opened_at is not None:
                circuit_breakers.close(connection, group)
                return
            recent = [*_recent(row, now), [now.timestamp(), False]][-_CALLS:]
            circuit_breakers.record(connection, group, failures=0, failing_since=None, recent=recent)

    def close_all(self) -> None:
        """Forget what failed, for an administrator who asks for another try."""
        with self.store.write() as connection:
            for group in circuit_breakers.everything(connection):
                circuit_breakers.close(connection, group)


def obstacle(
    rows: Mapping[str, Row[Any]], operation: Operation, now: datetime, *, let_pass: timedelta
) -> tuple[BreakerOpen, datetime] | None:
    """The error that an open breaker answers with, and until when it does; then one caller may try. `rows` are those
    of the open breakers.

    `let_pass` is how much longer than others this caller waits. While status calls are known to fail, they try in the
    place of creations: a creation that goes wrong costs more.
    """
    row = rows.get(operation.call_group)
    if row is None:
        return None
    until = row.until if now < row.until else row.until + let_pass
    if operation is Operation.CREATE_PAYMENT_LINK and (status := rows.get(CallGroup.STATUS)) is not None:
        until = max(until, status.until)
    return BreakerOpen(operation, cause=row.cause, retry_after=max(0.0, (until - now).total_seconds())), until


def _recent(row: Row[Any], now: datetime) -> list[list[Any]]:
    """The latest calls that still count."""
    oldest = (now - _WINDOW).timestamp()
    return [item for item in row.recent if item[0] >= oldest]
