"""Test that the hour at which an allowance comes back is learned from a real 429 and a real return at the replica."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta

import pytest

from dashboard.domain.allowance_forecast import Certainty
from dashboard.domain.allowance_resets import INDIA, Reset
from dashboard.errors import AllowanceReserved, AllowanceSpent, CallGroup, Operation
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.operations import allowance_resets, call_counts, clock_checks
from dashboard.store.operations.allowance_resets import Known
from dashboard.store.operations.clock_checks import ClockCheck
from tests.support.ledger_fixtures import RC

SEARCH = Operation.SEARCH_CHALLANS


def at(text):
    """Return a moment in India, as in "21 20:05"."""
    return datetime.strptime(f"2026-11-{text}", "%Y-%m-%d %H:%M").replace(tzinfo=INDIA)


class Office:
    """Search at a replica whose day begins at some minute of ours."""

    def __init__(self, services, levers, clock, day_begins):
        self.services, self.levers, self.clock, self.day_begins = services, levers, clock, day_begins
        self.policy = services.call_policy

    def move(self, moment):
        self.clock.set(moment)
        self.levers.set_clock(at=(moment - self.day_begins).isoformat())

    def search(self, **how):
        return self.policy.call(SEARCH, lambda: self.services.vehicle_search.client.search_challans(RC), **how)

    def search_until(self, until):
        """Search in each minute in which a call may be made; return when one was, and whether the last was granted."""
        made, now = [], self.clock()
        while now < until:
            if self.policy.room(SEARCH, resolving=True) != 0:
                self.move(now)
                made.append(now)
                try:
                    self.search(resolving=True)
                    return made, True
                except AllowanceSpent:
                    pass
            now += timedelta(minutes=1)
            self.clock.set(now)
        return made, False

    def spend(self, times):
        """Use up searches of the replica's day, and count them."""
        for _ in range(times):
            self.search(resolving=True)

    def forecast(self, calls=1):
        self.policy.allowances.write_counts()
        return self.services.allowance_planner.forecast(CallGroup.SEARCH, calls)

    def reset(self):
        return self.policy.allowances.reset(SEARCH)

    def know(self, reset):
        with self.services.store.write() as connection:
            allowance_resets.find_locked(connection, "search")
            allowance_resets.save(connection, "search", Known(reset))


@pytest.fixture
def office(services, levers, clock, request):
    """Open at nine in the morning, with an allowance of 30 searches a day."""
    office = Office(services, levers, clock, getattr(request, "param", timedelta()))
    levers.set_organization(searchAllowance=30)
    office.move(at("21 09:00"))
    return office


def times(moments):
    return [f"{moment.astimezone(INDIA):%H:%M}" for moment in moments]


@pytest.mark.databases
def test_a_return_at_midnight_is_seen_and_the_size_is_kept(office):
    office.spend(30)
    assert office.forecast().certainty is Certainty.ASSUMED
    made, granted = office.search_until(at("22 09:00"))
    assert granted
    assert times(made[-3:]) == ["22:51", "23:51", "00:00"]
    assert len(made) == 20, "hourly, after a few tries at first"
    forecast = office.forecast()
    assert (forecast.used, forecast.learned, forecast.certainty) == (1, 30, Certainty.SEEN)
    assert forecast.seen_at == at("22 00:00")
    assert forecast.back_from == at("22 23:50")
    assert forecast.back_at == at("23 00:05")


@pytest.mark.databases
@pytest.mark.parametrize("office", [timedelta(hours=11, minutes=20)], indirect=True)
def test_the_day_of_a_count_begins_at_the_hour_that_was_seen(office):
    office.spend(30)
    made, granted = office.search_until(at("21 20:00"))
    assert granted
    assert times(made) == ["09:00", "09:01", "09:06", "09:21", "09:51", "10:51", "11:51"]
    assert office.forecast().used == 1, "the calls of the morning are of the day before"
    assert (office.reset().after, office.reset().by) == (10 * 60 + 50, 11 * 60 + 55)
    assert office.forecast().learned is None, "they were counted from midnight, so they are the size of no day"

    office.move(at("21 18:00"))
    office.spend(29)
    made, granted = office.search_until(at("22 12:00"))
    assert granted
    assert times(made[-3:]) == ["09:51", "10:51", "11:23"], "once amid the minutes of the return"
    assert (office.reset().after, office.reset().by) == (10 * 60 + 50, 11 * 60 + 25)
    forecast = office.forecast()
    assert (forecast.used, forecast.learned, forecast.certainty) == (1, 30, Certainty.CONFIRMED)


@pytest.mark.parametrize("office", [timedelta(hours=11, minutes=20)], indirect=True)
def test_a_refusal_is_shown_until_the_allowance_comes_back(office):
    office.know(Reset(11 * 60, 11 * 60 + 30, 3, at("20 11:20")))
    office.move(at("21 20:00"))
    office.spend(30)
    with pytest.raises(AllowanceSpent):
        office.search()
    office.move(at("22 10:59"))
    assert [block.scope for block in office.policy.active_blocks()] == ["allowance:Challan Search"]
    office.move(at("22 11:00"))
    assert office.policy.active_blocks() == []


@pytest.mark.databases
def test_an_hour_is_forgotten_when_the_allowance_does_not_come_back_then(office):
    office.know(Reset(11 * 60, 11 * 60 + 30, 3, at("20 11:20")))
    office.spend(30)
    made, granted = office.search_until(at("21 13:00"))
    assert not granted
    assert office.reset() is None
    assert office.forecast().certainty is Certainty.ASSUMED
    assert {"11:15", "11:30"} <= set(times(made)), "both tries of the return"


def test_an_allowance_that_was_raised_shows_no_return(office, levers):
    """Learn no hour from a call that was granted because an administrator had more allowed, and tried again."""
    office.spend(30)
    office.search_until(at("21 11:00"))
    levers.set_organization(searchAllowance=90)
    office.policy.try_again()
    office.search()
    assert office.reset() is None


def test_a_step_of_a_clock_shows_no_return(office, services):
    office.spend(30)
    office.search_until(at("21 11:00"))
    with services.store.write() as connection:
        clock_checks.save(connection, ClockCheck("mumbai-1", at("21 10:00"), 0.0, 0.0, at("21 10:00"), 4000.0))
    office.search_until(at("22 01:00"))
    assert office.reset() is None


@pytest.mark.databases
@pytest.mark.parametrize("office", [timedelta(hours=11, minutes=20)], indirect=True)
def test_processes_that_are_granted_at_once_begin_one_day(office, tmp_path):
    office.spend(30)
    office.search_until(at("21 11:00"))
    office.move(at("21 11:51"))
    others = Services(
        office.services.store,
        office.services.vehicle_search.client,
        office.clock,
        Schedule(),
        UnrecordedLinks(tmp_path / "others"),
    )
    second = Office(others, office.levers, office.clock, office.day_begins)

    def search(each):
        try:
            each.search(resolving=True)
        except AllowanceSpent:  # The other one has the try.
            return 0
        return 1

    with ThreadPoolExecutor(2) as pool:
        granted = sum(pool.map(search, (office, second)))
    assert granted >= 1
    assert office.forecast().used in (1, granted), "a call that was begun before the day counts for either"
    assert office.reset().days == 1


def test_bulk_work_leaves_alone_what_is_left_of_yesterday_until_the_allowance_is_back(office, services):
    office.know(Reset(11 * 60, 12 * 60, 3, at("20 11:20")))
    with services.store.write() as connection:
        call_counts.add(connection, "2026-11-20", "search", 75)
        call_counts.record(connection, "2026-11-20", "search", refused_after=100, refused_at=at("20 20:00"))
    allowances = office.policy.allowances
    for moment in ("21 10:59", "21 11:00", "21 11:59"):
        office.move(at(moment))
        with pytest.raises(AllowanceReserved) as refused:
            allowances.spend(SEARCH, bulk=True)
        assert office.clock() + timedelta(seconds=refused.value.retry_after) == at("21 12:00")
        assert office.forecast().back_at == at("21 12:00")
    office.move(at("21 12:00"))
    allowances.spend(SEARCH, bulk=True)
    assert office.forecast(500).fits == 74
