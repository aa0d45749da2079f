"""Test that a fresh answer about a link is polled, or awaited while another process polls the link."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import event

from dashboard.errors import Unreachable
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.links import due_links
from tests.support.concurrent_polls import poll_in_flight
from tests.support.ledger_fixtures import RC


@pytest.fixture
def made(clerk, clock):
    """Create a link, let a minute pass, and return its id."""
    clerk.search(RC)
    row = clerk.create(RC, clerk.payable(RC))
    clock.advance(seconds=61)
    return row.link_id


@pytest.fixture
def asked(services, levers, made):
    """Yield the pending result of another process's poll of the link."""
    with poll_in_flight(services.link_poller, levers, made) as answer:
        yield answer


def test_an_older_poll_is_not_relied_on(clerk, services, levers, clock, made, asked):
    assert not services.link_poller.refresh(made), "somebody else holds the lease"
    services.link_poller.require_fresh(made)
    assert clerk.link(made).checked_at == clock()
    assert levers.count("link_status") == 2


@pytest.fixture
def overtaken(services):
    """Return a function that has another process claim a poll of a link before this thread's next write."""

    def overtakes(link_id, seconds):
        def claims(connection, options):
            mine = threading.current_thread() is threading.main_thread()
            if mine and options.get("dashboard_writes") and not claimed:
                claimed.append(None)
                with ThreadPoolExecutor(1) as pool:
                    claimed.append(pool.submit(claim).result(30))

        def claim():
            now = services.clock()
            with services.store.write() as other:
                return due_links.claim(other, link_id, now, now + timedelta(seconds=seconds))

        claimed = []
        event.listen(services.store.engine, "set_connection_execution_options", claims)
        return claimed

    return overtakes


@pytest.mark.databases
def test_a_poll_that_began_later_is_waited_for(clerk, services, levers, clock, made, overtaken):
    claimed = overtaken(made, 60)
    levers.forget_calls()
    with ThreadPoolExecutor(1) as pool:
        answers = pool.submit(answer_once_claimed, services, claimed, made)
        services.link_poller.require_fresh(made)
        assert answers.result(30)
    assert levers.count("link_status") == 1
    assert clerk.link(made).answered_poll == claimed[1].number


def answer_once_claimed(services, claimed, link_id):
    """Make the poll that another process has claimed."""
    while len(claimed) < 2:
        threading.Event().wait(0.01)
    services.link_poller.poll_claimed(link_id)
    return True


@pytest.mark.databases
def test_after_a_later_lease_that_ended_without_an_answer_the_link_is_polled(clerk, services, clock, made, overtaken):
    claimed = overtaken(made, 60)

    def release():
        while len(claimed) < 2:
            threading.Event().wait(0.01)
        with services.store.write() as connection:
            due_links.release(connection, [made])

    with ThreadPoolExecutor(1) as pool:
        released = pool.submit(release)
        services.link_poller.require_fresh(made)
        released.result(30)
    assert clerk.link(made).answered_poll > claimed[1].number


def test_without_any_answer_a_link_counts_as_unreachable(services, levers, clock, made, tmp_path, overtaken):
    overtaken(made, 60)
    levers.forget_calls()
    schedule = Schedule(status_deadline=timedelta(seconds=0.2), check_margin=timedelta(seconds=0.1))
    hasty = Services(
        services.store, services.vehicle_search.client, clock, schedule, UnrecordedLinks(tmp_path / "hasty")
    )
    with pytest.raises(Unreachable, match="others polled"):
        hasty.link_poller.require_fresh(made)
    assert levers.count("link_status") == 0
