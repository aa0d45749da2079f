"""While a circuit breaker is open: no creation begins, resolving goes first, and the watcher waits."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import select

from dashboard.errors import BreakerOpen, Operation, ServiceError, ServiceFailed
from dashboard.store.creation.intents import intent
from tests.services.operations.test_circuit_breaker import fails, is_open, writes
from tests.support.ledger_fixtures import RC

OTHER_RC = "MH12AB1002"


# Creating


def unclear_creations(counter, levers, times):
    """Make creations that are answered with errors; the service creates no links."""
    levers.fault("create_link", "status", status=500, count=times)
    rows = [counter.create(RC, [challan]) for challan in counter.payable(RC)[:times]]
    assert {row.state for row in rows} == {"UNKNOWN"}
    return rows


def requests(counter):
    with counter.services.store.read() as connection:
        return connection.execute(select(intent.c.id)).all()


@pytest.fixture
def free(counter, levers):
    """The challans of another vehicle, free for a link."""
    levers.add_vehicle(OTHER_RC, [{"challanNo": f"MH200{n}"} for n in range(3)])
    counter.search(RC)
    counter.search(OTHER_RC)
    return counter.payable(OTHER_RC)


def test_a_creation_is_refused_before_anything_is_prepared(counter, levers, free):
    unclear_creations(counter, levers, 5)
    before = requests(counter)
    levers.forget_calls()
    with pytest.raises(BreakerOpen) as refused:
        counter.create(OTHER_RC, free)
    assert refused.value.operation is Operation.CREATE_PAYMENT_LINK
    assert requests(counter) == before
    assert not counter.claimed(free)
    assert levers.calls() == []


def test_creations_go_on_when_the_service_answers_again(counter, levers, clock, free):
    unclear_creations(counter, levers, 5)
    clock.advance(seconds=31)
    assert counter.create(OTHER_RC, free[:1]).state == "CREATED"
    assert counter.create(OTHER_RC, free[1:]).state == "CREATED"


@pytest.mark.databases
def test_of_concurrent_creations_that_try_one_is_sent_and_none_of_the_others_is_unclear(
    counter, colleague, levers, clock, free
):
    unclear_creations(counter, levers, 5)
    clock.advance(seconds=31)
    levers.fault("create_link", "delay", seconds=0.5)
    levers.forget_calls()
    together = threading.Barrier(3)

    def click(number):
        together.wait()
        try:
            return (counter, colleague, counter)[number].create(OTHER_RC, free[number : number + 1]).state
        except BreakerOpen:
            return "refused"

    with ThreadPoolExecutor(3) as pool:
        came = sorted(pool.map(click, range(3)))
    assert came.count("CREATED") == levers.count("create_link")
    assert set(came) <= {"CREATED", "NOT_SENT", "refused"}
    assert "CREATED" in came


def test_while_status_calls_fail_they_try_before_creations(counter, levers, clock, free):
    link = counter.create(OTHER_RC, free[:1])
    unclear_creations(counter, levers, 5)
    levers.fault("link_status", "status", status=500, count=6)
    clock.advance(seconds=10)
    for _ in range(5):
        with pytest.raises(ServiceError):
            counter.services.link_poller.refresh(link.link_id)
    clock.advance(seconds=25)  # The creations' rest is over, that of the status calls is not.
    with pytest.raises(BreakerOpen):
        counter.create(OTHER_RC, free[1:2])
    clock.advance(seconds=20)  # The time in which resolving goes first is over.
    with pytest.raises(ServiceFailed):
        counter.services.link_poller.refresh(link.link_id)
    with pytest.raises(BreakerOpen):
        counter.create(OTHER_RC, free[1:2])
    clock.advance(seconds=41)
    counter.services.link_poller.refresh(link.link_id)
    assert counter.create(OTHER_RC, free[1:2]).state == "CREATED"


def test_a_status_answer_closes_the_breaker_of_searches_that_nobody_answered(counter, levers, clock, free):
    link = counter.create(OTHER_RC, free[:1])
    levers.fault("search", "cut", count=15)
    for _ in range(5):
        with pytest.raises(ServiceError):
            counter.search(RC)
    counter.services.link_poller.refresh(link.link_id)
    assert is_open(counter), "its rest is not over"
    clock.advance(seconds=31)
    counter.services.link_poller.refresh(link.link_id)
    assert counter.services.call_policy.active_blocks() == []
    levers.clear_faults()
    levers.fault("search", "status", status=500)
    with pytest.raises(ServiceError):
        counter.search(RC)
    assert is_open(counter), "one more failure is enough"


# Resolving unclear outcomes


@pytest.fixture
def unclear(counter, levers):
    """A request whose link was created and whose answer was lost."""
    counter.search(RC)
    levers.fault("create_link", "cut", when="after")
    return counter.create(RC, counter.payable(RC)[:2])


def test_an_unclear_outcome_stays_unclear_while_no_call_is_made(counter, levers, clock, unclear):
    fails(counter, levers, 5)
    levers.forget_calls()
    clock.advance(seconds=20)
    row = counter.resolve(unclear.id)
    assert (row.state, row.attempts, row.attempt_failure) == ("UNKNOWN", 0, "ServiceFailed")
    assert levers.calls() == []


def test_a_due_resolve_poll_tries_before_anybody_else(counter, levers, clock, unclear):
    fails(counter, levers, 5)
    clock.advance(seconds=31)
    levers.forget_calls()
    for _ in range(20):
        with pytest.raises(BreakerOpen):
            counter.search(RC)
    assert levers.calls() == []
    assert counter.services.outcome_resolver.claim_due(5) == [unclear.id]
    assert counter.resolve(unclear.id).state == "RECOVERED"
    assert counter.search(RC)


def test_people_wait_ten_seconds_only_for_a_resolve_poll_that_nobody_makes(counter, levers, clock, unclear):
    fails(counter, levers, 5)
    clock.advance(seconds=39)
    assert is_open(counter)
    clock.advance(seconds=2)
    assert counter.search(RC)


def test_unclear_requests_are_not_claimed_while_no_call_can_be_made(counter, levers, clock, unclear):
    fails(counter, levers, 5)
    clock.advance(seconds=10)
    assert counter.services.outcome_resolver.claim_due(5) == []
    assert counter.intent(unclear.id).next_check_at < clock(), "it stays due"


# The watcher


def test_due_links_stay_unchanged_and_one_of_them_tries(counter, levers, clock):
    levers.add_vehicle(OTHER_RC, [{"challanNo": f"MH200{n}"} for n in range(3)])
    counter.search(OTHER_RC)
    ids = [counter.create(OTHER_RC, [challan]).link_id for challan in counter.payable(OTHER_RC)]
    levers.fault("link_status", "status", status=500, count=5)
    for _ in range(5):
        with pytest.raises(ServiceError):
            counter.services.link_poller.refresh(ids[0])
    clock.advance(seconds=25)
    before = [counter.link(link_id) for link_id in ids]
    with writes(counter.services.store) as begun:
        assert counter.services.link_poller.claim_due(16) == []
    assert begun == [], "an outage costs no writes"
    assert [counter.link(link_id) for link_id in ids] == before
    clock.advance(seconds=6)
    (tries,) = counter.services.link_poller.claim_due(16)
    counter.services.link_poller.poll_claimed(tries)
    clock.advance(hours=1)
    assert len(counter.services.link_poller.claim_due(16)) == 3
