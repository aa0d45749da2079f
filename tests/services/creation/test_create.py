"""Test that a link is created once, for each way of clicking and each answer of the service."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta

import pytest

from dashboard.errors import AllowanceSpent, Operation, SecretRejected, ServiceError
from dashboard.services.creation.commands import CreationProblem, CreationRefused
from dashboard.services.operations.allowances import Allowances
from dashboard.services.operations.asked_tries import AskedTries
from dashboard.services.operations.call_outcomes import CallOutcomes
from dashboard.services.operations.call_policy import CallPolicy
from dashboard.store.creation import intents
from tests.support.ledger_fixtures import RC


def links_at_the_service(levers):
    return levers.truth()["links"]


def test_a_created_link_is_recorded_with_its_url_and_keeps_its_claims(clerk, levers):
    clerk.search(RC)
    chosen = clerk.payable(RC)[:2]
    row = clerk.create(RC, chosen)
    assert (row.state, row.sends, row.attribution) == ("CREATED", 1, "certain")
    link = clerk.link(row.link_id)
    assert (link.status, link.origin, link.person_id, link.rc) == ("ACTIVE", "created", clerk.person_id, RC)
    assert link.payment_url.startswith(levers.base_url)
    assert clerk.claimed(chosen) == set(chosen)
    assert not set(chosen) & set(clerk.payable(RC))


@pytest.mark.databases
def test_the_same_key_sent_again_leads_to_the_same_request(clerk, levers):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    first, second = (clerk.create(RC, chosen, key="the same key, sent twice") for _ in range(2))
    assert first.id == second.id
    assert levers.count("create_link") == 1


@pytest.mark.databases
def test_a_storm_of_clicks_creates_one_link(clerk, colleague, levers):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    start = threading.Barrier(12)

    def click(number):
        person = (clerk, colleague)[number % 2]
        start.wait()
        try:
            return person.create(RC, chosen, key=f"key of person {number % 2}").id
        except CreationRefused as refused:
            return refused.problem

    with ThreadPoolExecutor(12) as pool:
        outcomes = list(pool.map(click, range(12)))
    assert len(links_at_the_service(levers)) == 1
    assert levers.count("create_link") == 1
    assert len({item for item in outcomes if not isinstance(item, CreationProblem)}) == 1
    assert {item for item in outcomes if isinstance(item, CreationProblem)} <= {
        CreationProblem.HELD,
        CreationProblem.NOT_PAYABLE,
    }


def test_the_same_key_with_another_selection_is_refused(clerk):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    clerk.create(RC, chosen[:2], key="one key, two payloads")
    with pytest.raises(CreationRefused) as refused:
        clerk.create(RC, chosen[:3], key="one key, two payloads")
    assert refused.value.problem is CreationProblem.OTHER_PAYLOAD


@pytest.mark.parametrize(
    ("status", "state"),
    [(400, "REJECTED"), (403, "REJECTED"), (404, "REJECTED"), (413, "REJECTED"), (422, "REJECTED"), (429, "REJECTED")],
)
def test_a_definite_refusal_releases_the_challans(clerk, levers, status, state):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("create_link", "status", status=status)
    row = clerk.create(RC, chosen)
    assert (row.state, row.http_status, row.sends) == (state, status, 1)
    assert not clerk.claimed(chosen)
    assert clerk.payable(RC) == chosen


UNCLEAR = {
    "cut": {"kind": "cut"},
    "error 500": {"kind": "status", "status": 500},
    "error 502": {"kind": "status", "status": 502},
    "unlisted 418": {"kind": "status", "status": 418},
    "redirect": {"kind": "status", "status": 302},
    "truncated": {"kind": "truncate"},
    "html": {"kind": "corrupt", "corruption": "html"},
    "empty": {"kind": "corrupt", "corruption": "empty"},
    "success false": {"kind": "corrupt", "corruption": "success-false"},
    "no id": {"kind": "corrupt", "corruption": "missing-field", "missing": "data.id"},
    "slow drip": {"kind": "drip", "seconds": 4},
}


@pytest.mark.parametrize("fault", UNCLEAR.values(), ids=UNCLEAR)
def test_a_link_created_behind_an_unclear_answer_is_found_by_resolving(clerk, levers, fault, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("create_link", when="after", **fault)
    began = time.monotonic()
    row = clerk.create(RC, chosen)
    # The service's clock went on while ours stood; the age of a link is compared on both.
    clock.advance(seconds=time.monotonic() - began)
    assert row.state == "UNKNOWN"
    assert clerk.claimed(chosen) == set(chosen)
    found = clerk.resolve(row.id)
    assert (found.state, found.attribution, found.sends) == ("RECOVERED", "inferred", 1)
    assert [link["id"] for link in links_at_the_service(levers)] == [found.link_id]
    assert clerk.link(found.link_id).origin == "recovered"


def test_absence_is_verified_only_by_two_negatives_apart_and_late_enough(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, chosen)
    assert clerk.resolve(row.id).state == "UNKNOWN"
    clock.advance(seconds=29)
    assert clerk.resolve(row.id).negatives == 1, "two negatives less than 30 s apart count once"
    clock.advance(seconds=60)
    assert clerk.resolve(row.id).state == "UNKNOWN", "119 s have not passed since the send ended"
    assert clerk.claimed(chosen) == set(chosen)
    clock.advance(seconds=61)
    assert clerk.resolve(row.id).state == "NOT_CREATED"
    assert not clerk.claimed(chosen)
    assert not links_at_the_service(levers)


def test_a_failed_attempt_changes_nothing(clerk, levers, clock):
    clerk.search(RC)
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, clerk.payable(RC))
    clock.advance(seconds=200)
    levers.fault("search", "status", status=502, count=3)
    after = clerk.resolve(row.id)
    assert (after.state, after.negatives, after.attempt_failure) == ("UNKNOWN", 0, "ServiceFailed")


def test_a_second_attempt_searches_first_and_adopts_a_link_that_was_committed_late(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.break_a4()
    first = clerk.create(RC, chosen)
    clerk.resolve(first.id)
    clock.advance(seconds=200)
    assert clerk.resolve(first.id).state == "NOT_CREATED"
    levers.commit_late()
    second = clerk.create(RC, chosen)
    assert (second.state, second.sends) == ("ATTACHED", 0)
    assert len(links_at_the_service(levers)) == 1
    assert clerk.link(second.link_id).status == "ACTIVE"


def test_a_conflict_is_explained_at_once_by_the_link_that_holds_some(clerk, levers, elsewhere):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    theirs = elsewhere.create_payment_link(RC, chosen[:2], expiry_hours=24, before_send=lambda: None)
    row = clerk.create(RC, chosen)
    assert (row.state, row.http_status, row.link_id) == ("ATTACHED", 409, theirs.id)
    assert clerk.claimed(chosen) == set(chosen[:2])
    assert clerk.link(theirs.id).origin == "observed"
    assert clerk.payable(RC) == chosen[2:]


def test_a_conflict_is_explained_at_once_by_a_challan_no_longer_payable(clerk, levers):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.set_challan(chosen[0], status="DISPOSED")
    row = clerk.create(RC, chosen)
    assert (row.state, row.http_status) == ("REJECTED", 409)
    assert not clerk.claimed(chosen)
    assert clerk.payable(RC) == chosen[1:]


def test_a_conflict_is_explained_at_once_by_a_vehicle_that_went_elsewhere(clerk, levers):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.assign_vehicle(RC, "second")
    assert clerk.create(RC, chosen).state == "REJECTED"


def test_a_conflict_that_no_search_can_explain_stays_unknown(clerk, levers):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("create_link", "status", status=409, when="after")
    levers.fault("search", "status", status=502, count=3)
    row = clerk.create(RC, chosen)
    assert (row.state, row.http_status) == ("UNKNOWN", 409)
    assert clerk.resolve(row.id).state == "RECOVERED"


def test_a_link_that_has_ended_releases_its_challans(clerk, levers):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    row = clerk.create(RC, chosen)
    levers.expire(row.link_id)
    clerk.services.link_poller.refresh(row.link_id)
    assert clerk.link(row.link_id).status == "EXPIRED"
    assert clerk.payable(RC) == chosen
    assert clerk.create(RC, chosen).state == "CREATED"


def test_a_paid_link_keeps_its_challans(clerk, levers):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    row = clerk.create(RC, chosen)
    levers.pay(row.link_id)
    clerk.services.link_poller.refresh(row.link_id)
    assert clerk.link(row.link_id).paid_at is not None
    assert clerk.claimed(chosen) == set(chosen)
    assert not clerk.payable(RC)


def test_an_old_snapshot_is_refreshed_before_anything_is_prepared(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.set_challan(chosen[0], status="DISPOSED", seen=True)
    clock.advance(minutes=16)
    with pytest.raises(CreationRefused) as refused:
        clerk.create(RC, chosen)
    assert (refused.value.problem, refused.value.challan_ids) == (CreationProblem.NOT_PAYABLE, (chosen[0],))
    assert levers.count("create_link") == 0


def test_when_the_snapshot_cannot_be_refreshed_nothing_is_sent(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    clock.advance(minutes=16)
    levers.fault("search", "status", status=502, count=3)
    with pytest.raises(ServiceError):
        clerk.create(RC, chosen)
    assert levers.count("create_link") == 0
    assert not clerk.claimed(chosen)


@pytest.mark.parametrize("hours", [23, 169, 0, -48])
def test_hours_out_of_range_are_refused_before_anything_is_prepared(clerk, hours):
    clerk.search(RC)
    with pytest.raises(CreationRefused) as refused:
        clerk.create(RC, clerk.payable(RC), hours=hours)
    assert refused.value.problem is CreationProblem.HOURS


def test_a_challan_of_another_vehicle_cannot_be_smuggled_in(clerk, levers):
    levers.add_vehicle("KA01AA0001", [{"challanNo": "KA1"}])
    clerk.search(RC)
    clerk.search("KA01AA0001")
    with pytest.raises(CreationRefused) as refused:
        clerk.create(RC, [*clerk.payable(RC), *clerk.payable("KA01AA0001")])
    assert refused.value.problem is CreationProblem.NOT_PAYABLE


def test_one_refused_secret_stops_every_call_until_it_changes(clerk, levers, clock):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.revoke_secret()
    levers.forget_calls()
    assert clerk.create(RC, chosen).state == "REJECTED"
    for _ in range(5):
        with pytest.raises(SecretRejected) as refused:
            clerk.create(RC, chosen)
        assert not refused.value.sent
        with pytest.raises(SecretRejected):
            clerk.search(RC)
    assert len(levers.calls()) == 1
    clock.advance(seconds=61)
    with pytest.raises(SecretRejected):
        clerk.search(RC)
    assert len(levers.calls()) == 2, "one call after a minute"
    assert [block.scope for block in clerk.services.call_policy.active_blocks()] == ["secret"]


def test_a_bad_key_makes_at_most_four_calls_in_half_an_hour(clerk, levers, clock):
    levers.revoke_secret()
    levers.forget_calls()
    for _ in range(30):
        with pytest.raises(SecretRejected):
            clerk.search(RC)
        clock.advance(minutes=1)
    assert 1 <= len(levers.calls()) <= 4


@pytest.mark.parametrize("operation", ["search", "link_status"])
def test_a_bad_key_that_is_throttled_makes_no_more_calls_than_one_that_is_refused(clerk, levers, clock, operation):
    clerk.search(RC)
    row = clerk.create(RC, clerk.payable(RC))
    levers.revoke_secret()
    with pytest.raises(SecretRejected):
        clerk.search(RC)
    levers.fault(operation, "status", status=429, count=99)
    levers.forget_calls()
    for _ in range(30):
        clock.advance(minutes=1)
        with suppress(ServiceError):
            clerk.search(RC) if operation == "search" else clerk.services.link_poller.refresh(row.link_id)
    assert 1 <= len(levers.calls()) <= 3
    assert [block.scope for block in clerk.services.call_policy.active_blocks()] == ["secret"]


def test_a_success_of_a_call_that_began_before_the_refusal_does_not_revoke_it(clerk, levers, clock):
    clerk.search(RC)

    def granted_late():
        levers.revoke_secret()
        clock.advance(seconds=1)
        with pytest.raises(SecretRejected):
            clerk.search(RC)

    clerk.services.call_policy.call(Operation.GET_PAYMENT_LINK, granted_late)
    assert [block.scope for block in clerk.services.call_policy.active_blocks()] == ["secret"]


def test_a_refusal_of_the_old_secret_says_nothing_of_the_one_that_took_its_place(clerk, clock):
    secret = ["old"]
    store = clerk.services.store
    probe = clerk.services.call_policy.key_probe
    counts = (Allowances(store, clock, person_searches=600), CallOutcomes(store, clock))
    policy = CallPolicy(store, clock, lambda: secret[0], *counts, probe, AskedTries(store, clock))

    def refused_late():
        secret[0] = "new"
        raise SecretRejected(Operation.SEARCH_CHALLANS, status=401)

    with pytest.raises(SecretRejected):
        policy.call(Operation.SEARCH_CHALLANS, refused_late)
    assert policy.active_blocks() == []
    assert policy.call(Operation.SEARCH_CHALLANS, lambda: "granted") == "granted"


def test_a_spent_link_allowance_leaves_searching_alone(clerk, levers):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.set_organization(linkAllowance=0)
    assert clerk.create(RC, chosen).http_status == 429
    with pytest.raises(AllowanceSpent):
        clerk.create(RC, chosen)
    assert clerk.search(RC)
    assert levers.count("create_link") == 1


def test_the_intent_of_a_stopped_sender_becomes_unknown_and_is_resolved(clerk, levers, clock):
    """Enter an intent that is SENDING, as a process leaves it that dies after recording the send."""
    clerk.search(RC)
    chosen = clerk.payable(RC)
    now = clock()
    with clerk.services.store.write() as connection:
        intents.add(
            connection,
            intent_id="11111111-1111-4111-8111-111111111111",
            request_key="k" * 32,
            person_id=clerk.person_id,
            rc=RC,
            challan_ids=chosen,
            hours=48,
            at=now,
        )
        just_now = now - timedelta(seconds=1)
        assert intents.mark_sending(connection, "11111111-1111-4111-8111-111111111111", now, now, just_now)
        assert not intents.mark_sending(connection, "11111111-1111-4111-8111-111111111111", now, now, just_now)
    clerk.services.outcome_resolver.sweep()
    assert clerk.intent("11111111-1111-4111-8111-111111111111").state == "UNKNOWN"
    assert clerk.claimed(chosen) == set(chosen), "the end of a lease releases nothing"
    for _ in range(2):
        clerk.resolve("11111111-1111-4111-8111-111111111111")
        clock.advance(seconds=121)
    assert clerk.resolve("11111111-1111-4111-8111-111111111111").state == "NOT_CREATED"
