"""Test the checks of late links that somebody asks for."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.support.ledger_fixtures import RC

SOON = timedelta(seconds=10)


@pytest.fixture
def late(clerk, clock, levers):
    """Create links on three challans, which are all due; no call was made since."""
    clerk.search(RC)
    made = [clerk.create(RC, [challan]).link_id for challan in clerk.payable(RC)[:3]]
    clock.advance(minutes=10)
    levers.forget_calls()
    return made


def test_so_many_links_are_checked_as_are_asked_for(services, levers, late):
    assert services.link_poller.check_due(2, SOON) == 2
    assert services.link_poller.check_due(2, SOON) == 1
    assert services.link_poller.check_due(2, SOON) == 0
    assert levers.count("link_status") == len(late), "each once"


def test_none_is_begun_after_the_time_for_it(services, levers, late):
    assert services.link_poller.check_due(2, timedelta(0)) == 0
    assert levers.calls() == []


def test_a_check_that_fails_counts_and_none_is_made_while_the_key_is_refused(services, levers, late):
    levers.revoke_secret()
    assert services.link_poller.check_due(3, SOON) == 1
    assert levers.count("link_status") == 1
