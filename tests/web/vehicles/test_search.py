"""Test the search: it takes any spelling of a number, spares calls, and never loses what was entered."""

from __future__ import annotations

import json
import re
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask import Flask

from dashboard.store.engine import Store
from tests.faults.stage import until
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import RC, VEHICLE, calls_of

NEW = "KA 05 mn-4321"
LOOKUPS = ("locations", "rc_types")


def by_htmx(visitor: WebClient, number: str, **more: str) -> Page:
    """Search as the page's script does, and return the region that answers."""
    answer = visitor.page("/").form("Search").submit(headers=HTMX, rc_number=number, **more)
    return Page(visitor, answer, region=True)


def options(page: Page, label: str) -> list[str]:
    return [words(option.get_text()) for option in page.field(label).select("option")]


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


# Vehicles that are new to the organization


def test_a_first_search_reveals_type_and_city_with_the_number_kept(staff: WebClient, levers: Levers) -> None:
    page = staff.read(steps.search(staff, NEW))
    assert page.status == 422
    assert page.field("RC number")["value"] == NEW
    assert page.field("RC type").name == page.field("City").name == "select"
    assert len(options(page, "RC type")) == 8
    assert page.buttons().count("Search") == 1
    assert [call["operation"] for call in levers.calls()] == ["search", "locations", "rc_types"]


def test_a_first_search_reveals_type_and_city_in_the_form_alone(staff: WebClient) -> None:
    region = by_htmx(staff, NEW)
    assert region.status == 422
    assert [root["id"] for root in region.all("body > :not([hx-swap-oob])")] == ["search-form"]
    assert region.field("RC type")
    assert region.field("City")
    assert region.field("RC number")["value"] == NEW


def test_cities_of_the_same_name_can_be_told_apart(staff: WebClient) -> None:
    offered = options(staff.read(steps.search(staff, NEW)), "City")
    assert "Pune, Maharashtra, Hinjawadi hub, 411057" in offered
    assert "Pune, Maharashtra, Hadapsar depot, 411028" in offered
    assert len(set(offered)) == len(offered)


def test_with_type_and_city_the_vehicle_is_searched_and_not_asked_again(staff: WebClient, levers: Levers) -> None:
    form = staff.read(steps.search(staff, NEW))
    city = form.field("City").select("option")[2]["value"]
    answer = form.submit("Search", rc_type="TRUCK", city_id=city)
    assert answer.headers["Location"] == "/vehicles/KA05MN4321"
    sent = json.loads(levers.calls("search")[-1]["body"])
    assert sent == {"rcNumber": "KA05MN4321", "rcType": "TRUCK", "cityId": city}
    assert steps.search(staff, "ka05mn4321").status_code == 303


@pytest.mark.parametrize(
    ("fields", "message", "chosen_field"),
    [
        ({"rc_type": "TRUCK"}, "Choose a city.", "RC type"),
        ({"city_id": "4c2f6a0e-0000-4000-8000-000000000000"}, "Choose an RC type.", None),
    ],
)
def test_a_first_search_needs_both(
    staff: WebClient, levers: Levers, fields: dict[str, str], message: str, chosen_field: str | None
) -> None:
    form = staff.read(steps.search(staff, NEW))
    levers.forget_calls()
    page = staff.read(form.submit("Search", **fields))
    assert page.status == 422
    assert message in page.text
    assert page.field("RC number")["value"] == NEW
    if chosen_field:
        assert page.field(chosen_field).select("option[selected]")[0]["value"] == "TRUCK"
    assert levers.calls() == []


def test_the_choices_of_a_first_search_survive_a_bad_number(staff: WebClient) -> None:
    form = staff.read(steps.search(staff, NEW))
    city = form.field("City").select("option")[2]
    page = staff.read(form.submit("Search", rc_number="KA?", rc_type="TRUCK", city_id=city["value"]))
    assert page.status == 422
    assert chosen(page, "City") == words(city.get_text())
    assert page.field("RC type").select("option[selected]")[0]["value"] == "TRUCK"


def error_at(page: Page, label: str) -> str:
    """Return the error that is shown at a field."""
    field = page.field(label)
    ids = str(field.get("aria-describedby", "")).split()
    return " ".join(words(page.one(f"#{each}").get_text()) for each in ids if each.endswith("-error"))


def test_a_city_that_is_gone_is_named_and_the_lists_are_renewed(staff: WebClient, levers: Levers) -> None:
    form = staff.read(steps.search(staff, NEW))
    city = form.field("City").select("option")[1]["value"]
    levers.remove_cities()
    new = levers.add_city(cityName="Nagpur")
    levers.add_rc_type("E_RICKSHAW", "E-rickshaw")
    page = staff.read(form.submit("Search", rc_type="TRUCK", city_id=city))
    assert page.status == 422
    assert "no longer offers the city" in error_at(page, "City")
    assert not error_at(page, "RC number") + error_at(page, "RC type")
    assert options(page, "City")[1:] == ["Nagpur, Maharashtra"]
    assert "E-rickshaw" in options(page, "RC type")
    assert page.field("RC type").select("option[selected]")[0]["value"] == "TRUCK"
    assert page.submit("Search", city_id=new["cityId"]).status_code == 303


def test_a_rejected_first_search_with_offered_choices_names_all_that_may_be_wrong(
    staff: WebClient, levers: Levers
) -> None:
    form = staff.read(steps.search(staff, NEW))
    city = form.field("City").select("option")[1]["value"]
    levers.fault("search", "status", status=400)
    page = staff.read(form.submit("Search", rc_type="TRUCK", city_id=city))
    assert page.status == 422
    assert "It rejected the request." in error_at(page, "RC number")
    assert "The RC number, the RC type or the city may be wrong" in error_at(page, "RC number")
    assert page.field("City").select("option[selected]")[0]["value"] == city


def test_the_lists_of_before_stay_when_they_cannot_be_renewed(staff: WebClient, levers: Levers) -> None:
    form = staff.read(steps.search(staff, NEW))
    city = form.field("City").select("option")[1]["value"]
    levers.fault("search", "status", status=400)
    levers.fault("locations", "status", status=500, count=3)
    levers.fault("rc_types", "status", status=500, count=3)
    page = staff.read(form.submit("Search", rc_type="TRUCK", city_id=city))
    assert page.status == 422
    assert len(options(page, "RC type")) == 8


def test_an_organization_without_cities_is_told_so(staff: WebClient, levers: Levers) -> None:
    levers.remove_cities()
    page = staff.read(steps.search(staff, NEW))
    assert page.status == 422
    assert "The service has no city for your organization" in error_at(page, "City")
    levers.add_city(cityName="Nagpur")
    page = staff.read(steps.search(staff, NEW))
    assert options(page, "City")[1:] == ["Nagpur, Maharashtra"], "an empty list is asked for each time"


def test_a_vehicle_that_is_known_here_is_not_called_new(staff: WebClient, searched: dict, levers: Levers) -> None:
    levers.fault("search", "status", status=400)
    page = staff.read(steps.search(staff))
    assert page.status == 422
    assert "new here" not in page.text
    assert "The service did not accept this number alone." in page.text
    assert "This vehicle is new here." in staff.read(steps.search(staff, NEW)).text


def test_without_any_list_nobody_reads_of_the_last_known_ones(staff: WebClient, levers: Levers) -> None:
    levers.fault("rc_types", "status", status=429, count=9, headers={"Retry-After": "60"})
    page = staff.read(steps.search(staff, NEW))
    assert page.status == 429
    assert "the last that are known" not in page.text
    assert "none is known yet" in page.text
    assert "Try again in 1 min." in page.text
    assert "tomorrow" not in page.text
    assert page.response.headers["Retry-After"] == "60"


def test_a_search_that_is_answered_for_another_vehicle_says_so(
    staff: WebClient, searched: dict, levers: Levers
) -> None:
    answer = {"success": True, "data": {"rcNumber": "MH14ZZ9999", "carId": "1" * 8 + "-1111-4111-8111-" + "1" * 12}}
    answer["data"] |= {"newChallansCount": 0, "challans": []}
    for act in (lambda: steps.search(staff), lambda: steps.refresh(staff)):
        levers.fault("search", "raw", status=200, body=json.dumps(answer))
        page = staff.read(act())
        assert "You searched MH12 AB 1001, and the service answered for MH14 ZZ 9999." in page.text
    assert "answered for" not in staff.read(steps.search(staff)).text


def test_the_two_lists_are_asked_for_once_a_day(staff: WebClient, levers: Levers, clock: MovableClock) -> None:
    for number in ("KA01AA0001", "KA01AA0002", "KA01AA0003"):
        assert steps.search(staff, number).status_code == 422
    assert [levers.count(name) for name in LOOKUPS] == [1, 1]
    clock.advance(hours=23, minutes=59)
    steps.comes_back(staff, ASHA)
    steps.search(staff, "KA01AA0004")
    assert [levers.count(name) for name in LOOKUPS] == [1, 1]
    clock.advance(minutes=2)
    levers.add_city(cityName="Nashik")
    assert any("Nashik" in city for city in options(staff.read(steps.search(staff, "KA01AA0005")), "City"))
    assert [levers.count(name) for name in LOOKUPS] == [2, 2]


def test_the_lists_of_yesterday_are_served_when_the_service_refuses(
    staff: WebClient, levers: Levers, clock: MovableClock
) -> None:
    before = options(staff.read(steps.search(staff, "KA01AA0001")), "City")
    clock.advance(days=2)
    steps.comes_back(staff, ASHA)
    levers.fault("locations", "status", status=404)
    levers.fault("rc_types", "status", status=429)
    page = staff.read(steps.search(staff, "KA01AA0002"))
    assert page.status == 422
    assert options(page, "City") == before
    assert len(options(page, "RC type")) == 8
    assert [levers.count(name) for name in LOOKUPS] == [3, 2], "one more call tells a limit from a throttled key"


@pytest.mark.parametrize("operation", LOOKUPS)
def test_without_any_list_the_failure_is_shown_and_the_number_kept(
    staff: WebClient, levers: Levers, operation: str
) -> None:
    levers.fault(operation, "status", status=404)
    page = staff.read(steps.search(staff, NEW))
    assert page.status == 404
    assert "The service answered with an error" in page.text
    assert page.field("RC number")["value"] == NEW


# Results of a search


def test_how_many_challans_are_new_is_shown(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [steps.challan(1), steps.challan(2), steps.challan(3)], searched=False)
    assert "· 3 new challans" in steps.searched(staff).text
    assert "· no new challans" in steps.searched(staff).text


def test_a_vehicle_of_another_organization_is_explained(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    levers.assign_vehicle(RC, "second")
    page = staff.read(steps.search(staff))
    assert page.status == 409
    assert "belongs to another organization or was deleted" in page.text
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
    asked = steps.searched(staff).one(".vehicle-facts time").get_text()
    clock.advance(minutes=10)
    levers.fault("search", **fault)  # type: ignore[arg-type]
    page = staff.read(steps.search(staff))
    assert page.status == status
    assert message in page.text
    # Past midnight the moment shows its date too.
    assert re.search(rf"This is from [\w ,]*{re.escape(asked)}", page.text)
    assert list(steps.boxes(page)) == list(five)
    assert message in staff.page(VEHICLE).text, "as long as nothing newer is known"
    assert message not in steps.searched(staff).text


@pytest.mark.parametrize(("fault", "status", "message"), FAILURES.values(), ids=FAILURES)
def test_a_failed_search_of_an_unknown_vehicle_keeps_what_was_typed(
    staff: WebClient, five: dict[str, str], levers: Levers, fault: dict[str, object], status: int, message: str
) -> None:
    levers.fault("search", **fault)  # type: ignore[arg-type]
    page = staff.read(steps.search(staff, "mh12 ab-1001"))
    assert page.status == status
    assert message in page.text
    assert page.field("RC number")["value"] == "mh12 ab-1001"


def test_a_search_that_fails_by_script_is_a_notice_beside_the_form(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    levers.fault("search", "status", status=500)
    region = by_htmx(staff, RC)
    assert region.status == 502
    assert region.headers["HX-Retarget"] == "#notices"
    assert "The service answered with an error" in region.text
    assert "<form" not in region.response.text


def test_a_spent_allowance_is_shown_beside_the_last_results(
    staff: WebClient, five: dict[str, str], levers: Levers
) -> None:
    steps.searches(staff)
    levers.set_organization(searchAllowance=0)
    page = staff.read(steps.search(staff))
    assert page.status == 429
    assert "today's search limit is reached. This is from" in page.text
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
    assert "What you entered is kept" in staff.read(answer).text
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
