"""Sign-in and sign-out: what is refused, throttled and audited, and where they lead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask

from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.accounts.hashing_places import HashingPlaces
from dashboard.settings import Settings
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.page import words
from tests.support.people import ASHA, PASSWORD, add
from tests.support.web_client import WebClient

WRONG = "Wrong email or password."


@pytest.fixture(autouse=True)
def asha(app: Flask) -> None:
    add(app, ASHA)


def audited(store: Store) -> list[str]:
    with store.read() as connection:
        return [row.action for row in reversed(audit.newest(connection)) if row.action != "person added"]


def test_the_right_password_leads_to_the_search(visitor: WebClient) -> None:
    answer = visitor.signs_in(ASHA.email)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")
    assert "Asha Rao" in visitor.page("/").everything


def test_the_page_answers_head_as_it_answers_get(visitor: WebClient) -> None:
    assert visitor.head("/sign-in").status_code == visitor.get("/sign-in").status_code == 200


def test_the_email_may_be_capitalized_differently(visitor: WebClient) -> None:
    assert visitor.signs_in("ASHA@Example.COM ").status_code == 303


def test_unknown_people_and_wrong_passwords_get_the_same_words(visitor: WebClient) -> None:
    wrong = visitor.read(visitor.signs_in(ASHA.email, "not the password"))
    unknown = visitor.read(visitor.signs_in("nobody@example.com", "not the password"))
    assert (wrong.status, unknown.status) == (422, 422)
    assert WRONG in wrong.text
    assert wrong.text == unknown.text


def test_after_a_wrong_password_the_email_is_filled_in_and_the_password_is_not(visitor: WebClient) -> None:
    page = visitor.read(visitor.signs_in("asha@exmaple.com", "not the password"))
    assert page.field("Email")["value"] == "asha@exmaple.com"
    assert "not the password" not in page.response.text
    assert page.one("#password").has_attr("autofocus")
    for field in ("Email", "Password"):
        assert page.field(field)["aria-invalid"] == "true", "the answer does not reveal which accounts exist"
        assert WRONG in page.one(f"#{page.field(field)['aria-describedby']}").get_text()
    assert not visitor.page("/sign-in").all("[aria-invalid]")
    assert not page.one("#email").has_attr("autofocus")


@pytest.mark.parametrize(("email", "password"), [("", "x"), ("a@b.in", ""), ("", "")])
def test_an_empty_field_of_the_sign_in_form_is_named(visitor: WebClient, email: str, password: str) -> None:
    page = visitor.read(visitor.signs_in(email, password))
    assert page.status == 422
    assert ("Enter your email address." in page.text) == (not email)
    assert ("Enter your password." in page.text) == (not password)


def test_a_disabled_person_is_refused_with_the_same_words(app: Flask, visitor: WebClient) -> None:
    people = app.extensions["people"]
    people.disable(people.find(ASHA.email), by=None, origin=COMMAND_LINE)
    assert WRONG in visitor.read(visitor.signs_in(ASHA.email)).text


def test_sign_in_begins_a_session_with_nothing_of_the_one_before(visitor: WebClient) -> None:
    visitor.page("/sign-in")
    with visitor.session_transaction() as session:
        session["planted"] = "by somebody else"
    visitor.signs_in(ASHA.email)
    with visitor.session_transaction() as session:
        assert "planted" not in session
        first = session["_user_id"]
    visitor.submit_sign_out()
    visitor.signs_in(ASHA.email)
    with visitor.session_transaction() as session:
        assert session["_user_id"] != first


def test_the_token_of_a_session_is_not_in_the_database(app: Flask, staff: WebClient, store: Store) -> None:
    with staff.session_transaction() as session:
        token = session["_user_id"]
    with store.engine.connect() as connection:
        everything = "".join(str(line) for line in connection.connection.driver_connection.iterdump())  # type: ignore[union-attr]  # SQLite.
    assert ASHA.email in everything
    assert token not in everything


def test_sign_out_ends_the_session_on_the_server(app: Flask, staff: WebClient) -> None:
    cookie = staff.get_cookie("dashboard")
    assert cookie is not None
    answer = staff.submit_sign_out()
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sign-in")
    assert answer.headers["Clear-Site-Data"] == '"storage"'
    thief = app.test_client()
    thief.set_cookie("dashboard", cookie.value)
    assert thief.get("/").status_code == 302


def test_sign_out_needs_a_post(staff: WebClient) -> None:
    assert staff.get("/sign-out").status_code == 405
    assert staff.get("/").status_code == 200


def test_sign_ins_and_sign_outs_are_audited(visitor: WebClient, store: Store) -> None:
    visitor.signs_in(ASHA.email, "not the password")
    visitor.signs_in("nobody@example.com", "not the password")
    visitor.signs_in(ASHA.email)
    visitor.submit_sign_out()
    assert audited(store) == ["sign-in failed", "sign-in failed", "signed in", "signed out"]
    with store.read() as connection:
        newest = audit.newest(connection)
    assert newest[0].request_id
    assert {row.address for row in newest[:4]} == {"127.0.0.1"}
    assert newest[2].subject == "nobody@example.com"


# Too many tries


def fail(visitor: WebClient, times: int, email: str = ASHA.email) -> list[int]:
    return [visitor.signs_in(email, "not the password").status_code for _ in range(times)]


def test_after_five_failures_an_account_has_to_wait(visitor: WebClient, clock: MovableClock) -> None:
    assert fail(visitor, 6) == [422] * 5 + [429]
    answer = visitor.signs_in(ASHA.email)
    page = visitor.read(answer)
    assert (page.status, answer.headers["Retry-After"]) == (429, "1")
    assert "Too many failed tries. Wait 1 second, then try again." in page.text
    assert page.field("Email")["value"] == ASHA.email
    clock.advance(seconds=1)
    assert visitor.signs_in(ASHA.email).status_code == 303


def test_the_wait_doubles_and_stays_short(visitor: WebClient, clock: MovableClock) -> None:
    fail(visitor, 5)
    waits = []
    for _ in range(8):
        refused = visitor.signs_in(ASHA.email, "not the password")
        assert refused.status_code == 429
        waits.append(int(refused.headers["Retry-After"]))
        clock.advance(seconds=waits[-1])
        assert visitor.signs_in(ASHA.email, "not the password").status_code == 422
    assert waits == [1, 2, 4, 8, 16, 30, 30, 30]


def test_nobody_is_locked_out_for_good(visitor: WebClient, clock: MovableClock) -> None:
    for _ in range(30):
        fail(visitor, 1)
        clock.advance(seconds=61)
    assert visitor.signs_in(ASHA.email).status_code == 303


def test_unknown_accounts_are_throttled_like_known_ones(visitor: WebClient) -> None:
    assert fail(visitor, 6, "nobody@example.com") == [422] * 5 + [429]


def test_an_address_is_throttled_over_many_accounts(visitor: WebClient) -> None:
    assert [fail(visitor, 1, f"person{n}@example.com")[0] for n in range(21)] == [422] * 20 + [429]


def test_successes_are_not_counted(app: Flask, visitor: WebClient) -> None:
    for _ in range(30):
        assert visitor.signs_in(ASHA.email).status_code == 303
        visitor.submit_sign_out()


def test_a_success_clears_the_failures_before_it(visitor: WebClient) -> None:
    for _ in range(3):
        assert fail(visitor, 4) == [422] * 4
        assert visitor.signs_in(ASHA.email).status_code == 303
        visitor.submit_sign_out()


def test_a_browser_that_has_signed_in_is_not_kept_out_by_another(
    app: Flask, visitor: WebClient, clock: MovableClock
) -> None:
    assert visitor.signs_in(ASHA.email).status_code == 303
    cookie = visitor.get_cookie("dashboard-device")
    assert cookie is not None
    assert cookie.http_only
    visitor.submit_sign_out()
    stranger = app.test_client()
    assert isinstance(stranger, WebClient)
    assert fail(stranger, 6) == [422] * 5 + [429]
    assert visitor.signs_in(ASHA.email).status_code == 303
    stranger.set_cookie("dashboard-device", cookie.value[:-2] + "xx")
    assert stranger.signs_in(ASHA.email).status_code == 429, "a forged cookie is none"


def test_when_too_many_sign_in_they_are_told_to_come_back(build_app: Any, settings: Settings, store: Store) -> None:
    app = build_app(settings)
    places = HashingPlaces(1, waiting=0)
    people = app.extensions["people"]
    app.extensions["people"] = replace(people, passwords=replace(people.passwords, places=places))
    visitor = app.test_client()
    with places.place():
        answer = visitor.signs_in(ASHA.email)
    page = visitor.read(answer)
    assert (page.status, answer.headers["Retry-After"]) == (503, "5")
    assert "Your password was not checked. Try again in 5 seconds." in page.text
    assert page.field("Email")["value"] == ASHA.email
    assert audited(store) == [], "nothing was counted"
    assert visitor.signs_in(ASHA.email).status_code == 303


# Where to go afterwards


OWN = ["/", "/vehicles/MH12AB1001", "/vehicles?q=MH12", "/links/8b0d3e8c-59a5-4f53-9d0b-1a7d2b2f6c11"]
FOREIGN = [
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "////evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "\t//evil.example",
    " //evil.example",
    "https://evil.example/",
    "https:/evil.example",
    "javascript:alert(1)",
    "evil.example",
    "http://localhost@evil.example/",
    "/vehicles\\..\\x",
    "/\x01",
]
NOT_PAGES = [
    "/links/8b0d3e8c-59a5-4f53-9d0b-1a7d2b2f6c11/panel",
    "/requests/8b0d3e8c-59a5-4f53-9d0b-1a7d2b2f6c11/panel",
    "/sign-out",
    "/sign-in",
    "/sign-in?next=/",
    "/static/app.css",
    "/healthz",
    "/nowhere",
    "/" + "x" * 3000,
]


@pytest.mark.parametrize("target", OWN)
def test_sign_in_leads_to_the_page_of_ours_that_was_asked_for(visitor: WebClient, target: str) -> None:
    asked = visitor.get(target)
    assert asked.status_code == 302
    answer = visitor.signs_in(ASHA.email, at=asked.headers["Location"])
    assert answer.headers["Location"] == target


@pytest.mark.parametrize("target", FOREIGN + NOT_PAGES)
def test_sign_in_leads_to_no_other_address(visitor: WebClient, target: str) -> None:
    page = visitor.read(visitor.get("/sign-in", query_string={"next": target}))
    answer = page.submit("Sign in", email=ASHA.email, password=PASSWORD, next=target)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/")


@pytest.mark.parametrize("target", FOREIGN)
def test_a_signed_in_person_is_led_to_no_other_address(staff: WebClient, target: str) -> None:
    assert staff.get("/sign-in", query_string={"next": target}).headers["Location"] == "/"


# Cookies


def test_the_cookie_is_bound_to_the_host_and_to_https(
    build_app: Callable[[Settings], Flask], environ: dict[str, str]
) -> None:
    del environ["DASHBOARD_INSECURE_COOKIES"]
    client = build_app(Settings.from_environ(environ)).test_client()
    cookie = client.get("/sign-in", base_url="https://localhost").headers["Set-Cookie"]
    name, *attributes = [part.strip() for part in cookie.split(";")]
    assert name.startswith("__Host-dashboard=")
    assert set(attributes) == {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"}


def test_insecure_cookies_drop_the_prefix_and_secure_and_nothing_else(visitor: WebClient) -> None:
    cookie = visitor.get("/sign-in").headers["Set-Cookie"]
    name, *attributes = [part.strip() for part in cookie.split(";")]
    assert name.startswith("dashboard=")
    assert set(attributes) == {"HttpOnly", "Path=/", "SameSite=Lax"}


def test_the_sign_in_says_that_staging_takes_no_money_and_the_account_when_a_session_ends(staff: WebClient) -> None:
    assert "You are signed out after 30 minutes without use, and after 12 hours at most." in staff.page("/account").text
    staff.submit_sign_out()
    assert "STAGING: links made here take no real money" in words(staff.page("/sign-in").one(".staging").text)
