"""Test links that the service answers 404 for: when they are polled, and when a manager may release their challans."""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta

import pytest

from dashboard.errors import NotFound
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.creation.release import ReleaseProblem, ReleaseRefused
from dashboard.store.links import duplicates, links
from tests.support.ledger_fixtures import RC

REASON = "The service has purged it; its support confirmed."


@pytest.fixture
def link_id(clerk):
    """Create a link on two challans."""
    clerk.search(RC)
    return clerk.create(RC, clerk.payable(RC)[:2]).link_id


def forget(levers):
    """Let the service know no link any more."""
    levers.fault("link_status", "status", status=404, count=4000)


def polled(services, clock, seconds, tick=60):
    """Count the polls of so many seconds of a worker."""
    polls = 0
    for _ in range(0, seconds, tick):
        for link_id in services.link_poller.claim_due(16):
            services.link_poller.poll_claimed(link_id)
            polls += 1
        clock.advance(seconds=tick)
    return polls


def refused_twice(services, levers, clock, link_id):
    forget(levers)
    for _ in range(2):
        with pytest.raises(NotFound):
            services.link_poller.refresh(link_id)
        clock.advance(seconds=60)


@pytest.mark.databases
def test_the_second_404_makes_a_link_unknown_and_an_answer_ends_it(clerk, services, levers, clock, link_id):
    forget(levers)
    with pytest.raises(NotFound):
        services.link_poller.refresh(link_id)
    assert not clerk.link(link_id).is_unknown, "one may be a mishap"
    levers.clear_faults()
    levers.fault("link_status", "status", status=503)
    with suppress(Exception):
        services.link_poller.refresh(link_id)
    forget(levers)
    with pytest.raises(NotFound):
        services.link_poller.refresh(link_id)
    assert clerk.link(link_id).is_unknown
    levers.clear_faults()
    assert services.link_poller.refresh(link_id)
    assert not clerk.link(link_id).is_unknown


def test_an_unknown_link_is_polled_daily_for_as_long_as_the_ledger_calls_it_live(
    clerk, services, levers, clock, link_id
):
    refused_twice(services, levers, clock, link_id)
    assert 1 <= polled(services, clock, 2 * 86400, tick=600) <= 3
    clock.advance(days=30)
    assert 1 <= polled(services, clock, 2 * 86400, tick=600) <= 4, "for ever, also long past its expiry"
    levers.clear_faults()
    levers.pay(link_id)
    polled(services, clock, 2 * 86400, tick=600)
    assert clerk.link(link_id).status == "PAID"


def test_an_unknown_link_is_polled_when_somebody_opens_it_and_not_all_the_time_it_stays_open(
    services, levers, clock, link_id
):
    refused_twice(services, levers, clock, link_id)
    clock.advance(hours=1)
    polls = 0
    for _ in range(100):
        services.link_poller.mark_watched(link_id)
        polls += polled(services, clock, 3, tick=3)
    assert polls == 1, "five minutes of watching"
    clock.advance(minutes=5)
    services.link_poller.mark_watched(link_id)
    assert services.link_poller.claim_due(16) == [link_id], "opened again"


@pytest.mark.databases
def test_unknown_links_are_polled_at_once_when_the_key_changes(clerk, services, levers, clock, link_id, monkeypatch):
    services.link_poller.follow_key()
    refused_twice(services, levers, clock, link_id)
    services.link_poller.follow_key()
    assert services.link_poller.claim_due(16) == []
    object.__setattr__(services.call_policy, "fingerprint", lambda: "another key")
    services.link_poller.follow_key()
    assert services.link_poller.claim_due(16) == [link_id]


# A manager's release


def release(services, colleague, link_id, reason=REASON):
    return services.unknown_link_releaser.release(link_id, colleague.person_id, reason, COMMAND_LINE)


def purge(levers, link_id):
    """Let the service forget a link and free its challans."""
    levers.set_link(link_id, status="EXPIRED")
    forget(levers)


def test_a_manager_releases_the_challans_of_an_unknown_link_after_its_expiry(
    clerk, colleague, services, levers, clock, link_id
):
    asked = list(clerk.holders(clerk.intent(clerk.link(link_id).intent_id).challan_ids))
    refused_twice(services, levers, clock, link_id)
    with pytest.raises(ReleaseRefused) as refused:
        release(services, colleague, link_id)
    assert refused.value.problem is ReleaseProblem.NOT_ENDED
    clock.advance(hours=49)
    purge(levers, link_id)
    assert release(services, colleague, link_id)
    assert clerk.claimed(asked) == set()
    row = clerk.link(link_id)
    assert (row.released_by, row.release_reason) == (colleague.person_id, REASON)
    assert set(asked) <= set(clerk.payable(RC))
    levers.forget_calls()
    again = clerk.create(RC, asked)
    assert again.state == "CREATED"
    assert levers.count("search") == 1, "the guard searched at the source before it was sent"


def test_challans_that_the_source_does_not_show_free_stay_held(clerk, colleague, services, levers, clock, link_id):
    asked = clerk.intent(clerk.link(link_id).intent_id).challan_ids
    refused_twice(services, levers, clock, link_id)
    clock.advance(hours=49)
    with pytest.raises(ReleaseRefused) as refused:
        release(services, colleague, link_id)
    assert refused.value.problem is ReleaseProblem.NOT_FREE, "the search shows the link on them"
    assert clerk.claimed(asked) == set(asked)


def test_a_link_that_answers_again_is_not_released(clerk, colleague, services, levers, clock, link_id):
    asked = clerk.intent(clerk.link(link_id).intent_id).challan_ids
    refused_twice(services, levers, clock, link_id)
    clock.advance(hours=49)
    levers.clear_faults()
    levers.pay(link_id)
    assert not release(services, colleague, link_id)
    assert clerk.link(link_id).status == "PAID"
    assert clerk.claimed(asked) == set(asked)


def test_a_released_link_that_lives_again_beside_a_new_one_is_an_alarm(
    clerk, colleague, services, levers, clock, link_id
):
    asked = clerk.intent(clerk.link(link_id).intent_id).challan_ids
    refused_twice(services, levers, clock, link_id)
    clock.advance(hours=49)
    purge(levers, link_id)
    release(services, colleague, link_id)
    clerk.create(RC, asked)
    levers.clear_faults()
    levers.set_link(link_id, status="ACTIVE")
    services.link_poller.refresh(link_id)
    services.link_poller.refresh(link_id)
    with services.store.read() as connection:
        events = duplicates.alarm_events(connection, [link_id])
        assert [event.kind for event in events] == [links.DUPLICATE]
    assert clerk.link(link_id).released_at is None
    assert clerk.link(link_id).next_check_at - clock() < timedelta(hours=1)
