"""Test that everybody changes their own password, sees their sessions and ends those elsewhere."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import select

from dashboard.store.accounts.people import person
from dashboard.store.accounts.sessions import session
from dashboard.store.engine import Store
from tests.support.people import ASHA, MEERA, PASSWORD
from tests.support.web_client import HTMX, WebClient
from tests.web import steps

NEW = "another long phrase"


def change(visitor: WebClient, current: str = PASSWORD, new: str = NEW) -> str:
    sent = visitor.page("/account").submit("Change password", current_password=current, new_password=new)
    return visitor.read(sent).everything


def test_each_password_can_be_shown_while_it_is_typed(staff: WebClient) -> None:
    page = staff.page("/account")
    shown = [each["id"] for each in page.all("shown-password input[type=password]")]
    assert shown == ["current_password", "new_password"]
    assert page.buttons().count("Show password") == len(shown)


def test_a_new_password_ends_every_other_session(app: Flask, staff: WebClient) -> None:
    other = steps.arrives(app, ASHA)
    cookie = staff.get_cookie("dashboard")
    assert cookie is not None
    assert "Your password is changed. You are signed out everywhere else." in change(staff)
    assert staff.get("/").status_code == 200
    assert other.get("/").status_code == 302
    stolen = app.test_client()
    stolen.set_cookie("dashboard", cookie.value)
    assert stolen.get("/").status_code == 302, "nor does the session go on under its old id"
    assert other.signs_in(ASHA.email).status_code == 422
    assert other.signs_in(ASHA.email, NEW).status_code == 303


@pytest.mark.parametrize(
    ("current", "new", "words"),
    [
        ("not the password", NEW, "This is not your current password."),
        (PASSWORD, "short", "A password has at least 8 characters."),
        (PASSWORD, "samantha", "among the first that anybody would guess"),
        (PASSWORD, "asha@example.com", "among the first that anybody would guess"),
        ("", NEW, "Enter your current password."),
    ],
)
def test_a_refused_change_changes_nothing(staff: WebClient, current: str, new: str, words: str) -> None:
    assert words in change(staff, current, new)
    staff.submit_sign_out()
    assert staff.signs_in(ASHA.email).status_code == 303


def test_the_current_password_is_guessed_slowly(staff: WebClient) -> None:
    page = staff.page("/account")
    for _ in range(5):
        page.submit("Change password", current_password="not the password", new_password=NEW)
    answer = page.submit("Change password", current_password=PASSWORD, new_password=NEW)
    assert answer.status_code == 429
    assert "Too many failed tries." in staff.read(answer).text


def test_the_sessions_elsewhere_are_shown_and_ended(app: Flask, staff: WebClient, manager: WebClient) -> None:
    phone = app.test_client()
    assert isinstance(phone, WebClient)
    phone.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36"
    phone.environ_base["REMOTE_ADDR"] = "192.0.2.44"
    phone.signs_in(ASHA.email)
    page = staff.page("/account")
    rows = [" ".join(row.text.split()) for row in page.all(".session")]
    assert [row for row in rows if row.startswith("Chrome on Android 192.0.2.44")]
    assert [row for row in rows if "(this one)" in row]
    assert len(rows) == 2, "those of others are not shown"
    page = staff.read(page.submit("Sign out everywhere else"))
    assert "You are signed out everywhere else." in page.everything
    assert phone.get("/panel", headers=HTMX).status_code == 401
    assert manager.get("/").status_code == 200
    assert "Sign out everywhere else" not in page.buttons()


def test_one_other_session_is_ended_alone_and_never_that_of_somebody_else(
    app: Flask, staff: WebClient, manager: WebClient, store: Store
) -> None:
    phone, tablet = app.test_client(), app.test_client()
    assert isinstance(phone, WebClient)
    assert isinstance(tablet, WebClient)
    phone.environ_base["HTTP_USER_AGENT"] = "Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537.36"
    for each in (phone, tablet):
        each.signs_in(ASHA.email)
    page = staff.read(staff.page("/account").submit("Sign out Chrome on Android"))
    assert "Chrome on Android is signed out." in page.everything
    assert phone.get("/panel", headers=HTMX).status_code == 401
    assert tablet.get("/").status_code == 200
    with store.read() as connection:
        theirs = connection.execute(
            select(session.c.id).join(person, person.c.id == session.c.person_id).where(person.c.email == MEERA.email)
        ).scalar_one()
    sent = {"csrf_token": staff.csrf_token()}
    assert "It was signed out already." in staff.read(staff.post(f"/account/sessions/{theirs}", data=sent)).everything
    assert manager.get("/").status_code == 200


def test_language_and_keys_are_chosen_there(staff: WebClient) -> None:
    page = staff.page("/account")
    assert page.one("form#keys-choice-account")["action"] == "/keys"
    assert page.one("main form[action='/language'] button[aria-pressed=true]").text == "English"
    headers = {**HTMX, "X-CSRFToken": staff.csrf_token(), "HX-Current-URL": "http://localhost/account"}
    answer = staff.post("/keys", data={"wanted": "off"}, headers=headers)
    assert 'id="keys-choice-account"' in answer.text
    elsewhere = staff.post("/keys", data={"wanted": "off"}, headers={**headers, "HX-Current-URL": "http://localhost/"})
    assert 'id="keys-choice-account"' not in elsewhere.text


def test_what_is_chosen_among_few_looks_alike_and_what_is_so_already_sends_nothing(staff: WebClient) -> None:
    rows = {
        row.strong.text: [(each.text, each["aria-pressed"], each["type"]) for each in row.select(".segments > button")]
        for row in staff.page("/account").all("[aria-labelledby=settings-title] .person-act")
    }
    assert rows["Language"] == [("English", "true", "submit"), ("हिन्दी", "false", "submit")]
    assert rows["Notifications"] == [("On", "false", "submit"), ("Off", "true", "button")]
    assert rows["Keyboard shortcuts"] == [("On", "true", "button"), ("Off", "false", "submit")]


def test_everybody_reaches_it_from_the_menu_under_their_name(staff: WebClient, manager: WebClient) -> None:
    for visitor, name in ((staff, ASHA.name), (manager, MEERA.name)):
        page = visitor.page("/")
        assert page.link("My account") == "/account"
        assert name in page.everything


def test_notifications_are_chosen_there_too_and_one_stays_there(staff: WebClient) -> None:
    answer = staff.page("/account").submit("On")
    assert answer.headers["Location"] == "/account"
    chosen = [each.text for each in staff.page("/account").all("notification-choice [aria-pressed=true]")]
    assert chosen == ["On"]
    assert staff.page("/").submit("Stop notifying me").headers["Location"] == "/"
