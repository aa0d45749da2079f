"""Test that links and forms of a page are answered with the next page, without its document and in one answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask, flash, redirect, session
from flask.typing import ResponseReturnValue

from tests.support.page import Page
from tests.support.people import ASHA, PASSWORD, add
from tests.support.web_client import HTMX, IN_PLACE, WebClient

ON_HOME = {**IN_PLACE, "HX-Current-URL": "http://localhost/"}


@pytest.fixture
def goes(app: Flask, staff: WebClient) -> Callable[[str], None]:
    """Return a function that makes /goes redirect to an address."""

    def to(address: str) -> None:
        def view() -> ResponseReturnValue:
            flash("It is done.", "good")
            session["carried"] = "yes"
            return redirect(address, 303)

        app.add_url_rule("/goes", "goes", view, methods=["GET"])

    return to


def test_a_link_is_answered_with_the_page_and_without_its_document(staff: WebClient) -> None:
    page = staff.in_place("/links")
    assert "<html" not in page.response.text
    assert page.one("title").text == "Links · Challan Dashboard"
    assert page.one("main h1").text.strip() == "Payment links"
    assert page.headers["HX-Push-Url"] == "/links"
    assert page.headers["HX-Retarget"] == "#main"
    assert "show:window:top" in page.headers["HX-Reswap"]
    assert "HX-Request" in page.headers["Vary"]


def test_it_brings_the_menu_with_its_own_place(staff: WebClient) -> None:
    menu = staff.in_place("/links").one("nav#site-nav")
    assert menu["hx-swap-oob"] == "true"
    assert [link.text for link in menu.select("[aria-current=page]")] == ["Links"]


def test_the_address_that_is_shown_is_replaced_and_not_pushed_again(staff: WebClient) -> None:
    page = staff.in_place("/links?state=PAID", on="/links?state=PAID")
    assert page.headers["HX-Replace-Url"] == "/links?state=PAID"
    assert "HX-Push-Url" not in page.headers
    assert page.headers["HX-Reswap"] == "outerHTML", "the place on the page stays"


def test_back_is_answered_with_the_page_alone(staff: WebClient) -> None:
    answer = staff.get("/links", headers={**HTMX, "HX-History-Restore-Request": "true"})
    page = Page(staff, answer, region=True)
    assert page.one("main").has_attr("hx-history-elt")
    assert not {"HX-Push-Url", "HX-Retarget", "HX-Reswap"} & set(answer.headers.keys())


def test_a_redirect_is_answered_with_its_page_at_once(staff: WebClient, goes: Callable[[str], None]) -> None:
    goes("/links?state=PAID")
    answer = staff.get("/goes", headers=ON_HOME)
    page = Page(staff, answer, region=True)
    assert (answer.status_code, answer.headers["HX-Push-Url"]) == (200, "/links?state=PAID")
    assert page.one("main h1").text.strip() == "Payment links"
    assert "It is done." in page.text, "the message of the form is shown"
    with staff.session_transaction() as carried:
        assert carried["carried"] == "yes"
        assert "_flashes" not in carried, "a message is shown once"
    assert len(answer.headers.get_all("X-Request-Id")) == 1


def test_a_redirect_leads_nobody_to_a_page_that_is_not_theirs(staff: WebClient, goes: Callable[[str], None]) -> None:
    goes("/service")
    answer = staff.get("/goes", headers=ON_HOME)
    assert answer.status_code == 403
    assert "This is for administrators" in Page(staff, answer, region=True).text


@pytest.mark.parametrize("address", ["https://elsewhere.example/", "//elsewhere.example/", "/sign-in"])
def test_the_browser_goes_by_itself_where_the_application_ends(
    staff: WebClient, goes: Callable[[str], None], address: str
) -> None:
    goes(address)
    answer = staff.get("/goes", headers=ON_HOME)
    assert (answer.status_code, answer.headers["HX-Redirect"], answer.data) == (204, address, b"")


def test_a_download_is_left_to_the_browser(manager: WebClient) -> None:
    answer = manager.get("/links/export.csv?state=PAID", headers=ON_HOME)
    assert (answer.status_code, answer.headers["HX-Redirect"]) == (204, "/links/export.csv?state=PAID")


def test_a_page_that_does_not_exist_is_shown_at_its_address(staff: WebClient) -> None:
    page = staff.in_place("/nowhere", status=404)
    assert page.headers["HX-Push-Url"] == "/nowhere"
    assert page.headers["HX-Retarget"] == "#main"
    assert "Page not found" in page.text


def test_a_form_that_fails_leaves_the_page_and_its_address_as_they_are(staff: WebClient) -> None:
    headers = {**ON_HOME, "X-CSRFToken": staff.csrf_token(), "Sec-Fetch-Site": "cross-site"}
    answer = staff.post("/search", data={"rc_number": "MH12AB1001"}, headers=headers)
    assert answer.status_code == 403
    assert (answer.headers["HX-Retarget"], answer.headers["HX-Push-Url"]) == ("#notices", "false")


def test_a_form_with_errors_is_shown_at_the_address_of_its_page(staff: WebClient) -> None:
    headers = {**ON_HOME, "X-CSRFToken": staff.csrf_token()}
    answer = staff.post("/search", data={"rc_number": "MH12?"}, headers=headers)
    assert (answer.status_code, answer.headers["HX-Push-Url"]) == (422, "false"), "a reload opens what can be opened"


def test_an_expired_session_goes_to_sign_in_and_comes_back(visitor: WebClient) -> None:
    answer = visitor.get("/links?state=PAID", headers=ON_HOME)
    assert answer.headers["HX-Redirect"] == "/sign-in?next=/links?state%3DPAID"


def test_after_signing_in_the_document_is_loaded_with_the_token_of_the_session(app: Flask, visitor: WebClient) -> None:
    add(app, ASHA)
    form = visitor.page("/sign-in").form("Sign in")
    answer = form.submit(email=ASHA.email, password=PASSWORD, headers=ON_HOME)
    assert (answer.status_code, answer.headers["HX-Redirect"], answer.data) == (204, "/", b"")
