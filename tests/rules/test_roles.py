"""Test that one table holds the role that each action needs, and that a refusal names it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from flask import Flask

import dashboard
from dashboard.domain.roles import Role
from dashboard.web.shared import access
from tests.support.web_client import HTMX, WebClient


@pytest.fixture
def rooms(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """Return the addresses of three pages, one for each role."""
    for role in Role:
        app.add_url_rule(f"/room/{role}", endpoint=f"rooms.{role}", view_func=lambda: "inside")
        monkeypatch.setitem(access.LEAST_ROLE, f"rooms.{role}", role)


@pytest.mark.usefixtures("rooms")
@pytest.mark.parametrize(
    ("who", "entered"),
    [("staff", ["staff"]), ("manager", ["staff", "manager"]), ("admin", ["staff", "manager", "admin"])],
)
def test_each_role_may_do_what_the_ones_before_it_may(
    request: pytest.FixtureRequest, who: str, entered: list[str]
) -> None:
    visitor: WebClient = request.getfixturevalue(who)
    answers = {room: visitor.get(f"/room/{room}").status_code for room in Role}
    assert answers == {room: 200 if room in entered else 403 for room in answers}


@pytest.mark.usefixtures("rooms")
def test_a_refusal_names_the_role_that_is_needed(staff: WebClient) -> None:
    page = staff.page("/room/manager", status=403)
    assert "This is for managers and administrators" in page.text
    assert "You are signed in as Asha Rao, whose role is Staff." in page.text
    assert "This is for administrators" in staff.page("/room/admin", status=403).text


@pytest.mark.usefixtures("rooms")
def test_a_refused_region_is_answered_with_a_notice(staff: WebClient) -> None:
    answer = staff.get("/room/admin", headers=HTMX)
    assert (answer.status_code, answer.headers["HX-Retarget"]) == (403, "#notices")
    assert "This is for administrators" in answer.text


def test_a_whole_blueprint_may_belong_to_a_role() -> None:
    assert access.least_role("reconciliation.index") is Role.MANAGER
    assert access.least_role("home.index") is Role.STAFF


def test_no_role_is_named_in_a_string_outside_of_its_module() -> None:
    package = Path(dashboard.__file__).parent
    named = set()
    for file in package.rglob("*.py"):
        if "replica" in file.parts or "migrations" in file.parts or file == package / "domain" / "roles.py":
            continue
        constants = [node.value for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Constant)]
        named |= {file.name for value in constants if value in set(Role)}
    for file in (package.parent / "templates").rglob("*.html"):
        named |= {file.name for role in Role if re.search(rf"""['"]{role}['"]""", file.read_text())}
    assert not named
