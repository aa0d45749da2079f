"""Test what clocks that disagree or step do to proofs and plans (A8)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from dashboard.errors import AllowanceSpent, BreakerOpen, SecretRejected, ServiceError, ServiceNotEnabled
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.operations.block_clamps import clamp_blocks
from dashboard.services.schedule import Schedule
from dashboard.services.steady_clock import certainly_passed
from dashboard.store.creation.intents import intent
from dashboard.store.links.tables import link
from dashboard.store.operations import call_budget, clock_checks
from dashboard.store.operations.clock_checks import ClockCheck
from dashboard.store.reconciliation.settlements import settlement
from tests.support.clock import World
from tests.support.ledger_fixtures import RC
from tests.support.staff_member import StaffMember

SECOND = timedelta(seconds=1)


@pytest.fixture
def world():
    return World()


@pytest.fixture
def on_host(services, tmp_path):
    """Return a function that builds the services of a process with a clock, over the same store."""

    def build(clock):
        client = services.vehicle_search.client
        return Services(services.store, client, clock, Schedule(), UnrecordedLinks(tmp_path / "spool"))

    return build


# The clock of a process


def test_the_moments_of_hosts_agree_whatever_their_own_clocks_say(world):
    first, second = world.host(seconds=5), world.host(hours=-1)
    world.advance(seconds=100)
    assert first() == second() == world()


def test_a_step_back_takes_no_moment_back(world):
    clock = world.host()
    world.reference_off = timedelta(minutes=-1)
    before = clock()
    clock.compare()
    assert clock() >= before
    world.advance(seconds=20)
    assert clock() == before + 10 * SECOND, "at half the pace"
    clock.compare()
    world.advance(seconds=200)
    clock.compare()
    assert clock() == world.reference()


def test_a_step_ahead_is_followed_and_is_no_time_that_passed(world):
    clock = world.host()
    began = clock()
    world.advance(seconds=10)
    world.reference_off = timedelta(hours=1)
    clock.compare()
    assert clock() == world.reference()
    assert certainly_passed(clock, began, clock()) == 10 * SECOND
    world.advance(seconds=10)
    clock.compare()
    assert certainly_passed(clock, began, clock()) == 20 * SECOND


def test_of_a_moment_within_what_was_skipped_no_time_has_passed(world):
    """As with the end of a lease that was to come: the sender died, and the clock stepped past it."""
    clock = world.host()
    lease_until = clock() + 17 * SECOND
    world.reference_off = timedelta(hours=1)
    clock.compare()
    assert certainly_passed(clock, lease_until, clock()) == timedelta()
    assert clock.elapsed(lease_until, clock()) == timedelta()
    world.advance(seconds=10)
    assert certainly_passed(clock, lease_until, clock()) == 10 * SECOND


# Proofs


def test_five_seconds_of_skew_between_hosts_deny_no_link_of_ours(services, clerk, levers, world, on_host):
    sender = StaffMember(on_host(world.host(seconds=5)), clerk.person_id)
    worker = StaffMember(on_host(world.host(seconds=-5)), clerk.person_id)
    sender.search(RC)
    levers.fault("create_link", "cut", when="after")
    request = sender.create(RC, sender.payable(RC)[:2])
    assert request.state == "UNKNOWN"
    world.advance(seconds=3)
    found = worker.resolve(request.id)
    assert found.state == "RECOVERED"
    assert worker.link(found.link_id).person_id == clerk.person_id


@pytest.mark.parametrize("by", [timedelta(seconds=150), timedelta(hours=1)])
def test_a_step_ahead_between_two_attempts_proves_no_absence(clerk, levers, world, on_host, by):
    clock = world.host()
    asha = StaffMember(on_host(clock), clerk.person_id)
    asha.search(RC)
    levers.fault("create_link", "late", seconds=None)
    request = asha.create(RC, asha.payable(RC)[:2])
    world.advance(seconds=3)
    asha.resolve(request.id)
    world.reference_off = by
    clock.compare()
    world.advance(seconds=32)
    clock.compare()
    assert asha.resolve(request.id).state == "UNKNOWN", "35 s after the send the service may still commit"
    levers.commit_late()
    world.advance(seconds=30)
    assert asha.resolve(request.id).state == "RECOVERED"


def test_a_step_back_by_a_minute_hides_no_payment(clerk, levers, world, on_host):
    clock = world.host()
    asha = StaffMember(on_host(clock), clerk.person_id)
    asha.search(RC)
    link_id = asha.create(RC, asha.payable(RC)[:2]).link_id
    world.advance(seconds=30)
    levers.cancel(link_id)
    asha.services.link_poller.refresh(link_id)
    world.reference_off = timedelta(minutes=-1)
    clock.compare()
    later = StaffMember(on_host(world.host()), clerk.person_id)  # A process that starts by the clock that was put back.
    levers.set_link(link_id, status="PAID")
    later.services.link_poller.require_fresh(link_id)
    assert later.link(link_id).status == "PAID"


@pytest.mark.parametrize("by", [timedelta(minutes=-1), timedelta(hours=1)])
@pytest.mark.parametrize("after", [3, 35])
def test_our_link_is_recognized_whatever_the_clock_was_set_to(clerk, levers, world, on_host, by, after):
    clock = world.host()
    asha = StaffMember(on_host(clock), clerk.person_id)
    asha.search(RC)
    levers.fault("create_link", "cut", when="after")
    request = asha.create(RC, asha.payable(RC)[:2])
    world.reference_off = by
    clock.compare()
    for _ in range(after):
        world.advance(seconds=1)
        levers.advance(1)
        clock.compare()
    assert asha.resolve(request.id).state == "RECOVERED"


def test_a_link_from_elsewhere_is_not_ours_though_the_clock_was_set_ahead(clerk, levers, world, on_host, elsewhere):
    clock = world.host()
    asha = StaffMember(on_host(clock), clerk.person_id)
    asha.search(RC)
    chosen = asha.payable(RC)[:2]
    elsewhere.create_payment_link(RC, sorted(chosen), expiry_hours=48, before_send=lambda: None)
    for _ in range(20):
        world.advance(seconds=1)
        levers.advance(1)
    levers.fault("create_link", "cut")
    request = asha.create(RC, chosen)
    world.reference_off = timedelta(hours=1)
    clock.compare()
    world.advance(seconds=130)
    levers.advance(130)
    assert asha.resolve(request.id).state == "ATTACHED"


# Plans


def test_a_budget_that_was_used_up_an_hour_ahead_is_there_again_at_once(services, clock):
    with services.store.write() as connection:
        call_budget.use(connection, clock() + timedelta(hours=1), 20, 20)
    with services.store.write() as connection:
        assert call_budget.left(connection, clock(), 20, lock=True) >= 0
        call_budget.use(connection, clock(), 20, 1)
    clock.advance(seconds=2)
    with services.store.read() as connection:
        assert call_budget.left(connection, clock(), 20) == 20


@pytest.mark.databases
def test_leases_and_plans_from_an_hour_ahead_hold_nothing_up(services, clerk, clock, levers):
    clerk.search(RC)
    link_id = clerk.create(RC, clerk.payable(RC)[:2]).link_id
    levers.fault("create_link", "cut", when="after")
    request = clerk.create(RC, clerk.payable(RC)[:2])
    ahead = clock() + timedelta(hours=1)
    with services.store.write() as connection:
        connection.execute(update(link).values(lease_until=ahead, next_check_at=ahead))
        connection.execute(update(intent).values(next_check_at=ahead + SECOND, resolving_until=ahead + SECOND))
    services.link_poller.clamp_plans()
    services.outcome_resolver.clamp_plans()
    assert services.link_poller.claim_due(5) == [link_id]
    assert services.outcome_resolver.claim_due(5) == [request.id]
    assert clerk.resolve(request.id).state == "RECOVERED"


def test_a_send_that_was_leased_an_hour_ahead_is_resolved_within_its_own_time(services, clerk, clock, levers):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    request = clerk.create(RC, clerk.payable(RC)[:2])
    with services.store.write() as connection:
        connection.execute(update(intent).values(state="SENDING", lease_until=clock() + timedelta(hours=1)))
    services.outcome_resolver.sweep()
    assert clerk.intent(request.id).state == "SENDING"
    clock.advance(seconds=43)
    services.outcome_resolver.sweep()
    assert clerk.intent(request.id).state == "UNKNOWN"


def test_plans_of_ours_are_left_alone(services, clerk, clock, levers):
    clerk.search(RC)
    ours = clerk.create(RC, clerk.payable(RC)[:1]).link_id
    ended = clerk.create(RC, clerk.payable(RC)[:1]).link_id
    levers.cancel(ended)
    clock.advance(hours=8)
    for link_id in (ours, ended):
        services.link_poller.refresh(link_id)
    plans = select(link.c.id, link.c.next_check_at).order_by(link.c.id)
    with services.store.read() as connection:
        before = connection.execute(plans).all()
    services.link_poller.clamp_plans()
    with services.store.read() as connection:
        assert connection.execute(plans).all() == before


def test_a_plan_by_a_long_polling_interval_is_left_alone(services, clerk):
    clerk.search(RC)
    link_id = clerk.create(RC, clerk.payable(RC)[:1]).link_id
    poller = replace(services.link_poller, schedule=replace(services.schedule, poll=timedelta(hours=1)))
    poller.refresh(link_id)
    planned = clerk.link(link_id).next_check_at
    poller.clamp_plans()
    assert clerk.link(link_id).next_check_at == planned


def test_a_plan_that_others_made_while_the_plans_waited_to_be_looked_through_is_left_alone(services, clerk, clock):
    clerk.search(RC)
    link_id = clerk.create(RC, clerk.payable(RC)[:1]).link_id

    class BusyStore:
        """Let another process poll the link before the write transaction begins."""

        def write(self):
            clock.advance(minutes=10)
            services.link_poller.refresh(link_id)
            return services.store.write()

    replace(services.link_poller, store=BusyStore()).clamp_plans()
    assert clerk.link(link_id).next_check_at > clock()


def refuse_at(clock, levers, work, *, ahead):
    """Work while our clock is ahead, and set it right again."""
    clock.advance(hours=ahead)
    for _ in range(5):
        with suppress(ServiceError):
            work()
    clock.advance(hours=-ahead)
    levers.clear_faults()


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ({"kind": "status", "status": 500, "count": 9}, BreakerOpen),
        ({"kind": "status", "status": 401, "count": 9}, SecretRejected),
        ({"kind": "status", "status": 403, "count": 9}, ServiceNotEnabled),
        ({"kind": "status", "status": 429, "count": 9}, AllowanceSpent),
    ],
)
@pytest.mark.databases
def test_a_block_of_calls_from_two_hours_ahead_is_tried_at_once(services, clerk, clock, levers, fault, error):
    clerk.search(RC)
    levers.fault("search", **fault)
    refuse_at(clock, levers, lambda: clerk.search(RC), ahead=2)
    with pytest.raises(error):
        clerk.search(RC)
    clamp_blocks(services.store, clock())
    assert clerk.search(RC)
    assert services.call_policy.active_blocks() == []


@pytest.mark.parametrize("status", [500, 401, 403, 429])
def test_a_block_of_calls_of_ours_is_left_alone(services, clerk, clock, levers, status):
    clerk.search(RC)
    levers.fault("search", "status", status=status, count=9)
    refuse_at(clock, levers, lambda: clerk.search(RC), ahead=0)
    blocks = services.call_policy.active_blocks()
    assert blocks
    clamp_blocks(services.store, clock())
    assert services.call_policy.active_blocks() == blocks


@pytest.mark.databases
def test_a_settlement_check_from_a_month_ahead_is_made_at_once(services, clerk, clock, levers):
    clerk.search(RC)
    link_id = clerk.create(RC, clerk.payable(RC)[:2]).link_id
    levers.pay(link_id)
    services.link_poller.refresh(link_id)
    services.settlement_tracker.ask_for_all()
    services.settlement_tracker.clamp_plans()
    with services.store.write() as connection:
        asked = connection.execute(select(settlement.c.due_at)).scalar_one()
        assert asked is not None
        connection.execute(update(settlement).values(due_at=clock() + timedelta(days=31)))
    assert services.settlement_tracker.claim_due(5) == []
    services.settlement_tracker.clamp_plans()
    assert services.settlement_tracker.claim_due(5) == [link_id]


# Reporting


def checks(services):
    with services.store.read() as connection:
        return clock_checks.read_all(connection)


def test_a_process_stores_how_far_the_clocks_differ(services, world, on_host):
    process = on_host(world.host(seconds=-5))
    process.clocks.compare()
    (check,) = checks(services)
    assert check.database_ahead == pytest.approx(5)
    assert [each.host for each in process.clocks.broken()] == [check.host]
    world.advance(minutes=6)
    assert process.clocks.broken() == [], "a host that tells nothing any more is not told of"


def test_clocks_that_agree_are_nothing_to_tell(services, world, on_host):
    process = on_host(world.host(seconds=0.4))
    process.clocks.compare()
    assert process.clocks.broken() == []
    world.advance(seconds=120)
    process.clocks.compare()
    assert process.clocks.broken() == []


def test_a_step_of_a_hosts_clock_is_told_for_an_hour(services, world, on_host):
    off = [timedelta()]
    clock = world.host()
    clock._wall = lambda: world() + off[0]
    process = on_host(clock)
    process.clocks.compare()
    off[0] = timedelta(minutes=-1)
    world.advance(seconds=10)
    process.clocks.compare()
    (check,) = checks(services)
    assert check.stepped_by == pytest.approx(-60)


def test_the_services_clock_is_compared_as_well(services, world, on_host):
    process = on_host(world.host())
    object.__setattr__(process.clocks, "service_time", lambda: (world() + timedelta(seconds=40), 0.0))
    process.clocks.compare()
    (check,) = checks(services)
    assert check.service_ahead == pytest.approx(40.5)
    assert isinstance(process.clocks.broken()[0], ClockCheck)
