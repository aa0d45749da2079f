"""Test the review of a search run: filters, ticks, and the plan before anything is sent."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from flask import Flask

from dashboard.domain.allowance_forecast import Certainty, Forecast
from dashboard.domain.fleet import FleetVehicle
from dashboard.replica import fleet as fleets
from dashboard.services.container import Services
from dashboard.services.vehicles import eligibility
from dashboard.store.fleet import payable, plans
from dashboard.web.fleet import review_texts
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.fleet.test_run import acts
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import HTMX


def plates(page: Page, of: str = "main") -> list[str]:
    return [words(each.get_text()) for each in page.all(f"{of} tbody th")]


def links_of(services: Services, plan_id: str) -> list[tuple[str, int]]:
    with services.store.read() as connection:
        return [(each.rc, len(each.challan_ids)) for each in plans.links_of(connection, plan_id)]


def planned(manager: WebClient, run_id: str) -> Page:
    """Return the plan of all that is to be paid."""
    return manager.read(manager.page(f"/fleet/runs/{run_id}/review").submit("Preview the links"))


def creates(page: Page, **fields: Any) -> Any:
    """Confirm a plan; the button says how many links it creates, and for how much."""
    [button] = [each for each in page.buttons() if each.endswith("Create links")]
    return page.submit(button, **fields)


def plan_id_of(answer: Any) -> str:
    assert answer.status_code == 303, answer.text
    address: str = answer.headers["Location"]
    assert address.startswith("/fleet/plans/")
    return address.removeprefix("/fleet/plans/")


def test_what_is_payable_of_a_run_is_what_is_payable_of_each_vehicle(
    services: Services, staff: WebClient, levers: Levers, run_lane: Callable[..., int]
) -> None:
    """Every kind of challan that the replica's fleet has: on links of each state, paid, with gaps, held, and free."""
    levers.reset("demo")
    listed = [fleets.STAR, fleets.PAID_BEFORE, fleets.EXPIRED_BEFORE, fleets.EMPTY, fleets.STALE, fleets.HUGE]
    run_id = services.fleet_searches.start("Kinds", [FleetVehicle(rc) for rc in listed], None)
    run_lane(run_id)
    with services.store.read() as connection:
        found = {each.id for each in payable.of_run(connection, run_id)}
        each_vehicle = eligibility.of_vehicles(connection, listed)
    wanted = {item.challan.id for items in each_vehicle.values() for item in items if item.selectable}
    assert wanted
    assert found == wanted


def test_vehicles_are_listed_with_their_sums_and_narrowed_by_the_address(manager: WebClient, searched_run: str) -> None:
    address = f"/fleet/runs/{searched_run}/review"
    page = manager.page(address)
    assert plates(page) == ["MH14 AA 1001", "MH14 AA 1002"]
    assert "2 vehicles · 3 challans" in page.text
    assert "2 of 2 vehicles" in page.text
    narrowed = manager.page(f"{address}?most=1")
    assert "No payable challan fits these filters" in narrowed.text
    wrong = manager.page(f"{address}?days=soon&least=much")
    assert "Enter a whole number" in wrong.one("#days-error").get_text()
    assert "Enter an amount" in wrong.one("#least-error").get_text()
    assert plates(wrong) == ["MH14 AA 1001", "MH14 AA 1002"]


def test_the_vehicles_of_a_number_are_found_by_any_part_of_it(manager: WebClient, searched_run: str) -> None:
    address = f"/fleet/runs/{searched_run}/review"
    found = manager.page(f"{address}?plate=aa 10-02")
    assert plates(found) == ["MH14 AA 1002"]
    plan = manager.read(found.submit("Preview the links"))
    assert "1 vehicle · 1 challan" in plan.text


def test_usual_filters_take_one_click_and_vehicles_without_a_driver_are_found(
    manager: WebClient, searched_run: str
) -> None:
    address = f"/fleet/runs/{searched_run}/review"
    assert "Has a driver" not in [words(each.get_text()) for each in manager.page(address).all(".fleet-quick")]
    adds_a_driver(manager, name="Lakshmi Iyer", vehicles="MH14AA1002")
    page = manager.page(address)
    assert [words(each.get_text()) for each in page.all(".fleet-quick")] == [
        "Older than 60 days",
        "From ₹10,000",
        "Has a driver",
        "No driver",
    ]
    assert plates(manager.read(page.submit("Has a driver"))) == ["MH14 AA 1002"]
    without = manager.read(page.submit("No driver"))
    assert plates(without) == ["MH14 AA 1001"]
    assert plates(manager.read(without.submit("Remove the filter No driver"))) == ["MH14 AA 1001", "MH14 AA 1002"]


def test_no_filter_and_no_order_ticks_a_vehicle_that_was_unticked(manager: WebClient, searched_run: str) -> None:
    adds_a_driver(manager, name="Lakshmi Iyer", vehicles="MH14AA1002")
    page = manager.page(f"/fleet/runs/{searched_run}/review")
    first, second = (str(each["value"]) for each in page.all("input[name=vehicle]"))

    def ticked(page: Page) -> list[str]:
        return [str(each["value"]) for each in page.all("input[name=vehicle][checked]")]

    narrowed = manager.read(page.submit("Has a driver", vehicle=[first]))
    assert plates(narrowed) == ["MH14 AA 1002"]
    assert ticked(narrowed) == []
    assert "1 vehicle left out" in narrowed.one("#review-sum").get_text()
    widened = manager.read(narrowed.submit("Remove the filter Has a driver"))
    assert ticked(widened) == [first]
    ordered = manager.read(widened.submit("To pay"))
    assert plates(ordered) == ["MH14 AA 1001", "MH14 AA 1002"]
    assert ordered.one("[aria-sort=descending]").get_text() == "To pay"
    assert ticked(ordered) == [first]
    cleared = manager.read(manager.read(ordered.submit("Show", plate="MH14", least="10000")).submit("Clear filters"))
    assert len(plates(cleared)) == 2
    assert ticked(cleared) == [first]
    assert second not in ticked(cleared)
    assert "vehicle left out" not in manager.read(cleared.submit("Select all 2 vehicles")).text


def test_the_button_says_how_many_links_it_creates_and_beside_it_stands_for_how_much(
    manager: WebClient, searched_run: str
) -> None:
    plan = planned(manager, searched_run)
    assert "Create 2 links · Create links" in plan.buttons()
    assert plan.one(".fleet-send .button")["data-only"] == "· ₹1,677.00"
    final, send = plan.one(".review-final"), plan.one(".fleet-send")
    said = "You cannot cancel or extend them once created. No part payment, no refund."
    assert words(final.get_text()) == said, "as the review of one vehicle says"
    assert final.find_next_sibling() is send
    assert "Unknown amounts" not in plan.text


def test_the_hours_of_a_plan_are_chosen_as_those_of_one_link(manager: WebClient, searched_run: str) -> None:
    plan = planned(manager, searched_run)
    ends = words(plan.one(".expiry-ends").get_text(" "))
    assert re.fullmatch(r"Valid till \d+ \w+, \d+:\d\d [ap]m \.", ends), "without a script, too"
    assert [words(each.get_text()) for each in plan.all(".expiry-choice .button-preset")] == [
        "24 h",
        "48 h",
        "3 days",
        "7 days",
    ]
    assert plan.one(".expiry-other")["data-words"] == "Other"
    assert "another link" not in plan.text
    assert "unclear" not in plan.text, "how a plan goes on is said where it happens"


def test_an_amount_that_is_not_known_is_no_zero(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]
) -> None:
    levers.add_vehicle("MH14AA1008", [{"challanNo": "B-1", "challanAmount": None}])
    mixed = [{"challanNo": "A-1", "challanAmount": None}, {"challanNo": "A-2", "challanAmount": 500}]
    levers.add_vehicle("MH14AA1009", mixed)
    run_id = services.fleet_searches.start("Depot", [FleetVehicle("MH14AA1008"), FleetVehicle("MH14AA1009")], None)
    run_lane(run_id)
    address = f"/fleet/runs/{run_id}"
    review = manager.page(f"{address}/review")
    for page in (manager.page(address), review, manager.read(review.submit("Preview the links"))):
        sums = {words(row.th.get_text()): words(row.select(".total")[0].get_text(" ")) for row in page.all("tbody tr")}
        assert sums == {"MH14 AA 1008": "Amount unknown", "MH14 AA 1009": "₹559.00 + 1 unknown"}
    assert page.one(".fleet-send .button")["data-only"] == "· ₹559.00 + 2 unknown"
    assert page.text.count("2 amounts are not known yet and will be added.") == 1
    assert words(page.one(".fleet-fact").get_text(" ")) == "₹559.00 to pay", "what it lacks is said below"
    one = manager.page(f"{address}/review?plate=1008")
    assert "1 link · Amount unknown" in words(one.one("#review-sum").get_text())
    assert "₹0.00" not in one.text
    assert "₹0.00" not in manager.page(one.link("MH14 AA 1008")).text
    nothing = manager.read(review.submit("Select none"))
    assert "₹0.00" in nothing.one("#review-sum").get_text()


def test_each_filter_is_named_and_can_be_removed_alone(manager: WebClient, searched_run: str) -> None:
    page = manager.page(f"/fleet/runs/{searched_run}/review?least=1&most=90000&plate=MH14")
    assert [words(each.get_text()) for each in page.all(".fleet-chip")] == [
        "Remove the filter MH14",
        "Remove the filter From ₹1",
        "Remove the filter Up to ₹90,000",
    ]
    fewer = page.submit("Remove the filter Up to ₹90,000")
    assert fewer.headers["Location"].endswith("/review?plate=MH14&least=1")
    assert plates(manager.read(fewer)) == ["MH14 AA 1001", "MH14 AA 1002"]


def test_a_vehicle_opens_to_its_challans(manager: WebClient, searched_run: str) -> None:
    page = manager.page(f"/fleet/runs/{searched_run}/review")
    vehicle = manager.page(page.link("MH14 AA 1001"))
    assert plates(vehicle) == ["MH14AA1001-0", "MH14AA1001-1"]
    assert manager.read(vehicle.submit("Review and create links")).heading == page.heading


def test_a_tick_is_answered_with_what_would_be_created_and_stays_in_the_address(
    manager: WebClient, searched_run: str
) -> None:
    address = f"/fleet/runs/{searched_run}/review"
    page = manager.page(address)
    first, second = (str(each["value"]) for each in page.all("input[name=vehicle]"))
    fields = {"csrf_token": manager.csrf_token(), "vehicle": second}
    headers = {**HTMX, "HX-Target": "review-sum"}
    answer = manager.post(str(page.one("#review-bar")["hx-post"]), data=fields, headers=headers)
    said = words(Page(manager, answer, region=True).all("#review-sum p")[0].get_text())
    again = manager.page(answer.headers["HX-Replace-Url"])
    assert said.startswith("1 of 2 vehicles · 1 link · ₹")
    assert words(again.all("#review-sum p")[0].get_text()) == said
    assert [each["value"] for each in again.all("input[name=vehicle][checked]")] == [second]
    plan = manager.read(again.submit("Preview the links"))
    assert plan.heading == "Create 1 payment link"
    assert words(again.one("#review-sum strong").get_text()) in plan.text
    # A vehicle that is opened now leads back to the ticks as they are.
    opened = manager.in_place(page.link("MH14 AA 1001"), on=answer.headers["HX-Replace-Url"])
    back = manager.read(opened.submit("Review and create links"))
    assert [each["value"] for each in back.all("input[name=vehicle][checked]")] == [second]
    assert first not in {each["value"] for each in back.all("input[name=vehicle][checked]")}


def test_ticks_are_kept_from_page_to_page(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]
) -> None:
    listed = [FleetVehicle(f"MH14TK{n:04}") for n in range(203)]
    for each in listed:
        levers.add_vehicle(each.rc, [{"challanNo": f"{each.rc}-1", "challanAmount": 500}])
    run_id = services.fleet_searches.start("Ticks", listed, None)
    run_lane(run_id)
    first = manager.page(f"/fleet/runs/{run_id}/review")
    boxes = [str(each["value"]) for each in first.all("input[name=vehicle]")]
    assert len(boxes) == 200
    second = manager.read(first.submit("Next page", vehicle=boxes[1:]))
    assert "202 of 203 vehicles" in second.text
    back = manager.read(second.submit("Page before", vehicle=[]))
    assert "199 of 203 vehicles" in back.text
    assert "203 of 203 vehicles" in manager.read(back.submit("Select all 203 vehicles")).text
    none = manager.read(back.submit("Select none"))
    assert "0 of 203 vehicles" in none.text
    assert "Tick at least one vehicle" in manager.read(none.submit("Preview the links", vehicle=[])).text
    one = manager.read(none.submit("Preview the links", vehicle=boxes[:1]))
    assert one.heading == "Create 1 payment link"


def test_the_plan_says_what_it_comes_to_before_anything_is_sent(
    manager: WebClient, services: Services, levers: Levers, searched_run: str
) -> None:
    page = planned(manager, searched_run)
    assert page.heading == "Create 2 payment links"
    assert "daily limit" not in page.text, "none is known"
    assert levers.count("create_link") == 0
    assert acts(services) == []


def test_what_does_not_fit_into_the_limit_of_today_is_said_to_wait(
    manager: WebClient, services: Services, levers: Levers, searched_run: str, run_lane: Callable[..., int]
) -> None:
    levers.fault("create_link", "status", status=429)
    refused = plan_id_of(creates(planned(manager, searched_run)))
    run_lane(refused)
    services.fleet_jobs.cancel(refused)
    text = planned(manager, searched_run).text
    assert "None fits into what is left of today’s limit." in text
    assert "Later (2)" in text
    assert "2 links wait for the next day’s limit." in text


def test_the_plan_says_how_much_of_a_known_limit_is_reserved(app: Flask, services: Services) -> None:
    now = services.clock()
    forecast = Forecast(
        used=40,
        learned=100,
        reserved=20,
        queued=0,
        left=60,
        fits=60,
        back_from=now,
        back_at=now,
        certainty=Certainty.ASSUMED,
        seen_at=None,
    )
    with app.test_request_context():
        said = review_texts.allowance(forecast, 52)
        far = review_texts.allowance(forecast, 12)
        unknown = review_texts.allowance(replace(forecast, learned=None, left=None), 12)
        beside_others = review_texts.allowance(replace(forecast, queued=50, left=10, fits=10), 12)
    assert said == (
        "40 links were requested today.",
        "The daily limit is probably 100; 20 are reserved for people and for unclear requests.",
        "This plan takes 52 of it today. After that 8 are left.",
    )
    assert (far, unknown) == ((), ()), "no limit is near"
    assert beside_others[2:] == (
        "50 links of plans that are not finished take part of it first.",
        "This plan takes 10 of it today. After that 0 are left.",
    )


def test_create_links_makes_the_plan_that_was_reviewed_once(
    manager: WebClient, services: Services, searched_run: str
) -> None:
    page = planned(manager, searched_run)
    plan_id = plan_id_of(creates(page, hours="72"))
    assert plan_id_of(creates(page, hours="72")) == plan_id
    assert links_of(services, plan_id) == [("MH14AA1001", 2), ("MH14AA1002", 1)]
    assert acts(services) == ["bulk create"]
    assert manager.page(f"/fleet/runs/{searched_run}").link("Links of this search") == f"/fleet/plans/{plan_id}"


def test_a_plan_whose_challans_changed_since_is_shown_again_and_not_begun(
    manager: WebClient, services: Services, searched_run: str, run_lane: Callable[..., int]
) -> None:
    page = planned(manager, searched_run)
    other = plan_id_of(creates(planned(manager, searched_run)))
    run_lane(other, 1)
    services.fleet_jobs.cancel(other)
    answer = creates(page, hours="48")
    assert answer.status_code == 409
    again = manager.read(answer)
    assert "changed since you opened this page. No link was created" in again.text
    assert again.heading == "Create 1 payment link"
    assert acts(services) == ["bulk create"]
    assert plan_id_of(creates(again))


def test_challans_of_a_plan_that_is_not_finished_are_not_offered_again(
    manager: WebClient, services: Services, searched_run: str, run_lane: Callable[..., int]
) -> None:
    review = f"/fleet/runs/{searched_run}/review"
    beforehand = planned(manager, searched_run)
    second = str(manager.page(review).all("input[name=vehicle]")[1]["value"])
    only_second = manager.read(manager.page(review).submit("Preview the links", vehicle=second))
    plan_id = plan_id_of(creates(only_second))
    services.fleet_jobs.pause(plan_id)

    page = manager.page(review)
    assert plates(page) == ["MH14 AA 1001"]
    said = "1 challan (₹559.00) is already in a plan that is not finished"
    assert said in words(page.one("main").get_text(" "))
    assert [each["href"] for each in page.all(f'main a[href="/fleet/plans/{plan_id}"]')]
    plan = planned(manager, searched_run)
    assert plan.heading == "Create 1 payment link"
    assert said in words(plan.one("main").get_text(" "))
    assert creates(beforehand, hours="48").status_code == 409
    assert manager.get(f"{review}/vehicles/MH14AA1002").headers["Location"] == review

    plan_id_of(creates(plan))
    empty = manager.page(review)
    assert "All that could be put on links stands in plans that are not finished." in empty.text
    assert "Nothing to pay here" not in empty.text
    services.fleet_jobs.cancel(plan_id)
    assert plates(manager.page(review)) == ["MH14 AA 1002"]


def test_wrong_hours_are_refused_and_kept(manager: WebClient, services: Services, searched_run: str) -> None:
    answer = creates(planned(manager, searched_run), hours="12")
    assert answer.status_code == 422
    page = manager.read(answer)
    assert "whole number of hours from 24 to 168" in page.text
    assert page.field("Expires after (hours)")["value"] == "12"
    assert acts(services) == []


def test_the_review_asks_the_store_the_same_for_any_number_of_vehicles(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int], statements: list[str]
) -> None:
    numbers = []
    for size in (2, 40):
        listed = [FleetVehicle(f"MH14S{size:02}{n:04}") for n in range(size)]
        for each in listed:
            levers.add_vehicle(each.rc, [{"challanNo": f"{each.rc}-1", "challanAmount": 500}])
        run_id = services.fleet_searches.start("Many", listed, None)
        run_lane(run_id)
        counts = []
        for place in ("", "/review", "/review/plan"):
            manager.get(f"/fleet/runs/{run_id}{place}")
            statements.clear()
            assert manager.get(f"/fleet/runs/{run_id}{place}").status_code == 200
            counts.append(len(statements))
        numbers.append(counts)
    assert numbers[0] == numbers[1]
    assert max(numbers[0]) <= 22


def test_what_stands_in_a_plan_is_told_from_what_nobody_has_planned(manager: WebClient, searched_run: str) -> None:
    review = manager.page(f"/fleet/runs/{searched_run}/review")
    plan_id = plan_id_of(creates(manager.read(review.submit("Preview the links", vehicle=["1"]))))
    page = manager.page(f"/fleet/runs/{searched_run}")
    found, in_plan, *_ = [words(each.get_text(" ")) for each in page.all("#run-panel .fleet-fact")]
    assert found == "₹559.00 not on a link yet ( 1 of 3 challans found )", "as the review adds up"
    assert in_plan == "₹1,118.00 in a plan"
    tile = words(page.one(".fleet-tally[data-outcome=payable]").get_text(" "))
    assert tile == "2 Vehicles to pay 1 in a plan", "so that its number fits the list"
    listed = [words(each.get_text(" ")) for each in page.all("#results tbody tr")]
    assert re.search(r"MH14 AA 1002 1 challan to pay ₹559\.00 \d", listed[0]), "first, though it is less"
    assert re.search(r"MH14 AA 1001 In a plan · MH14 AA 1001 ₹1,118\.00 in a plan \d", listed[1])
    [apart] = page.all("#results td.total > .sub")
    assert words(apart.get_text()) == "₹1,118.00 in a plan", "in grey: the column adds up without it"
    assert page.all(f'#results a[href="/fleet/plans/{plan_id}"]')


def test_a_vehicle_says_what_of_it_stands_in_a_plan_beside_what_nobody_has_planned(
    manager: WebClient, levers: Levers, searched_run: str, search_again: Callable[[], str]
) -> None:
    review = manager.page(f"/fleet/runs/{searched_run}/review")
    creates(manager.read(review.submit("Preview the links", vehicle=["1"])))
    levers.issue_challan("MH14AA1001", challanNo="new", challanAmount=1000, seen=True)
    page = manager.page(f"/fleet/runs/{search_again()}")
    first = words(page.all("#results tbody tr")[0].get_text(" "))
    assert re.search(r"3 challans to pay (1 )?₹1,118\.00 \+ ₹1,118\.00 in a plan \d", first)


def test_the_list_of_searches_leaves_out_what_stands_in_a_plan(
    manager: WebClient, searched_run: str, search_again: Callable[[], str]
) -> None:
    review = manager.page(f"/fleet/runs/{searched_run}/review")
    creates(manager.read(review.submit("Preview the links", vehicle=["1"])))
    search_again()
    shown = [words(each.get_text()) for each in manager.page("/fleet").all(".fleet-work-sum")]
    assert shown == ["₹559.00 1 of 3 challans not on a link yet"] * 2, "of either search"
