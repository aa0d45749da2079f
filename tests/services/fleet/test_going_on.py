"""Test that a person who lets a job go on after a spent allowance gets one real call, and reads what it came to."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from dashboard.domain.fleet import STILL_SPENT, FleetVehicle, JobState, LinkOutcome, PlannedLink
from dashboard.domain.money import add_up
from dashboard.errors import CallGroup, Operation
from dashboard.services.fleet.jobs import GoingOn
from dashboard.services.vehicles import eligibility
from dashboard.store.fleet import plans
from dashboard.store.operations import call_counts
from tests.services.fleet.conftest import outcomes
from tests.support.lanes import job_of, take_parts

pytestmark = pytest.mark.databases

VEHICLES = 12
#: Larger than what bulk work leaves to people, so that its size is learned and obeyed.
ALLOWANCE = 8


@pytest.fixture(autouse=True)
def morning(clock):
    """Set the clock to ten o'clock in India, so that all hours of a test are of one day."""
    clock.set(datetime(2026, 11, 21, 4, 30, tzinfo=UTC))


@pytest.fixture
def listed(levers):
    plates = [f"MH14BB{number:04}" for number in range(1, VEHICLES + 1)]
    for plate in plates:
        levers.add_vehicle(plate, [{"challanNo": plate, "challanAmount": 500}])
    return [FleetVehicle(plate) for plate in plates]


@pytest.fixture
def plan_id(services, clerk, levers, listed, run_lane):
    """Return a plan of twelve links that waits: the service granted eight."""
    for each in listed:
        services.vehicle_search.search_in_bulk(each.rc)
    with services.store.read() as connection:
        found = eligibility.of_vehicles(connection, [each.rc for each in listed])
    planned = [
        PlannedLink(rc, (item.challan.id,), add_up([item.challan.total_amount]))
        for rc, items in found.items()
        for item in items
    ]
    levers.set_organization(linkAllowance=ALLOWANCE)
    plan_id = services.fleet_plans.start("Plan", planned, hours=48, person_id=clerk.person_id)
    run_lane(plan_id)
    assert waits_for(services, plan_id) == "AllowanceSpent"
    assert created(services, plan_id) == ALLOWANCE
    return plan_id


def waits_for(services, job_id):
    job = job_of(services, job_id)
    return job.reason if job.state is JobState.WAITING else None


def created(services, plan_id):
    with services.store.read() as connection:
        return plans.counts(connection, [plan_id])[plan_id].by_outcome.get(LinkOutcome.REQUESTED, 0)


def test_a_plan_goes_on_at_once_where_the_service_grants_more_by_now(services, levers, plan_id, run_lane):
    levers.set_organization(linkAllowance=500)
    before = levers.count("create_link")
    assert services.fleet_jobs.resume(plan_id) is GoingOn.TRIES
    run_lane(plan_id)
    assert job_of(services, plan_id).state is JobState.DONE
    assert created(services, plan_id) == VEHICLES
    assert levers.count("create_link") == before + VEHICLES - ALLOWANCE


def test_a_run_goes_on_at_once_where_the_service_grants_more_by_now(services, levers, listed, run_lane):
    levers.set_organization(searchAllowance=30)
    for _ in range(25):
        services.vehicle_search.search_in_bulk(listed[0].rc)
    run_id = services.fleet_searches.start("Trucks", listed, None)
    run_lane(run_id)
    assert waits_for(services, run_id) == "AllowanceSpent"
    levers.set_organization(searchAllowance=500)
    assert services.fleet_jobs.resume(run_id) is GoingOn.TRIES
    run_lane(run_id)
    assert job_of(services, run_id).state is JobState.DONE
    assert None not in outcomes(services, run_id)
    assert levers.count("create_link") == 0


def test_each_press_makes_one_call_at_the_most_and_one_a_minute(services, levers, plan_id, run_lane, clock):
    before = levers.count("create_link")
    pressed = []
    for second in range(0, 150, 10):
        pressed.append(services.fleet_jobs.resume(plan_id))
        run_lane(plan_id)
        assert waits_for(services, plan_id) == STILL_SPENT, second
        clock.advance(seconds=10)
    assert levers.count("create_link") - before == 3
    assert [number for number, said in enumerate(pressed) if said is GoingOn.TRIES] == [0, 6, 12]
    assert set(pressed) == {GoingOn.TRIES, GoingOn.TOO_SOON}


def test_a_press_that_comes_too_soon_leaves_the_job_as_it_is(services, plan_id, run_lane):
    services.fleet_jobs.resume(plan_id)
    run_lane(plan_id)
    before = job_of(services, plan_id)
    assert services.fleet_jobs.resume(plan_id) is GoingOn.TOO_SOON
    assert job_of(services, plan_id) == before


def test_of_many_lanes_one_makes_the_call_and_the_others_wait_for_its_answer(services, levers, plan_id):
    levers.set_organization(linkAllowance=500)
    levers.fault("create_link", "delay", seconds=1)
    before = levers.count("create_link")
    services.fleet_jobs.resume(plan_id)
    generation = job_of(services, plan_id).generation
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: take_parts(services, plan_id, f"lane-{number}"), range(4)))
    job = job_of(services, plan_id)
    assert (job.state, job.generation) == (JobState.DONE, generation), "it went on without a second press"
    assert levers.count("create_link") == before + VEHICLES - ALLOWANCE


def test_of_many_lanes_one_makes_the_call_that_is_refused_again(services, levers, plan_id):
    levers.fault("create_link", "delay", seconds=1)
    before = levers.count("create_link")
    services.fleet_jobs.resume(plan_id)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: take_parts(services, plan_id, f"lane-{number}"), range(4)))
    assert levers.count("create_link") == before + 1
    assert waits_for(services, plan_id) == STILL_SPENT
    assert created(services, plan_id) == ALLOWANCE


def test_what_was_only_reserved_is_used_when_a_person_says_so(services, levers, listed, run_lane):
    """Let the size that an earlier day taught give way: nobody was refused today."""
    with services.store.write() as connection:
        call_counts.add(connection, "2026-11-20", CallGroup.SEARCH, 31)
        refused = {"refused_after": 30, "refused_at": services.clock()}
        call_counts.record(connection, "2026-11-20", CallGroup.SEARCH, **refused)
    run_id = services.fleet_searches.start("Trucks", listed, None)
    run_lane(run_id)
    assert waits_for(services, run_id) == "AllowanceReserved"
    assert services.fleet_jobs.resume(run_id) is GoingOn.TRIES
    run_lane(run_id)
    assert job_of(services, run_id).state is JobState.DONE
    assert services.call_policy.refusal(Operation.SEARCH_CHALLANS) is None


def test_a_try_that_nobody_asked_for_is_not_made(services, levers, plan_id, run_lane, clock):
    """Let the planned tries of single calls be all there are: nobody pressed anything."""
    before = levers.count("create_link")
    clock.advance(seconds=(job_of(services, plan_id).resume_at - clock()).total_seconds() + 1)
    services.fleet_jobs.go_on_due()
    run_lane(plan_id)
    assert waits_for(services, plan_id) == "AllowanceReserved"
    assert levers.count("create_link") == before


def test_a_job_that_waits_for_something_else_goes_on_without_a_try(services, levers, listed, run_lane):
    levers.fault("search", "status", status=502, count=100)
    run_id = services.fleet_searches.start("Trucks", listed[:1], None)
    run_lane(run_id)
    assert services.fleet_jobs.resume(run_id) is GoingOn.GOES_ON
    services.fleet_jobs.pause(run_id)
    assert services.fleet_jobs.resume(run_id) is GoingOn.GOES_ON
    services.fleet_jobs.cancel(run_id)
    assert services.fleet_jobs.resume(run_id) is GoingOn.TOO_LATE
