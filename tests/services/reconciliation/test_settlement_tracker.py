"""After a payment the vehicle is looked at, slowly, until its challans are seen settled; each look is one search."""

from __future__ import annotations

import threading
from datetime import timedelta
from itertools import pairwise

import pytest
from sqlalchemy import delete, text, update

from dashboard.domain.settlements import SettlementState
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.links import links
from dashboard.store.links.tables import link, link_challan
from dashboard.store.operations import call_counts
from dashboard.store.reconciliation import discrepancies, settlements
from dashboard.store.reconciliation.settlements import settlement
from dashboard.store.vehicles import vehicles
from tests.support.ledger_fixtures import RC

HOUR = timedelta(hours=1)
WAITING, SETTLED, OPEN = SettlementState


class Payments:
    """Links that are made and paid, and the clocks of both sides."""

    def __init__(self, counter, levers, clock):
        self.counter, self.levers, self.clock = counter, levers, clock
        self.services = counter.services
        levers.switch(paid_lag_seconds=10**6)

    def made(self, count=1, rc=RC):
        self.counter.search(rc)
        return self.counter.create(rc, self.counter.payable(rc)[:count]).link_id

    def paid(self, count=1, rc=RC):
        """A link that was just seen PAID, while the source knows nothing of it yet."""
        link_id = self.made(count, rc)
        self.levers.pay(link_id)
        self.services.link_poller.refresh(link_id)
        assert self.counter.link(link_id).status == "PAID"
        return link_id

    def later(self, **span):
        self.clock.advance(**span)
        self.levers.advance(timedelta(**span).total_seconds())

    def source_learns(self, link_id, status="PAID"):
        for item in self.levers.link(link_id)["challans"]:
            self.levers.set_challan(item["id"], status=status)

    def row(self, link_id):
        with self.services.store.read() as connection:
            return settlements.find(connection, link_id)

    def finding(self, link_id, kind="unsettled"):
        with self.services.store.read() as connection:
            return discrepancies.of_link(connection, link_id).get(kind)

    def waiting(self):
        """How many paid links wait for the first look, and how many for another as the last one was unclear."""
        with self.services.store.read() as connection:
            return settlements.not_looked_at(connection), settlements.unclear(connection)

    def history(self, link_id, kind):
        with self.services.store.read() as connection:
            return [event.new for event in links.events_of(connection, link_id) if event.kind == kind]

    def searches(self, act):
        """How many searches an act makes."""
        before = self.levers.count("search")
        act()
        return self.levers.count("search") - before

    def round(self, services=None):
        """What a worker does when it comes by; how many vehicles were looked at."""
        services = services or self.services
        taken = services.settlement_tracker.take_due(5)
        for link_id in taken:
            services.settlement_tracker.look(link_id)
        return len(taken)

    def to_the_next_look(self, link_id):
        """Move on to when the link's vehicle is due, and look."""
        due_at = self.row(link_id).due_at
        self.later(seconds=max(0.0, (due_at - self.clock()).total_seconds()))
        assert self.round() == 1


@pytest.fixture
def payments(counter, levers, clock):
    return Payments(counter, levers, clock)


# The plan


def test_the_first_look_is_an_hour_after_the_payment(payments):
    link_id = payments.paid()
    row = payments.row(link_id)
    assert (row.state, row.rc, row.tries, row.seen_at) == (WAITING, RC, 0, None)
    assert 0.8 * HOUR <= row.due_at - row.since <= 1.2 * HOUR
    assert payments.searches(payments.round) == 0
    assert payments.finding(link_id) is None, "nothing has been seen yet"
    assert payments.waiting() == (1, 0)


def test_a_link_that_is_not_paid_is_not_looked_for(payments):
    assert payments.row(payments.made()) is None


def test_challans_seen_settled_end_the_looks(payments):
    link_id = payments.paid(2)
    payments.source_learns(link_id)
    payments.to_the_next_look(link_id)
    row = payments.row(link_id)
    assert (row.state, row.due_at, row.tries) == (SETTLED, None, 1)
    assert [(each["status"], each["listed"], each["link_status"]) for each in row.raw] == [("PAID", True, "PAID")] * 2
    numbers = [each["challan_no"] for each in row.raw]
    assert payments.history(link_id, "settled") == [f"{numbers[0]} PAID, {numbers[1]} PAID"]
    payments.later(days=30)
    assert payments.searches(payments.round) == 0


def test_each_look_is_a_search_at_the_source(payments):
    link_id = payments.paid()
    calls = len(payments.levers.calls("search"))
    payments.to_the_next_look(link_id)
    [call] = payments.levers.calls("search")[calls:]
    assert '"bypassCache":true' in call["body"].replace(" ", "")


def test_a_fine_that_stays_listed_is_looked_for_six_times_and_then_given_up(payments):
    link_id = payments.paid()
    paid_at = payments.row(link_id).since
    moments = []
    while payments.row(link_id).due_at is not None:
        payments.to_the_next_look(link_id)
        moments.append((payments.clock() - paid_at) / HOUR)
    assert moments == [pytest.approx(after, rel=0.21) for after in (1, 6, 24, 48, 96, 168)]
    assert moments[-1] >= 168, "never given up before the last look"
    row = payments.row(link_id)
    assert (row.state, row.tries) == (OPEN, 6)
    assert [each["status"] for each in row.raw] == ["PENDING"]
    assert payments.history(link_id, "still_open") == [f"{row.raw[0]['challan_no']} PENDING"]
    assert payments.finding(link_id).facts == {"given_up": True}


def test_what_is_still_listed_is_found_at_the_first_look_and_forgotten_when_it_is_settled(payments):
    link_id = payments.paid()
    payments.to_the_next_look(link_id)
    assert payments.finding(link_id).facts == {"given_up": False}
    payments.source_learns(link_id, "DISPOSED")
    payments.to_the_next_look(link_id)
    assert payments.row(link_id).state == SETTLED
    assert payments.finding(link_id) is None


def test_a_challan_that_is_no_longer_listed_counts_as_settled(payments):
    link_id = payments.paid()
    payments.levers.set_challan(payments.levers.link(link_id)["challans"][0]["id"], gone=True)
    payments.to_the_next_look(link_id)
    assert payments.row(link_id).state == SETTLED
    assert [each["listed"] for each in payments.row(link_id).raw] == [False]


def test_a_challan_among_unreadable_records_is_not_called_settled(payments):
    link_id = payments.paid()
    item = payments.levers.link(link_id)["challans"][0]["id"]
    payments.levers.set_challan(item, raw={"id": None, "challanNo": None})
    payments.to_the_next_look(link_id)
    assert payments.row(link_id).state == WAITING
    assert payments.finding(link_id) is None, "it is not seen payable either"
    assert payments.waiting() == (0, 1)
    payments.levers.set_challan(item, raw=None)
    payments.to_the_next_look(link_id)
    assert payments.finding(link_id) is not None
    assert payments.waiting() == (0, 0), "it stands among what was found"


def test_one_search_is_for_all_links_of_a_vehicle(payments):
    one, another = payments.paid(), payments.paid(2)
    payments.source_learns(one)
    payments.later(hours=1.3)
    assert payments.searches(payments.round) == 1
    assert [payments.row(each).state for each in (one, another)] == [SETTLED, WAITING]
    assert payments.row(another).tries == 1


# Searches that people make


def test_a_refresh_by_a_person_is_a_look_as_well(payments):
    link_id = payments.paid()
    payments.later(minutes=55)
    payments.services.vehicle_search.refresh(RC, payments.counter.person_id)
    row = payments.row(link_id)
    assert (row.tries, row.seen_at) == (1, payments.clock())
    assert row.due_at - row.since > 4 * HOUR, "the look after an hour is not made again five minutes later"


def test_a_search_from_the_cache_can_show_them_settled_and_proves_nothing_else(payments):
    one, another = payments.paid(), payments.paid()
    payments.levers.set_challan(payments.levers.link(one)["challans"][0]["id"], status="PAID", seen=True)
    payments.later(minutes=5)
    payments.counter.search(RC)
    assert payments.row(one).state == SETTLED
    row = payments.row(another)
    assert (row.state, row.tries, row.seen_at) == (WAITING, 0, None)
    assert payments.finding(another) is None


def test_a_search_after_the_looks_were_given_up_still_settles(payments):
    link_id = payments.paid()
    payments.later(days=8)
    payments.round()
    assert payments.row(link_id).state == OPEN
    payments.source_learns(link_id)
    payments.services.vehicle_search.refresh(RC, payments.counter.person_id)
    assert payments.row(link_id).state == SETTLED
    assert payments.finding(link_id) is None


def test_a_fine_that_comes_back_after_it_was_settled_is_found(payments):
    link_id = payments.paid()
    payments.source_learns(link_id)
    payments.to_the_next_look(link_id)
    payments.source_learns(link_id, "PENDING")
    payments.counter.search(RC)
    assert payments.row(link_id).state == SETTLED, "the cache tells of the time before"
    payments.services.vehicle_search.refresh(RC, payments.counter.person_id)
    assert payments.row(link_id).state == OPEN
    assert payments.finding(link_id) is not None


def test_while_a_colleague_refreshes_the_look_waits(payments, clock):
    link_id = payments.paid()
    payments.later(hours=2)
    with payments.services.store.write() as connection:
        until = clock() + timedelta(seconds=57)
        assert vehicles.take_refresh(connection, RC, payments.counter.person_id, clock(), until)
    assert payments.searches(payments.round) == 0
    assert payments.row(link_id).failures == 0
    payments.later(minutes=2)
    assert payments.searches(payments.round) == 1


# Within the gate, the budget and the allowance


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
    assert payments.row(link_id).tries == 1


def test_what_a_vehicle_shows_is_not_spoilt_by_a_look_that_nobody_asked_for(payments):
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
    assert payments.row(link_id).tries == 1


def test_a_learned_allowance_of_creations_holds_back_no_search(payments, clock):
    payments.paid()
    payments.later(hours=2)
    day = f"{clock() + timedelta(hours=5, minutes=30):%Y-%m-%d}"
    payments.services.call_policy.allowances.write_counts()
    with payments.services.store.write() as connection:
        call_counts.find_locked(connection, day, "create")
        call_counts.record(connection, day, "create", refused_after=1, refused_at=clock())
    assert payments.round() == 1


def test_nothing_is_taken_while_the_budget_is_used_up(payments, tmp_path):
    payments.paid()
    payments.later(hours=2)
    client, clock = payments.services.vehicle_search.client, payments.clock
    slow = Services(
        payments.services.store, client, clock, Schedule(calls_per_second=0.1), UnrecordedLinks(tmp_path / "slow")
    )
    taken = slow.settlement_tracker.take_due(5)
    assert len(taken) == 1
    slow.settlement_tracker.let_go(taken)
    assert slow.settlement_tracker.take_due(5) == []
    payments.later(seconds=11)
    assert len(slow.settlement_tracker.take_due(5)) == 1


# Crashes, workers, poison


@pytest.mark.databases
def test_many_workers_make_one_search(payments, tmp_path):
    payments.paid(2)
    payments.later(hours=2)
    client = payments.services.vehicle_search.client
    desks = [
        Services(payments.services.store, client, payments.clock, Schedule(), UnrecordedLinks(tmp_path / str(number)))
        for number in range(4)
    ]
    start = threading.Barrier(len(desks))

    def work(services):
        start.wait()
        for _ in range(3):
            payments.round(services)

    threads = [threading.Thread(target=work, args=(services,)) for services in desks]

    def together():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    assert payments.searches(together) == 1


def test_what_a_killed_worker_had_claimed_is_due_again(payments):
    link_id = payments.paid()
    payments.later(hours=2)
    assert len(payments.services.settlement_tracker.take_due(5)) == 1  # And it is never heard of again.
    assert payments.services.settlement_tracker.take_due(5) == []
    payments.later(seconds=100)
    assert payments.round() == 1
    assert payments.row(link_id).tries == 1


def test_a_worker_that_stops_lets_its_claims_go(payments):
    payments.paid()
    payments.later(hours=2)
    payments.services.settlement_tracker.let_go(payments.services.settlement_tracker.take_due(5))
    assert len(payments.services.settlement_tracker.take_due(5)) == 1


def test_a_vehicle_that_fails_is_left_alone_longer_each_time_and_stops_no_other(payments):
    failing = payments.paid()
    other_rc = "KA05MN4321"
    payments.levers.add_vehicle(other_rc, [{"challanNo": "KA1"}])
    sound = payments.paid(rc=other_rc)
    payments.levers.delete_vehicle(RC)
    tries = []
    for _ in range(60):
        payments.later(hours=1)
        while payments.round():
            pass
        if payments.row(failing).failed_at not in [None, *tries]:
            tries.append(payments.row(failing).failed_at)
    assert payments.row(sound).tries >= 3
    pauses = [later - earlier for earlier, later in pairwise(tries)]
    assert 4 <= len(tries) <= 9
    assert pauses[-1] > 3 * pauses[0]
    assert payments.row(failing).failure == "Conflict"


def test_a_vehicle_that_cannot_be_searched_for_two_weeks_is_given_up(payments):
    link_id = payments.paid()
    payments.levers.delete_vehicle(RC)
    for _ in range(40):
        payments.later(days=0.5)
        payments.round()
    assert (payments.row(link_id).state, payments.row(link_id).due_at) == (OPEN, None)
    assert payments.finding(link_id).facts == {"given_up": True}
    assert payments.history(link_id, "still_open") == ["no look could be made"]


def test_a_vehicle_whose_listing_cannot_be_recorded_is_left_alone(payments):
    """What is stored of the vehicle can be read no more, so that no search of it can be entered."""
    link_id = payments.paid()
    with payments.services.store.write() as connection:
        connection.execute(text("UPDATE challan SET challan_amount = 'not a number'"))
    payments.later(hours=2)
    [taken] = payments.services.settlement_tracker.take_due(5)
    with pytest.raises(Exception, match=r"."):  # The watcher logs it.
        payments.services.settlement_tracker.look(taken)
    row = payments.row(link_id)
    assert (row.failure, row.failures) == ("Fault", 1)
    assert row.due_at > payments.clock()


@pytest.mark.databases
def test_a_poisoned_row_loses_no_search_of_its_vehicle(payments):
    link_id = payments.paid()
    with payments.services.store.write() as connection:
        connection.execute(text('UPDATE settlement SET tries = 2147483647, raw = \'{"no": "list"}\''))
    payments.later(hours=2)
    payments.services.vehicle_search.refresh(RC, payments.counter.person_id)
    with payments.services.store.read() as connection:
        assert vehicles.find(connection, RC).searched_at == payments.clock()
    assert payments.counter.link(link_id).status == "PAID"


# Links paid before


@pytest.mark.databases
def test_links_paid_before_are_entered_by_the_first_sweep_and_spread(payments):
    one, another = payments.paid(), payments.paid()
    with payments.services.store.write() as connection:
        connection.execute(delete(settlement))
        ago = payments.clock() - timedelta(days=90)
        connection.execute(update(link).where(link.c.id.in_([one, another])).values(paid_at=ago))
        connection.execute(text("UPDATE vehicle SET searched_at = '2001-01-01 00:00:00+00:00'"))
    payments.services.settlement_tracker.sweep()
    rows = [payments.row(each) for each in (one, another)]
    assert [row.state for row in rows] == [WAITING, WAITING]
    assert all(payments.clock() <= row.due_at <= payments.clock() + timedelta(days=2) for row in rows)
    payments.later(days=2)
    assert payments.searches(payments.round) == 1
    assert [payments.row(each).state for each in (one, another)] == [OPEN, OPEN]


def test_a_sweep_asks_nothing_of_what_the_last_listing_shows_settled(payments):
    settled, waiting = payments.paid(), payments.paid()
    payments.source_learns(settled)
    payments.later(hours=3)
    payments.services.vehicle_search.refresh(RC, payments.counter.person_id)
    with payments.services.store.write() as connection:
        connection.execute(delete(settlement))
    payments.services.settlement_tracker.sweep()
    assert payments.row(settled).state == SETTLED
    assert payments.row(waiting).state == WAITING
    payments.services.settlement_tracker.sweep()
    assert len(payments.history(settled, "settled")) == 2


def test_a_paid_link_of_an_unknown_vehicle_waits_for_a_person(payments):
    link_id = payments.paid()
    with payments.services.store.write() as connection:
        connection.execute(delete(settlement))
        connection.execute(delete(link_challan))
    payments.services.settlement_tracker.sweep()
    assert (payments.row(link_id).state, payments.row(link_id).due_at) == (OPEN, None)
    assert payments.finding(link_id).facts == {"given_up": True}
    payments.later(minutes=5)
    payments.services.link_poller.refresh(link_id)  # It names its challans again.
    assert (payments.row(link_id).state, payments.finding(link_id)) == (WAITING, None)


def test_a_link_paid_again_and_again_has_one_plan(payments):
    link_id = payments.paid()
    due_at = payments.row(link_id).due_at
    payments.levers.set_link(link_id, status="ACTIVE")
    payments.services.link_poller.refresh(link_id)
    payments.levers.pay(link_id)
    payments.services.link_poller.refresh(link_id)
    assert payments.row(link_id).due_at == due_at
