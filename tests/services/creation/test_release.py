"""Test that a manager releases the claims of an unclear intent, with a reason, after one more attempt to resolve it."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import select

from dashboard.errors import Unreachable
from dashboard.services.accounts.audit import Origin
from dashboard.services.creation.commands import CreateLink, CreationProblem, CreationRefused
from dashboard.services.creation.release import ReleaseProblem, ReleaseRefused
from dashboard.store.accounts import audit
from dashboard.store.creation import claims, intents
from dashboard.store.links import links
from tests.support.ledger_fixtures import RC

WHY = "The driver is waiting at the depot."
HERE = Origin(address="10.0.0.7", request_id="a1b2")


@pytest.fixture
def chosen(clerk):
    """Return three of the five challans, for the request."""
    clerk.search(RC)
    return clerk.payable(RC)[:3]


def needs_attention(clerk, levers, clock, chosen, *, late=False):
    """Return an intent that cannot be resolved: one of its challans is delisted, and no link is created.

    With `late` the service commits its link when the levers say so; until then the challan is prepaid without a link.
    """
    if late:
        levers.break_a4()
    else:
        levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, chosen)
    levers.set_challan(chosen[0], **({"raw": {"prepaid": True}} if late else {"gone": True}))
    clock.advance(minutes=3)
    for _ in range(6):
        row = clerk.resolve(row.id)
        clock.advance(seconds=31)
    assert row.state == "NEEDS_ATTENTION"
    assert clerk.claimed(chosen) == set(chosen)
    return row


@pytest.fixture
def unsettled(clerk, levers, clock, chosen):
    return needs_attention(clerk, levers, clock, chosen)


def release(who, row, why=WHY):
    return who.services.claim_releaser.release(row.id, who.person_id, why, HERE)


def refused(who, row, why=WHY):
    with pytest.raises(ReleaseRefused) as caught:
        release(who, row, why)
    return caught.value.problem


def rows(clerk, table, *conditions):
    with clerk.services.store.read() as connection:
        return connection.execute(select(table).where(*conditions).order_by(table.c.id)).all()


def alarms(clerk, link_id):
    with clerk.services.store.read() as connection:
        return [event.kind for event in links.events_of(connection, link_id)].count(links.DUPLICATE)


def watch(clerk, clock, **span):
    """Advance the clock in steps of ten minutes, resolving due intents at each as the watcher does."""
    for _ in range(int(timedelta(**span) / timedelta(minutes=10))):
        clock.advance(minutes=10)
        for intent_id in clerk.services.outcome_resolver.claim_due(5):
            clerk.services.outcome_resolver.resolve(intent_id)


# Releasing


def test_the_challans_are_free_and_the_state_stays(colleague, clerk, unsettled, levers, chosen):
    levers.forget_calls()
    assert release(colleague, unsettled) is True
    row = clerk.intent(unsettled.id)
    assert row.state == "NEEDS_ATTENTION"
    assert (row.released_by, row.release_reason) == (colleague.person_id, WHY)
    assert row.released_at == clerk.services.clock()
    assert row.next_check_at is not None, "attempts to resolve it go on"
    assert not clerk.claimed(chosen)
    assert set(clerk.payable(RC)) >= set(chosen[1:])
    assert [call["operation"] for call in levers.calls()] == ["search"]
    assert "bypassCache" in levers.calls("search")[0]["body"]


def test_the_history_and_the_audit_log_record_who_when_where_and_why(colleague, unsettled, clerk, chosen):
    release(colleague, unsettled)
    event = rows(clerk, intents.intent_event, intents.intent_event.c.intent_id == unsettled.id)[-1]
    assert (event.old, event.new) == ("NEEDS_ATTENTION", "NEEDS_ATTENTION")
    assert WHY in event.detail
    released = rows(clerk, intents.claim, intents.claim.c.intent_id == unsettled.id)
    assert {item.challan_id for item in released if WHY in item.why and "by a manager" in item.why} == set(chosen)
    (entry,) = rows(clerk, audit.audit, audit.audit.c.action == "override")
    assert (entry.person_id, entry.subject, entry.address, entry.request_id) == (
        colleague.person_id,
        RC,
        "10.0.0.7",
        "a1b2",
    )
    assert (entry.detail["request"], entry.detail["reason"], entry.detail["challans"]) == (unsettled.id, WHY, 3)
    assert entry.at == clerk.services.clock()


REASONS = {
    "": ReleaseProblem.REASON_SHORT,
    "too short": ReleaseProblem.REASON_SHORT,
    "  \u200b a \n\t b \u2060 c   d ": ReleaseProblem.REASON_SHORT,
    "x" * 501: ReleaseProblem.REASON_LONG,
}


@pytest.mark.parametrize(("why", "said"), REASONS.items(), ids=["none", "short", "invisible", "long"])
def test_without_a_proper_reason_nothing_is_even_asked(colleague, clerk, unsettled, levers, chosen, why, said):
    levers.forget_calls()
    assert refused(colleague, unsettled, why) is said
    assert levers.calls() == []
    assert clerk.claimed(chosen) == set(chosen)


def test_a_reason_is_recorded_as_one_line_without_control_characters(colleague, clerk, unsettled):
    release(colleague, unsettled, "  Paid at the\r\n court,\x00 says \u202ethe\u202c driver: क्\u200dष.  ")
    assert clerk.intent(unsettled.id).release_reason == "Paid at the court, says the driver: क्\u200dष."


def test_only_the_claims_of_an_intent_that_needs_attention_can_be_released(colleague, clerk, levers, clock, chosen):
    created = clerk.create(RC, chosen[:1])
    levers.fault("create_link", "cut", when="before")
    unknown = clerk.create(RC, chosen[1:])
    levers.forget_calls()
    for row in (created, unknown):
        assert refused(colleague, row) is ReleaseProblem.NOT_NEEDED
        assert clerk.intent(row.id).released_at is None
    assert levers.calls() == []
    assert clerk.claimed(chosen) == set(chosen)


def test_the_claims_of_an_unknown_intent_are_not_released(colleague):
    with pytest.raises(ReleaseRefused):
        colleague.services.claim_releaser.release("no such request", colleague.person_id, WHY, HERE)


def test_its_claims_are_released_once_and_the_first_reason_stays(colleague, clerk, unsettled, levers):
    release(colleague, unsettled)
    levers.forget_calls()
    assert refused(clerk, unsettled, "Another reason altogether.") is ReleaseProblem.ALREADY_RELEASED
    assert clerk.intent(unsettled.id).release_reason == WHY
    assert levers.calls() == []


@pytest.mark.databases
def test_of_two_managers_at_the_same_moment_one_releases_its_claims(colleague, clerk, unsettled, levers):
    together = threading.Barrier(2)

    def go(who):
        together.wait()
        try:
            return release(who, unsettled)
        except ReleaseRefused as error:
            return error.problem

    levers.fault("search", "delay", seconds=0.3)
    with ThreadPoolExecutor(2) as pool:
        ends = list(pool.map(go, [clerk, colleague]))
    assert ends.count(True) == 1, ends
    assert set(ends) <= {True, ReleaseProblem.BEING_RESOLVED, ReleaseProblem.ALREADY_RELEASED}
    assert len(rows(clerk, audit.audit, audit.audit.c.action == "override")) == 1


# The last attempt before a release


def test_a_link_that_the_attempt_before_finds_recovers_the_intent(colleague, clerk, levers, clock, chosen):
    row = needs_attention(clerk, levers, clock, chosen, late=True)
    levers.commit_late()
    assert release(colleague, row) is False
    found = clerk.intent(row.id)
    assert (found.state, found.released_at) == ("RECOVERED", None)
    assert clerk.claimed(chosen) == set(chosen)
    assert rows(clerk, audit.audit, audit.audit.c.action == "override") == []


def test_a_link_created_elsewhere_that_the_attempt_before_finds_attaches_the_intent(
    colleague, clerk, unsettled, elsewhere, chosen
):
    theirs = elsewhere.create_payment_link(RC, [chosen[1]], expiry_hours=72, before_send=lambda: None)
    assert release(colleague, unsettled) is False
    row = clerk.intent(unsettled.id)
    assert (row.state, row.link_id, row.released_at) == ("ATTACHED", theirs.id, None)
    assert clerk.claimed(chosen) == {chosen[1]}


def test_when_the_source_does_not_answer_nothing_is_released(colleague, clerk, unsettled, levers, chosen):
    levers.fault("search", "cut", count=3)
    with pytest.raises(Unreachable):
        release(colleague, unsettled)
    row = clerk.intent(unsettled.id)
    assert (row.state, row.released_at, row.attempt_failure) == ("NEEDS_ATTENTION", None, "Unreachable")
    assert clerk.claimed(chosen) == set(chosen)
    assert release(colleague, unsettled) is True


def test_when_a_link_on_them_cannot_be_read_nothing_is_released(colleague, clerk, unsettled, levers, elsewhere, chosen):
    elsewhere.create_payment_link(RC, [chosen[1]], expiry_hours=72, before_send=lambda: None)
    levers.fault("link_status", "cut", count=3)
    with pytest.raises(Unreachable):
        release(colleague, unsettled)
    assert clerk.intent(unsettled.id).released_at is None
    assert clerk.claimed(chosen) == set(chosen)


@pytest.mark.databases
def test_while_another_attempt_is_under_way_nothing_is_released(colleague, clerk, unsettled, levers, chosen):
    levers.fault("search", "delay", seconds=3)
    with ThreadPoolExecutor(1) as pool:
        looking = pool.submit(clerk.services.outcome_resolver.resolve, unsettled.id)
        while not clerk.intent(unsettled.id).resolving_until:
            assert not looking.done()
        assert refused(colleague, unsettled) is ReleaseProblem.BEING_RESOLVED
        assert clerk.claimed(chosen) == set(chosen)
        looking.result()
    assert release(colleague, unsettled) is True


# After a release


def test_another_intent_for_them_searches_once_more_before_it_is_sent(colleague, clerk, unsettled, levers, chosen):
    release(colleague, unsettled)
    levers.forget_calls()
    assert colleague.create(RC, chosen[1:]).state == "CREATED"
    assert [call["operation"] for call in levers.calls()] == ["search", "create_link"]


def test_a_link_that_this_search_shows_stops_the_other_intent(colleague, clerk, levers, clock, chosen):
    row = needs_attention(clerk, levers, clock, chosen, late=True)
    release(colleague, row)
    levers.commit_late()
    second = colleague.create(RC, chosen[1:])
    assert (second.state, second.sends) == ("ATTACHED", 0)
    (link,) = levers.truth()["links"]
    found = clerk.resolve(row.id)
    assert (found.state, found.link_id) == ("RECOVERED", link["id"])
    assert clerk.claimed(chosen) == set(chosen)
    assert alarms(clerk, link["id"]) == 0, "there is one link"


def test_a_link_that_appears_later_is_found_and_takes_its_challans_back(colleague, clerk, levers, clock, chosen):
    row = needs_attention(clerk, levers, clock, chosen, late=True)
    release(colleague, row)
    levers.commit_late()
    watch(clerk, clock, days=1)
    found = clerk.intent(row.id)
    assert found.state == "RECOVERED"
    assert found.release_reason == WHY, "the history stays"
    assert clerk.link(found.link_id).origin == "recovered"
    assert clerk.claimed(chosen) == set(chosen)
    assert alarms(clerk, found.link_id) == 0


def test_any_search_that_shows_a_new_link_makes_the_intent_due_at_once(colleague, clerk, levers, clock, chosen):
    row = needs_attention(clerk, levers, clock, chosen, late=True)
    release(colleague, row)
    levers.commit_late()
    clerk.search(RC)
    assert clerk.services.outcome_resolver.claim_due(5) == [row.id]
    assert clerk.resolve(row.id).state == "RECOVERED"


def test_a_link_that_appears_beside_another_raises_the_alarm(colleague, clerk, levers, clock, chosen):
    row = needs_attention(clerk, levers, clock, chosen, late=True)
    release(colleague, row)
    second = colleague.create(RC, chosen[1:])
    assert second.state == "CREATED"
    watch(clerk, clock, hours=2)
    assert clerk.intent(row.id).state == "NEEDS_ATTENTION", "the other's link proves nothing about this intent"
    levers.break_a2()
    levers.commit_late()
    watch(clerk, clock, days=1)
    found = clerk.intent(row.id)
    assert found.state == "RECOVERED"
    assert found.link_id != second.link_id
    assert alarms(clerk, found.link_id) == 1
    assert clerk.claimed(chosen) == set(chosen)
    with clerk.services.store.read() as connection:
        holders = claims.open_of(connection, chosen)
    assert [holders[item].link_id for item in chosen] == [found.link_id, second.link_id, second.link_id]


def test_the_late_answer_of_its_own_send_still_counts(colleague, clerk, unsettled, elsewhere, chosen, clock):
    """Record the answer of a sending thread that was stopped for hours."""
    release(colleague, unsettled)
    answer = elsewhere.create_payment_link(RC, chosen[1:], expiry_hours=48, before_send=lambda: None)
    command = CreateLink(clerk.person_id, unsettled.request_key, RC, tuple(chosen), 48)
    clerk.services.outcome_recorder.record_created(unsettled.id, command, answer, clock())
    assert clerk.intent(unsettled.id).state == "CREATED"
    assert clerk.claimed(chosen) == set(chosen)


def test_a_link_that_the_next_intent_may_have_created_is_left_to_that_one(colleague, clerk, unsettled, levers, chosen):
    release(colleague, unsettled)
    levers.set_challan(chosen[0], gone=False)
    colleague.services.vehicle_search.refresh(RC, colleague.person_id)
    levers.fault("create_link", "cut", when="after")
    second = colleague.create(RC, chosen)
    assert second.state == "UNKNOWN"
    assert clerk.resolve(unsettled.id).state == "NEEDS_ATTENTION"
    second = colleague.resolve(second.id)
    assert second.state == "RECOVERED"
    assert clerk.link(second.link_id).person_id == colleague.person_id
    assert alarms(clerk, second.link_id) == 0
    assert clerk.resolve(unsettled.id).state == "NEEDS_ATTENTION"


def test_absence_may_still_be_verified(colleague, clerk, unsettled, levers, clock, chosen):
    release(colleague, unsettled)
    levers.set_challan(chosen[0], gone=False)
    watch(clerk, clock, days=1, hours=1)
    row = clerk.intent(unsettled.id)
    assert row.state == "NOT_CREATED"
    assert row.negatives == 2


def test_absence_is_not_verified_once_another_link_has_been_created_and_has_ended(
    colleague, clerk, unsettled, levers, clock, chosen
):
    release(colleague, unsettled)
    second = colleague.create(RC, chosen[1:])
    levers.cancel(second.link_id)
    colleague.services.link_poller.refresh(second.link_id)
    levers.set_challan(chosen[0], gone=False)
    watch(clerk, clock, hours=3)
    row = clerk.intent(unsettled.id)
    assert (row.state, row.negatives) == ("NEEDS_ATTENTION", 0)


def test_absence_is_not_verified_once_its_link_would_have_ended(colleague, clerk, unsettled, levers, clock, chosen):
    release(colleague, unsettled)
    clock.advance(hours=48)
    levers.set_challan(chosen[0], gone=False)
    watch(clerk, clock, hours=3)
    assert clerk.intent(unsettled.id).state == "NEEDS_ATTENTION"


def test_challans_paid_by_another_link_do_not_reject_this_intent(colleague, clerk, levers, clock, chosen):
    levers.fault("create_link", "status", status=409)
    row = clerk.create(RC, chosen)
    levers.set_challan(chosen[0], gone=True)
    clock.advance(minutes=3)
    for _ in range(6):
        row = clerk.resolve(row.id)
    assert row.state == "NEEDS_ATTENTION"
    release(colleague, row)
    levers.set_challan(chosen[1], status="DISPOSED")
    assert clerk.resolve(row.id).state == "NEEDS_ATTENTION"
    levers.assign_vehicle(RC, "second")
    assert clerk.resolve(row.id).state == "NEEDS_ATTENTION"


def test_the_attempts_end_after_eight_days_and_cost_about_one_search_a_day(colleague, clerk, unsettled, levers, clock):
    release(colleague, unsettled)
    levers.forget_calls()
    watch(clerk, clock, days=1)
    assert 1 <= levers.count("search") <= 2
    clock.set(unsettled.send_ended + timedelta(days=7, hours=23, minutes=50))
    watch(clerk, clock, minutes=30)
    assert clerk.intent(unsettled.id).next_check_at is None
    levers.forget_calls()
    watch(clerk, clock, days=1)
    assert levers.count("search") == 0
    assert clerk.intent(unsettled.id).state == "NEEDS_ATTENTION"


def test_failing_attempts_end_as_well(colleague, clerk, unsettled, levers, clock):
    release(colleague, unsettled)
    levers.assign_vehicle(RC, "second")
    clock.set(unsettled.send_ended + timedelta(days=7, hours=23, minutes=50))
    watch(clerk, clock, minutes=30)
    assert clerk.intent(unsettled.id).next_check_at is None


def test_a_link_is_found_even_after_the_attempts_have_ended(colleague, clerk, levers, clock, chosen):
    row = needs_attention(clerk, levers, clock, chosen, late=True)
    clock.advance(days=9)
    release(colleague, row)
    assert clerk.intent(row.id).next_check_at is None
    levers.commit_late()
    clerk.search(RC)
    watch(clerk, clock, minutes=10)
    assert clerk.intent(row.id).state == "RECOVERED"


# Collisions


def test_challans_of_an_intent_that_was_not_released_are_held(colleague, unsettled, levers, chosen):
    with pytest.raises(CreationRefused) as caught:
        colleague.create(RC, chosen[1:])
    assert caught.value.problem is CreationProblem.NOT_PAYABLE
    assert set(caught.value.challan_ids) == set(chosen[1:])
