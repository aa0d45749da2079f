"""Test that what was done is said, with its undo, on whatever answers: a page, a page in place, a region, an undo."""

from __future__ import annotations

import ast
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask, redirect
from flask.typing import ResponseReturnValue

from dashboard.web.shared import htmx
from dashboard.web.shared.toasts import Undo, toast
from tests.support.documents import ROOT
from tests.support.page import Page
from tests.support.web_client import HTMX, IN_PLACE, WebClient
from tests.web.links.test_list import Ledger, link_id
from tests.web.sharing.test_follow_up import press

ON_HOME = {**IN_PLACE, "HX-Current-URL": "http://localhost/"}
UNDO = Undo("sharing.snooze", {"link_id": link_id(1)}, {"until": "now"}, "Take it back")


@pytest.fixture
def snoozed(app: Flask, staff: WebClient, clock: Any) -> str:
    """Return the id of a link that waits in the queue."""
    Ledger(app.extensions["services"], clock).enter(1, expires_at=clock() + timedelta(hours=8))
    return link_id(1)


def says(app: Flask, address: str, answer: Any) -> None:
    """Make an address say that something is done, with an undo."""

    def view() -> ResponseReturnValue:
        toast("MH12 AB 1001 is put off.", undo=UNDO)
        result: ResponseReturnValue = answer()
        return result

    app.add_url_rule(address, address.strip("/"), view, methods=["GET"])


def test_a_whole_page_shows_it_as_a_notice_with_a_form_that_undoes_it(app: Flask, staff: WebClient) -> None:
    says(app, "/says", lambda: redirect("/follow-up", 303))
    page = staff.page("/says")
    assert "MH12 AB 1001 is put off." in page.text
    form = page.one("main form[name=undo]")
    assert (form["method"], form["action"]) == ("post", f"/follow-up/{link_id(1)}/snooze")
    assert form.select_one("[name=until]")["value"] == "now"  # type: ignore[index]  # It is on the page.
    assert form.select_one("[name=csrf_token]") is not None, "it works without scripts"
    assert form.select_one("button").text == "Take it back"  # type: ignore[union-attr]  # It is on the page.
    assert page.all("#toasts > *") == []
    assert "is put off" not in staff.page("/follow-up").text, "it is said once"


def test_a_page_in_place_appends_it_outside_of_the_page(app: Flask, staff: WebClient) -> None:
    says(app, "/says", lambda: redirect("/follow-up", 303))
    page = staff.in_place("/says")
    assert "is put off" not in page.text
    said = page.one("[data-toasts]")
    assert said["hx-swap-oob"] == "beforeend:#toasts"
    assert "MH12 AB 1001 is put off." in said.text
    assert page.one("toast-message form[name=undo] button")["data-key"] == "u"


def test_a_region_brings_it_along(app: Flask, staff: WebClient) -> None:
    says(app, "/says", lambda: htmx.region("home/_notification_choice.html", notifications_wanted=False))
    page = Page(staff, staff.get("/says", headers=HTMX), region=True)
    assert len(page.all("[data-toasts] toast-message")) == 1


def test_a_poll_leaves_it_to_the_page_that_it_belongs_to(app: Flask, staff: WebClient) -> None:
    says(app, "/says", lambda: ("", 204))
    staff.get("/says", headers=HTMX)
    assert staff.region("/banner").all("[data-toasts]") == []
    assert len(staff.in_place("/links").all("[data-toasts] toast-message")) == 1


def test_undone_on_its_page_the_page_shows_it(staff: WebClient, snoozed: str) -> None:
    page = staff.read(press(staff.page("/follow-up"), 1, "4 hours"))
    assert "is snoozed till" in page.text
    on_its_page = {**IN_PLACE, "HX-Trigger-Name": "undo", "HX-Current-URL": "http://localhost/follow-up"}
    answer = page.submit("Undo", headers=on_its_page)
    shown = Page(staff, answer, region=True)
    assert shown.all("main") == [], "its row comes back alone"
    assert "is back in Follow up" in shown.one("[data-toasts]").text


def test_undone_from_elsewhere_its_person_stays_there(staff: WebClient, snoozed: str) -> None:
    page = staff.read(press(staff.page("/follow-up"), 1, "4 hours"))
    answer = page.submit("Undo", headers={**ON_HOME, "HX-Trigger-Name": "undo"})
    assert (answer.status_code, answer.headers["HX-Reswap"], answer.headers["HX-Push-Url"]) == (200, "none", "false")
    shown = Page(staff, answer, region=True)
    assert shown.all("main") == []
    assert "is back in Follow up" in shown.one("[data-toasts]").text


def test_no_page_flashes_what_was_done() -> None:
    """What went wrong stays on its page as a notice; what was done is a toast."""
    files = (ROOT / "dashboard" / "web").rglob("*.py")
    calls = (
        node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))) if isinstance(node, ast.Call)
    )
    flashed = [ast.unparse(call) for call in calls if getattr(call.func, "id", "") == "flash"]
    assert flashed
    assert [call for call in flashed if "'good'" in call] == []
