"""Test daily allowances of unknown size: counting calls, learning the size from a 429, the reserve, personal limits."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select, text

from dashboard.domain.allowance_resets import next_day_begins
from dashboard.errors import (
    AllowanceReserved,
    AllowanceSpent,
    CallGroup,
    KeyThrottled,
    Operation,
    SecretRejected,
    ServiceError,
)
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.operations.allowances import Allowances
from dashboard.services.schedule import Schedule
from dashboard.store.operations.call_counts import search_count
from dashboard.store.vehicles import vehicles
from tests.support.ledger_fixtures import RC, add_staff_member

SEARCH = Operation.SEARCH_CHALLANS


@pytest.fixture(autouse=True)
def morning(clock):
    """Set the clock to ten o'clock in India, so that all hours of a test are of one day."""
    clock.set(datetime(2026, 11, 21, 4, 30, tzinfo=UTC))


def used(services, group=CallGroup.SEARCH):
    services.call_policy.allowances.write_counts()
    return next(item for item in services.call_policy.allowances.used() if item.call_group is group)


def spend(services, times):
    """Count searches of other people today."""
    for _ in range(times):
        services.call_policy.allowances.spend(SEARCH, resolving=True, person_id=None)


def learn(services, levers, clock, allowance):
    """Have the service answer once that the day's allowance is spent, and begin the next day."""
    spend(services, allowance - used(services).calls)
    levers.fault("search", "status", status=429)
    with pytest.raises(AllowanceSpent):
        services.call_policy.call(SEARCH, lambda: services.vehicle_search.client.search_challans(RC))
    assert used(services).learned == allowance
    clock.advance(days=1)


def granted(services, times, **how):
    """Return how many of so many searches are granted before the first is refused."""
    for number in range(times):
        try:
            services.call_policy.allowances.spend(SEARCH, **({"resolving": False, "person_id": None} | how))
        except AllowanceSpent:
            return number
    return times


# Counting


def test_calls_are_counted_whatever_their_outcome(clerk, levers):
    clerk.search(RC)
    clerk.create(RC, clerk.payable(RC)[:1])
    for status in (400, 409, 500):
        levers.fault("search", "status", status=status)
        with pytest.raises(ServiceError):
            clerk.search(RC)
    levers.fault("search", "status", status=502, count=2)
    clerk.search(RC)
    assert used(clerk.services).calls == levers.count("search") == 7, "each try of a call is a call"
    assert used(clerk.services, CallGroup.CREATE).calls == 1


def test_status_calls_are_counted_in_memory_and_written_together(clerk, services):
    clerk.search(RC)
    row = clerk.create(RC, clerk.payable(RC))
    services.call_policy.allowances.write_counts()
    for _ in range(7):
        services.link_poller.refresh(row.link_id)
    assert [item.calls for item in services.call_policy.allowances.used()] == [1, 1, 0]
    services.call_policy.allowances.write_counts()
    assert [item.calls for item in services.call_policy.allowances.used()] == [1, 1, 7]


@pytest.mark.databases
def test_calls_that_are_made_at_once_are_all_counted(services, tmp_path):
    others = Services(
        services.store, services.vehicle_search.client, services.clock, Schedule(), UnrecordedLinks(tmp_path)
    )
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: spend((services, others)[number % 2], 1), range(40)))
    assert used(services).calls == 40


def test_a_call_that_is_refused_here_is_not_counted(clerk, levers):
    levers.revoke_secret()
    for _ in range(3):
        with pytest.raises(SecretRejected):
            clerk.search(RC)
    assert used(clerk.services).calls == 1


def test_a_day_begins_at_midnight_in_india(services, clock):
    clock.set(datetime(2026, 11, 21, 18, 29, tzinfo=UTC))
    spend(services, 3)
    assert next_day_begins(clock(), None) == datetime(2026, 11, 21, 18, 30, tzinfo=UTC)
    assert used(services).calls == 3
    clock.advance(minutes=1)
    assert used(services).calls == 0


# The reserve


def test_nothing_is_reserved_until_the_service_has_refused(services):
    assert granted(services, 300) == 300


@pytest.mark.databases
def test_calls_that_are_refused_at_once_count_nothing_and_teach_the_size_that_was_granted(services, levers, tmp_path):
    levers.set_organization(searchAllowance=27)
    levers.switch(latency_seconds=0.3)
    client = services.vehicle_search.client
    others = Services(services.store, client, services.clock, Schedule(), UnrecordedLinks(tmp_path))

    def granted(number):
        policy = (services, others)[number % 2].call_policy
        try:
            policy.call(SEARCH, lambda: client.search_challans(RC), bulk=True)
        except AllowanceSpent:
            return 0
        return 1

    with ThreadPoolExecutor(9) as pool:
        assert sum(pool.map(granted, range(45))) == 27
    assert levers.count("search") > 28, "several calls were under way when the first was refused"
    assert (used(services).calls, used(services).learned) == (27, 27)


def test_a_refusal_after_a_few_calls_reserves_nothing(services, levers, clock):
    """Reserve nothing after an early 429: another system of the organization may have spent the day's allowance."""
    learn(services, levers, clock, 20)
    assert granted(services, 100) == 100


def test_the_last_calls_of_a_learned_allowance_are_reserved_for_resolving(services, levers, clock):
    learn(services, levers, clock, 60)
    assert granted(services, 60) == 40
    with pytest.raises(AllowanceReserved) as refused:
        services.call_policy.call(SEARCH, lambda: None)
    assert not refused.value.sent
    assert not refused.value.personal
    assert granted(services, 20, resolving=True) == 20


def test_an_unclear_outcome_is_resolved_out_of_the_reserve(clerk, services, levers, clock):
    clerk.search(RC)
    learn(services, levers, clock, 60)
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, clerk.payable(RC))
    granted(services, 60)
    with pytest.raises(AllowanceReserved):
        clerk.search(RC)
    assert clerk.resolve(row.id).state == "RECOVERED"


def test_an_ordinary_search_tries_once_an_hour(services, levers, clock):
    """Try a learned allowance again: it may be wrong or outdated, so it must not bind for ever."""
    learn(services, levers, clock, 60)
    granted(services, 60)
    came = []
    for minute in range(0, 181, 10):
        came.append((minute, granted(services, 1)))
        clock.advance(minutes=10)
    assert [minute for minute, number in came if number] == [60, 120, 180]


def test_a_learned_allowance_is_forgotten_after_a_week(services, levers, clock):
    learn(services, levers, clock, 60)
    clock.advance(days=6)
    assert used(services).learned == 60
    assert granted(services, 60) == 40
    clock.advance(days=1)
    assert used(services).learned is None
    assert granted(services, 60) == 60


def test_a_search_granted_after_the_refusal_makes_it_forgotten(services, levers, clock):
    spend(services, 60)
    levers.fault("search", "status", status=429)
    client = services.vehicle_search.client
    with pytest.raises(AllowanceSpent):
        services.call_policy.call(SEARCH, lambda: client.search_challans(RC))
    clock.advance(minutes=2)
    services.call_policy.call(SEARCH, lambda: client.search_challans(RC), resolving=True)
    assert used(services).learned is None
    assert granted(services, 50) == 50


def test_a_refusal_that_lasts_past_midnight_changes_no_learned_allowance(services, levers, clock):
    """Learn no allowance of zero from a 429 at 00:05: the service's day may end at another time than ours."""
    clock.set(datetime(2026, 11, 21, 18, 0, tzinfo=UTC))
    spend(services, 60)
    levers.fault("search", "status", status=429, count=9)
    client = services.vehicle_search.client
    for _ in range(3):
        with pytest.raises(AllowanceSpent):
            services.call_policy.call(SEARCH, lambda: client.search_challans(RC), resolving=True)
        clock.advance(minutes=20)
    assert used(services).learned == 60
    assert used(services).calls == 0, "what the service refused used nothing"


def test_nothing_is_learned_from_a_throttled_bad_key(services, levers, clock):
    levers.revoke_secret()
    client = services.vehicle_search.client
    with pytest.raises(SecretRejected):
        services.call_policy.call(SEARCH, lambda: client.search_challans(RC))
    clock.advance(minutes=2)
    levers.fault("search", "status", status=429)
    with pytest.raises(KeyThrottled):
        services.call_policy.call(SEARCH, lambda: client.search_challans(RC))
    assert used(services).learned is None


def test_nothing_is_learned_from_a_refusal_of_the_days_first_call(services, levers, clock):
    learn(services, levers, clock, 60)
    levers.fault("search", "status", status=429)
    with pytest.raises(AllowanceSpent):
        services.call_policy.call(SEARCH, lambda: services.vehicle_search.client.search_challans(RC))
    assert used(services).learned == 60, "what an earlier day showed still counts"
    clock.advance(days=1)
    assert services.call_policy.allowances.is_spare(SEARCH)


def test_a_429_to_a_status_call_is_no_allowance(clerk, services, levers):
    clerk.search(RC)
    row = clerk.create(RC, clerk.payable(RC))
    levers.fault("link_status", "status", status=429)
    with pytest.raises(KeyThrottled):
        services.link_poller.refresh(row.link_id)
    assert used(services, CallGroup.STATUS).learned is None


def test_an_administrators_try_forgets_the_learned_allowances(services, levers, clock):
    learn(services, levers, clock, 60)
    granted(services, 60)
    services.call_policy.try_again()
    assert granted(services, 60) == 60


# A refused allowance


def test_a_spent_allowance_is_tried_at_growing_intervals(clerk, levers, clock):
    levers.set_organization(searchAllowance=0)
    levers.forget_calls()
    asked = []
    for minute in range(181):
        before = levers.count("search")
        with pytest.raises(AllowanceSpent):
            clerk.search(RC)
        if levers.count("search") > before:
            asked.append(minute)
        clock.advance(minutes=1)
    assert asked == [0, 1, 6, 21, 51, 111, 171]


def test_the_wait_for_an_allowance_ends_with_the_day(clerk, levers, clock):
    levers.set_organization(searchAllowance=0)
    clock.set(datetime(2026, 11, 21, 18, 5, tzinfo=UTC))
    for minutes in (2, 6, 16):
        with pytest.raises(AllowanceSpent):
            clerk.services.call_policy.call(
                SEARCH, lambda: clerk.services.vehicle_search.client.search_challans(RC), resolving=True
            )
        clock.advance(minutes=minutes)
    with pytest.raises(AllowanceSpent) as refused:
        clerk.services.call_policy.call(
            SEARCH, lambda: clerk.services.vehicle_search.client.search_challans(RC), resolving=True
        )
    paused = clerk.services.call_policy.refusal(SEARCH)
    assert paused.until <= datetime(2026, 11, 21, 18, 31, tzinfo=UTC)
    assert refused.value.status == 429


def test_the_wait_that_the_service_states_is_observed(clerk, levers, clock):
    levers.fault("search", "status", status=429, headers={"Retry-After": "600"})
    with pytest.raises(AllowanceSpent):
        clerk.search(RC)
    levers.forget_calls()
    clock.advance(minutes=9)
    with pytest.raises(AllowanceSpent) as refused:
        clerk.search(RC)
    assert refused.value.retry_after == pytest.approx(60)
    assert levers.calls() == []
    clock.advance(minutes=2)
    assert clerk.search(RC)


# One person's limit


@pytest.fixture
def thrifty(ledger, services, clock, tmp_path):
    """Build services where a person may search three times an hour."""
    return Services(
        ledger,
        services.vehicle_search.client,
        clock,
        Schedule(person_searches=3),
        UnrecordedLinks(tmp_path / "thrifty"),
    )


def test_nobody_spends_the_allowance_of_all(thrifty, levers, clock):
    asha, meera = add_staff_member(thrifty, "Asha"), add_staff_member(thrifty, "Meera")
    for _ in range(3):
        asha.search(RC)
    clock.advance(minutes=45)
    levers.forget_calls()
    with pytest.raises(AllowanceReserved) as refused:
        asha.search(RC)
    assert refused.value.personal
    assert refused.value.retry_after == 15 * 60, "the hour from ten to eleven"
    assert levers.calls() == []
    assert meera.search(RC)
    clock.advance(minutes=15)
    assert asha.search(RC)


def test_a_person_at_the_limit_is_no_failure_of_the_vehicle(thrifty):
    asha = add_staff_member(thrifty, "Asha")
    for _ in range(3):
        asha.search(RC)
    with pytest.raises(AllowanceReserved):
        asha.services.vehicle_search.refresh(RC, asha.person_id)
    with thrifty.store.read() as connection:
        assert vehicles.find(connection, RC).failure is None


@pytest.mark.databases
def test_searches_sent_at_once_cannot_pass_the_limit(thrifty):
    asha = add_staff_member(thrifty, "Asha")

    def search(_):
        try:
            asha.search(RC)
        except AllowanceReserved:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(search, range(8))) == 3


def test_resolving_counts_as_nobodys_search(thrifty, levers):
    asha = add_staff_member(thrifty, "Asha")
    asha.search(RC)
    levers.fault("create_link", "cut", when="after")
    row = asha.create(RC, asha.payable(RC))
    for _ in range(2):
        asha.search(RC)
    assert asha.resolve(row.id).state == "RECOVERED"


@pytest.mark.databases
def test_old_counts_of_people_are_deleted(thrifty, clock):
    asha = add_staff_member(thrifty, "Asha")
    for _ in range(4):
        thrifty.call_policy.allowances.spend(SEARCH, resolving=False, person_id=asha.person_id)
        clock.advance(days=1)
    with thrifty.store.read() as connection:
        hours = connection.execute(select(search_count.c.hour)).scalars().all()
    assert min(hours) >= clock() - timedelta(days=4)


@pytest.mark.databases
def test_a_failure_to_count_stops_no_search(services):
    allowances = Allowances(services.store, services.clock, person_searches=600)
    with services.store.write() as connection:
        connection.execute(text("DROP TABLE call_count"))
    allowances.spend(SEARCH, resolving=False, person_id=None)
    allowances.spend(Operation.GET_PAYMENT_LINK, resolving=False, person_id=None)
    with pytest.raises(Exception, match="call_count"):
        allowances.write_counts()
