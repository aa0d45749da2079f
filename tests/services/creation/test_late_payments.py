"""Test an ended link that is paid beside its replacement: it is polled for long enough, and an alarm is raised."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillWaiting
from datetime import timedelta
from itertools import pairwise

import pytest

from dashboard.services.links.duplicates import AlarmChanged, alarm_of
from dashboard.store.links import duplicates, links
from tests.services.creation.test_replacement import begin, passes, pays, reissued
from tests.support.ledger_fixtures import RC

NOTE = "The driver was told not to pay the new link."


def alarms(clerk):
    """Return the links whose alarm is not acknowledged."""
    with clerk.services.store.read() as connection:
        return {row.alarm_of for row in duplicates.unacknowledged(connection)}


def alarm(clerk, link_id):
    with clerk.services.store.read() as connection:
        return alarm_of(connection, link_id, duplicates.of_link(connection, link_id))


def takes_note(clerk, link_id, note=NOTE):
    clerk.services.duplicate_alarms.acknowledge(link_id, clerk.person_id, note, alarm(clerk, link_id).newest)


# The old link, afterwards


def follow(clerk):
    """Poll due links as the watcher does; return the links it polled."""
    due = clerk.services.link_poller.claim_due(50)
    for link_id in due:
        clerk.services.link_poller.poll_claimed(link_id)
    return due


def test_a_replaced_link_is_polled_until_a_day_past_its_expiry_and_no_longer(clerk, levers, ended, clock):
    new = reissued(clerk, ended)
    pays(clerk, levers, clock, new.id)
    over = ended.expires_at + timedelta(hours=24)
    asked = []
    while clock() < over + timedelta(hours=30):
        passes(clock, levers, hours=1)
        if ended.id in follow(clerk):
            asked.append(clock())
    assert abs(over - asked[-1]) <= timedelta(hours=1)
    assert max(later - sooner for sooner, later in pairwise(asked)) <= timedelta(hours=30)


def test_a_payment_most_of_a_day_past_its_expiry_beside_a_fresh_link_is_an_alarm(clerk, levers, ended, clock):
    reissued(clerk, ended, hours=168)
    passes(clock, levers, hours=72 + 16)
    follow(clerk)
    levers.pay(ended.id)
    while clock() < ended.expires_at + timedelta(hours=24):
        passes(clock, levers, hours=1)
        follow(clerk)
    assert clerk.link(ended.id).status == "PAID"
    assert alarms(clerk) == {ended.id}


@pytest.mark.parametrize("status", ["ACTIVE", "ON_HOLD"])
def test_an_old_link_that_is_live_again_beside_its_replacement_is_an_alarm(clerk, levers, ended, clock, status):
    new = reissued(clerk, ended)
    levers.set_link(ended.id, status=status)
    clock.advance(minutes=1)
    clerk.services.link_poller.refresh(ended.id)
    assert alarms(clerk) == {ended.id}
    assert [row.id for row in alarm(clerk, ended.id).duplicates] == [new.id]
    assert [row.id for row in alarm(clerk, new.id).duplicates] == [ended.id]


def test_a_late_payment_beside_a_link_created_elsewhere_is_an_alarm(clerk, levers, ended, elsewhere, clock):
    theirs = elsewhere.create_payment_link(RC, clerk.payable(RC)[:1], expiry_hours=48, before_send=lambda: None)
    clerk.search(RC)
    clerk.services.link_poller.refresh(theirs.id)
    pays(clerk, levers, clock, ended.id)
    assert alarms(clerk) == {ended.id}


@pytest.mark.parametrize("met", ["before the payment", "after it"])
def test_a_link_whose_challans_are_returned_after_a_late_payment_is_an_alarm(
    clerk, levers, ended, elsewhere, clock, met
):
    theirs = elsewhere.create_payment_link(RC, clerk.payable(RC)[:1], expiry_hours=48, before_send=lambda: None)
    if met == "before the payment":
        clerk.search(RC)
    pays(clerk, levers, clock, ended.id)
    assert alarms(clerk) == set(), "nobody knows yet what the other link covers"
    clerk.search(RC)
    clerk.services.link_poller.refresh(theirs.id)
    assert alarms(clerk) == {theirs.id}
    clerk.services.link_poller.refresh(theirs.id)
    assert [row.id for row in alarm(clerk, ended.id).duplicates] == [theirs.id]


def test_a_link_created_elsewhere_that_is_paid_late_beside_ours_is_an_alarm(clerk, levers, elsewhere, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    theirs = elsewhere.create_payment_link(RC, chosen, expiry_hours=48, before_send=lambda: None)
    clerk.search(RC)
    levers.expire(theirs.id)
    found = begin(clerk, theirs.id)
    clerk.create(RC, found.payable, replaces=theirs.id)
    pays(clerk, levers, clock, theirs.id)
    assert alarms(clerk) == {theirs.id}


def test_a_late_payment_beside_a_request_of_unknown_outcome_is_an_alarm(clerk, levers, ended, clock):
    payable = begin(clerk, ended.id).payable
    levers.fault("create_link", "cut", when="before")
    assert clerk.create(RC, payable, replaces=ended.id).state == "UNKNOWN"
    pays(clerk, levers, clock, ended.id)
    assert alarms(clerk) == {ended.id}


def test_a_replacement_without_a_late_payment_is_no_alarm(clerk, levers, ended, clock):
    new = reissued(clerk, ended)
    pays(clerk, levers, clock, new.id)
    clerk.services.link_poller.refresh(ended.id)
    assert clerk.link(new.id).status == "PAID"
    assert alarms(clerk) == set()
    assert alarm(clerk, ended.id) is None


# Acknowledging


@pytest.fixture
def doubled(clerk, levers, ended, clock):
    """Pay the old link late, while the new one can still be paid."""
    new = reissued(clerk, ended)
    pays(clerk, levers, clock, ended.id)
    assert alarms(clerk) == {ended.id}
    return ended, new


@pytest.mark.parametrize("where", [0, 1], ids=["at the old link", "at the new link"])
def test_an_alarm_stands_until_somebody_takes_note_of_it_at_either_link(clerk, colleague, doubled, where):
    takes_note(colleague, doubled[where].id)
    assert alarms(clerk) == set()
    found = alarm(clerk, doubled[where].id)
    assert found.unacknowledged == ()
    (seen,) = found.acknowledgements
    assert (seen.person_id, seen.new) == (colleague.person_id, NOTE)


def test_a_newer_alarm_stands_again_and_no_note_is_lost(clerk, levers, doubled, clock):
    old, _ = doubled
    takes_note(clerk, old.id)
    levers.expire(old.id)
    clock.advance(minutes=1)
    clerk.services.link_poller.refresh(old.id)
    assert alarms(clerk) == set()
    pays(clerk, levers, clock, old.id)
    assert alarms(clerk) == {old.id}
    takes_note(clerk, old.id, "It was paid, expired and paid again.")
    assert alarms(clerk) == set()
    assert len(alarm(clerk, old.id).acknowledgements) == 2


def test_the_second_payment_itself_is_an_alarm_again(clerk, levers, doubled, clock):
    old, new = doubled
    takes_note(clerk, old.id)
    pays(clerk, levers, clock, new.id)
    assert alarms(clerk) == {new.id}
    takes_note(clerk, old.id, "Both were paid; support was written to.")
    assert alarms(clerk) == set()


def test_polling_a_paid_link_again_raises_no_new_alarm(clerk, doubled, clock):
    old, _ = doubled
    takes_note(clerk, old.id)
    for link in doubled:
        clock.advance(minutes=1)
        clerk.services.link_poller.refresh(link.id)
    assert alarms(clerk) == set()


def test_an_alarm_that_was_not_read_is_not_taken_note_of(clerk, levers, doubled, clock):
    old, new = doubled
    read = alarm(clerk, old.id).newest
    pays(clerk, levers, clock, new.id)
    with pytest.raises(AlarmChanged):
        clerk.services.duplicate_alarms.acknowledge(old.id, clerk.person_id, NOTE, read)
    assert alarms(clerk) == {old.id, new.id}


@pytest.mark.databases
def test_an_alarm_that_is_being_recorded_is_waited_for(clerk, doubled, clock):
    """Expect the note to be refused: the alarm is newer than what its writer read."""
    old, _ = doubled
    read = alarm(clerk, old.id).newest
    with ThreadPoolExecutor(1) as pool:
        with clerk.services.store.write() as connection:
            duplicates.lock_alarms(connection, [old.id])  # Each recorded answer about the link takes this lock.
            links.record_event(connection, old.id, links.DUPLICATE, clock(), new="5 challans")
            noted = pool.submit(clerk.services.duplicate_alarms.acknowledge, old.id, clerk.person_id, NOTE, read)
            with pytest.raises(StillWaiting):
                noted.result(timeout=0.5)
        with pytest.raises(AlarmChanged):
            noted.result(timeout=30)
    assert alarms(clerk) == {old.id}


@pytest.mark.databases
def test_the_same_note_sent_twice_is_kept_once(clerk, doubled):
    old, _ = doubled
    for _ in range(2):
        takes_note(clerk, old.id)
    assert len(alarm(clerk, old.id).acknowledgements) == 1


def test_without_an_alarm_there_is_nothing_to_take_note_of(clerk, ended):
    with pytest.raises(AlarmChanged):
        clerk.services.duplicate_alarms.acknowledge(ended.id, clerk.person_id, NOTE, 1)
