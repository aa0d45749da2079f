"""Test which challans stand in plans that are not finished, and how many links these still have to create."""

from __future__ import annotations

import pytest

from dashboard.domain.allowance_resets import day_of
from dashboard.domain.fleet import PlannedLink
from dashboard.domain.money import add_up
from dashboard.errors import CallGroup, Operation
from dashboard.store.fleet import open_plans
from dashboard.store.operations import call_counts

pytestmark = pytest.mark.databases


@pytest.fixture
def start(services, clerk):
    """Return a function that begins a plan with a link for each of these challans."""

    def start(*challans: str) -> str:
        links = [PlannedLink("MH14AA1001", (each,), add_up([])) for each in challans]
        return services.fleet_plans.start("Plan", links, hours=48, person_id=clerk.person_id)

    return start


def in_plans(services):
    with services.store.read() as connection:
        return open_plans.challans(connection)


def left(services):
    with services.store.read() as connection:
        return open_plans.links_left(connection)


def test_challans_stand_in_a_plan_until_it_is_over(services, start):
    first, second = start("one", "two"), start("three")
    assert in_plans(services) == {"one": first, "two": first, "three": second}
    services.fleet_jobs.pause(first)
    assert left(services) == 3
    services.fleet_jobs.cancel(first)
    assert in_plans(services) == {"three": second}
    assert left(services) == 1


def test_a_link_that_was_attempted_is_not_left(services, start, run_lane):
    plan_id = start("one", "two")
    assert services.fleet_plans.create_next(plan_id, 1, "lane-1"), "our checks refuse it: no such challan is known"
    assert in_plans(services) == {"two": plan_id}
    run_lane(plan_id)
    assert in_plans(services) == {}
    assert left(services) == 0


def test_a_forecast_counts_the_links_that_plans_still_have_to_create(services, start):
    with services.store.write() as connection:
        day = day_of(services.clock(), None).isoformat()
        call_counts.add(connection, day, CallGroup.CREATE, 10)
        call_counts.record(connection, day, CallGroup.CREATE, refused_after=100, refused_at=services.clock())
    before = services.allowance_planner.forecast(CallGroup.CREATE, 90)
    assert (before.left, before.queued, before.fits) == (85, 0, 85)
    services.fleet_jobs.pause(start(*map(str, range(30))))
    after = services.allowance_planner.forecast(CallGroup.CREATE, 90)
    assert (after.left, after.queued, after.fits) == (55, 30, 55)
    assert services.allowance_planner.forecast(CallGroup.SEARCH, 90).queued == 0
    assert services.call_policy.refusal(Operation.CREATE_PAYMENT_LINK) is None
