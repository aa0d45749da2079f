"""Test late commits, reactivated links and lifted refusals: no link is lost, duplicated or in a false state."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import text

from dashboard.errors import Operation, SecretRejected, ServiceError, ServiceFailed, ServiceNotEnabled
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.links import duplicates
from dashboard.store.operations import call_blocks
from tests.support.ledger_fixtures import RC, add_staff_member


def verified_absent(clerk, levers, clock, chosen):
    """Return an intent whose link is committed after NOT_CREATED."""
    levers.break_a4()
    row = clerk.create(RC, chosen)
    clerk.resolve(row.id)
    clock.advance(seconds=200)
    row = clerk.resolve(row.id)
    assert row.state == "NOT_CREATED"
    return row


def two_attempts(clerk, levers, clock):
    """Return an intent that is NOT_CREATED, and a second one on its challans, whose link lost its answer."""
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("create_link", "cut", when="before")
    first = clerk.create(RC, chosen)
    clerk.resolve(first.id)
    clock.advance(seconds=200)
    assert clerk.resolve(first.id).state == "NOT_CREATED"
    levers.fault("create_link", "cut", when="after")
    return first, clerk.create(RC, chosen)


def work_off(clerk, clock, *, hours):
    """Resolve due intents as the watcher does, hour by hour."""
    for _ in range(hours):
        clock.advance(hours=1)
        for intent_id in clerk.services.outcome_resolver.claim_due(5):
            clerk.services.outcome_resolver.resolve(intent_id)


def test_a_service_enabled_again_is_used_again_by_creating_alone(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.set_organization(linksEnabled=False)
    assert clerk.create(RC, chosen).http_status == 403
    with pytest.raises(ServiceNotEnabled):
        clerk.create(RC, chosen)
    levers.set_organization(linksEnabled=True)
    clock.advance(minutes=11)
    assert clerk.create(RC, chosen).state == "CREATED"


@pytest.mark.databases
def test_one_refusal_of_the_key_is_not_counted_for_each_call_in_flight(clerk):
    together = threading.Barrier(8)

    def refused():
        together.wait()
        raise SecretRejected(Operation.SEARCH_CHALLANS, status=401)

    def call(_):
        with pytest.raises(SecretRejected):
            clerk.services.call_policy.call(Operation.SEARCH_CHALLANS, refused)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(call, range(8)))
    with clerk.services.store.read() as connection:
        block = call_blocks.read_all(connection)["secret"]
    assert block.until - block.since == timedelta(minutes=1)


def test_a_challan_of_a_new_link_is_not_offered_though_the_list_shows_an_older_ended_one(clerk, levers):
    clerk.search(RC)
    row = clerk.create(RC, clerk.payable(RC))
    levers.expire(row.link_id)
    clerk.services.link_poller.refresh(row.link_id)
    clerk.search(RC)
    again = clerk.create(RC, clerk.payable(RC))
    assert again.state == "CREATED"
    assert clerk.payable(RC) == []


def test_a_failed_link_that_is_paid_after_all_takes_its_challans_back(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    row = clerk.create(RC, chosen)
    levers.fail(row.link_id)
    clerk.services.link_poller.refresh(row.link_id)
    assert clerk.payable(RC) == chosen
    levers.pay(row.link_id)
    clock.advance(minutes=1)
    clerk.services.link_poller.refresh(row.link_id)
    assert clerk.payable(RC) == []
    assert clerk.claimed(chosen) == set(chosen)


def test_an_ended_link_is_polled_again_before_its_challans_go_on_another(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    row = clerk.create(RC, chosen)
    levers.fail(row.link_id)
    clerk.services.link_poller.refresh(row.link_id)
    levers.pay(row.link_id)
    clock.advance(minutes=1)
    with pytest.raises(Exception, match="not_payable"):
        clerk.create(RC, chosen)
    assert levers.count("create_link") == 1


def test_when_the_ended_link_cannot_be_polled_nothing_is_sent(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    row = clerk.create(RC, chosen)
    levers.expire(row.link_id)
    clerk.services.link_poller.refresh(row.link_id)
    clock.advance(minutes=1)
    levers.fault("link_status", "cut")
    with pytest.raises(ServiceError):
        clerk.create(RC, chosen)
    assert levers.count("create_link") == 1


def test_a_late_payment_beside_a_fresh_link_is_an_alarm(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    old = clerk.create(RC, chosen)
    levers.expire(old.link_id)
    clerk.services.link_poller.refresh(old.link_id)
    clerk.create(RC, chosen)
    levers.pay(old.link_id)
    clock.advance(minutes=1)
    clerk.services.link_poller.refresh(old.link_id)
    with clerk.services.store.read() as connection:
        assert {row.alarm_of for row in duplicates.unacknowledged(connection)} == {old.link_id}


def test_a_link_created_elsewhere_for_other_hours_is_not_called_ours(clerk, levers, elsewhere):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    theirs = elsewhere.create_payment_link(RC, chosen, expiry_hours=168, before_send=lambda: None)
    row = clerk.create(RC, chosen)
    assert (row.state, row.link_id) == ("ATTACHED", theirs.id)
    assert clerk.link(theirs.id).origin == "observed"


def test_the_guard_relies_on_the_search_when_the_link_itself_cannot_be_read(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    verified_absent(clerk, levers, clock, chosen)
    levers.commit_late()
    levers.fault("link_status", "status", status=500)
    second = clerk.create(RC, chosen)
    assert (second.state, second.sends) == ("ATTACHED", 0)
    assert clerk.payable(RC) == []


def test_a_link_committed_after_not_created_is_found_by_a_late_check(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    row = verified_absent(clerk, levers, clock, chosen)
    levers.commit_late()
    work_off(clerk, clock, hours=2)
    found = clerk.intent(row.id)
    assert found.state == "RECOVERED"
    assert clerk.link(found.link_id).origin == "recovered"
    assert clerk.claimed(chosen) == set(chosen)


def test_a_late_link_in_any_search_makes_its_intent_due_at_once(clerk, levers, clock):
    clerk.search(RC)
    row = verified_absent(clerk, levers, clock, clerk.payable(RC))
    levers.commit_late()
    clerk.search(RC)
    assert clerk.services.outcome_resolver.claim_due(5) == [row.id]
    assert clerk.resolve(row.id).state == "RECOVERED"


def test_the_link_of_a_second_attempt_is_not_taken_for_a_late_one_of_the_first(clerk, levers, clock):
    first, second = two_attempts(clerk, levers, clock)
    clerk.search(RC)  # This search shows the link before the second attempt resolves, and makes the first intent due.
    assert clerk.services.outcome_resolver.claim_due(1) == [first.id]
    assert clerk.resolve(first.id).state == "NOT_CREATED"
    second = clerk.resolve(second.id)
    assert second.state == "RECOVERED"
    with clerk.services.store.read() as connection:
        assert duplicates.unacknowledged(connection) == []
    clock.advance(minutes=10)
    assert clerk.resolve(first.id).state == "NOT_CREATED"


def test_early_attempts_do_not_postpone_the_next_one(clerk, levers, clock):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, clerk.payable(RC))
    for _ in range(6):
        clock.advance(seconds=4)
        row = clerk.resolve(row.id)
    assert row.state == "UNKNOWN"
    assert row.next_check_at - row.send_ended <= timedelta(seconds=131)


def test_after_a_long_stop_the_attempts_do_not_come_in_a_burst(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("create_link", "cut", when="before")
    clerk.create(RC, chosen)
    levers.set_challan(chosen[0], gone=True)
    clock.advance(hours=12)
    levers.forget_calls()
    for _ in range(60):
        clock.advance(seconds=10)
        for intent_id in clerk.services.outcome_resolver.claim_due(2):
            clerk.services.outcome_resolver.resolve(intent_id)
    assert levers.count("search") <= 4


@pytest.mark.databases
def test_two_attempts_at_once_cost_one_search(clerk, levers):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, clerk.payable(RC))
    levers.forget_calls()
    levers.fault("search", "delay", seconds=0.5)
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(clerk.services.outcome_resolver.resolve, [row.id] * 4))
    assert levers.count("search") == 1
    assert clerk.intent(row.id).state == "RECOVERED"


def test_a_send_that_does_not_begin_in_time_is_given_up(services, levers, elsewhere, tmp_path):
    pace = Schedule(send_within=timedelta(microseconds=-1))
    hasty = Services(services.store, elsewhere, services.clock, pace, UnrecordedLinks(tmp_path / "spool"))
    clerk = add_staff_member(hasty, "Asha")
    clerk.search(RC)
    chosen = clerk.payable(RC)
    row = clerk.create(RC, chosen)
    assert (row.state, row.outcome) == ("NOT_SENT", "TooLate")
    assert levers.count("create_link") == 0
    assert clerk.payable(RC) == chosen


@pytest.mark.databases
def test_a_failure_of_our_bookkeeping_loses_no_answer(services):
    def fail():
        raise ServiceFailed(Operation.CREATE_PAYMENT_LINK, status=500)

    def answer_while_the_table_goes():
        with services.store.write() as connection:
            connection.execute(text("DROP TABLE call_block"))
        return "the answer"

    with pytest.raises(ServiceFailed):
        services.call_policy.call(Operation.CREATE_PAYMENT_LINK, fail)
    assert services.call_policy.call(Operation.CREATE_PAYMENT_LINK, answer_while_the_table_goes) == "the answer"
