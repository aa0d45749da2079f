"""Define the errors of the service: one family, shared by every part that distinguishes them.

The contract with the service is (operation, status): its error bodies are not documented (section 7 of the
interface document), so none is parsed, stored or shown. The `str()` of an error contains neither the secret nor a body.
"""

from __future__ import annotations

from enum import StrEnum


class Operation(StrEnum):
    """Name the five calls of the service (section 4)."""

    LIST_LOCATIONS = "list_locations"
    LIST_RC_TYPES = "list_rc_types"
    SEARCH_CHALLANS = "search_challans"
    CREATE_PAYMENT_LINK = "create_payment_link"
    GET_PAYMENT_LINK = "get_payment_link"

    @property
    def group(self) -> ServiceGroup:
        """Return which of the organization's two services this call belongs to (section 1)."""
        if self in (Operation.CREATE_PAYMENT_LINK, Operation.GET_PAYMENT_LINK):
            return ServiceGroup.PAYMENT_LINK_GENERATION
        return ServiceGroup.CHALLAN_SEARCH

    @property
    def call_group(self) -> CallGroup:
        """Return the group whose circuit breaker covers this call; the lookup lists go with searching."""
        if self is Operation.CREATE_PAYMENT_LINK:
            return CallGroup.CREATE
        return CallGroup.STATUS if self is Operation.GET_PAYMENT_LINK else CallGroup.SEARCH


class ServiceGroup(StrEnum):
    """Name the two services an organization may have enabled (section 1), spelled as the document does."""

    CHALLAN_SEARCH = "Challan Search"
    PAYMENT_LINK_GENERATION = "Payment Link Generation"


class CallGroup(StrEnum):
    """Name the groups of calls that fail together; each has its own circuit breaker and its own counts."""

    SEARCH = "search"
    CREATE = "create"
    STATUS = "status"


class ServiceError(Exception):
    """Raised when a call failed, or when it is unknown whether it succeeded.

    `sent` is False only when it is certain that not one byte of the request left this machine.
    `retry_after` is in seconds, from the answer's Retry-After, when there was one.
    """

    summary = "the service did not do what was asked"
    #: True for a refusal that concerns one person alone, and nothing that a vehicle's page shows to everybody.
    personal = False

    def __init__(
        self,
        operation: Operation,
        *,
        status: int | None = None,
        sent: bool = True,
        detail: str = "",
        retry_after: float | None = None,
    ) -> None:
        self.operation = operation
        self.status = status
        self.sent = sent
        self.detail = detail
        self.retry_after = retry_after
        super().__init__(operation, status, detail)

    @property
    def failure_name(self) -> str:
        """Return the name under which this failure is stored and worded: its class's, or that of its cause."""
        return type(self).__name__

    @property
    def outcome_name(self) -> str:
        """Return the name under which a creation that met this ends: a call that was not made is none that failed."""
        return self.failure_name

    def __str__(self) -> str:
        parts = [f"{self.operation.value}: {self.summary}"]
        if self.status is not None:
            parts.append(f"status {self.status}")
        if self.detail:
            parts.append(self.detail)
        return ", ".join(parts)


class RequestRefused(ServiceError):
    """400, and 413, 415, 422: the service says the request itself is wrong."""

    summary = "the service rejected the request"


class SecretRejected(ServiceError):
    """401: the API secret was refused (assumption A7: the document does not show the status)."""

    summary = "the API key was refused"


class KeyThrottled(SecretRejected):
    """429 that cannot be an allowance: bad secrets are throttled (section 5), so the API key may have been refused."""

    summary = "the API key is throttled or was refused"


class ServiceNotEnabled(ServiceError):
    """403: the organization has not got this service enabled (section 5)."""

    summary = "the service is not enabled for the organization"


class NotFound(ServiceError):
    """404: the service does not know the vehicle, the challan or the link (section 7)."""

    summary = "the service does not know it"


class Conflict(ServiceError):
    """409: three meanings on creation and no documented body, so only a search can explain it."""

    summary = "the service reports a conflict"


class AllowanceSpent(ServiceError):
    """429: the organization's daily allowance is used up. The call policy finds out whether it is `KeyThrottled`."""

    summary = "the daily allowance is used up"


class AllowanceReserved(AllowanceSpent):
    """The rest of the allowance is reserved, so nothing was sent: for calls that resolve unclear outcomes; against bulk
    work for people too; or, when `personal`, for other people, because this person has made as many searches as allowed
    in an hour.
    """

    summary = "the rest of the daily allowance is reserved"

    def __init__(self, operation: Operation, *, retry_after: float, personal: bool = False) -> None:
        super().__init__(operation, sent=False, retry_after=retry_after)
        self.personal = personal


class ServiceFailed(ServiceError):
    """5xx, and any other status that the document does not list for the operation."""

    summary = "the service answered with an error"


class Unreachable(ServiceError):
    """No answer: refused, DNS, TLS, timeout or a cut connection. See `sent` for what may have happened."""

    summary = "the service did not answer"

    def __init__(self, operation: Operation, *, secure: bool = True, **details: object) -> None:
        super().__init__(operation, **details)  # type: ignore[arg-type]  # Checked where it is raised.
        #: False when the secure connection (TLS) could not be made.
        self.secure = secure

    @property
    def failure_name(self) -> str:
        return super().failure_name if self.secure else INSECURE


#: The failure name of `Unreachable` where TLS failed, and all failure names that it has.
INSECURE = "Insecure"
SILENCE = frozenset({Unreachable.__name__, INSECURE})


class UnreadableAnswer(ServiceError):
    """An answer that does not fit the document: not JSON, a missing field, `success` false, a redirect, too large."""

    summary = "the service gave an unexpected answer"


class OtherOrganization(ServiceError):
    """The API secret answers for another organization than the one this store belongs to (section 1)."""

    summary = "the API key belongs to another organization"


class BreakerOpen(ServiceError):
    """The circuit breaker is open, because the service has failed repeatedly; nothing was sent, and `sent` is False.

    `cause` is the failure name of the last call; `retry_after` the seconds until one call may try again.
    """

    summary = "the service has failed lately, so it was not asked"

    def __init__(self, operation: Operation, *, cause: str, retry_after: float) -> None:
        super().__init__(operation, sent=False, retry_after=retry_after)
        self.cause = cause

    @property
    def failure_name(self) -> str:
        return self.cause

    @property
    def outcome_name(self) -> str:
        return type(self).__name__
