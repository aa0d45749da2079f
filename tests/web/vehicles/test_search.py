"""Test the search: it takes any spelling of a number, spares calls, and never loses what was entered."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from dashboard.store.engine import Store
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.waiting import until
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import RC, VEHICLE, calls_of

NEW = "KA 05 mn-4321"


def by_htmx(visitor: WebClient, number: str, **more: str) -> Page:
    """Search as the page's script does, and return the region that answers."""
    answer = visitor.page("/").form("Search").submit(headers=HTMX, rc_number=number, **more)
    return Page(visitor, answer, region=True)


def chosen(page: Page, label: str) -> str:
    return words(page.field(label).select("option[selected]")[0].get_text())


# Spellings of a number


@pytest.mark.parametrize(
    "typed", ["MH12AB1001", "mh12ab1001", " mh 12 ab 1001 ", "MH-12-AB-1001", "MH.12 ab/1001", "ＭＨ１２ＡＢ１００１"]
)
def test_a_number_is_found_however_it_is_typed(
    staff: WebClient, five: dict[str, str], levers: Levers, typed: str
) -> None:
    answer = steps.search(staff, typed)
    assert (answer.status_code, answer.headers["Location"]) == (303, VEHICLE)
    assert json.loads(levers.calls("search")[0]["body"]) == {"rcNumber": RC}


BAD = {
    "": "Enter a registration number, for example MH12 AB 1001.",
    "  ": "Enter a registration number, for example MH12 AB 1001.",
    "--": "Enter a registration number, for example MH12 AB 1001.",
    "MH12?1001": "A registration number has only letters A to Z and digits.",
    "महा 12": "A registration number has only letters A to Z and digits.",
    "MH12 AB 1001 MH12 AB 1001 X": "A registration number has at most 20 letters and digits.",
}


@pytest.mark.parametrize(("typed", "message"), BAD.items())
def test_a_bad_number_is_explained_and_kept_on_the_page(
    staff: WebClient, levers: Levers, typed: str, message: str
) -> None:
    page = staff.read(steps.search(staff, typed))
    assert page.status == 422
    assert message in page.text
    field = page.field("RC number")
    assert field.get("value", "") == typed
    assert field["aria-invalid"] == "true"
    assert levers.calls() == []


@pytest.mark.parametrize(("typed", "message"), BAD.items())
def test_a_bad_number_is_explained_in_the_form_alone(
    staff: WebClient, levers: Levers, typed: str, message: str
) -> None:
    region = by_htmx(staff, typed)
    assert region.status == 422
    assert "<main" not in region.response.text
    assert [root["id"] for root in region.all("body > :not([hx-swap-oob])")] == ["search-form"]
    assert message in region.text
    assert region.field("RC number").get("value", "") == typed
    assert "HX-Request" in region.headers["Vary"]
    assert levers.calls() == []


def test_a_search_by_script_is_answered_with_the_vehicle_itself(staff: WebClient, five: dict[str, str]) -> None:
    answer = staff.page("/").form("Search").submit(headers=HTMX, rc_number=RC)
    assert (answer.status_code, answer.headers["HX-Push-Url"]) == (200, VEHICLE)
    assert answer.headers["HX-Retarget"] == "#main"
    assert "Review and create" in Page(staff, answer, region=True).text


# Results of a search


def test_how_many_challans_are_new_is_shown(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [steps.challan(1), steps.challan(2), steps.challan(3)], searched=False)
    assert "· first search, 3 new challans" in steps.searched(staff).text
    assert "· no new challans" in steps.searched(staff).text


def test_a_vehicle_of_another_organization_is_explained(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    levers.assign_vehicle(RC, "second")
    page = staff.read(steps.search(staff))
    assert page.status == 409
    failed = page.one(".search-failed").get_text(" ")
    assert "MH12 AB 1001 is not among your vehicles. The service answered with an error" in " ".join(failed.split())
    assert "belongs to another organization or was deleted" in failed
    assert page.field("RC number")["value"] == RC


FAILURES = {
    "cut": ({"kind": "cut", "count": 2}, 504, "The service did not answer"),
    "error": ({"kind": "status", "status": 500}, 502, "The service answered with an error"),
    "unreadable": ({"kind": "corrupt", "corruption": "html"}, 502, "The service answered with an error"),
    "redirect": ({"kind": "status", "status": 302}, 502, "The service answered with an error"),
}


@pytest.mark.parametrize(("fault", "status", "message"), FAILURES.values(), ids=FAILURES)
def test_a_failed_search_shows_the_last_list_with_its_age(
    staff: WebClient,
    five: dict[str, str],
    levers: Levers,
    clock: MovableClock,
    fault: dict[str, object],
    status: int,
    message: str,
) -> None:
    asked = words(steps.searched(staff).one(".vehicle-updated time").get_text())
    clock.advance(minutes=10)
    levers.fault("search", **fault)  # type: ignore[arg-type]  # The fields of a fault differ in type.
    page = staff.read(steps.search(staff))
    assert page.status == status
    assert message in page.text
    # Past midnight the moment shows its date too.
    assert re.search(rf"Showing [\w ,]*{re.escape(asked)}", page.text)
    assert list(steps.boxes(page)) == list(five)
    assert message in staff.page(VEHICLE).text, "as long as nothing newer is known"
    assert message not in steps.searched(staff).text


@pytest.mark.parametrize(("fault", "status", "message"), FAILURES.values(), ids=FAILURES)
def test_a_failed_search_of_an_unknown_vehicle_keeps_what_was_typed(
    staff: WebClient, five: dict[str, str], levers: Levers, fault: dict[str, object], status: int, message: str
) -> None:
    levers.fault("search", **fault)  # type: ignore[arg-type]  # The fields of a fault differ in type.
    page = staff.read(steps.search(staff, "mh12 ab-1001"))
    assert page.status == status
    assert message in page.text
    assert page.field("RC number")["value"] == "mh12 ab-1001"


def test_a_search_that_fails_by_script_is_said_below_its_form(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    levers.fault("search", "status", status=500, count=2)
    region = by_htmx(staff, RC)
    assert region.status == 502
    assert region.headers["HX-Retarget"] == "#search-form"
    failed = " ".join(region.one("#search-form .search-failed").get_text(" ").split())
    assert failed.startswith("MH12 AB 1001 could not be searched. The service answered with an error")
    assert region.field("RC number")["value"] == RC
    assert not region.all(".search-failed a"), "nothing is known of it"


def test_what_was_said_of_one_number_is_gone_with_the_failure_of_the_next(staff: WebClient, levers: Levers) -> None:
    assert "Search anyway" in by_htmx(staff, "xx").buttons()
    levers.add_vehicle("TN09BX5555")
    levers.assign_vehicle("TN09BX5555", "second")
    region = by_htmx(staff, "TN09BX5555")
    assert region.status == 409
    assert "TN09 BX 5555 is not among your vehicles." in region.text
    assert "Search anyway" not in region.buttons()
    assert "XX" not in region.text


def test_a_failed_search_of_a_known_vehicle_leads_to_its_last_results(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.fault("search", "status", status=500, count=3)
    assert by_htmx(staff, RC).link("See the last results") == VEHICLE


def test_a_spent_allowance_is_shown_beside_the_last_results(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.set_organization(searchAllowance=0)
    page = staff.read(steps.search(staff))
    assert page.status == 429
    assert "today’s search limit is reached. Showing " in page.text
    assert list(steps.boxes(page)) == list(five)
    assert calls_of(levers, lambda: steps.search(staff)) == 0, "what was refused is not asked again at once"


def waiting(visitor: WebClient, number: str = RC) -> str:
    """Return what the page shows during a search."""
    return visitor.get("/search/wait", query_string={"rc_number": number}).text


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ({"kind": "status", "status": 502}, "The challan source did not answer; trying again (2 of 3)"),
        ({"kind": "cut"}, "The service did not answer; trying again (2 of 3)"),
    ],
)
def test_a_retried_search_says_so_to_the_person_who_waits_and_to_nobody_else(
    app: Flask,
    staff: WebClient,
    manager: WebClient,
    five: dict[str, str],
    levers: Levers,
    fault: dict[str, Any],
    message: str,
) -> None:
    steps.searches(staff)
    form, tab = staff.page("/").form("Search"), app.test_client()
    cookie = staff.get_cookie(app.config["SESSION_COOKIE_NAME"])
    assert isinstance(tab, WebClient)
    assert cookie
    tab.set_cookie(cookie.key, cookie.value)
    levers.fault("search", **fault)
    levers.fault("search", "delay", seconds=2)
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(form.submit, rc_number=RC)
        until(lambda: waiting(tab) == message)
        assert waiting(manager) == ""
        assert waiting(tab, "KA01AA0001") == ""
        assert search.result().status_code == 303
    assert waiting(tab) == ""


@pytest.mark.parametrize("number", ["", "no number"])
def test_a_text_that_is_no_number_has_no_search_to_wait_for(staff: WebClient, number: str) -> None:
    assert waiting(staff, number) == ""


def test_searches_are_audited(staff: WebClient, five: dict[str, str], store: Store) -> None:
    steps.searches(staff, "mh12 ab 1001")
    assert steps.audited(store) == [("search", RC, "Asha Rao")]


def test_a_search_of_an_ended_session_waits_at_its_vehicle_and_sends_nothing(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    form = staff.page("/").form("Search")
    clock.advance(minutes=31)
    answer = form.submit(rc_number="mh12-ab 1001")
    assert answer.status_code == 303
    assert "What you entered is saved" in staff.read(answer).text
    page = staff.read(staff.signs_in(ASHA.email, at=answer.headers["Location"]))
    assert page.response.request.path == VEHICLE
    assert page.field("RC number")["value"] == "MH12 AB 1001"
    assert levers.calls() == []


def test_a_first_search_of_an_ended_session_keeps_type_and_city(
    staff: WebClient, levers: Levers, clock: MovableClock
) -> None:
    form = staff.read(steps.search(staff, NEW)).form("Search")
    city = form.page.field("City").select("option")[2]
    clock.advance(minutes=31)
    levers.forget_calls()
    answer = form.submit(rc_type="TRUCK", city_id=city["value"])
    page = staff.read(staff.signs_in(ASHA.email, at=answer.headers["Location"]))
    assert page.response.request.path == "/vehicles/KA05MN4321"
    assert chosen(page, "City") == words(city.get_text())
    assert page.field("RC type").select("option[selected]")[0]["value"] == "TRUCK"
    assert levers.calls() == []
    assert page.submit("Search").headers["Location"] == "/vehicles/KA05MN4321"


def test_a_bad_number_of_an_ended_session_leads_back_to_the_search(staff: WebClient, clock: MovableClock) -> None:
    form = staff.page("/").form("Search")
    clock.advance(minutes=31)
    answer = form.submit(rc_number="??")
    page = staff.read(staff.signs_in(ASHA.email, at=answer.headers["Location"]))
    assert page.response.request.path == "/"


def test_a_number_of_no_known_shape_is_asked_about_and_searched_anyway(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle("MH12AB10012")
    page = staff.page("/")
    answer = page.submit("Search", rc_number="mh12 ab 10012")
    assert answer.status_code == 422
    asked = staff.read(answer)
    assert "MH12 AB 10012 has 5 digits at the end" in asked.text
    assert levers.count("search") == 0
    found = asked.submit("Search anyway")
    assert found.headers["Location"] == "/vehicles/MH12AB10012"
    assert steps.search(staff, "MH12AB10012").status_code == 303, "a known vehicle is never doubted"


def test_the_number_that_was_meant_is_one_click_away(staff: WebClient, five: object) -> None:
    asked = staff.read(staff.page("/").submit("Search", rc_number="MH12AB10012"))
    assert asked.submit("MH12 AB 1001").headers["Location"] == steps.VEHICLE


@pytest.mark.parametrize("typed", ["abc", "12345"])
def test_what_no_number_looks_like_is_asked_about_without_a_guess(staff: WebClient, levers: Levers, typed: str) -> None:
    asked = staff.read(staff.page("/").submit("Search", rc_number=typed))
    assert f"{typed.upper()} does not look like a registration number" in asked.text
    assert "Did you mean" not in asked.text
    assert levers.count("search") == 0
