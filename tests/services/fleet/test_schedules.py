"""Test repeated searches: each time makes one run, however many workers there are and however long they were off."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import time, timedelta

import pytest

from dashboard.domain.fleet import FleetVehicle, JobKind
from dashboard.domain.fleet_schedules import EVERY_DAY, Repeat, Scope
from dashboard.services.fleet.schedules import FleetSchedules
from dashboard.services.fleet.searches import FleetSearches
from dashboard.store.engine import NotStored
from dashboard.store.fleet import jobs, runs, schedules


@pytest.fixture
def repeated(services, clerk):
    """The id of a nightly search of a list with two vehicles."""
    vehicles = [FleetVehicle("MH12AB1001", "TRUCK", "city"), FleetVehicle("MH12AB1002")]
    saved = services.fleet_lists.save("Pune trucks", vehicles, clerk.person_id)
    return services.fleet_schedules.add(Repeat(Scope.LIST, EVERY_DAY, time(2, 0), saved.id), clerk.person_id)


def runs_of(services):
    with services.store.read() as connection:
        return jobs.listed(connection, JobKind.SEARCH, 20)


def find(services, schedule_id):
    with services.store.read() as connection:
        return schedules.find(connection, schedule_id)


def test_a_search_that_is_due_starts_once_and_is_due_again_the_next_day(services, clock, repeated):
    first = find(services, repeated).next_at
    assert services.fleet_schedules.start_due() == []
    clock.advance(days=1)
    [run_id] = services.fleet_schedules.start_due()
    assert services.fleet_schedules.start_due() == []
    [job] = runs_of(services)
    assert (job.id, job.title, job.person_id) == (run_id, "Pune trucks", None)
    with services.store.read() as connection:
        found = runs.with_outcome(connection, run_id, None, after=0, limit=10)
    assert [(each.rc, each.city_id) for each in found] == [("MH12AB1001", "city"), ("MH12AB1002", None)]
    after = find(services, repeated)
    assert (after.next_at, after.last_at, after.last_run_id) == (first + timedelta(days=1), first, run_id)


def test_nights_that_were_missed_make_one_run(services, clock, repeated):
    clock.advance(days=5)
    assert len(services.fleet_schedules.start_due()) == 1
    assert services.fleet_schedules.start_due() == []
    assert find(services, repeated).next_at > clock()
    clock.advance(days=1)
    assert len(services.fleet_schedules.start_due()) == 1


@pytest.mark.databases
def test_many_workers_start_one_run(services, clock, repeated):
    clock.advance(days=1)
    with ThreadPoolExecutor(8) as pool:
        started = list(pool.map(lambda _: services.fleet_schedules.start_due(), range(8)))
    assert sum(map(len, started)) == 1
    assert len(runs_of(services)) == 1


class Dies(Exception):
    """What stops a worker right after it has started a run."""


class DyingSearches(FleetSearches):
    def start(self, *args, **more):
        super().start(*args, **more)
        raise Dies


def test_a_worker_that_dies_after_the_start_leaves_no_second_run(services, clock, repeated):
    clock.advance(days=1)
    whole = services.fleet_searches
    dying = DyingSearches(whole.store, whole.vehicle_search, whole.call_policy, whole.clock, whole.schedule)
    with pytest.raises(Dies):
        FleetSchedules(services.store, clock, services.fleet_drafts, dying).start_due()
    assert len(services.fleet_schedules.start_due()) == 1
    assert len(runs_of(services)) == 1


def test_a_paused_search_starts_nothing_and_goes_on_with_its_next_time(services, clock, repeated):
    services.fleet_schedules.pause(repeated)
    clock.advance(days=3)
    assert services.fleet_schedules.start_due() == []
    services.fleet_schedules.resume(repeated)
    assert find(services, repeated).next_at > clock()


def test_a_deleted_list_is_not_searched_until_it_is_restored(services, clock, repeated):
    list_id = find(services, repeated).repeat.list_id
    services.fleet_lists.delete(list_id)
    clock.advance(days=1)
    assert services.fleet_schedules.start_due() == []
    assert find(services, repeated).last_run_id is None
    services.fleet_lists.restore(list_id)
    clock.advance(days=1)
    assert len(services.fleet_schedules.start_due()) == 1


def test_without_a_known_vehicle_nothing_is_started(services, clock, clerk):
    for scope, days in ((Scope.ALL, None), (Scope.OLD, 7)):
        services.fleet_schedules.add(Repeat(scope, EVERY_DAY, time(2, 0), days=days), clerk.person_id)
    clock.advance(days=1)
    assert services.fleet_schedules.start_due() == []


def test_the_same_repeat_is_saved_once(services, clerk, repeated):
    assert services.fleet_schedules.add(find(services, repeated).repeat, clerk.person_id) == repeated


def test_what_was_removed_is_unknown(services, repeated):
    services.fleet_schedules.remove(repeated)
    for act in (services.fleet_schedules.remove, services.fleet_schedules.pause, services.fleet_schedules.resume):
        with pytest.raises(NotStored):
            act(repeated)
