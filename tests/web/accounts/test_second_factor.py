"""Test that signing in asks for a code where a person has a second factor, and that no code works twice."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest
from flask import Flask

from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.accounts.second_factors import SecondFactors
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from tests.support.authenticator import Authenticator, codes_on, set_up
from tests.support.clock import MovableClock
from tests.support.page import Page
from tests.support.people import ASHA, PASSWORD
from tests.support.web_client import WebClient
from tests.web import steps

WRONG = "This code is not right, or was used already."


@pytest.fixture
def phone(staff: WebClient, clock: MovableClock) -> tuple[Authenticator, list[str]]:
    return set_up(staff, clock)


def signs_in(visitor: WebClient, email: str = ASHA.email, at: str = "/sign-in") -> Page:
    """Enter the right password; return the page that asks for the code."""
    return visitor.read(visitor.signs_in(email, at=at))


def is_signed_in(visitor: WebClient) -> bool:
    return visitor.get("/").status_code == 200


# Setting up


def test_it_is_on_once_a_code_of_the_app_was_right(staff: WebClient, clock: MovableClock) -> None:
    page = staff.read(staff.page("/account/second-factor").submit("Continue", password=PASSWORD))
    app = Authenticator.scan(page, clock)
    assert WRONG in staff.read(page.submit("Turn on", code="000000")).text
    assert "Off." in staff.page("/account").text
    shown = staff.read(page.submit("Turn on", code=app.code()))
    assert len(set(codes_on(shown))) == 10
    assert "The second factor is on." in shown.text
    assert "10 recovery codes left" in staff.page("/account").text
    assert not codes_on(staff.page("/account/second-factor")), "they are shown once"


def test_a_phone_opens_the_app_or_copies_the_key_because_it_cannot_scan_itself(
    staff: WebClient, clock: MovableClock
) -> None:
    page = staff.read(staff.page("/account/second-factor").submit("Continue", password=PASSWORD))
    secret = Authenticator.scan(page, clock).secret
    address = str(page.one("main a[href^='otpauth:']")["href"])
    assert address.startswith("otpauth://totp/")
    assert f"secret={secret}" in address
    assert page.one("copy-field [data-copy-source]").text == secret


def test_whoever_sits_at_an_open_session_changes_nothing_without_the_password(
    staff: WebClient, phone: tuple[Authenticator, list[str]]
) -> None:
    for button in ("Set up another app", "New recovery codes", "Turn off"):
        page = staff.read(staff.page("/account/second-factor").submit(button, password="not the password"))
        assert "This is not your current password." in page.text
    assert "10 recovery codes left" in staff.page("/account").text


def test_setting_it_up_ends_the_other_sessions(app: Flask, staff: WebClient, clock: MovableClock) -> None:
    other = steps.arrives(app, ASHA)
    set_up(staff, clock)
    assert is_signed_in(staff)
    assert not is_signed_in(other)


def test_it_is_turned_off_with_the_password(staff: WebClient, phone: tuple[Authenticator, list[str]]) -> None:
    staff.read(staff.page("/account/second-factor").submit("Turn off", password=PASSWORD))
    staff.submit_sign_out()
    signs_in(staff)
    assert is_signed_in(staff)


# Signing in


def test_a_right_password_alone_opens_nothing(visitor: WebClient, phone: tuple[Authenticator, list[str]]) -> None:
    page = signs_in(visitor)
    assert page.heading == "Enter your code"
    assert not is_signed_in(visitor)
    assert visitor.get("/links").status_code == 302


def test_password_and_code_lead_to_the_page_that_was_asked_for(
    visitor: WebClient, phone: tuple[Authenticator, list[str]]
) -> None:
    page = signs_in(visitor, at="/sign-in?next=/links?state=PAID")
    answer = page.submit("Sign in", code=phone[0].next_code())
    assert answer.headers["Location"] == "/links?state=PAID"
    assert is_signed_in(visitor)


@pytest.mark.parametrize("typed", ["{0} {1}", " {0}{1} ", "{0}-{1}"])
def test_a_code_may_be_typed_with_spaces(
    visitor: WebClient, phone: tuple[Authenticator, list[str]], typed: str
) -> None:
    code = phone[0].next_code()
    signs_in(visitor).submit("Sign in", code=typed.format(code[:3], code[3:]))
    assert is_signed_in(visitor)


@pytest.mark.parametrize(("seconds", "is_right"), [(-60, False), (-30, True), (30, True), (60, False)])
def test_the_clock_of_a_phone_may_differ_by_half_a_minute(
    visitor: WebClient, clock: MovableClock, phone: tuple[Authenticator, list[str]], seconds: int, is_right: bool
) -> None:
    clock.advance(minutes=5)
    signs_in(visitor).submit("Sign in", code=phone[0].code(seconds))
    assert is_signed_in(visitor) is is_right


def test_a_code_works_once(app: Flask, visitor: WebClient, phone: tuple[Authenticator, list[str]]) -> None:
    code = phone[0].next_code()
    signs_in(visitor).submit("Sign in", code=code)
    assert is_signed_in(visitor)
    other = app.test_client()
    assert isinstance(other, WebClient)
    page = signs_in(other)
    assert WRONG in other.read(page.submit("Sign in", code=code)).text
    assert WRONG in other.read(page.submit("Sign in", code=phone[0].code(-30))).text, "nor does the one before"
    assert not is_signed_in(other)


def test_the_code_that_set_the_app_up_does_not_sign_in(
    visitor: WebClient, phone: tuple[Authenticator, list[str]]
) -> None:
    signs_in(visitor).submit("Sign in", code=phone[0].code())
    assert not is_signed_in(visitor)


def test_each_recovery_code_works_once(
    visitor: WebClient, staff: WebClient, phone: tuple[Authenticator, list[str]]
) -> None:
    code = phone[1][3]
    signs_in(visitor).submit("Sign in", code=code.upper())
    assert is_signed_in(visitor)
    assert "9 recovery codes left" in visitor.page("/account").text
    visitor.submit_sign_out()
    assert WRONG in visitor.read(signs_in(visitor).submit("Sign in", code=code)).text


def test_new_recovery_codes_void_the_old_ones(
    visitor: WebClient, staff: WebClient, phone: tuple[Authenticator, list[str]]
) -> None:
    shown = staff.read(staff.page("/account/second-factor").submit("New recovery codes", password=PASSWORD))
    assert WRONG in visitor.read(signs_in(visitor).submit("Sign in", code=phone[1][0])).text
    signs_in(visitor).submit("Sign in", code=codes_on(shown)[0])
    assert is_signed_in(visitor)


def test_the_recovery_code_of_somebody_else_is_wrong(
    app: Flask, visitor: WebClient, manager: WebClient, clock: MovableClock, phone: tuple[Authenticator, list[str]]
) -> None:
    _, others = set_up(manager, clock)
    assert WRONG in visitor.read(signs_in(visitor).submit("Sign in", code=others[0])).text


def test_codes_are_guessed_slowly(
    visitor: WebClient, clock: MovableClock, phone: tuple[Authenticator, list[str]]
) -> None:
    page = signs_in(visitor)
    for guess in range(5):
        assert page.submit("Sign in", code=f"00000{guess}").status_code == 422
    answer = page.submit("Sign in", code=phone[0].code(30))
    assert answer.status_code == 429
    assert answer.headers["Retry-After"] == "1"
    for _ in range(9):
        clock.advance(seconds=int(page.submit("Sign in", code="000009").headers["Retry-After"]))
        assert page.submit("Sign in", code="000009").status_code in (422, 303)
    assert not is_signed_in(visitor)


def test_whoever_guesses_codes_elsewhere_does_not_delay_the_person(
    visitor: WebClient, staff: WebClient, phone: tuple[Authenticator, list[str]]
) -> None:
    staff.submit_sign_out()
    signs_in(staff).submit("Sign in", code=phone[0].next_code())  # This browser is known from now on.
    staff.submit_sign_out()
    page = signs_in(visitor)
    for guess in range(8):
        page.submit("Sign in", code=f"00000{guess}")
    signs_in(staff).submit("Sign in", code=phone[0].next_code())
    assert is_signed_in(staff)


def test_the_step_ends_after_ten_minutes(
    visitor: WebClient, clock: MovableClock, phone: tuple[Authenticator, list[str]]
) -> None:
    page = signs_in(visitor)
    clock.advance(minutes=10, seconds=1)
    answered = visitor.read(page.submit("Sign in", code=phone[0].code()))
    assert "It took too long, or something has changed. Sign in again." in answered.text
    assert not is_signed_in(visitor)


@pytest.mark.parametrize("how", ["disable", "set_password", "end_sessions"])
def test_a_change_by_an_administrator_ends_the_step(
    app: Flask, visitor: WebClient, phone: tuple[Authenticator, list[str]], how: str
) -> None:
    people = app.extensions["people"]
    page = signs_in(visitor)
    more = ("another long phrase",) if how == "set_password" else ()
    getattr(people, how)(people.find(ASHA.email), *more, by=None, origin=COMMAND_LINE)
    page.submit("Sign in", code=phone[0].next_code())
    assert not is_signed_in(visitor)


def test_without_a_password_the_page_of_the_code_leads_to_sign_in(visitor: WebClient) -> None:
    assert visitor.get("/sign-in/code").headers["Location"] == "/sign-in"
    sent = visitor.post("/sign-in/code", data={"code": "123456", "csrf_token": visitor.csrf_token()})
    assert sent.headers["Location"] == "/sign-in"


def test_a_form_of_an_expired_session_outlasts_both_steps(
    staff: WebClient, clock: MovableClock, phone: tuple[Authenticator, list[str]], five: dict[str, str]
) -> None:
    steps.searches(staff)
    token = staff.csrf_token()
    clock.advance(hours=1)
    answer = staff.post(
        "/vehicles/MH12AB1001/keep", data={"csrf_token": token, "challan": [five["MH1001"], five["MH1004"]]}
    )
    signing_in = staff.page(answer.headers["Location"])
    page = staff.read(signing_in.submit("Sign in", email=ASHA.email, password=PASSWORD))
    listed = staff.read(page.submit("Sign in", code=phone[0].next_code()))
    assert sorted(steps.ticked(listed)) == ["MH1001", "MH1004"]


# Required by the role


def test_a_second_factor_that_an_administrator_or_a_manager_lacks_is_a_warning_with_what_to_do(
    admin: WebClient, staff: WebClient, manager: WebClient, clock: MovableClock
) -> None:
    page = admin.page("/people")
    rows = {row.select_one("bdi").get_text(): row for row in page.all(".table-people [data-row]")}  # type: ignore[union-attr]  # It has one.
    warned = {name for name, row in rows.items() if row.select(".state-waiting")}
    assert warned == {"Arun Das", "Meera Iyer"}, "and nobody of staff"
    assert page.link("Set up") == "/account/second-factor", "of oneself"
    assert page.all("details.fold[open] [name=roles]"), "what requires it of others stands open"
    set_up(admin, clock)
    set_up(manager, clock)
    page = admin.page("/people")
    assert not page.all(".factor .state-waiting")
    assert not page.all("details.fold[open]")


def require(admin: WebClient, *roles: str) -> Page:
    data = {"roles": list(roles), "csrf_token": admin.csrf_token()}
    return admin.read(admin.post("/people/second-factor", data=data))


def test_where_the_role_needs_one_it_is_set_up_before_anything_opens(
    admin: WebClient, staff: WebClient, manager: WebClient, clock: MovableClock
) -> None:
    assert "Required, not set up yet" in require(admin, "staff").text
    assert not is_signed_in(staff), "at once"
    assert is_signed_in(manager)
    page = signs_in(staff, at="/sign-in?next=/links")
    assert page.heading == "Set up a second factor"
    assert not is_signed_in(staff)
    app = Authenticator.scan(page, clock)
    assert Authenticator.scan(staff.page("/sign-in/code"), clock).secret == app.secret, "a reload keeps the QR code"
    shown = staff.read(page.submit("Sign in", code=app.code()))
    assert len(codes_on(shown)) == 10
    assert shown.link("I have kept them, continue") == "/links"
    assert is_signed_in(staff)
    assert "Turn off" not in staff.page("/account/second-factor").buttons()
    refused = staff.post(
        "/account/second-factor/off",
        data={"password": PASSWORD, "csrf_token": staff.csrf_token()},
        follow_redirects=True,
    )
    assert "Your role needs a second factor." in refused.text


def test_an_administrator_without_one_cannot_require_it_of_administrators(
    admin: WebClient, clock: MovableClock
) -> None:
    assert "Set up your own second factor first" in require(admin, "admin").text
    set_up(admin, clock)
    assert "Saved." in require(admin, "admin").everything
    assert is_signed_in(admin)


def test_an_administrator_removes_that_of_a_lost_phone(
    app: Flask, admin: WebClient, staff: WebClient, phone: tuple[Authenticator, list[str]]
) -> None:
    found = app.extensions["people"].find(ASHA.email)
    admin.read(admin.page(f"/people/{found.id}").submit("Remove the second factor"))
    assert not is_signed_in(staff)
    signs_in(staff)
    assert is_signed_in(staff)


# What is stored and told


def test_neither_the_secret_nor_a_code_is_stored_or_logged(
    staff: WebClient,
    clock: MovableClock,
    visitor: WebClient,
    store: Store,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    app, codes = set_up(staff, clock)
    signs_in(visitor).submit("Sign in", code=codes[0])
    store.close()
    content = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())
    for secret in (app.secret, *codes, codes[0].replace("-", "")):
        assert secret not in caplog.text
        assert secret.encode() not in content


def test_under_another_secret_key_the_recovery_codes_still_work(
    app: Flask, visitor: WebClient, staff: WebClient, phone: tuple[Authenticator, list[str]]
) -> None:
    app.extensions["second_factors"] = SecondFactors(app.extensions["people"], "k" * 32)
    page = signs_in(visitor)
    assert WRONG in visitor.read(page.submit("Sign in", code=phone[0].next_code())).text
    page.submit("Sign in", code=phone[1][0])
    assert is_signed_in(visitor)


def test_each_act_is_in_the_audit_log(visitor: WebClient, store: Store, phone: tuple[Authenticator, list[str]]) -> None:
    page = signs_in(visitor)
    page.submit("Sign in", code="000000")
    page.submit("Sign in", code=phone[1][0])
    with store.read() as connection:
        entries = audit.newest(connection, 3)
    assert [(entry.action, entry.detail) for entry in entries] == [
        ("signed in", {"second_factor": "recovery code"}),
        ("code refused", {}),
        ("second factor set up", {}),
    ]
