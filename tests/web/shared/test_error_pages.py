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


def test_a_page_that_is_not_found_can_be_looked_for(staff: WebClient) -> None:
    page = staff.page("/nowhere", status=404)
    assert page.heading == "Page not found"
    form = page.one("main form[role=search]")
    assert (form["action"], form["method"]) == ("/find", "get")
    assert page.all("main form label[for=error-find]")
    assert ways(page) == {"See all links": "/links"}


def test_an_address_that_leads_nowhere_is_shown_with_the_way_back(staff: WebClient) -> None:
    answer = staff.get("/lniks/4711", headers={"Referer": "http://localhost/drivers"})
    page = Page(staff, answer)
    assert "There is nothing at /lniks/4711" in page.text
    assert ways(page) == {"Go back": "/drivers", "See all links": "/links"}
    assert "Go back" not in ways(
        Page(staff, staff.get("/drivers/99", headers={"Referer": "http://localhost/drivers/99"}))
    )


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


def test_an_address_that_only_takes_forms_says_so(staff: WebClient) -> None:
    page = staff.page("/service/try-again", status=405)
    assert page.heading == "This address cannot be opened directly"


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
