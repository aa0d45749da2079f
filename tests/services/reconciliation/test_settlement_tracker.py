"""Test that a paid link's vehicle is searched on a slow schedule until its challans are settled."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from dashboard.domain.allowance_resets import day_of
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.store.operations import call_counts
from dashboard.store.vehicles import vehicles
from tests.services.reconciliation.conftest import UNATTENDED
from tests.services.reconciliation.payments import OPEN, SETTLED, WAITING
from tests.support.ledger_fixtures import RC

HOUR = timedelta(hours=1)


# The schedule


def test_the_first_check_is_an_hour_after_the_payment(payments):
    link_id = payments.paid()
    row = payments.row(link_id)
    assert (row.state, row.rc, row.checks, row.checked_at) == (WAITING, RC, 0, None)
    assert 0.8 * HOUR <= row.due_at - row.since <= 1.2 * HOUR
    assert payments.searches(payments.round) == 0
    assert payments.discrepancy(link_id) is None, "nothing has been checked yet"
    assert payments.waiting() == (1, 0)


def test_a_link_that_is_not_paid_is_not_tracked(payments):
    assert payments.row(payments.made()) is None


def test_settled_challans_end_the_checks(payments):
    link_id = payments.paid(2)
    payments.source_learns(link_id)
    payments.next_check(link_id)
    row = payments.row(link_id)
    assert (row.state, row.due_at, row.checks) == (SETTLED, None, 1)
    assert [(each.status, each.listed, each.link_status) for each in row.challans] == [("PAID", True, "PAID")] * 2
    numbers = [each.challan_no for each in row.challans]
    assert payments.history(link_id, "settled") == [f"{numbers[0]} PAID, {numbers[1]} PAID"]
    payments.later(days=30)
    assert payments.searches(payments.round) == 0


def test_each_check_is_a_search_at_the_source(payments):
    link_id = payments.paid()
    calls = len(payments.levers.calls("search"))
    payments.next_check(link_id)
    [call] = payments.levers.calls("search")[calls:]
    assert '"bypassCache":true' in call["body"].replace(" ", "")


def test_a_fine_that_stays_listed_is_checked_six_times_and_then_given_up(payments):
    link_id = payments.paid()
    paid_at = payments.row(link_id).since
    moments = []
    while payments.row(link_id).due_at is not None:
        payments.next_check(link_id)
        moments.append((payments.clock() - paid_at) / HOUR)
    assert moments == [pytest.approx(after, rel=0.21) for after in (1, 6, 24, 48, 96, 168)]
    assert moments[-1] >= 168, "never given up before the last check"
    row = payments.row(link_id)
    assert (row.state, row.checks) == (OPEN, 6)
    assert [each.status for each in row.challans] == ["PENDING"]
    assert payments.history(link_id, "still_open") == [f"{row.challans[0].challan_no} PENDING"]
    assert payments.discrepancy(link_id).facts == {"given_up": True}


def test_a_fine_that_is_still_listed_is_a_discrepancy_until_it_is_settled(payments):
    link_id = payments.paid()
    payments.next_check(link_id)
    assert payments.discrepancy(link_id).facts == {"given_up": False}
    payments.source_learns(link_id, "DISPOSED")
    payments.next_check(link_id)
    assert payments.row(link_id).state == SETTLED
    assert payments.discrepancy(link_id) is None


def test_a_challan_that_is_no_longer_listed_counts_as_settled(payments):
    link_id = payments.paid()
    payments.levers.set_challan(payments.levers.link(link_id)["challans"][0]["id"], gone=True)
    payments.next_check(link_id)
    assert payments.row(link_id).state == SETTLED
    assert [each.listed for each in payments.row(link_id).challans] == [False]


def test_a_challan_among_unreadable_records_is_not_called_settled(payments):
    link_id = payments.paid()
    item = payments.levers.link(link_id)["challans"][0]["id"]
    payments.levers.set_challan(item, raw={"id": None, "challanNo": None})
    payments.next_check(link_id)
    assert payments.row(link_id).state == WAITING
    assert payments.discrepancy(link_id) is None, "it is not listed as payable either"
    assert payments.waiting() == (0, 1)
    payments.levers.set_challan(item, raw=None)
    payments.next_check(link_id)
    assert payments.discrepancy(link_id) is not None
    assert payments.waiting() == (0, 0), "it is a discrepancy now"


def test_one_search_is_for_all_links_of_a_vehicle(payments):
    one, another = payments.paid(), payments.paid(2)
    payments.source_learns(one)
    payments.later(hours=1.3)
    assert payments.searches(payments.round) == 1
    assert [payments.row(each).state for each in (one, another)] == [SETTLED, WAITING]
    assert payments.row(another).checks == 1


# Searches that people make


def test_a_refresh_by_a_person_is_a_check_as_well(payments):
    link_id = payments.paid()
    payments.later(minutes=55)
    payments.services.vehicle_search.refresh(RC, payments.clerk.person_id)
    row = payments.row(link_id)
    assert (row.checks, row.checked_at) == (1, payments.clock())
    assert row.due_at - row.since > 4 * HOUR, "the check after an hour is not made again five minutes later"


def test_a_search_from_the_cache_can_show_them_settled_and_proves_nothing_else(payments):
    one, another = payments.paid(), payments.paid()
    payments.levers.set_challan(payments.levers.link(one)["challans"][0]["id"], status="PAID", seen=True)
    payments.later(minutes=5)
    payments.clerk.search(RC)
    assert payments.row(one).state == SETTLED
    row = payments.row(another)
    assert (row.state, row.checks, row.checked_at) == (WAITING, 0, None)
    assert payments.discrepancy(another) is None


def test_a_search_after_the_checks_were_given_up_still_settles(payments):
    link_id = payments.paid()
    payments.later(days=8)
    payments.round()
    assert payments.row(link_id).state == OPEN
    payments.source_learns(link_id)
    payments.services.vehicle_search.refresh(RC, payments.clerk.person_id)
    assert payments.row(link_id).state == SETTLED
    assert payments.discrepancy(link_id) is None


def test_a_fine_that_comes_back_after_it_was_settled_is_found(payments):
    link_id = payments.paid()
    payments.source_learns(link_id)
    payments.next_check(link_id)
    payments.source_learns(link_id, "PENDING")
    payments.clerk.search(RC)
    assert payments.row(link_id).state == SETTLED, "the cache is from before"
    payments.services.vehicle_search.refresh(RC, payments.clerk.person_id)
    assert payments.row(link_id).state == OPEN
    assert payments.discrepancy(link_id) is not None


def test_while_a_colleague_refreshes_the_check_waits(payments, clock):
    link_id = payments.paid()
    payments.later(hours=2)
    with payments.services.store.write() as connection:
        until = clock() + timedelta(seconds=57)
        assert vehicles.take_refresh(connection, RC, payments.clerk.person_id, clock(), until)
    assert payments.searches(payments.round) == 0
    assert payments.row(link_id).failures == 0
    payments.later(minutes=2)
    assert payments.searches(payments.round) == 1


# Call policy, budget and allowance


def test_a_search_that_is_held_back_waits_and_is_no_failure(payments):
    link_id = payments.paid()
    payments.levers.set_organization(searchAllowance=0)
    payments.later(hours=2)
    assert payments.round() == 1
    assert (payments.row(link_id).failure, payments.row(link_id).failures) == ("AllowanceSpent", 1)
    payments.later(hours=1.1)
    for _ in range(5):
        assert payments.round() <= 1
        payments.later(minutes=1)
    payments.levers.set_organization(searchAllowance=None)
    payments.later(days=1)
    payments.round()
    assert payments.row(link_id).checks == 1


def test_a_failed_background_check_does_not_show_on_the_vehicle(payments):
    payments.paid()
    payments.levers.fault("search", "status", status=500, count=9)
    payments.later(hours=2)
    payments.round()
    with payments.services.store.read() as connection:
        assert vehicles.find(connection, RC).failure is None


def test_half_of_a_learned_allowance_is_left_for_people(payments, clock):
    link_id = payments.paid()
    payments.later(hours=2)
    day = day_of(clock(), None).isoformat()
    with payments.services.store.write() as connection:
        calls = call_counts.find_locked(connection, day, "search").calls
        call_counts.record(connection, day, "search", refused_after=calls * 2, refused_at=clock())
    assert payments.round() == 0
    with payments.services.store.write() as connection:
        call_counts.record(connection, day, "search", refused_after=calls * 2 + 2)
    assert payments.round() == 1
    assert payments.row(link_id).checks == 1


def test_a_learned_allowance_of_creations_holds_back_no_search(payments, clock):
    payments.paid()
    payments.later(hours=2)
    day = day_of(clock(), None).isoformat()
    payments.services.call_policy.allowances.write_counts()
    with payments.services.store.write() as connection:
        call_counts.find_locked(connection, day, "create")
        call_counts.record(connection, day, "create", refused_after=1, refused_at=clock())
    assert payments.round() == 1


def test_nothing_is_claimed_while_the_budget_is_used_up(payments, tmp_path):
    payments.paid()
    payments.later(hours=2)
    client, clock = payments.services.vehicle_search.client, payments.clock
    slow = Services(
        payments.services.store,
        client,
        clock,
        replace(UNATTENDED, calls_per_second=0.1),
        UnrecordedLinks(tmp_path / "slow"),
    )
    claims = slow.settlement_tracker.claim_due(5)
    assert len(claims) == 1
    slow.settlement_tracker.release(claims)
    assert slow.settlement_tracker.claim_due(5) == []
    payments.later(seconds=11)
    assert len(slow.settlement_tracker.claim_due(5)) == 1
