"""Define what may block calls to the service: which scopes block an operation, and the error of each."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from dashboard.domain.allowance_resets import next_day_begins
from dashboard.errors import (
    AllowanceSpent,
    CallGroup,
    KeyThrottled,
    Operation,
    OtherOrganization,
    SecretRejected,
    ServiceError,
    ServiceGroup,
    ServiceNotEnabled,
)
from dashboard.services.operations import circuit_breaker

SECRET, ORGANIZATION = "secret", "organization"
#: The row that names the secret in use. It blocks nothing.
KEY = "key"
#: The allowances of a day (section 8).
LINK_ALLOWANCE, SEARCH_ALLOWANCE = "allowance:create", f"allowance:{ServiceGroup.CHALLAN_SEARCH}"
#: The operations whose 429 means a spent allowance, so that a success clears it.
ALLOWANCES = {
    Operation.CREATE_PAYMENT_LINK: LINK_ALLOWANCE,
    Operation.SEARCH_CHALLANS: SEARCH_ALLOWANCE,
    Operation.LIST_RC_TYPES: SEARCH_ALLOWANCE,
}

#: How long each refusal in a row blocks its scope, unless the service says so itself; then so long at the longest.
SECRET_WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30))
LONGEST_THROTTLE = timedelta(minutes=30)
ALLOWANCE_WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 30, 60))
LONGEST_ALLOWANCE_WAIT = timedelta(hours=1)
NOT_ENABLED_WAIT = timedelta(minutes=10)
#: The time for which a caller that tries blocks the others.
TRY = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class ActiveBlock:
    """Show a block of calls, since when it holds, and when one call may try.

    `scope` is SECRET, ORGANIZATION, a service group that is not enabled, LINK_ALLOWANCE, SEARCH_ALLOWANCE, or a call
    group whose circuit breaker is open. `cause` is the name of the latest failure of such a group, and of SECRET
    `KeyThrottled` while only a 429 speaks against it. `outdated_at` is when the day of a refused allowance ends.
    """

    scope: str
    since: datetime
    until: datetime
    cause: str | None = None
    outdated_at: datetime | None = None


def is_throttle(block: ActiveBlock) -> bool:
    """Return whether only a 429 speaks against the secret, so that nobody knows whether it is refused."""
    return block.scope == SECRET and block.cause == KeyThrottled.__name__


def error_of(operation: Operation, block: ActiveBlock, now: datetime) -> ServiceError:
    """Return the error of a refusal."""
    if is_throttle(block):
        wait = max(0.0, (block.until - now).total_seconds())
        return KeyThrottled(operation, status=429, sent=False, retry_after=wait)
    if block.scope == SECRET:
        return SecretRejected(operation, status=401, sent=False)
    if block.scope == ORGANIZATION:
        return OtherOrganization(operation, sent=False)
    if block.scope == operation.group:
        return ServiceNotEnabled(operation, status=403, sent=False)
    return AllowanceSpent(operation, status=429, sent=False, retry_after=max(0.0, (block.until - now).total_seconds()))


def lasts_too_long(scope: str, until: datetime, now: datetime) -> bool:
    """Return whether a block ends later than any that was set by now: a clock was far ahead when it was set."""
    if scope == ORGANIZATION:  # It ends with the key.
        return False
    if scope in tuple(CallGroup):
        longest = circuit_breaker.REST
    elif scope == SECRET:
        longest = max(*SECRET_WAITS, LONGEST_THROTTLE)
    elif scope in ALLOWANCES.values():
        longest = max(*ALLOWANCE_WAITS, LONGEST_ALLOWANCE_WAIT)
    else:
        longest = NOT_ENABLED_WAIT
    return until > now + longest + TRY


def day_ends(block: ActiveBlock) -> datetime:
    """Return when the day of a refused allowance ends, as far as is known: the service does not say (section 8)."""
    return block.outdated_at or next_day_begins(block.since, None)


def is_current(block: ActiveBlock, now: datetime) -> bool:
    if block.scope in ALLOWANCES.values():
        return now < day_ends(block)
    return block.scope not in tuple(CallGroup) or now < block.until + circuit_breaker.STALE_AFTER


def scopes_of(operation: Operation) -> tuple[str, ...]:
    """Return the refusals that block an operation; status calls have no allowance."""
    always = (ORGANIZATION, SECRET, str(operation.group))
    return always if operation is Operation.GET_PAYMENT_LINK else (*always, allowance_of(operation))


def allowance_of(operation: Operation) -> str:
    """Return the allowance that a call waits for. Locations wait with the searches, though none is known for them."""
    return ALLOWANCES.get(operation, SEARCH_ALLOWANCE)
