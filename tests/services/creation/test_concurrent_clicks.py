"""Test two concurrent clicks whose searches end differently: both lead to one intent, and neither says "not sent"."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from dashboard.errors import Unreachable
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.engine import Store
from dashboard.upstream import SecretSource, ServiceClient, ServiceConfig
from tests.conftest import CANARY
from tests.support.clock import MovableClock
from tests.support.ledger_fixtures import RC, add_staff_member
from tests.support.levers import Levers
from tests.support.staff_member import StaffMember
from tests.support.waiting import until

pytestmark = pytest.mark.databases


@pytest.fixture
def services(levers: Levers, ledger: Store, clock: MovableClock, tmp_path: Path) -> Iterator[Services]:
    """Build services that wait for a search for at most a second."""
    config = ServiceConfig(levers.base_url, SecretSource.literal(CANARY), search_deadline=4.0)
    with ServiceClient(config) as client:
        yield Services(ledger, client, clock, Schedule(), UnrecordedLinks(tmp_path / "spool"))


@pytest.fixture
def clerk(services: Services) -> StaffMember:
    return add_staff_member(services, "Asha")


def due_for_a_search(clerk: StaffMember, clock: MovableClock) -> list[str]:
    """Search the vehicle so long ago that a creation searches it again; return its payable challans."""
    clerk.search(RC)
    chosen = clerk.payable(RC)
    clock.advance(minutes=16)
    return chosen


def received(levers: Levers, searches: int) -> None:
    until(lambda: levers.count("search") >= searches, "no search has come")


def test_a_click_whose_own_search_failed_leads_to_what_the_other_click_sent(
    clerk: StaffMember, levers: Levers, clock: MovableClock
) -> None:
    chosen, key = due_for_a_search(clerk, clock), secrets.token_hex(16)
    levers.fault("search", "delay", seconds=8)
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(clerk.create, RC, chosen, key=key)
        received(levers, 2)
        row = clerk.create(RC, chosen, key=key)
        assert row.state == "CREATED"
        assert slow.result(30).id == row.id
    assert levers.count("create_link") == 1


def test_a_second_click_that_is_refused_while_the_first_still_searches_leads_to_what_the_first_sent(
    clerk: StaffMember, levers: Levers, clock: MovableClock
) -> None:
    chosen, key = due_for_a_search(clerk, clock), secrets.token_hex(16)
    levers.fault("search", "delay", seconds=2)
    levers.fault("search", "status", status=400)
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(clerk.create, RC, chosen, key=key)
        received(levers, 2)
        second = clerk.create(RC, chosen, key=key)
        assert first.result(30).id == second.id
    assert clerk.intent(second.id).state == "CREATED"
    assert levers.count("create_link") == 1


def test_a_click_whose_search_failed_alone_says_so(clerk: StaffMember, levers: Levers, clock: MovableClock) -> None:
    chosen = due_for_a_search(clerk, clock)
    levers.fault("search", "delay", seconds=8)
    with pytest.raises(Unreachable):
        clerk.create(RC, chosen)
    assert levers.count("create_link") == 0
