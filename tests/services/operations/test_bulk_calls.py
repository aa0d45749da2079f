"""Test that bulk searches and creations leave the last calls of a learned allowance to people and unclear requests."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from dashboard.errors import AllowanceReserved, AllowanceSpent, CallGroup, Operation
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.operations import call_counts, people_calls
from tests.support.ledger_fixtures import RC, add_staff_member

SEARCH, CREATE = Operation.SEARCH_CHALLANS, Operation.CREATE_PAYMENT_LINK
#: What bulk work may use of 100: 20 searches are reserved for resolving, and 5 searches or creations for people.
FOR_BULK = {SEARCH: 75, CREATE: 95}


@pytest.fixture(autouse=True)
def morning(clock):
    """Set the clock to ten o'clock in India, so that all hours of a test are of one day."""
    clock.set(datetime(2026, 11, 21, 4, 30, tzinfo=UTC))


def learned(services, operation, allowance):
    """Enter that the service refused after so many calls yesterday."""
    with services.store.write() as connection:
        call_counts.add(connection, "2026-11-20", operation.call_group, allowance + 1)
        call_counts.record(
            connection, "2026-11-20", operation.call_group, refused_after=allowance, refused_at=services.clock()
        )


def granted(services, operation, times, **how):
    """Return how many of so many calls are granted before the first is refused."""
    for number in range(times):
        try:
            services.call_policy.allowances.spend(operation, **how)
        except AllowanceSpent:
            return number
    return times


def used(services, operation):
    services.call_policy.allowances.write_counts()
    return next(
        each.calls for each in services.call_policy.allowances.used() if each.call_group is operation.call_group
    )


@pytest.mark.databases
@pytest.mark.parametrize("operation", [SEARCH, CREATE])
def test_bulk_calls_end_where_the_share_of_people_begins(services, operation):
    learned(services, operation, 100)
    assert granted(services, operation, 100, bulk=True) == FOR_BULK[operation]
    asked = []
    with pytest.raises(AllowanceReserved) as refused:
        services.call_policy.call(operation, lambda: asked.append(1), bulk=True)
    assert not asked
    assert not refused.value.sent
    assert not refused.value.personal
    assert refused.value.operation is operation
    assert used(services, operation) == FOR_BULK[operation], "a refused call counts nothing"


@pytest.mark.parametrize("operation", [SEARCH, CREATE])
def test_a_day_that_others_had_spent_does_not_hold_bulk_work_up_for_a_week(services, operation):
    learned(services, operation, 3)
    assert granted(services, operation, 100, bulk=True) == 100


def test_people_and_then_unclear_requests_may_use_what_bulk_work_leaves(services):
    learned(services, SEARCH, 100)
    granted(services, SEARCH, 100, bulk=True)
    assert granted(services, SEARCH, 100) == 5
    assert granted(services, SEARCH, 20, resolving=True) == 20


def test_a_bulk_call_takes_no_try_of_an_hour(services, clock):
    """Leave the hourly try below the reserve to people: bulk work would use up the reserve with it."""
    learned(services, SEARCH, 100)
    granted(services, SEARCH, 100)
    clock.advance(hours=3)
    assert granted(services, SEARCH, 1, bulk=True) == 0
    assert granted(services, SEARCH, 1) == 1


@pytest.mark.databases
@pytest.mark.parametrize("operation", [SEARCH, CREATE])
def test_processes_at_the_last_free_call_cannot_both_take_it(services, tmp_path, operation):
    learned(services, operation, 100)
    others = Services(
        services.store, services.vehicle_search.client, services.clock, Schedule(), UnrecordedLinks(tmp_path)
    )
    granted(services, operation, FOR_BULK[operation] - 3, bulk=True)
    with ThreadPoolExecutor(8) as pool:
        granted_at_once = pool.map(
            lambda number: granted((services, others)[number % 2], operation, 1, bulk=True), range(16)
        )
        assert sum(granted_at_once) == 3


def test_a_bulk_creation_is_counted_in_the_store_before_the_call(services):
    counted = []

    def ask():
        with services.store.read() as connection:
            counted.append(call_counts.of_day(connection, "2026-11-21", "create"))

    services.call_policy.call(CREATE, ask, bulk=True)
    assert counted == [1]


def test_bulk_searches_count_towards_nobodys_searches_of_the_hour(ledger, services, clock, tmp_path):
    thrifty = Services(
        ledger,
        services.vehicle_search.client,
        clock,
        Schedule(person_searches=1),
        UnrecordedLinks(tmp_path / "thrifty"),
    )
    asha = add_staff_member(thrifty, "Asha")
    assert granted(thrifty, SEARCH, 9, bulk=True, person_id=asha.person_id) == 9
    assert asha.search(RC)


# The forecast


def test_until_the_service_refuses_everything_fits_as_far_as_is_known(services):
    forecast = services.allowance_planner.forecast(CallGroup.SEARCH, 5_000)
    assert (forecast.learned, forecast.left, forecast.fits) == (None, None, 5_000)
    assert forecast.back_at == datetime(2026, 11, 21, 18, 30, tzinfo=UTC)


def test_a_forecast_says_how_many_fit_and_how_many_are_reserved(services):
    learned(services, SEARCH, 100)
    granted(services, SEARCH, 10, bulk=True)
    forecast = services.allowance_planner.forecast(CallGroup.SEARCH, 90)
    assert (forecast.used, forecast.learned, forecast.reserved, forecast.left) == (10, 100, 25, 65)
    assert forecast.fits == 65
    assert services.allowance_planner.forecast(CallGroup.SEARCH, 12).fits == 12


def test_nothing_fits_while_the_service_refuses(services, levers):
    levers.set_organization(searchAllowance=0)
    with pytest.raises(AllowanceSpent):
        services.call_policy.call(SEARCH, lambda: services.vehicle_search.client.search_challans(RC))
    forecast = services.allowance_planner.forecast(CallGroup.SEARCH, 10)
    assert (forecast.learned, forecast.left, forecast.fits) == (None, 0, 0)
    assert services.allowance_planner.forecast(CallGroup.CREATE, 10).fits == 10


# What people usually use


@pytest.mark.databases
@pytest.mark.parametrize("operation", [SEARCH, CREATE])
def test_people_keep_what_they_usually_use_from_this_time_of_day_on(clerk, services, clock, operation):
    today = clock()
    of_person = {"person_id": clerk.person_id} if operation is SEARCH else {}
    for back, calls in ((4, 30), (3, 9), (2, 25), (1, 3)):
        for hours, times in ((-3, 50), (2, calls)):  # Before this time of day nothing counts.
            clock.set(today - timedelta(days=back) + timedelta(hours=hours))
            assert granted(services, operation, times, **of_person) == times
    clock.set(today)
    learned(services, operation, 200)
    services.call_policy.allowances.write_counts()
    resolving = 20 if operation is SEARCH else 0
    assert services.allowance_planner.forecast(operation.call_group, 1).reserved == resolving + 25
    clock.advance(hours=3)
    assert services.allowance_planner.forecast(operation.call_group, 1).reserved == resolving + 10


@pytest.mark.databases
def test_neither_bulk_work_nor_resolving_counts_as_the_use_of_people(clerk, services, clock):
    for operation in (SEARCH, CREATE):
        granted(services, operation, 40, bulk=True, person_id=clerk.person_id)
    granted(services, SEARCH, 40, resolving=True)
    granted(services, SEARCH, 40)
    services.call_policy.allowances.write_counts()
    with services.store.read() as connection:
        assert people_calls.by_hour(connection, "search") == people_calls.by_hour(connection, "create") == {}


@pytest.mark.databases
def test_the_use_of_people_is_forgotten_after_nine_days(clerk, services, clock):
    for _ in range(12):
        granted(services, CREATE, 1)
        services.call_policy.allowances.write_counts()
        clock.advance(days=1)
    with services.store.read() as connection:
        assert len(people_calls.by_hour(connection, "create")) == 10


# At the same moment


def seconds_of(call):
    began = time.monotonic()
    call()
    return time.monotonic() - began


def test_a_bulk_call_lets_a_search_of_a_person_begin_first(clerk, services, clock):
    def bulk():
        services.call_policy.call(CREATE, lambda: None, bulk=True)

    bulk()  # The first call builds its statements.
    assert seconds_of(bulk) < 0.5
    services.call_policy.allowances.spend(SEARCH, person_id=clerk.person_id)
    assert 0.9 < seconds_of(bulk) < 5, "a second at the longest, on a clock that stands still"
    clock.advance(seconds=1)
    assert seconds_of(bulk) < 0.5


def test_a_bulk_call_lets_an_unclear_request_that_is_due_go_first(clerk, services, levers, clock):
    def bulk():
        services.call_policy.call(SEARCH, lambda: None, bulk=True)

    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, clerk.payable(RC))
    clock.advance(minutes=2)
    assert 0.9 < seconds_of(bulk) < 5
    assert clerk.resolve(row.id).state == "RECOVERED"
    assert seconds_of(bulk) < 0.5
