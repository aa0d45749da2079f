"""Decide how long bulk work waits when the service refuses a call, and when a part of it is tried again."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from dashboard.domain.fleet import STILL_SPENT
from dashboard.errors import (
    AllowanceReserved,
    AllowanceSpent,
    BreakerOpen,
    Operation,
    OtherOrganization,
    SecretRejected,
    ServiceError,
    ServiceNotEnabled,
)
from dashboard.services.operations.call_policy import CallPolicy

#: These concern every call that follows, so the whole job waits.
STOPPING = (AllowanceSpent, BreakerOpen, OtherOrganization, SecretRejected, ServiceNotEnabled)
#: How often a part is tried in all, and the delay after its first failure, which grows fourfold each time.
MOST_TRIES = 3
_FIRST_DELAY = timedelta(seconds=20)
_SPENT = {AllowanceSpent.__name__, AllowanceReserved.__name__}
#: Where nobody says until when a refusal holds.
UNSTATED = timedelta(minutes=5)
#: The shortest wait, where a refusal ends at this moment.
SOON = timedelta(seconds=1)


def waits_until(call_policy: CallPolicy, error: ServiceError, now: datetime) -> datetime:
    """Return when a job goes on after a refusal that concerns all of its calls."""
    if error.retry_after is not None:
        return now + timedelta(seconds=max(1.0, error.retry_after))
    block = call_policy.refusal(error.operation)
    return max(block.until, now + SOON) if block is not None else now + UNSTATED


def reason_of(call_policy: CallPolicy, operation: Operation, failure: str) -> str:
    """Return why a job waits after this refusal, by its failure name."""
    return STILL_SPENT if failure in _SPENT and call_policy.has_refused_again(operation) else failure


def tried_again_at(tries: int, now: datetime) -> datetime:
    """Return when a part is tried again that has failed so many times, with jitter."""
    delay: timedelta = _FIRST_DELAY * 4 ** max(0, tries - 1)
    return now + delay * random.uniform(0.8, 1.2)  # noqa: S311 - spreading, not secrecy.
