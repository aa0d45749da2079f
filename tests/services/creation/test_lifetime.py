"""Test that free challans prove nothing once the link, had it been created, would be shown no more."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.support.ledger_fixtures import RC


@pytest.fixture
def lost(clerk, levers):
    """Create a link of 24 hours whose answer is lost; a search does not show it once it has ended."""
    levers.switch(ended_links_visible=False)
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    return clerk.create(RC, clerk.payable(RC), hours=24)


def ends(levers):
    (made,) = levers.truth()["links"]
    levers.expire(made["id"])
    return made["id"]


def test_after_the_lifetime_of_its_link_absence_is_no_proof_and_a_person_is_needed(clerk, levers, clock, lost):
    ends(levers)
    clock.advance(hours=25)
    for _ in range(3):
        row = clerk.resolve(lost.id)
        clock.advance(seconds=31)
    assert (row.state, row.negatives) == ("NEEDS_ATTENTION", 0)
    assert clerk.claimed(lost.challan_ids) == set(lost.challan_ids)


def test_a_negative_from_its_lifetime_does_not_count_with_one_from_after_it(clerk, levers, clock):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, clerk.payable(RC), hours=24)
    clock.set(row.send_started + timedelta(hours=23, minutes=59, seconds=50))
    assert clerk.resolve(row.id).negatives == 1
    clock.advance(seconds=31)
    row = clerk.resolve(row.id)
    assert (row.state, row.negatives) == ("NEEDS_ATTENTION", 1)


def test_within_its_lifetime_absence_is_proof(clerk, levers, clock):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, clerk.payable(RC), hours=24)
    clock.set(row.send_started + timedelta(hours=23, minutes=58))
    clerk.resolve(row.id)
    clock.advance(seconds=31)
    assert clerk.resolve(row.id).state == "NOT_CREATED"


@pytest.mark.databases
def test_a_link_that_has_ended_is_found_all_the_same_when_a_search_shows_it(clerk, levers, clock, lost):
    levers.switch(ended_links_visible=True)
    link_id = ends(levers)
    clock.advance(hours=25)
    row = clerk.resolve(lost.id)
    assert (row.state, row.link_id) == ("RECOVERED", link_id)
