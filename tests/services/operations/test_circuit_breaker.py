"""Test circuit breakers: after repeated failures no process calls the service for a while."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import pytest
from sqlalchemy import event

from dashboard.errors import BreakerOpen, Operation, ServiceError, ServiceFailed, Unreachable
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.operations import call_blocks
from tests.support.ledger_fixtures import RC
from tests.support.staff_member import StaffMember


def fails(clerk, levers, times, **fault):
    """Make searches that fail, each with one call."""
    levers.fault("search", count=times, **({"kind": "status", "status": 500} | fault))
    for _ in range(times):
        with pytest.raises(ServiceError) as failed:
            clerk.search(RC)
        assert not isinstance(failed.value, BreakerOpen)


def is_open(clerk):
    """Return whether searches are refused without a call."""
    try:
        clerk.services.call_policy.check(Operation.SEARCH_CHALLANS)
    except BreakerOpen:
        return True
    return False


@contextmanager
def writes(store):
    """Collect the transactions that write while the block runs."""
    begun = []

    def note(connection):
        if connection.get_execution_options().get("dashboard_writes"):
            begun.append(1)

    event.listen(store.engine, "begin", note)
    try:
        yield begun
    finally:
        event.remove(store.engine, "begin", note)


# Opening


def test_after_five_failures_in_a_row_no_call_is_made(clerk, levers):
    clerk.search(RC)
    fails(clerk, levers, 5)
    levers.forget_calls()
    for _ in range(10):
        with pytest.raises(BreakerOpen) as refused:
            clerk.search(RC)
        assert not refused.value.sent
        assert 0 < refused.value.retry_after <= 30
    assert levers.calls() == []


def test_four_failures_in_a_row_do_not_open_it_however_often_they_come(clerk, levers, clock):
    for _ in range(3):
        fails(clerk, levers, 4)
        clerk.search(RC)
        clock.advance(seconds=31)
    assert not is_open(clerk)


def test_half_of_ten_calls_that_fail_within_half_a_minute_open_it(clerk, levers, clock):
    for _ in range(5):
        assert not is_open(clerk)
        fails(clerk, levers, 1)
        clerk.search(RC)
        clock.advance(seconds=5)
    fails(clerk, levers, 1)
    assert is_open(clerk)


def test_half_of_ten_calls_that_fail_over_a_longer_time_do_not_open_it(clerk, levers, clock):
    for _ in range(10):
        fails(clerk, levers, 1)
        clerk.search(RC)
        clock.advance(seconds=8)
    assert not is_open(clerk)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 413, 422, 429])
def test_a_refusal_is_an_answer(clerk, levers, status):
    fails(clerk, levers, 4)
    levers.fault("search", "status", status=status)
    with pytest.raises(ServiceError):
        clerk.search(RC)
    with clerk.services.store.read() as connection:
        breaker = call_blocks.read_all(connection)["search"]
    assert (breaker.failures, breaker.blocked_at) == (0, None)


FAILURES = {
    "cut": {"kind": "cut", "when": "after"},
    "error 500": {"kind": "status", "status": 500},
    "redirect": {"kind": "status", "status": 302},
    "html": {"kind": "corrupt", "corruption": "html"},
    "success false": {"kind": "corrupt", "corruption": "success-false"},
}


@pytest.mark.parametrize("fault", FAILURES.values(), ids=FAILURES)
def test_every_call_without_a_readable_answer_is_a_failure(clerk, levers, fault):
    levers.fault("search", count=15, **fault)
    for _ in range(5):
        with pytest.raises(ServiceError):
            clerk.search(RC)
    assert is_open(clerk)


def test_each_group_of_calls_has_a_breaker_of_its_own(clerk, levers):
    clerk.search(RC)
    row = clerk.create(RC, clerk.payable(RC)[:1])
    fails(clerk, levers, 5)
    clerk.services.link_poller.refresh(row.link_id)
    assert clerk.create(RC, clerk.payable(RC)[:1]).state == "CREATED"
    assert is_open(clerk)


def test_an_answer_to_a_call_in_flight_ends_a_run_of_failures(clerk, levers, clock):
    client, policy = clerk.services.vehicle_search.client, clerk.services.call_policy

    def slow():
        clock.advance(seconds=1)
        fails(clerk, levers, 4)
        return client.search_challans(RC)

    policy.call(Operation.SEARCH_CHALLANS, slow)
    fails(clerk, levers, 1)
    assert not is_open(clerk)


# Trying again


@pytest.mark.databases
def test_after_half_a_minute_one_caller_tries_and_its_success_closes_it(clerk, levers, clock):
    fails(clerk, levers, 5)
    clock.advance(seconds=29)
    assert is_open(clerk)
    clock.advance(seconds=2)
    levers.forget_calls()
    levers.fault("search", "delay", seconds=3)
    together = threading.Barrier(8)

    def search(_):
        together.wait()
        try:
            clerk.search(RC)
        except BreakerOpen:
            return "refused"
        return "asked"

    with ThreadPoolExecutor(8) as pool:
        came = list(pool.map(search, range(8)))
    assert came.count("asked") == levers.count("search") == 1
    assert not is_open(clerk)
    assert clerk.search(RC)


def test_a_try_that_fails_leaves_it_open_for_another_half_minute(clerk, levers, clock):
    fails(clerk, levers, 5)
    for _ in range(3):
        clock.advance(seconds=31)
        fails(clerk, levers, 1)
        clock.advance(seconds=29)
        assert is_open(clerk)


def test_a_caller_that_dies_during_its_try_blocks_nobody_for_ever(clerk, levers, clock):
    fails(clerk, levers, 5)
    clock.advance(seconds=31)
    now = clock()
    with clerk.services.store.write() as connection:
        assert call_blocks.take_try(connection, "search", now, now + Schedule().resolve_gap)
        assert not call_blocks.take_try(connection, "search", now, now + Schedule().resolve_gap)
    assert is_open(clerk)
    clock.advance(seconds=31)
    assert clerk.search(RC)


def test_a_call_in_flight_at_the_opening_does_not_prolong_the_rest(clerk, levers, clock):
    started, release = threading.Event(), threading.Event()

    def slow():
        started.set()
        release.wait(30)
        levers.fault("search", "status", status=500)
        return clerk.services.vehicle_search.client.search_challans(RC)

    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(clerk.services.call_policy.call, Operation.SEARCH_CHALLANS, slow)
        started.wait(30)
        clock.advance(seconds=1)
        fails(clerk, levers, 5)
        clock.advance(seconds=20)
        release.set()
        assert isinstance(late.exception(30), ServiceError)
    clock.advance(seconds=11)
    assert clerk.search(RC)


def test_an_administrators_try_closes_it_at_once(clerk, levers):
    fails(clerk, levers, 5)
    clerk.services.call_policy.try_again()
    assert clerk.search(RC)


def test_all_processes_share_it(clerk, services, levers, clock, tmp_path):
    """Simulate another process by further services over the same store."""
    another = StaffMember(
        Services(services.store, services.vehicle_search.client, clock, Schedule(), UnrecordedLinks(tmp_path)),
        clerk.person_id,
    )
    fails(clerk, levers, 3)
    fails(another, levers, 2)
    assert is_open(clerk)
    assert is_open(another)
    clock.advance(seconds=31)
    another.search(RC)
    assert not is_open(clerk)


@pytest.mark.databases
def test_concurrent_failures_are_all_counted(clerk, levers):
    levers.fault("search", "status", status=500, count=5)
    together = threading.Barrier(5)

    def fail(_):
        together.wait()
        with pytest.raises(ServiceError):
            clerk.search(RC)

    with ThreadPoolExecutor(5) as pool:
        list(pool.map(fail, range(5)))
    assert levers.count("search") == 5
    assert is_open(clerk)


@pytest.mark.parametrize(
    ("failure", "closes"),
    [(ServiceFailed, False), (Unreachable, True), (partial(Unreachable, secure=False), True)],
    ids=["errors", "silence", "no secure connection"],
)
def test_a_status_answer_closes_the_breaker_of_searches_after_silence_and_not_after_errors(
    clerk, clock, failure, closes
):
    clerk.search(RC)
    link_id = clerk.create(RC, clerk.payable(RC)).link_id
    services = clerk.services

    def fail():
        raise failure(Operation.SEARCH_CHALLANS)

    for _ in range(5):
        with pytest.raises(ServiceError):
            services.call_policy.call(Operation.SEARCH_CHALLANS, fail)
    for seconds, is_over in ((20, False), (20, closes)):
        clock.advance(seconds=seconds)
        assert services.link_poller.refresh(link_id)
        assert (not services.call_policy.active_blocks()) == is_over
    with pytest.raises(ServiceError):
        services.call_policy.call(Operation.SEARCH_CHALLANS, fail)
    assert is_open(clerk), "one more failure opens it again"


def test_a_call_reads_the_blocks_once_at_most_while_all_is_well(services):
    for _ in range(2):  # The first answer names the secret in use, the second call finds that it is the same.
        services.call_policy.call(Operation.GET_PAYMENT_LINK, lambda: "an answer")
    read = []
    event.listen(
        services.store.engine,
        "before_cursor_execute",
        lambda _connection, _cursor, statement, *_: read.append(statement) if "FROM call_block" in statement else None,
    )
    services.call_policy.call(Operation.GET_PAYMENT_LINK, lambda: "the answer")
    assert len(read) <= 1


def test_an_answer_costs_no_write_while_all_is_well(clerk, services, levers):
    clerk.search(RC)
    row = clerk.create(RC, clerk.payable(RC))
    client = services.vehicle_search.client
    for failed_before in (False, True):
        if failed_before:  # One failure a minute ago, and none since.
            fails(clerk, levers, 1)
            services.clock.advance(minutes=1)
            clerk.search(RC)
        with writes(services.store) as begun:
            services.call_policy.call(Operation.GET_PAYMENT_LINK, lambda: client.get_payment_link(row.link_id))
        assert begun == []
        with writes(services.store) as begun:
            services.call_policy.call(Operation.SEARCH_CHALLANS, lambda: client.search_challans(RC))
        assert len(begun) == 1, "a search is counted, and that is all"
