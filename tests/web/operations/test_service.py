"""Test the service page for administrators: which calls are blocked and why, and trying again at once."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from dashboard.store.accounts.audit import audit
from dashboard.store.engine import Store
from tests.conftest import CANARY
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import VEHICLE, calls_of

LINK = 'a[href="/service"]'
ROWS = ["Searching vehicles", "Creating links", "Checking links"]


def rows(page: Page) -> dict[str, list[str]]:
    return {
        words(row.select_one("th").get_text()): [words(cell.get_text(" ")) for cell in row.select("td")]  # type: ignore[union-attr]
        for row in page.all("table")[0].select("tbody tr")
    }


def waits(admin: WebClient) -> str:
    return words(admin.page("/service").one("[aria-label='Pending work']").get_text(" "))


def try_again(admin: WebClient) -> Page:
    return admin.read(admin.page("/service").submit("Try again now"))


@pytest.mark.parametrize("who", ["staff", "manager"])
def test_only_administrators_see_it_and_others_read_why(request: pytest.FixtureRequest, who: str) -> None:
    visitor: WebClient = request.getfixturevalue(who)
    assert "This is for administrators" in visitor.page("/service", status=403).text
    home = visitor.page("/")
    assert not home.all(LINK)
    token = str(home.one('meta[name="csrf-token"]')["content"])
    assert visitor.post("/service/try-again", data={"csrf_token": token}).status_code == 403


def test_while_all_is_well_no_call_is_blocked_and_calls_are_counted(
    admin: WebClient, staff: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    shown = rows(admin.page("/service"))
    assert list(shown) == ROWS
    assert {row[0] for row in shown.values()} == {"Working"}
    assert shown["Searching vehicles"][1:] == ["1", "not reached"]
    assert [shown[name][1] for name in ROWS[1:]] == ["0", "0"]
    assert admin.page("/").all(LINK)


def test_a_refused_key_is_tried_again_at_once_when_an_administrator_asks(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.revoke_secret()
    steps.search(staff)
    levers.replace_secret(secret=CANARY)
    assert steps.search(staff).status_code == 503, "nobody tries before its time"
    shown = rows(admin.page("/service"))
    assert all(row[0].startswith("Key refused The API key was refused") for row in shown.values())
    page = try_again(admin)
    assert "The service answers again." in page.text
    assert {row[0] for row in rows(page).values()} == {"Working"}
    assert steps.search(staff).headers["Location"] == VEHICLE
    assert "The API key was refused" not in staff.page("/").text


def test_a_try_of_a_key_that_is_still_refused_costs_one_call_and_says_so(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.revoke_secret()
    steps.search(staff)
    pages: list[Page] = []
    assert calls_of(levers, lambda: pages.append(try_again(admin))) == 1
    assert pages[0].status == 503
    assert "The API key was refused" in pages[0].text
    assert all(row[0].startswith("Key refused") for row in rows(pages[0]).values())


def test_an_open_breaker_is_shown_and_may_be_closed(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.fault("search", "status", status=500, count=5)
    for _ in range(5):
        steps.search(staff)
    assert rows(admin.page("/service"))["Searching vehicles"][0].startswith("Paused Failing since ")
    assert rows(try_again(admin))["Searching vehicles"][0] == "Working"


def test_a_request_whose_outcome_is_unknown_is_counted(
    admin: WebClient, staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    assert "Requests whose outcome is not known none" in waits(admin)
    steps.searches(staff)
    levers.fault("create_link", "cut")
    steps.create(staff, "MH1001")
    assert "Requests whose outcome is not known 1 , the oldest sent" in waits(admin)


def test_a_try_renews_cities_and_rc_types(admin: WebClient, staff: WebClient, levers: Levers) -> None:
    steps.search(staff, "KA05MN4321")
    levers.add_city(cityName="Nagpur")
    levers.add_rc_type("E_RICKSHAW", "E-rickshaw")
    try_again(admin)
    page = staff.read(steps.search(staff, "KA05MN4321"))
    assert "Nagpur, Maharashtra" in page.field("City").get_text()
    assert "E-rickshaw" in page.field("RC type").get_text()


def test_a_try_is_in_the_audit_log(admin: WebClient, store: Store) -> None:
    try_again(admin)
    with store.read() as connection:
        assert "service tried again" in connection.execute(select(audit.c.action)).scalars().all()
