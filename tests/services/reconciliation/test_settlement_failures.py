"""Test that no settlement check is lost: by crashes, by many workers, by failing vehicles and without a plan."""

from __future__ import annotations

import threading
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import delete, text, update

from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.store.links.tables import link, link_challan
from dashboard.store.reconciliation.settlements import settlement
from dashboard.store.vehicles import vehicles
from tests.services.reconciliation.conftest import UNATTENDED
from tests.services.reconciliation.payments import OPEN, SETTLED, WAITING
from tests.support.ledger_fixtures import RC

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
