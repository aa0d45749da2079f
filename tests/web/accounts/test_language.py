"""Test which language a person gets, and how they change it."""

from __future__ import annotations

from flask import Flask

from dashboard.services.container import Services
from dashboard.store.accounts import audit
from tests.support.people import ASHA
from tests.support.web_client import WebClient

HINDI_BROWSER = {"Accept-Language": "hi-IN,hi;q=0.9,en;q=0.5"}


def language_of(client: WebClient, address: str = "/links", **headers: str) -> str:
    html = client.get(address, headers=headers).get_data(as_text=True)
    return html.split('<html lang="')[1].split('"')[0]


def choose(client: WebClient, code: str, referer: str = "http://localhost/links?status=PAID") -> tuple[int, str | None]:
    data = {"language": code, "csrf_token": client.csrf_token()}
    sent = client.post("/language", data=data, headers={"Referer": referer})
    return sent.status_code, sent.headers.get("Location")


def test_the_choice_holds_wherever_the_person_signs_in(app: Flask, staff: WebClient) -> None:
    assert language_of(staff) == "en"
    assert choose(staff, "hi") == (303, "/links?status=PAID")
    assert language_of(staff) == "hi"
    other = app.test_client()
    assert isinstance(other, WebClient)
    other.is_signed_in(ASHA.email)
    assert language_of(other) == "hi"
    choose(other, "en")
    assert language_of(staff, **HINDI_BROWSER) == "en"


def test_until_somebody_chooses_the_browser_decides(app: Flask, staff: WebClient) -> None:
    assert language_of(staff, **HINDI_BROWSER) == "hi"
    assert language_of(staff, **{"Accept-Language": "ta,fr"}) == "en"
    signed_out = app.test_client()
    assert isinstance(signed_out, WebClient)
    assert language_of(signed_out, "/sign-in", **HINDI_BROWSER) == "hi"
    assert language_of(signed_out, "/sign-in") == "en"


def test_the_menu_marks_the_present_language_and_names_each_in_itself(staff: WebClient) -> None:
    buttons = staff.page("/links").all('form[action="/language"] button')
    shown = [(each["lang"], each.get_text(strip=True), each["aria-pressed"]) for each in buttons]
    assert shown == [("en", "English", "true"), ("hi", "हिन्दी", "false")]


def test_an_unknown_language_is_refused(staff: WebClient) -> None:
    assert choose(staff, "xx")[0] == 400
    assert language_of(staff) == "en"


def test_a_change_is_audited_and_a_choice_of_the_same_is_not(staff: WebClient, services: Services) -> None:
    choose(staff, "hi")
    choose(staff, "hi")
    with services.store.read() as connection:
        entries = [entry for entry in audit.newest(connection) if entry.action == "language chosen"]
    assert [(entry.subject, entry.detail) for entry in entries] == [(ASHA.email, {"language": "hi"})]
