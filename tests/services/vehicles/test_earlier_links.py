"""Test which ended link a payable challan is said to have been on, because money may be paid twice."""

from __future__ import annotations

import pytest

from dashboard.services.vehicles.earlier_links import earlier_links
from tests.support.ledger_fixtures import RC


@pytest.fixture
def earlier(clerk, services):
    """Return a function that gives the ended link of each payable challan, with its status."""

    def find():
        with services.store.read() as connection:
            found = earlier_links(connection, clerk.listed(RC), services.schedule, services.clock())
        return {challan_id: (link.id, link.status) for challan_id, link in found.items()}

    return find


@pytest.fixture
def ends(clerk, services, levers):
    """Return a function that creates a link for challans, brings it to an end, and searches again."""

    def end(how, challan_ids):
        link_id = clerk.create(RC, challan_ids).link_id
        getattr(levers, how)(link_id)
        services.link_poller.refresh(link_id)
        clerk.search(RC)
        return link_id

    return end


@pytest.mark.parametrize(("how", "status"), [("fail", "FAILED"), ("expire", "EXPIRED"), ("cancel", "CANCELLED")])
def test_a_payable_challan_names_the_ended_link_that_it_was_on(clerk, earlier, ends, how, status):
    clerk.search(RC)
    first, second, *_ = clerk.payable(RC)
    assert earlier() == {}
    link_id = ends(how, [first, second])
    assert earlier() == {first: (link_id, status), second: (link_id, status)}


def test_a_late_payment_is_expected_for_as_long_as_the_link_is_checked_but_a_failed_one_never_settles(
    clerk, clock, earlier, ends
):
    clerk.search(RC)
    first, second, *_ = clerk.payable(RC)
    failed, expired = ends("fail", [first]), ends("expire", [second])
    clock.advance(hours=71)
    assert earlier() == {first: (failed, "FAILED"), second: (expired, "EXPIRED")}
    clock.advance(hours=2)
    assert earlier() == {first: (failed, "FAILED")}


def test_a_failed_link_comes_before_a_newer_one_that_expired(clerk, clock, earlier, ends):
    clerk.search(RC)
    first, *_ = clerk.payable(RC)
    failed = ends("fail", [first])
    clock.advance(minutes=5)
    ends("expire", [first])
    assert earlier() == {first: (failed, "FAILED")}


def test_a_challan_on_a_new_link_or_paid_is_not_named(clerk, earlier, ends, levers, services):
    clerk.search(RC)
    first, second, *_ = clerk.payable(RC)
    link_id = ends("fail", [first, second])
    clerk.create(RC, [second])
    clerk.search(RC)
    assert set(earlier()) == {first}
    levers.pay(link_id)
    services.link_poller.refresh(link_id)
    assert earlier() == {}


def test_a_link_made_elsewhere_is_named_from_the_search_alone(clerk, earlier, elsewhere, levers):
    clerk.search(RC)
    first, *_ = clerk.payable(RC)
    theirs = elsewhere.create_payment_link(RC, [first], expiry_hours=48, before_send=lambda: None)
    levers.fail(theirs.id)
    clerk.search(RC)
    assert earlier() == {first: (theirs.id, "FAILED")}
