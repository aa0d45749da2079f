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


def test_a_link_that_somebody_else_polls_is_waited_for(clerk, services, levers, clock, made, asked):
    assert not services.link_poller.refresh(made), "somebody else holds the lease"
    services.link_poller.require_fresh(made)
    assert clerk.link(made).checked_at == clock()
    assert levers.count("link_status") == 1


def test_an_answer_that_comes_between_a_read_and_the_next_try_is_not_polled_again(services, levers, made, asked):
    writes = []

    def stall(connection, options):
        """Hold up each try but the first until the other poll has recorded its answer."""
        if options.get("dashboard_writes") and threading.current_thread() is threading.main_thread():
            writes.append(connection)
            if len(writes) > 1:
                asked.result(30)

    event.listen(services.store.engine, "set_connection_execution_options", stall)
    services.link_poller.require_fresh(made)
    assert len(writes) > 1
    assert levers.count("link_status") == 1


@pytest.mark.databases
def test_after_a_lease_that_ended_without_an_answer_the_link_is_polled(clerk, services, clock, made):
    with services.store.write() as connection:
        assert due_links.claim(connection, made, clock(), clock() + timedelta(seconds=9))
    with ThreadPoolExecutor(1) as pool:
        waits = pool.submit(services.link_poller.require_fresh, made)
        with services.store.write() as connection:
            due_links.release(connection, [made])
        waits.result(30)
    assert clerk.link(made).checked_at == clock()


def test_without_any_answer_a_link_counts_as_unreachable(services, levers, clock, made, tmp_path):
    with services.store.write() as connection:
        assert due_links.claim(connection, made, clock(), clock() + timedelta(seconds=60))
    levers.forget_calls()
    schedule = Schedule(status_deadline=timedelta(seconds=0.2), check_margin=timedelta(seconds=0.1))
    hasty = Services(
        services.store, services.vehicle_search.client, clock, schedule, UnrecordedLinks(tmp_path / "hasty")
    )
    with pytest.raises(Unreachable, match="others polled"):
        hasty.link_poller.require_fresh(made)
    assert levers.count("link_status") == 0
