"""Test the menu: what waits at its places, for whom, and that every answer brings it up to date."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from dashboard.web.shared import htmx
from tests.support.page import Page
from tests.support.web_client import HTMX, WebClient
from tests.web.links.test_list import Ledger
from tests.web.sharing.test_follow_up import press


@pytest.fixture
def two_wait(app: Flask, staff: WebClient, clock: Any) -> None:
    entered = Ledger(app.extensions["services"], clock)
    for number in (1, 2):
        entered.enter(number, expires_at=clock() + timedelta(hours=8))


def count(page: Page, name: str = "follow_up") -> str:
    return " ".join(page.one(f"#menu-count-{name}").text.split())


@pytest.mark.usefixtures("two_wait")
def test_what_waits_stands_beside_follow_up_in_words_for_screen_readers(staff: WebClient) -> None:
    page = staff.page("/links")
    assert count(page) == "2 waiting"
    assert page.one("#site-nav a[href='/follow-up']").text.split() == ["Follow", "up", "2", "waiting"]
    assert page.all("#menu-count-reconcile") == [], "staff cannot open it"


def test_where_nothing_waits_no_number_stands(manager: WebClient) -> None:
    page = manager.page("/links")
    assert (count(page), count(page, "reconcile")) == ("", "")


@pytest.mark.usefixtures("two_wait")
def test_the_next_page_in_place_brings_it_up_to_date(staff: WebClient) -> None:
    press(staff.page("/follow-up"), 1, "4 hours")
    assert count(staff.in_place("/links")) == "1 waiting"


@pytest.mark.usefixtures("two_wait")
def test_a_region_that_answers_a_form_brings_it_up_to_date(app: Flask, staff: WebClient) -> None:
    def view() -> htmx.Response:
        return htmx.region("home/_notification_choice.html", notifications_wanted=False)

    app.add_url_rule("/saves", "saves", view, methods=["GET", "POST"])
    headers = {**HTMX, "X-CSRFToken": staff.csrf_token()}
    answered = Page(staff, staff.post("/saves", headers=headers), region=True)
    assert answered.one("#menu-count-follow_up")["hx-swap-oob"] == "true"
    assert count(answered) == "2 waiting"
    assert Page(staff, staff.get("/saves", headers=HTMX), region=True).all(".menu-count") == []


def test_what_has_no_room_opens_from_more_without_a_script(manager: WebClient) -> None:
    page = manager.page("/links")
    button = page.one("#site-nav button.more-button")
    rest = page.one(f"#site-nav #{button['popovertarget']}[popover]")
    places = [link["href"] for link in page.all("#site-nav a")]
    assert [link["href"] for link in rest.find_all("a")] == places[4:], "after Search, Links, Follow up and Fleet"


def test_what_would_be_alone_in_more_is_in_the_bar_itself(staff: WebClient) -> None:
    page = staff.page("/drivers")
    assert page.all(".more-button, .more-places") == []
    assert page.all("#site-nav > a")[-1]["href"] == "/drivers"
    assert page.one("#site-nav > [aria-current]").text.split() == ["Drivers"]


def test_more_keeps_its_word_and_names_the_place_that_it_holds_for_screen_readers(manager: WebClient) -> None:
    assert " ".join(manager.page("/links").one(".more-button").text.split()) == "More"
    assert " ".join(manager.page("/overview").one(".more-button").text.split()) == "More (Overview)"
    assert manager.page("/overview").one(".more-button .vh").text == " (Overview)"
    assert " ".join(manager.page("/fleet").one(".more-button").text.split()) == "More"


def test_the_menu_of_the_person_marks_its_own_places(admin: WebClient) -> None:
    for address, place in (
        ("/account", "My account"),
        ("/service", "Service status"),
        ("/service/assumptions", "Service status"),
    ):
        assert [link.get_text() for link in admin.page(address).all(".person-sheet [aria-current]")] == [place]
    for address in ("/", "/audit"):
        assert not admin.page(address).all(".person-sheet [aria-current]"), "the main menu marks it"
