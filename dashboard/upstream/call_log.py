"""Report each attempt by one log line and one record for metrics, without headers, bodies or secret."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

from dashboard.errors import Operation, ServiceError, ServiceGroup

_log = logging.getLogger("dashboard.upstream")


@dataclass(frozen=True, slots=True)
class CallRecord:
    """Describe one attempt, for the log and for metrics. `outcome` is "ok" or the name of the error's class."""

    operation: Operation
    group: ServiceGroup
    attempt: int
    sent: bool
    status: int | None
    outcome: str
    ms: float
    bytes: int


def report(record: CallRecord, error: ServiceError | None, observer: Callable[[CallRecord], None] | None) -> None:
    """Log an attempt and pass it to the observer; an error of the observer is logged and not raised."""
    _log.log(
        logging.INFO if error is None else logging.WARNING,
        "%s (attempt %d, %.0f ms)",
        error or f"{record.operation.value}: {record.outcome}",
        record.attempt,
        record.ms,
        extra={
            "operation": record.operation.value,
            "group": record.group.value,
            "attempt": record.attempt,
            "sent": record.sent,
            "status": record.status,
            "class": record.outcome,
            "ms": record.ms,
            "bytes": record.bytes,
        },
    )
    if observer is not None:
        try:
            observer(record)
        except Exception:  # A broken metric must not turn a created link into an error.
            _log.exception("the observer of service calls failed")
