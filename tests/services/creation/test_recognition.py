"""Test that any answer which shows the link of an unclear intent resolves it, without a search at the source."""

from __future__ import annotations

from datetime import timedelta

import pytest

from dashboard.store.creation import possible_makers
from tests.services.creation.test_recovery import two_attempts, verified_absent
from tests.support.ledger_fixtures import RC


@pytest.fixture
def lost(clerk, levers):
    """Create a link whose answer is lost."""
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after")
    return clerk.create(RC, clerk.payable(RC))


def polls(clerk, clock, *, seconds=1):
    """Poll the links that are due, as the watcher does."""
    clock.advance(seconds=seconds)
    for link_id in clerk.services.link_poller.claim_due(10):
        clerk.services.link_poller.poll_claimed(link_id)


def test_a_link_that_a_colleagues_search_shows_is_recognized_while_the_source_fails(
    clerk, colleague, levers, clock, lost
):
    colleague.search(RC)
    levers.fault("search", "status", status=502, count=10**6)
    levers.forget_calls()
    polls(clerk, clock)
    row = clerk.intent(lost.id)
    assert (row.state, row.attribution) == ("RECOVERED", "inferred")
    assert clerk.link(row.link_id).origin == "recovered"
    assert clerk.holders(lost.challan_ids) == dict.fromkeys(lost.challan_ids, row.link_id)
    assert levers.count("search") == 0


@pytest.mark.databases
def test_a_search_that_shows_an_unknown_link_makes_the_unclear_intent_due_at_once(clerk, levers, clock, lost):
    clock.advance(hours=2)
    levers.fault("search", "status", status=502, count=3)
    clerk.resolve(lost.id)
    assert clerk.services.outcome_resolver.claim_due(5) == []
    clerk.search(RC)
    assert clerk.services.outcome_resolver.claim_due(5) == [lost.id]


def test_a_link_committed_after_not_created_is_recognized_as_well(clerk, levers, clock):
    clerk.search(RC)
    row = verified_absent(clerk, levers, clock, clerk.payable(RC))
    levers.commit_late()
    clerk.search(RC)
    levers.fault("search", "status", status=502, count=10**6)
    polls(clerk, clock)
    assert clerk.intent(row.id).state == "RECOVERED"


def test_a_link_made_elsewhere_on_the_same_challans_is_not_recognized(clerk, levers, clock, elsewhere):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, chosen)
    for covered, hours in ((chosen, 168), (chosen[:2], 48)):
        theirs = elsewhere.create_payment_link(RC, covered, expiry_hours=hours, before_send=lambda: None)
        clerk.search(RC)
        polls(clerk, clock)
        assert clerk.link(theirs.id).checked_at is not None
        levers.cancel(theirs.id)
    assert (clerk.intent(row.id).state, clerk.link(theirs.id).origin) == ("UNKNOWN", "observed")


def test_of_two_intents_the_one_that_holds_the_challans_gets_the_link(clerk, levers, clock):
    first, second = two_attempts(clerk, levers, clock)
    clerk.search(RC)
    polls(clerk, clock)
    assert [clerk.intent(row.id).state for row in (first, second)] == ["NOT_CREATED", "RECOVERED"]


def test_an_attempt_for_one_intent_resolves_another_of_the_vehicle(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("create_link", "cut", when="after")
    first = clerk.create(RC, chosen[:2])
    levers.fault("create_link", "cut", when="before")
    second = clerk.create(RC, chosen[2:])
    clerk.resolve(second.id)
    assert clerk.intent(first.id).state == "RECOVERED"
    assert clerk.intent(second.id).state == "UNKNOWN"


def test_recognized_after_its_end_it_releases_its_challans(clerk, levers, clock, lost):
    clerk.search(RC)
    (made,) = levers.truth()["links"]
    levers.cancel(made["id"])
    polls(clerk, clock, seconds=timedelta(minutes=1).total_seconds())
    assert clerk.intent(lost.id).state == "RECOVERED"
    assert clerk.claimed(lost.challan_ids) == set()


def test_a_link_that_names_no_challans_is_held_against_the_list_that_shows_it(clerk, colleague, levers, clock, lost):
    """Its status says nothing of its challans, but the latest search shows it on those of the unclear intent."""
    colleague.search(RC)
    levers.fault("search", "status", status=502, count=10**6)
    nameless = {"corruption": "missing-field", "missing": "data.challans", "count": 10**6, "when": "after"}
    levers.fault("link_status", "corrupt", **nameless)
    polls(clerk, clock)
    [link_id] = [item["id"] for item in levers.truth()["links"]]
    assert (clerk.link(link_id).detailed, clerk.link(link_id).origin) == (True, "observed")
    with clerk.services.store.read() as connection:
        makers = possible_makers.of_links(connection, [link_id])
    assert makers[link_id].intent_id == lost.id
