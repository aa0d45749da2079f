"""Test that two links on one challan that are both seen live are an alarm, whoever made them."""

from __future__ import annotations

import pytest

from dashboard.store.links import duplicates
from tests.support.ledger_fixtures import RC


@pytest.fixture
def rounds(services, clock):
    """Return a function that polls due links for so many seconds, as a worker does."""

    def poll(seconds, tick=5):
        for _ in range(0, seconds, tick):
            for link_id in services.link_poller.claim_due(16):
                services.link_poller.poll_claimed(link_id)
            clock.advance(seconds=tick)

    return poll


def make(elsewhere, challan_ids):
    return elsewhere.create_payment_link(RC, challan_ids, expiry_hours=48, before_send=lambda: None).id


def alarms(services):
    with services.store.read() as connection:
        return {row.id for row in duplicates.unacknowledged(connection)}


def events(services, *link_ids):
    with services.store.read() as connection:
        return [event.kind for event in duplicates.alarm_events(connection, link_ids)]


def test_our_link_and_one_made_elsewhere_on_its_challans(clerk, services, levers, elsewhere, clock, rounds):
    clerk.search(RC)
    asked = clerk.payable(RC)[:2]
    ours = clerk.create(RC, asked).link_id
    levers.break_a2()
    theirs = make(elsewhere, asked)
    clock.advance(minutes=1)
    clerk.search(RC)
    rounds(60)
    assert alarms(services) == {ours, theirs}
    rounds(1200)
    assert events(services, ours, theirs) == ["double"], "one alarm, however often both are polled"
    services.duplicate_alarms.acknowledge(
        ours, clerk.person_id, "The driver was told to pay the first.", newest(services, ours, theirs)
    )
    rounds(1200)
    assert alarms(services) == set()


def newest(services, *link_ids):
    with services.store.read() as connection:
        return duplicates.alarm_events(connection, link_ids)[-1].id


@pytest.mark.databases
def test_two_links_made_elsewhere(clerk, services, levers, elsewhere, clock, rounds):
    clerk.search(RC)
    asked = clerk.payable(RC)[:2]
    levers.break_a2()
    first = make(elsewhere, asked)
    clerk.search(RC)
    second = make(elsewhere, asked)
    clock.advance(minutes=1)
    clerk.search(RC)
    rounds(60)
    assert alarms(services) == {first, second}


def test_a_link_that_ended_before_the_other_was_made_is_no_alarm(clerk, services, levers, elsewhere, clock, rounds):
    clerk.search(RC)
    asked = clerk.payable(RC)[:2]
    ours = clerk.create(RC, asked).link_id
    levers.cancel(ours)
    theirs = make(elsewhere, asked)
    clock.advance(minutes=1)
    clerk.search(RC)
    services.link_poller.refresh(theirs)
    services.link_poller.refresh(theirs)
    assert clerk.link(ours).status == "ACTIVE", "as it was seen before the other was known"
    assert alarms(services) == set()
    rounds(60)
    assert clerk.link(ours).status == "CANCELLED"
    assert alarms(services) == set()
