"""Test where work with many vehicles starts: what goes on, and what became of earlier searches."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from dashboard.domain.fleet import FleetVehicle
from dashboard.services.container import Services
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.oracle import DENIALS
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.fleet.test_review import creates, plan_id_of, planned
from tests.web.sharing.steps import adds_a_driver


def test_a_search_names_the_links_made_of_it_and_leads_to_those_that_are_left_to_send(
    manager: WebClient, searched_run: str, run_lane: Callable[..., int]
) -> None:
    row = manager.page("/fleet").one(f"[data-row='{searched_run}']")
    assert "Review and create links" in row.get_text()
    assert words(row.select_one(".fleet-work-sum").get_text(" ")) == "₹1,677.00 3 challans not on a link yet"
    run_lane(plan_id := plan_id_of(creates(planned(manager, searched_run))))
    adds_a_driver(manager, name="Lakshmi Iyer", language="en", vehicles="MH14AA1001")
    share = manager.page(str(manager.page("/fleet").one(".fleet-work-links a.button")["href"]))
    page = manager.page("/fleet")
    row = page.one(f"[data-row='{searched_run}']")
    assert words(row.select_one(".fleet-work-sum").get_text(" ")) == "₹1,677.00 3 challans on 2 links", "in one column"
    assert words(row.select_one(".fleet-work-links a").get_text()).startswith("none sent ·")
    assert titles(page).index("Recent searches") < titles(page).index("form"), "they are to be sent"
    share.submit("Send to Lakshmi Iyer, in a new tab")
    page = manager.page("/fleet")
    assert "not on a link yet" not in page.text
    links = page.all(".fleet-work-links a")[0]
    assert words(links.get_text()).startswith("1 sent ·")
    assert links["href"] == f"/fleet/plans/{plan_id}"
    assert "Review and create links" not in page.text


@pytest.mark.hour(12)
def test_searches_of_one_name_and_minute_show_their_seconds(
    manager: WebClient,
    services: Services,
    fleet: list[FleetVehicle],
    clock: MovableClock,
    run_lane: Callable[..., int],
) -> None:
    run_lane(services.fleet_searches.start("Pune trucks", fleet, None))
    for _second in range(2):
        clock.advance(seconds=1)
        services.fleet_searches.start("Pune trucks", fleet, None)
    clock.advance(minutes=1)
    services.fleet_searches.start("Pune trucks", fleet, None)
    run_lane(services.fleet_searches.start("Pune trucks", fleet[:1], None))
    rows = manager.page("/fleet").all(".fleet-work")
    assert {words(each.select_one(".fleet-work-name").get_text(" ")) for each in rows} == {
        "Pune trucks · 3 vehicles",
        "Pune trucks · 1 vehicle",
    }
    times = sorted(words(each.select_one("time").get_text()) for each in rows)
    assert times == ["5:30:00 pm", "5:30:01 pm", "5:30:02 pm", "5:31 pm", "5:31 pm"], "the last two have two sizes"


def test_a_search_with_several_plans_names_each_below_the_sum_of_all(
    manager: WebClient, searched_run: str, run_lane: Callable[..., int]
) -> None:
    for position in ("1", "2"):
        review = manager.page(f"/fleet/runs/{searched_run}/review")
        run_lane(plan_id_of(creates(manager.read(review.submit("Preview the links", vehicle=[position])))))
    row = manager.page("/fleet").one(f"[data-row='{searched_run}']")
    assert words(row.select_one(".fleet-work-sum").get_text(" ")) == "₹1,677.00 3 challans on 2 links"
    said = [words(each.get_text()) for each in row.select(".fleet-work-links a:not(.button)")]
    assert [each.startswith("on 1 link · none sent ·") for each in said] == [True, True]
    assert "challans to pay found" not in row.get_text(), "the sum says of how many it is"


def titles(page: Page) -> list[str]:
    """Return the headings of the page and its form, in their order."""
    found = page.all("main h2, main form.fleet-form[enctype]")
    return ["form" if each.name == "form" else words(each.get_text()) for each in found]


def test_recent_searches_stand_before_the_form_while_something_is_not_on_a_link_or_not_sent(
    manager: WebClient, services: Services, fleet: list[FleetVehicle], run_lane: Callable[..., int]
) -> None:
    def leads() -> bool:
        listed = titles(manager.page("/fleet"))
        return listed.index("Recent searches") < listed.index("form")

    run_lane(services.fleet_searches.start("Nothing to pay", fleet[2:], None))
    assert not leads()
    assert "New search" not in manager.page("/fleet").text
    run_lane(run_id := services.fleet_searches.start("Pune trucks", fleet, None))
    assert leads()
    assert manager.page("/fleet").link("New search") == "#numbers", "the form is far down on a phone"
    run_lane(plan_id_of(creates(planned(manager, run_id))))
    assert leads()


def test_of_many_searches_those_with_work_left_are_not_folded(
    manager: WebClient, services: Services, searched_run: str, run_lane: Callable[..., int], clock: MovableClock
) -> None:
    for number in range(5):
        clock.advance(minutes=1)
        run_lane(services.fleet_searches.start(f"Nothing {number}", [FleetVehicle("MH14AA1003")], None))
    page = manager.page("/fleet")
    names = [words(each.get_text()).partition(" ·")[0] for each in page.all("section > ul > .fleet-work strong")]
    assert names == ["Nothing 4", "Nothing 3", "Pune trucks"]
    assert words(page.one(".fleet-rest summary").get_text()) == "3 more"


def test_a_cancelled_search_says_so_beside_its_name(
    manager: WebClient, services: Services, fleet: list[FleetVehicle], run_lane: Callable[..., int]
) -> None:
    run_id = services.fleet_searches.start("Pune trucks", fleet, None)
    run_lane(run_id, 1)
    services.fleet_jobs.cancel(run_id)
    row = manager.page("/fleet").one(f"[data-row='{run_id}']")
    assert re.fullmatch(r"Pune trucks · .* Cancelled", words(row.select_one(".fleet-work-head").get_text(" ")))
    assert len(row.select(".state")) == 1


def test_a_search_whose_challans_are_on_links_of_another_offers_no_review(
    manager: WebClient,
    services: Services,
    fleet: list[FleetVehicle],
    searched_run: str,
    run_lane: Callable[..., int],
) -> None:
    run_lane(later := services.fleet_searches.start("Again", fleet, None))
    assert "Review and create links" in manager.page("/fleet").one(f"[data-row='{later}']").get_text()
    run_lane(plan_id_of(creates(planned(manager, searched_run))))
    assert "Review and create links" not in manager.page("/fleet").text


def test_a_search_says_which_of_its_links_are_missing_and_leads_to_their_plan(
    manager: WebClient, levers: Levers, searched_run: str, statements: list[str], run_lane: Callable[..., int]
) -> None:
    plan_id = plan_id_of(creates(planned(manager, searched_run)))
    levers.break_a4()
    run_lane(plan_id, 1)

    def lacks() -> str:
        row = manager.page("/fleet").one(f"[data-row='{searched_run}']")
        [link] = row.select(".fleet-work-links > .fleet-lacks > a")
        assert link["href"] == f"/fleet/plans/{plan_id}"
        return words(link.get_text()).partition(" · Pune")[0]

    assert lacks().startswith("1 may exist"), "although no link exists yet"
    assert not DENIALS.search(lacks())
    levers.fault("create_link", "status", status=400)
    run_lane(plan_id)
    statements.clear()
    assert lacks().startswith("1 not created · 1 may exist")
    assert len([each for each in statements if "fleet_link.outcome IS NOT NULL" in each]) == 1
