"""Test a replacement link: the ended link is polled first and recorded, and an alarm is raised if both are paid."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from dashboard.errors import ServiceError
from dashboard.services.creation.commands import CreationProblem, CreationRefused
from dashboard.services.creation.replacement import ReplacementProblem, ReplacementRefused
from dashboard.services.vehicles.search import RefreshBusy
from dashboard.store.creation import replacements
from dashboard.store.vehicles import vehicles
from tests.support.concurrent_polls import poll_in_flight
from tests.support.ledger_fixtures import RC


def begin(clerk, link_id):
    return clerk.services.replacement_planner.plan(link_id, clerk.person_id)


def reissued(clerk, ended, hours=48):
    """Create a replacement on the same challans."""
    row = clerk.create(RC, begin(clerk, ended.id).payable, hours=hours, replaces=ended.id)
    assert row.state == "CREATED"
    return clerk.link(row.link_id)


def passes(clock, levers, **span):
    """Advance the clocks of the dashboard and of the service."""
    clock.advance(**span)
    levers.advance(timedelta(**span).total_seconds())


def pays(clerk, levers, clock, link_id):
    levers.pay(link_id)
    passes(clock, levers, minutes=1)
    clerk.services.link_poller.refresh(link_id)


# Planning


def test_the_old_link_is_polled_then_the_source_is_searched_and_nothing_is_created(clerk, levers, ended, clock):
    clock.advance(minutes=1)
    found = begin(clerk, ended.id)
    calls = levers.calls()
    assert [call["operation"] for call in calls] == ["link_status", "search"]
    assert '"bypassCache":true' in calls[1]["body"]
    assert (found.rc, found.link.hours, found.left_out) == (RC, 72, ())
    assert list(found.payable) == clerk.payable(RC)
    assert not clerk.claimed(found.payable)


@pytest.mark.parametrize("status", ["PAID", "ACTIVE", "ON_HOLD"])
def test_a_link_that_has_not_ended_after_all_is_not_replaced(clerk, levers, ended, clock, status):
    levers.set_link(ended.id, status=status)
    clock.advance(minutes=1)
    with pytest.raises(ReplacementRefused) as refused:
        begin(clerk, ended.id)
    assert (refused.value.problem, refused.value.status) == (ReplacementProblem.NOT_ENDED, status)
    assert levers.count("search") == 0
    assert clerk.payable(RC) == []


def test_when_the_old_link_cannot_be_polled_nothing_else_is_done(clerk, levers, ended, clock):
    clock.advance(minutes=1)
    levers.fault("link_status", "cut")
    with pytest.raises(ServiceError):
        begin(clerk, ended.id)
    assert levers.count("search") == 0


def test_a_link_that_the_service_no_longer_knows_can_be_replaced(clerk, levers, ended, clock):
    clock.advance(minutes=1)
    levers.fault("link_status", "status", status=404)
    assert len(begin(clerk, ended.id).payable) == 5


def test_while_somebody_else_polls_the_old_link_it_is_polled_all_the_same(clerk, levers, ended, clock):
    clock.advance(minutes=1)
    levers.pay(ended.id)
    with poll_in_flight(clerk.services.link_poller, levers, ended.id), pytest.raises(ReplacementRefused) as refused:
        begin(clerk, ended.id)
    assert (refused.value.problem, refused.value.status) == (ReplacementProblem.NOT_ENDED, "PAID")
    assert [call["operation"] for call in levers.calls()] == ["link_status"] * 2


def test_when_the_source_does_not_answer_nothing_is_planned(clerk, levers, ended):
    levers.fault("search", "status", status=502, count=3)
    with pytest.raises(ServiceError):
        begin(clerk, ended.id)


def test_a_colleagues_refresh_is_not_repeated(clerk, colleague, ended, clock):
    with clerk.services.store.write() as connection:
        until = clock() + timedelta(seconds=30)
        assert vehicles.take_refresh(connection, RC, colleague.person_id, clock(), until)
    with pytest.raises(RefreshBusy):
        begin(clerk, ended.id)


def test_a_challan_that_can_no_longer_be_paid_is_left_out_with_its_eligibility(clerk, levers, ended, elsewhere):
    first, second, third, *rest = clerk.payable(RC)
    levers.set_challan(first, status="IN_COURT_REVIEW")
    levers.set_challan(second, gone=True)
    theirs = elsewhere.create_payment_link(RC, [third], expiry_hours=48, before_send=lambda: None)
    found = begin(clerk, ended.id)
    assert list(found.payable) == rest
    assert found.covered == 5
    left = {item.challan_id: item.listed for item in found.left_out}
    assert left[first].challan.status == "IN_COURT_REVIEW"
    assert not left[second].listed
    assert left[third].link.id == theirs.id
    assert all(item.challan_no for item in found.left_out)


def test_a_challan_that_was_delisted_long_ago_is_left_out_by_its_number(clerk, levers, ended):
    gone = clerk.listed(RC)[0].challan
    levers.set_challan(gone.id, gone=True)
    begin(clerk, ended.id)
    (left,) = begin(clerk, ended.id).left_out
    assert (left.challan_id, left.challan_no, left.listed) == (gone.id, gone.challan_no, None)


def test_a_link_created_elsewhere_can_be_replaced_once_it_has_ended(clerk, levers, elsewhere):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    theirs = elsewhere.create_payment_link(RC, chosen[:2], expiry_hours=48, before_send=lambda: None)
    clerk.search(RC)
    levers.cancel(theirs.id)
    found = begin(clerk, theirs.id)
    assert list(found.payable) == chosen[:2]
    row = clerk.create(RC, found.payable, replaces=theirs.id)
    assert (row.state, row.replaces) == ("CREATED", theirs.id)


# Claims after a late payment


@pytest.mark.parametrize("status", ["EXPIRED", "FAILED", "CANCELLED"])
def test_challans_paid_late_are_held_when_the_replacement_releases_them(clerk, levers, ended, clock, status):
    challan_ids = clerk.payable(RC)
    fresh = reissued(clerk, ended)
    pays(clerk, levers, clock, ended.id)
    levers.set_link(fresh.id, status=status)
    clerk.services.link_poller.refresh(fresh.id)
    assert clerk.link(fresh.id).status == status
    assert clerk.holders(challan_ids) == dict.fromkeys(challan_ids, ended.id)
    assert clerk.payable(RC) == []


def test_challans_paid_late_are_held_when_an_unclear_intent_releases_them(clerk, levers, ended, clock):
    challan_ids = clerk.payable(RC)
    levers.fault("create_link", "cut", when="before")
    unclear = clerk.create(RC, challan_ids, replaces=ended.id)
    assert unclear.state == "UNKNOWN"
    pays(clerk, levers, clock, ended.id)
    assert clerk.holders(challan_ids) == dict.fromkeys(challan_ids)
    passes(clock, levers, minutes=3)
    assert clerk.resolve(unclear.id).state == "ATTACHED"
    assert clerk.holders(challan_ids) == dict.fromkeys(challan_ids, ended.id)


# The recorded replacement


def test_the_intent_records_the_link_it_replaces_and_both_links_show_it(clerk, ended):
    new = reissued(clerk, ended)
    assert clerk.intent(new.intent_id).replaces == ended.id
    with clerk.services.store.read() as connection:
        (tied,) = replacements.of_link(connection, ended.id)
        assert replacements.of_link(connection, new.id) == []
    assert tied.link is not None
    assert (tied.link.id, tied.link.status, tied.person_id) == (new.id, "ACTIVE", clerk.person_id)


def test_a_lost_answer_does_not_lose_the_replaced_link(clerk, levers, ended):
    payable = begin(clerk, ended.id).payable
    levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, payable, replaces=ended.id)
    with clerk.services.store.read() as connection:
        (tied,) = replacements.of_link(connection, ended.id)
    assert (row.state, tied.id, tied.link) == ("UNKNOWN", row.id, None)
    found = clerk.resolve(row.id)
    with clerk.services.store.read() as connection:
        (tied,) = replacements.of_link(connection, ended.id)
    assert tied.link is not None
    assert (found.state, tied.link.id) == ("RECOVERED", found.link_id)


def test_an_intent_that_created_nothing_replaces_nothing(clerk, levers, ended):
    payable = begin(clerk, ended.id).payable
    levers.set_organization(linkAllowance=0)
    assert clerk.create(RC, payable, replaces=ended.id).state == "REJECTED"
    with clerk.services.store.read() as connection:
        assert replacements.of_link(connection, ended.id) == []


def test_the_link_that_a_command_replaces_is_checked_against_the_ledger(clerk, levers, ended):
    levers.add_vehicle("KA01AA0001", [{"challanNo": "KA1"}])
    clerk.search("KA01AA0001")
    other = clerk.create("KA01AA0001", clerk.payable("KA01AA0001"))
    levers.expire(other.link_id)
    clerk.services.link_poller.refresh(other.link_id)
    payable = clerk.payable(RC)
    levers.forget_calls()
    for stranger in ("not an id", "11111111-1111-4111-8111-111111111111", other.link_id):
        with pytest.raises(CreationRefused) as refused:
            clerk.create(RC, payable, replaces=stranger)
        assert refused.value.problem is CreationProblem.NOT_REPLACEABLE
    assert levers.count("create_link") == 0
    assert not clerk.claimed(payable)


@pytest.mark.parametrize("status", ["ACTIVE", "PAID"])
def test_an_old_link_that_is_live_again_during_the_review_is_not_replaced(clerk, levers, ended, clock, status):
    payable = begin(clerk, ended.id).payable
    levers.set_link(ended.id, status=status)
    clock.advance(minutes=1)
    with pytest.raises(CreationRefused) as refused:
        clerk.create(RC, payable, replaces=ended.id)
    assert refused.value.problem is CreationProblem.NOT_REPLACEABLE
    assert levers.count("create_link") == 0


@pytest.mark.databases
def test_two_people_who_replace_the_same_link_at_once_create_one(clerk, colleague, levers, ended):
    payable = begin(clerk, ended.id).payable

    def create(person):
        try:
            return person.create(RC, payable, key=secrets.token_hex(16), replaces=ended.id).state
        except CreationRefused as refused:
            return refused.problem

    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(create, [clerk, colleague]))
    assert "CREATED" in ends
    assert {*ends} - {"CREATED"} <= {CreationProblem.HELD, CreationProblem.NOT_PAYABLE, "ATTACHED"}
    assert levers.truth()["doublyHeld"] == []
    assert sum(link["live"] for link in levers.truth()["links"]) == 1
