"""Test that an error page says what happened and why, and leads on."""

from __future__ import annotations

import pytest
from flask import Flask, abort

from tests.support.page import Page, words
from tests.support.people import ARUN
from tests.support.web_client import WebClient


def ways(page: Page) -> dict[str, str]:
    return {words(each.get_text()): str(each["href"]) for each in page.all(".error-page a")}


@pytest.fixture
def failing(app: Flask) -> str:
    app.add_url_rule("/fails/<int:code>", "fails", abort, methods=["GET", "POST"])
    return "/fails"


def test_an_address_that_leads_nowhere_is_shown_once_beside_a_field_that_finds_things(staff: WebClient) -> None:
    page = staff.page("/nowhere", status=404)
    assert page.heading == "Page not found"
    assert "There is nothing at /nowhere." in page.text
    form = page.one("main form")
    assert (form["action"], form["method"]) == ("/find", "get")
    assert page.one("main form input")["name"] == "q"
    assert page.all("header form[action='/find']")
    assert ways(page) == {"Go to the search": "/"}


@pytest.mark.parametrize("page_of", ["", "/share", "/receipt"])
def test_of_a_link_that_is_not_there_others_can_be_found_at_once(staff: WebClient, page_of: str) -> None:
    page = staff.page(f"/links/11111111-1111-4111-8111-111111111111{page_of}", status=404)
    assert page.heading == "There is no such payment link"
    assert page.one(".error-find input")["name"] == "q"
    assert ways(page)["See all payment links"] == "/links"


def test_it_leads_back_and_to_the_section_that_the_address_begins_with(staff: WebClient, manager: WebClient) -> None:
    from_drivers = {"Referer": "http://localhost/drivers"}
    assert ways(Page(staff, staff.get("/lniks/4711", headers=from_drivers))) == {
        "Go back": "/drivers",
        "Go to the search": "/",
    }
    page = manager.page("/fleet/plan", status=404)
    assert ways(page) == {"Go to Fleet": "/fleet"}
    assert words(page.one("#site-nav [aria-current]").get_text()) == "Fleet"
    assert ways(Page(staff, staff.get("/drivers/x/y", headers=from_drivers))) == {
        "Go back": "/drivers",
        "Go to the search": "/",
    }, "one way back is enough"


def test_a_section_that_this_person_may_not_open_is_not_offered(staff: WebClient) -> None:
    assert ways(staff.page("/fleet/plan", status=404)) == {"Go to the search": "/"}


def test_an_address_that_is_asked_for_again_by_its_own_page_offers_no_way_back_to_it(staff: WebClient) -> None:
    page = Page(staff, staff.get("/drivers/99", headers={"Referer": "http://localhost/drivers/99"}))
    assert "Go back" not in ways(page)


def test_who_is_not_signed_in_is_led_to_signing_in_and_not_to_a_search(visitor: WebClient) -> None:
    page = visitor.page("/nowhere", status=404)
    assert "below" not in page.text
    assert ways(page) == {"Sign in": "/sign-in"}


def test_who_lacks_the_role_reads_which_one_it_needs_and_whom_to_ask(staff: WebClient, admin: WebClient) -> None:
    page = staff.page("/overview", status=403)
    assert page.heading == "This is for managers and administrators"
    assert f"whose role is Staff. Ask an administrator ({ARUN.name}) if you need it." in page.text
    assert ways(page) == {"Go to the search": "/"}


@pytest.mark.parametrize(
    ("status", "heading"),
    [
        (400, "This request was not complete"),
        (413, "This is too large"),
        (429, "Too many requests"),
        (500, "Something went wrong here"),
        (502, "The dashboard got no proper answer"),
        (503, "The dashboard is busy or restarting"),
        (504, "The answer took too long"),
    ],
)
def test_each_failure_has_words_of_its_own(staff: WebClient, failing: str, status: int, heading: str) -> None:
    page = staff.page(f"{failing}/{status}", status=status)
    assert page.heading == heading
    assert f"Error {status}" in page.text
    assert not page.all("main form")
    assert list(ways(page)) == (["Try again"] if status >= 429 else []) + ["Go to the search"]
    assert ways(page).get("Try again", f"{failing}/{status}") == f"{failing}/{status}"


def test_a_form_that_failed_leads_back_to_its_page(staff: WebClient, failing: str) -> None:
    data = {"csrf_token": staff.csrf_token()}
    for referrer, back in (
        ("http://localhost/drivers?q=1", "/drivers?q=1"),
        ("http://elsewhere.example/drivers", None),
        ("http://localhost//elsewhere.example", None),
    ):
        answer = staff.post(f"{failing}/503", data=data, headers={"Referer": referrer})
        page = Page(staff, answer)
        assert answer.status_code == 503
        assert ways(page).get("Go back") == back


def test_an_address_that_only_takes_forms_says_so(staff: WebClient, admin: WebClient) -> None:
    page = staff.page("/service/try-again", status=405)
    assert page.heading == "This address cannot be opened directly"
    assert ways(page) == {"Go to the search": "/"}
    assert ways(admin.page("/service/try-again", status=405)) == {"Go to Service status": "/service"}


def test_an_administrator_is_led_to_the_status_of_the_service(staff: WebClient, admin: WebClient, failing: str) -> None:
    assert ways(admin.page(f"{failing}/504", status=504))["Service status"] == "/service"
    assert "Service status" not in ways(staff.page(f"{failing}/504", status=504))


@pytest.mark.parametrize(
    ("address", "heading", "way"),
    [
        ("/drivers/999", "There is no such driver", {"See all drivers": "/drivers"}),
        ("/people/999", "There is no such person", {"See all people": "/people"}),
    ],
)
def test_what_is_missing_is_named_with_the_way_to_its_list(
    admin: WebClient, address: str, heading: str, way: dict[str, str]
) -> None:
    page = admin.page(address, status=404)
    assert page.heading == heading
    assert ways(page) == way
