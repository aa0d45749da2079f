"""Test what somebody reads whose selected challans went to a colleague, or were delisted, before they could send."""

from __future__ import annotations

import re

from tests.support.levers import Levers
from tests.support.web_client import WebClient
from tests.web import steps


def test_a_colleague_who_collides_reads_whose_request_holds_what(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager, "MH1001", "MH1002", "MH1003")
    levers.fault("create_link", "cut", when="after")
    request = steps.request_of(steps.create(staff, "MH1001", "MH1002"))
    page = manager.read(mine.submit("Create payment link"))
    assert page.status == 422
    assert re.search(r"Asha Rao’s request of [\w ,:]+ holds MH1001 and MH1002\.", page.text)
    assert "The review below has the others." in page.text
    assert page.all(f'section[aria-labelledby="held-title"] a[href="{request}"]')


def test_a_colleague_who_collides_with_a_link_is_led_to_it(
    staff: WebClient, manager: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager)
    link_id = steps.link_of(steps.create(staff))
    page = manager.read(mine.submit("Create payment link"))
    assert page.status == 422
    assert "A payment link holds 5 of them." in page.text
    assert "The review below has the others." not in page.text
    assert len(page.all(f'section[aria-labelledby="held-title"] a[href="/links/{link_id}"]')) == 5


def test_a_selected_challan_that_is_delisted_says_so(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    mine = steps.reviewed(staff, "MH1001", "MH1002")
    levers.set_challan(five["MH1001"], gone=True)
    steps.refresh(staff)
    page = staff.read(mine.submit("Create payment link"))
    dropped = page.one('section[aria-labelledby="dropped-title"]').get_text(" ")
    assert "No longer listed. It may have been paid." in dropped
