"""The cities and RC types that a first search needs, asked for at most once a day."""

from __future__ import annotations

import logging
from collections.abc import Callable
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
        """What was last answered, however old; never asks the service."""
        with self.store.read() as connection:
            return reference_data.cities(connection)[0], reference_data.rc_types(connection)[0]

    def fresh(self) -> tuple[tuple[City, ...], tuple[RcType, ...]]:
        """Cities and RC types at most a day old; older ones when the service refuses or fails.

        Raises ServiceError only when there is nothing to fall back on.
        """
        with self.store.read() as connection:
            cities, cities_at = reference_data.cities(connection)
            rc_types, rc_types_at = reference_data.rc_types(connection)
        oldest = self.clock() - self.schedule.lookup_age
        if cities_at is None or cities_at < oldest:
            cities = self._renew(Operation.LIST_LOCATIONS, reference_data.CITIES, self.client.list_locations, cities)
        if rc_types_at is None or rc_types_at < oldest:
            rc_types = self._renew(
                Operation.LIST_RC_TYPES, reference_data.RC_TYPES, self.client.list_rc_types, rc_types
            )
        return cities, rc_types

    def try_cities(self) -> None:
        """Ask for the cities now, to see whether the service answers: no allowance is known for them (section 4.1).

        Raises ServiceError.
        """
        self._ask(Operation.LIST_LOCATIONS, reference_data.CITIES, self.client.list_locations)

    def _renew(self, operation: Operation, name: str, ask: Callable[[], Rows], cached: Rows) -> Rows:
        try:
            return self._ask(operation, name, ask)
        except ServiceError as error:
            if not cached:
                raise
            log.warning("the cached %s are used: %s", name, error)
            return cached

    def _ask(self, operation: Operation, name: str, ask: Callable[[], Rows]) -> Rows:
        rows = self.call_policy.call(operation, ask)
        with self.store.write() as connection:
            reference_data.record(connection, name, rows, self.clock())
        return rows
