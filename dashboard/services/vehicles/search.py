"""Searching a vehicle's challans, from the service's cache or, deliberately, from the source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

from dashboard.domain.challans import SearchResult
from dashboard.errors import Operation, SearchLimitReached, ServiceError
from dashboard.services.links import ledger
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.store.engine import Store
from dashboard.store.vehicles import search_attempts, vehicles
from dashboard.upstream import OnRetry, ServiceClient


class RefreshBusy(Exception):
    """Somebody is refreshing this vehicle from the source just now."""


@dataclass(frozen=True)
class VehicleSearch:
    store: Store
    client: ServiceClient
    call_policy: CallPolicy
    clock: Clock
    schedule: Schedule

    def search(self, rc: str, person_id: int, *, rc_type: str | None = None, city_id: str | None = None) -> str:
        """Search by number and record what came; returns the number the vehicle is known by from now on.

        Raises ServiceError; RequestRefused without `rc_type` and `city_id` may mean that the vehicle is new to the
        organization (section 4.3, rule 2).
        """
        again = self._again(rc, person_id)

        def ask() -> SearchResult:
            return self.client.search_challans(rc, rc_type=rc_type, city_id=city_id, on_retry=again)

        return self._ask(rc, person_id, ask, at_source=False)

    def refresh(self, rc: str, person_id: int) -> str:
        """Force a fresh lookup at the source; one at a time for a vehicle, for the whole team.

        Raises RefreshBusy and ServiceError.
        """
        return self._refresh(rc, person_id)

    def look(self, rc: str) -> str:
        """The same for the dashboard itself, while nobody waits for it: the vehicle's page tells of no failure."""
        return self._refresh(rc, None)

    def _refresh(self, rc: str, person_id: int | None) -> str:
        now = self.clock()
        with self.store.write() as connection:
            lease_until = now + self.schedule.refresh_deadline + self.schedule.lease_margin
            if not vehicles.take_refresh(connection, rc, person_id, now, lease_until):
                raise RefreshBusy(rc)

        def refresh() -> SearchResult:
            return self.client.search_challans(rc, bypass_cache=True, on_retry=self._again(rc, person_id))

        try:
            return self._ask(rc, person_id, refresh, at_source=True)
        finally:
            with self.store.write() as connection:
                vehicles.end_refresh(connection, rc)

    def _ask(self, rc: str, person_id: int | None, ask: Callable[[], SearchResult], *, at_source: bool) -> str:
        try:
            result = self.call_policy.call(Operation.SEARCH_CHALLANS, ask, person_id=person_id)
        except SearchLimitReached:
            raise  # It is this person's alone, and nothing is wrong with the vehicle.
        except ServiceError as error:
            if person_id is not None:
                with self.store.write() as connection:
                    vehicles.record_failure(connection, rc, error.failure_name, self.clock())
            raise
        finally:
            self._forget_attempts(rc, person_id)
        now = self.clock()
        with self.store.write() as connection:
            return ledger.enter_search(connection, rc, result, person_id, now, self.schedule, at_source=at_source)

    def _again(self, rc: str, person_id: int | None) -> OnRetry:
        """Each further try spends the allowance too, and whoever waits is told of it."""

        def told(attempt: int, total: int, error: ServiceError) -> None:
            self.call_policy.allowances.spend_more(Operation.SEARCH_CHALLANS)
            if person_id is not None:
                why, now = error.failure_name, self.clock()
                with self.store.write() as connection:
                    search_attempts.note(connection, person_id, rc, attempt=attempt, total=total, failure=why, at=now)

        return told

    def _forget_attempts(self, rc: str, person_id: int | None) -> None:
        if person_id is None:
            return
        with self.store.read() as connection:
            noted = search_attempts.under_way(connection, person_id, rc, self.clock())
        if noted:
            with self.store.write() as connection:
                search_attempts.end(connection, person_id, rc)

    def under_way(self, rc: str, person_id: int) -> Row[Any] | None:
        """The further try that this person's search of the vehicle has come to: `attempt`, `total`, `failure`."""
        with self.store.read() as connection:
            return search_attempts.under_way(connection, person_id, rc, self.clock())
