"""Test that an intent's own link is recognized after changes to the link or to its challans."""

from __future__ import annotations

import pytest

from dashboard.store.reconciliation import discrepancies
from dashboard.upstream import ServiceClient
from tests.support.clock import MovableClock
from tests.support.ledger_fixtures import RC
from tests.support.levers import Levers
from tests.support.staff_member import StaffMember


@pytest.fixture
def chosen(clerk: StaffMember) -> list[str]:
    clerk.search(RC)
    return clerk.payable(RC)[:2]


def lose_the_answer(clerk: StaffMember, levers: Levers, chosen: list[str]) -> tuple[str, str]:
    """Return an intent whose answer was lost, and the link that it created."""
    levers.fault("create_link", "cut", when="after")
    row = clerk.create(RC, chosen)
    assert row.state == "UNKNOWN"
    (made,) = levers.truth()["links"]
    return row.id, made["id"]


def make_elsewhere(elsewhere: ServiceClient, chosen: list[str]) -> str:
    return elsewhere.create_payment_link(RC, chosen, expiry_hours=33, before_send=lambda: None).id


def assert_is_own(clerk: StaffMember, request_id: str, link_id: str) -> None:
    row = clerk.intent(request_id)
    assert (row.state, row.link_id) == ("RECOVERED", link_id)
    assert clerk.link(link_id).origin == "recovered"


@pytest.mark.parametrize("read", [True, False])
def test_a_link_observed_before_it_ended_is_found_under_one_created_elsewhere(
    clerk: StaffMember, levers: Levers, elsewhere: ServiceClient, chosen: list[str], read: bool
) -> None:
    request_id, link_id = lose_the_answer(clerk, levers, chosen)
    clerk.search(RC)
    if read:
        clerk.services.link_poller.refresh(link_id)
    levers.fail(link_id)
    other = make_elsewhere(elsewhere, chosen)
    clerk.resolve(request_id)
    assert_is_own(clerk, request_id, link_id)
    clerk.search(RC)
    assert clerk.link(other).origin == "observed"
    assert not set(chosen) & set(clerk.payable(RC))


def test_a_link_observed_before_it_ended_is_found_though_searches_no_longer_show_it(
    clerk: StaffMember, levers: Levers, clock: MovableClock, chosen: list[str]
) -> None:
    levers.switch(ended_links_visible=False)
    request_id, link_id = lose_the_answer(clerk, levers, chosen)
    clerk.search(RC)
    levers.cancel(link_id)
    for seconds in (4, 30, 130):
        clock.advance(seconds=seconds)
        clerk.resolve(request_id)
    assert_is_own(clerk, request_id, link_id)
    assert clerk.claimed(chosen) == set()


def test_a_link_observed_since_the_send_is_not_ours_when_its_challans_differ(
    clerk: StaffMember, levers: Levers, elsewhere: ServiceClient, clock: MovableClock, chosen: list[str]
) -> None:
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, chosen)
    make_elsewhere(elsewhere, clerk.payable(RC)[-1:])
    clerk.search(RC)
    for seconds in (4, 30, 130):
        clock.advance(seconds=seconds)
        clerk.resolve(row.id)
    assert clerk.intent(row.id).state == "NOT_CREATED"


def test_a_link_committed_late_is_found_though_another_came_and_went_before(
    clerk: StaffMember, levers: Levers, elsewhere: ServiceClient, clock: MovableClock, chosen: list[str]
) -> None:
    levers.break_a4()
    row = clerk.create(RC, chosen)
    other = make_elsewhere(elsewhere, chosen[:1])
    clock.advance(seconds=4)
    clerk.resolve(row.id)
    assert clerk.claimed(chosen) == set(chosen)
    levers.cancel(other)
    levers.commit_late()
    (made,) = (item["id"] for item in levers.truth()["links"] if item["id"] != other)
    for seconds in (30, 130):
        clock.advance(seconds=seconds)
        clerk.resolve(row.id)
    assert_is_own(clerk, row.id, made)


def test_after_the_commit_window_the_challans_on_another_link_are_named(
    clerk: StaffMember, levers: Levers, elsewhere: ServiceClient, clock: MovableClock, chosen: list[str]
) -> None:
    levers.break_a4()
    row = clerk.create(RC, chosen)
    other = make_elsewhere(elsewhere, chosen[:1])
    levers.drop_late()
    clock.advance(seconds=130)
    row = clerk.resolve(row.id)
    assert (row.state, row.link_id) == ("ATTACHED", other)
    assert clerk.claimed(chosen) == set(chosen[:1])


def test_a_created_link_was_never_taken_for_one_created_elsewhere(clerk: StaffMember, chosen: list[str]) -> None:
    """Check the link once, after its attribution: a withdrawn discrepancy would show an earlier check."""
    row = clerk.create(RC, chosen)
    assert row.link_id is not None
    with clerk.services.store.read() as connection:
        assert discrepancies.of_link(connection, row.link_id) == {}
