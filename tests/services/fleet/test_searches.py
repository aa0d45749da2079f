"""Test that a run searches each of its vehicles once, names what came of it, and waits where the service refuses."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from dashboard.domain.fleet import LATER, FleetVehicle, JobState, SearchOutcome
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.fleet.jobs import GoingOn
from dashboard.services.fleet.searches import TooManyVehicles
from dashboard.services.schedule import Schedule
from dashboard.store.fleet import jobs, runs
from dashboard.store.operations import call_budget
from dashboard.store.vehicles import vehicles as stored_vehicles
from dashboard.upstream import SecretSource, ServiceClient, ServiceConfig
from tests.conftest import CANARY
from tests.services.fleet.conftest import PLATES, outcomes
from tests.support.lanes import job_of, take_parts

pytestmark = pytest.mark.databases


def test_each_vehicle_is_searched_once_and_its_challans_are_counted(services, levers, vehicles, run_lane):
    run_id = services.fleet_searches.start("Pune trucks", vehicles, None)
    assert run_lane(run_id) == 3
    assert outcomes(services, run_id) == [SearchOutcome.PAYABLE, SearchOutcome.PAYABLE, SearchOutcome.NOTHING_PAYABLE]
    assert levers.count("search") == 3
    with services.store.read() as connection:
        counted = runs.counts(connection, [run_id])[run_id]
    assert (counted.vehicles, counted.ended, counted.found, counted.payable) == (3, 3, 3, 3)
    job = job_of(services, run_id)
    assert (job.state, job.ended_at) == (JobState.DONE, services.clock())


def test_a_number_that_is_listed_twice_is_searched_once(services, levers, vehicles, run_lane):
    run_id = services.fleet_searches.start("Twice", [*vehicles, *vehicles], None)
    assert run_lane(run_id) == 3
    assert levers.count("search") == 3


def test_a_run_has_a_vehicle_and_not_more_than_the_most(services):
    with pytest.raises(ValueError, match="needs a vehicle"):
        services.fleet_searches.start("Nothing", [], None)
    with pytest.raises(TooManyVehicles):
        services.fleet_searches.start("Many", [FleetVehicle(f"MH{n}") for n in range(10_001)], None)


def test_challans_that_are_new_since_the_search_before_are_counted(services, levers, vehicles, run_lane):
    run_lane(services.fleet_searches.start("First night", vehicles, None))
    levers.issue_challan(PLATES[0], challanNo="NEW1", seen=True)
    second = services.fleet_searches.start("Second night", vehicles, None)
    run_lane(second)
    with services.store.read() as connection:
        assert runs.counts(connection, [second])[second].new_challans == 1


@pytest.mark.parametrize(
    ("rc_type", "city_id", "outcome"),
    [(None, None, SearchOutcome.DETAILS_NEEDED), ("no such type", "no such city", SearchOutcome.REFUSED)],
)
def test_a_refused_vehicle_is_named_by_what_it_lacks(services, run_lane, rc_type, city_id, outcome):
    run_id = services.fleet_searches.start("New", [FleetVehicle("GJ01ZZ9999", rc_type, city_id)], None)
    run_lane(run_id)
    assert outcomes(services, run_id) == [outcome]


def test_a_vehicle_of_another_organization_is_named_so(services, levers, run_lane):
    levers.add_vehicle("GJ01AA1111", organization="second")
    run_id = services.fleet_searches.start("Theirs", [FleetVehicle("GJ01AA1111")], None)
    run_lane(run_id)
    assert outcomes(services, run_id) == [SearchOutcome.NOT_OURS]


def test_a_vehicle_whose_source_does_not_answer_comes_again_later(services, levers, vehicles, run_lane, clock):
    levers.fault("search", "status", status=502, count=3)  # The client asks three times.
    run_id = services.fleet_searches.start("Weather", vehicles, None)
    run_lane(run_id)
    assert outcomes(services, run_id) == [None, SearchOutcome.PAYABLE, SearchOutcome.NOTHING_PAYABLE]
    job = job_of(services, run_id)
    assert (job.state, job.reason) == (JobState.WAITING, LATER)
    clock.advance(seconds=60)
    services.fleet_jobs.go_on_due()
    run_lane(run_id)
    assert outcomes(services, run_id)[0] is SearchOutcome.PAYABLE
    assert job_of(services, run_id).state is JobState.DONE


def test_after_three_tries_a_vehicle_has_no_answer_and_a_person_may_retry(services, levers, run_lane, clock):
    levers.add_vehicle("MH14AA2001", [{"challanNo": "X1"}])
    run_id = services.fleet_searches.start("Outage", [FleetVehicle("MH14AA2001")], None)
    for _ in range(3):
        levers.fault("search", "status", status=502, count=3)
        run_lane(run_id)
        clock.advance(seconds=600)
        services.fleet_jobs.go_on_due()
    assert outcomes(services, run_id) == [SearchOutcome.NO_ANSWER]
    assert services.fleet_searches.retry_failed(run_id) == 1
    run_lane(run_id)
    assert outcomes(services, run_id) == [SearchOutcome.PAYABLE]
    assert job_of(services, run_id).state is JobState.DONE


def test_a_spent_allowance_lets_the_whole_run_wait_at_its_place(services, levers, vehicles, run_lane, clock):
    levers.fault("search", "status", status=429)
    run_id = services.fleet_searches.start("Allowance", vehicles, None)
    run_lane(run_id)
    assert outcomes(services, run_id) == [None, None, None]
    job = job_of(services, run_id)
    assert (job.state, job.reason) == (JobState.WAITING, "AllowanceSpent")
    services.fleet_jobs.go_on_due()
    assert job_of(services, run_id).state is JobState.WAITING, "it goes on before its time"
    clock.advance(seconds=(job.resume_at - clock()).total_seconds() + 1)
    services.fleet_jobs.go_on_due()
    run_lane(run_id)
    assert None not in outcomes(services, run_id)
    assert levers.count("search") == 4


def test_a_person_may_let_a_waiting_run_go_on_at_once(services, levers, vehicles, run_lane):
    levers.fault("search", "status", status=502, count=3)
    run_id = services.fleet_searches.start("Impatient", vehicles, None)
    run_lane(run_id)
    assert services.fleet_jobs.resume(run_id) is GoingOn.GOES_ON
    assert job_of(services, run_id).state is JobState.RUNNING


def test_a_paused_run_begins_nothing_and_goes_on_where_it_was(services, levers, vehicles, run_lane):
    run_id = services.fleet_searches.start("Paused", vehicles, None)
    assert services.fleet_searches.search_next(run_id, 1, "lane-1")
    assert services.fleet_jobs.pause(run_id)
    assert run_lane(run_id) == 0
    assert levers.count("search") == 1
    assert not services.fleet_jobs.pause(run_id)
    assert services.fleet_jobs.resume(run_id) is GoingOn.GOES_ON
    assert run_lane(run_id) == 2
    assert job_of(services, run_id).state is JobState.DONE


def test_a_cancelled_run_keeps_what_it_found_and_never_goes_on(services, vehicles, run_lane):
    run_id = services.fleet_searches.start("Cancelled", vehicles, None)
    services.fleet_searches.search_next(run_id, 1, "lane-1")
    assert services.fleet_jobs.cancel(run_id)
    assert run_lane(run_id) == 0
    assert services.fleet_jobs.resume(run_id) is GoingOn.TOO_LATE
    assert services.fleet_searches.retry_failed(run_id) == 0
    assert outcomes(services, run_id) == [SearchOutcome.PAYABLE, None, None]


def test_a_lane_of_an_older_generation_begins_nothing(services, vehicles):
    run_id = services.fleet_searches.start("Old lane", vehicles, None)
    services.fleet_jobs.pause(run_id)
    services.fleet_jobs.resume(run_id)
    assert not services.fleet_searches.search_next(run_id, 1, "old")
    assert services.fleet_searches.search_next(run_id, 2, "new")


def _claim(services, run_id, lane):
    with services.store.write() as connection:
        claimed = runs.claim_next(connection, run_id, lane, services.clock())
    assert claimed is not None
    return claimed


def test_a_lane_that_is_begun_again_searches_the_vehicle_that_it_had(services, levers, vehicles, run_lane):
    run_id = services.fleet_searches.start("Killed", vehicles, None)
    _claim(services, run_id, "lane-1")  # It was killed here.
    assert run_lane(run_id, "lane-2") == 2
    assert outcomes(services, run_id)[0] is None
    assert job_of(services, run_id).state is JobState.RUNNING, "ended before all vehicles had an outcome"
    assert run_lane(run_id, "lane-1") == 1
    assert None not in outcomes(services, run_id)
    assert levers.count("search") == 3
    assert job_of(services, run_id).state is JobState.DONE


def test_a_vehicle_that_somebody_searched_after_it_was_claimed_is_not_searched_again(
    services, levers, vehicles, run_lane, clock
):
    run_id = services.fleet_searches.start("Killed late", vehicles, None)
    claimed = _claim(services, run_id, "lane-1")
    clock.advance(seconds=1)
    services.vehicle_search.search_in_bulk(claimed.rc)
    assert run_lane(run_id) == 3
    assert outcomes(services, run_id)[0] is SearchOutcome.PAYABLE
    assert levers.count("search") == 3


def test_a_search_is_recorded_with_its_outcome_or_not_at_all(services, vehicles):
    """A process that dies between the two would leave a search that no run has counted."""

    def refuse(connection, found_rc):
        assert stored_vehicles.find(connection, found_rc) is not None
        raise InterruptedError

    with pytest.raises(InterruptedError):
        services.vehicle_search.search_in_bulk(PLATES[0], and_record=refuse)
    with services.store.read() as connection:
        assert stored_vehicles.find(connection, PLATES[0]) is None


def test_of_two_ends_of_one_vehicle_the_first_counts(services, vehicles):
    run_id = services.fleet_searches.start("Thawed", vehicles, None)
    claimed = _claim(services, run_id, "lane-1")
    with services.store.write() as connection:
        assert runs.end(connection, claimed, "lane-1", SearchOutcome.PAYABLE, ended_at=services.clock())
        assert not runs.end(connection, claimed, "lane-1", SearchOutcome.FAILED, ended_at=services.clock())
    assert outcomes(services, run_id)[0] is SearchOutcome.PAYABLE


def test_what_a_lane_claimed_is_given_back_when_the_lane_is_gone(services, vehicles, run_lane, clock):
    run_id = services.fleet_searches.start("Lost lane", vehicles, None)
    _claim(services, run_id, "gone")
    clock.advance(minutes=9)
    services.fleet_jobs.revive()
    assert job_of(services, run_id).generation == 2, "a run without progress got no new lanes"
    assert run_lane(run_id) == 2
    clock.advance(minutes=2)
    services.fleet_jobs.revive()
    assert run_lane(run_id) == 1
    assert None not in outcomes(services, run_id)


def test_a_vehicle_that_is_to_be_searched_again_while_the_last_lane_ends_is_not_left_lying(
    services, levers, vehicles, run_lane, clock
):
    levers.fault("search", "status", status=500, count=20)
    run_id = services.fleet_searches.start("Retried late", vehicles[:1], None)
    while None in outcomes(services, run_id):
        services.fleet_searches.search_next(run_id, 1, "lane-1")
        clock.advance(minutes=20)
    levers.clear_faults()
    readings = []

    def clock_of_the_last_lane():
        readings.append(clock())
        if len(readings) == 2:  # It has looked for a vehicle, and is about to end the run.
            services.fleet_searches.retry_failed(run_id)
        return readings[-1]

    last = replace(services.fleet_searches, clock=clock_of_the_last_lane)
    assert not last.search_next(run_id, 1, "lane-1")
    services.fleet_jobs.go_on_due()
    assert job_of(services, run_id).generation == 2, "no lane is left to search the vehicle"
    assert run_lane(run_id) == 1
    assert outcomes(services, run_id) == [SearchOutcome.PAYABLE]
    assert job_of(services, run_id).state is JobState.DONE


def test_a_run_that_makes_progress_keeps_its_lanes(services, vehicles, clock):
    run_id = services.fleet_searches.start("Slow", vehicles, None)
    for _ in range(3):
        services.fleet_searches.search_next(run_id, 1, "lane-1")
        clock.advance(seconds=150)
        services.fleet_jobs.revive()
    assert job_of(services, run_id).generation == 1


def test_a_search_in_bulk_is_nobodys_and_shows_no_failure_on_the_vehicles_page(services, levers, clerk):
    levers.add_vehicle("MH14AA3001", [{"challanNo": "Y1"}])
    clerk.search("MH14AA3001")
    levers.fault("search", "status", status=502, count=3)
    run_id = services.fleet_searches.start("Quiet", [FleetVehicle("MH14AA3001")], clerk.person_id)
    services.fleet_searches.search_next(run_id, 1, "lane-1")
    with services.store.read() as connection:
        known = stored_vehicles.find(connection, "MH14AA3001")
    assert known.failure is None


def test_lanes_of_several_workers_share_the_pace(services, vehicles, clock):
    """The moment at which a call may begin moves on with each claim, whoever makes it."""
    with services.store.write() as connection:
        delays = [call_budget.reserve(connection, "test", clock(), 2.0) for _ in range(4)]
    assert delays == [0, 0, 0.5, 1.0]


@pytest.fixture
def used_up(services) -> None:
    """Use the budget of bulk work up for four seconds."""
    with services.store.write() as connection:
        for _ in range(4 * int(services.schedule.fleet_calls_per_second)):
            call_budget.reserve(connection, "fleet", services.clock(), services.schedule.fleet_calls_per_second)


@pytest.mark.usefixtures("used_up")
def test_a_worker_that_stops_while_it_waits_for_its_turn_sends_nothing(services, levers, vehicles, run_lane):
    run_id = services.fleet_searches.start("Stopped", vehicles, None)

    def stop(_seconds: float) -> None:
        raise SystemExit

    with pytest.raises(SystemExit):
        services.fleet_searches.search_next(run_id, 1, "lane-1", wait=stop)
    assert levers.count("search") == 0
    assert outcomes(services, run_id) == [None, None, None]
    assert services.fleet_searches.search_next(run_id, 1, "lane-1", wait=pytest.fail), (
        "it waits for the same call twice"
    )
    assert outcomes(services, run_id) == [SearchOutcome.PAYABLE, None, None]


@pytest.mark.usefixtures("used_up")
def test_a_run_that_is_paused_while_a_lane_waits_for_its_turn_sends_nothing(services, levers, vehicles, run_lane):
    run_id = services.fleet_searches.start("Paused", vehicles, None)
    waited = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        services.fleet_jobs.pause(run_id)

    assert not services.fleet_searches.search_next(run_id, 1, "lane-1", wait=wait)
    assert waited
    assert waited[0] > 2
    assert levers.count("search") == 0
    with services.store.read() as connection:
        assert runs.counts(connection, [run_id])[run_id].searching == 0, "the vehicle stays claimed"


def test_a_job_is_started_once(services, vehicles):
    run_id = services.fleet_searches.start("Outbox", vehicles, None)
    with services.store.write() as connection:
        [job] = jobs.to_start(connection)
        assert job.id == run_id
        jobs.record_started(connection, job)
        assert jobs.to_start(connection) == []
    services.fleet_jobs.pause(run_id)
    services.fleet_jobs.resume(run_id)
    with services.store.read() as connection:
        assert [each.generation for each in jobs.to_start(connection)] == [2]


def sent(levers):
    return [json.loads(call["body"]).get("bypassCache", False) for call in levers.calls("search")]


def test_a_run_asks_the_source_where_a_person_says_so(services, levers, vehicles, run_lane):
    first = services.fleet_searches.start("Cached", vehicles[:1], None)
    run_lane(first)
    levers.issue_challan(PLATES[0], challanNo="NEW-1", challanAmount=500)
    cached = services.fleet_searches.start("Cached again", vehicles[:1], None)
    run_lane(cached)
    at_source = services.fleet_searches.start("At the source", vehicles[:1], None, at_source=True)
    levers.fault("search", "status", status=502)
    run_lane(at_source)
    with services.store.read() as connection:
        found = runs.counts(connection, [cached, at_source])
    assert (found[cached].new_challans, found[at_source].new_challans) == (0, 1)
    assert sent(levers)[:2] == [False, False]
    assert sent(levers)[2:] == [True, True], "a further try asks the source as well"


def test_a_search_at_the_source_may_take_as_long_as_a_refresh(services, levers, vehicles, run_lane, clock, tmp_path):
    """Give a search at the source more time than one in the cache: the service looks the vehicle up."""
    secret = SecretSource.literal(CANARY)
    short = ServiceConfig(levers.base_url, secret, search_deadline=0.5, refresh_deadline=20, tries=1)
    with ServiceClient(short) as client:
        impatient = Services(services.store, client, clock, Schedule(), UnrecordedLinks(tmp_path / "impatient"))
        levers.switch(latency_seconds=1)
        for at_source, outcome in ((False, None), (True, SearchOutcome.PAYABLE)):
            run_id = impatient.fleet_searches.start("Slow", vehicles[:1], None, at_source=at_source)
            take_parts(impatient, run_id, most=1)
            assert outcomes(impatient, run_id) == [outcome]


def test_a_vehicle_that_was_searched_in_the_cache_meanwhile_is_still_asked_at_the_source(
    services, levers, vehicles, run_lane
):
    run_id = services.fleet_searches.start("At the source", vehicles[:1], None, at_source=True)
    with services.store.write() as connection:
        runs.claim_next(connection, run_id, "lane-1", services.clock())
    services.vehicle_search.search_in_bulk(PLATES[0])
    run_lane(run_id)
    assert sent(levers) == [False, True]
