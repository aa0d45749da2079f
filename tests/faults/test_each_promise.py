"""Test the invariants that no other test covers: each test fails when the product is weakened in one place."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import Connection, event

from dashboard import failpoints
from dashboard.failpoints import Point
from dashboard.services.creation.commands import CreationProblem, CreationRefused
from tests.support.ledger_fixtures import RC
from tests.support.staff_member import StaffMember


@pytest.fixture(autouse=True)
def disarmed() -> Iterator[None]:
    yield
    failpoints.disarm()


def once(action: Any) -> Any:
    def act() -> None:
        failpoints.disarm()
        action()

    return act


def outcome(who: StaffMember, chosen: list[str]) -> Any:
    """Return the result of a click: the intent's state, or the reason of its refusal."""
    try:
        return who.create(RC, chosen).state
    except CreationRefused as refused:
        return refused.problem
    except Exception as error:
        return repr(error)


@pytest.mark.databases
def test_of_two_clicks_that_passed_the_same_check_one_gets_the_challans(clerk, colleague, levers) -> None:
    """Let both read the challans as free; the second begins to claim when the first is about to commit its claims."""
    clerk.search(RC)
    chosen = clerk.payable(RC)
    past_the_check, about_to_commit = threading.Event(), threading.Event()
    writes = itertools.count(1)

    def hold(connection: Connection, options: dict[str, Any]) -> None:
        second_writes = threading.current_thread().name.startswith("second") and options.get("dashboard_writes")
        # The first write says that a check begins. The next one claims what the check has found free.
        if second_writes and next(writes) == 2:
            past_the_check.set()
            assert about_to_commit.wait(20)

    event.listen(clerk.services.store.engine, "set_connection_execution_options", hold)
    with ThreadPoolExecutor(1, thread_name_prefix="second") as pool:
        second = pool.submit(outcome, colleague, chosen)
        assert past_the_check.wait(20)
        failpoints.arm(Point.PREPARE_INSIDE, once(about_to_commit.set))
        assert (outcome(clerk, chosen), second.result(30)) == ("CREATED", CreationProblem.HELD)
    assert levers.count("create_link") == 1


def test_an_answer_read_after_others_moved_the_intent_on_is_recorded_as_certain(clerk, clock) -> None:
    clerk.search(RC)

    def lease_runs_out() -> None:
        clock.advance(seconds=60)
        clerk.services.outcome_resolver.sweep()

    failpoints.arm(Point.ANSWER_READ, once(lease_runs_out))
    row = clerk.create(RC, clerk.payable(RC))
    assert (row.state, row.attribution, row.sends) == ("CREATED", "certain", 1)
    assert clerk.link(row.link_id).origin == "created"


@pytest.mark.parametrize(("meanwhile", "status"), [("pay", "PAID"), ("expire", "EXPIRED")])
def test_a_late_answer_does_not_overwrite_a_later_status_of_its_link(
    clerk, levers, clock, meanwhile: str, status: str
) -> None:
    """Stop the process with the answer unrecorded, while others find the link and record its later status."""
    clerk.search(RC)
    chosen = clerk.payable(RC)

    def others_see_the_end() -> None:
        clock.advance(seconds=60)
        clerk.services.outcome_resolver.sweep()
        [link] = levers.truth()["links"]
        [request_id] = clerk.services.outcome_resolver.claim_due(5)
        assert clerk.resolve(request_id).state == "RECOVERED"
        getattr(levers, meanwhile)(link["id"])
        clock.advance(seconds=60)
        clerk.services.link_poller.refresh(link["id"])

    failpoints.arm(Point.ANSWER_READ, once(others_see_the_end))
    row = clerk.create(RC, chosen)
    assert (row.state, row.attribution) == ("CREATED", "certain")
    assert clerk.link(row.link_id).status == status
    assert clerk.claimed(chosen) == (set(chosen) if status == "PAID" else set())


def test_a_creation_whose_answer_is_lost_is_not_sent_again(clerk, levers) -> None:
    clerk.search(RC)
    levers.fault("create_link", "cut", when="after", count=3)
    row = clerk.create(RC, clerk.payable(RC))
    # A second attempt is refused by the mark, but then it would be said that nothing was sent.
    assert (row.state, row.sends) == ("UNKNOWN", 1)
    assert levers.count("create_link") == 1


def test_one_negative_is_not_enough_however_late_it_comes(clerk, levers, clock) -> None:
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("create_link", "cut", when="before")
    row = clerk.create(RC, chosen)
    clock.advance(hours=2)
    row = clerk.resolve(row.id)
    assert (row.state, row.negatives) == ("UNKNOWN", 1)
    assert clerk.claimed(chosen) == set(chosen)
    clock.advance(seconds=31)
    assert clerk.resolve(row.id).state == "NOT_CREATED"


def test_a_link_created_elsewhere_is_adopted_by_the_first_search_that_shows_it(clerk, elsewhere) -> None:
    clerk.search(RC)
    chosen = clerk.payable(RC)[:2]
    theirs = elsewhere.create_payment_link(RC, chosen, expiry_hours=24, before_send=lambda: None)
    clerk.search(RC)
    assert clerk.link(theirs.id).origin == "observed"
    clerk.services.link_poller.refresh(theirs.id)
    assert clerk.link(theirs.id).detailed
