"""Test how single challans are left out of a plan, and what filters leave out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dashboard.domain.fleet import FleetVehicle
from dashboard.domain.fleet_plan import MOST_SKIPPED, mark_of, pack_marks, unpack_marks
from dashboard.services.container import Services
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.fleet.test_review import creates, links_of, plan_id_of
from tests.web.steps import HTMX


def opened(manager: WebClient, run_id: str, plate: str = "MH14 AA 1001") -> Page:
    return manager.page(manager.page(f"/fleet/runs/{run_id}/review").link(plate))


def ticked(page: Page) -> list[str]:
    return [str(each["value"]) for each in page.all("input[name=challan][checked]")]


def test_a_challan_that_is_unticked_is_on_no_link_of_the_plan(
    manager: WebClient, services: Services, searched_run: str
) -> None:
    page = opened(manager, searched_run)
    _first, second = ticked(page)
    review = manager.read(page.submit("Done", challan=[second]))
    assert "1 of 2" in words(review.all("tbody tr")[0].get_text(" "))
    said = words(review.all("#review-sum p")[0].get_text())
    assert said.startswith("2 of 2 vehicles · 2 links · ₹1,118.00")
    assert "1 challan left out" in said
    again = manager.page(review.link("MH14 AA 1001"))
    assert ticked(again) == [second]
    plan = manager.read(review.submit("Preview the links"))
    assert "₹1,118.00 to pay" in plan.text
    plan_id = plan_id_of(creates(plan))
    assert links_of(services, plan_id) == [("MH14AA1001", 1), ("MH14AA1002", 1)]


def test_a_vehicle_without_a_ticked_challan_is_left_out_and_back_once_one_is_ticked(
    manager: WebClient, searched_run: str
) -> None:
    page = opened(manager, searched_run)
    first, _second = ticked(page)
    review = manager.read(page.submit("Review and create links", challan=[]))
    assert "1 of 2 vehicles" in words(review.one("#review-sum").get_text())
    page = manager.page(review.link("MH14 AA 1001"))
    assert ticked(page) == []
    said = [words(each.get_text(" ")) for each in page.all("#lot-sum p")]
    assert said == ["0 of 2 challans", "The vehicle is left out"]
    assert "Back to the review" in page.text
    assert "not ticked" not in page.text, "a person left them out"
    review = manager.read(page.submit("Done", challan=[first]))
    assert "2 of 2 vehicles" in words(review.one("#review-sum").get_text())
    whole = manager.read(review.submit("Select all 2 vehicles"))
    assert "left out" not in whole.text
    assert len(ticked(manager.page(whole.link("MH14 AA 1001")))) == 2


def test_a_tick_of_a_challan_is_answered_with_what_it_comes_to_and_stays_in_the_address(
    manager: WebClient, searched_run: str
) -> None:
    page = opened(manager, searched_run)
    first, _second = ticked(page)
    fields = {"csrf_token": manager.csrf_token(), "challan": [first]}
    answer = manager.post(
        str(page.one("form#lot [hx-post]")["hx-post"]), data=fields, headers={**HTMX, "HX-Target": "lot-sum"}
    )
    assert "1 of 2 challans · 1 link · ₹559.00" in words(Page(manager, answer, region=True).one("p").get_text())
    assert ticked(manager.page(answer.headers["HX-Replace-Url"])) == [first]


def test_more_challans_than_an_address_can_name_are_not_left_out_one_by_one(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]
) -> None:
    levers.add_vehicle("MH14AA4001", [{"challanNo": f"C-{n}"} for n in range(MOST_SKIPPED + 5)])
    run_id = services.fleet_searches.start("Many", [FleetVehicle("MH14AA4001")], None)
    run_lane(run_id)
    page = opened(manager, run_id, "MH14 AA 4001")
    first = ticked(page)
    page = manager.read(page.submit("Select none"))
    refused = manager.read(page.submit("Done", challan=first[:1]))
    assert refused.status == 422
    assert "at most 200 challans one by one" in refused.text
    review = manager.read(page.submit("Done", challan=first[:5]))
    assert "200 challans left out" in review.text


def test_marks_of_challans_are_read_from_an_address_and_anything_else_is_none() -> None:
    marks = {mark_of(f"challan {n}") for n in range(MOST_SKIPPED)}
    assert unpack_marks(pack_marks(marks)) == marks
    assert not any(map(unpack_marks, ("", "x", "é", "AAAA", "A" * 4000)))


def test_what_a_filter_leaves_out_is_said_beside_it(manager: WebClient, searched_run: str) -> None:
    address = f"/fleet/runs/{searched_run}/review"
    assert not manager.page(address).all(".fleet-hidden")
    page = manager.page(f"{address}?plate=1002")
    said = words(page.one(".fleet-hidden").get_text())
    assert said == "2 challans (₹1,118.00) do not fit these filters and are left out."
    assert not manager.page(f"{address}?plate=MH14").all(".fleet-hidden"), "nothing is left out"


@pytest.fixture
def many(services: Services, levers: Levers, run_lane: Callable[..., int]) -> str:
    """Return a run of one vehicle with so many challans that they take two pages; every third is one of a court."""
    challans = [
        {
            "challanNo": f"C-{n:03}",
            "challanAmount": 20_000 if n < 2 else 500,
            "challanType": "Online" if n % 3 else "Court",
        }
        for n in range(60)
    ]
    levers.add_vehicle("MH14AA4001", challans)
    run_id = services.fleet_searches.start("Many", [FleetVehicle("MH14AA4001")], None)
    run_lane(run_id)
    return run_id


def parts(page: Page) -> dict[str, str]:
    """Return what is offered to show, with the value that shows it."""
    return {words(each.get_text()): str(each["value"]) for each in page.all("[name=show]")}


def test_of_many_challans_some_are_shown_and_the_others_stay_as_they_were_ticked(manager: WebClient, many: str) -> None:
    page = opened(manager, many, "MH14 AA 4001")
    offered = parts(page)
    assert next(iter(offered)) == "All (60)"
    assert "From ₹10,000 (2)" in offered
    [court] = [words for words in offered if words.startswith("Court (20)")]
    of_court = manager.read(page.submit(court))
    assert len(ticked(of_court)) == 20
    fewer = manager.read(of_court.submit("Select none"))
    assert ticked(fewer) == []
    assert words(fewer.one("#lot-sum p").get_text()).startswith("40 of 60 challans")
    assert "Keep 40 and go back" in fewer.text
    review = manager.read(fewer.submit("Done"))
    assert "20 challans left out" in review.text
    assert "40 of 60 challans" in words(review.one("tbody tr").get_text(" "))


def test_many_challans_come_a_page_at_a_time_and_keep_their_ticks(manager: WebClient, many: str) -> None:
    page = opened(manager, many, "MH14 AA 4001")
    assert "Showing 1–50 of 60" in page.text
    first = ticked(page)
    assert len(first) == 50
    second = manager.read(page.submit("Next page", challan=first[1:]))
    assert len(ticked(second)) == 10
    before = manager.read(second.submit("Page before", challan=ticked(second)[2:]))
    assert ticked(before) == first[1:]
    assert words(before.one("#lot-sum p").get_text()).startswith("57 of 60 challans")


def test_few_challans_are_shown_without_filters(manager: WebClient, searched_run: str) -> None:
    page = opened(manager, searched_run)
    assert parts(page) == {}
    assert "Choose driver · 2 challans" in page.text
    assert page.link("Choose driver") == "/drivers?vehicle=MH14+AA+1001"
    assert not page.all(".fleet-picks"), "a few are ticked one by one"


def test_a_vehicle_says_of_how_many_challans_each_link_is(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]
) -> None:
    levers.add_vehicle("MH14AA4001", [{"challanNo": f"C-{n}"} for n in range(103)])
    run_id = services.fleet_searches.start("Many", [FleetVehicle("MH14AA4001")], None)
    run_lane(run_id)
    page = opened(manager, run_id, "MH14 AA 4001")
    assert "103 of 103 challans · 2 links: 100 + 3" in words(page.one("#lot-sum p").get_text())
