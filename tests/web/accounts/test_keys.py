"""Test that a person switches the keys of the pages off, on whatever device, and on again."""

from __future__ import annotations

from flask import Flask

from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient


def test_they_are_switched_off_for_the_person_and_on_again(app: Flask, staff: WebClient) -> None:
    page = staff.page("/links")
    assert page.one("#keys-menu")["data-keys"] == "on"
    answer = staff.region("/keys").one("form#keys-choice-dialog")
    assert (answer["method"], answer["action"]) == ("post", "/keys")
    sent = staff.post(
        "/keys", data={"wanted": "off", "csrf_token": staff.csrf_token()}, headers={"Referer": "http://localhost/links"}
    )
    assert (sent.status_code, sent.headers["Location"]) == (303, "/links")
    other = app.test_client()
    assert isinstance(other, WebClient)
    other.is_signed_in(ASHA.email)
    assert other.page("/").one("#keys-menu")["data-keys"] == "off"
    other.post("/keys", data={"wanted": "on", "csrf_token": other.csrf_token()})
    assert staff.page("/").one("#keys-menu")["data-keys"] == "on"


def test_in_place_both_switches_are_answered(staff: WebClient) -> None:
    answer = staff.post("/keys", data={"wanted": "off"}, headers={**HTMX, "X-CSRFToken": staff.csrf_token()})
    region = Page(staff, answer, region=True)
    for changed in ("#keys-menu", "#keys-choice-dialog"):
        each = region.one(changed)
        assert (each["hx-swap-oob"], each["data-keys"]) == ("true", "off")


def test_the_list_comes_into_its_dialog_and_sends_anybody_else_to_a_page(staff: WebClient) -> None:
    dialog = staff.page("/links").one("dialog#keys")
    region = staff.region(str(dialog["hx-get"]))
    assert region.one("h2").text == dialog["aria-label"] == "Keyboard shortcuts"
    assert region.one("#keys-choice-dialog")
    assert staff.get("/keys").headers["Location"] == "/"


def test_the_list_has_the_keys_of_the_find_box(staff: WebClient) -> None:
    keys = [(row.dt.text, row.dd.text) for row in staff.region("/keys").all("section dl > div")]
    assert ("Ctrl+K", "Find anything, also from a field") in keys
    assert ("Enter", "Open what is chosen") in keys
    assert ("Enter", "Open the row; on Follow up, send it") in keys
    assert ("Esc", "Close") in keys


def test_the_list_has_the_places_that_the_person_may_open(
    staff: WebClient, manager: WebClient, admin: WebClient
) -> None:
    for visitor in (staff, manager, admin):
        links = visitor.page("/").all("#site-nav [data-key]")
        menu = {str(a["data-key"]): a.select_one("span").find(string=True).strip() for a in links}
        listed = visitor.region("/keys").all(".keys-places dl > div")
        assert {" ".join(key.text for key in row.select("kbd")): row.dd.text for row in listed} == menu
