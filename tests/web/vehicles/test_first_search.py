"""Test the first search of a vehicle, which needs its RC type and a city of the organization."""

from __future__ import annotations

import json

import pytest

from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.vehicles.test_search import NEW, by_htmx, chosen

PLATE = "KA05 MN 4321"
LOOKUPS = ("locations", "rc_types")


def options(page: Page, label: str) -> list[str]:
    return [words(option.get_text()) for option in page.field(label).select("option")]


def test_a_first_search_reveals_type_and_city_with_the_number_as_on_the_plate(staff: WebClient, levers: Levers) -> None:
    page = staff.read(steps.search(staff, NEW))
    assert page.status == 422
    assert page.field("RC number")["value"] == PLATE
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
    assert region.field("RC number")["value"] == PLATE


def test_cities_of_the_same_name_can_be_told_apart(staff: WebClient) -> None:
    offered = options(staff.read(steps.search(staff, NEW)), "City")
    assert "Pune, Maharashtra, Hinjawadi hub, 411057" in offered
    assert "Pune, Maharashtra, Hadapsar depot, 411028" in offered
    assert len(set(offered)) == len(offered)


@pytest.mark.parametrize(("number", "state"), [("KA05MN4321", "Karnataka"), ("DL01CB4321", "Delhi")])
def test_the_cities_of_the_state_of_the_plate_are_offered_first(staff: WebClient, number: str, state: str) -> None:
    _choose, *offered = options(staff.read(steps.search(staff, number)), "City")
    there = [f", {state}" in city for city in offered]
    assert any(there)
    assert there == sorted(there, reverse=True)


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
    assert page.field("RC number")["value"] == PLATE
    if chosen_field:
        assert page.field(chosen_field).select("option[selected]")[0]["value"] == "TRUCK"
    assert levers.calls() == []


def test_a_first_search_without_both_says_so_at_each_field(staff: WebClient, levers: Levers) -> None:
    form = staff.read(steps.search(staff, NEW))
    levers.forget_calls()
    page = staff.read(form.submit("Search"))
    assert page.status == 422
    assert error_at(page, "RC type") == "Choose an RC type."
    assert error_at(page, "City") == "Choose a city."
    assert levers.calls() == []


def test_another_number_than_the_one_that_was_asked_about_needs_neither(
    staff: WebClient, searched: dict[str, str]
) -> None:
    form = staff.read(steps.search(staff, NEW))
    assert form.submit("Search", rc_number=steps.RC).headers["Location"] == f"/vehicles/{steps.RC}"


def test_why_another_number_cannot_be_searched_does_not_stand_below_the_questions_about_the_one_before(
    staff: WebClient, levers: Levers
) -> None:
    levers.add_vehicle("TN09BX5555")
    levers.assign_vehicle("TN09BX5555", "second")
    page = staff.read(staff.read(steps.search(staff, NEW)).submit("Search", rc_number="TN09BX5555"))
    assert "TN09 BX 5555 is not among your vehicles." in page.text
    assert not page.all("#rc_type, #city_id")
    assert "new here" not in page.text


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
