"""Call the service: five methods over one call (section 4).

Every method raises the errors of `dashboard.errors` and none of its own. The texts of those errors and of the log
come from the operation, the status and the phase, never from a body, a header or another exception.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum, auto
from types import TracebackType
from typing import Generic, Self, TypeVar

import msgspec

from dashboard.domain.challans import SearchResult
from dashboard.domain.links import PaymentLink
from dashboard.domain.lookups import City, RcType
from dashboard.errors import Operation, ServiceError, UnreadableAnswer
from dashboard.upstream.call_log import CallRecord, report
from dashboard.upstream.config import ServiceConfig
from dashboard.upstream.envelope import Unfit
from dashboard.upstream.error_mapping import to_error
from dashboard.upstream.parsing import (
    parse_created_link,
    parse_locations,
    parse_payment_link,
    parse_rc_types,
    parse_search,
)
from dashboard.upstream.transport import Kind, Result, Transport
from dashboard.upstream.values import identifier

T = TypeVar("T")

#: Of an answer that took longer, nobody knows when the service stated its time.
_QUICK_SECONDS = 1.0

#: Called before another try, with its number, the number of tries, and the error of the try before.
OnRetry = Callable[[int, int, ServiceError], None]


class _Retry(Enum):
    NEVER = auto()
    READ = auto()  #: A GET: failed connects, cuts, timeouts and 5xx.
    SEARCH = auto()  #: It may spend an allowance: failed connects, 502 to 504, and a cut or timeout once.


@dataclass(frozen=True, slots=True)
class _Plan(Generic[T]):
    operation: Operation
    perform: Callable[[float], Result]  #: Makes one attempt within so many seconds.
    parse: Callable[[Result], T]
    deadline: float
    retry: _Retry = _Retry.NEVER
    on_retry: OnRetry | None = None


class ServiceClient:
    """Call the service. Safe for use by many threads; create it after a process has forked."""

    def __init__(
        self,
        config: ServiceConfig,
        *,
        observer: Callable[[CallRecord], None] | None = None,
        sleep: Callable[[float], None] = time.sleep,
        random: Callable[[], float] = random.random,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._config = config
        self._transport = Transport(config)
        self._observer = observer
        self._sleep = sleep
        self._random = random
        self._monotonic = monotonic
        self._service_time: tuple[datetime, float] | None = None

    def __repr__(self) -> str:
        return f"ServiceClient({self._config.url('')})"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    @property
    def config(self) -> ServiceConfig:
        return self._config

    def service_time(self) -> tuple[datetime, float] | None:
        """Return the service's clock as its latest quick answer stated it, and how many seconds ago that was."""
        latest = self._service_time
        return None if latest is None else (latest[0], self._monotonic() - latest[1])

    def close(self) -> None:
        """Close the pooled connections."""
        self._transport.close()

    def list_locations(self) -> tuple[City, ...]:
        """List the organization's cities (section 4.1). Retried."""
        return self._look_up(Operation.LIST_LOCATIONS, "/locations", parse_locations)

    def list_rc_types(self) -> tuple[RcType, ...]:
        """List the supported RC types (section 4.2). Retried. AllowanceSpent may mean the search allowance."""
        return self._look_up(Operation.LIST_RC_TYPES, "/metadata/rc-types", parse_rc_types)

    def search_challans(
        self,
        rc_number: str,
        *,
        rc_type: str | None = None,
        city_id: str | None = None,
        bypass_cache: bool = False,
        on_retry: OnRetry | None = None,
    ) -> SearchResult:
        """Search the challans of a vehicle (section 4.3); a new vehicle needs `rc_type` and `city_id`. Retried.

        `on_retry(attempt, total, error)` is called before another try: "trying again (2 of 3)". Conflict means that
        the vehicle belongs to another organization or was deleted.
        """
        search: dict[str, object] = {"rcNumber": rc_number}
        if rc_type is not None:
            search["rcType"] = rc_type
        if city_id is not None:
            search["cityId"] = city_id
        if bypass_cache:
            search["bypassCache"] = True
        body = msgspec.json.encode(search)
        url, limit = self._config.url("/challans/search"), self._config.search_answer_limit
        plan = _Plan(
            operation=Operation.SEARCH_CHALLANS,
            perform=lambda seconds: self._transport.search(url, body, seconds=seconds, limit=limit),
            parse=lambda result: replace(parse_search(result.body), service_time=result.service_time),
            deadline=self._config.refresh_deadline if bypass_cache else self._config.search_deadline,
            retry=_Retry.SEARCH,
            on_retry=on_retry,
        )
        return self._call(plan)

    def create_payment_link(
        self,
        vehicle_number: str,
        challan_ids: Sequence[str],
        *,
        expiry_hours: int,
        before_send: Callable[[], None],
    ) -> PaymentLink:
        """Create a payment link (section 4.4): sent at most once, never retried, over a connection of its own.

        `before_send` is called once the connection is made, immediately before the first byte. When it raises, nothing
        is sent and its exception is raised here.

        Of the errors, `sent` False means that nothing left this machine; RequestRefused, SecretRejected,
        ServiceNotEnabled, NotFound and AllowanceSpent that nothing was created (assumption A1); after all others a
        link may exist.
        """
        url, limit = self._config.url("/payment-links"), self._config.answer_limit
        body = msgspec.json.encode(
            {"vehicle_number": vehicle_number, "challan_ids": list(challan_ids), "expiry_time": expiry_hours}
        )
        plan = _Plan(
            operation=Operation.CREATE_PAYMENT_LINK,
            perform=lambda seconds: self._transport.create(
                url, body, seconds=seconds, limit=limit, before_send=before_send
            ),
            parse=lambda result: replace(parse_created_link(result.body), service_time=result.service_time),
            deadline=self._config.create_deadline,
            retry=_Retry.NEVER,
        )
        return self._call(plan)

    def get_payment_link(self, link_id: str) -> PaymentLink:
        """Get the state of a link (section 4.5). Never retried, because the next poll comes anyway.

        NotFound also means a link of another organization. Raises ValueError when `link_id` is not a UUID.
        """
        key = identifier(link_id)
        if key is None:
            raise ValueError("a payment link's id is a UUID")
        url, limit = self._config.url(f"/payment-links/{key}"), self._config.answer_limit
        plan = _Plan(
            operation=Operation.GET_PAYMENT_LINK,
            perform=lambda seconds: self._transport.read(url, seconds=seconds, limit=limit),
            parse=lambda result: replace(parse_payment_link(result.body, key), service_time=result.service_time),
            deadline=self._config.status_deadline,
        )
        return self._call(plan)

    def _look_up(self, operation: Operation, path: str, parse: Callable[[bytes], T]) -> T:
        url, limit = self._config.url(path), self._config.answer_limit
        plan = _Plan(
            operation=operation,
            perform=lambda seconds: self._transport.read(url, seconds=seconds, limit=limit),
            parse=lambda result: parse(result.body),
            deadline=self._config.lookup_deadline,
            retry=_Retry.READ,
        )
        return self._call(plan)

    def _call(self, plan: _Plan[T]) -> T:
        """Make the attempts of one call within its deadline. Nothing else retries."""
        until = self._monotonic() + plan.deadline
        total = 1 if plan.retry is _Retry.NEVER else self._config.tries
        sent, interruptions = False, 0
        for attempt in range(1, total + 1):
            started = self._monotonic()
            result = plan.perform(until - started)
            value, error = _outcome(plan, result)
            self._record(plan, attempt, result, error, started)
            if result.service_time is not None and self._monotonic() - started < _QUICK_SECONDS:
                self._service_time = result.service_time, self._monotonic()
            if result.withheld is not None:
                raise result.withheld
            if error is None:
                assert value is not None
                return value
            sent = error.sent = sent or result.sent
            interruptions += result.kind in _INTERRUPTIONS
            delay = self._backoff(attempt, result)
            if attempt == total or not _worth_another_try(plan, result, interruptions):
                raise error
            if self._monotonic() + delay >= until:
                raise error
            if plan.on_retry is not None:
                plan.on_retry(attempt + 1, total, error)
            self._sleep(delay)
            if self._monotonic() >= until:  # A busy machine slept too long.
                raise error
        raise AssertionError("unreachable: the last attempt returns or raises")

    def _backoff(self, attempt: int, result: Result) -> float:
        """Return the seconds before the next try: full jitter, at least the Retry-After of a 503, at most the cap."""
        delay = self._random() * min(self._config.retry_cap, self._config.retry_base * 2.0 ** (attempt - 1))
        if result.status == 503 and result.retry_after is not None:
            delay = max(delay, min(result.retry_after, self._config.retry_cap))
        return delay

    def _record(self, plan: _Plan[T], attempt: int, result: Result, error: ServiceError | None, started: float) -> None:
        record = CallRecord(
            operation=plan.operation,
            group=plan.operation.group,
            attempt=attempt,
            sent=result.sent,
            status=result.status,
            outcome="ok" if error is None else type(error).__name__,
            ms=round((self._monotonic() - started) * 1000, 1),
            bytes=result.size,
        )
        report(record, error, self._observer)


_INTERRUPTIONS = frozenset({Kind.CUT, Kind.HEAD_CUT, Kind.TIMED_OUT})


def _outcome(plan: _Plan[T], result: Result) -> tuple[T, None] | tuple[None, ServiceError]:
    """Parse an answer, or return the error of an attempt without a usable one."""
    error = to_error(plan.operation, result, plan.deadline)
    if error is not None:
        return None, error
    try:
        return plan.parse(result), None
    except Unfit as unfit:
        detail = str(unfit)
    # Created outside the handler, because the frames of a chained exception would hold the body.
    return None, UnreadableAnswer(plan.operation, status=result.status, sent=result.sent, detail=detail)


def _worth_another_try(plan: _Plan[T], result: Result, interruptions: int) -> bool:
    """Decide whether a failed read is tried again at once."""
    if plan.retry is _Retry.NEVER:
        return False
    if result.kind is Kind.NOT_CONNECTED:
        return True
    if result.kind in _INTERRUPTIONS:
        return plan.retry is _Retry.READ or interruptions == 1
    if result.kind is not Kind.ANSWERED or result.status is None:
        return False
    return result.status in (502, 503, 504) or (plan.retry is _Retry.READ and 500 <= result.status < 600)
