"""Test what the review of a search says of challans that were on links which failed or may still be paid late."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask

from dashboard.app import create_client
from dashboard.domain.sharing import Channel
from dashboard.services.container import Services
from dashboard.services.vehicles import earlier_links, eligibility
from dashboard.store.fleet import payable, plans
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web.fleet.test_review import creates, links_of, plan_id_of, planned
from tests.web.sharing.steps import adds_a_driver

FAILED, EXPIRED = "MH14AA1001", "MH14AA1002"


@pytest.fixture
def ended(
    manager: WebClient,
    services: Services,
    levers: Levers,
    searched_run: str,
    run_lane: Callable[..., int],
    search_again: Callable[[], str],
) -> dict[str, str]:
    """Return the ended link of each vehicle, and as "run" a later search that finds their challans payable again."""
    run_lane(plan_id := plan_id_of(creates(planned(manager, searched_run))))
    with services.store.read() as connection:
        found = {each.rc: each.link_id or "" for each in plans.created(connection, plan_id)}
    levers.fail(found[FAILED])
    levers.expire(found[EXPIRED])
    for link_id in found.values():
        services.link_poller.refresh(link_id)
    return {**found, "run": search_again()}


def payable_of(services: Services, run_id: str, *rcs: str) -> list[str]:
    with services.store.read() as connection:
        return [each.id for each in payable.of_run(connection, run_id) if not rcs or each.rc in rcs]


def earlier_of(services: Services, run_id: str) -> dict[str, str]:
    """Return the id of the ended link that each payable challan of a run was on."""
    ids = payable_of(services, run_id)
    with services.store.read() as connection:
        found = earlier_links.of_run(connection, run_id, ids, services.schedule, services.clock())
    return {challan_id: link.id for challan_id, link in found.items()}


def made_elsewhere(app: Flask, ids: list[str]) -> str:
    with create_client(app.extensions["settings"]) as client:
        return client.create_payment_link(FAILED, ids, expiry_hours=48, before_send=lambda: None).id


def rows(page: Page) -> list[str]:
    return [words(each.get_text(" ")) for each in page.all("tbody tr")]


def test_a_vehicle_of_the_review_says_on_which_ended_links_its_ticked_challans_were(
    manager: WebClient, ended: dict[str, str]
) -> None:
    address = f"/fleet/runs/{ended['run']}/review"
    page = manager.page(address)
    failed, expired = rows(page)
    assert "2 challans were on a link that failed at " in failed
    assert "1 challan was on a link that expired at " in expired
    assert ["It may still be paid late." in row for row in (failed, expired)] == [False, True]
    assert [str(each["href"]) for each in page.all("tbody .was-on a")] == [
        f"/links/{ended[FAILED]}",
        f"/links/{ended[EXPIRED]}",
    ]
    assert [words(each.get_text()) for each in page.all("tbody .was-on a")] == [
        "Check payment · MH14 AA 1001",
        "Open the old link · MH14 AA 1002",
    ]
    vehicle = manager.page(page.link("MH14 AA 1001"))
    first = str(vehicle.all("input[name=challan]")[0]["value"])
    failed, _expired = rows(manager.read(vehicle.submit("Done", challan=[first])))
    assert "1 challan was on a link that failed at " in failed


def ticked(page: Page, name: str) -> list[str]:
    return [str(each["value"]) for each in page.all(f"input[name={name}][checked]")]


def sum_of(page: Page) -> str:
    return words(page.all("#review-sum p")[0].get_text())


def test_what_was_on_a_failed_link_goes_on_no_link_until_a_person_ticks_it(
    manager: WebClient, services: Services, ended: dict[str, str]
) -> None:
    address = f"/fleet/runs/{ended['run']}/review"
    page = manager.page(address)
    assert ticked(page, "vehicle") == ["2"], "what has expired was ticked before as well"
    first = "check the failed payment first"
    assert sum_of(page) == f"1 of 2 vehicles · 1 link · ₹559.00 · 1 vehicle left out: {first}"
    left_out = "Left out: check first whether money was taken."
    assert [left_out in row for row in rows(page)] == [True, False]
    plan = manager.read(page.submit("Preview the links"))
    assert [words(each.get_text()) for each in plan.all("tbody th")] == ["MH14 AA 1002"]
    assert "Money may have left" not in plan.text
    page = manager.read(page.submit("To pay", vehicle=["1"]))
    assert ticked(page, "vehicle") == ["1"]
    assert sum_of(page) == "1 of 2 vehicles · 1 link · ₹1,118.00 · 1 vehicle left out", "by whoever unticked it"
    assert left_out not in page.text
    plan = manager.read(page.submit("Preview the links", vehicle=["1", "2"]))
    assert sorted(links_of(services, plan_id_of(creates(plan)))) == [(FAILED, 2), (EXPIRED, 1)]


def test_all_are_selected_but_those_whose_link_failed_and_it_is_still_said_why(
    manager: WebClient, services: Services, levers: Levers, ended: dict[str, str], search_again: Callable[[], str]
) -> None:
    levers.issue_challan(EXPIRED, challanNo="never on a link", challanAmount=500, seen=True)
    page = manager.page(f"/fleet/runs/{search_again()}/review")
    assert not page.all(".fleet-picks"), "one alone has its own checkbox"
    head = page.one("thead tick-all")
    assert words(head.get_text()) == "Select 1 vehicle"
    boxes = {str(each["value"]): each.has_attr("data-one-by-one") for each in page.all("tbody [name=vehicle]")}
    assert boxes == {"1": True, "2": False}
    said = "1 vehicle left out: check the failed payment first"
    for sent in (["2"], []):
        page = manager.read(page.submit("To pay", vehicle=sent))
        assert "Left out: check first whether money was taken." in page.text
        assert "check the failed payment first" in sum_of(page), "whatever else was ticked or unticked"
    page = all_selected(manager, page, [])
    assert ticked(page, "vehicle") == ["2"]
    assert sum_of(page) == f"1 of 2 vehicles · 1 link · ₹1,118.00 · {said}"
    page = all_selected(manager, page, ["1"])
    assert ticked(page, "vehicle") == ["1", "2"], "what a person ticked stays ticked"
    page = manager.read(page.submit("Select none"))
    assert sum_of(page).endswith("2 vehicles left out: check the failed payment first")
    assert ticked(all_selected(manager, page, []), "vehicle") == ["2"], "until it is unticked"


def all_selected(manager: WebClient, page: Page, vehicles: list[str]) -> Page:
    """Return the review after the button that ticks all, which a page of many vehicles has."""
    fields = {"csrf_token": manager.csrf_token(), "go": "all", "vehicle": vehicles}
    return manager.read(manager.post(str(page.one("form:has(#review-bar)")["action"]), data=fields))


def test_where_all_are_selected_a_vehicle_keeps_out_what_was_on_its_failed_link(
    manager: WebClient, services: Services, levers: Levers, ended: dict[str, str], search_again: Callable[[], str]
) -> None:
    for number in range(6):
        levers.issue_challan(FAILED, challanNo=f"new {number}", challanAmount=500, seen=True)
    page = manager.page(f"/fleet/runs/{search_again()}/review")
    page = manager.read(manager.read(page.submit("Select none")).submit("Select all 2 vehicles"))
    assert "2 challans left out" in sum_of(page)
    vehicle = manager.page(page.link("MH14 AA 1001"))
    assert words(vehicle.one("thead tick-all").get_text()) == "Select 6 challans"
    assert len(vehicle.all("tbody [data-one-by-one]")) == 2
    new = ticked(vehicle, "challan")
    vehicle = manager.read(manager.read(vehicle.submit("Select none")).submit("Select 6 challans"))
    assert ticked(vehicle, "challan") == new
    # One of the two is ticked: no button unticks it, or ticks the other one with it.
    [first, _second] = [str(each["value"]) for each in vehicle.all("tbody [data-one-by-one]")]
    vehicle = manager.read(vehicle.submit("Select 6 challans", challan=[first]))
    assert set(ticked(vehicle, "challan")) == {*new, first}
    assert "Select 7 challans" in vehicle.buttons()
    page = manager.read(manager.read(vehicle.submit("Done")).submit("Select all 2 vehicles"))
    assert set(ticked(manager.page(page.link("MH14 AA 1001")), "challan")) == {*new, first}


def test_a_vehicle_whose_challans_were_all_on_a_failed_link_is_one_decision(
    manager: WebClient, ended: dict[str, str]
) -> None:
    vehicle = manager.page(manager.page(f"/fleet/runs/{ended['run']}/review").link("MH14 AA 1001"))
    assert words(vehicle.one("thead tick-all").get_text()) == "Select all challans"
    assert not vehicle.all("tbody [data-one-by-one]")


def test_a_vehicle_keeps_its_other_challans_and_says_which_link_failed(
    manager: WebClient, services: Services, levers: Levers, ended: dict[str, str], search_again: Callable[[], str]
) -> None:
    levers.issue_challan(FAILED, challanNo="never on a link", challanAmount=500, seen=True)
    address = f"/fleet/runs/{search_again()}/review"
    page = manager.page(address)
    assert ticked(page, "vehicle") == ["1", "2"]
    assert sum_of(page) == "2 of 2 vehicles · 2 links · ₹1,118.00 · 2 challans left out"
    assert "2 challans were on a link that failed at " in rows(page)[0]
    vehicle = manager.page(page.link("MH14 AA 1001"))
    [other] = ticked(vehicle, "challan")
    said = "2 challans are not ticked: their link failed. {} Tick them only if not."
    unsent = "It was not sent from here. Check on the failed link whether money was taken."
    assert said.format(unsent) in vehicle.one(".notice").get_text(" ")
    driver_id = int(adds_a_driver(manager, name="Lakshmi Iyer", vehicles=""))
    services.sharing.record_share(ended[FAILED], Channel.WHATSAPP, 1, driver_id, "hi")
    asks = "It was sent to Lakshmi Iyer, +91 98765 43210: ask whether money was taken."
    assert said.format(asks) in manager.page(page.link("MH14 AA 1001")).one(".notice").get_text(" ")
    assert vehicle.link("Open the failed link") == f"/links/{ended[FAILED]}", "where the answer is recorded"
    assert not vehicle.all("tbody .was-on a"), "and no row leads there besides"
    of_failed = sorted({str(each["value"]) for each in vehicle.all("input[name=challan]")} - {other})
    assert [row for row in rows(vehicle) if "Was on a failed link" not in row] == [
        row for row in rows(vehicle) if "never on a link" in row
    ]
    page = manager.read(vehicle.submit("Done", challan=[other]))
    assert "skip=" not in page.response.request.full_path, "what a failed link had needs no mark"
    page = manager.read(vehicle.submit("Done", challan=[other, of_failed[0]]))
    assert sum_of(page) == "2 of 2 vehicles · 2 links · ₹1,677.00 · 1 challan left out"
    vehicle = manager.page(page.link("MH14 AA 1001"))
    assert set(ticked(vehicle, "challan")) == {other, of_failed[0]}
    page = manager.read(vehicle.submit("Done", challan=[]))
    page = manager.read(page.submit("To pay", vehicle=["1", "2"]))
    assert sum_of(page) == "2 of 2 vehicles · 2 links · ₹1,118.00 · 2 challans left out"


def test_what_failed_is_ticked_as_before_once_the_driver_says_that_no_money_was_taken(
    manager: WebClient, services: Services, ended: dict[str, str]
) -> None:
    address = f"/fleet/runs/{ended['run']}/review"
    assert ticked(manager.page(address), "vehicle") == ["2"]
    manager.page(f"/links/{ended[FAILED]}").submit("Money taken")
    assert ticked(manager.page(address), "vehicle") == ["2"]
    manager.page(f"/links/{ended[FAILED]}").submit("Change what the driver says")
    manager.page(f"/links/{ended[FAILED]}").submit("No money taken")
    assert ticked(manager.page(address), "vehicle") == ["1", "2"]


def test_a_link_that_fails_while_its_plan_is_reviewed_is_said_before_anything_is_sent(
    manager: WebClient, services: Services, levers: Levers, ended: dict[str, str]
) -> None:
    plan = manager.read(manager.page(f"/fleet/runs/{ended['run']}/review").submit("Preview the links"))
    levers.set_link(ended[EXPIRED], status="FAILED")
    services.link_poller.refresh(ended[EXPIRED])
    review = manager.read(plan.submit("Create 1 link · Create links"))
    assert review.heading == "Review and create links"
    assert ticked(review, "vehicle") == []


def test_the_page_of_a_vehicle_asks_for_ticks_also_where_none_is_set(manager: WebClient, ended: dict[str, str]) -> None:
    page = manager.page(manager.page(f"/fleet/runs/{ended['run']}/review").link("MH14 AA 1001"))
    assert ticked(page, "challan") == []
    assert "Check on the failed link whether money was taken. Tick them only if not." in page.text
    adds_a_driver(manager, vehicles="MH14AA1001")
    page = manager.page(manager.page(f"/fleet/runs/{ended['run']}/review").link("MH14 AA 1001"))
    assert "Ask the driver whether money was taken. Tick them only if not." in page.text
    assert "Untick" not in page.text


def test_a_challan_of_one_vehicle_names_the_ended_link_that_it_was_on(
    manager: WebClient, ended: dict[str, str]
) -> None:
    page = manager.page(manager.page(f"/fleet/runs/{ended['run']}/review").link("MH14 AA 1001"))
    assert all("Was on a failed link, " in row for row in rows(page))
    assert page.link("Open the failed link") == f"/links/{ended[FAILED]}"
    page = manager.page(manager.page(f"/fleet/runs/{ended['run']}/review").link("MH14 AA 1002"))
    assert {str(each["href"]) for each in page.all("tbody .was-on a")} == {f"/links/{ended[EXPIRED]}"}


def earlier_in(plan: Page) -> list[str]:
    return [words(each.get_text(" ")) for each in plan.all(".fleet-earlier")]


def test_the_plan_says_above_its_button_of_which_vehicle_which_old_link_may_be_paid_besides(
    manager: WebClient, ended: dict[str, str]
) -> None:
    review = manager.page(f"/fleet/runs/{ended['run']}/review")
    plan = manager.read(review.submit("Preview the links", vehicle=["1", "2"]))
    failed, expired = earlier_in(plan)
    assert failed.startswith("Money may have left the driver’s account. Ask first. MH14 AA 1001 ")
    assert "2 challans were on a link that failed at " in failed
    assert expired.startswith("A late payment may still arrive: money may be paid twice. MH14 AA 1002 ")
    assert "1 challan was on a link that expired at " in expired
    addresses = {words(each.get_text(" ")): str(each["href"]) for each in plan.all(".fleet-earlier a")}
    assert addresses["Check payment · MH14 AA 1001"] == f"/links/{ended[FAILED]}"
    assert addresses["Open the old link · MH14 AA 1002"] == f"/links/{ended[EXPIRED]}"
    assert manager.page(addresses["MH14 AA 1002"]).heading == "MH14 AA 1002", "where its challans can be left out"
    [late] = earlier_in(manager.read(review.submit("Preview the links", vehicle=["2"])))
    assert late == expired


def test_the_plan_repeats_what_the_driver_of_a_failed_link_says(manager: WebClient, ended: dict[str, str]) -> None:
    def failed_in_plan() -> str:
        review = manager.page(f"/fleet/runs/{ended['run']}/review")
        return earlier_in(manager.read(review.submit("Preview the links", vehicle=["1", "2"])))[0]

    manager.page(f"/links/{ended[FAILED]}").submit("Money taken")
    assert failed_in_plan().startswith("The driver says that money was taken. It may be paid twice. MH14 AA 1001 ")
    manager.page(f"/links/{ended[FAILED]}").submit("Change what the driver says")
    manager.page(f"/links/{ended[FAILED]}").submit("No money taken")
    assert failed_in_plan().startswith("The driver says that no money was taken. MH14 AA 1001 ")
    assert "Check payment" not in failed_in_plan()


def test_what_was_never_on_a_link_is_silent(manager: WebClient, searched_run: str) -> None:
    assert not manager.page(f"/fleet/runs/{searched_run}/review").all(".was-on")
    assert not planned(manager, searched_run).all(".fleet-earlier")


def test_a_late_payment_is_expected_only_as_long_as_the_link_is_checked(
    services: Services, ended: dict[str, str], clock: MovableClock
) -> None:
    clock.advance(hours=73)
    assert set(earlier_of(services, ended["run"]).values()) == {ended[FAILED]}


def test_a_run_names_the_same_ended_links_as_each_vehicle(services: Services, ended: dict[str, str]) -> None:
    with services.store.read() as connection:
        single = {
            challan_id: link.id
            for rc in (FAILED, EXPIRED)
            for challan_id, link in earlier_links.earlier_links(
                connection, eligibility.of_vehicle(connection, rc), services.schedule, services.clock()
            ).items()
        }
    assert earlier_of(services, ended["run"]) == single
    assert len(single) == 3


def test_a_link_made_elsewhere_is_named_from_the_search_alone(
    app: Flask, services: Services, levers: Levers, searched_run: str, search_again: Callable[[], str]
) -> None:
    ids = payable_of(services, searched_run, FAILED)
    levers.fail(theirs := made_elsewhere(app, ids))
    assert earlier_of(services, search_again()) == dict.fromkeys(ids, theirs)


def test_an_ended_link_that_the_search_no_longer_shows_is_known_by_what_it_covered(
    services: Services, levers: Levers, ended: dict[str, str], search_again: Callable[[], str]
) -> None:
    levers.switch(ended_links_visible=False)
    assert set(earlier_of(services, search_again()).values()) == {ended[FAILED], ended[EXPIRED]}


def test_a_link_that_has_not_ended_is_not_called_an_earlier_one(
    app: Flask, services: Services, levers: Levers, searched_run: str, search_again: Callable[[], str]
) -> None:
    ids = payable_of(services, searched_run, FAILED)
    made = made_elsewhere(app, ids)
    search_again()
    services.link_poller.refresh(made)
    for each in ids:
        levers.set_challan(each, raw={"paymentLinkId": None, "paymentLink": None, "prepaid": False})
    run_id = search_again()
    assert payable_of(services, run_id, FAILED) == ids, "the search does not show the link"
    assert earlier_of(services, run_id) == {}


def test_a_tick_reads_of_the_ended_links_only_those_that_failed_for_its_sum(
    manager: WebClient, ended: dict[str, str], statements: list[str]
) -> None:
    review = manager.page(f"/fleet/runs/{ended['run']}/review")

    def of_links() -> list[str]:
        of_challans = [each for each in statements if "UNION ALL" in each and "link_challan" in each]
        return [each for each in of_challans if "alarm_event" not in each]  # Alarms are counted on every page.

    assert ["expires_at" in each for each in of_links()] == [True, False], "the rows name them"
    statements.clear()
    answer = review.submit("Preview the links", vehicle=["2"], headers={**HTMX, "HX-Target": "review-sum"})
    assert "1 of 2 vehicles" in words(Page(manager, answer, region=True).one("#review-sum").get_text())
    assert ["expires_at" in each for each in of_links()] == [False]
