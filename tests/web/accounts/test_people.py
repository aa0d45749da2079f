"""Test that administrators see who may sign in, invite them, change them and put them out at once."""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import unquote

import pytest
from flask import Flask

from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.page import Page, words
from tests.support.people import ARUN, ASHA, PASSWORD, add
from tests.support.web_client import HTMX, WebClient

RAVI = {"name": "Ravi Kumar", "email": "ravi@example.com", "role": "staff"}
NEW = "another long phrase"


def invite(admin: WebClient, **changes: str) -> Page:
    return admin.read(admin.page("/people").submit("Invite", **(RAVI | changes)))


def path_of(shown: Page) -> str:
    address = str(shown.one("#invitation-link")["value"])
    assert address.startswith("http://localhost/invitation/")
    return address.removeprefix("http://localhost")


def set_password(visitor: WebClient, path: str, new: str = NEW, again: str | None = None) -> Page:
    sent = visitor.page(path).submit("Set password", new_password=new, repeat_password=new if again is None else again)
    return visitor.read(sent)


def of(admin: WebClient, name: str) -> Page:
    address = next(str(a["href"]) for a in admin.page("/people").all("th a") if name in a.text)
    return admin.page(address)


def actions(store: Store) -> list[tuple[str, str | None]]:
    with store.read() as connection:
        return [(entry.action, entry.subject) for entry in audit.newest(connection)]


# Inviting


def test_an_invited_person_sets_a_password_and_signs_in(admin: WebClient, visitor: WebClient, store: Store) -> None:
    shown = invite(admin)
    assert "It is not shown again, and no email is sent. It works once" in shown.text
    done = set_password(visitor, path_of(shown))
    assert "Your password is set. Sign in with it." in done.text
    assert visitor.signs_in(RAVI["email"], NEW).status_code == 303
    assert "Role: Staff" in visitor.page("/").everything
    assert {("person invited", RAVI["email"]), ("invitation accepted", RAVI["email"])} <= set(actions(store))


def test_inviting_begins_with_the_name_and_who_is_invited_may_read_the_password(
    admin: WebClient, visitor: WebClient
) -> None:
    assert admin.page("/people").one("details[data-opens-at]")["data-opens-at"] == "name"
    page = visitor.page(path_of(invite(admin)))
    assert [each["id"] for each in page.all("shown-password input")] == ["new_password", "repeat_password"]


def test_an_invitation_is_shown_once(admin: WebClient) -> None:
    token = path_of(invite(admin)).rpartition("/")[2]
    for address in ("/people", "/"):
        assert token not in admin.get(address).text
    assert "Invited until" in admin.page("/people").text


def test_an_invitation_works_once(admin: WebClient, visitor: WebClient) -> None:
    path = path_of(invite(admin))
    set_password(visitor, path)
    again = visitor.page(path, status=404)
    assert "This link cannot be used any more" in again.text
    sent = {"new_password": "one more long phrase", "repeat_password": "one more long phrase"}
    assert visitor.post(path, data=sent | {"csrf_token": visitor.csrf_token()}).status_code == 404
    assert visitor.signs_in(RAVI["email"], NEW).status_code == 303


def test_an_invitation_ends_after_three_days(admin: WebClient, visitor: WebClient, clock: MovableClock) -> None:
    path = path_of(invite(admin))
    clock.advance(hours=71, minutes=59)
    assert visitor.page(path).heading == "Set your password"
    assert "Welcome to Challan Dashboard, " in visitor.page(path).text, "no menu names it"
    clock.advance(minutes=2)
    assert visitor.get(path).status_code == 404


def test_whether_an_invitation_ever_was_cannot_be_told(
    admin: WebClient, visitor: WebClient, app: Flask, clock: MovableClock
) -> None:
    """Used, replaced, disabled, never made: the same page for each."""
    used, replaced, disabled = (path_of(invite(admin, email=f"{name}@example.com")) for name in ("a", "b", "c"))
    set_password(visitor, used)
    people = app.extensions["people"]
    admin.read(admin.page(f"/people/{people.find('b@example.com').id}").submit("Create an invitation link"))
    admin.read(admin.page(f"/people/{people.find('c@example.com').id}").submit("Disable"))
    answers = [visitor.get(path) for path in (used, replaced, disabled, f"/invitation/{'x' * 43}")]
    assert {answer.status_code for answer in answers} == {404}
    assert len({visitor.read(answer).text for answer in answers}) == 1


@pytest.mark.parametrize(
    ("new", "again", "words"),
    [
        (NEW, "something else", "The two passwords are not the same."),
        ("short", "short", "A password has at least 8 characters."),
        ("password1", "password1", "among the first that anybody would guess"),
        ("ravi kumar", "ravi kumar", "among the first that anybody would guess"),
        ("", "", "Enter a new password."),
    ],
)
def test_a_refused_password_leaves_the_invitation_open(
    admin: WebClient, visitor: WebClient, new: str, again: str, words: str
) -> None:
    path = path_of(invite(admin))
    assert words in set_password(visitor, path, new, again).text
    assert "Your password is set." in set_password(visitor, path).text


def test_the_address_of_an_invitation_is_told_to_nobody(
    admin: WebClient, visitor: WebClient, caplog: pytest.LogCaptureFixture, store: Store, tmp_path: Any
) -> None:
    caplog.set_level(logging.DEBUG)
    path = path_of(invite(admin))
    token = path.rpartition("/")[2]
    answer = visitor.get(path)
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"
    set_password(visitor, path, "short")
    set_password(visitor, path)
    visitor.get(path)
    assert "accounts.invitation" in caplog.text
    assert token not in caplog.text
    store.close()
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or token.encode() not in file.read_bytes(), file


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"email": ASHA.email.upper()}, "There is already a person with the email"),
        ({"email": "ravi"}, "is not an email address"),
        ({"name": " "}, "Enter a name."),
        ({"role": "owner"}, "Choose one of the list."),
    ],
)
def test_a_wrong_invitation_comes_back_with_what_was_typed(
    app: Flask, admin: WebClient, changes: dict[str, str], words: str
) -> None:
    add(app, ASHA)
    fields = RAVI | changes | {"csrf_token": admin.csrf_token()}
    answer = admin.post("/people", data=fields)
    assert answer.status_code == 422
    page = admin.read(answer)
    assert words in page.text
    assert page.field("Email")["value"] == fields["email"]


def test_who_was_invited_cannot_sign_in_before(admin: WebClient, visitor: WebClient) -> None:
    invite(admin)
    for password in ("", PASSWORD, "the hash that is compared with when there is nobody"):
        assert visitor.signs_in(RAVI["email"], password).status_code == 422


# Changing


def test_the_list_says_role_state_and_when_somebody_was_last_seen(
    app: Flask, admin: WebClient, staff: WebClient, clock: MovableClock
) -> None:
    clock.advance(minutes=5)
    staff.get("/")
    clock.advance(minutes=7)
    invite(admin)
    page = admin.page("/people")
    rows = [words(row.get_text(" ")) for row in page.all("tbody tr")]
    assert rows[:2] == [
        "Arun Das (you) admin@example.com Administrator Active Off Set up just now",
        "Asha Rao asha@example.com Staff Active Off 7 min ago",
    ]
    assert rows[2].startswith("Ravi Kumar ravi@example.com Staff Invited ")
    assert rows[2].endswith("– never signed in"), "nobody has a factor before they have come"
    assert [each.has_attr("class") and "has-none" in each["class"] for each in page.all("td.factor")] == [
        False,
        False,
        True,
    ]
    roles = [words(row.get_text(" ")) for row in page.all(".people-roles > div")]
    assert roles[2] == (
        "Staff 1 active Search, create links, send them and follow up "
        "Needs a second factor : Staff (not set up by 1 of 1)"
    )


def test_disabled_people_are_last_and_an_invitation_that_ended_can_be_made_anew_in_the_list(
    admin: WebClient, clock: MovableClock
) -> None:
    for name in ("Bela Shah", "Chetan Rao"):
        admin.page("/people").submit("Invite", name=name, email=f"{name[0]}@example.com", role="staff")
    admin.read(of(admin, "Bela Shah").submit("Disable"))
    clock.advance(hours=73)
    admin.signs_in(ARUN.email)
    page = admin.page("/people")
    names = [words(row.select_one("bdi").get_text()) for row in page.all(".table-people [data-row]")]  # type: ignore[union-attr]  # It has one.
    assert names[-1] == "Bela Shah"
    assert words(page.all(".table-people [data-row]")[-1].get_text(" ")).startswith(
        "Bela Shah B@example.com Staff Disabled since"
    )
    [again] = [each for each in page.buttons() if each.startswith("Invite again")]
    assert again == "Invite again Chetan Rao"
    assert "Copy this link now" in admin.read(page.submit(again)).text


@pytest.mark.parametrize(
    "button", ["Disable", "Sign out everywhere", "Create a link for a new password", "Change the role"]
)
def test_whoever_is_changed_is_signed_out_at_once_and_an_open_tab_goes_to_sign_in(
    admin: WebClient, staff: WebClient, button: str
) -> None:
    fields = {"role": "manager"} if button == "Change the role" else {}
    admin.read(of(admin, "Asha Rao").submit(button, **fields))
    poll = staff.get("/panel", headers={**HTMX, "HX-Current-URL": "http://localhost/"})
    assert (poll.status_code, poll.headers["HX-Redirect"]) == (401, "/sign-in?next=/")
    assert staff.get("/").status_code == 302


def test_a_disabled_person_cannot_sign_in_until_enabled(admin: WebClient, staff: WebClient, store: Store) -> None:
    page = admin.read(of(admin, "Asha Rao").submit("Disable"))
    assert "Asha Rao is disabled and signed out everywhere." in page.everything
    assert "Disabled since" in page.text
    assert staff.signs_in(ASHA.email).status_code == 422
    admin.read(page.submit("Enable"))
    assert staff.signs_in(ASHA.email).status_code == 303
    assert [("person enabled", ASHA.email), ("person disabled", ASHA.email)] == [
        each for each in actions(store) if each[0].startswith("person ")
    ][:2]


def test_a_new_invitation_voids_the_lost_password(admin: WebClient, staff: WebClient) -> None:
    shown = admin.read(of(admin, "Asha Rao").submit("Create a link for a new password"))
    assert "Sets a new password until" in shown.text
    assert "Link for a new password of Asha Rao" in shown.text
    assert "Copy the link for the password" in shown.buttons()
    assert "Create a link for a new password" in shown.buttons(), "and so it stays until the password is set"
    assert staff.signs_in(ASHA.email).status_code == 422
    set_password(staff, path_of(shown))
    assert staff.signs_in(ASHA.email).status_code == 422
    assert staff.signs_in(ASHA.email, NEW).status_code == 303


def test_the_audit_log_tells_a_link_for_a_new_password_from_an_invitation(admin: WebClient, staff: WebClient) -> None:
    invite(admin)
    admin.read(of(admin, "Ravi Kumar").submit("Create an invitation link"))
    for _again in range(2):  # Also while nobody has set the password.
        admin.read(of(admin, "Asha Rao").submit("Create a link for a new password"))
    done = [words(each.get_text(" ")) for each in admin.page("/audit").all(".table-audit [data-entry]")]
    assert ["Link for a new password" in each and "Asha Rao" in each for each in done[:2]] == [True, True]
    assert "New invitation" in done[2]
    assert "Ravi Kumar" in done[2]


@pytest.mark.parametrize("act", ["disable", "role"])
def test_the_last_administrator_stays_one(admin: WebClient, act: str) -> None:
    invite(admin, role="admin")  # An administrator without a password cannot step in.
    page = of(admin, "Arun Das")
    assert "You are the last administrator. Make somebody else one first." in page.text
    assert page.one(".person-act a[href='/people']")
    assert words(page.one(".own-facts a[href='/account/second-factor']").get_text()) == "Set up"
    assert not {"Change the role", "Disable"} & set(page.buttons()), "what would be refused is not offered"
    path = str(page.one("form[action$='/sessions']")["action"]).replace("sessions", act)
    answer = admin.post(path, data={"csrf_token": admin.csrf_token(), "role": "staff"})
    assert answer.status_code == 409
    assert "Arun Das is the last administrator. Make somebody else one first." in admin.read(answer).text
    assert admin.get("/people").status_code == 200, "and still signed in"


def test_ones_own_page_speaks_to_oneself_and_offers_no_disabling(admin: WebClient) -> None:
    page = of(admin, "Arun Das")
    assert "This signs you out of this browser. You can sign in again." in page.text
    assert "They" not in page.text
    assert "Disable" not in page.buttons()


def test_a_change_says_of_how_many_browsers_it_signs_somebody_out(
    app: Flask, admin: WebClient, staff: WebClient
) -> None:
    assert of(admin, "Asha Rao").text.count("signs them out of 1 browser.") == 1, "once for all of them"
    assert "Stops Asha Rao from signing in. Links and notes stay." in of(admin, "Asha Rao").text
    app.test_client().signs_in(ASHA.email)
    assert "Each change signs them out of 2 browsers." in of(admin, "Asha Rao").text


def test_an_invitation_is_copied_by_its_name_or_sent_by_whatsapp(admin: WebClient) -> None:
    page = invite(admin, name="Ravi Kumar")
    assert "Copy invitation link" in page.buttons()
    address = unquote(page.link("WhatsApp in a new tab"))
    assert address.startswith("https://wa.me/?text=Ravi Kumar, set your password")
    assert path_of(page) in address


def test_nobody_voids_their_own_password(admin: WebClient) -> None:
    page = of(admin, "Arun Das")
    assert not [each for each in page.buttons() if each.startswith("Create a")]
    path = str(page.one("form[action$='/sessions']")["action"]).replace("sessions", "invitation")
    assert admin.post(path, data={"csrf_token": admin.csrf_token()}).status_code == 409
    admin.submit_sign_out()
    assert admin.signs_in("admin@example.com").status_code == 303


def test_nobody_but_an_administrator_opens_the_pages(staff: WebClient, manager: WebClient) -> None:
    for visitor in (staff, manager):
        for address in ("/people", "/people/1"):
            assert visitor.get(address).status_code == 403
        assert "/people" not in visitor.get("/").text


def test_an_unknown_person_is_not_found(admin: WebClient) -> None:
    assert admin.get("/people/4711").status_code == 404
