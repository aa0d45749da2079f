"""Sessions end by the clock, by an administrator and by a change; forms of an expired session resume."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask_login import current_user

from dashboard.domain.roles import Role
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.engine import Store
from dashboard.web.shared import access
from dashboard.web.shared.saved_forms import RESUMPTIONS, Resumption
from tests.support.clock import MovableClock
from tests.support.people import ASHA, MEERA, add
from tests.support.web_client import HTMX, WebClient
from tests.web import steps

PANEL = "/links/8b0d3e8c-59a5-4f53-9d0b-1a7d2b2f6c11/panel"


def lives(visitor: WebClient) -> bool:
    return visitor.get("/").status_code == 200


def test_a_session_ends_after_half_an_hour_without_use(staff: WebClient, clock: MovableClock) -> None:
    clock.advance(minutes=29)
    assert lives(staff)
    clock.advance(minutes=29)
    assert lives(staff)
    clock.advance(minutes=31)
    assert not lives(staff)


def test_a_session_ends_after_twelve_hours_of_use(staff: WebClient, clock: MovableClock) -> None:
    for _ in range(35):
        clock.advance(minutes=20)
        assert lives(staff)
    clock.advance(minutes=20)
    assert not lives(staff)


def test_polls_do_not_keep_a_session_alive(staff: WebClient, clock: MovableClock) -> None:
    for _ in range(3):
        clock.advance(minutes=9)
        assert staff.get(PANEL, headers=HTMX).status_code == 404, "there is no such link, but somebody is signed in"
    clock.advance(minutes=4)
    assert staff.get(PANEL, headers=HTMX).status_code == 401


def test_every_live_region_is_listed_as_a_poll(app: Flask) -> None:
    assert app.view_functions.keys() >= access.POLLS


def test_the_use_of_a_session_is_recorded_once_a_minute(staff: WebClient, clock: MovableClock, store: Store) -> None:
    def last_used() -> Any:
        with store.engine.connect() as connection:
            return connection.exec_driver_sql("SELECT last_used_at FROM session").scalar_one()

    first = last_used()
    clock.advance(seconds=59)
    assert lives(staff)
    assert last_used() == first
    clock.advance(seconds=1)
    assert lives(staff)
    assert last_used() != first


@pytest.mark.parametrize("how", ["end_sessions", "disable", "set_role", "set_password"])
def test_an_administrators_change_ends_every_session_of_the_person(app: Flask, staff: WebClient, how: str) -> None:
    other = app.test_client()
    assert isinstance(other, WebClient)
    other.signs_in(ASHA.email)
    people = app.extensions["people"]
    more = {"set_role": (Role.MANAGER,), "set_password": ("another long phrase",)}.get(how, ())
    getattr(people, how)(people.find(ASHA.email), *more, by=None, origin=COMMAND_LINE)
    assert not lives(staff)
    assert not lives(other)


def test_only_that_persons_sessions_are_ended(app: Flask, staff: WebClient, manager: WebClient) -> None:
    people = app.extensions["people"]
    people.end_sessions(people.find(ASHA.email), by=None, origin=COMMAND_LINE)
    assert not lives(staff)
    assert lives(manager)


def test_a_forged_cookie_signs_nobody_in(visitor: WebClient) -> None:
    visitor.set_cookie("dashboard", "eyJfdXNlcl9pZCI6IjEifQ.aaaaaa.bbbbbbbbbbbbbbbbbbbbbbbbbbb")
    assert not lives(visitor)
    with visitor.session_transaction() as session:
        session["_user_id"] = "1"
    assert not lives(visitor)


# After a session has ended


def test_a_page_of_an_expired_session_leads_to_sign_in_and_says_why(staff: WebClient, clock: MovableClock) -> None:
    clock.advance(hours=1)
    answer = staff.get("/vehicles/MH12AB1001?a=1")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/sign-in?next=/vehicles/MH12AB1001?a%3D1")
    page = staff.page(answer.headers["Location"])
    assert "Your session has ended." in page.text
    signed_in = page.submit("Sign in", email=ASHA.email, password="a long enough phrase")
    assert signed_in.headers["Location"] == "/vehicles/MH12AB1001?a=1"


def test_a_stranger_reads_nothing_of_an_expired_session(visitor: WebClient) -> None:
    assert "ended" not in visitor.page("/").text


def test_a_poll_of_an_expired_session_redirects_its_page_to_sign_in(staff: WebClient, clock: MovableClock) -> None:
    clock.advance(hours=1)
    answer = staff.get(PANEL, headers={**HTMX, "HX-Current-URL": "http://localhost/vehicles/MH12AB1001"})
    assert answer.status_code == 401
    assert answer.headers["HX-Redirect"] == "/sign-in?next=/vehicles/MH12AB1001"
    assert "Location" not in answer.headers
    assert answer.data == b""


@pytest.mark.parametrize("current", [None, "http://evil.example/", "http://localhost//evil.example", PANEL])
def test_a_poll_from_an_unknown_page_comes_back_to_the_page_of_its_region(
    staff: WebClient, clock: MovableClock, current: str | None
) -> None:
    clock.advance(hours=1)
    more = {"HX-Current-URL": current} if current else {}
    answer = staff.get(PANEL, headers={**HTMX, **more})
    assert answer.headers["HX-Redirect"] == f"/sign-in?next={PANEL.removesuffix('/panel')}"


# A form whose session has expired


class Resumed:
    def __init__(self) -> None:
        self.calls: list[tuple[str, SavedForm]] = []

    def __call__(self, form: SavedForm) -> str:
        self.calls.append((current_user.email, form))
        return "/vehicles/KA05MN4321"


@pytest.fixture
def resumed(app: Flask, monkeypatch: pytest.MonkeyPatch) -> Resumed:
    resumed = Resumed()
    monkeypatch.setitem(RESUMPTIONS, "vehicles.select", Resumption(resumed))
    return resumed


def token_of(visitor: WebClient) -> str:
    return str(visitor.page("/").one("meta[name=csrf-token]")["content"])


def select(app: Flask) -> str:
    return app.url_map.bind("localhost").build("vehicles.select", {"rc": "MH12AB1001"})


def test_the_fields_of_a_form_outlast_an_expired_session(
    app: Flask, staff: WebClient, clock: MovableClock, resumed: Resumed
) -> None:
    token = token_of(staff)
    clock.advance(hours=1)
    data = {"csrf_token": token, "challan": ["a", "b"], "hours": "72", "my_password": "never kept"}
    answer = staff.post(select(app), data=data)
    assert answer.status_code == 303
    assert resumed.calls == [], "nothing is done before somebody has signed in"
    page = staff.page(answer.headers["Location"])
    assert "What you entered is saved" in page.text
    answer = page.submit("Sign in", email=ASHA.email, password="a long enough phrase")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/vehicles/KA05MN4321")
    ((email, form),) = resumed.calls
    assert email == ASHA.email
    assert form.view_args == {"rc": "MH12AB1001"}
    assert form.fields == (("challan", "a"), ("challan", "b"), ("hours", "72"))


def test_a_saved_form_resumes_once(app: Flask, staff: WebClient, clock: MovableClock, resumed: Resumed) -> None:
    token = token_of(staff)
    clock.advance(hours=1)
    staff.post(select(app), data={"csrf_token": token})
    staff.signs_in(ASHA.email)
    staff.submit_sign_out()
    assert staff.signs_in(ASHA.email).headers["Location"] == "/"
    assert len(resumed.calls) == 1


def test_a_saved_form_resumes_for_its_sender_alone(
    app: Flask, staff: WebClient, clock: MovableClock, resumed: Resumed
) -> None:
    add(app, MEERA)
    token = token_of(staff)
    clock.advance(hours=1)
    staff.post(select(app), data={"csrf_token": token})
    assert staff.signs_in(MEERA.email).headers["Location"] == "/"
    assert resumed.calls == []


def test_a_saved_form_expires_after_two_hours(
    app: Flask, staff: WebClient, clock: MovableClock, resumed: Resumed
) -> None:
    token = token_of(staff)
    clock.advance(hours=1)
    staff.post(select(app), data={"csrf_token": token})
    clock.advance(hours=2, seconds=1)
    staff.signs_in(ASHA.email)
    assert resumed.calls == []


def test_a_form_without_a_session_is_saved_when_the_browser_says_that_it_is_ours(
    app: Flask, visitor: WebClient, resumed: Resumed
) -> None:
    add(app, ASHA)
    visitor.post(select(app), data={"hours": "72"}, headers={"Sec-Fetch-Site": "same-origin"})
    visitor.signs_in(ASHA.email)
    assert [form.first("hours") for _, form in resumed.calls] == ["72"]


@pytest.mark.parametrize("site", [None, "none"])
def test_a_form_without_a_session_is_not_saved_when_nothing_says_that_it_is_ours(
    app: Flask, visitor: WebClient, resumed: Resumed, site: str | None
) -> None:
    add(app, ASHA)
    answer = visitor.post(select(app), data={"hours": "72"}, headers={"Sec-Fetch-Site": site} if site else {})
    assert answer.status_code == 303
    visitor.signs_in(ASHA.email)
    assert resumed.calls == []


def test_a_form_from_before_the_latest_sign_in_resumes_and_is_not_acted_on(
    app: Flask, staff: WebClient, resumed: Resumed
) -> None:
    """Its CSRF token belongs to the earlier session, as in a second tab."""
    headers = {"Sec-Fetch-Site": "same-origin"}
    answer = staff.post(select(app), data={"csrf_token": "from before", "hours": "72"}, headers=headers)
    assert (answer.status_code, answer.headers["Location"]) == (303, "/vehicles/KA05MN4321")
    assert [form.first("hours") for _, form in resumed.calls] == ["72"]


def test_strangers_cannot_fill_the_store(app: Flask, visitor: WebClient, store: Store, resumed: Resumed) -> None:
    for _ in range(60):
        visitor.post(select(app), data={"hours": "72"}, headers={"Sec-Fetch-Site": "same-origin"})
    visitor.post(select(app), data={"hours": "7" * 400_000}, headers={"Sec-Fetch-Site": "same-origin"})
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT count(*), sum(length(fields)) < 10000 FROM saved_form").one() == (
            50,
            1,
        )


@pytest.mark.parametrize("button", ["keep", "refresh"])
def test_ticks_outlast_an_expired_session_when_the_list_is_refreshed(
    staff: WebClient, clock: MovableClock, five: dict[str, str], button: str
) -> None:
    steps.searches(staff)
    page = staff.page("/vehicles/MH12AB1001")
    ticked = [five["MH1001"], five["MH1004"]]
    token = page.one("meta[name=csrf-token]")["content"]
    clock.advance(hours=1)
    answer = staff.post(f"/vehicles/MH12AB1001/{button}", data={"csrf_token": token, "challan": ticked})
    signing_in = staff.page(answer.headers["Location"])
    listed = staff.read(signing_in.submit("Sign in", email=ASHA.email, password="a long enough phrase"))
    assert sorted(steps.ticked(listed)) == ["MH1001", "MH1004"]


#: Forms in which nothing is typed, or nothing that their page does not show again.
BUTTONS = {
    *(
        "accounts.sign_in",
        "accounts.sign_out",
        "sharing.mark_driver_left",
        "sharing.snooze",
        "links.check",
        "links.copied",
    ),
    "accounts.choose_language",
    *("accounts.switch_keys", "home.mark_seen", "home.set_notifications", "reconciliation.check_settlement"),
    *("accounts.change_role", "accounts.disable_person", "accounts.enable_person", "accounts.end_sessions"),
    *("accounts.send_invitation", "accounts.accept_invitation", "accounts.enter_code", "accounts.change_password"),
    *(
        "accounts.end_other_sessions",
        "accounts.end_own_session",
        "accounts.set_up_second_factor",
        "accounts.renew_recovery_codes",
    ),
    *("accounts.turn_off_second_factor", "accounts.enable_second_factor", "accounts.remove_second_factor"),
    "accounts.require_second_factor",
    *("reconciliation.verify", "reconciliation.reopen", "reconciliation.reopen_several"),
    *("fleet.take_known", "fleet.discard", "fleet.use_list", "fleet.delete_list", "fleet.restore_list"),
    *("fleet.pause_schedule", "fleet.resume_schedule", "fleet.delete_schedule", "fleet.change_source"),
    *("accounts.discard_saved_form", "links.forget_view", "sharing.reset_message", "creation.retry", "creation.check"),
    *(
        "operations.try_again",
        "operations.check_late_links",
        "sharing.preview_message",
        "sharing.remind",
        "sharing.send_receipt",
        "sharing.record_receipt",
        "sharing.record_share",
        "sharing.undo_share",
        "sharing.ask_driver",
        "sharing.undo_question",
        "sharing.undo_receipt",
        "sharing.note_answer",
        "sharing.confirm_share",
        "sharing.dismiss_driver",
    ),
    *(
        "fleet.change_run",
        "fleet.retry_run",
        "fleet.search_rest",
        "fleet.load_lists",
        "fleet.load_draft_lists",
        "fleet.change_plan",
        "fleet.retry_plan",
    ),
    *("fleet.send_plan_message", "fleet.undo_plan_message"),
}


def test_every_form_that_takes_work_resumes(app: Flask) -> None:
    posts = {rule.endpoint for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert posts - BUTTONS == set(RESUMPTIONS)
