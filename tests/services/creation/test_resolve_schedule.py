"""Test when attempts and polls are due, what each costs, and what it is recorded as."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.services.vehicles import eligibility
from dashboard.store.vehicles import vehicles
from tests.services.creation.test_recovery import work_off
from tests.support.concurrent_polls import poll_in_flight
from tests.support.ledger_fixtures import RC


@pytest.fixture
def unclear(clerk, levers):
    """Create an intent whose request is lost before the service receives it."""
    clerk.search(RC)
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, clerk.payable(RC))
    assert row.state == "UNKNOWN"
    return row


@pytest.mark.parametrize("hasty", [90, 105, 119])
def test_an_attempt_between_two_others_does_not_postpone_the_outcome(clerk, clock, unclear, hasty):
    clock.advance(seconds=hasty)
    clerk.resolve(unclear.id)
    while clerk.intent(unclear.id).state == "UNKNOWN":
        due = clerk.intent(unclear.id).next_check_at
        clock.advance(seconds=max(0.0, (due - clock()).total_seconds()))
        assert clock() - unclear.send_ended <= timedelta(seconds=hasty + 31)
        clerk.resolve(unclear.id)
    assert clerk.intent(unclear.id).state == "NOT_CREATED"


def test_an_intent_that_cannot_be_resolved_for_a_day_needs_attention_and_is_recovered_later(clerk, levers, clock):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, clerk.payable(RC))
    levers.fault("search", "status", status=400, count=10**6)
    levers.forget_calls()
    work_off(clerk, clock, hours=23)
    assert clerk.intent(row.id).state == "UNKNOWN"
    work_off(clerk, clock, hours=2)
    assert clerk.intent(row.id).state == "NEEDS_ATTENTION"
    levers.clear_faults()
    work_off(clerk, clock, hours=1)
    assert clerk.intent(row.id).state == "RECOVERED"


def test_a_person_who_asks_again_and_again_spends_one_search(clerk, levers, clock, unclear):
    levers.forget_calls()
    for _ in range(30):
        clerk.services.outcome_resolver.resolve_on_request(unclear.id)
    assert levers.count("search") == 1
    clock.advance(seconds=10)
    clerk.services.outcome_resolver.resolve_on_request(unclear.id)
    assert levers.count("search") == 2


def test_an_attempt_is_not_recorded_as_a_persons_search(clerk, clock, unclear):
    with clerk.services.store.read() as connection:
        asked = vehicles.find(connection, RC)
    assert asked.searched_by == clerk.person_id
    clock.advance(minutes=3)
    clerk.resolve(unclear.id)
    with clerk.services.store.read() as connection:
        assert vehicles.find(connection, RC).searched_by is None


def test_a_recovered_link_was_created_when_we_sent_whatever_the_services_clock_says(clerk, levers, clock):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    clock.advance(minutes=-20)
    row = clerk.create(RC, clerk.payable(RC))
    assert clerk.resolve(row.id).state == "RECOVERED"
    assert clerk.link(clerk.intent(row.id).link_id).created_at == row.send_started


def test_a_link_that_a_search_showed_as_ended_is_polled_before_its_challans_go_on_another(
    clerk, levers, elsewhere, clock
):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    theirs = elsewhere.create_payment_link(RC, chosen, expiry_hours=48, before_send=lambda: None)
    levers.fail(theirs.id)
    clerk.search(RC)
    with clerk.services.store.read() as connection:
        assert [item.selectable for item in eligibility.of_vehicle(connection, RC)][: len(chosen)] == [True] * len(
            chosen
        )
    levers.pay(theirs.id)
    levers.forget_calls()
    with pytest.raises(Exception, match="not_payable"):
        clerk.create(RC, chosen)
    assert levers.count("link_status") == 1
    assert levers.count("create_link") == 0


def test_it_is_polled_even_while_somebody_else_is_asking(clerk, levers, elsewhere, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    theirs = elsewhere.create_payment_link(RC, chosen, expiry_hours=48, before_send=lambda: None)
    levers.fail(theirs.id)
    clerk.search(RC)
    levers.pay(theirs.id)
    with poll_in_flight(clerk.services.link_poller, levers, theirs.id), pytest.raises(Exception, match="not_payable"):
        clerk.create(RC, chosen)
    assert levers.count("link_status") == 2
    assert levers.count("create_link") == 0


def test_a_link_that_the_service_does_not_know_is_not_polled_more_often_while_watched(clerk, levers, clock):
    clerk.search(RC)
    link_id = clerk.create(RC, clerk.payable(RC)).link_id
    levers.fault("link_status", "status", status=404, count=10**6)
    levers.forget_calls()
    for _ in range(200):
        clock.advance(seconds=3)
        clerk.services.link_poller.mark_watched(link_id)
        for each in clerk.services.link_poller.claim_due(5):
            clerk.services.link_poller.poll_claimed(each)
    assert levers.count("link_status") == 2
