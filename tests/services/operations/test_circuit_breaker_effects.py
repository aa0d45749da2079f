"""Test an open circuit breaker: no creation begins, resolving goes first, and the watcher waits."""

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


def unclear_creations(clerk, levers, times):
    """Make creations that fail with a 500, and return their unclear intents; the service creates no links."""
    levers.fault("create_link", "status", status=500, count=times)
    rows = [clerk.create(RC, [challan]) for challan in clerk.payable(RC)[:times]]
    assert {row.state for row in rows} == {"UNKNOWN"}
    return rows


def requests(clerk):
    with clerk.services.store.read() as connection:
        return connection.execute(select(intent.c.id)).all()


@pytest.fixture
def free(clerk, levers):
    """Return the challans of another vehicle, which no link holds."""
    levers.add_vehicle(OTHER_RC, [{"challanNo": f"MH200{n}"} for n in range(3)])
    clerk.search(RC)
    clerk.search(OTHER_RC)
    return clerk.payable(OTHER_RC)


def test_a_creation_is_refused_before_anything_is_prepared(clerk, levers, free):
    unclear_creations(clerk, levers, 5)
    before = requests(clerk)
    levers.forget_calls()
    with pytest.raises(BreakerOpen) as refused:
        clerk.create(OTHER_RC, free)
    assert refused.value.operation is Operation.CREATE_PAYMENT_LINK
    assert requests(clerk) == before
    assert not clerk.claimed(free)
    assert levers.calls() == []


def test_creations_go_on_when_the_service_answers_again(clerk, levers, clock, free):
    unclear_creations(clerk, levers, 5)
    clock.advance(seconds=31)
    assert clerk.create(OTHER_RC, free[:1]).state == "CREATED"
    assert clerk.create(OTHER_RC, free[1:]).state == "CREATED"


@pytest.mark.databases
def test_of_concurrent_creations_that_try_one_is_sent_and_none_of_the_others_is_unclear(
    clerk, colleague, levers, clock, free
):
    unclear_creations(clerk, levers, 5)
    clock.advance(seconds=31)
    levers.fault("create_link", "delay", seconds=0.5)
    levers.forget_calls()
    together = threading.Barrier(3)

    def click(number):
        together.wait()
        try:
            return (clerk, colleague, clerk)[number].create(OTHER_RC, free[number : number + 1]).state
        except BreakerOpen:
            return "refused"

    with ThreadPoolExecutor(3) as pool:
        came = sorted(pool.map(click, range(3)))
    assert came.count("CREATED") == levers.count("create_link")
    assert set(came) <= {"CREATED", "NOT_SENT", "refused"}
    assert "CREATED" in came


def test_while_status_calls_fail_they_try_before_creations(clerk, levers, clock, free):
    link = clerk.create(OTHER_RC, free[:1])
    unclear_creations(clerk, levers, 5)
    levers.fault("link_status", "status", status=500, count=6)
    clock.advance(seconds=10)
    for _ in range(5):
        with pytest.raises(ServiceError):
            clerk.services.link_poller.refresh(link.link_id)
    clock.advance(seconds=25)  # The breaker for creations may be tried again; the one for status calls may not.
    with pytest.raises(BreakerOpen):
        clerk.create(OTHER_RC, free[1:2])
    clock.advance(seconds=20)  # The priority of resolving has ended.
    with pytest.raises(ServiceFailed):
        clerk.services.link_poller.refresh(link.link_id)
    with pytest.raises(BreakerOpen):
        clerk.create(OTHER_RC, free[1:2])
    clock.advance(seconds=41)
    clerk.services.link_poller.refresh(link.link_id)
    assert clerk.create(OTHER_RC, free[1:2]).state == "CREATED"


def test_a_status_answer_closes_the_breaker_of_searches_that_nobody_answered(clerk, levers, clock, free):
    link = clerk.create(OTHER_RC, free[:1])
    levers.fault("search", "cut", count=15)
    for _ in range(5):
        with pytest.raises(ServiceError):
            clerk.search(RC)
    clerk.services.link_poller.refresh(link.link_id)
    assert is_open(clerk), "its rest is not over"
    clock.advance(seconds=31)
    clerk.services.link_poller.refresh(link.link_id)
    assert clerk.services.call_policy.active_blocks() == []
    levers.clear_faults()
    levers.fault("search", "status", status=500)
    with pytest.raises(ServiceError):
        clerk.search(RC)
    assert is_open(clerk), "one more failure is enough"


# Resolving unclear outcomes


@pytest.fixture
def unclear(clerk, levers):
    """Create a link whose answer is lost, and return its intent."""
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    return clerk.create(RC, clerk.payable(RC)[:2])


def test_an_unclear_outcome_stays_unclear_while_no_call_is_made(clerk, levers, clock, unclear):
    fails(clerk, levers, 5)
    levers.forget_calls()
    clock.advance(seconds=20)
    row = clerk.resolve(unclear.id)
    assert (row.state, row.attempts, row.attempt_failure) == ("UNKNOWN", 0, "ServiceFailed")
    assert levers.calls() == []


def test_a_due_resolve_poll_tries_before_anybody_else(clerk, levers, clock, unclear):
    fails(clerk, levers, 5)
    clock.advance(seconds=31)
    levers.forget_calls()
    for _ in range(20):
        with pytest.raises(BreakerOpen):
            clerk.search(RC)
    assert levers.calls() == []
    assert clerk.services.outcome_resolver.claim_due(5) == [unclear.id]
    assert clerk.resolve(unclear.id).state == "RECOVERED"
    assert clerk.search(RC)


def test_people_wait_ten_seconds_only_for_a_resolve_poll_that_nobody_makes(clerk, levers, clock, unclear):
    fails(clerk, levers, 5)
    clock.advance(seconds=39)
    assert is_open(clerk)
    clock.advance(seconds=2)
    assert clerk.search(RC)


def test_unclear_requests_are_not_claimed_while_no_call_can_be_made(clerk, levers, clock, unclear):
    fails(clerk, levers, 5)
    clock.advance(seconds=10)
    assert clerk.services.outcome_resolver.claim_due(5) == []
    assert clerk.intent(unclear.id).next_check_at < clock(), "it stays due"


# The watcher


def test_due_links_stay_unchanged_and_one_of_them_tries(clerk, levers, clock):
    levers.add_vehicle(OTHER_RC, [{"challanNo": f"MH200{n}"} for n in range(3)])
    clerk.search(OTHER_RC)
    ids = [clerk.create(OTHER_RC, [challan]).link_id for challan in clerk.payable(OTHER_RC)]
    levers.fault("link_status", "status", status=500, count=5)
    for _ in range(5):
        with pytest.raises(ServiceError):
            clerk.services.link_poller.refresh(ids[0])
    clock.advance(seconds=25)
    before = [clerk.link(link_id) for link_id in ids]
    with writes(clerk.services.store) as begun:
        assert clerk.services.link_poller.claim_due(16) == []
    assert begun == [], "an outage costs no writes"
    assert [clerk.link(link_id) for link_id in ids] == before
    clock.advance(seconds=6)
    (tries,) = clerk.services.link_poller.claim_due(16)
    clerk.services.link_poller.poll_claimed(tries)
    clock.advance(hours=1)
    assert len(clerk.services.link_poller.claim_due(16)) == 3
