"""Test the live region of a vehicle's page: its links, and when its list of challans is out of date."""

from __future__ import annotations

import json
import re

import pytest
from flask import Flask

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.sharing import Channel
from dashboard.services.accounts.audit import Origin
from dashboard.services.container import Services
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.sends import sends_to_a_number
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.steps import RC, VEHICLE, poll

#: What is done with a link from its line.
ACT = "#vehicle-panel .acts > *"


@pytest.fixture
def link_id(staff: WebClient, five: dict[str, str]) -> str:
    """Create a link as Asha for two of the five challans."""
    steps.searches(staff)
    return steps.link_of(steps.create(staff, "MH1001", "MH1002"))


def asks(page: Page) -> str:
    return str(page.one("#vehicle-panel")["hx-get"])


def news(region: Page) -> str:
    """Return what stands in the place of the last search, once there is another list."""
    return words(region.one("#vehicle-updated .vehicle-news").get_text(" "))


def states(page: Page) -> dict[str, str]:
    """Return the state of each link shown, by its address."""
    return {
        str(item["data-links"]): str(item["data-words"]).rpartition(" ")[0] for item in page.all("#vehicle-panel li")
    }


def test_each_link_of_a_vehicle_is_shown_once(staff: WebClient, link_id: str) -> None:
    page = staff.page(VEHICLE)
    assert states(page) == {f"/links/{link_id}": "Active"}
    panel = page.one("#vehicle-panel")
    assert "2 challans" in panel.get_text(" ")
    assert panel["hx-trigger"] == "every 15s"
    assert not page.all(".vehicle-news")


def test_an_open_page_hears_that_a_colleague_could_not_refresh_the_vehicle(
    staff: WebClient, manager: WebClient, five: dict[str, str], levers: Levers
) -> None:
    asked = asks(steps.searched(staff))
    levers.fault("search", "status", status=500)
    assert steps.refresh(manager).status_code == 502
    region = Page(staff, poll(staff, asked), region=True)
    assert "Not refreshed. The service answered with an error" in words(region.one("#vehicle-updated").get_text(" "))


def test_a_link_that_can_be_paid_says_who_has_it(staff: WebClient, link_id: str, services: Services) -> None:
    def said() -> str:
        return words(staff.page(VEHICLE).one(".vehicle-link-given").get_text(" "))

    assert said() == "not sent yet"
    assert staff.page(VEHICLE).one(".vehicle-link-given.follow-urgent"), "as in the lists of links"
    region = asks(staff.page(VEHICLE))
    services.sharing.record_copy(link_id, 1, Origin(None, "127.0.0.1"))
    assert said() == "copied"
    assert "copied" in poll(staff, region).text, "the open page hears of it"
    sends_to_a_number(services.sharing, link_id, channel=Channel.SMS)
    assert said() == "sent"
    driver = services.drivers.add(DriverDetails("Ramesh Kumar", "98765 43210", None, "en", None, ()), 1)
    services.sharing.record_share(link_id, Channel.WHATSAPP, 1, driver, "en")
    assert said() == "sent to Ramesh Kumar"


def test_a_link_that_nobody_was_sent_is_sent_from_its_line(staff: WebClient, link_id: str, services: Services) -> None:
    services.link_poller.refresh(link_id)
    choose = staff.page(VEHICLE).one(ACT)
    assert (words(choose.get_text(" ")), choose["href"]) == ("Send to… · MH12 AB 1001", f"/links/{link_id}/share")
    region = asks(staff.page(VEHICLE))
    driver = services.drivers.add(DriverDetails("Ramesh Kumar", "98765 43210", None, "en", None, (RC,)), 1)
    send = staff.page(VEHICLE).one(ACT)
    assert words(send.get_text(" ")) == "Send MH12 AB 1001 to Ramesh Kumar by WhatsApp, in a new tab"
    assert "Ramesh Kumar" in poll(staff, region).text, "the open page hears of the driver"
    assert staff.page(VEHICLE).one(f"form#{send['form']}")["target"] == "_blank"
    answer = staff.post(str(send["formaction"]), data={"driver": send["value"], "csrf_token": staff.csrf_token()})
    assert answer.headers["Location"] == f"/links/{link_id}/nudge?driver={driver}"
    assert not staff.page(VEHICLE).all(ACT), "once sent it is followed up elsewhere"


def test_the_links_that_can_still_be_paid_come_first(staff: WebClient, link_id: str, levers: Levers) -> None:
    paid = steps.link_of(steps.create(staff, "MH1003"))
    levers.pay(paid)
    steps.check(staff, paid)
    assert list(states(staff.page(VEHICLE))) == [f"/links/{link_id}", f"/links/{paid}"], "the paid one is newer"


def test_links_that_have_come_to_the_same_end_share_one_line(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    paid = [steps.link_of(steps.create(staff, number)) for number in ("MH1003", "MH1004")]
    for each in paid:
        levers.pay(each)
        services.link_poller.refresh(each)
    items = staff.page(VEHICLE).all("#vehicle-panel li")
    assert [words(item.get_text(" ")) for item in items][1] == "Paid ₹1,118.00 2 links Open the links"
    assert sorted(str(items[1]["data-links"]).split()) == sorted(f"/links/{each}" for each in paid)
    listed = staff.page(str(items[1].a["href"]))
    assert {link["data-row"] for link in listed.all("tr[data-row]")} == set(paid)


def test_a_paid_link_without_the_time_of_its_payment_says_so(
    staff: WebClient, five: dict[str, str], levers: Levers, services: Services
) -> None:
    steps.searches(staff)
    paid = steps.link_of(steps.create(staff, "MH1001"))
    levers.set_link(paid, status="PAID", raw={"paidAt": None})
    services.link_poller.refresh(paid)
    said = words(staff.page(VEHICLE).one(".vehicle-link").get_text(" "))
    assert said == "Paid ₹559.00 1 challan time not known Open the link"


def test_links_of_one_amount_are_told_apart_by_their_challans_wherever_they_are_listed(
    staff: WebClient, five: dict[str, str]
) -> None:
    steps.searches(staff)
    made = {number: steps.link_of(steps.create(staff, number)) for number in ("MH1001", "MH1002")}
    several = steps.link_of(steps.create(staff, "MH1003", "MH1004"))
    for number, link_id in made.items():
        for address, row in (
            (VEHICLE, f"#vehicle-panel [data-row='/links/{link_id}']"),
            ("/links", f"#row-{link_id} .num"),
            ("/", f"#recent-links tr[data-row='{link_id}'] th"),
            ("/follow-up", "ul.follow-list:has(li)"),
        ):
            assert number in words(staff.page(address).one(row).get_text(" ")), address
    assert "MH100" not in words(staff.page(VEHICLE).one(f"#vehicle-panel [data-row='/links/{several}']").get_text(" "))


def test_of_links_on_one_challan_another_one_is_named(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    ended = {}
    for number in ("MH1002", "MH1003"):
        ended[number] = steps.link_of(steps.create(staff, "MH1001", number))
        levers.expire(ended[number])
        steps.check(staff, ended[number])
    page = staff.page("/links")
    for number, link_id in ended.items():
        assert f"{number} + 1" in words(page.one(f"#row-{link_id} .num").get_text(" ")), (
            "and not MH1001, which is on both"
        )


def test_a_link_known_only_from_a_search_shows_no_number_of_challans(
    staff: WebClient, five: dict[str, str], app: Flask, services: Services
) -> None:
    made = steps.elsewhere(app, *sorted(five.values())[:3])
    steps.searches(staff)
    panel = staff.page(VEHICLE).one("#vehicle-panel")
    assert "Active" in panel.get_text(" ")
    assert "challan" not in panel.get_text(" ")
    assert "Link not checked yet" in staff.page("/links").text
    services.link_poller.refresh(made)
    assert "3 challans" in staff.page(VEHICLE).one("#vehicle-panel").get_text(" ")
    assert "3 challans" in staff.page("/links").text


def test_a_link_that_only_a_search_has_shown_is_soon_checked_and_then_says_when_it_ends(
    staff: WebClient, five: dict[str, str], app: Flask, services: Services, clock: MovableClock
) -> None:
    made = steps.elsewhere(app, *sorted(five.values())[:3])
    steps.searches(staff)
    page = staff.page(VEHICLE)
    panel = page.one("#vehicle-panel")
    assert "end not known" in panel.get_text(" ")
    assert "not sent from here" in panel.get_text(" "), "as in every list"
    assert panel["hx-trigger"] == "every 2s"
    services.link_poller.refresh(made)
    region = Page(staff, poll(staff, asks(page)), region=True)
    assert "47 h 59 min left" in region.text or "48 h left" in region.text
    assert region.one("#vehicle-panel")["hx-trigger"] == "every 15s"


def test_a_link_that_is_not_checked_for_long_is_one_whose_end_is_not_known(
    staff: WebClient, five: dict[str, str], app: Flask, clock: MovableClock
) -> None:
    steps.elsewhere(app, *sorted(five.values())[:3])
    steps.searches(staff)
    clock.advance(minutes=3)
    panel = staff.page(VEHICLE).one("#vehicle-panel")
    assert "end not known" in panel.get_text(" ")
    assert panel["hx-trigger"] == "every 15s"


def test_a_poll_of_an_unchanged_region_is_answered_with_204(
    staff: WebClient, link_id: str, clock: MovableClock
) -> None:
    address = asks(staff.page(VEHICLE))
    clock.advance(minutes=2)
    answer = poll(staff, address)
    assert (answer.status_code, answer.data) == (204, b"")
    assert json.loads(answer.headers["HX-Trigger"])["checked"]["poll_seconds"] == 15


def test_a_paid_link_is_shown_and_makes_the_list_outdated(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    address = asks(staff.page(VEHICLE))
    levers.pay(link_id)
    services.link_poller.refresh(link_id)
    region = Page(staff, poll(staff, address), region=True)
    assert states(region) == {f"/links/{link_id}": "Paid"}
    assert news(region) == "A payment link has changed · Show"
    assert "The state of a payment link has changed" in str(region.one("#vehicle-panel")["data-words"]), "announced"
    assert poll(staff, asks(region)).status_code == 204, "and stays so until the list is shown again"
    assert not staff.page(VEHICLE).all(".vehicle-news")


def test_a_colleague_who_searches_or_creates_makes_the_list_outdated(
    staff: WebClient, manager: WebClient, link_id: str, clock: MovableClock, levers: Levers
) -> None:
    address = asks(staff.page(VEHICLE))
    levers.issue_challan(RC, challanNo="MH1006", challanAmount=500)
    clock.advance(minutes=1)
    assert steps.refresh(manager).status_code == 303
    region = Page(staff, poll(staff, address), region=True)
    assert re.fullmatch(r"New list at \d+:\d\d [ap]m · Show", news(region))
    assert "searched again at" in str(region.one("#vehicle-panel")["data-words"])
    assert "by Meera Iyer" in str(region.one("#vehicle-panel")["data-words"])
    levers.fault("create_link", "cut", when="after")
    steps.request_of(steps.create(manager, "MH1003"))
    region = Page(staff, poll(staff, asks(region)), region=True)
    assert "A request for a payment link was made or has ended." in str(region.one("#vehicle-panel")["data-words"])


def test_a_search_that_found_all_as_it_was_changes_when_it_was_updated_and_nothing_else(
    staff: WebClient, manager: WebClient, link_id: str, clock: MovableClock
) -> None:
    page = staff.page(VEHICLE)
    clock.advance(minutes=1)
    assert steps.refresh(manager).status_code == 303
    region = Page(staff, poll(staff, asks(page)), region=True)
    updated = region.one("#vehicle-updated")
    assert updated["hx-swap-oob"] == "true"
    assert "by Meera Iyer" in words(updated.get_text(" "))
    assert not region.all(".vehicle-news")
    assert region.one("#vehicle-panel")["data-words"] == ""
    assert poll(staff, asks(region)).status_code == 204


def test_listing_the_challans_again_saves_the_ticks(
    staff: WebClient, link_id: str, levers: Levers, services: Services
) -> None:
    page = staff.page(VEHICLE)
    box = steps.boxes(page)["MH1004"]["value"]
    levers.expire(link_id)
    services.link_poller.refresh(link_id)
    region = Page(staff, poll(staff, asks(page)), region=True)
    button = region.one("#vehicle-updated button[formaction]")
    assert (button["form"], button["formaction"]) == ("selection", f"{VEHICLE}/keep")
    token = page.one("#selection input[name=csrf_token]")["value"]
    answer = staff.post(f"{VEHICLE}/keep", data={"csrf_token": token, "selection": "1", "challan": box})
    page = staff.read(answer)
    assert steps.ticked(page) == ["MH1004"]
    assert len(steps.group(page, "payable")) == 5, "the ended link's challans are free again"


def test_an_outdated_page_without_challans_offers_a_link_to_the_list(
    staff: WebClient, manager: WebClient, levers: Levers, clock: MovableClock
) -> None:
    levers.add_vehicle(RC, [])
    page = steps.searched(staff)
    levers.issue_challan(RC, challanNo="MH1", challanAmount=500)
    clock.advance(minutes=1)
    steps.refresh(manager)
    region = Page(staff, poll(staff, asks(page)), region=True)
    assert region.one('#vehicle-updated a[aria-label="Show the latest list"]')["href"] == VEHICLE


def test_an_ended_link_is_shown_for_a_day(
    staff: WebClient, link_id: str, levers: Levers, services: Services, clock: MovableClock
) -> None:
    levers.cancel(link_id)
    services.link_poller.refresh(link_id)
    assert states(staff.page(VEHICLE)) == {f"/links/{link_id}": "Cancelled"}
    clock.advance(hours=24)
    steps.comes_back(staff, ASHA)
    assert states(staff.page(VEHICLE)) == {}


def test_a_failed_link_says_at_what_time_it_failed_and_its_challans_what_to_do_first(
    staff: WebClient, link_id: str, levers: Levers
) -> None:
    levers.fail(link_id)
    steps.check(staff, link_id)
    page = staff.page(VEHICLE)
    [strip] = page.all(".vehicle-link")
    at = re.findall(r"\d+:\d\d [ap]m", words(strip.get_text(" ")))
    assert at, "not how long ago"
    assert "Check first: was on a failed link" in words(page.one("#payable").get_text(" "))


def test_a_poll_for_a_vehicle_that_was_never_searched_is_not_found(staff: WebClient) -> None:
    answer = poll(staff, "/vehicles/KA05MN4321/panel")
    assert answer.status_code == 404
    assert staff.get(f"{VEHICLE}/panel").headers["Location"] == VEHICLE
