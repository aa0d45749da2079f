"""Test how drivers are chosen for the vehicles of a plan: all at once, by name or number, without sending anything."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import unquote

import pytest

from dashboard.domain.fleet import FleetVehicle
from dashboard.services.container import Services
from dashboard.store.accounts import audit
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import MEERA
from tests.support.web_client import WebClient
from tests.web.fleet.test_review import creates, plan_id_of, planned
from tests.web.sharing.steps import adds_a_driver, chooses, vehicles_by_driver

FIRST, SECOND = "MH14AA1001", "MH14AA1002"


@pytest.fixture
def plan_id(manager: WebClient, searched_run: str, run_lane: Callable[..., int]) -> str:
    """Return a plan whose two links go to nobody; Ravi and Anil drive no vehicle."""
    run_lane(plan_id := plan_id_of(creates(planned(manager, searched_run))))
    adds_a_driver(manager, name="Ravi", phone="98765 43211", language="en", vehicles="")
    adds_a_driver(manager, name="Anil Kumar", phone="98765 43212", language="en", vehicles="")
    return plan_id


def address_of(plan_id: str) -> str:
    return f"/fleet/plans/{plan_id}/drivers"


def saves(manager: WebClient, plan_id: str, first: str = "", second: str = "", **fields: str | None) -> Page:
    return chooses(manager, address_of(plan_id), {FIRST: first, SECOND: second}, **fields)


def actions(services: Services) -> list[str]:
    with services.store.read() as connection:
        return [row.action for row in audit.newest(connection)]


def test_drivers_are_chosen_for_all_vehicles_at_once_and_nothing_is_sent(
    manager: WebClient, services: Services, plan_id: str
) -> None:
    share = manager.page(f"/fleet/plans/{plan_id}/share")
    page = manager.page(share.link("Choose drivers for 2 vehicles"))
    assert page.heading == "Choose drivers"
    assert [words(each.get_text()) for each in page.all("main .button-primary")] == ["Save and send"]
    offered = [each["value"] for each in page.all("datalist option")]
    assert offered == ["Anil Kumar, +91 98765 43212", "Ravi, +91 98765 43211"]
    after = saves(manager, plan_id, "Ravi, +91 98765 43211", "Anil Kumar, +91 98765 43212")
    assert "Drivers chosen for 2 vehicles." in after.everything
    assert "By driver (2)" in after.text
    assert "No driver yet" not in after.text
    assert after.link("Message 2 drivers, one by one")
    assert vehicles_by_driver(services) == {"Ravi": [FIRST], "Anil Kumar": [SECOND]}
    assert "share" not in actions(services)
    assert actions(services)[:3] == ["bulk links drivers", "driver changed", "driver changed"]


def test_saving_can_go_on_to_the_messages_of_the_plan(manager: WebClient, services: Services, plan_id: str) -> None:
    page = manager.page(address_of(plan_id))
    message = manager.read(page.submit("Save and send", **{f"driver-{FIRST}": "Ravi", f"driver-{SECOND}": ""}))
    assert "Driver chosen for 1 vehicle. 1 has none." in message.everything
    assert "Ravi" in message.text
    assert "MH14 AA 1002" not in message.text
    assert "share" not in actions(services)
    all_chosen = saves(manager, plan_id, "Ravi", "Anil Kumar")
    done = manager.page(all_chosen.link("Change who was chosen"))
    assert "No link waits for a driver." in done.text
    assert done.all(".driver-found")
    assert manager.page(done.link("Back to the plan")).heading == "Send the links to drivers"


def test_a_vehicle_for_which_nothing_is_typed_is_left(manager: WebClient, plan_id: str) -> None:
    after = saves(manager, plan_id, "", "Ravi")
    assert "No driver yet (1)" in after.text
    assert manager.page(after.link("Choose driver · MH14 AA 1001")).field("Driver of MH14 AA 1001")["value"] == ""


def test_a_wrong_row_keeps_all_that_was_typed_and_says_what_is_wrong(
    manager: WebClient, services: Services, plan_id: str
) -> None:
    adds_a_driver(manager, name="Ravi", phone="98765 43213", language="en", vehicles="")
    page = saves(manager, plan_id, "Ravi", "Anil Kumar", usual=None)
    assert page.status == 422
    wrong, right = page.field("Driver of MH14 AA 1001"), page.field("Driver of MH14 AA 1002")
    assert (wrong["value"], right["value"]) == ("Ravi", "Anil Kumar")
    assert wrong["aria-invalid"] == "true"
    assert wrong.has_attr("autofocus")
    assert not right.has_attr("aria-invalid")
    assert "Several drivers have this name." in page.one(f"#driver-{FIRST}-error").get_text()
    assert not page.field("Save as the usual driver of the vehicle").has_attr("checked")
    assert vehicles_by_driver(services)["Anil Kumar"] == []
    assert "By driver" not in manager.page(f"/fleet/plans/{plan_id}/share").text, "nothing is saved"


def test_who_is_new_is_added_and_gets_the_message_in_their_language(
    manager: WebClient, services: Services, plan_id: str
) -> None:
    page = saves(manager, plan_id, "Suresh Patil, 98765 43299", "Lakshmi")
    fields = {f"new-{FIRST}-language": "hi", f"new-{SECOND}-phone": "98765 43298"}
    assert "By driver (2)" in manager.read(page.submit("Save drivers", **fields)).text
    assert vehicles_by_driver(services)["Suresh Patil"] == [FIRST]
    assert actions(services).count("driver added") == 4, "two of them before"
    step = manager.page(f"/fleet/plans/{plan_id}/share/messages?after=1")
    assert step.one(".phone-message")["lang"] == "hi"


def test_who_is_chosen_for_this_plan_alone_becomes_no_usual_driver(
    manager: WebClient, services: Services, plan_id: str
) -> None:
    after = saves(manager, plan_id, "Ravi", usual=None)
    assert "By driver (1)" in after.text
    assert vehicles_by_driver(services)["Ravi"] == []
    row = [each for each in manager.page(f"/fleet/plans/{plan_id}").all("tbody tr") if "1001" in each.get_text()]
    assert "Ravi" in row[0].get_text()


def test_one_of_several_usual_drivers_is_chosen(manager: WebClient, plan_id: str) -> None:
    for name, number in (("Mohan", "98765 43221"), ("Nitin", "98765 43222")):
        adds_a_driver(manager, name=name, phone=number, language="en", vehicles="MH14AA1001")
    page = manager.page(address_of(plan_id))
    assert "Several usual drivers" in page.text
    after = saves(manager, plan_id, "Nitin")
    assert "By driver (1)" in after.text
    assert "Nitin" in after.one("[aria-labelledby=drivers-title]").get_text()


def test_who_was_chosen_is_changed_until_the_message_is_sent(manager: WebClient, plan_id: str) -> None:
    share = saves(manager, plan_id, "Ravi", "Anil Kumar", usual=None)
    page = manager.page(share.link("Change who was chosen"))
    assert page.field("Driver of MH14 AA 1001")["value"] == "Ravi, +91 98765 43211"
    after = saves(manager, plan_id, "Anil Kumar", "Anil Kumar", usual=None)
    assert "By driver (1)" in after.text
    sent = manager.read(after.submit("Send to Anil Kumar, in a new tab"))
    assert unquote(sent.link("Open WhatsApp again")).count("/prepaid-payment/") == 2
    later = manager.page(f"/fleet/plans/{plan_id}/share")
    assert "Change who was chosen" not in later.text
    assert "No link waits for a driver." in manager.page(address_of(plan_id)).text


def test_all_links_of_a_vehicle_go_to_the_driver_who_is_chosen_for_it(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]
) -> None:
    listed = [{"challanNo": f"MH14AA1010-{n}", "challanAmount": 500} for n in range(101)]
    levers.add_vehicle("MH14AA1010", listed)
    run_lane(run_id := services.fleet_searches.start("Two links", [FleetVehicle("MH14AA1010")], None))
    run_lane(plan_id := plan_id_of(creates(planned(manager, run_id))))
    adds_a_driver(manager, name="Ravi", phone="98765 43211", language="en", vehicles="")
    share = manager.page(f"/fleet/plans/{plan_id}/share")
    assert words(share.one("#without-title").get_text(" ")) == "No driver yet (1)", "what it comes to stands above"
    page = manager.page(share.link("Choose driver · MH14 AA 1010"))
    after = manager.read(page.submit("Save drivers", **{"driver-MH14AA1010": "Ravi"}))
    sent = manager.read(after.submit("Send to Ravi, in a new tab"))
    assert unquote(sent.link("Open WhatsApp again")).count("/prepaid-payment/") == 2


def test_a_row_leads_to_its_field(manager: WebClient, plan_id: str) -> None:
    share = manager.page(f"/fleet/plans/{plan_id}/share")
    page = manager.page(share.link("Choose driver · MH14 AA 1002"))
    assert page.field("Driver of MH14 AA 1002").has_attr("autofocus")
    assert not page.field("Driver of MH14 AA 1001").has_attr("autofocus")


def test_what_was_typed_outlasts_an_expired_session(manager: WebClient, clock: MovableClock, plan_id: str) -> None:
    page = manager.page(address_of(plan_id))
    clock.advance(hours=1)
    answer = page.submit("Save drivers", **{f"driver-{FIRST}": "Ravi", "usual": None})
    signing_in = manager.page(answer.headers["Location"])
    back = manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))
    assert back.field("Driver of MH14 AA 1001")["value"] == "Ravi"
    assert not back.field("Save as the usual driver of the vehicle").has_attr("checked")
    assert "By driver (1)" in manager.read(back.submit("Save drivers")).text


def test_a_plan_of_a_manager_is_not_driven_by_staff(staff: WebClient, plan_id: str) -> None:
    assert staff.get(address_of(plan_id)).status_code == 404
    assert staff.post(address_of(plan_id), data={"csrf_token": staff.csrf_token()}).status_code == 404
