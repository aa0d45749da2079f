"""Test what the find box finds: each kind by its words, with state and sum, in as many queries for any number."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from bs4 import Tag
from flask import Flask
from sqlalchemy import insert, select

from dashboard.domain.fleet import JobKind
from dashboard.domain.sharing import Channel
from dashboard.services.container import Services
from dashboard.store.fleet import jobs
from dashboard.store.links.tables import link
from dashboard.store.vehicles.quick_find import CHALLANS
from dashboard.store.vehicles.vehicles import challan as stored_challan
from dashboard.web.vehicles import find_page
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, prepares, shares
from tests.web.steps import RC, challan


@pytest.fixture
def fleet(staff: WebClient, levers: Levers) -> str:
    """Two vehicles, one with a Hindi offence and a link; return the link's id."""
    offences = [challan(1, offenseDetails="Red light violation"), challan(2, offenseDetails="लाल बत्ती का उल्लंघन")]
    levers.add_vehicle(RC, offences)
    levers.add_vehicle("MH12AB1002", [challan(3)])
    for rc in (RC, "MH12AB1002"):
        steps.searches(staff, rc)
    return steps.link_of(steps.create(staff, "MH1001"))


def test_any_part_of_a_challan_number_and_offences_in_either_script_are_found(staff: WebClient, fleet: str) -> None:
    assert "MH<mark>1002</mark>" in staff.get("/find?q=1002", headers=HTMX).text
    for typed in ("red light", "लाल बत्ती"):
        listed = staff.region(f"/find?q={typed}")
        found = [each.get_text() for each in listed.all(".found-more")]
        assert sorted(found) == ["Red light violation", "लाल बत्ती का उल्लंघन"]
        assert sorted(each.get_text() for each in listed.all("mark")) == ["Red light", "लाल बत्ती"], "by either name"


def test_a_link_is_found_by_its_payment_url_and_by_its_amount(
    staff: WebClient, services: Services, fleet: str, levers: Levers
) -> None:
    at_service = levers.link(fleet)
    for typed in (at_service.get("paymentUrl", fleet), fleet):
        assert staff.get("/find", query_string={"q": typed}).headers["Location"] == f"/links/{fleet}"


def test_a_link_is_found_by_its_amount_however_it_is_written(staff: WebClient, services: Services, fleet: str) -> None:
    with services.store.read() as connection:
        total = connection.execute(select(link.c.total).where(link.c.id == fleet)).scalar_one()
    rupees = int(total)
    for typed in (f"{total:.2f}", f"₹{total:,.2f}", str(rupees), f"Rs {rupees}"):
        found = staff.get("/find", query_string={"q": typed}, headers=HTMX).text
        assert f"/links/{fleet}" in found, typed
    assert f"/links/{fleet}" not in staff.get("/find", query_string={"q": str(rupees + 1)}, headers=HTMX).text


def test_custom_fields_of_a_link_and_of_a_vehicle_are_found_with_where_they_stand(staff: WebClient, fleet: str) -> None:
    for address in (f"/links/{fleet}/fields", f"/vehicles/{RC}/fields"):
        staff.post(address, data={"csrf_token": staff.csrf_token(), "cost_centre": "Pune Depot", "basis": ""})
    found: Any = Page(staff, staff.get("/find?q=pune", headers=HTMX), region=True)
    assert {option["href"] for option in found.all("[role=group] a")} == {f"/links/{fleet}", f"/vehicles/{RC}"}
    assert "Cost centre · MH12 AB 1001" in found.text


def test_the_page_says_among_which_challans_parts_are_looked_for_where_these_are_not_all(
    staff: WebClient, services: Services, fleet: str
) -> None:
    said = "Searched the newest 50,000 challans."
    for typed in ("MH100", "Zzyzx"):
        assert said not in staff.page(f"/find?q={typed}").text
    with services.store.write() as connection:
        row = {
            "id": CHALLANS + 1,
            "rc": RC,
            "position": 9,
            "listed": True,
            "challan_no": "MH9",
            "changes": [],
            "gaps": [],
        }
        connection.execute(insert(stored_challan), row)
    for typed in ("MH100", "Zzyzx"):
        assert said in staff.page(f"/find?q={typed}").text


@pytest.mark.parametrize("typed", ["no parking", "over speeding", "light violation", "tinted", "का उल्लंघन"])
def test_an_offence_is_found_by_any_words_of_it(staff: WebClient, levers: Levers, typed: str) -> None:
    offences = ("No parking, Sec 122", "Over speeding by LMV", "Red light violation", "Tinted glass", "सीमा का उल्लंघन")
    levers.add_vehicle(RC, [challan(number, offenseDetails=offence) for number, offence in enumerate(offences, 1)])
    steps.searches(staff)
    found = [each.get_text() for each in staff.region(f"/find?q={typed}").all(".found-more")]
    assert any(typed.casefold() in offence.casefold() and offence in found for offence in offences)


def test_a_vehicle_whose_challans_are_on_a_link_is_found_with_their_sum(
    staff: WebClient, levers: Levers, fleet: str
) -> None:
    levers.add_vehicle("MH12AB1009", [challan(9)])
    steps.searches(staff, "MH12AB1009")
    steps.create(staff, "MH1009", rc="MH12AB1009")
    [vehicle] = staff.region("/find?q=AB1009").all("a[href='/vehicles/MH12AB1009']")
    said = words(vehicle.get_text())
    assert "1 on a link" in said
    assert "Nothing to pay" not in said
    assert "₹" in said


def test_the_palette_says_how_much_there_is_beside_what_it_lists(staff: WebClient, fleet: str) -> None:
    steps.searches(staff, "MH12AB1002")
    said = words(staff.region("/find?q=MH12AB10").one("#palette-all").get_text(" "))
    assert said.startswith("All results for “MH12AB10” Vehicles 2"), said


def test_a_number_that_was_not_searched_yet_says_what_its_search_does(staff: WebClient) -> None:
    assert "This asks the service once." in staff.page("/find?q=DL01CA9999").text


def test_a_vehicle_is_listed_with_its_last_link(staff: WebClient, fleet: str) -> None:
    vehicle = staff.page("/find?q=AB10").one(f".table-vehicles [data-row={RC}]")
    assert "Active" in words(vehicle.select_one(".last-link").get_text())


def test_a_plate_finds_the_links_of_its_vehicle_as_well(staff: WebClient, fleet: str) -> None:
    found = [each["href"] for each in staff.region(f"/find?q={RC}").all("a[role=option]")]
    assert found[:2] == [f"/vehicles/{RC}", f"/links/{fleet}"]
    assert staff.get(f"/find?q={RC}").headers["Location"] == f"/vehicles/{RC}", "the plate itself leads to the vehicle"


def test_a_part_of_a_plate_finds_the_links_of_its_vehicle_and_still_leads_to_the_vehicle(
    staff: WebClient, fleet: str
) -> None:
    found = [each["href"] for each in staff.region("/find?q=AB10").all("a[role=option]")]
    assert f"/links/{fleet}" in found
    kinds = [words(each.get_text()) for each in staff.page("/find?q=MH1").all(".found-group h2")]
    assert [each.split(" (")[0] for each in kinds][:3] == ["Vehicles", "Payment links", "Challans"], "with what is done"
    assert staff.get("/find?q=B1001").headers["Location"] == f"/vehicles/{RC}"


def test_links_are_found_by_words_for_their_state(
    staff: WebClient, levers: Levers, services: Services, fleet: str
) -> None:
    def found(typed: str) -> list[str]:
        options = staff.region(f"/find?q={typed}").all("a[role=option]")
        return [str(each["href"]) for each in options if str(each["href"]).startswith("/links/")]

    assert found("not sent") == found("Active") == found("act") == [f"/links/{fleet}"]
    assert found("paid") == found("expired") == found("ac") == []
    levers.pay(fleet)
    services.link_poller.require_fresh(fleet)
    assert found("paid") == [f"/links/{fleet}"]
    assert found("not sent") == []
    for challan_no, rc in (("MH1002", RC), ("MH1003", "MH12AB1002")):
        steps.create(staff, challan_no, rc=rc)
    assert staff.page("/find?q=active").link("Open in Links") == "/links?state=ACTIVE"
    for made in levers.truth()["links"]:
        levers.set_link(made["id"], expiresAt=f"{services.clock() + timedelta(hours=5):%Y-%m-%dT%H:%M:%S}Z")
        steps.check(staff, made["id"])
    [tab] = [each for each in staff.page("/links").all("main nav a") if each.get_text().strip().startswith("Urgent")]
    assert staff.page("/find?q=urgent").link("Open in Links") == tab["href"], "in the same order"


def test_links_are_found_by_words_for_what_became_of_them(
    staff: WebClient, levers: Levers, services: Services, fleet: str
) -> None:
    def found(typed: str) -> list[str]:
        options = staff.region(f"/find?q={typed}").all("a[role=option]")
        return [str(each["href"]) for each in options if str(each["href"]).startswith("/links/")]

    assert found("copied") == found("sent") == []
    staff.post(f"/links/{fleet}/copied", headers={"X-CSRFToken": staff.csrf_token()})
    assert found("copied") == found("1001 copied") == [f"/links/{fleet}"]
    assert found("not sent") == found("sent") == []
    driver = adds_a_driver(staff, name="Ramesh Kumar")
    services.sharing.record_share(fleet, Channel.WHATSAPP, 1, int(driver), "en")
    assert found("sent") == found("sent ramesh") == [f"/links/{fleet}"]
    assert found("copied") == found("not sent") == []
    levers.pay(fleet)
    services.link_poller.require_fresh(fleet)
    assert found("sent") == [], "nobody waits for the payment"


def test_a_link_is_found_by_its_usual_driver_while_nobody_has_it(
    staff: WebClient, levers: Levers, services: Services, fleet: str
) -> None:
    def found(typed: str) -> list[str]:
        options = staff.region(f"/find?q={typed}").all("a[role=option]")
        return [str(each["href"]) for each in options if str(each["href"]).startswith("/links/")]

    adds_a_driver(staff, name="Ramesh Kumar")
    assert found("unpaid ramesh") == found("not sent ramesh") == [f"/links/{fleet}"]
    levers.fail(fleet)
    services.link_poller.require_fresh(fleet)
    assert found("ramesh failed") == [f"/links/{fleet}"]
    [option] = staff.region("/find?q=ramesh failed").all(f"a[href='/links/{fleet}']")
    assert words(option.select_one(".found-more").get_text()).startswith("1 challan · Ramesh Kumar · failed ")
    for challan_no, rc in (("MH1002", RC), ("MH1003", "MH12AB1002")):
        steps.create(staff, challan_no, rc=rc)
    assert found("ramesh unpaid"), "of that vehicle alone"
    assert staff.get("/find?q=ramesh unpaid").status_code == 303


def test_links_without_a_driver_are_found_by_that(staff: WebClient) -> None:
    assert staff.region("/find?q=no driver").link("Links with no driver") == "/follow-up/drivers"


def test_a_state_beside_a_part_of_a_number_or_a_name_finds_their_links_in_that_state(
    staff: WebClient, levers: Levers, services: Services, fleet: str
) -> None:
    def found(typed: str) -> list[str]:
        options = staff.region(f"/find?q={typed}").all("a[role=option]")
        return [str(each["href"]) for each in options if str(each["href"]).startswith("/links/")]

    driver = adds_a_driver(staff, name="Ramesh Kumar")
    services.sharing.record_share(fleet, Channel.WHATSAPP, 1, int(driver), "en")
    assert found("1001 unpaid") == found("1001 unp") == found("unpaid ramesh") == found("unpaid") == [f"/links/{fleet}"]
    assert staff.get("/find?q=ramesh active").headers["Location"] == f"/links/{fleet}", "one alone is opened"
    levers.pay(fleet)
    services.link_poller.require_fresh(fleet)
    assert found("1001 paid") == found("Paid Ramesh") == [f"/links/{fleet}"]
    assert found("1001 unpaid") == found("ramesh failed") == found("9999 paid") == []


def test_links_of_a_state_that_is_typed_come_before_offences_with_its_word(
    staff: WebClient, levers: Levers, services: Services, fleet: str
) -> None:
    levers.issue_challan(RC, challanNo="MH1099", offenseDetails="Expired fitness certificate", seen=True)
    steps.searches(staff, RC)
    levers.expire(fleet)
    services.link_poller.require_fresh(fleet)
    found = [str(each["href"]) for each in staff.region("/find?q=expired").all("a[role=option]")]
    assert found[0] == f"/links/{fleet}"
    assert len(found) > 1, "the offence is found as well"


def test_links_that_are_found_are_copied_and_sent_from_their_rows(staff: WebClient, fleet: str) -> None:
    page = staff.page("/find?q=AB10")
    assert page.link("Send to… · MH12 AB 1001") == f"/links/{fleet}/share"
    table = page.one(".table-ledger")
    assert table.select_one("[data-copy-source]")["value"]
    assert table.find_previous("h2").get_text() == "Payment links (1)"
    heads = [words(each.get_text()) for each in table.select("thead th")]
    named = ["Payment link", "State", "Driver and contact", "Amount", "When", "Created", "Actions"]
    assert heads == named, "those of Links"
    assert "Not sent yet" in table.get_text()
    assert not table.select("[name=link]"), "nothing is ticked here"


def test_where_no_link_is_in_the_state_that_is_typed_what_else_there_is_is_one_click_away(
    staff: WebClient, fleet: str
) -> None:
    page = staff.page("/find?q=AB10 paid")
    assert page.heading == "Nothing found for “AB10 paid”"
    assert "No link of “AB10” is “Paid”." in page.text
    found = "Without “Paid”: Vehicles 2 · Payment links 1"
    assert page.link(found) == "/find?q=AB10"
    palette = staff.region("/find?q=AB10 paid")
    assert "No link of “AB10” is “Paid”" in palette.text
    assert palette.one("#palette-without")["href"] == "/find?q=AB10"
    assert not palette.all("#palette-new")
    assert "No link of" not in staff.page("/find?q=zzyzx paid").text


def test_the_palette_says_why_a_link_is_found(staff: WebClient, fleet: str) -> None:
    url = str(staff.page(f"/links/{fleet}").one("[data-copy-source]")["value"])
    [link] = staff.region(f"/find?q={url}").all(f"a[href='/links/{fleet}']")
    assert "payment URL fits · 48 h left · No driver · Not sent yet · 1 challan" in words(link.get_text())
    amount = str(staff.region("/find?q=unpaid").one(".found-sum").get_text())
    [link] = staff.region(f"/find?q={amount.strip()}").all(f"a[href='/links/{fleet}']")
    assert link.select_one(".found-sum mark")
    assert not staff.region("/find?q=unpaid").all(".found-sum mark")


def test_a_link_is_found_by_the_reference_of_its_failed_payment(staff: WebClient, app: Flask, fleet: str) -> None:
    sharing = app.extensions["services"].sharing
    for reference in ("HDFC4123456789", "412345678901"):
        sharing.note_payment_reference(fleet, reference, 1)
    [link] = staff.region("/find?q=4123 4567 8901").all(f"a[href='/links/{fleet}']")
    assert "payment reference fits · " in words(link.get_text())
    answer = staff.get("/find?q=4123 4567 8901")
    assert answer.headers["Location"] == f"/links/{fleet}", answer.status
    for other in ("HDFC4123456789", "41234567890", "4123456789012"):
        assert not staff.region(f"/find?q={other}").all(f"a[href='/links/{fleet}']"), other


def test_a_page_without_a_text_says_what_can_be_found_with_examples(staff: WebClient) -> None:
    page = staff.page("/find")
    assert page.heading == "Find anything"
    assert page.link("not sent") == "/find?q=not+sent"
    assert "Type in the box above" in page.text


def challan_on(staff: WebClient, link_id: str, typed: str) -> Tag:
    """Return the challan that a text finds on the link, which may be found as well."""
    found = staff.region(f"/find?q={typed}").all(f"[role=group] a[href='/links/{link_id}']")
    [its_challan] = (each for each in found if each.get_text().strip().startswith("MH1001"))
    return its_challan


def test_a_challan_that_is_found_says_that_it_is_on_a_link_or_paid(
    staff: WebClient, levers: Levers, services: Services, fleet: str
) -> None:
    for typed in ("MH1001", "1001", "red light"):
        found = challan_on(staff, fleet, typed)
        assert "On a link" in found.get_text(), typed
    levers.pay(fleet)
    services.link_poller.require_fresh(fleet)
    for typed in ("MH1001", "1001", "red light"):
        found = challan_on(staff, fleet, typed)
        assert "Paid" in found.get_text(), typed


@pytest.mark.parametrize("typed", ["MH10", "DL1C", "MH121"])
def test_the_beginning_of_a_plate_is_not_offered_as_a_vehicle_to_search(staff: WebClient, typed: str) -> None:
    assert "Search MH" not in staff.page(f"/find?q={typed}").text
    page = staff.page(f"/find?q={typed}")
    assert page.heading == f"Nothing found for “{typed}”"
    for shown in (page, staff.region(f"/find?q={typed}")):
        assert "Type the whole number to search it." in shown.text


def test_a_driver_is_found_by_name_and_by_phone_however_it_is_written(manager: WebClient) -> None:
    manager.page("/drivers").submit("Add the driver", name="Ramesh Kumar", phone="98200 12345")
    for typed in ("ramesh", "9820012345", "98200-12345"):
        found = manager.get("/find", query_string={"q": typed}, headers=HTMX)
        assert "Ramesh Kumar" in Page(manager, found, region=True).text


def test_the_palette_lists_what_the_page_would_and_has_a_sentence_for_nothing(staff: WebClient, fleet: str) -> None:
    listed: Any = Page(staff, staff.get("/find?q=MH12AB", headers=HTMX), region=True)
    options = [option["href"] for option in listed.all("a[role=option]")]
    assert options == ["/vehicles/MH12AB1002", f"/vehicles/{RC}", f"/links/{fleet}", "/find?q=MH12AB"]
    assert "₹" in listed.all("a[role=option]")[0].get_text()
    assert "Type the whole number" not in staff.region("/find?q=Zzyzx").text
    nothing: Any = Page(staff, staff.get("/find?q=Zzyzx", headers=HTMX), region=True)
    assert "Nothing found for “Zzyzx”" in nothing.text
    assert nothing.one("a[role=option]")["href"] == "/"
    page = staff.page("/find?q=Zzyzx")
    assert page.heading == "Nothing found for “Zzyzx”"
    assert page.link("Search a new vehicle") == "/"


def test_a_part_of_a_number_that_is_not_found_is_carried_into_the_search_of_a_new_vehicle(
    staff: WebClient, fleet: str
) -> None:
    offered = staff.region("/find?q=7788")
    assert offered.one("#palette-new")["href"] == "/?number=7788"
    page = staff.page(staff.page("/find?q=7788").link("Search a new vehicle"))
    assert page.field("RC number")["value"] == "7788"
    assert not page.all("#rc_number[aria-invalid]")


def test_a_paid_challan_is_as_green_as_a_paid_link(staff: WebClient, levers: Levers) -> None:
    for rc, number, status in ((RC, 1, "PAID"), ("MH12AB1002", 2, "DISPOSED")):
        levers.add_vehicle(rc, [challan(number, status=status)])
        steps.searches(staff, rc)
    shown = {words(each.get_text()): each["class"] for each in staff.page("/find?q=MH100").all(".found-state .state")}
    assert shown == {"Paid": ["state", "state-good"], "Disposed": ["state", "state-ended"]}


def test_a_challan_is_found_with_its_status_apart_from_the_rest(staff: WebClient, fleet: str) -> None:
    [first, *_rest] = staff.page("/find?q=MH100").all(".found:has([data-raw=PENDING])")
    assert words(first.select_one(".state").get_text()) == "Pending"
    assert "Pending" not in first.select_one(".found-more").get_text()


def test_before_anything_is_typed_the_palette_offers_the_vehicles_searched_last(
    staff: WebClient, clock: MovableClock, fleet: str
) -> None:
    clock.advance(seconds=1)
    steps.searches(staff, "MH12AB1002")
    offered = staff.region("/find?q=")
    assert "Recent vehicles" in offered.text
    assert [each["href"] for each in offered.all("a[role=option]")][:2] == ["/vehicles/MH12AB1002", f"/vehicles/{RC}"]
    titles = [words(each.get_text()) for each in offered.all(".palette-title")]
    assert titles == ["Recent vehicles", "Go to", "Actions"]
    assert words(offered.all("a[role=option]")[-1].get_text()) == "Sign out"


def test_before_the_first_search_the_palette_offers_the_places_and_what_can_be_begun(
    staff: WebClient, manager: WebClient
) -> None:
    begun = "Add a driver Keyboard shortcuts Sign out"
    said = f"Go to Links Follow up Drivers My account Actions {begun}"
    assert words(staff.region("/find?q=").text) == said
    places = "Links Follow up Fleet Reconcile Drivers Messages Overview My account"
    begun = "Search many vehicles Add a driver Export payment links Keyboard shortcuts Sign out"
    assert words(manager.region("/find?q=").text) == f"Go to {places} Actions {begun}"


def test_places_have_their_keys_beside_them_unless_these_are_off(staff: WebClient) -> None:
    assert staff.region("/find?q=").one("a[href='/links']")["data-keys"] == "g l"
    staff.post("/keys", data={"wanted": "off", "csrf_token": staff.csrf_token()})
    assert not staff.region("/find?q=").all("[data-keys]")


def test_what_a_script_presses_is_offered_in_the_palette_alone(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [challan(1, challanPlace="Signal Chowk"), challan(2, challanPlace="Signal road")])
    levers.add_vehicle("MH12AB1002", [challan(3, challanPlace="Signal Chowk")])
    for rc in (RC, "MH12AB1002"):
        steps.searches(staff, rc)
    [option] = staff.region("/find?q=sign").all("[data-presses]")
    assert words(option.get_text()) == "Sign out"
    page = staff.page("/find?q=sign")
    assert words(page.heading).startswith("Found for")
    assert "Sign out" not in [words(each.get_text()) for each in page.all("main a")]
    assert staff.page("/").all(str(option["data-presses"]))


@pytest.mark.parametrize(
    ("typed", "for_staff", "for_admin"),
    [
        ("statem", [], ["Statement"]),
        ("known", ["Known vehicles"], ["Known vehicles"]),
        ("drivers", ["Drivers"], ["Drivers", "Import drivers"]),
        ("messages", [], ["Messages"]),
        ("My acc", ["My account"], ["My account"]),
        ("audit", [], ["Audit log"]),
        ("d", [], []),
    ],
)
def test_a_page_is_found_by_a_word_of_its_name_by_whoever_may_open_it(
    staff: WebClient, admin: WebClient, typed: str, for_staff: list[str], for_admin: list[str]
) -> None:
    for person, names in ((staff, for_staff), (admin, for_admin)):
        found = person.region(f"/find?q={typed}").all("[role=group]:has(#palette-group-1) a")
        assert [words(each.get_text()) for each in found] == names


def test_the_name_of_a_page_leads_there(staff: WebClient) -> None:
    assert staff.get("/find?q=known+vehicles").headers["Location"] == "/vehicles"


def test_a_challan_is_found_by_its_place_on_a_link_or_not(staff: WebClient, levers: Levers) -> None:
    places = {1: "NH-48 km 23, Panvel", 2: "Panvel toll plaza", 3: "Sion circle"}
    levers.add_vehicle(RC, [challan(number, challanPlace=place) for number, place in places.items()])
    steps.searches(staff)
    steps.create(staff, "MH1001")
    page = staff.page("/find?q=panvel")
    assert [words(each.get_text()) for each in page.all(".found-challans th a")] == ["MH1002", "MH1001"]
    assert [mark.get_text() for mark in page.all(".found-challans mark")] == ["Panvel", "Panvel"]
    assert "NH-48 km 23, Panvel" in staff.region("/find?q=panvel").text


def test_the_first_that_was_found_is_where_the_work_may_go_on(staff: WebClient, fleet: str) -> None:
    [first] = staff.page("/find?q=MH1").all("main [data-focus]")
    assert first["href"] == "/vehicles/MH12AB1002"


def test_vehicles_with_something_to_pay_are_found_first(
    staff: WebClient, levers: Levers, clock: MovableClock, fleet: str
) -> None:
    clock.advance(seconds=1)
    levers.add_vehicle("MH12AB1003", [challan(4, status="PAID")])
    steps.searches(staff, "MH12AB1003")
    found = [each["href"] for each in staff.region("/find?q=AB100").all("a[role=option]")][:3]
    assert found[2] == "/vehicles/MH12AB1003", "it was searched last, and has nothing to pay"


def test_the_vehicle_whose_whole_number_is_typed_is_found_before_those_with_more_to_pay(
    staff: WebClient, levers: Levers
) -> None:
    for rc, amount in (("MH12AB100", 100), ("MH12AB1007", 9000)):
        levers.add_vehicle(rc, [challan(int(rc[-3:]), challanAmount=amount)])
        steps.searches(staff, rc)
    found = [str(each["href"]) for each in staff.region("/find?q=MH12 AB 100").all("a[role=option]")]
    assert found[:2] == ["/vehicles/MH12AB100", "/vehicles/MH12AB1007"]


def test_vehicles_that_are_found_are_in_the_order_of_what_is_to_pay_and_say_so(
    staff: WebClient, levers: Levers, fleet: str
) -> None:
    for rc, amount in (("MH12AB1004", 900), ("MH12AB1005", 9_000), ("MH12AB1006", 90)):
        levers.add_vehicle(rc, [challan(int(rc[-1]), challanAmount=amount)])
        steps.searches(staff, rc)
    page = staff.page("/find?q=AB100")
    rows = [str(row["data-row"]) for row in page.all(".table-vehicles tbody tr")]
    assert [rc for rc in rows if rc[-1] in "456"] == ["MH12AB1005", "MH12AB1004", "MH12AB1006"]
    assert words(page.one(".found-order").get_text()) == "Most to pay first"
    first = staff.region("/find?q=MH12AB1006").all("a[role=option]")[0]
    assert first["href"] == "/vehicles/MH12AB1006", "what is typed exactly comes before all others"


def test_a_driver_is_found_with_what_is_open(staff: WebClient, levers: Levers, fleet: str) -> None:
    for name, phone in (("Ramesh Kumar", "98200 12345"), ("Ramesh Yadav", "98200 12346")):
        driver = adds_a_driver(staff, name=name, phone=phone, vehicles="")
        shares(staff, prepares(staff, fleet, driver=driver), fleet, "whatsapp")
    page = staff.page("/find?q=ramesh")
    assert [words(each.get_text(" ")) for each in page.all(".found")] == [
        "Ramesh Kumar +91 98200 12345 · 1 open link ₹559.00",
        "Ramesh Yadav +91 98200 12346 · 1 open link ₹559.00",
    ]
    assert page.text.count("₹559.00") == 2


def test_a_challan_on_a_link_is_found_with_its_offence(staff: WebClient, fleet: str) -> None:
    for typed in ("MH1001", "1001"):
        found = challan_on(staff, fleet, typed)
        assert words(found.select_one(".found-more").get_text()) == "Red light violation", typed


def test_a_challan_is_found_with_the_day_of_its_offence(staff: WebClient, levers: Levers) -> None:
    for rc, number in ((RC, "ZZ9001"), ("MH12AB1002", "ZZ9002")):
        levers.add_vehicle(rc, [challan(1, challanNo=number)])
        steps.searches(staff, rc)
    said = [words(each.get_text()) for each in staff.page("/find?q=ZZ9").all(".found-date")]
    assert len(said) == 2
    assert all(re.fullmatch(r"\d+ \w+( \d+)?", each) for each in said), said


def test_amounts_that_nobody_knows_are_no_sum(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle(RC, [challan(number, raw={"totalAmount": None}) for number in (1, 2)])
    steps.searches(staff)
    [found] = staff.region(f"/find?q={RC}").all(f"a[href='/vehicles/{RC}']")
    assert words(found.select_one(".found-sum").get_text()) == "Amount unknown"


def test_what_a_text_names_exactly_is_the_best_of_what_is_found(staff: WebClient, levers: Levers) -> None:
    for rc in ("MH12AB100", RC):
        levers.add_vehicle(rc, [challan(len(rc))])
        steps.searches(staff, rc)
    assert [each["href"] for each in staff.region("/find?q=mh12 ab 100").all("[data-best]")] == ["/vehicles/MH12AB100"]
    assert not staff.region("/find?q=MH12AB").all("[data-best]")


@pytest.mark.parametrize(("last", "is_listed"), [(20, False), (22, True)])
def test_a_text_leads_to_a_vehicle_only_where_all_that_it_finds_is_listed_and_of_that_vehicle(
    staff: WebClient, levers: Levers, last: int, is_listed: bool
) -> None:
    levers.add_vehicle(RC, [challan(number, offenseDetails="Over speeding") for number in range(last)])
    steps.searches(staff, RC)
    answer = staff.get("/find?q=over+speeding")
    assert answer.headers.get("Location") == (None if is_listed else f"/vehicles/{RC}")
    assert (f"Challans ({last})" in answer.text) == is_listed


def test_more_than_are_listed_of_a_kind_are_one_click_away(staff: WebClient, levers: Levers) -> None:
    for rc, first, last, title in (
        (RC, 0, 1, ""),
        ("MH12AB1002", 1, 20, "Challans (20)"),
        ("MH12AB1003", 20, 23, "Challans (23)"),
    ):
        levers.add_vehicle(rc, [challan(number, challanNo=f"ZZ9{number:03}") for number in range(first, last)])
        steps.searches(staff, rc)
        if not title:
            continue
        page = staff.page("/find?q=ZZ9")
        assert [each.get_text() for each in page.all("h2")] == [title]
        assert len(page.all(".found")) == 20
    every = staff.page(page.link("See all 23 · Challans"))
    assert [each.get_text() for each in every.all("h2")] == ["Challans (23)"]
    assert len(every.all(".found")) == 23


def test_of_several_kinds_the_first_of_each_are_shown_and_all_of_one_are_one_click_away(
    staff: WebClient, levers: Levers
) -> None:
    for rc in (RC, *(f"MH12AB20{number:02}" for number in range(2, 9))):
        levers.add_vehicle(rc, [challan(int(rc[-3:]))])
        steps.searches(staff, rc)
    page = staff.page("/find?q=MH1")
    titles = [words(each.get_text()) for each in page.all("h2")]
    assert titles == ["Vehicles (8)", "Challans (8)"]
    for kind, rows in (("Vehicles", ".table-vehicles tbody tr"), ("Challans", ".table-found tbody tr")):
        assert len(page.all(rows)) == 6
        every = staff.page(page.link(f"See all 8 · {kind}"))
        assert len(every.all(rows)) == 8
        back, *chips = every.all("nav.presets a")
        assert (words(back.get_text()), back["href"]) == ("All", "/find?q=MH1")
        assert [words(each.get_text(" ")) for each in chips] == ["Vehicles 8", "Challans 8"], "as before"
        [current] = [each for each in chips if each.get("aria-current")]
        assert words(current.get_text(" ")) == f"{kind} 8"
        [other] = [each for each in chips if each is not current]
        whole, anchor = str(other["href"]).split("#")
        assert staff.page(whole).one(f"#{anchor}"), "back to all that was found"
        assert not [each for each in every.all("a") if "See all" in each.get_text()]
    owed = words(page.one(".found-owed").get_text())
    assert owed == "₹4,472.00 to pay", "for all of them"


def test_what_is_to_pay_is_said_of_all_vehicles_that_are_found_or_of_none(staff: WebClient, levers: Levers) -> None:
    for number in range(21):
        levers.add_vehicle(f"MH14QQ{number:04}", [challan(number)])
        steps.searches(staff, f"MH14QQ{number:04}")
        if number == 19:
            assert "20" in words(staff.page("/find?q=14QQ").one("h2").get_text())
            assert staff.page("/find?q=14QQ").all(".found-owed")
    page = staff.page("/find?q=14QQ")
    assert words(page.one("h2").get_text()) == "Vehicles (21)"
    assert not page.all(".found-owed"), "it would be of twenty of them"


def test_more_than_are_counted_are_called_the_first_of_them(
    staff: WebClient, levers: Levers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(find_page, "_ALL", 22)
    levers.add_vehicle(RC, [challan(number, challanNo=f"ZZ9{number:03}") for number in range(23)])
    steps.searches(staff, RC)
    page = staff.page("/find?q=ZZ9")
    assert words(page.one("h2").get_text()) == "Challans (22+)"
    every = staff.page(page.link("See the first 22 · Challans"))
    assert len(every.all(".found")) == 22


def test_what_is_to_pay_for_all_vehicles_says_what_is_unknown_as_the_page_of_one_does(
    staff: WebClient, levers: Levers
) -> None:
    for rc, raw in ((RC, {}), ("MH12AB1002", {"raw": {"totalAmount": None}})):
        levers.add_vehicle(rc, [challan(int(rc[-1]), **raw)])
        steps.searches(staff, rc)
    assert words(staff.page("/find?q=MH1").one(".found-owed").get_text()) == "₹559.00 to pay + 1 unknown"


def test_a_link_is_found_with_the_time_left_and_its_driver_unless_its_id_was_typed(
    staff: WebClient, fleet: str
) -> None:
    [found] = staff.region(f"/find?q={RC}").all(f"a[href='/links/{fleet}']")
    assert words(found.select_one(".found-more").get_text()) == "48 h left · No driver · Not sent yet · 1 challan"
    [found] = staff.region(f"/find?q={fleet[:8]}").all(f"a[href='/links/{fleet}']")
    assert words(found.select_one(".found-more").get_text()) == fleet


def test_links_of_one_vehicle_are_told_apart_by_their_challans_and_drivers(staff: WebClient, fleet: str) -> None:
    other = steps.link_of(steps.create(staff, "MH1002"))
    shares(staff, prepares(staff, fleet, driver=adds_a_driver(staff, vehicles="")), fleet, "whatsapp")
    found = staff.region(f"/find?q={RC}")
    said = {
        each: words(found.one(f"a[href='/links/{each}'] .found-more").get_text()).split(" · ")
        for each in (fleet, other)
    }
    assert said[fleet][:2] == ["48 h left", "Ramesh Kumar"]
    assert said[fleet][2].startswith("Sent ")
    assert said[other] == ["48 h left", "No driver", "Not sent yet", "1 challan"]
    assert found.one(f"a[href='/links/{fleet}'] .plate").get_text() == "MH12 AB 1001"


def test_of_an_ended_link_it_is_said_what_is_left_of_it(staff: WebClient, five: dict[str, str], levers: Levers) -> None:
    steps.searches(staff)
    ended = steps.link_of(steps.create(staff, "MH1001", "MH1002"))
    levers.expire(ended)
    steps.check(staff, ended)
    steps.link_of(steps.create(staff, "MH1001"))
    levers.add_vehicle("MH12AB1002", [challan(9)])
    steps.searches(staff, "MH12AB1002")
    row = staff.page("/find?q=AB10").one(f".table-ledger tr:has(a[href='/links/{ended}'])")
    assert "1 of 2 challans left, ₹559.00" in words(row.get_text(" "))


def test_a_vehicle_with_challans_to_pay_and_on_links_says_both_and_of_which_its_sum_is(
    staff: WebClient, fleet: str
) -> None:
    [found] = staff.region("/find?q=AB1001").all(f"a[href='/vehicles/{RC}']")
    assert words(found.select_one(".found-more").get_text()) == "1 can be paid · 1 on a link"
    assert words(found.select_one(".found-sum").get_text()).startswith("to pay ₹")


def test_searches_and_plans_of_many_vehicles_are_found_by_name_by_whoever_may_open_them(
    staff: WebClient, manager: WebClient, services: Services, clock: MovableClock
) -> None:
    with services.store.write() as connection:
        for id, kind, title in (
            ("00000000-0000-4000-8000-000000000001", JobKind.SEARCH, "Pune trucks"),
            ("00000000-0000-4000-8000-000000000002", JobKind.CREATION, "Pune trucks"),
            ("00000000-0000-4000-8000-000000000003", JobKind.SEARCH, "Delhi trucks"),
        ):
            jobs.add_once(connection, id, kind, title, None, clock())
    found = [words(each.get_text()) for each in manager.region("/find?q=pune+tr").all("[role=group] a")]
    assert [each.split(" Running")[0] for each in found] == ["Pune trucks", "Links of Pune trucks"]
    page = manager.page("/find?q=pune+tr")
    assert [each["href"].rpartition("/")[0] for each in page.all(".found-jobs th a")] == ["/fleet/runs", "/fleet/plans"]
    assert not staff.region("/find?q=pune+tr").all("[role=group]")


@pytest.mark.parametrize("typed", ["+91 98200", "+91 98200 123", "+9198200", "098200", "91 98200 12345", "98200"])
def test_a_driver_is_found_by_the_beginning_of_a_phone_as_it_is_shown(manager: WebClient, typed: str) -> None:
    adds_a_driver(manager, phone="98200 12345", vehicles="")
    [found] = manager.region(f"/find?q={typed.replace('+', '%2B')}").all("a[href^='/drivers/']")
    assert "98200" in str(found.select_one("mark"))


def test_a_phone_that_begins_as_typed_stands_before_numbers_that_have_it_in_the_middle(
    staff: WebClient, levers: Levers
) -> None:
    adds_a_driver(staff, vehicles="")
    levers.add_vehicle(RC, [challan(1, challanNo="MH1098765432")])
    steps.searches(staff)
    kinds = [
        str(each["href"]).split("/")[1] for each in staff.region("/find?q=98765").all("a[id^=palette-][href^='/']")
    ]
    assert kinds[0] == "drivers"
    assert kinds[1] == "vehicles"
    in_the_middle = staff.region("/find?q=65432").all("a[id^=palette-][href^='/']")
    assert str(in_the_middle[0]["href"]).startswith("/vehicles"), "a part of either is no reason"


def test_what_was_typed_is_marked_on_the_page_in_phones_and_plates_too(staff: WebClient, fleet: str) -> None:
    for number in ("98765 43210", "98765 43211"):
        adds_a_driver(staff, phone=number, vehicles="")
    phones = staff.page("/find?q=98765").all(".found-drivers .found-more mark")
    assert [each.get_text() for each in phones] == ["98765", "98765"]
    assert staff.page("/find?q=AB10").all(".table-vehicles .plate mark")[0].get_text() == "AB 10"


def test_a_vehicle_with_nothing_left_says_the_same_in_the_palette_and_on_the_page(
    staff: WebClient, levers: Levers, fleet: str
) -> None:
    levers.add_vehicle("MH12AB1009", [challan(9)])
    steps.searches(staff, "MH12AB1009")
    steps.create(staff, "MH1009", rc="MH12AB1009")
    row = staff.page("/find?q=AB100").one("[data-row=MH12AB1009]")
    assert [words(cell.get_text()) for cell in row.select(".num")] == ["All on links", "", "₹559.00 1 challan"]
