"""An intent's own link is recognized, whatever happened to it or to its challans before the next attempt."""

from __future__ import annotations

import pytest

from dashboard.upstream import ServiceClient
from tests.support.clock import MovableClock
from tests.support.ledger_fixtures import RC
from tests.support.levers import Levers
from tests.support.service_driver import Counter


@pytest.fixture
def chosen(counter: Counter) -> list[str]:
    counter.search(RC)
    return counter.payable(RC)[:2]


def lose_the_answer(counter: Counter, levers: Levers, chosen: list[str]) -> tuple[str, str]:
    """Return an intent whose answer was lost, and the link that it created."""
    levers.fault("create_link", "cut", when="after")
    row = counter.create(RC, chosen)
    assert row.state == "UNKNOWN"
    (made,) = levers.truth()["links"]
    return row.id, made["id"]


def make_elsewhere(elsewhere: ServiceClient, chosen: list[str]) -> str:
    return elsewhere.create_payment_link(RC, chosen, expiry_hours=33, before_send=lambda: None).id


def assert_is_own(counter: Counter, request_id: str, link_id: str) -> None:
    row = counter.intent(request_id)
    assert (row.state, row.link_id) == ("RECOVERED", link_id)
    assert counter.link(link_id).origin == "recovered"


@pytest.mark.parametrize("read", [True, False])
def test_a_link_observed_before_it_ended_is_found_under_one_created_elsewhere(
    counter: Counter, levers: Levers, elsewhere: ServiceClient, chosen: list[str], read: bool
) -> None:
    request_id, link_id = lose_the_answer(counter, levers, chosen)
    counter.search(RC)
    if read:
        counter.services.link_poller.refresh(link_id)
    levers.fail(link_id)
    other = make_elsewhere(elsewhere, chosen)
    counter.resolve(request_id)
    assert_is_own(counter, request_id, link_id)
    assert counter.link(other).origin == "observed"
    assert not set(chosen) & set(counter.payable(RC))


def test_a_link_observed_before_it_ended_is_found_though_searches_no_longer_show_it(
    counter: Counter, levers: Levers, clock: MovableClock, chosen: list[str]
) -> None:
    levers.switch(ended_links_visible=False)
    request_id, link_id = lose_the_answer(counter, levers, chosen)
    counter.search(RC)
    levers.cancel(link_id)
    for seconds in (4, 30, 130):
        clock.advance(seconds=seconds)
        counter.resolve(request_id)
    assert_is_own(counter, request_id, link_id)
    assert counter.claimed(chosen) == set()


def test_a_link_observed_since_the_send_is_not_ours_when_its_challans_differ(
    counter: Counter, levers: Levers, elsewhere: ServiceClient, clock: MovableClock, chosen: list[str]
) -> None:
    levers.fault("create_link", "cut", when="before")
    row = counter.create(RC, chosen)
    make_elsewhere(elsewhere, counter.payable(RC)[-1:])
    counter.search(RC)
    for seconds in (4, 30, 130):
        clock.advance(seconds=seconds)
        counter.resolve(row.id)
    assert counter.intent(row.id).state == "NOT_CREATED"


def test_a_link_committed_late_is_found_though_another_came_and_went_before(
    counter: Counter, levers: Levers, elsewhere: ServiceClient, clock: MovableClock, chosen: list[str]
) -> None:
    levers.break_a4()
    row = counter.create(RC, chosen)
    other = make_elsewhere(elsewhere, chosen[:1])
    clock.advance(seconds=4)
    counter.resolve(row.id)
    assert counter.claimed(chosen) == set(chosen)
    levers.cancel(other)
    levers.commit_late()
    (made,) = (item["id"] for item in levers.truth()["links"] if item["id"] != other)
    for seconds in (30, 130):
        clock.advance(seconds=seconds)
        counter.resolve(row.id)
    assert_is_own(counter, row.id, made)


def test_after_the_commit_window_the_challans_on_another_link_are_named(
    counter: Counter, levers: Levers, elsewhere: ServiceClient, clock: MovableClock, chosen: list[str]
) -> None:
    levers.break_a4()
    row = counter.create(RC, chosen)
    other = make_elsewhere(elsewhere, chosen[:1])
    levers.drop_late()
    clock.advance(seconds=130)
    row = counter.resolve(row.id)
    assert (row.state, row.link_id) == ("ATTACHED", other)
    assert counter.claimed(chosen) == set(chosen[:1])
