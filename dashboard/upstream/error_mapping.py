"""Map the result of an attempt to an error: the one place that chooses its class by phase and status."""

from __future__ import annotations

from dashboard.errors import (
    AllowanceSpent,
    Conflict,
    NotFound,
    Operation,
    RequestRefused,
    SecretRejected,
    ServiceError,
    ServiceFailed,
    ServiceNotEnabled,
    Unreachable,
    UnreadableAnswer,
)
from dashboard.upstream.transport import Kind, Result

#: By status alone, even where the document lists none for the operation, because section 7 lists only examples.
_BY_STATUS: dict[int, type[ServiceError]] = {
    400: RequestRefused,
    401: SecretRejected,
    403: ServiceNotEnabled,
    404: NotFound,
    409: Conflict,
    413: RequestRefused,
    415: RequestRefused,
    422: RequestRefused,
    429: AllowanceSpent,
}


#: Details of attempts without an answer, and of answers that cannot be read.
_NO_ANSWER = {
    Kind.WITHHELD: "called off before anything was sent",
    Kind.NOT_CONNECTED: "no connection ({reason})",
    Kind.INSECURE: "no secure connection ({reason})",
    Kind.TIMED_OUT: "no answer within {deadline:g} s",
    Kind.CUT: "the connection broke ({reason})",
}
_UNREADABLE = {
    Kind.SLOW: "the answer did not end within {deadline:g} s",
    Kind.HEAD_CUT: "the connection ended within the headers",
    Kind.TOO_LARGE: "{reason}",
    Kind.MALFORMED: "not readable as HTTP ({reason})",
}


def to_error(operation: Operation, result: Result, deadline: float) -> ServiceError | None:
    """Return the error of a result; None for a 200 that arrived whole. `deadline` is in seconds."""
    kind = result.kind
    if kind is Kind.ANSWERED:
        return _by_status(operation, result)
    if kind is Kind.NO_SECRET:  # As after a 401, only another secret helps.
        return SecretRejected(operation, sent=False, detail=result.reason)
    detail = (_NO_ANSWER | _UNREADABLE)[kind].format(reason=result.reason, deadline=deadline)
    if kind in _NO_ANSWER:
        secure = kind is not Kind.INSECURE
        return Unreachable(operation, secure=secure, status=result.status, sent=result.sent, detail=detail)
    return UnreadableAnswer(operation, status=result.status, sent=result.sent, detail=detail)


def _by_status(operation: Operation, result: Result) -> ServiceError | None:
    status = result.status
    assert status is not None
    if status == 200:
        return None
    if 300 <= status < 400:
        return UnreadableAnswer(operation, status=status, detail="a redirect, which is not followed")
    kind = _BY_STATUS.get(status, ServiceFailed)
    return kind(operation, status=status, retry_after=result.retry_after)
