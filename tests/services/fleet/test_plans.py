"""Test that a plan creates each of its links by one request, and requests anew only what certainly was not created."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from dashboard.domain.fleet import LATER, UNCLEAR_REQUESTS, JobState, LinkOutcome, PlannedLink
from dashboard.domain.intents import IntentState
from dashboard.domain.money import add_up
from dashboard.errors import ServiceFailed
from dashboard.services.creation.commands import CreateLink
from dashboard.services.fleet.waiting import MOST_TRIES
from dashboard.services.vehicles import eligibility
from dashboard.store.accounts import audit
from dashboard.store.fleet import plans
from tests.support.lanes import job_of
from tests.support.waiting import until

pytestmark = pytest.mark.databases


@pytest.fixture
def planned(services, vehicles):
    """Return a link for each challan of the searched vehicles: two of the first, one of the second."""
    for each in vehicles:
        services.vehicle_search.search_in_bulk(each.rc)
    with services.store.read() as connection:
        listed = eligibility.of_vehicles(connection, [each.rc for each in vehicles])
    return [
        PlannedLink(rc, (item.challan.id,), add_up([item.challan.total_amount]))
        for rc, items in listed.items()
        for item in items
        if item.selectable
    ]


@pytest.fixture
def start(services, clerk, planned):
    """Return a function that starts a plan of these links, or of given ones."""

    def start(links=None, **more) -> str:
        return services.fleet_plans.start(
            "Plan", planned if links is None else links, hours=48, person_id=clerk.person_id, **more
        )

    return start


def links_of(services, plan_id):
    with services.store.read() as connection:
        return plans.links_of(connection, plan_id)


def states(services, plan_id):
    return [each.intent_state for each in links_of(services, plan_id)]


def test_each_link_is_created_by_one_request(services, levers, start, run_lane):
    plan_id = start()
    assert run_lane(plan_id) == 3
    assert states(services, plan_id) == [IntentState.CREATED] * 3
    assert levers.count("create_link") == 3
    assert job_of(services, plan_id).state is JobState.DONE
    assert len({each.link_id for each in links_of(services, plan_id)}) == 3


def test_a_plan_that_is_confirmed_twice_is_one_plan(services, levers, start, run_lane):
    assert start(plan_id="drawn-with-the-form") == start(plan_id="drawn-with-the-form")
    run_lane("drawn-with-the-form")
    assert levers.count("create_link") == 3


@pytest.mark.parametrize("hours", [0, 23, 169])
def test_a_lifetime_that_the_service_does_not_know_is_refused(services, clerk, planned, hours):
    with pytest.raises(ValueError, match="lifetime"):
        services.fleet_plans.start("Plan", planned, hours=hours, person_id=clerk.person_id)


def test_a_link_of_more_than_a_hundred_challans_is_refused(services, clerk):
    too_many = PlannedLink("MH14AA1001", tuple(str(n) for n in range(101)), add_up([]))
    with pytest.raises(ValueError, match="100"):
        services.fleet_plans.start("Plan", [too_many], hours=48, person_id=clerk.person_id)


def test_a_lane_that_is_begun_again_sends_nothing_more(services, levers, start, run_lane):
    plan_id = start()
    with services.store.write() as connection:
        claimed = plans.claim_next(connection, plan_id, "lane-1", services.clock())
    key = f"{plan_id}:{claimed.position}:0"
    person_id = job_of(services, plan_id).person_id
    services.link_creator.create(CreateLink(person_id, key, claimed.rc, claimed.challan_ids, 48))  # Killed after it.
    run_lane(plan_id)
    assert levers.count("create_link") == 3
    assert states(services, plan_id) == [IntentState.CREATED] * 3


@pytest.mark.parametrize("act", ["pause", "cancel"])
def test_a_lane_that_goes_on_late_in_a_stopped_plan_records_what_it_had_requested(
    services, levers, start, run_lane, clock, act
):
    plan_id = start()
    with services.store.write() as connection:
        claimed = plans.claim_next(connection, plan_id, "lane-1", services.clock())
    key, person_id = f"{plan_id}:{claimed.position}:0", job_of(services, plan_id).person_id
    services.link_creator.create(CreateLink(person_id, key, claimed.rc, claimed.challan_ids, 48))  # Killed after it.
    assert getattr(services.fleet_jobs, act)(plan_id)
    clock.advance(minutes=11)
    services.fleet_jobs.revive()
    services.fleet_jobs.cancel(plan_id)
    run_lane(plan_id)
    assert states(services, plan_id) == [IntentState.CREATED, None, None]
    assert levers.count("create_link") == 1


def test_a_lane_that_thawed_changes_nothing_of_a_later_try(services, start):
    plan_id = start()
    now = services.clock()
    with services.store.write() as connection:
        thawed = plans.claim_next(connection, plan_id, "lane-1", now)
        plans.give_back(connection, thawed, "lane-1", failure="ServiceFailed", tries=1, not_before=None)
        present = plans.claim_next(connection, plan_id, "lane-1", now)
    assert (present.position, present.tries) == (thawed.position, 1)
    with services.store.write() as connection:
        assert not plans.end(connection, thawed, "lane-1", LinkOutcome.FAILED, ended_at=now)
        plans.give_back(connection, thawed, "lane-1", failure=None, tries=1, not_before=now)
        assert plans.end(connection, present, "lane-1", LinkOutcome.FAILED, ended_at=now)


def test_an_unclear_request_holds_its_vehicle_and_no_other(services, levers, start, run_lane, clock):
    levers.fault("create_link", "cut", when="after")
    plan_id = start()
    run_lane(plan_id)
    assert states(services, plan_id) == [IntentState.UNKNOWN, None, IntentState.CREATED]
    job = job_of(services, plan_id)
    assert (job.state, job.reason) == (JobState.WAITING, UNCLEAR_REQUESTS)
    clock.advance(seconds=31)
    [unclear] = services.outcome_resolver.claim_due(5)
    services.outcome_resolver.resolve(unclear)
    services.fleet_jobs.go_on_due()
    run_lane(plan_id)
    assert states(services, plan_id) == [IntentState.RECOVERED, IntentState.CREATED, IntentState.CREATED]
    assert levers.count("create_link") == 3
    assert job_of(services, plan_id).state is JobState.DONE


def test_two_lanes_never_work_on_two_links_of_one_vehicle(services, start):
    plan_id = start()
    with services.store.write() as connection:
        first = plans.claim_next(connection, plan_id, "lane-1", services.clock())
        second = plans.claim_next(connection, plan_id, "lane-2", services.clock())
        third = plans.claim_next(connection, plan_id, "lane-3", services.clock())
    assert {first.rc, second.rc} == {"MH14AA1001", "MH14AA1002"}
    assert third is None


def test_a_spent_allowance_lets_the_plan_wait_and_then_go_on(services, levers, start, run_lane, clock):
    levers.fault("create_link", "status", status=429)
    plan_id = start()
    run_lane(plan_id)
    job = job_of(services, plan_id)
    assert (job.state, job.reason) == (JobState.WAITING, "AllowanceSpent")
    assert [each.outcome for each in links_of(services, plan_id)] == [None] * 3
    clock.advance(seconds=(job.resume_at - clock()).total_seconds() + 1)
    services.fleet_jobs.go_on_due()
    run_lane(plan_id)
    assert states(services, plan_id) == [IntentState.CREATED] * 3
    assert levers.count("create_link") == 4


@pytest.fixture
def guarded(clerk, levers, clock, planned):
    """Return a link whose creation begins with a search, because an earlier request for its challan created nothing."""
    levers.fault("create_link", "cut", when="before")
    earlier = clerk.create(planned[0].rc, list(planned[0].challan_ids))
    clerk.resolve(earlier.id)
    clock.advance(seconds=200)
    assert clerk.resolve(earlier.id).state == IntentState.NOT_CREATED
    levers.forget_calls()
    return planned[0]


def break_searches(clerk, levers):
    """Let five searches in a row fail, which opens their circuit breaker."""
    levers.fault("search", "status", status=503, count=1000)
    for _ in range(5):
        with pytest.raises(ServiceFailed):
            clerk.search("MH14AA1002")
    levers.clear_faults()


def test_an_open_circuit_breaker_lets_the_plan_wait_until_a_call_may_try(
    services, clerk, levers, start, run_lane, clock, guarded
):
    plan_id = start([guarded])
    break_searches(clerk, levers)
    run_lane(plan_id)
    job, [link] = job_of(services, plan_id), links_of(services, plan_id)
    assert (link.outcome, job.state, job.reason) == (None, JobState.WAITING, "ServiceFailed")
    assert timedelta(seconds=20) < job.resume_at - clock() <= timedelta(seconds=30)
    clock.advance(seconds=31)
    services.fleet_jobs.go_on_due()
    run_lane(plan_id)
    assert states(services, plan_id) == [IntentState.CREATED]
    assert levers.count("create_link") == 1


@pytest.mark.parametrize("reason", ["ServiceFailed", "AllowanceSpent"])
def test_a_creation_that_has_to_wait_uses_up_no_try(services, clerk, levers, start, run_lane, clock, guarded, reason):
    plan_id = start([guarded])
    for _ in range(MOST_TRIES):
        if reason == "ServiceFailed":
            break_searches(clerk, levers)
        else:
            levers.fault("create_link", "status", status=429)
        run_lane(plan_id)
        assert job_of(services, plan_id).reason == reason
        clock.advance(hours=25)
        services.vehicle_search.search_in_bulk(guarded.rc)
        services.fleet_jobs.go_on_due()
    levers.fault("search", "status", status=503, count=1000)
    for _ in range(MOST_TRIES - 1):
        run_lane(plan_id)
        assert job_of(services, plan_id).reason == LATER
        clock.advance(minutes=5)
        services.fleet_jobs.go_on_due()
    run_lane(plan_id)
    assert states(services, plan_id) == [IntentState.NOT_SENT], "three tries, all of them in vain"


def test_what_our_own_checks_refuse_stops_no_other_link(services, clerk, levers, start, run_lane, planned):
    clerk.create(planned[0].rc, list(planned[0].challan_ids))  # Somebody was faster.
    plan_id = start()
    run_lane(plan_id)
    first, *others = links_of(services, plan_id)
    assert (first.outcome, first.failure) == (LinkOutcome.REFUSED, "not_payable")
    assert [each.intent_state for each in others] == [IntentState.CREATED] * 2


def test_a_link_that_certainly_was_not_created_can_be_requested_anew(services, levers, start, run_lane):
    levers.fault("create_link", "status", status=400)
    plan_id = start()
    run_lane(plan_id)
    assert states(services, plan_id) == [IntentState.REJECTED, IntentState.CREATED, IntentState.CREATED]
    assert services.fleet_plans.retry(plan_id) == 1
    run_lane(plan_id)
    assert states(services, plan_id) == [IntentState.CREATED] * 3
    assert job_of(services, plan_id).state is JobState.DONE


def test_an_unclear_request_is_never_requested_anew(services, levers, start, run_lane, planned):
    levers.fault("create_link", "cut", when="after")
    plan_id = start(planned[2:])
    run_lane(plan_id)
    assert services.fleet_plans.retry(plan_id) == 0
    assert levers.count("create_link") == 1


def test_a_paused_plan_sends_nothing_and_a_cancelled_one_never_again(services, levers, start, run_lane):
    plan_id = start()
    assert services.fleet_plans.create_next(plan_id, 1, "lane-1")
    services.fleet_jobs.pause(plan_id)
    assert run_lane(plan_id) == 0
    services.fleet_jobs.resume(plan_id)
    assert services.fleet_plans.create_next(plan_id, 2, "lane-1")
    services.fleet_jobs.cancel(plan_id)
    assert run_lane(plan_id) == 0
    assert services.fleet_plans.retry(plan_id) == 0
    assert levers.count("create_link") == 2


@pytest.mark.parametrize("act", ["pause", "cancel"])
def test_a_plan_that_is_stopped_while_it_searches_again_sends_nothing(services, levers, start, clock, act):
    plan_id = start()
    clock.advance(hours=10)
    searched = levers.count("search")
    levers.fault("search", "delay", seconds=3)
    with ThreadPoolExecutor(1) as pool:
        lane = pool.submit(services.fleet_plans.create_next, plan_id, 1, "lane-1")
        until(lambda: levers.count("search") > searched)
        assert getattr(services.fleet_jobs, act)(plan_id)
        lane.result()
    assert levers.count("create_link") == 0
    assert [each.claimed_at for each in links_of(services, plan_id)] == [None] * 3


def test_a_link_from_an_old_search_is_created_after_a_new_one(services, levers, start, run_lane, clock, clerk):
    plan_id = start()
    clock.advance(hours=10)
    searched = levers.count("search")
    run_lane(plan_id)
    assert states(services, plan_id) == [IntentState.CREATED] * 3
    assert levers.count("search") == searched + 2, "one new search for each vehicle"


def test_the_audit_log_names_the_person_and_the_plan_of_each_creation(services, start, run_lane, clerk):
    plan_id = start()
    run_lane(plan_id)
    with services.store.read() as connection:
        entries = [each for each in audit.newest(connection, 100) if each.action == "create"]
    assert [(each.person_id, each.detail["plan"]) for each in entries] == [(clerk.person_id, plan_id)] * 3
