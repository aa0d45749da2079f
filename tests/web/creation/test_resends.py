"""Test a form that is sent again after its session ended: no page denies the link that it created (I6)."""

from __future__ import annotations

import pytest

from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.oracle import DENIALS
from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps


@pytest.fixture
def sent(staff: WebClient, levers: Levers) -> Page:
    """Create a link, and return the review whose form created it."""
    levers.add_vehicle(steps.RC, [steps.challan(1)])
    steps.searches(staff)
    review = steps.reviewed(staff)
    steps.link_of(review.submit("Create payment link"))
    return review


def test_a_form_sent_before_is_not_denied_when_its_session_has_ended(
    staff: WebClient, sent: Page, clock: MovableClock
) -> None:
    clock.advance(minutes=31)
    sign_in = staff.read(sent.submit("Create payment link"))
    assert "What you entered is saved" in sign_in.text
    assert not DENIALS.search(sign_in.text)


def test_a_form_sent_before_is_not_denied_in_a_later_session(staff: WebClient, sent: Page) -> None:
    staff.submit_sign_out()
    staff.signs_in(ASHA.email)
    answer = staff.read(sent.submit("Create payment link"))
    assert (answer.status, answer.heading) == (400, "This page was opened in an earlier session")
    assert not DENIALS.search(answer.text)
