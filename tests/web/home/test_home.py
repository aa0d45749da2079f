"""Test the first page: the search, what waits for a person, and what is stored."""

from __future__ import annotations

import pytest

from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.steps import RC, REVIEW, VEHICLE, calls_of

INTO_PLATES = {**HTMX, "HX-Target": "known-plates"}


def test_a_first_day_says_what_to_do(staff: WebClient) -> None:
    page = staff.page("/")
    assert page.field("RC number").get("value", "") == ""
    assert "No vehicle has been searched yet." in page.text
    assert "No payment link yet." in page.text
    assert "Needs attention" not in page.text


def test_exactly_one_button_is_called_search(staff: WebClient, five: dict[str, str]) -> None:
    for address in ("/", VEHICLE):
        assert staff.page(address).buttons().count("Search") == 1, address
    steps.searches(staff)
    for address in ("/", VEHICLE):
        assert staff.page(address).buttons().count("Search") == 1, address


def test_recent_vehicles_and_links_lead_to_their_pages(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    page = staff.page("/")
    assert {a["href"] for a in page.all("#known-vehicles td a, #known-vehicles th a")} == {VEHICLE}
    assert f"/links/{link_id}" in {a["href"] for a in page.all(".recent-links a")}
    links = page.one(".recent-links").get_text(" ")
    assert "Active" in links
    assert "2 challans" in links
    assert "Asha Rao" in links


def test_links_and_vehicles_belong_to_everybody(staff: WebClient, manager: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    page = manager.page("/")
    assert page.all(f'a[href="{VEHICLE}"]')
    assert manager.page(f"/links/{link_id}").one("#link-panel")["data-status"] == "ACTIVE"


def test_an_outcome_that_is_not_known_needs_attention(
    staff: WebClient, five: dict[str, str], levers: Levers, clock: MovableClock
) -> None:
    steps.searches(staff)
    levers.fault("create_link", "cut", when="after")
    address = steps.request_of(steps.create(staff))
    page = staff.page("/")
    assert page.link("Open the request") == address
    assert "the outcome of a request for a link is not known yet" in page.text
    clock.advance(seconds=5)
    staff.page(address).submit("Look now")
    assert "Needs attention" not in staff.page("/").text


def test_an_unpaid_link_that_ends_soon_needs_attention(
    staff: WebClient, five: dict[str, str], clock: MovableClock
) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, hours=24))
    assert "Needs attention" not in staff.page("/").text
    clock.advance(hours=19)
    steps.comes_back(staff, ASHA)
    page = staff.page("/")
    assert "unpaid, and its link ends at" in page.text
    assert page.link("Open the link") == f"/links/{link_id}"


@pytest.mark.parametrize("part", ["1001", "12 ab", "mh-12", "AB1"])
def test_a_part_of_a_number_finds_known_vehicles_without_the_service(
    staff: WebClient, five: dict[str, str], levers: Levers, part: str
) -> None:
    levers.add_vehicle("KA05MN4321")
    steps.searches(staff)
    steps.searches(staff, "KA05MN4321")

    def type_it() -> None:
        answer = staff.get("/vehicles", query_string={"q": part}, headers=INTO_PLATES)
        region = Page(staff, answer, region=True)
        assert region.one("#known-plates")["data-announce"].startswith("1 known vehicle.")
        assert "<main" not in answer.text
        assert VEHICLE in {a["href"] for a in region.all("a")}
        assert "KA05" not in answer.text
        page = staff.page(f"/vehicles?q={part}")
        assert [a["href"] for a in page.all("table a")] == [VEHICLE]

    assert calls_of(levers, type_it) == 0


def test_a_list_that_is_cut_off_says_so(staff: WebClient, levers: Levers) -> None:
    for number in range(9):
        levers.add_vehicle(f"KA05MN432{number}")
        steps.searches(staff, f"KA05MN432{number}")
    region = Page(staff, staff.get("/vehicles?q=KA05", headers=INTO_PLATES), region=True)
    assert len(region.all("[role=option]")) == 8
    assert region.one("#known-plates")["data-announce"].startswith("8 or more known vehicles.")


def test_a_part_that_no_known_vehicle_has_offers_the_search(staff: WebClient) -> None:
    assert "No known vehicle has “ZZ99”" in staff.page("/vehicles?q=ZZ99").text


def test_no_page_that_is_only_opened_calls_the_service(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff, "MH1001"))
    levers.fault("create_link", "cut", when="after")
    request = steps.request_of(steps.create(staff, "MH1002"))
    assert steps.select(staff, "MH1003").status_code == 303
    link = f"/links/{link_id}"
    pages = ["/", "/vehicles", "/vehicles?q=MH", VEHICLE, "/vehicles/KA05MN4321", REVIEW, link, request]
    regions = ["/vehicles?q=MH", f"{link}/panel", f"{request}/panel"]

    def walk() -> None:
        for address in pages:
            staff.page(address)
        for address in regions:
            staff.page(address)
            assert staff.get(address, headers=HTMX).status_code == 200, address

    assert calls_of(levers, walk) == 0


def test_every_address_of_the_main_job_refuses_to_act_on_get(staff: WebClient, five: dict[str, str]) -> None:
    steps.searches(staff)
    link_id = steps.link_of(steps.create(staff))
    acts = ["/search", f"{VEHICLE}/refresh", f"{VEHICLE}/selection", f"{VEHICLE}/links", f"/links/{link_id}/check"]
    for address in acts:
        assert staff.get(address).status_code in (303, 405), address


def test_a_vehicle_that_was_never_searched_offers_the_search(staff: WebClient, levers: Levers) -> None:
    page = staff.page(f"/vehicles/{RC}")
    assert page.field("RC number")["value"] == "MH12 AB 1001"
    assert "has not been searched yet" in page.text
    levers.add_vehicle(RC)
    answer = page.submit("Search")
    assert answer.headers["Location"] == VEHICLE
