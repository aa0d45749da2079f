"""Test how often intents that need attention are resolved, and what a guard and an attempt read."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.store.creation import intents
from tests.support.ledger_fixtures import RC


def works(clerk, clock, *, hours):
    """Resolve due intents every ten minutes, as the watcher does."""
    for _ in range(hours * 6):
        clock.advance(minutes=10)
        for intent_id in clerk.services.outcome_resolver.claim_due(5):
            clerk.services.outcome_resolver.resolve(intent_id)


@pytest.fixture
def waiting(clerk, levers, clock):
    """Create an intent for a challan that was paid elsewhere and is delisted: it needs attention."""
    clerk.search(RC)
    chosen = clerk.payable(RC)[:1]
    levers.fault("create_link", "status", status=409)
    row = clerk.create(RC, chosen)
    levers.set_challan(chosen[0], gone=True)
    works(clerk, clock, hours=6)
    row = clerk.intent(row.id)
    assert row.state == "NEEDS_ATTENTION"
    return row


def test_an_intent_that_needs_attention_is_resolved_once_a_day(clerk, levers, clock, waiting):
    levers.forget_calls()
    works(clerk, clock, hours=72)
    assert 3 <= levers.count("search") <= 4


def test_it_is_resolved_at_once_on_request(clerk, levers, clock, waiting):
    levers.set_challan(waiting.challan_ids[0], gone=False)
    levers.forget_calls()
    clerk.services.outcome_resolver.resolve_on_request(waiting.id)
    clock.advance(seconds=31)
    clerk.services.outcome_resolver.resolve_on_request(waiting.id)
    assert levers.count("search") == 2
    assert clerk.intent(waiting.id).state == "NOT_CREATED"


def test_a_fresh_intent_goes_before_those_that_need_attention(clerk, levers, clock, waiting):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="before")
    fresh = clerk.create(RC, clerk.payable(RC))
    clock.advance(days=2)
    with clerk.services.store.write() as connection:
        intents.plan_attempt(connection, fresh.id, clock())
    assert clerk.services.outcome_resolver.claim_due(1) == [fresh.id]
    assert clerk.services.outcome_resolver.claim_due(1) == [waiting.id]


def test_a_failed_attempt_is_repeated_before_the_next_day(clerk, levers, clock, waiting):
    clock.set(waiting.next_check_at)
    levers.fault("search", "status", status=502, count=3)
    clerk.resolve(waiting.id)
    assert clerk.intent(waiting.id).next_check_at <= clock() + timedelta(minutes=30)


def test_a_guard_reads_no_known_links_of_other_challans(clerk, levers, clock, elsewhere):
    clerk.search(RC)
    first, *others = clerk.payable(RC)
    for challan_id in others:
        elsewhere.create_payment_link(RC, [challan_id], expiry_hours=48, before_send=lambda: None)
    clerk.search(RC)
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, [first])
    for seconds in (130, 31):
        clock.advance(seconds=seconds)
        row = clerk.resolve(row.id)
    assert row.state == "NOT_CREATED"
    levers.forget_calls()
    assert clerk.create(RC, [first]).state == "CREATED"
    assert (levers.count("search"), levers.count("link_status")) == (1, 0)
