"""Repeat searches of the fleet on chosen days, each time once however many workers there are."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID, uuid5

from dashboard.domain.fleet import FleetVehicle
from dashboard.domain.fleet_schedules import Repeat, Scope, next_time, title_of
from dashboard.services.fleet.drafts import FleetDrafts
from dashboard.services.fleet.searches import FleetSearches
from dashboard.services.schedule import Clock
from dashboard.store.engine import NotStored, Store
from dashboard.store.fleet import lists, schedules
from dashboard.store.fleet.schedules import MAX_SCHEDULES, FleetSchedule

#: The ids of runs that schedules start are made from this one.
_RUNS = UUID("5b0a3f8e-6c55-4e0e-9a43-0d8b7f2f9c11")


class TooManySchedules(Exception):
    """Report that there are MAX_SCHEDULES repeated searches already."""


@dataclass(frozen=True)
class FleetSchedules:
    store: Store
    clock: Clock
    drafts: FleetDrafts
    searches: FleetSearches

    def add(self, repeat: Repeat, person_id: int) -> int:
        """Repeat a search from its next time on; return its id. Raises NotStored (the list) and TooManySchedules."""
        now = self.clock()
        with self.store.write() as connection:
            if repeat.list_id is not None and lists.find(connection, repeat.list_id) is None:
                raise NotStored(repeat.list_id)
            listed = schedules.listed(connection)
            # Sent twice, it would spend the allowance twice.
            alike = (each for each in listed if replace(each.repeat, at_source=repeat.at_source) == repeat)
            if same := next((each for each in alike if each.next_at), None):
                schedules.set_source(connection, same.id, at_source=repeat.at_source)
                return same.id
            if len(listed) >= MAX_SCHEDULES:
                raise TooManySchedules
            return schedules.add(connection, repeat, _next(repeat, now), now, person_id)

    def pause(self, schedule_id: int) -> None:
        """Start nothing until it goes on. Raises NotStored."""
        with self.store.write() as connection:
            if not schedules.plan(connection, schedule_id, None):
                raise NotStored(schedule_id)

    def resume(self, schedule_id: int) -> None:
        """Go on with the next time. Raises NotStored."""
        with self.store.write() as connection:
            found = schedules.find(connection, schedule_id)
            if found is None:
                raise NotStored(schedule_id)
            schedules.plan(connection, schedule_id, _next(found.repeat, self.clock()))

    def set_source(self, schedule_id: int, *, at_source: bool) -> None:
        """Let the next runs ask the source, or take what the service has in its cache. Raises NotStored."""
        with self.store.write() as connection:
            if not schedules.set_source(connection, schedule_id, at_source=at_source):
                raise NotStored(schedule_id)

    def remove(self, schedule_id: int) -> FleetSchedule:
        """Delete a repeated search, and return it. Raises NotStored."""
        with self.store.write() as connection:
            found = schedules.find(connection, schedule_id)
            if found is None or not schedules.remove(connection, schedule_id):
                raise NotStored(schedule_id)
        return found

    def start_due(self) -> list[str]:
        """Start a run for each search that is due, and return the ids of the runs that this worker has started.

        The id of a run follows from its time, so that workers who find the same search due start one run; the first
        sets the next time, by compare-and-set. Nights that passed while no worker ran make one run.
        """
        now = self.clock()
        with self.store.read() as connection:
            found = schedules.due(connection, now)
        return [run_id for each in found if (run_id := self._start(each))]

    def _start(self, due: FleetSchedule) -> str | None:
        assert due.next_at is not None
        vehicles = self._vehicles(due.repeat)
        run_id = None
        if vehicles:
            run_id = str(uuid5(_RUNS, f"{due.id} {due.next_at.isoformat()}"))
            title, at_source = title_of(due.repeat, due.list_name), due.repeat.at_source
            self.searches.start(title, vehicles, None, run_id=run_id, at_source=at_source)
        with self.store.write() as connection:
            is_ours = schedules.settle(connection, due, run_id, _next(due.repeat, self.clock()))
        return run_id if is_ours else None

    def _vehicles(self, repeat: Repeat) -> list[FleetVehicle]:
        if repeat.scope is not Scope.LIST:
            return self.drafts.known(repeat.days)
        with self.store.read() as connection:
            return lists.vehicles_of(connection, repeat.list_id or 0)


def _next(repeat: Repeat, now: datetime) -> datetime:
    return next_time(repeat.weekdays, repeat.at, now)
