"""Test what somebody reads whose selected challans went to a colleague, or were delisted, before they could send."""

from __future__ import annotations

import re

from bs4 import Tag
from flask import Flask

from dashboard.services.container import Services
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, prepares, shares
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
    assert said.startswith("2 of your 3 challans can no longer be selected. The other one can go on this new link. ")
    assert re.search(r" MH1001 Asha Rao’s request of [\w ,:]+ MH1002 Asha Rao’s request of ", said)
    assert {link["href"] for link in held.select("a")} == {request}
    assert not page.all(".notice-wrong"), "a colleague was faster, which is no fault"
    assert "Held (" not in page.text, "they are named once"


def holding(page: Page) -> Tag:
    return page.one('section[aria-labelledby="holding-links-title"]')


def test_a_link_that_was_created_elsewhere_is_not_said_to_be_unsent(
    app: Flask, staff: WebClient, five: dict[str, str], services: Services
) -> None:
    steps.searches(staff)
    review = steps.reviewed(staff, "MH1001", "MH1002")
    made = steps.elsewhere(app, five["MH1001"])
    steps.searches(staff)
    services.link_poller.require_fresh(made)
    page = staff.page(review.response.request.path)
    assert "not sent from here" in words(holding(page).get_text(" "))
    assert "not sent yet" not in page.text


def test_a_colleague_who_collides_with_a_link_is_led_to_it(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager)
    link_id = steps.link_of(steps.create(staff))
    page = manager.read(mine.submit("Create payment link"))
    assert page.status == 422
    assert page.heading == "Already on a payment link MH12 AB 1001"
    said = words(holding(page).get_text(" "))
    assert said.startswith("Your 5 challans are already on this link. No new link was created. ₹")
    shown = said.replace("47 h 59 min", "48 h")
    ends = r"Active 48 h left · ends [\w ,:]+ [ap]m"
    assert re.search(rf"₹[\d,.]+ {ends} Created by Asha Rao, [\w ,:]+ · not sent yet Send the link Open", shown), shown
    assert page.link("Open the link") == f"/links/{link_id}"
    assert re.search(r"\d\xa0[ap]m", holding(page).get_text()), "no line ends within a time"
    assert page.link("Send the link") == f"/links/{link_id}/share", "nobody was sent it"
    assert "MH1001" not in said, "one link has them all"
    assert [words(each.get_text()) for each in page.all("main a")].count("Open the vehicle") == 1
    assert "Change the selection" not in page.text, "nothing is left to select"
    assert not page.all(".notice-wrong")
    assert not page.all(".empty"), "the link is what comes next"
    assert levers.count("create_link") == 1


def test_a_link_that_its_driver_has_is_not_offered_to_be_sent_again(
    staff: WebClient, manager: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager)
    link_id = steps.link_of(steps.create(staff))
    shares(staff, prepares(staff, link_id, driver=adds_a_driver(staff)), link_id, "whatsapp")
    page = manager.read(mine.submit("Create payment link"))
    assert "Sent on WhatsApp to Ramesh Kumar" in holding(page).get_text(" ")
    assert "Send the link" not in page.text


def test_a_link_to_check_first_is_not_offered_to_be_sent(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager)
    link_id = steps.link_of(steps.create(staff))
    levers.set_link(link_id, status="ON_HOLD")
    steps.check(staff, link_id)
    page = manager.read(mine.submit("Create payment link"))
    assert "Send the link" not in page.text
    assert page.link("Open the link") == f"/links/{link_id}"


def test_a_review_of_what_a_colleague_put_on_links_names_each_with_its_challans(
    staff: WebClient, manager: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager, "MH1001", "MH1002", "MH1003")
    made = [steps.link_of(steps.create(staff, number)) for number in ("MH1001", "MH1003")]
    shares(staff, prepares(staff, made[1], driver=adds_a_driver(staff)), made[1], "whatsapp")
    page = manager.read(mine.submit("Create payment link"))
    said = words(holding(page).get_text(" "))
    assert said.startswith("2 of your 3 challans are already on 2 links. The other one can go on this new link.")
    shown = [words(each.get_text(" ")) for each in holding(page).select(".holding-facts")]
    assert [each.split()[0] for each in shown] == ["MH1001", "MH1003"]
    for each in shown:
        assert re.search(r"left [Sn].* created by Asha Rao, [\w ,:]+m Open the link , which holds MH100[13]$", each)
        assert "1 challan" not in each, "its number is there"
    assert "not sent yet" in shown[0]
    assert "Sent on WhatsApp to Ramesh Kumar, " in shown[1]
    assert "not sent yet" not in shown[1]
    assert {link["href"] for link in holding(page).select("a")} == {f"/links/{each}" for each in made}
    assert "Create payment link" in page.buttons(), "MH1002 is free"
    assert page.heading == "Create a payment link for MH12 AB 1001"
    page = manager.page(f"{VEHICLE}/review")
    assert "can go on this new link" not in holding(page).get_text(" "), "nothing was asked for on this visit"


def test_a_review_of_what_is_all_on_several_links_says_so_in_its_heading(
    staff: WebClient, manager: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager, "MH1001", "MH1002")
    for number in ("MH1001", "MH1002"):
        steps.create(staff, number)
    page = manager.read(mine.submit("Create payment link"))
    assert page.heading == "Already on payment links MH12 AB 1001"
    assert "Your 2 challans are already on 2 links. No new link was created." in page.text


def test_a_link_that_holds_the_selection_says_how_many_challans_it_has_and_to_whom_it_was_sent(
    staff: WebClient, manager: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager, "MH1001")
    link_id = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    shares(staff, prepares(staff, link_id, driver=adds_a_driver(staff)), link_id, "whatsapp")
    said = words(holding(manager.read(mine.submit("Create payment link"))).get_text(" "))
    assert said.startswith("Your challan is already on this link. No new link was created.")
    assert "2 challans · Created by Asha Rao" in said
    assert "Ramesh" in said
    assert "not sent yet" not in said


def test_a_link_that_holds_a_part_of_the_selection_says_whether_it_was_sent(
    staff: WebClient, manager: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    mine = steps.reviewed(manager, "MH1001", "MH1002")
    link_id = steps.link_of(steps.create(staff, "MH1001"))
    page = manager.read(mine.submit("Create payment link"))
    assert "not sent yet" in words(holding(page).get_text(" "))
    assert "On the new link (1)" in page.text
    staff.post(f"/links/{link_id}/copied", data={"csrf_token": staff.csrf_token()})
    said = words(holding(manager.page(f"{VEHICLE}/review")).get_text(" "))
    assert "Copied only, " in said
    assert "not sent yet" not in said


def test_a_selected_challan_that_is_delisted_says_so(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    mine = steps.reviewed(staff, "MH1001", "MH1002")
    levers.set_challan(five["MH1001"], gone=True)
    steps.refresh(staff)
    page = staff.read(mine.submit("Create payment link"))
    dropped = page.one('section[aria-labelledby="dropped-title"]').get_text(" ")
    assert "No longer listed. It may have been paid." in dropped
