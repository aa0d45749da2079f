"""Test that an ended link beside one that can be paid is polled like a young one, and before that one is shared."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.errors import ServiceError
from dashboard.services.accounts.audit import Origin
from dashboard.services.sharing.share import NotShareable, ShareProblem, Sharing
from dashboard.store.links import duplicates
from tests.support.ledger_fixtures import RC

HERE = Origin(address="10.0.0.7", request_id="a1b2")


def alarmed(clerk):
    with clerk.services.store.read() as connection:
        return {row.alarm_of for row in duplicates.unacknowledged(connection)}


def polls(clerk, clock, *, seconds):
    """Poll the links that are due every five seconds, as the watcher does."""
    for _ in range(seconds // 5):
        clock.advance(seconds=5)
        for link_id in clerk.services.link_poller.claim_due(10):
            clerk.services.link_poller.poll_claimed(link_id)


@pytest.fixture
def replaced(clerk, levers, clock):
    """Return a function that lets a link fail and replaces it some hours later; it returns both intents."""

    def replace(hours):
        clerk.search(RC)
        chosen = clerk.payable(RC)
        old = clerk.create(RC, chosen, hours=24)
        levers.fail(old.link_id)
        clerk.services.link_poller.refresh(old.link_id)
        clock.advance(hours=hours)
        return old, clerk.create(RC, chosen, hours=168)

    return replace


@pytest.mark.parametrize("hours", [0.5, 7, 30, 60])
def test_a_late_payment_beside_a_replacement_is_an_alarm_within_a_minute(clerk, levers, clock, replaced, hours):
    """A link of 24 hours is past its expiry after 30, and polled no more by itself after 48."""
    old, new = replaced(hours)
    polls(clerk, clock, seconds=90)
    levers.pay(old.link_id)
    polls(clerk, clock, seconds=60)
    assert clerk.link(old.link_id).status == "PAID"
    assert alarmed(clerk) == {old.link_id}
    assert new.link_id != old.link_id


@pytest.mark.databases
def test_the_link_elsewhere_on_one_of_its_challans_counts_as_well(clerk, levers, clock, elsewhere):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    old = clerk.create(RC, chosen)
    levers.cancel(old.link_id)
    clerk.services.link_poller.refresh(old.link_id)
    clock.advance(hours=7)
    elsewhere.create_payment_link(RC, chosen[:1], expiry_hours=48, before_send=lambda: None)
    clerk.search(RC)
    polls(clerk, clock, seconds=60)
    levers.pay(old.link_id)
    polls(clerk, clock, seconds=60)
    assert alarmed(clerk) == {old.link_id}


def test_once_the_replacement_has_ended_the_old_link_is_polled_as_rarely_as_before(clerk, levers, clock, replaced):
    old, new = replaced(7)
    levers.cancel(new.link_id)
    clerk.services.link_poller.refresh(new.link_id)
    polls(clerk, clock, seconds=60)
    assert clerk.link(old.link_id).next_check_at - clock() > timedelta(hours=1)


def test_polls_of_the_old_link_that_fail_are_repeated_soon(clerk, levers, clock, replaced):
    old, _ = replaced(7)
    levers.fault("link_status", "status", status=400, count=10**6)
    polls(clerk, clock, seconds=240)
    levers.clear_faults()
    clock.advance(seconds=60)
    levers.pay(old.link_id)
    polls(clerk, clock, seconds=60)
    assert alarmed(clerk) == {old.link_id}


@pytest.fixture
def sharing(services):
    return Sharing(services.store, services.link_poller, services.clock, payment_page_base=None)


def test_the_old_link_is_polled_once_more_before_the_new_one_is_shared(sharing, levers, clock, replaced):
    old, new = replaced(7)
    sharing.prepare(new.link_id)
    clock.advance(seconds=10)
    levers.pay(old.link_id)
    with pytest.raises(NotShareable) as refused:
        sharing.prepare(new.link_id)
    assert refused.value.problem is ShareProblem.PAID_BY_DUPLICATE


def test_the_old_link_is_polled_once_more_before_the_new_one_is_copied(clerk, sharing, levers, clock, replaced):
    old, new = replaced(7)
    clock.advance(seconds=10)
    levers.pay(old.link_id)
    with pytest.raises(NotShareable):
        sharing.record_copy(new.link_id, clerk.person_id, HERE)


def test_while_the_old_link_cannot_be_polled_the_new_one_is_neither_shared_nor_copied(
    clerk, sharing, levers, clock, replaced
):
    _, new = replaced(7)
    clock.advance(seconds=10)
    for share in (lambda: sharing.prepare(new.link_id), lambda: sharing.record_copy(new.link_id, 1, HERE)):
        clerk.services.link_poller.refresh(new.link_id)
        levers.fault("link_status", "status", status=400)
        with pytest.raises(ServiceError):
            share()
