"""Test that of two answers about a link the one asked for later counts, however slowly the other one comes."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from dashboard.services.container import Services
from dashboard.services.creation.commands import CreationRefused
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.store.engine import Store
from tests.support.ledger_fixtures import RC
from tests.support.waiting import until

pytestmark = pytest.mark.databases


@pytest.fixture(params=["same-process", "other-host"])
def elsewhere_polls(request, services, clock, tmp_path):
    """Yield the services of whoever polls the link too; on another host the clock is a second ahead."""
    if request.param == "same-process":
        yield services
        return
    store = Store(services.store.url.render_as_string(hide_password=False))
    client = services.vehicle_search.client
    yield Services(
        store, client, lambda: clock() + timedelta(seconds=1), services.schedule, UnrecordedLinks(tmp_path / "other")
    )
    store.close()


@pytest.fixture
def ended(clerk, services, levers, clock):
    """Create a link on two challans, let it expire and be polled, and return its intent; no call was made since."""
    clerk.search(RC)
    made = clerk.create(RC, clerk.payable(RC)[:2])
    levers.expire(made.link_id)
    services.link_poller.refresh(made.link_id)
    clock.advance(seconds=61)
    levers.forget_calls()
    return made


def is_answered(levers, count):
    """Wait until the service has computed so many answers about links, the last of which is under way slowly."""
    until(
        lambda: sum(bool(call["status"]) for call in levers.calls("link_status")) >= count, "the service was not asked"
    )


def test_a_slow_answer_from_before_a_payment_lets_no_replacement_through(clerk, levers, elsewhere_polls, ended):
    levers.fault("link_status", "drip", seconds=3, when="after")
    with ThreadPoolExecutor(1) as pool:
        slow = pool.submit(elsewhere_polls.link_poller.refresh, ended.link_id)
        is_answered(levers, 1)
        levers.pay(ended.link_id)
        with pytest.raises(CreationRefused, match="not_payable"):
            clerk.create(RC, ended.challan_ids)
        assert not slow.done(), "the slow answer came too soon to prove anything"
        assert slow.result(30)
    assert clerk.link(ended.link_id).status == "PAID"
    assert levers.count("create_link") == 0


def test_a_payment_is_recorded_though_an_older_answer_came_meanwhile(clerk, services, levers, clock, ended):
    """An attempt to resolve another request of the vehicle reads the link without a lease."""
    levers.fault("create_link", "cut", when="before")
    unclear = clerk.create(RC, ended.challan_ids[:1])
    levers.forget_calls()
    levers.fault("link_status", "drip", seconds=2, when="after")
    levers.fault("link_status", "drip", seconds=5, when="after")
    with ThreadPoolExecutor(2) as pool:
        older = pool.submit(services.outcome_resolver.resolve, unclear.id)
        is_answered(levers, 1)
        levers.pay(ended.link_id)
        clock.advance(seconds=1)
        newer = pool.submit(services.link_poller.require_fresh, ended.link_id)
        is_answered(levers, 2)
        clock.advance(seconds=1)
        older.result(30)
        assert not newer.done(), "the newer answer came too soon to prove anything"
        newer.result(30)
    assert clerk.link(ended.link_id).status == "PAID"
