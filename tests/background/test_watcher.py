"""Test the watcher with many links: one budget for all processes, a fair share for each, and isolated bad rows."""

from __future__ import annotations

import random
import threading
from collections import Counter as Tally
from contextlib import suppress
from datetime import timedelta
from decimal import InvalidOperation
from itertools import pairwise

import pytest
from sqlalchemy import insert, text, update

from dashboard.background.watcher import Watcher
from dashboard.errors import SecretRejected
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.creation.intents import intent
from dashboard.store.links import due_links
from dashboard.store.links.tables import link, link_challan
from tests.conftest import CANARY
from tests.support.ledger_fixtures import RC

SECOND = timedelta(seconds=1)


def name_of(number):
    return f"00000000-0000-4000-8000-{number:012}"


@pytest.fixture
def services_with(services, tmp_path):
    """Return a function that builds services over the same store with a schedule of the test's own."""

    def make(**pace):
        return Services(
            services.store,
            services.vehicle_search.client,
            services.clock,
            Schedule(**pace),
            UnrecordedLinks(tmp_path / "services_with"),
        )

    return make


@pytest.fixture
def links_due(services):
    """Return a function that enters overdue links, of which `watched` are open on a page."""

    def enter(count, *, watched=0, first=0, overdue=60 * SECOND):
        now = services.clock()
        usual = {"rc": "MH12AB9999", "status": "ACTIVE", "modes": [], "detailed": False}
        usual |= {"origin": "observed", "version": 1}
        rows = [
            {
                **usual,
                "id": name_of(first + number),
                "status_since": now,
                "first_seen_at": now,
                "next_check_at": now - overdue + number * timedelta(milliseconds=1),
                "watched_at": now if number < watched else None,
            }
            for number in range(count)
        ]
        with services.store.write() as connection:
            connection.execute(insert(link), rows)
        return [row["id"] for row in rows]

    return enter


def defer(store, link_ids, now):
    """Release the links' leases and make them due again at once, as after their answers."""
    with store.write() as connection:
        due_links.release(connection, link_ids)
        connection.execute(update(link).where(link.c.id.in_(link_ids)).values(next_check_at=now))


# The budget


@pytest.mark.databases
def test_the_calls_of_a_second_are_shared_by_all_processes(services_with, links_due, clock):
    links_due(60)
    one, another = (services_with(calls_per_second=6, calls_in_flight=60) for _ in range(2))
    for _ in range(3):
        taken = [*one.link_poller.claim_due(4), *another.link_poller.claim_due(50), *one.link_poller.claim_due(50)]
        assert len(taken) == len(set(taken)) == 6
        clock.advance(seconds=1)
    clock.advance(seconds=30)
    assert len(one.link_poller.claim_due(50)) == 6, "what was not used is not saved up for longer than a second"


def test_a_slow_budget_lets_one_call_through_at_a_time(services_with, links_due, clock):
    links_due(5)
    slow = services_with(calls_per_second=0.2)
    assert len(slow.link_poller.claim_due(50)) == 1
    clock.advance(seconds=4)
    assert slow.link_poller.claim_due(50) == []
    clock.advance(seconds=1)
    assert len(slow.link_poller.claim_due(50)) == 1


@pytest.mark.databases
def test_the_calls_under_way_are_counted_in_all_processes(services_with, links_due, clock):
    links_due(20)
    one, another = (services_with(calls_per_second=100, calls_in_flight=5) for _ in range(2))
    taken = one.link_poller.claim_due(3) + another.link_poller.claim_due(20)
    assert len(taken) == 5
    clock.advance(seconds=2)
    assert one.link_poller.claim_due(20) == []
    one.link_poller.release_leases(taken[:2])
    assert len(another.link_poller.claim_due(20)) == 2


def test_what_a_killed_process_had_under_way_is_taken_over_when_its_lease_ends(services_with, links_due, clock):
    ids = links_due(3)
    killed, survivor = services_with(), services_with()
    assert sorted(killed.link_poller.claim_due(20)) == ids
    clock.advance(seconds=12)
    assert survivor.link_poller.claim_due(20) == []
    clock.advance(seconds=2)
    assert sorted(survivor.link_poller.claim_due(20)) == ids


def test_looks_use_the_budget_and_do_not_wait_for_it(services_with, clerk, levers, links_due, clock):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, clerk.payable(RC))
    links_due(20)
    clock.advance(seconds=4)
    busy = services_with(calls_per_second=3)
    assert len(busy.link_poller.claim_due(20)) == 3
    assert busy.outcome_resolver.claim_due(2) == [row.id]
    clock.advance(seconds=1)
    assert len(busy.link_poller.claim_due(20)) == 2, "the look has used one of the three"


# Fair shares


@pytest.mark.databases
def test_watched_links_go_first_and_the_others_get_their_share(services_with, links_due, clock, services):
    """Exceed the budget: 30 watched links and 30 others are due all the time."""
    ids = links_due(60, watched=30)
    watched, others = set(ids[:30]), set(ids[30:])
    busy = services_with(calls_per_second=4, calls_in_flight=60)
    asked = Tally()
    random.seed(1)  # Without a seed, the share is out of bounds by chance once in three thousand runs.
    for _ in range(120):
        taken = busy.link_poller.claim_due(16)
        asked.update(taken)
        defer(services.store, taken, clock())
        clock.advance(milliseconds=250)
        with services.store.write() as connection:
            connection.execute(update(link).where(link.c.id.in_(watched)).values(watched_at=clock()))
    share = sum(asked[item] for item in others) / asked.total()
    assert 0.12 <= share <= 0.4, f"a quarter is theirs, and they got {share:.0%}"
    assert asked.total() == pytest.approx(120, abs=5)
    for group, most_apart in ((watched, 1), (others, 1)):
        times = [asked[item] for item in group]
        assert max(times) - min(times) <= most_apart, "among themselves they take turns"


def test_places_that_the_watched_do_not_need_go_to_the_others(services_with, links_due):
    links_due(30, watched=2)
    assert len(services_with().link_poller.claim_due(16)) == 16


def test_places_that_the_others_do_not_need_go_to_the_watched(services_with, links_due):
    links_due(30, watched=29)
    assert len(services_with().link_poller.claim_due(16)) == 16


# Bad rows


@pytest.fixture
def two(clerk):
    """Create two links at the service and return their ids."""
    clerk.search(RC)
    first, second = clerk.payable(RC)[:2]
    return clerk.create(RC, [first]).link_id, clerk.create(RC, [second]).link_id


def poison(store, link_id, amount="not a number"):
    """Make a stored challan of the link unreadable, so that no answer about the link can be recorded."""
    broken = update(link_challan).where(link_challan.c.link_id == link_id)
    with store.write() as connection:
        connection.execute(broken.values(challan_amount=text(f"'{amount}'")))


def rounds(services_with, clock, seconds, tick=1):
    """Poll due links as a worker does for so many seconds; return the moments of each link's polls."""
    asked = {}
    for passed in range(0, seconds, tick):
        for link_id in services_with.link_poller.claim_due(16):
            asked.setdefault(link_id, []).append(passed)
            with suppress(InvalidOperation):  # The watcher logs it.
                services_with.link_poller.poll_claimed(link_id)
        clock.advance(seconds=tick)
    return asked


@pytest.mark.databases
def test_a_poisoned_link_stops_no_other_and_is_left_alone_longer_each_time(clerk, services, clock, two):
    poisoned, sound = two
    poison(services.store, poisoned)
    asked = rounds(services, clock, 1200, tick=5)
    pauses = [later - earlier for earlier, later in pairwise(asked[poisoned])]
    assert 4 <= len(asked[poisoned]) <= 9
    assert pauses == sorted(pauses)
    assert pauses[-1] > 10 * pauses[0]
    assert len(asked[sound]) > 50
    assert clerk.link(sound).failure is None


def test_a_mended_link_is_followed_as_before(clerk, services, clock, two):
    poisoned, _ = two
    poison(services.store, poisoned)
    rounds(services, clock, 120, tick=5)
    with services.store.read() as connection:
        row = connection.execute(link.select().where(link.c.id == poisoned)).one()
    assert row.failure == "Fault"
    assert row.failures >= 2
    poison(services.store, poisoned, "500")
    rounds(services, clock, 300, tick=5)
    row = clerk.link(poisoned)
    assert (row.failure, row.failures) == (None, 0)
    assert row.next_check_at - clock() < timedelta(seconds=20)


def test_a_poisoned_link_is_not_asked_for_more_because_somebody_watches(clerk, services, clock, two):
    poisoned, _ = two
    poison(services.store, poisoned)
    asked = Tally()
    for _ in range(200):
        services.link_poller.mark_watched(poisoned)
        asked.update(rounds(services, clock, 3, tick=3).keys())
    assert asked[poisoned] <= 8


def test_a_link_whose_checks_fail_is_asked_for_ever_more_seldom(clerk, services, levers, clock, two):
    """Let the service answer unreadably for one of two links."""
    failing, sound = two
    levers.set_link(failing, raw={"id": None})
    asked = rounds(services, clock, 1200, tick=5)
    assert 4 <= len(asked[failing]) <= 9
    assert len(asked[sound]) > 50
    levers.set_link(failing, raw=None)
    clock.advance(hours=1)
    rounds(services, clock, 60, tick=5)
    assert clerk.link(failing).failures == 0


def test_a_watched_link_whose_checks_fail_is_tried_every_half_minute(services, levers, clock, two):
    failing, _ = two
    levers.set_link(failing, raw={"id": None})
    asked = []
    for passed in range(0, 600, 3):
        services.link_poller.mark_watched(failing)
        asked += [passed for link_id in rounds(services, clock, 3, tick=3) if link_id == failing]
    assert 15 <= len(asked) <= 40


@pytest.fixture
def unclear(clerk, levers):
    """Create requests for two vehicles whose links are created and whose answers are lost."""
    levers.add_vehicle("MH12AB1002", [{"challanNo": "MH2000"}])
    levers.fault("create_link", "cut", when="after", count=2)
    found = []
    for rc in (RC, "MH12AB1002"):
        clerk.search(rc)
        found.append(clerk.create(rc, clerk.payable(rc)))
    return found


def test_a_poisoned_request_stops_no_other_and_is_looked_at_later(clerk, services, clock, unclear):
    poisoned, sound = unclear
    with services.store.write() as connection:
        connection.execute(update(intent).where(intent.c.id == poisoned.id).values(challan_ids=5))
    clock.advance(seconds=4)
    looked = []
    for _ in range(240):
        for intent_id in services.outcome_resolver.claim_due(2):
            looked.append(intent_id)
            if intent_id == poisoned.id:
                with pytest.raises(TypeError):
                    services.outcome_resolver.resolve(intent_id)
            else:
                services.outcome_resolver.resolve(intent_id)
        clock.advance(seconds=15)
    assert clerk.intent(sound.id).state == "RECOVERED"
    row = clerk.intent(poisoned.id)
    assert (row.state, row.attempt_failure) == ("UNKNOWN", "Fault")
    assert looked.count(poisoned.id) <= 15
    with services.store.write() as connection:
        connection.execute(update(intent).where(intent.c.id == poisoned.id).values(challan_ids=poisoned.challan_ids))
    assert clerk.resolve(poisoned.id).state == "RECOVERED"


def test_a_request_that_cannot_be_settled_stops_no_other(clerk, services, clock, unclear):
    poisoned, left = unclear
    with services.store.write() as connection:
        for row, lease in ((poisoned, None), (left, clock())):
            values = {"state": "SENDING", "lease_until": lease}
            connection.execute(update(intent).where(intent.c.id == row.id).values(**values))
    services.outcome_resolver.sweep()
    assert clerk.intent(left.id).state == "UNKNOWN"
    assert clerk.intent(poisoned.id).state == "SENDING"


def test_a_bad_key_makes_at_most_four_calls_in_half_an_hour_whatever_is_due(
    clerk, services_with, services, levers, links_due, clock, unclear
):
    """Run two processes with links and resolve attempts always due, while people search."""
    links_due(20)
    levers.revoke_secret()
    levers.forget_calls()
    clock.advance(seconds=4)
    another = services_with()
    for _ in range(180):
        for each in (services, another):
            for intent_id in each.outcome_resolver.claim_due(2):
                each.outcome_resolver.resolve(intent_id)
            for link_id in each.link_poller.claim_due(16):
                each.link_poller.poll_claimed(link_id)
        with pytest.raises(SecretRejected):
            clerk.search(RC)
        clock.advance(seconds=10)
    assert 1 <= len(levers.calls()) <= 4
    levers.replace_secret(secret=CANARY)
    clock.advance(minutes=31)
    clerk.search(RC)
    assert {clerk.resolve(row.id).state for row in unclear} == {"RECOVERED"}
    assert len(services.link_poller.claim_due(16)) > 10


# The loop


def wait_for(condition, seconds=20):
    pause = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if condition():
            return
        pause.wait(0.02)
    raise AssertionError("it never came to that")


def test_a_stop_waits_for_the_calls_in_flight_and_keeps_what_they_bring(clerk, services, levers, clock, two):
    paid, _ = two
    levers.pay(paid)
    levers.fault("link_status", "delay", seconds=3, count=2)
    levers.forget_calls()
    clock.advance(seconds=60)
    watcher = Watcher(services)
    watcher.start()
    wait_for(lambda: all(clerk.link(item).lease_until for item in two))
    assert watcher.stop()
    assert clerk.link(paid).status == "PAID"
    assert {clerk.link(item).lease_until for item in two} == {None}
    calls = levers.count("link_status")
    clock.advance(hours=1)
    assert levers.count("link_status") == calls == 2


def test_a_stop_does_not_wait_for_ever_and_frees_what_it_leaves(clerk, services, levers, clock, two):
    levers.fault("link_status", "delay", seconds=4, count=2)
    clock.advance(seconds=60)
    watcher = Watcher(services)
    watcher.start()
    wait_for(lambda: all(clerk.link(item).lease_until for item in two))
    assert not watcher.stop(0.2)
    assert {clerk.link(item).lease_until for item in two} == {None}
    assert sorted(services.link_poller.claim_due(16)) == sorted(two), "others may ask at once"
    checked = {item: clerk.link(item).checked_at for item in two}
    wait_for(lambda: all(clerk.link(item).checked_at != checked[item] for item in two))
    assert {clerk.link(item).status for item in two} == {"ACTIVE"}, "a late answer does no harm"


def test_a_look_that_a_stop_leaves_is_due_for_others_at_once(clerk, services, levers, clock, unclear):
    levers.fault("search", "delay", seconds=3, count=2)
    clock.advance(seconds=4)
    watcher = Watcher(services)
    watcher.start()
    wait_for(lambda: all(clerk.intent(row.id).resolving_until for row in unclear))
    assert not watcher.stop(0.2)
    assert sorted(services.outcome_resolver.claim_due(5)) == sorted(row.id for row in unclear)
    wait_for(lambda: all(clerk.intent(row.id).state == "RECOVERED" for row in unclear))


def test_the_loop_goes_on_after_a_step_that_fails(clerk, services, levers, clock, two):
    """Rename a table that resolving needs for a while, and expect links to be polled all the same."""
    with services.store.write() as connection:
        connection.execute(text("ALTER TABLE intent_event RENAME TO away"))
        connection.execute(update(intent).values(state="SENDING", lease_until=clock() - SECOND))
    clock.advance(seconds=60)
    checked = {item: clerk.link(item).checked_at for item in two}
    watcher = Watcher(services)
    watcher.start()
    try:
        wait_for(lambda: all(clerk.link(item).checked_at != checked[item] for item in two))
    finally:
        assert watcher.stop()


def test_the_counts_of_calls_are_written_down_at_the_end(services, clock, two):
    clock.advance(seconds=60)
    watcher = Watcher(services)
    watcher.start()
    wait_for(lambda: not services.link_poller.claim_due(0) and services.call_policy.allowances._unwritten)
    watcher.stop()
    assert not services.call_policy.allowances._unwritten


@pytest.mark.databases
def test_a_step_that_waits_for_a_lock_holds_up_no_other(clerk, services, clock, two):
    """Lock the table of intents on PostgreSQL: links are polled while the step that needs it still waits."""
    if services.store.is_sqlite:
        pytest.skip("SQLite has no locks on tables")
    with services.store.write() as connection:
        connection.execute(update(intent).values(state="SENDING", lease_until=clock() - SECOND))
    clock.advance(seconds=60)
    checked = {item: clerk.link(item).checked_at for item in two}
    watcher = Watcher(services)
    with services.store.write() as console, services.store.read() as reader:
        console.execute(text("LOCK TABLE intent IN ACCESS EXCLUSIVE MODE"))
        waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'intent'::regclass")
        watcher.start()
        try:
            wait_for(lambda: reader.execute(waiting).scalar_one())
            wait_for(lambda: all(clerk.link(item).checked_at != checked[item] for item in two), seconds=4)
            assert reader.execute(waiting).scalar_one(), "the step that needs the table waits for it still"
        finally:
            console.rollback()
            assert watcher.stop()
