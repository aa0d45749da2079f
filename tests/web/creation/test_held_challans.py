"""Test what somebody reads whose selected challans went to a colleague, or were delisted, before they could send."""

from __future__ import annotations

import re

from bs4 import Tag

from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import VEHICLE


def test_a_colleague_who_collides_reads_whose_request_holds_what(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager, "MH1001", "MH1002", "MH1003")
    levers.fault("create_link", "cut", when="after")
    request = steps.request_of(steps.create(staff, "MH1001", "MH1002"))
    page = manager.read(mine.submit("Create payment link"))
    assert page.status == 422
    held = page.one('.notice-neutral[aria-labelledby="requests-title"]')
    said = words(held.get_text(" "))
    assert said.startswith("Some of these challans can no longer be selected. No new link was created. ")
    assert re.search(r" MH1001 Asha Rao’s request of [\w ,:]+ MH1002 Asha Rao’s request of ", said)
    assert {link["href"] for link in held.select("a")} == {request}
    assert not page.all(".notice-wrong"), "a colleague was faster, which is no fault"
    assert "Held (" not in page.text, "they are named once"


def holding(page: Page) -> Tag:
    return page.one('section[aria-labelledby="holding-links-title"]')


def test_a_colleague_who_collides_with_a_link_is_led_to_it(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager)
    link_id = steps.link_of(steps.create(staff))
    page = manager.read(mine.submit("Create payment link"))
    assert page.status == 422
    said = words(holding(page).get_text(" "))
    assert re.search(
        r"^Asha Rao created a payment link for these 5 challans at [\w ,:]+\. "
        r"No new link was created\.",
        said,
    )
    assert "5 challans Active 48 h left" in said.replace("47 h 59 min", "48 h")
    assert page.link("Open the payment link") == f"/links/{link_id}"
    assert "MH1001" not in said, "one link has them all"
    assert not page.all(".notice-wrong")
    assert not page.all(".empty"), "the link is what comes next"
    assert levers.count("create_link") == 1


def test_a_review_of_what_a_colleague_put_on_links_names_each_with_its_challans(
    staff: WebClient, manager: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager, "MH1001", "MH1002", "MH1003")
    made = [steps.link_of(steps.create(staff, number)) for number in ("MH1001", "MH1003")]
    page = manager.read(mine.submit("Create payment link"))
    said = words(holding(page).get_text(" "))
    assert said.startswith("2 of your 3 challans are already on 2 links. No new link was created. 1 is left.")
    shown = [words(each.get_text(" ")) for each in holding(page).select(".holding-facts")]
    assert [each.split()[0] for each in shown] == ["MH1001", "MH1003"]
    for each in shown:
        assert re.search(r"left created by Asha Rao, [\w ,:]+ [ap]m Open link , which holds MH100[13]$", each), each
        assert "1 challan" not in each, "its number is there"
    assert {link["href"] for link in holding(page).select("a")} == {f"/links/{each}" for each in made}
    assert "Create payment link" in page.buttons(), "MH1002 is free"
    page = manager.page(f"{VEHICLE}/review")
    assert "No new link was created" not in holding(page).get_text(" "), "nothing was asked for on this visit"


def test_a_selected_challan_that_is_delisted_says_so(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    mine = steps.reviewed(staff, "MH1001", "MH1002")
    levers.set_challan(five["MH1001"], gone=True)
    steps.refresh(staff)
    page = staff.read(mine.submit("Create payment link"))
    dropped = page.one('section[aria-labelledby="dropped-title"]').get_text(" ")
    assert "No longer listed. It may have been paid." in dropped
