"""Search a vehicle's challans, in the service's cache or at the source."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection

from dashboard.domain.challans import SearchResult
from dashboard.errors import Operation, ServiceError
from dashboard.services.links import ledger
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.store.engine import Store
from dashboard.store.vehicles import search_attempts, vehicles
from dashboard.store.vehicles.search_attempts import SearchAttempt
from dashboard.upstream import OnRetry, ServiceClient


class RefreshBusy(Exception):
    """Report that another refresh of this vehicle from the source is running."""


class RefreshedJustNow(Exception):
    """Report that the person refreshed this vehicle just now, and may again in so many `seconds`."""

    def __init__(self, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(f"the next refresh is possible in {seconds} s")


@dataclass(frozen=True)
class VehicleSearch:
    store: Store
    client: ServiceClient
    call_policy: CallPolicy
    clock: Clock
    schedule: Schedule

    def search(self, rc: str, person_id: int, *, rc_type: str | None = None, city_id: str | None = None) -> str:
        """Search by number and record the result; return the number under which the service knows the vehicle.

        Raises ServiceError; RequestRefused without `rc_type` and `city_id` may mean that the vehicle is new to the
        organization (section 4.3, rule 2).
        """
        on_retry = self._on_retry(rc, person_id)

        def ask() -> SearchResult:
            return self.client.search_challans(rc, rc_type=rc_type, city_id=city_id, on_retry=on_retry)

        return self._search(rc, person_id, ask, at_source=False)

    def search_in_bulk(
        self,
        rc: str,
        *,
        rc_type: str | None = None,
        city_id: str | None = None,
        at_source: bool = False,
        and_record: Callable[[Connection, str], None] | None = None,
    ) -> str:
        """Search like `search`, or `at_source` like `refresh`, as part of bulk work: yield to people, and show no
        failure on the vehicle's page.

        `and_record` is called with the number of the vehicle in the transaction that records the result. That does
        not wait for the disk: after a power failure both are lost or neither is, and the vehicle is searched again.
        """

        def ask() -> SearchResult:
            on_retry = self._on_retry(rc, None)
            place = {"rc_type": rc_type, "city_id": city_id}
            return self.client.search_challans(rc, **place, bypass_cache=at_source, on_retry=on_retry)

        return self._search(rc, None, ask, at_source=at_source, bulk=True, and_record=and_record)

    def search_at_source(self, rc: str, person_id: int) -> str:
        """Search at the source like `refresh`, whether or not another refresh is under way."""

        def ask() -> SearchResult:
            return self.client.search_challans(rc, bypass_cache=True, on_retry=self._on_retry(rc, person_id))

        return self._search(rc, person_id, ask, at_source=True)

    def refresh(self, rc: str, person_id: int) -> str:
        """Search at the source (`bypassCache`), one refresh at a time for each vehicle; return its number.

        Raises RefreshBusy and ServiceError.
        """
        return self._refresh(rc, person_id)

    def refresh_on_request(self, rc: str, person_id: int) -> str:
        """Refresh because a person asked for just that: once a minute for each vehicle, unless it failed.

        Raises RefreshedJustNow, RefreshBusy and ServiceError.
        """
        now = self.clock()
        with self.store.read() as connection:
            last = vehicles.refreshed_at(connection, rc, person_id)
        if last is not None and last <= now < last + self.schedule.refresh_pause:
            raise RefreshedJustNow(math.ceil((last + self.schedule.refresh_pause - now).total_seconds()))
        found = self._refresh(rc, person_id)
        with self.store.write() as connection:
            vehicles.record_refresh(connection, rc, person_id, now)
        return found

    def refresh_unattended(self, rc: str) -> str:
        """Refresh for the dashboard itself, without showing a failure on the vehicle's page."""
        return self._refresh(rc, None)

    def retry_under_way(self, rc: str, person_id: int) -> SearchAttempt | None:
        """Return the further try that this person's search of the vehicle has come to, if it needed one."""
        with self.store.read() as connection:
            return search_attempts.find(connection, person_id, rc, self.clock())

    def _refresh(self, rc: str, person_id: int | None) -> str:
        now = self.clock()
        with self.store.write() as connection:
            lease_until = now + self.schedule.refresh_deadline + self.schedule.lease_margin
            if not vehicles.take_refresh(connection, rc, person_id, now, lease_until):
                raise RefreshBusy(rc)

        def ask() -> SearchResult:
            return self.client.search_challans(rc, bypass_cache=True, on_retry=self._on_retry(rc, person_id))

        try:
            return self._search(rc, person_id, ask, at_source=True)
        finally:
            with self.store.write() as connection:
                vehicles.end_refresh(connection, rc)

    def _search(
        self,
        rc: str,
        person_id: int | None,
        ask: Callable[[], SearchResult],
        *,
        at_source: bool,
        bulk: bool = False,
        and_record: Callable[[Connection, str], None] | None = None,
    ) -> str:
        try:
            result = self.call_policy.call(Operation.SEARCH_CHALLANS, ask, person_id=person_id, bulk=bulk)
        except ServiceError as error:
            if person_id is not None and not error.personal:
                with self.store.write() as connection:
                    vehicles.record_failure(connection, rc, error.failure_name, self.clock())
            raise
        finally:
            self._clear_attempt(rc, person_id)
        now = self.clock()
        with self.store.write(durable=and_record is None) as connection:
            found = ledger.enter_search(connection, rc, result, person_id, now, self.schedule, at_source=at_source)
            if and_record is not None:
                and_record(connection, found)
        return found

    def _on_retry(self, rc: str, person_id: int | None) -> OnRetry:
        """Count each further try against the allowance, and record it for the person who waits."""

        def record(attempt: int, total: int, error: ServiceError) -> None:
            self.call_policy.allowances.spend_more(Operation.SEARCH_CHALLANS)
            if person_id is not None:
                tried, now = SearchAttempt(attempt, total, error.failure_name), self.clock()
                with self.store.write() as connection:
                    search_attempts.record(connection, person_id, rc, tried, now)

        return record

    def _clear_attempt(self, rc: str, person_id: int | None) -> None:
        # Read first: most searches need no further try, and a write would cost every one of them.
        if person_id is not None and self.retry_under_way(rc, person_id):
            with self.store.write() as connection:
                search_attempts.clear(connection, person_id, rc)
