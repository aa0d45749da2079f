"""Provide a request whose outcome stays unclear until a manager releases its challans, and a link that has ended."""

from __future__ import annotations

import pytest

from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.web_client import WebClient
from tests.web import steps


@pytest.fixture
def unsettled(staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock) -> str:
    """Request three challans, one of which becomes delisted, as Asha; return the address of the request."""
    steps.searches(staff)
    levers.fault("create_link", "cut", when="before")
    address = steps.request_of(steps.create(staff, "MH1001", "MH1002", "MH1003"))
    levers.set_challan(five["MH1001"], gone=True)
    clock.advance(minutes=3)
    for _ in range(6):
        clock.advance(seconds=10)
        staff.page(address).submit("Check now")
    assert steps.state_of_request(staff.page(address)) == "NEEDS_ATTENTION"
    return address


@pytest.fixture
def old(staff: WebClient, five: dict[str, str], levers: Levers) -> str:
    """Create a link for 72 hours as Asha, and let it expire."""
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, hours="72"))
    levers.expire(link_id)
    steps.check(staff, link_id)
    return link_id
