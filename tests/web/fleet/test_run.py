"""Test the page of a search run: its progress, its results, and what a person does with it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import timedelta

import pytest

from dashboard.domain.fleet import FleetVehicle, JobKind, JobState
from dashboard.services.container import Services
from dashboard.store.accounts import audit
from dashboard.store.fleet import jobs, runs
from tests.support.clock import MovableClock
from tests.support.lanes import job_of
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import create, link_of, poll, request_of


def state_of(services: Services, job_id: str) -> JobState:
    return job_of(services, job_id).state


def tallies(page: Page) -> dict[str, int]:
    """Return the counts by outcome of the page of a run or a plan."""
    return {str(each["data-outcome"]): int(each.strong.text) for each in page.all(".fleet-tally")}


def bar(page: Page) -> tuple[str, str, str]:
    found = page.one("[role=progressbar]")
    return str(found["aria-valuenow"]), str(found["aria-valuemax"]), str(found["aria-valuetext"])


def acts(services: Services) -> list[str]:
    with services.store.read() as connection:
        return [row.action for row in audit.newest(connection) if row.action.startswith("bulk")]


def plates(page: Page) -> list[str]:
    return [words(each.get_text()) for each in page.all("#results tbody th")]


def test_a_run_shows_how_far_it_is_and_what_it_found(
    manager: WebClient, run_id: str, run_lane: Callable[..., int]
) -> None:
    assert bar(manager.page(f"/fleet/runs/{run_id}")) == ("0", "3", "0 %")
    run_lane(run_id, 2)
    page = manager.page(f"/fleet/runs/{run_id}")
    assert bar(page) == ("2", "3", "66 %")
    assert tallies(page)["payable"] == 2
    assert tallies(page)["left"] == 1
    assert "3 challans to pay" in page.text
    run_lane(run_id)
    page = manager.page(f"/fleet/runs/{run_id}")
    assert bar(page) == ("3", "3", "100 %")
    assert words(page.one("#run-panel .state").get_text()) == "Done"
    assert plates(page) == ["MH14 AA 1001", "MH14 AA 1002", "MH14 AA 1003"]


def test_pace_and_time_left_are_those_of_the_last_minutes(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int], clock: MovableClock
) -> None:
    for n in range(40):
        levers.add_vehicle(f"MH14PA{n:04}", [])
    run_id = services.fleet_searches.start("Pace", [FleetVehicle(f"MH14PA{n:04}") for n in range(40)], None)
    clock.advance(seconds=30)
    run_lane(run_id, 10)
    clock.advance(seconds=30)
    text = manager.page(f"/fleet/runs/{run_id}").text
    assert "10 vehicles a minute" in text
    assert "about 3 min left" in text


def test_a_poll_that_finds_nothing_new_swaps_nothing(
    manager: WebClient, run_id: str, run_lane: Callable[..., int]
) -> None:
    panel = manager.page(f"/fleet/runs/{run_id}").one("#run-panel")
    address = str(panel["hx-get"])
    assert poll(manager, address).status_code == 204
    run_lane(run_id, 1)
    answer = poll(manager, address)
    assert answer.status_code == 200
    assert bar(Page(manager, answer, region=True))[0] == "1"


def test_a_run_that_is_over_is_not_polled(manager: WebClient, searched_run: str) -> None:
    assert not manager.page(f"/fleet/runs/{searched_run}").one("#run-panel").has_attr("hx-get")


def test_a_run_is_paused_resumed_and_cancelled_and_each_is_audited(
    manager: WebClient, services: Services, run_id: str, run_lane: Callable[..., int]
) -> None:
    address = f"/fleet/runs/{run_id}"
    page = manager.read(manager.page(address).submit("Pause"))
    assert state_of(services, run_id) is JobState.PAUSED
    assert "Press Resume to go on" in page.text
    assert "Pause" not in page.buttons()
    assert run_lane(run_id) == 0
    manager.read(page.submit("Resume"))
    assert state_of(services, run_id) is JobState.RUNNING
    page = manager.page(address)
    assert "You can search the rest later" in page.text
    page = manager.read(page.submit("Cancel this search"))
    assert state_of(services, run_id) is JobState.CANCELLED
    assert not {"Pause", "Resume", "Cancel this search"} & set(page.buttons())
    assert acts(services) == ["bulk search cancel", "bulk search resume", "bulk search pause"]


def test_a_button_of_a_page_that_is_out_of_date_changes_nothing(
    manager: WebClient, services: Services, run_id: str
) -> None:
    page = manager.page(f"/fleet/runs/{run_id}")
    services.fleet_jobs.cancel(run_id)
    assert "Nothing was changed" in manager.read(page.submit("Pause")).text
    assert acts(services) == []


def test_a_waiting_run_says_why_and_until_when_and_goes_on_at_once(
    manager: WebClient, services: Services, levers: Levers, run_id: str, run_lane: Callable[..., int]
) -> None:
    levers.fault("search", "status", status=429)
    run_lane(run_id)
    page = manager.page(f"/fleet/runs/{run_id}")
    assert "The daily limit of the service is reached. It goes on automatically, next try" in page.text
    acts = [words(each.get_text()) for each in page.all("#job-actions > form .button, #job-actions details .button")]
    assert acts[0] == "Go on now", "what stands still is not to be paused first"
    assert "Pause" in acts
    manager.read(page.submit("Go on now"))
    assert state_of(services, run_id) is JobState.RUNNING


def test_a_run_that_waits_for_the_reserve_says_for_whom_that_is(
    manager: WebClient, services: Services, run_id: str
) -> None:
    until = services.clock() + timedelta(hours=1)
    with services.store.write() as connection:
        assert jobs.set_waiting(connection, run_id, 1, "AllowanceReserved", until)
    said = manager.page(f"/fleet/runs/{run_id}").text
    assert "reserved for people and for unclear requests. It goes on automatically, next try" in said


def test_what_failed_is_retried(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int], clock: MovableClock
) -> None:
    levers.add_vehicle("MH14AA2001", [{"challanNo": "X1"}])
    run_id = services.fleet_searches.start("Outage", [FleetVehicle("MH14AA2001")], None)
    for _ in range(3):
        levers.fault("search", "status", status=502, count=3)
        run_lane(run_id)
        clock.advance(seconds=120)
        services.fleet_jobs.go_on_due()
    page = manager.page(f"/fleet/runs/{run_id}?outcome=no_answer")
    assert plates(page) == ["MH14 AA 2001"]
    answer = page.submit("Retry the failed (1)")
    assert "outcome" not in answer.headers["Location"], "none has failed any more: all results are shown"
    manager.read(answer)
    run_lane(run_id)
    assert tallies(manager.page(f"/fleet/runs/{run_id}"))["payable"] == 1


def test_results_are_narrowed_by_outcome_and_listed_a_page_at_a_time(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]
) -> None:
    listed = [FleetVehicle(f"MH14PG{n:04}") for n in range(110)]
    for each in listed:
        levers.add_vehicle(each.rc, [])
    run_id = services.fleet_searches.start("Pages", listed, None)
    run_lane(run_id)
    address = f"/fleet/runs/{run_id}"
    assert "No vehicle has this outcome" in manager.page(f"{address}?outcome=payable").text
    first = manager.page(f"{address}?outcome=nothing_payable")
    second = manager.page(first.link("Next 100"))
    assert plates(first) + plates(second) == [f"MH14 PG {n:04}" for n in range(110)]
    assert second.link("First page")
    region = manager.region(str(second.one("#results")["hx-get"]), on=address)
    assert plates(region) == plates(second), "a run that comes to its end leads back to the first page"


def test_vehicles_whose_challans_are_all_on_links_are_counted_and_listed_apart(
    manager: WebClient, searched_run: str
) -> None:
    address = f"/fleet/runs/{searched_run}"
    assert tallies(manager.page(address))["on_unpaid"] == 0
    create(manager, "MH14AA1002-0", rc="MH14AA1002")
    page = manager.page(address)
    assert {key: count for key, count in tallies(page).items() if count} == {
        "payable": 1,
        "on_unpaid": 1,
        "nothing_payable": 1,
    }
    assert "3 challans to pay" not in page.text, "one of them is on a link"
    assert plates(manager.page(f"{address}?outcome=payable")) == ["MH14 AA 1001"]
    assert plates(manager.page(f"{address}?outcome=on_unpaid")) == ["MH14 AA 1002"]
    exported = manager.get(f"{address}/results.csv?outcome=on_unpaid").get_data().decode("utf-8-sig").splitlines()
    assert [line.split(",")[0] for line in exported[1:]] == ["MH14AA1002"]
    assert "1 vehicle · 2 challans" in manager.page(f"{address}/review").text


@pytest.mark.parametrize("is_over", [True, False])
def test_a_vehicle_whose_open_challans_cannot_be_read_is_never_said_to_have_nothing_to_pay(
    manager: WebClient,
    services: Services,
    levers: Levers,
    run_lane: Callable[..., int],
    *,
    is_over: bool,
) -> None:
    broken = [{"raw": {"challanNo": None}}, {"raw": {"challanNo": None, "status": "PAID"}}]
    levers.add_vehicle("MH14AA3001", broken)
    levers.add_vehicle("MH14AA3002", [])
    listed = [FleetVehicle("MH14AA3001"), FleetVehicle("MH14AA3002")]
    run_id = services.fleet_searches.start("Broken", listed, None)
    run_lane(run_id, 1000 if is_over else 2)
    address = f"/fleet/runs/{run_id}"
    page = manager.page(address)
    counted = tallies(page)
    assert (counted["unreadable"], counted["nothing_payable"]) == (1, 1)
    said = page.one("#results") if is_over else page.one("#run-panel .fleet-latest")
    assert words(said.get_text(" ")).count("Nothing to pay") == 1
    assert words(said.get_text(" ")).count("1 challan not readable") == 1
    assert plates(manager.page(f"{address}?outcome=unreadable")) == ["MH14 AA 3001"]
    assert plates(manager.page(f"{address}?outcome=nothing_payable")) == ["MH14 AA 3002"]
    lines = manager.get(f"{address}/results.csv").get_data().decode("utf-8-sig").splitlines()
    assert next(csv.reader(lines[1:2]))[:3] == ["MH14AA3001", "1 challan not readable", "unreadable"]


def test_the_rest_of_a_cancelled_search_is_searched_as_a_new_one(
    manager: WebClient, services: Services, run_lane: Callable[..., int], fleet: list[FleetVehicle]
) -> None:
    run_id = services.fleet_searches.start("Pune trucks", fleet, None, at_source=True)
    run_lane(run_id, 1)
    assert "Search the rest" not in manager.page(f"/fleet/runs/{run_id}").text
    services.fleet_jobs.cancel(run_id)
    page = manager.page(f"/fleet/runs/{run_id}")
    draft = manager.read(page.submit("Search the rest (2)"))
    assert draft.heading == "Check before searching"
    assert draft.field("Name of this search")["value"] == "Rest of Pune trucks"
    assert draft.one('input[name="source"]').has_attr("checked")
    rest = manager.read(draft.submit("Search 2 vehicles"))
    assert "Rest of Pune trucks" in rest.heading
    with services.store.read() as connection:
        [newest, _before] = jobs.listed(connection, JobKind.SEARCH, 10)
        listed = runs.with_outcome(connection, newest.id, None, after=0, limit=10)
    assert [each.rc for each in listed] == ["MH14AA1002", "MH14AA1003"]


@pytest.mark.parametrize("is_over", [True, False])
def test_a_vehicle_whose_challans_wait_on_a_link_is_never_said_to_have_nothing_to_pay(
    manager: WebClient,
    services: Services,
    fleet: list[FleetVehicle],
    searched_run: str,
    run_lane: Callable[..., int],
    *,
    is_over: bool,
) -> None:
    create(manager, "MH14AA1002-0", rc="MH14AA1002")
    again = services.fleet_searches.start("Once more", list(reversed(fleet)), None)
    run_lane(again, 1000 if is_over else 2)
    address = f"/fleet/runs/{again}"
    page = manager.page(address)
    counted = tallies(page)
    assert (counted["on_unpaid"], counted["on_links"], counted["nothing_payable"]) == (1, 0, 1)
    assert page.one("[data-outcome=on_unpaid] a")["class"] == ["meaning-ended"]
    said = page.one("#results") if is_over else page.one("#run-panel .fleet-latest")
    assert words(said.get_text(" ")).count("Nothing to pay") == 1
    assert words(said.get_text(" ")).count("On a link, unpaid") == 1
    assert plates(manager.page(f"{address}?outcome=on_unpaid")) == ["MH14 AA 1002"]
    assert plates(manager.page(f"{address}?outcome=nothing_payable")) == ["MH14 AA 1003"]
    if is_over:
        link_id = manager.page(page.link("On a link, unpaid · MH14 AA 1002")).one("#link-panel")
        assert link_id, "the row opens the link"
        row = page.one("#results tbody tr:has(a[href='/vehicles/MH14AA1002'])")
        assert words(row.select_one(".total").get_text()) == "₹559.00 on a link"
    lines = manager.get(f"{address}/results.csv").get_data().decode("utf-8-sig").splitlines()
    assert [row[:3] for row in csv.reader(lines[1:3])] == [
        ["MH14AA1003", "Nothing to pay", "nothing_payable"],
        ["MH14AA1002", "On a link, unpaid", "on_unpaid"],
    ]
    older = manager.page(f"/fleet/runs/{searched_run}")
    assert "On a link, unpaid" in words(older.one("#results").get_text(" ")), "the older search says the same"


def test_a_vehicle_of_which_several_links_wait_leads_to_all_of_them(manager: WebClient, searched_run: str) -> None:
    for challan_id in ("MH14AA1001-0", "MH14AA1001-1"):
        create(manager, challan_id, rc="MH14AA1001")
    create(manager, "MH14AA1002-0", rc="MH14AA1002")
    page = manager.page(f"/fleet/runs/{searched_run}")
    assert page.link("On a link, unpaid · MH14 AA 1001") == "/vehicles/MH14AA1001"
    sums = [words(each.get_text()) for each in page.all("#results .total .sub")]
    assert sums == ["₹1,118.00 on 2 links", "₹559.00 on a link"]
    assert words(page.all("#results thead .num")[0].get_text()) == "To pay", "nothing is left for a link"


def test_a_vehicle_of_which_a_link_may_have_been_created_says_so_and_is_counted_apart(
    manager: WebClient, levers: Levers, searched_run: str
) -> None:
    levers.break_a4()
    create(manager, "MH14AA1002-0", rc="MH14AA1002")
    page = manager.page(f"/fleet/runs/{searched_run}")
    counted = tallies(page)
    assert (counted["unclear"], counted["on_unpaid"], counted["on_links"]) == (1, 0, 0)
    row = words(page.one("#results tbody tr:has(a[href='/vehicles/MH14AA1002'])").get_text(" "))
    assert "Link may exist" in row
    assert "No new link possible" not in row, "as if it were settled"
    assert manager.page(page.link("Open the request MH14 AA 1002")).one("#request-panel")
    assert page.one("[data-outcome=unclear] a")["class"] == ["meaning-waiting"]
    unclear = manager.page(f"/fleet/runs/{searched_run}?outcome=unclear")
    assert plates(unclear) == ["MH14 AA 1002"]
    assert "Link may exist" in unclear.one("#results").get_text(" ")


def test_a_vehicle_whose_link_was_paid_has_nothing_to_pay(
    manager: WebClient, services: Services, levers: Levers, searched_run: str, search_again: Callable[[], str]
) -> None:
    link_id = link_of(create(manager, "MH14AA1002-0", rc="MH14AA1002"))
    levers.pay(link_id)
    services.link_poller.refresh(link_id)
    counted = tallies(manager.page(f"/fleet/runs/{search_again()}"))
    assert (counted["on_unpaid"], counted["on_links"], counted["nothing_payable"]) == (0, 0, 2)


def test_a_button_leads_back_to_the_page_and_the_outcome_that_were_shown(
    manager: WebClient, run_id: str, run_lane: Callable[..., int]
) -> None:
    run_lane(run_id, 2)
    page = manager.page(f"/fleet/runs/{run_id}?outcome=payable&after=1")
    assert plates(page) == ["MH14 AA 1002"]
    for button in ("Pause", "Resume"):
        page = manager.read(page.submit(button))
        assert plates(page) == ["MH14 AA 1002"]
    actions = manager.region(str(page.one("#job-actions")["hx-get"]), on=f"/fleet/runs/{run_id}")
    fields = {str(each["name"]): str(each["value"]) for each in actions.all("input[type=hidden]")}
    assert (fields["outcome"], fields["after"]) == ("payable", "1")


def test_a_page_of_results_that_has_become_empty_leads_to_the_first(manager: WebClient, searched_run: str) -> None:
    page = manager.page(f"/fleet/runs/{searched_run}?after=3")
    assert not plates(page)
    assert len(plates(manager.page(page.link("First page")))) == 3


def test_a_vehicle_that_needs_details_is_searched_again_with_them(
    manager: WebClient, services: Services, run_lane: Callable[..., int]
) -> None:
    run_id = services.fleet_searches.start("New", [FleetVehicle("GJ01ZZ9999")], None)
    run_lane(run_id)
    address = f"/fleet/runs/{run_id}?outcome=details_needed"
    page = manager.read(manager.page(address).submit("Choose RC type and city"))
    assert page.submit("Search the vehicle again").status_code == 422
    fields = {name: page.one(f"#{name} option:nth-of-type(2)")["value"] for name in ("rc_type", "city_id")}
    assert page.submit("Search the vehicle again", rc_type=fields["rc_type"]).status_code == 422
    answer = page.submit("Search the vehicle again", **fields)
    assert "outcome" not in answer.headers["Location"], "no vehicle needs them any more: all results are shown"
    manager.read(answer)
    run_lane(run_id)
    found = tallies(manager.page(address))
    assert found["details_needed"] == 0
    assert found["left"] == 0


def test_rc_type_and_city_are_chosen_for_the_vehicles_of_a_state_and_the_others_stay(
    manager: WebClient, services: Services, run_lane: Callable[..., int]
) -> None:
    services.reference_data.fresh()
    listed = ["GJ01ZZ9997", "GJ01ZZ9998", "GJ01ZZ9999", "KA01ZZ9999", "22BH1234AA", "22BH1235AA"]
    run_id = services.fleet_searches.start("New", [FleetVehicle(rc) for rc in listed], None)
    run_lane(run_id)
    page = manager.page(f"/fleet/runs/{run_id}?outcome=details_needed")
    rows = [words(each.get_text(" ")) for each in page.all("#results form > .boxed-rows .fleet-place-of")]
    assert rows == [
        "All 6 vehicles",
        "Gujarat (3) GJ01 ZZ 9997 GJ01 ZZ 9998 GJ01 ZZ 9999",
        "Karnataka (1) KA01 ZZ 9999",
        "Other numbers (2) 22 BH 1234 AA 22 BH 1235 AA",
    ]
    fields = {
        "rc_type-in-Gujarat": page.one("#rc_type option:nth-of-type(2)")["value"],
        "city_id-in-Gujarat": page.one("#city_id option:nth-of-type(2)")["value"],
    }
    refused = manager.read(page.submit("Search those filled in", **{**fields, "rc_type-in-Karnataka": "TRUCK"}))
    assert refused.status == 422
    kept = refused.one("#rc_type-in-Gujarat option[selected]")["value"]
    assert kept == fields["rc_type-in-Gujarat"], "what was chosen is lost"
    page = manager.read(page.submit("Search those filled in", **fields))
    assert "3 vehicles are searched again. 3 still need RC type and city." in page.text
    assert words(page.one("#results-title").get_text()) == "RC type and city needed (3)"
    own = {"rc_type-KA01ZZ9999": fields["rc_type-in-Gujarat"], "city_id-KA01ZZ9999": fields["city_id-in-Gujarat"]}
    page = manager.read(page.submit("Search those filled in", **own))
    rows = [words(each.get_text(" ")) for each in page.all("#results .fleet-place-of")]
    assert rows == ["Both vehicles", "22 BH 1234 AA", "22 BH 1235 AA"], "few vehicles need no groups"


def test_the_vehicles_that_need_details_are_chosen_for_one_by_one_a_page_at_a_time(
    manager: WebClient, services: Services, run_lane: Callable[..., int]
) -> None:
    services.reference_data.fresh()
    listed = [f"GJ01ZZ{n:04}" for n in range(25)]
    run_id = services.fleet_searches.start("New", [FleetVehicle(rc) for rc in listed], None)
    run_lane(run_id)
    first = manager.page(f"/fleet/runs/{run_id}?outcome=details_needed")
    assert "All 25 vehicles" in first.text
    assert len(first.all("#results details .fleet-place")) == 20
    second = manager.page(first.link("Next 20"))
    assert [str(each["name"]) for each in second.all("#results details select")][-1] == "city_id-GJ01ZZ0024"


def test_a_vehicle_without_an_answer_is_not_counted_as_searched(
    manager: WebClient, services: Services, fleet: list[FleetVehicle], run_lane: Callable[..., int]
) -> None:
    run_id = services.fleet_searches.start("Some new", [*fleet[:2], FleetVehicle("GJ01ZZ9999")], None)
    run_lane(run_id)
    page = manager.page(f"/fleet/runs/{run_id}")
    panel = words(page.one("#run-panel").get_text(" "))
    assert "2 of 3 vehicles searched" in panel
    assert page.one("#run-panel .state")["class"] == ["state", "state-waiting"]
    assert words(page.one("#run-panel .state").get_text()) == "1 could not be searched"
    assert "1 RC type and city needed" in panel
    assert panel.count("RC type and city") == 1, "which is said once"
    assert bar(page) == ("3", "3", "100 %"), "nothing is left to do for the run itself"
    rows = {words(each.th.get_text()): words(each.get_text(" ")) for each in page.all("#results tbody tr")}
    assert rows["GJ01 ZZ 9999"].endswith("RC type and city needed – –")
    assert page.link("Add RC type and city")
    assert [words(each.get_text()) for each in page.all("#job-actions .button-primary")] == ["Review and create links"]
    exported = manager.get(f"/fleet/runs/{run_id}/results.csv").get_data().decode("utf-8-sig").splitlines()
    assert exported[-1].split(",")[:6] == ["GJ01ZZ9999", "RC type and city needed", "details_needed", "", "", ""]
    assert "2 of 3 searched · 1 needs RC type and city" in words(manager.page("/fleet").text)


def test_a_run_in_progress_says_what_it_has_found_so_far(
    manager: WebClient, run_id: str, run_lane: Callable[..., int]
) -> None:
    run_lane(run_id, 1)
    found = words(manager.page(f"/fleet/runs/{run_id}").one("#run-panel").get_text(" "))
    assert "₹1,118.00 not on a link so far" in found
    page = manager.page(f"/fleet/runs/{run_id}")
    beside = [words(each.get_text(" ")) for each in page.all("#job-actions > :is(a, form)")]
    assert beside == ["Pause", "Review and create links"], "neither is hidden under More"
    drawn = {str(each["data-outcome"]): str(each.use["href"]).partition("#")[2] for each in page.all(".fleet-tally")}
    assert (drawn["left"], drawn["on_unpaid"]) == ("search", "link"), "no state of a link"
    run_lane(run_id)
    assert "so far" not in manager.page(f"/fleet/runs/{run_id}").text


def test_an_amount_that_is_not_known_is_counted_after_what_the_others_come_to(
    manager: WebClient, run_id: str, run_lane: Callable[..., int], levers: Levers
) -> None:
    levers.issue_challan("MH14AA1001", challanNo="unknown", seen=True, raw={"totalAmount": None})
    run_lane(run_id)
    found = words(manager.page(f"/fleet/runs/{run_id}").one("#run-panel").get_text(" "))
    assert "₹1,677.00 not on a link yet ( 1 amount unknown )" in found
    create(manager, "MH14AA1002-0", rc="MH14AA1002")
    found = words(manager.page(f"/fleet/runs/{run_id}").one("#run-panel").get_text(" "))
    assert "₹1,118.00 not on a link yet ( 3 of 4 challans found · 1 amount unknown )" in found


def test_a_run_in_progress_counts_as_to_pay_only_what_can_be_put_on_a_link(
    manager: WebClient, run_id: str, run_lane: Callable[..., int]
) -> None:
    run_lane(run_id, 2)
    create(manager, "MH14AA1001-0", "MH14AA1001-1", rc="MH14AA1001")
    address = f"/fleet/runs/{run_id}"
    page = manager.page(address)
    assert {key: count for key, count in tallies(page).items() if count} == {"payable": 1, "on_unpaid": 1, "left": 1}
    said = words(page.one("#run-panel .fleet-latest").get_text(" "))
    assert said.count("On a link, unpaid") == 1
    assert "not on a link so far ( 1 of 3 challans )" in words(page.one("#run-panel").get_text(" "))
    assert "2 challans to pay" not in said
    assert "challans to pay" not in words(page.one("#run-panel").get_text(" "))
    assert plates(manager.page(f"{address}?outcome=payable")) == ["MH14 AA 1002"]
    assert plates(manager.page(f"{address}?outcome=on_unpaid")) == ["MH14 AA 1001"]


def test_what_comes_next_in_a_run_leads_and_the_rest_stands_under_more(
    manager: WebClient, services: Services, run_id: str, run_lane: Callable[..., int]
) -> None:
    run_lane(run_id, 1)
    actions = manager.page(f"/fleet/runs/{run_id}").one("#job-actions")
    assert words(actions.find_all("button")[0].get_text()) == "Pause"
    assert [each["id"] for each in actions.select(":scope > a")] == ["job-review"], "beside it, as something is found"
    more = actions.find("details")
    assert not more.select("a.button")
    assert "Cancel this search" in more.get_text()
    services.fleet_jobs.pause(run_id)
    actions = manager.page(f"/fleet/runs/{run_id}").one("#job-actions")
    [lead] = actions.select(".button-primary")
    assert lead["id"] == "job-resume"


def test_the_outcomes_are_exported(manager: WebClient, searched_run: str, services: Services) -> None:
    answer = manager.get(f"/fleet/runs/{searched_run}/results.csv")
    lines = answer.get_data().decode("utf-8-sig").splitlines()
    assert lines[0].startswith("Registration number,Outcome,Outcome code,Challans to pay")
    assert [line.split(",")[:4] for line in lines[1:]] == [
        ["MH14AA1001", "Challans to pay", "payable", "2"],
        ["MH14AA1002", "Challans to pay", "payable", "1"],
        ["MH14AA1003", "Nothing to pay", "nothing_payable", "0"],
    ]
    narrowed = manager.get(f"/fleet/runs/{searched_run}/results.csv?outcome=nothing_payable")
    assert len(narrowed.get_data().decode().splitlines()) == 2
    with services.store.read() as connection:
        assert [row.action for row in audit.newest(connection)][:2] == ["export", "export"]


@pytest.mark.parametrize("place", ["", "/panel", "/actions", "/results", "/review", "/review/plan", "/results.csv"])
def test_staff_have_no_runs(staff: WebClient, searched_run: str, place: str) -> None:
    assert staff.get(f"/fleet/runs/{searched_run}{place}").status_code == 403


def test_an_id_of_no_run_is_not_found(manager: WebClient) -> None:
    assert manager.get("/fleet/runs/00000000-0000-4000-8000-000000000000").status_code == 404


def test_the_results_name_the_driver_and_are_listed_by_what_is_left(manager: WebClient, searched_run: str) -> None:
    adds_a_driver(manager, name="Lakshmi Iyer", vehicles="MH14AA1002")
    address = f"/fleet/runs/{searched_run}"
    page = manager.page(address)
    found = [words(each.get_text(" ")) for each in page.all("#results tbody tr")]
    assert "Choose driver 2 challans to pay ₹1,118.00" in found[0]
    assert "Lakshmi Iyer 1 challan to pay ₹559.00" in found[1]
    assert "Nothing to pay" in found[2]
    largest = manager.page(page.link("Not on a link yet"))
    assert plates(largest) == ["MH14 AA 1001", "MH14 AA 1002"]
    create(manager, "MH14AA1001-0", "MH14AA1001-1", rc="MH14AA1001")
    assert plates(manager.page(f"{address}?outcome=largest")) == ["MH14 AA 1002"]
    exported = manager.get(f"{address}/results.csv?outcome=largest").get_data().decode("utf-8-sig").splitlines()
    assert [line.split(",")[0] for line in exported[1:]] == ["MH14AA1002"]


def test_the_results_begin_with_what_needs_somebody(
    manager: WebClient, services: Services, fleet: list[FleetVehicle], run_lane: Callable[..., int]
) -> None:
    listed = [fleet[2], fleet[1], FleetVehicle("GJ01ZZ9999"), fleet[0]]
    run_id = services.fleet_searches.start("Pune trucks", listed, None)
    run_lane(run_id)
    page = manager.page(f"/fleet/runs/{run_id}")
    assert plates(page) == ["MH14 AA 1001", "MH14 AA 1002", "GJ01 ZZ 9999", "MH14 AA 1003"]


def test_a_number_of_one_vehicle_is_named_as_one(manager: WebClient, searched_run: str) -> None:
    create(manager, "MH14AA1002-0", rc="MH14AA1002")
    page = manager.page(f"/fleet/runs/{searched_run}")
    said = {str(each["data-outcome"]): words(each.get_text(" ")) for each in page.all(".fleet-tally")}
    assert said["payable"] == "1 Vehicle to pay"
    assert said["on_unpaid"] == "1 On a link, unpaid", "as its row"


def test_beside_a_link_the_request_whose_own_link_may_exist_is_opened(
    manager: WebClient, levers: Levers, searched_run: str
) -> None:
    create(manager, "MH14AA1001-1", rc="MH14AA1001")
    levers.break_a4()
    unclear = request_of(create(manager, "MH14AA1001-0", rc="MH14AA1001"))
    page = manager.page(f"/fleet/runs/{searched_run}")
    assert page.link("Open the request MH14 AA 1001") == unclear
