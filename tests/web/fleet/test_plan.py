"""Test the page of a creation plan: what became of each link, and who may do what with it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from dashboard.domain.fleet import FleetVehicle, JobState
from dashboard.domain.sharing import Channel
from dashboard.services.container import Services
from dashboard.store.links import links
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.fleet.test_review import creates, links_of, plan_id_of, planned, plates
from tests.web.fleet.test_run import acts, bar, state_of, tallies
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import FALSE_WORDS, RC, challan, poll


@pytest.fixture
def plan_id(manager: WebClient, searched_run: str) -> str:
    """Return a manager's plan of two links that has begun nothing yet."""
    return plan_id_of(creates(planned(manager, searched_run)))


def test_a_plan_shows_each_link_as_it_comes_to_exist(
    manager: WebClient, plan_id: str, run_lane: Callable[..., int]
) -> None:
    address = f"/fleet/plans/{plan_id}"
    page = manager.page(address)
    assert bar(page) == ("0", "2", "0 %")
    assert tallies(page)["left"] == 2
    head = words(page.one(".fleet-name > p").get_text(" "))
    assert head.endswith(" · each link is valid for 48 h")
    panel = page.one("#plan-panel")["hx-get"]
    assert "₹1,677.00 planned · 0 of 2 links created" in words(page.one(".fleet-progress-head").get_text(" "))
    assert page.one(".fleet-tallies").has_attr("hidden"), "said once"
    assert "You can leave this page: the plan goes on by itself." in page.text
    run_lane(plan_id, 1)
    valid = manager.region(str(panel), on=address).one("#plan-valid")
    assert valid["hx-swap-oob"] == "true"
    page = manager.page(address)
    assert words(valid.get_text(" ")) == words(page.one("#plan-valid").get_text(" "))
    assert re.fullmatch(r"· valid till .* [ap]m", words(valid.get_text(" ")))
    assert bar(page) == ("1", "2", "50 %")
    said = words(page.one(".fleet-progress-head").get_text(" "))
    assert re.search(r"₹1,118.00 created of ₹1,677.00 · 1 of 2 links created", said)
    assert not page.one(".fleet-tallies").has_attr("hidden")
    assert words(page.one("[data-outcome=left]").get_text(" ")) == "1 Still to create ₹559.00"
    assert manager.page(page.link("MH14 AA 1001")).heading
    run_lane(plan_id)
    page = manager.page(address)
    assert tallies(page)["created"] == 2
    assert words(page.one("#plan-panel .fleet-progress-head .state").get_text()) == "All created"
    assert "2 of 2 links created" in words(page.one(".fleet-progress-head").get_text(" "))


def test_a_plan_is_not_done_while_some_of_its_links_do_not_exist(
    manager: WebClient, services: Services, levers: Levers, plan_id: str, run_lane: Callable[..., int]
) -> None:
    levers.fault("create_link", "status", status=400)
    run_lane(plan_id)
    page = manager.page(f"/fleet/plans/{plan_id}")
    head = page.one("#plan-panel .fleet-progress-head")
    assert re.search(r"₹[\d,.]+ created of ₹1,677.00 · 1 of 2 links created", words(head.get_text(" ")))
    assert words(head.select_one(".state.state-waiting").get_text()) == "1 not created"
    assert "Done" not in head.get_text()
    assert [words(each.get_text()) for each in page.all("main .button-primary")] == ["Choose driver for 1 vehicle"]
    assert "Retry the 1 not created" in page.buttons()
    missing = manager.page(str(page.one("[data-outcome=not_created] a")["href"]).partition("#")[0])
    assert [words(each.get_text()) for each in missing.all("main .button-primary")] == ["Retry the 1 not created"]
    region = manager.region(str(missing.one("#plan-made")["hx-get"]), on=f"/fleet/plans/{plan_id}")
    assert region.one("#plan-made")["data-shown"] == missing.one("#plan-made")["data-shown"], "it fetches itself once"
    assert words(region.one("#plan-choose").get_text()) == "Choose driver for 1 vehicle"
    assert not region.all(".button-primary")
    link_id = page.link("MH14 AA 1002").rpartition("/")[2]
    services.sharing.record_share(link_id, Channel.WHATSAPP, 1, int(adds_a_driver(manager, vehicles="")), "hi")
    sent = manager.page(f"/fleet/plans/{plan_id}")
    primary = [words(each.get_text()) for each in sent.all("main .button-primary")]
    assert primary == ["Retry the 1 not created"], "once none is left to send"
    head = words(sent.one("#plan-panel .fleet-progress-head").get_text(" "))
    assert re.search(r"₹[\d,.]+ created of ₹1,677.00 · 1 of 2 links created", head), "as before it was sent"


def test_a_plan_without_any_link_is_tried_again_first(
    manager: WebClient, levers: Levers, plan_id: str, run_lane: Callable[..., int]
) -> None:
    levers.fault("create_link", "status", status=400, count=2)
    run_lane(plan_id)
    page = manager.page(f"/fleet/plans/{plan_id}")
    assert [words(each.get_text()) for each in page.all("main .button-primary")] == ["Retry the 2 not created"]


def test_a_run_of_which_all_is_planned_leads_to_its_links_and_to_no_empty_review(
    manager: WebClient, searched_run: str
) -> None:
    plan_id = plan_id_of(creates(planned(manager, searched_run)))
    page = manager.page(f"/fleet/runs/{searched_run}")
    [primary] = page.all("#job-actions .button-primary")
    assert (words(primary.get_text()), primary["href"]) == ("Links of this search", f"/fleet/plans/{plan_id}")
    assert not page.all("#job-review")


def test_links_that_are_not_sent_go_before_what_could_be_put_on_more(
    manager: WebClient, searched_run: str, run_lane: Callable[..., int]
) -> None:
    review = manager.page(f"/fleet/runs/{searched_run}/review")
    run_lane(plan_id := plan_id_of(creates(manager.read(review.submit("Preview the links", vehicle=["2"])))))
    page = manager.page(f"/fleet/runs/{searched_run}")
    [primary] = page.all("#job-actions .button-primary")
    assert words(primary.get_text()) == "Choose driver for 1 vehicle"
    assert primary["href"] == f"/fleet/plans/{plan_id}/drivers"
    assert words(page.one("#job-review").get_text()) == "Review and create links"


def test_a_search_says_what_is_on_its_links_and_leads_to_them_wherever_nothing_else_is_left(
    manager: WebClient, searched_run: str, run_lane: Callable[..., int]
) -> None:
    plan_id = plan_id_of(creates(planned(manager, searched_run)))
    run_lane(plan_id)
    run = manager.page(f"/fleet/runs/{searched_run}")
    said = words(run.one(f"#run-panel a[href='/fleet/plans/{plan_id}']").parent.get_text(" "))
    assert said.endswith("on 2 links · none sent")
    assert said.startswith("₹")
    address = f"/fleet/runs/{searched_run}/review"
    review = manager.page(address)
    assert "All of it is on links already." in review.text
    assert said in words(review.one(".empty").get_text(" "))
    assert review.one(".empty a.button")["href"] == f"/fleet/plans/{plan_id}"
    moved = manager.get(f"{address}/vehicles/MH14AA1001")
    assert (moved.status_code, moved.headers["Location"]) == (303, address)
    assert "MH14 AA 1001 has no challan left for a new link." in manager.page(address).text
    assert manager.get(f"{address}/vehicles/MH14ZZ9999").status_code == 404


def test_links_are_sent_printed_and_exported_once_there_are_some(
    manager: WebClient, plan_id: str, run_lane: Callable[..., int]
) -> None:
    address = f"/fleet/plans/{plan_id}"
    page = manager.page(address)
    made, panel = page.one("#plan-made"), page.one("#plan-panel")
    assert not made.find("a")
    run_lane(plan_id, 1)
    fresh = poll(manager, str(panel["hx-get"]))
    assert json.loads(fresh.headers["HX-Trigger"])["checked"]["parts"]["made"] != made["data-shown"]
    region = manager.region(str(made["hx-get"]), on=address)
    assert words(region.one(".button-primary").get_text()) == "Choose driver for 1 vehicle", "although more are created"
    assert not region.all("#plan-send"), "no link has a driver"
    adds_a_driver(manager, name="Lakshmi Iyer", language="en", vehicles="MH14AA1001")
    region = manager.region(str(made["hx-get"]), on=address)
    assert words(region.one(".button-primary").get_text()) == "Send to 1 driver"
    for words_of_it in ("Send to 1 driver", "QR codes to print", "Export as CSV", "Export as Excel"):
        assert manager.get(region.link(words_of_it)).status_code == 200
    assert manager.page(address).link("Send to 1 driver")


def test_a_button_leads_back_to_the_links_that_were_shown(
    manager: WebClient, plan_id: str, run_lane: Callable[..., int]
) -> None:
    run_lane(plan_id, 1)
    page = manager.read(manager.page(f"/fleet/plans/{plan_id}?show=left").submit("Pause"))
    assert plates(page, "#plan-panel") == ["MH14 AA 1002"]


def test_an_unclear_link_is_never_said_to_have_failed(
    manager: WebClient, levers: Levers, plan_id: str, run_lane: Callable[..., int]
) -> None:
    levers.break_a4()
    run_lane(plan_id, 1)
    page = manager.page(f"/fleet/plans/{plan_id}")
    assert tallies(page)["unclear"] == 1
    row = words(page.one("#plan-panel tbody tr:first-child").get_text(" "))
    assert "Link may exist" in row
    assert not FALSE_WORDS.search(row)
    head = page.one("#plan-panel .fleet-progress-head")
    assert "0 of 2 links known to be created" in words(head.get_text(" "))
    run_lane(plan_id)
    head = manager.page(f"/fleet/plans/{plan_id}").one("#plan-panel .fleet-progress-head")
    assert "1 of 2 links known to be created" in words(head.get_text(" "))
    assert words(head.select_one(".state").get_text()) == "1 may exist"
    assert manager.page(page.link("Open the request MH14 AA 1001")).one("#request-panel")


def test_what_was_certainly_not_created_is_retried_and_nothing_else(
    manager: WebClient, services: Services, levers: Levers, plan_id: str, run_lane: Callable[..., int]
) -> None:
    levers.fault("create_link", "status", status=400)
    run_lane(plan_id)
    page = manager.page(f"/fleet/plans/{plan_id}?show=not_created")
    assert (tallies(page)["not_created"], tallies(page)["created"]) == (1, 1)
    [row] = page.all("#plan-panel tbody tr")
    why = "The service rejected the request for a link, and gave no reason. No link was created."
    assert why in words(row.get_text(" "))
    manager.read(page.submit("Retry the 1 not created"))
    run_lane(plan_id)
    assert tallies(manager.page(f"/fleet/plans/{plan_id}"))["created"] == 2
    assert acts(services) == ["bulk links retry", "bulk create"]


def test_a_plan_is_paused_resumed_and_cancelled(
    manager: WebClient, services: Services, plan_id: str, run_lane: Callable[..., int]
) -> None:
    address = f"/fleet/plans/{plan_id}"
    manager.page(address).submit("Pause")
    assert run_lane(plan_id) == 0
    manager.page(address).submit("Resume")
    run_lane(plan_id, 1)
    page = manager.read(manager.page(address).submit("Cancel this plan"))
    assert state_of(services, plan_id) is JobState.CANCELLED
    assert (tallies(page)["created"], tallies(page)["left"]) == (1, 1)
    assert words(page.one("[data-outcome=left]").get_text(" ")) == "1 Cancelled ₹559.00"
    assert "to create" not in page.one("main").get_text()
    shared = manager.page(f"{address}/share").one(".fleet-lacks")
    assert words(shared.get_text(" ")) == "1 of 2 links is not here: 1 cancelled. Open the plan"
    assert acts(services)[:3] == ["bulk links cancel", "bulk links resume", "bulk links pause"]


def test_going_on_after_a_spent_allowance_promises_no_more_than_is_known(
    manager: WebClient, services: Services, levers: Levers, plan_id: str, run_lane: Callable[..., int]
) -> None:
    address = f"/fleet/plans/{plan_id}"
    levers.set_organization(linkAllowance=1)
    run_lane(plan_id)
    page = manager.read(manager.page(address).submit("Try to create 1 link now"))
    assert "One call now tries whether the service grants more" in page.text
    assert "It goes on." not in page.text
    run_lane(plan_id)
    page = manager.page(address)
    assert "One more call was tried, and the service refused it" in page.one("#plan-panel").text
    assert state_of(services, plan_id) is JobState.WAITING
    calls = levers.count("create_link")
    assert "Nothing was changed" in manager.read(page.submit("Try to create 1 link now")).text
    run_lane(plan_id)
    assert levers.count("create_link") == calls


@pytest.mark.parametrize("asks_search", [False, True])
def test_a_link_that_waits_names_the_limit_it_waits_for(
    manager: WebClient,
    levers: Levers,
    clock: MovableClock,
    plan_id: str,
    run_lane: Callable[..., int],
    asks_search: bool,
) -> None:
    """Name the limit of new links; a spent limit of searches is said of the plan, and not of its links."""
    if asks_search:
        clock.advance(minutes=20)
        manager.is_signed_in("meera@example.com")
    levers.set_organization(**{"searchAllowance" if asks_search else "linkAllowance": 1 - asks_search})
    run_lane(plan_id)
    page = manager.page(f"/fleet/plans/{plan_id}")
    assert "The daily limit of the service is reached" in page.one("#plan-panel").text
    assert "search limit" not in page.text
    assert ("Today’s limit for new links is reached." in page.text) is not asks_search


def test_a_plan_goes_on_where_the_service_grants_more(
    manager: WebClient, levers: Levers, plan_id: str, run_lane: Callable[..., int]
) -> None:
    levers.set_organization(linkAllowance=1)
    run_lane(plan_id)
    levers.set_organization(linkAllowance=9)
    manager.page(f"/fleet/plans/{plan_id}").submit("Try to create 1 link now")
    run_lane(plan_id)
    assert tallies(manager.page(f"/fleet/plans/{plan_id}"))["created"] == 2


@pytest.mark.parametrize("place", ["", "/panel", "/actions"])
def test_a_plan_of_a_manager_is_not_there_for_staff(staff: WebClient, plan_id: str, place: str) -> None:
    address = f"/fleet/plans/{plan_id}{place}"
    assert staff.get(address, headers={"HX-Request": "true"}).status_code == 404
    token = {"X-CSRFToken": staff.csrf_token()}
    assert staff.post(f"/fleet/plans/{plan_id}/cancel", headers=token).status_code == 404


def test_all_that_is_not_finished_is_listed_first_however_old(
    manager: WebClient,
    services: Services,
    clock: MovableClock,
    fleet: list[FleetVehicle],
    plan_id: str,
    run_lane: Callable[..., int],
) -> None:
    old = services.fleet_searches.start("An old search", fleet, None)
    services.fleet_jobs.pause(old)
    for number in range(12):
        clock.advance(minutes=1)
        run_lane(services.fleet_searches.start(f"Search {number}", fleet, None))
    run_lane(plan_id, 1)
    page = manager.page("/fleet")
    plan, run = page.all("[aria-labelledby=under-way-title] li")
    assert words(plan.select_one(".fleet-work-name").get_text(" ")) == "Pune trucks · 2 links"
    assert "1 of 2 created" in words(plan.get_text(" "))
    assert plan.a["href"] == f"/fleet/plans/{plan_id}"
    assert "An old search" in run.text
    run_lane(plan_id)
    page = manager.page("/fleet")
    [run] = page.all("[aria-labelledby=under-way-title] li")
    assert "An old search" in run.text
    [resume] = [each for each in page.buttons() if each.startswith("Resume · An old search")]
    assert manager.read(page.submit(resume)).one("#run-panel")["data-state"] == "running"
    page = manager.page("/fleet")
    assert not [each for each in page.buttons() if each.startswith("Resume")], "it goes on"


def test_a_vehicle_names_the_plan_that_is_to_create_its_links(
    manager: WebClient, staff: WebClient, plan_id: str, run_lane: Callable[..., int]
) -> None:
    page = manager.page("/vehicles/MH14AA1001")
    assert "Your plan of" in page.one("#vehicle").text
    assert page.link("Open the plan") == f"/fleet/plans/{plan_id}"
    page = staff.page("/vehicles/MH14AA1001")
    assert "has 1 link of this vehicle to create yet. Managers can open the plan." in words(page.one("#vehicle").text)
    assert plan_id not in str(page.one("#vehicle"))
    run_lane(plan_id)
    assert "to create yet" not in manager.page("/vehicles/MH14AA1001").text


def test_links_that_exist_show_what_is_to_pay_on_them_and_not_what_was_reviewed(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]
) -> None:
    """The service puts an amount on a link also for a challan whose own amount it had not stated."""
    challans = [{"challanNo": "A-1", "challanAmount": None}, {"challanNo": "A-2", "challanAmount": 500}]
    levers.add_vehicle("MH14AA1009", challans)
    run_id = services.fleet_searches.start("Depot", [FleetVehicle("MH14AA1009")], None)
    run_lane(run_id)
    plan_id = plan_id_of(creates(planned(manager, run_id)))
    address = f"/fleet/plans/{plan_id}"
    waits = manager.page(address)
    assert "₹559.00 + 1 unknown" in words(waits.one("#plan-panel tbody tr").get_text(" "))
    head = words(waits.one(".fleet-progress-head").get_text(" "))
    assert "₹559.00 + 1 unknown planned · 0 of 1 links created" in head
    run_lane(plan_id)
    page = manager.page(address)
    with services.store.read() as connection:
        link = links.find(connection, page.link("MH14 AA 1009").rpartition("/")[2])
    assert link is not None
    assert link.total is not None
    total = f"₹{link.total:,}"
    row = words(page.one("#plan-panel tbody tr").get_text(" "))
    assert total in row
    assert "unknown" not in page.one("#plan-panel tbody").get_text()
    more = words(page.one(".fleet-progress-head .sub").get_text())
    assert more == "₹559.00 more than reviewed: 1 amount was unknown then"
    assert total in words(page.one("[data-outcome=created]").get_text(" "))
    assert total in words(page.one(".fleet-progress-head").get_text(" "))


def rows(page: Page) -> list[str]:
    return [words(each.get_text(" ")) for each in page.all("#plan-panel tbody tr")]


def test_a_plan_is_the_list_of_what_is_to_be_sent_and_paid(
    manager: WebClient, services: Services, levers: Levers, plan_id: str, run_lane: Callable[..., int]
) -> None:
    adds_a_driver(manager, name="Lakshmi Iyer", vehicles="MH14AA1001")
    run_lane(plan_id)
    page = manager.page(f"/fleet/plans/{plan_id}")
    first, second = rows(page)
    assert "Lakshmi Iyer Active Not sent yet" in first
    assert "No driver Active Not sent yet" in second
    assert "₹0.00 paid 0 of 2 sent 1 to send · 1 without a driver" in words(
        page.one(".fleet-progress-head").get_text(" ")
    )
    manager.page(f"/fleet/plans/{plan_id}/share").submit("Send to Lakshmi Iyer, in a new tab")
    paid = page.link("MH14 AA 1002").rpartition("/")[2]
    levers.pay(paid)
    services.link_poller.require_fresh(paid)
    fresh = manager.region(str(page.one("#plan-panel")["hx-get"]), on=f"/fleet/plans/{plan_id}")
    first, second = rows(fresh)
    assert "Not sent yet" not in first
    assert "Paid" in second
    said = words(fresh.one(".fleet-progress-head").get_text(" "))
    assert "₹1,118.00 still to pay ₹559.00 paid 1 of 2 sent" in said
    assert "2 of 2 links created ( ₹1,677.00 ) · finished" in said, "after what came of it"
    assert said.count("₹1,677.00") == 1, "said once"
    assert re.search(r"All links Links checked \d+:\d\d [ap]m", words(fresh.one("#plan-links").get_text(" ")))
    shared = manager.page(f"/fleet/plans/{plan_id}/share")
    assert re.search(r"Links checked \d+:\d\d [ap]m", words(shared.one(".fleet-head").get_text(" ")))
    sheet = manager.page(f"/fleet/plans/{plan_id}/sheet").one(".fleet-head .fleet-lacks")
    assert words(sheet.get_text()) == "1 link is not printed: 1 paid"


def test_a_plan_whose_links_are_all_sent_says_first_what_is_to_pay_and_where_it_is_followed_up(
    manager: WebClient, plan_id: str, run_lane: Callable[..., int]
) -> None:
    adds_a_driver(manager, name="Lakshmi Iyer", vehicles="MH14AA1001, MH14AA1002")
    run_lane(plan_id)
    address = f"/fleet/plans/{plan_id}"
    said = words(manager.page(address).one(".fleet-progress-head").get_text(" "))
    assert said.startswith("All created ₹1,677.00 created · 2 of 2 links created"), "until something came of it"
    manager.page(f"{address}/share").submit("Send to Lakshmi Iyer, in a new tab")
    page = manager.page(address)
    said = words(page.one(".fleet-progress-head").get_text(" "))
    assert said.startswith("All created ₹1,677.00 still to pay ₹0.00 paid 2 of 2 sent What stays unpaid comes back in")
    assert page.link("Follow up") == "/follow-up"


def test_a_link_that_is_still_to_create_leads_to_the_choice_of_its_driver(
    manager: WebClient, plan_id: str, run_lane: Callable[..., int]
) -> None:
    address = f"/fleet/plans/{plan_id}"
    run_lane(plan_id, 1)
    created, left = manager.page(address).all("#plan-panel tbody .driver")
    assert words(created.get_text()) == "No driver", "its button leads there"
    assert words(left.get_text()) == "Choose driver"
    assert left.a
    assert left.a["href"] == "/drivers?vehicle=MH14+AA+1002"
    adds_a_driver(manager, name="Lakshmi Iyer", vehicles="MH14AA1002")
    assert words(manager.page(address).all("#plan-panel tbody .driver")[1].get_text()) == "Lakshmi Iyer"


def test_a_plan_whose_links_are_all_paid_waits_for_nothing(
    manager: WebClient, services: Services, levers: Levers, plan_id: str, run_lane: Callable[..., int]
) -> None:
    run_lane(plan_id)
    for plate in ("MH14 AA 1001", "MH14 AA 1002"):
        page = manager.page(f"/fleet/plans/{plan_id}")
        assert page.one("#plan-panel")["hx-trigger"] == "every 15s"
        link_id = page.link(plate).rpartition("/")[2]
        levers.pay(link_id)
        services.link_poller.require_fresh(link_id)
    page = manager.page(f"/fleet/plans/{plan_id}")
    assert not page.one("#plan-panel").get("hx-trigger")
    assert not words(page.one("#plan-valid").get_text()), "nothing of it ends any more"
    assert "still to pay" not in page.one("#plan-panel").get_text()
    assert not page.all("main .button-primary")


# One vehicle of more than 100 challans


@pytest.fixture
def many(staff: WebClient, levers: Levers) -> WebClient:
    """Return staff who have searched a vehicle of 179 payable challans."""
    levers.add_vehicle(RC, [challan(n, challanNo=f"MH{n:05}") for n in range(1, 180)])
    steps.searches(staff)
    return staff


def test_staff_create_all_links_of_their_selection_in_one_go(
    many: WebClient, manager: WebClient, services: Services, run_lane: Callable[..., int]
) -> None:
    review = steps.reviewed(many)
    assert "Create 2 links" in review.buttons()
    answer = review.submit("Create 2 links", hours="72")
    plan_id = plan_id_of(answer)
    assert plan_id_of(review.submit("Create 2 links", hours="72")) == plan_id
    assert links_of(services, plan_id) == [(RC, 100), (RC, 79)]
    run_lane(plan_id)
    page = many.page(f"/fleet/plans/{plan_id}")
    assert tallies(page)["created"] == 2
    assert ["link 1 of 2" in rows(page)[0], "link 2 of 2" in rows(page)[1]] == [True, True]
    assert not steps.ticked(many.page(f"/vehicles/{RC}"))
    assert manager.page(f"/fleet/plans/{plan_id}").heading == f"Links of {'MH12 AB 1001'}"


def test_the_selection_is_emptied_link_by_link(
    many: WebClient, services: Services, run_lane: Callable[..., int]
) -> None:
    plan_id = plan_id_of(steps.reviewed(many).submit("Create 2 links"))
    run_lane(plan_id, 1)
    assert len(steps.ticked(many.page(f"/vehicles/{RC}"))) == 79


def test_a_selection_that_changed_since_its_review_begins_no_plan(many: WebClient, services: Services) -> None:
    review = steps.reviewed(many)
    steps.reviewed(many, "MH00001")
    assert "Your selection has changed" in many.read(review.submit("Create 2 links")).text
    assert acts(services) == []


def test_wrong_hours_begin_no_plan(many: WebClient, services: Services) -> None:
    page = many.read(steps.reviewed(many).submit("Create 2 links", hours="5"))
    assert "whole number of hours" in page.text
    assert page.field("Expires after (hours)")["value"] == "5"
    assert acts(services) == []


def test_a_selection_of_one_link_offers_no_plan(searched: dict[str, str], staff: WebClient) -> None:
    assert not [each for each in steps.reviewed(staff).buttons() if each.startswith("Create") and "links" in each]
