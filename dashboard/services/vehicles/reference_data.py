"""Fetch the cities and RC types that a first search needs, at most once a day."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

from dashboard.domain.lookups import City, RcType
from dashboard.errors import Operation, ServiceError
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.services.schedule import Clock, Schedule
from dashboard.store.engine import Store
from dashboard.store.vehicles import reference_data
from dashboard.upstream import ServiceClient

Rows = TypeVar("Rows", tuple[City, ...], tuple[RcType, ...])

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ReferenceData:
    store: Store
    client: ServiceClient
    call_policy: CallPolicy
    clock: Clock
    schedule: Schedule

    def known(self) -> tuple[tuple[City, ...], tuple[RcType, ...]]:
        """Return the stored cities and RC types, however old; the service is not called."""
        with self.store.read() as connection:
            return reference_data.cities(connection)[0], reference_data.rc_types(connection)[0]

    def fresh(self) -> tuple[tuple[City, ...], tuple[RcType, ...]]:
        """Return cities and RC types at most a day old, or older ones when the service refuses or fails.

        An empty list is fetched each time. Raises ServiceError only when none are stored.
        """
        with self.store.read() as connection:
            cities, cities_at = reference_data.cities(connection)
            rc_types, rc_types_at = reference_data.rc_types(connection)
        oldest = self.clock() - self.schedule.lookup_age
        if not cities or cities_at is None or cities_at < oldest:
            cities = self._fetch_or_keep(
                Operation.LIST_LOCATIONS, reference_data.CITIES, self.client.list_locations, cities
            )
        if not rc_types or rc_types_at is None or rc_types_at < oldest:
            rc_types = self._fetch_or_keep(
                Operation.LIST_RC_TYPES, reference_data.RC_TYPES, self.client.list_rc_types, rc_types
            )
        return cities, rc_types

    def renew(self) -> tuple[tuple[City, ...], tuple[RcType, ...]]:
        """Return cities and RC types as the service has them now, or the stored ones when it refuses or fails."""
        with suppress(ServiceError):
            self._fetch(Operation.LIST_LOCATIONS, reference_data.CITIES, self.client.list_locations)
        with suppress(ServiceError):
            self.renew_rc_types()
        return self.known()

    def probe_service(self) -> None:
        """Fetch the cities to learn whether the service answers: they cost no known allowance (section 4.1).

        Raises ServiceError.
        """
        self._fetch(Operation.LIST_LOCATIONS, reference_data.CITIES, self.client.list_locations)

    def renew_rc_types(self) -> None:
        """Fetch the RC types. Raises ServiceError."""
        self._fetch(Operation.LIST_RC_TYPES, reference_data.RC_TYPES, self.client.list_rc_types)

    def _fetch_or_keep(self, operation: Operation, name: str, fetch: Callable[[], Rows], stored: Rows) -> Rows:
        try:
            return self._fetch(operation, name, fetch)
        except ServiceError as error:
            if not stored:
                raise
            log.warning("the stored %s are used: %s", name, error)
            return stored

    def _fetch(self, operation: Operation, name: str, fetch: Callable[[], Rows]) -> Rows:
        rows = self.call_policy.call(operation, fetch)
        with self.store.write() as connection:
            reference_data.record(connection, name, rows, self.clock())
        return rows
