"""A replacement for an ended link: the old one is polled first and recorded, and both paid is an alarm."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as StillWaiting
from datetime import timedelta
from itertools import pairwise

import pytest

from dashboard.errors import ServiceError
from dashboard.services.creation.commands import CreationProblem, CreationRefused
from dashboard.services.creation.replacement import ReplacementProblem, ReplacementRefused
from dashboard.services.links.duplicates import AlarmChanged, alarm_of
from dashboard.services.vehicles.search import RefreshBusy
from dashboard.store.creation import replacements
from dashboard.store.links import duplicates, links
from dashboard.store.vehicles import vehicles
from tests.support.another import asking
from tests.support.ledger_fixtures import RC

NOTE = "The driver was told not to pay the new link."


@pytest.fixture
def ended(counter, levers):
    """A link on the five challans that has expired, as the ledger knows."""
    counter.search(RC)
    row = counter.create(RC, counter.payable(RC), hours=72)
    levers.expire(row.link_id)
    counter.services.link_poller.refresh(row.link_id)
    levers.forget_calls()
    return counter.link(row.link_id)


def begin(counter, link_id):
    return counter.services.replacement_planner.plan(link_id, counter.person_id)


def reissued(counter, ended, hours=48):
    """Create a replacement on the same challans."""
    row = counter.create(RC, begin(counter, ended.id).payable, hours=hours, replaces=ended.id)
    assert row.state == "CREATED"
    return counter.link(row.link_id)


def passes(clock, levers, **span):
    """Let time pass, here and at the service."""
    clock.advance(**span)
    levers.advance(timedelta(**span).total_seconds())


def pays(counter, levers, clock, link_id):
    levers.pay(link_id)
    passes(clock, levers, minutes=1)
    counter.services.link_poller.refresh(link_id)


def alarms(counter):
    """Return the links whose alarm nobody has acknowledged."""
    with counter.services.store.read() as connection:
        return {row.alarm_of for row in duplicates.unacknowledged(connection)}


def alarm(counter, link_id):
    with counter.services.store.read() as connection:
        return alarm_of(connection, link_id, duplicates.of_link(connection, link_id))


def takes_note(counter, link_id, note=NOTE):
    counter.services.duplicate_alarms.acknowledge(link_id, counter.person_id, note, alarm(counter, link_id).newest)


# Planning


def test_the_old_link_is_polled_then_the_source_is_searched_and_nothing_is_created(counter, levers, ended, clock):
    clock.advance(minutes=1)
    found = begin(counter, ended.id)
    calls = levers.calls()
    assert [call["operation"] for call in calls] == ["link_status", "search"]
    assert '"bypassCache":true' in calls[1]["body"]
    assert (found.rc, found.link.hours, found.left_out) == (RC, 72, ())
    assert list(found.payable) == counter.payable(RC)
    assert not counter.claimed(found.payable)


@pytest.mark.parametrize("status", ["PAID", "ACTIVE", "ON_HOLD"])
def test_a_link_that_has_not_ended_after_all_is_not_replaced(counter, levers, ended, clock, status):
    levers.set_link(ended.id, status=status)
    clock.advance(minutes=1)
    with pytest.raises(ReplacementRefused) as refused:
        begin(counter, ended.id)
    assert (refused.value.problem, refused.value.status) == (ReplacementProblem.NOT_ENDED, status)
    assert levers.count("search") == 0
    assert counter.payable(RC) == []


def test_when_the_old_link_cannot_be_polled_nothing_else_is_done(counter, levers, ended, clock):
    clock.advance(minutes=1)
    levers.fault("link_status", "cut")
    with pytest.raises(ServiceError):
        begin(counter, ended.id)
    assert levers.count("search") == 0


def test_a_link_that_the_service_no_longer_knows_can_be_replaced(counter, levers, ended, clock):
    clock.advance(minutes=1)
    levers.fault("link_status", "status", status=404)
    assert len(begin(counter, ended.id).payable) == 5


def test_while_somebody_else_polls_the_old_link_its_old_status_is_not_relied_on(counter, levers, ended, clock):
    clock.advance(minutes=1)
    levers.pay(ended.id)
    with asking(counter.services.link_poller, levers, ended.id), pytest.raises(ReplacementRefused) as refused:
        begin(counter, ended.id)
    assert (refused.value.problem, refused.value.status) == (ReplacementProblem.NOT_ENDED, "PAID")
    assert [call["operation"] for call in levers.calls()] == ["link_status"]


def test_when_the_source_does_not_answer_nothing_is_planned(counter, levers, ended):
    levers.fault("search", "status", status=502, count=3)
    with pytest.raises(ServiceError):
        begin(counter, ended.id)


def test_a_colleagues_refresh_is_not_repeated(counter, colleague, ended, clock):
    with counter.services.store.write() as connection:
        until = clock() + timedelta(seconds=30)
        assert vehicles.take_refresh(connection, RC, colleague.person_id, clock(), until)
    with pytest.raises(RefreshBusy):
        begin(counter, ended.id)


def test_a_challan_that_can_no_longer_be_paid_is_left_out_with_its_eligibility(counter, levers, ended, elsewhere):
    first, second, third, *rest = counter.payable(RC)
    levers.set_challan(first, status="IN_COURT_REVIEW")
    levers.set_challan(second, gone=True)
    theirs = elsewhere.create_payment_link(RC, [third], expiry_hours=48, before_send=lambda: None)
    found = begin(counter, ended.id)
    assert list(found.payable) == rest
    assert found.covered == 5
    left = {item.challan_id: item.placed for item in found.left_out}
    assert left[first].challan.status == "IN_COURT_REVIEW"
    assert not left[second].listed
    assert left[third].link.id == theirs.id
    assert all(item.challan_no for item in found.left_out)


def test_a_challan_that_was_delisted_long_ago_is_left_out_by_its_number(counter, levers, ended):
    gone = counter.listed(RC)[0].challan
    levers.set_challan(gone.id, gone=True)
    begin(counter, ended.id)
    (left,) = begin(counter, ended.id).left_out
    assert (left.challan_id, left.challan_no, left.placed) == (gone.id, gone.challan_no, None)


def test_a_link_created_elsewhere_can_be_replaced_once_it_has_ended(counter, levers, elsewhere):
    counter.search(RC)
    chosen = counter.payable(RC)
    theirs = elsewhere.create_payment_link(RC, chosen[:2], expiry_hours=48, before_send=lambda: None)
    counter.search(RC)
    levers.cancel(theirs.id)
    found = begin(counter, theirs.id)
    assert list(found.payable) == chosen[:2]
    row = counter.create(RC, found.payable, replaces=theirs.id)
    assert (row.state, row.replaces) == ("CREATED", theirs.id)


# Claims after a late payment


@pytest.mark.parametrize("status", ["EXPIRED", "FAILED", "CANCELLED"])
def test_challans_paid_late_are_held_when_the_replacement_releases_them(counter, levers, ended, clock, status):
    challan_ids = counter.payable(RC)
    fresh = reissued(counter, ended)
    pays(counter, levers, clock, ended.id)
    levers.set_link(fresh.id, status=status)
    counter.services.link_poller.refresh(fresh.id)
    assert counter.link(fresh.id).status == status
    assert counter.holders(challan_ids) == dict.fromkeys(challan_ids, ended.id)
    assert counter.payable(RC) == []


def test_challans_paid_late_are_held_when_an_unclear_intent_releases_them(counter, levers, ended, clock):
    challan_ids = counter.payable(RC)
    levers.fault("create_link", "cut", when="before")
    unclear = counter.create(RC, challan_ids, replaces=ended.id)
    assert unclear.state == "UNKNOWN"
    pays(counter, levers, clock, ended.id)
    assert counter.holders(challan_ids) == dict.fromkeys(challan_ids)
    passes(clock, levers, minutes=3)
    assert counter.resolve(unclear.id).state == "ATTACHED"
    assert counter.holders(challan_ids) == dict.fromkeys(challan_ids, ended.id)


# The recorded replacement


def test_the_intent_records_the_link_it_replaces_and_both_links_show_it(counter, ended):
    new = reissued(counter, ended)
    assert counter.intent(new.intent_id).replaces == ended.id
    with counter.services.store.read() as connection:
        (tied,) = replacements.of_link(connection, ended.id)
        assert replacements.of_link(connection, new.id) == []
    assert tied.link is not None
    assert (tied.link.id, tied.link.status, tied.person_id) == (new.id, "ACTIVE", counter.person_id)


def test_a_lost_answer_does_not_lose_the_replaced_link(counter, levers, ended):
    payable = begin(counter, ended.id).payable
    levers.fault("create_link", "cut", when="after")
    row = counter.create(RC, payable, replaces=ended.id)
    with counter.services.store.read() as connection:
        (tied,) = replacements.of_link(connection, ended.id)
    assert (row.state, tied.id, tied.link) == ("UNKNOWN", row.id, None)
    found = counter.resolve(row.id)
    with counter.services.store.read() as connection:
        (tied,) = replacements.of_link(connection, ended.id)
    assert tied.link is not None
    assert (found.state, tied.link.id) == ("RECOVERED", found.link_id)


def test_an_intent_that_created_nothing_replaces_nothing(counter, levers, ended):
    payable = begin(counter, ended.id).payable
    levers.set_organization(linkAllowance=0)
    assert counter.create(RC, payable, replaces=ended.id).state == "REJECTED"
    with counter.services.store.read() as connection:
        assert replacements.of_link(connection, ended.id) == []


def test_the_link_that_a_command_replaces_is_checked_against_the_ledger(counter, levers, ended):
    levers.add_vehicle("KA01AA0001", [{"challanNo": "KA1"}])
    counter.search("KA01AA0001")
    other = counter.create("KA01AA0001", counter.payable("KA01AA0001"))
    levers.expire(other.link_id)
    counter.services.link_poller.refresh(other.link_id)
    payable = counter.payable(RC)
    levers.forget_calls()
    for stranger in ("not an id", "11111111-1111-4111-8111-111111111111", other.link_id):
        with pytest.raises(CreationRefused) as refused:
            counter.create(RC, payable, replaces=stranger)
        assert refused.value.problem is CreationProblem.NOT_REPLACEABLE
    assert levers.count("create_link") == 0
    assert not counter.claimed(payable)


@pytest.mark.parametrize("status", ["ACTIVE", "PAID"])
def test_an_old_link_that_is_live_again_during_the_review_is_not_replaced(counter, levers, ended, clock, status):
    payable = begin(counter, ended.id).payable
    levers.set_link(ended.id, status=status)
    clock.advance(minutes=1)
    with pytest.raises(CreationRefused) as refused:
        counter.create(RC, payable, replaces=ended.id)
    assert refused.value.problem is CreationProblem.NOT_REPLACEABLE
    assert levers.count("create_link") == 0


@pytest.mark.databases
def test_two_people_who_replace_the_same_link_at_once_create_one(counter, colleague, levers, ended):
    payable = begin(counter, ended.id).payable

    def create(person):
        try:
            return person.create(RC, payable, key=secrets.token_hex(16), replaces=ended.id).state
        except CreationRefused as refused:
            return refused.problem

    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(create, [counter, colleague]))
    assert "CREATED" in ends
    assert {*ends} - {"CREATED"} <= {CreationProblem.HELD, CreationProblem.NOT_PAYABLE, "ATTACHED"}
    assert levers.truth()["doublyHeld"] == []
    assert sum(link["live"] for link in levers.truth()["links"]) == 1


# The old link, afterwards


def follow(counter):
    """Do what the watcher does now; return the links it polled."""
    due = counter.services.link_poller.claim_due(50)
    for link_id in due:
        counter.services.link_poller.poll_claimed(link_id)
    return due


def test_a_replaced_link_is_polled_until_a_day_past_its_expiry_and_no_longer(counter, levers, ended, clock):
    new = reissued(counter, ended)
    pays(counter, levers, clock, new.id)
    over = ended.expires_at + timedelta(hours=24)
    asked = []
    while clock() < over + timedelta(hours=30):
        passes(clock, levers, hours=1)
        if ended.id in follow(counter):
            asked.append(clock())
    assert abs(over - asked[-1]) <= timedelta(hours=1)
    assert max(later - sooner for sooner, later in pairwise(asked)) <= timedelta(hours=30)


def test_a_payment_most_of_a_day_past_its_expiry_beside_a_fresh_link_is_an_alarm(counter, levers, ended, clock):
    reissued(counter, ended, hours=168)
    passes(clock, levers, hours=72 + 16)
    follow(counter)
    levers.pay(ended.id)
    while clock() < ended.expires_at + timedelta(hours=24):
        passes(clock, levers, hours=1)
        follow(counter)
    assert counter.link(ended.id).status == "PAID"
    assert alarms(counter) == {ended.id}


@pytest.mark.parametrize("status", ["ACTIVE", "ON_HOLD"])
def test_an_old_link_that_is_live_again_beside_its_replacement_is_an_alarm(counter, levers, ended, clock, status):
    new = reissued(counter, ended)
    levers.set_link(ended.id, status=status)
    clock.advance(minutes=1)
    counter.services.link_poller.refresh(ended.id)
    assert alarms(counter) == {ended.id}
    assert [row.id for row in alarm(counter, ended.id).duplicates] == [new.id]
    assert [row.id for row in alarm(counter, new.id).duplicates] == [ended.id]


def test_a_late_payment_beside_a_link_created_elsewhere_is_an_alarm(counter, levers, ended, elsewhere, clock):
    theirs = elsewhere.create_payment_link(RC, counter.payable(RC)[:1], expiry_hours=48, before_send=lambda: None)
    counter.search(RC)
    counter.services.link_poller.refresh(theirs.id)
    pays(counter, levers, clock, ended.id)
    assert alarms(counter) == {ended.id}


@pytest.mark.parametrize("met", ["before the payment", "after it"])
def test_a_link_whose_challans_are_returned_after_a_late_payment_is_an_alarm(
    counter, levers, ended, elsewhere, clock, met
):
    theirs = elsewhere.create_payment_link(RC, counter.payable(RC)[:1], expiry_hours=48, before_send=lambda: None)
    if met == "before the payment":
        counter.search(RC)
    pays(counter, levers, clock, ended.id)
    assert alarms(counter) == set(), "nobody knows yet what the other link covers"
    counter.search(RC)
    counter.services.link_poller.refresh(theirs.id)
    assert alarms(counter) == {theirs.id}
    counter.services.link_poller.refresh(theirs.id)
    assert [row.id for row in alarm(counter, ended.id).duplicates] == [theirs.id]


def test_a_link_created_elsewhere_that_is_paid_late_beside_ours_is_an_alarm(counter, levers, elsewhere, clock):
    counter.search(RC)
    chosen = counter.payable(RC)
    theirs = elsewhere.create_payment_link(RC, chosen, expiry_hours=48, before_send=lambda: None)
    counter.search(RC)
    levers.expire(theirs.id)
    found = begin(counter, theirs.id)
    counter.create(RC, found.payable, replaces=theirs.id)
    pays(counter, levers, clock, theirs.id)
    assert alarms(counter) == {theirs.id}


def test_a_late_payment_beside_a_request_of_unknown_outcome_is_an_alarm(counter, levers, ended, clock):
    payable = begin(counter, ended.id).payable
    levers.fault("create_link", "cut", when="before")
    assert counter.create(RC, payable, replaces=ended.id).state == "UNKNOWN"
    pays(counter, levers, clock, ended.id)
    assert alarms(counter) == {ended.id}


def test_a_replacement_without_a_late_payment_is_no_alarm(counter, levers, ended, clock):
    new = reissued(counter, ended)
    pays(counter, levers, clock, new.id)
    counter.services.link_poller.refresh(ended.id)
    assert counter.link(new.id).status == "PAID"
    assert alarms(counter) == set()
    assert alarm(counter, ended.id) is None


# Acknowledging


@pytest.fixture
def doubled(counter, levers, ended, clock):
    """The old link was paid late; the new one can still be paid."""
    new = reissued(counter, ended)
    pays(counter, levers, clock, ended.id)
    assert alarms(counter) == {ended.id}
    return ended, new


@pytest.mark.parametrize("where", [0, 1], ids=["at the old link", "at the new link"])
def test_an_alarm_stands_until_somebody_takes_note_of_it_at_either_link(counter, colleague, doubled, where):
    takes_note(colleague, doubled[where].id)
    assert alarms(counter) == set()
    found = alarm(counter, doubled[where].id)
    assert found.unacknowledged == ()
    (seen,) = found.acknowledgements
    assert (seen.person_id, seen.new) == (colleague.person_id, NOTE)


def test_a_newer_alarm_stands_again_and_no_note_is_lost(counter, levers, doubled, clock):
    old, _ = doubled
    takes_note(counter, old.id)
    levers.expire(old.id)
    clock.advance(minutes=1)
    counter.services.link_poller.refresh(old.id)
    assert alarms(counter) == set()
    pays(counter, levers, clock, old.id)
    assert alarms(counter) == {old.id}
    takes_note(counter, old.id, "It was paid, expired and paid again.")
    assert alarms(counter) == set()
    assert len(alarm(counter, old.id).acknowledgements) == 2


def test_the_second_payment_itself_is_an_alarm_again(counter, levers, doubled, clock):
    old, new = doubled
    takes_note(counter, old.id)
    pays(counter, levers, clock, new.id)
    assert alarms(counter) == {new.id}
    takes_note(counter, old.id, "Both were paid; support was written to.")
    assert alarms(counter) == set()


def test_polling_a_paid_link_again_raises_no_new_alarm(counter, doubled, clock):
    old, _ = doubled
    takes_note(counter, old.id)
    for link in doubled:
        clock.advance(minutes=1)
        counter.services.link_poller.refresh(link.id)
    assert alarms(counter) == set()


def test_an_alarm_that_was_not_read_is_not_taken_note_of(counter, levers, doubled, clock):
    old, new = doubled
    read = alarm(counter, old.id).newest
    pays(counter, levers, clock, new.id)
    with pytest.raises(AlarmChanged):
        counter.services.duplicate_alarms.acknowledge(old.id, counter.person_id, NOTE, read)
    assert alarms(counter) == {old.id, new.id}


@pytest.mark.databases
def test_an_alarm_that_is_being_recorded_is_waited_for(counter, doubled, clock):
    """The history must not show a note after an alarm that its writer could not have read."""
    old, _ = doubled
    read = alarm(counter, old.id).newest
    with ThreadPoolExecutor(1) as pool:
        with counter.services.store.write() as connection:
            duplicates.lock_alarms(connection, [old.id])  # As every answer about the link does.
            links.record_event(connection, old.id, links.DUPLICATE, clock(), new="5 challans")
            noted = pool.submit(counter.services.duplicate_alarms.acknowledge, old.id, counter.person_id, NOTE, read)
            with pytest.raises(StillWaiting):
                noted.result(timeout=0.5)
        with pytest.raises(AlarmChanged):
            noted.result(timeout=30)
    assert alarms(counter) == {old.id}


@pytest.mark.databases
def test_the_same_note_sent_twice_is_kept_once(counter, doubled):
    old, _ = doubled
    for _ in range(2):
        takes_note(counter, old.id)
    assert len(alarm(counter, old.id).acknowledgements) == 1


def test_without_an_alarm_there_is_nothing_to_take_note_of(counter, ended):
    with pytest.raises(AlarmChanged):
        counter.services.duplicate_alarms.acknowledge(ended.id, counter.person_id, NOTE, 1)
