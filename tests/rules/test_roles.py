"""Who may do what, decided in one table, and whoever may not is told why."""

from __future__ import annotations

import pytest
from flask import Flask

from dashboard.web.shared import access
from tests.support.visitor import HTMX, Visitor


@pytest.fixture
def rooms(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pages, one for each role."""
    for role in ("staff", "manager", "admin"):
        app.add_url_rule(f"/room/{role}", endpoint=f"rooms.{role}", view_func=lambda: "inside")
        monkeypatch.setitem(access.ROLES, f"rooms.{role}", role)


@pytest.mark.usefixtures("rooms")
@pytest.mark.parametrize(
    ("who", "entered"),
    [("staff", ["staff"]), ("manager", ["staff", "manager"]), ("admin", ["staff", "manager", "admin"])],
)
def test_each_role_may_do_what_the_ones_before_it_may(
    request: pytest.FixtureRequest, who: str, entered: list[str]
) -> None:
    visitor: Visitor = request.getfixturevalue(who)
    answers = {room: visitor.get(f"/room/{room}").status_code for room in ("staff", "manager", "admin")}
    assert answers == {room: 200 if room in entered else 403 for room in answers}


@pytest.mark.usefixtures("rooms")
def test_whoever_may_not_is_told_why(staff: Visitor) -> None:
    page = staff.page("/room/manager", status=403)
    assert "This is for managers and administrators" in page.text
    assert "You are signed in as Asha Rao, whose role is staff." in page.text
    assert "This is for administrators" in staff.page("/room/admin", status=403).text


@pytest.mark.usefixtures("rooms")
def test_a_region_says_it_in_a_notice(staff: Visitor) -> None:
    answer = staff.get("/room/admin", headers=HTMX)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (403, "#notices")
    assert "This is for administrators" in answer.text


def test_a_whole_blueprint_may_belong_to_a_role() -> None:
    assert access.least_role("reconciliation.index") == "manager"
    assert access.least_role("home.index") == "staff"
