"""Test that a paid link's vehicle is searched on a slow schedule until its challans are settled."""

from __future__ import annotations

import threading
from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import delete, text, update

from dashboard.domain.settlements import SettlementState
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.store.links import links
from dashboard.store.links.tables import link, link_challan
from dashboard.store.operations import call_counts
from dashboard.store.reconciliation import discrepancies, settlements
from dashboard.store.reconciliation.settlements import settlement
from dashboard.store.vehicles import vehicles
from tests.services.reconciliation.conftest import UNATTENDED
from tests.support.ledger_fixtures import RC

HOUR = timedelta(hours=1)
WAITING, SETTLED, OPEN = SettlementState


class Payments:
    """Create and pay links, and move the clocks of both sides."""

    def __init__(self, clerk, levers, clock):
        self.clerk, self.levers, self.clock = clerk, levers, clock
        self.services = clerk.services
        levers.switch(paid_lag_seconds=10**6)

    def made(self, count=1, rc=RC):
        self.clerk.search(rc)
        return self.clerk.create(rc, self.clerk.payable(rc)[:count]).link_id

    def paid(self, count=1, rc=RC):
        """Make a link that is PAID, while the source knows nothing of the payment yet."""
        link_id = self.made(count, rc)
        self.levers.pay(link_id)
        self.services.link_poller.refresh(link_id)
        assert self.clerk.link(link_id).status == "PAID"
        return link_id

    def later(self, **span):
        self.clock.advance(**span)
        self.levers.advance(timedelta(**span).total_seconds())

    def source_learns(self, link_id, status="PAID"):
        for item in self.levers.link(link_id)["challans"]:
            self.levers.set_challan(item["id"], status=status)

    def row(self, link_id):
        with self.services.store.read() as connection:
            return settlements.of_links(connection, [link_id]).get(link_id)

    def discrepancy(self, link_id, kind="unsettled"):
        with self.services.store.read() as connection:
            return discrepancies.of_link(connection, link_id).get(kind)

    def waiting(self):
        """Count the paid links that wait for their first check, and those whose last check was unclear."""
        with self.services.store.read() as connection:
            return settlements.count_unchecked(connection), settlements.count_unclear(connection)

    def history(self, link_id, kind):
        with self.services.store.read() as connection:
            return [event.new for event in links.events_of(connection, link_id) if event.kind == kind]

    def searches(self, act):
        """Count the searches that an act makes."""
        before = self.levers.count("search")
        act()
        return self.levers.count("search") - before

    def round(self, services=None):
        """Check due vehicles as the watcher does; return how many were searched."""
        services = services or self.services
        claims = services.settlement_tracker.claim_due(5)
        for link_id in claims:
            services.settlement_tracker.check(link_id)
        return len(claims)

    def next_check(self, link_id):
        """Move the clocks on to when the link's vehicle is due, and check it."""
        due_at = self.row(link_id).due_at
        self.later(seconds=max(0.0, (due_at - self.clock()).total_seconds()))
        assert self.round() == 1


@pytest.fixture
def payments(clerk, levers, clock):
    return Payments(clerk, levers, clock)


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
    day = f"{clock() + timedelta(hours=5, minutes=30):%Y-%m-%d}"
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
    day = f"{clock() + timedelta(hours=5, minutes=30):%Y-%m-%d}"
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


# Crashes, workers, unreadable rows


@pytest.mark.databases
def test_many_workers_make_one_search(payments, tmp_path):
    payments.paid(2)
    payments.later(hours=2)
    client = payments.services.vehicle_search.client
    workers = [
        Services(payments.services.store, client, payments.clock, UNATTENDED, UnrecordedLinks(tmp_path / str(number)))
        for number in range(4)
    ]
    start = threading.Barrier(len(workers))

    def work(services):
        start.wait()
        for _ in range(3):
            payments.round(services)

    threads = [threading.Thread(target=work, args=(services,)) for services in workers]

    def together():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert payments.searches(together) == 1


def test_the_claims_of_a_killed_worker_fall_due_again(payments):
    link_id = payments.paid()
    payments.later(hours=2)
    assert len(payments.services.settlement_tracker.claim_due(5)) == 1
    assert payments.services.settlement_tracker.claim_due(5) == []
    payments.later(seconds=100)
    assert payments.round() == 1
    assert payments.row(link_id).checks == 1


def test_a_worker_that_stops_releases_its_claims(payments):
    payments.paid()
    payments.later(hours=2)
    payments.services.settlement_tracker.release(payments.services.settlement_tracker.claim_due(5))
    assert len(payments.services.settlement_tracker.claim_due(5)) == 1


def test_a_failing_vehicle_is_checked_later_each_time_and_delays_no_other(payments):
    failing = payments.paid()
    other_rc = "KA05MN4321"
    payments.levers.add_vehicle(other_rc, [{"challanNo": "KA1"}])
    sound = payments.paid(rc=other_rc)
    payments.levers.delete_vehicle(RC)
    failed = []
    for _ in range(60):
        payments.later(hours=1)
        while payments.round():
            pass
        if payments.row(failing).failed_at not in [None, *failed]:
            failed.append(payments.row(failing).failed_at)
    assert payments.row(sound).checks >= 3
    delays = [later - earlier for earlier, later in pairwise(failed)]
    assert 4 <= len(failed) <= 9
    assert delays[-1] > 3 * delays[0]
    assert payments.row(failing).failure == "Conflict"


def test_a_vehicle_that_cannot_be_searched_for_two_weeks_is_given_up(payments):
    link_id = payments.paid()
    payments.levers.delete_vehicle(RC)
    for _ in range(40):
        payments.later(days=0.5)
        payments.round()
    assert (payments.row(link_id).state, payments.row(link_id).due_at) == (OPEN, None)
    assert payments.discrepancy(link_id).facts == {"given_up": True}
    assert payments.history(link_id, "still_open") == ["no look could be made"]


def test_a_vehicle_whose_listing_cannot_be_recorded_is_checked_later(payments):
    """Make a stored challan unreadable, so that no search of its vehicle can be recorded."""
    link_id = payments.paid()
    with payments.services.store.write() as connection:
        connection.execute(text("UPDATE challan SET challan_amount = 'not a number'"))
    payments.later(hours=2)
    [claim] = payments.services.settlement_tracker.claim_due(5)
    with pytest.raises(Exception, match=r"."):  # The watcher logs this error.
        payments.services.settlement_tracker.check(claim)
    row = payments.row(link_id)
    assert (row.failure, row.failures) == ("Fault", 1)
    assert row.due_at > payments.clock()


@pytest.mark.databases
def test_an_unreadable_plan_loses_no_search_of_its_vehicle(payments):
    link_id = payments.paid()
    with payments.services.store.write() as connection:
        connection.execute(text('UPDATE settlement SET checks = 2147483647, challans = \'{"no": "list"}\''))
    payments.later(hours=2)
    payments.services.vehicle_search.refresh(RC, payments.clerk.person_id)
    with payments.services.store.read() as connection:
        assert vehicles.find(connection, RC).searched_at == payments.clock()
    assert payments.clerk.link(link_id).status == "PAID"


# Paid links without a schedule


@pytest.mark.databases
def test_links_paid_long_ago_are_planned_by_the_first_sweep_and_spread(payments):
    one, another = payments.paid(), payments.paid()
    with payments.services.store.write() as connection:
        connection.execute(delete(settlement))
        ago = payments.clock() - timedelta(days=90)
        connection.execute(update(link).where(link.c.id.in_([one, another])).values(paid_at=ago))
        connection.execute(text("UPDATE vehicle SET searched_at = '2001-01-01 00:00:00+00:00'"))
    payments.services.settlement_tracker.plan_missing()
    rows = [payments.row(each) for each in (one, another)]
    assert [row.state for row in rows] == [WAITING, WAITING]
    assert all(payments.clock() <= row.due_at <= payments.clock() + timedelta(days=2) for row in rows)
    payments.later(days=2)
    assert payments.searches(payments.round) == 1
    assert [payments.row(each).state for each in (one, another)] == [OPEN, OPEN]


def test_a_sweep_plans_no_check_of_links_that_the_stored_listing_shows_settled(payments):
    settled, waiting = payments.paid(), payments.paid()
    payments.source_learns(settled)
    payments.later(hours=3)
    payments.services.vehicle_search.refresh(RC, payments.clerk.person_id)
    with payments.services.store.write() as connection:
        connection.execute(delete(settlement))
    payments.services.settlement_tracker.plan_missing()
    assert payments.row(settled).state == SETTLED
    assert payments.row(waiting).state == WAITING
    payments.services.settlement_tracker.plan_missing()
    assert len(payments.history(settled, "settled")) == 2


def test_a_paid_link_of_an_unknown_vehicle_waits_for_a_person(payments):
    link_id = payments.paid()
    with payments.services.store.write() as connection:
        connection.execute(delete(settlement))
        connection.execute(delete(link_challan))
    payments.services.settlement_tracker.plan_missing()
    assert (payments.row(link_id).state, payments.row(link_id).due_at) == (OPEN, None)
    assert payments.discrepancy(link_id).facts == {"given_up": True}
    payments.later(minutes=5)
    payments.services.link_poller.refresh(link_id)  # This answer names the link's challans again.
    assert (payments.row(link_id).state, payments.discrepancy(link_id)) == (WAITING, None)


def test_a_link_paid_again_and_again_has_one_plan(payments):
    link_id = payments.paid()
    due_at = payments.row(link_id).due_at
    payments.levers.set_link(link_id, status="ACTIVE")
    payments.services.link_poller.refresh(link_id)
    payments.levers.pay(link_id)
    payments.services.link_poller.refresh(link_id)
    assert payments.row(link_id).due_at == due_at
