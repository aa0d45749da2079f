"""Test how the links of a plan reach their drivers."""

from __future__ import annotations

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import unquote

import pytest

from dashboard.domain.fleet import FleetVehicle
from dashboard.services.container import Services
from dashboard.store.accounts import audit
from dashboard.store.sharing import drivers
from dashboard.web.fleet.plan_records import DriverLinks, PlanMessage
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web.fleet.test_review import creates, plan_id_of, planned
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import presses_in_place


@pytest.fixture
def plan_id(manager: WebClient, searched_run: str, run_lane: Callable[..., int]) -> str:
    """Return a plan whose two links exist; one driver usually drives both vehicles."""
    plan_id = plan_id_of(creates(planned(manager, searched_run)))
    run_lane(plan_id)
    adds_a_driver(manager, name="Lakshmi Iyer", language="en", vehicles="MH14AA1001, MH14AA1002")
    return plan_id


def queue(page: Page) -> list[str]:
    """Return each driver beside the message, with what is to come of them."""
    return [words(each.get_text(" ")) for each in page.all(".reminder-list li")]


def actions(services: Services) -> list[str]:
    with services.store.read() as connection:
        return [row.action for row in audit.newest(connection)]


def test_a_driver_gets_one_message_with_all_of_their_links(
    manager: WebClient, services: Services, plan_id: str
) -> None:
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    assert "By driver (1)" in page.text
    assert [words(each.get_text()) for each in page.all(".button-primary")] == [
        "WhatsApp to Lakshmi Iyer, in a new tab"
    ], "one way to one driver"
    step = manager.page(f"/fleet/plans/{plan_id}/share/messages")
    message = words(step.one(".phone-message").get_text())
    assert message.count("MH14 AA 100") == 2
    assert "/…" in message, "it can be paid before it was checked"
    sent = manager.read(step.submit("WhatsApp to Lakshmi Iyer, in a new tab"))
    address = unquote(str(sent.one("a.button-primary")["href"]))
    assert address.startswith("https://wa.me/919876543210?text=")
    assert address.count("/prepaid-payment/") == 2
    assert actions(services).count("share") == 2
    assert address.count("Hello Lakshmi Iyer") == 1
    after = manager.page(f"/fleet/plans/{plan_id}/share")
    assert words(after.one(".fleet-links").get_text()).count("sent ") == 2
    assert not after.all(".button-primary")
    assert "No driver is left" in manager.page(f"/fleet/plans/{plan_id}/share/messages").text


def test_who_comes_back_from_whatsapp_finds_in_the_row_that_it_was_sent_and_can_undo_it(
    manager: WebClient, services: Services, plan_id: str
) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    page = manager.page(address)
    row = page.one("li.fleet-driver")
    assert not row.select(".fleet-sent")
    page.submit("WhatsApp to Lakshmi Iyer, in a new tab")
    region = manager.region(str(row["hx-get"]), on=address)
    assert words(region.one(".fleet-sent").get_text()).startswith("Marked as sent to Lakshmi Iyer by WhatsApp · Undo")
    assert not region.all(".fleet-actions .button-primary"), "nobody is left to write to"
    undone = presses_in_place(manager, region, "Undo marking it as sent", "plan-share")
    assert not undone.all(".fleet-sent")
    assert undone.one("li.fleet-driver .button-primary")
    assert actions(services).count("share undone") == 2
    assert "sent " not in words(undone.one(".fleet-links").get_text())


def test_a_row_and_a_message_stay_until_it_is_recorded_as_sent(manager: WebClient, plan_id: str) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    row, step = manager.page(address).one("li.fleet-driver"), manager.page(f"{address}/messages")
    manager.region(str(row["hx-get"]), on=address, status=204)
    asked = {**HTMX, "HX-Target": "plan-message"}
    assert manager.get(str(step.one("#plan-message")["hx-get"]), headers=asked).status_code == 204
    step.submit("WhatsApp to Lakshmi Iyer, in a new tab")
    assert manager.region(str(row["hx-get"]), on=address).one(".fleet-sent")


def test_the_queue_goes_on_with_the_next_driver_and_the_last_message_can_be_undone(
    manager: WebClient, plan_id: str
) -> None:
    adds_a_driver(manager, name="Ravi", phone="98765 43211", language="en", vehicles="MH14AA1002")
    lakshmi = manager.page("/drivers").link("Lakshmi Iyer")
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001")
    step = manager.page(f"/fleet/plans/{plan_id}/share/messages")
    assert "1 of 2" in step.text
    assert "+91 98765 43210" in step.text
    assert queue(step) == ["Lakshmi Iyer ₹1,118.00", "Ravi ₹559.00"]
    step.submit("WhatsApp to Lakshmi Iyer, in a new tab")
    following = manager.region(str(step.one("#plan-message")["hx-get"]), on=f"/fleet/plans/{plan_id}/share/messages")
    assert "Ravi" in following.one("#plan-message-title").get_text()
    assert "Marked as sent to Lakshmi Iyer by WhatsApp" in words(following.one(".fleet-sent").get_text())
    assert queue(following) == ["Lakshmi Iyer Sent ₹1,118.00", "Ravi ₹559.00"]
    back = manager.read(following.submit("Undo marking it as sent"))
    assert "Lakshmi" in back.one("#plan-message-title").get_text()


def test_at_its_end_the_queue_says_who_was_skipped(manager: WebClient, plan_id: str) -> None:
    adds_a_driver(manager, name="Ravi", phone="98765 43211", language="en", vehicles="MH14AA1002")
    lakshmi = manager.page("/drivers").link("Lakshmi Iyer")
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001")
    address = f"/fleet/plans/{plan_id}/share/messages"
    step = manager.page(address)
    step.submit("WhatsApp to Lakshmi Iyer, in a new tab")
    ended = manager.page(manager.page(address).link("Skip"))
    assert "1 sent · 1 skipped: Ravi" in ended.everything
    assert "No driver is left" not in ended.everything
    assert words(ended.one(".button-primary").get_text()) == "WhatsApp to Ravi, in a new tab"


def test_drivers_and_links_without_one_are_shown_a_page_at_a_time(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]
) -> None:
    listed = [FleetVehicle(f"MH14SH{number:04}") for number in range(102)]
    for each in listed:
        levers.add_vehicle(each.rc, [{"challanNo": f"{each.rc}-1", "challanAmount": 500}])
    run_id = services.fleet_searches.start("Many", listed, None)
    run_lane(run_id)
    plan_id = plan_id_of(creates(planned(manager, run_id)))
    run_lane(plan_id)
    adds_a_driver(manager, name="Lakshmi Iyer", vehicles="MH14SH0005")
    first = manager.page(f"/fleet/plans/{plan_id}/share")
    second = manager.page(first.link("Next page"))
    assert "By driver (1)" in first.text
    assert "Nobody to send to (101)" in first.text
    assert [len(page.all("li.fleet-driver")) for page in (first, second)] == [100, 2]
    assert len(manager.page(second.link("Page before")).all("li.fleet-driver")) == 100
    assert len(manager.page(f"/fleet/plans/{plan_id}/share?page=99").all("li.fleet-driver")) == 2


def test_a_long_queue_shows_the_drivers_around_the_present_one() -> None:
    queue_of = tuple(DriverLinks(number, f"Driver {number}", "", "91", (), "") for number in range(1, 41))

    def shown(number: int) -> list[int]:
        step = PlanMessage("", queue_of[number - 1], number, queue_of, (), "", "en", "English", "", None)
        return [place for place, _driver in step.near]

    assert shown(1) == list(range(1, 11))
    assert shown(20) == list(range(18, 28))
    assert shown(40) == list(range(31, 41))


def test_undo_takes_back_the_last_message_alone(
    manager: WebClient, services: Services, clock: MovableClock, plan_id: str
) -> None:
    lakshmi = manager.page("/drivers").link("Lakshmi Iyer")
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001")
    address = f"/fleet/plans/{plan_id}/share"
    manager.page(address).submit("WhatsApp to Lakshmi Iyer, in a new tab")
    clock.advance(seconds=90)
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001, MH14AA1002")
    manager.page(address).submit("WhatsApp to Lakshmi Iyer, in a new tab")
    undone = presses_in_place(manager, manager.page(address), "Undo marking it as sent", "plan-share")
    assert actions(services).count("share undone") == 1
    first, second = (words(each.get_text()) for each in undone.all(".fleet-links li"))
    assert "sent " in first
    assert "sent " not in second


def test_another_persons_message_cannot_be_undone(manager: WebClient, admin: WebClient, plan_id: str) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    manager.page(address).submit("WhatsApp to Lakshmi Iyer, in a new tab")
    page = admin.page(address)
    assert "Undo" not in " ".join(page.buttons())
    fields = {"csrf_token": admin.csrf_token(), "share": ["1", "2"]}
    driver = str(page.one("li.fleet-driver")["data-row"])
    answer = admin.read(admin.post(f"{address}/{driver}/undo", data=fields))
    assert "Too late to undo" in answer.text
    assert words(answer.one("ul.fleet-links").get_text(" ")).count("sent ") == 2


def test_a_link_that_was_paid_meanwhile_is_left_out_of_the_message(
    manager: WebClient, levers: Levers, plan_id: str, services: Services, clock: MovableClock
) -> None:
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    paid = str(page.all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.pay(paid)
    clock.advance(seconds=10)
    sent = manager.read(page.submit("WhatsApp to Lakshmi Iyer, in a new tab"))
    assert unquote(str(sent.one("a.button-primary")["href"])).count("/prepaid-payment/") == 1
    assert actions(services).count("share") == 1


def test_vehicles_without_one_usual_driver_are_listed(manager: WebClient, plan_id: str) -> None:
    adds_a_driver(manager, name="Ravi", phone="98765 43211", vehicles="MH14AA1002")
    text = manager.page(f"/fleet/plans/{plan_id}/share").text
    assert "Nobody to send to (1)" in text
    assert "Several usual drivers" in text


def chooses(manager: WebClient, plan_id: str, **fields: str | None) -> Page:
    """Choose a driver for the only link without one, and return what opens."""
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    form = manager.page(page.link("Choose a driver · MH14 AA 1009"))
    return manager.read(form.submit("WhatsApp to the chosen driver, in a new tab", **fields))


@pytest.fixture
def without(manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]) -> str:
    """Return a plan of a link whose vehicle nobody usually drives; Ravi drives no vehicle."""
    levers.add_vehicle("MH14AA1009", [{"challanNo": "MH14AA1009-9", "challanAmount": 500}])
    run_id = services.fleet_searches.start("One", [FleetVehicle("MH14AA1009")], None)
    run_lane(run_id)
    plan_id = plan_id_of(creates(planned(manager, run_id)))
    run_lane(plan_id)
    adds_a_driver(manager, name="Ravi", phone="98765 43211", language="en", vehicles="")
    return plan_id


def driver_of(services: Services, name: str) -> tuple[str, list[str]]:
    with services.store.read() as connection:
        [found] = [each for each in drivers.listed(connection) if each.name == name]
        return str(found.id), drivers.vehicles(connection, [found.id])[found.id]


def test_a_driver_is_chosen_in_the_plan_for_a_vehicle_without_one_and_becomes_its_usual_driver(
    manager: WebClient, services: Services, without: str
) -> None:
    ravi, _none = driver_of(services, "Ravi")
    sent = chooses(manager, without, driver=ravi)
    assert unquote(str(sent.one("a.button-primary")["href"])).startswith("https://wa.me/919876543211?text=Hello Ravi")
    assert driver_of(services, "Ravi") == (ravi, ["MH14AA1009"])
    page = manager.page(f"/fleet/plans/{without}/share")
    assert "By driver (1)" in page.text
    assert "Marked as sent to Ravi by WhatsApp" in page.text
    assert actions(services)[:2] == ["driver changed", "share"]


@pytest.mark.parametrize(
    "button", ["WhatsApp to the chosen driver, in a new tab", "WhatsApp to the new driver, in a new tab"]
)
def test_nobody_is_offered_a_message_that_is_being_sent(
    manager: WebClient, services: Services, levers: Levers, clock: MovableClock, without: str, button: str
) -> None:
    driver = driver_of(services, "Ravi")[0]
    address = f"/fleet/plans/{without}/share"
    form = manager.page(manager.page(address).link("Choose a driver · MH14 AA 1009"))
    fields = {"driver": driver} if "chosen" in button else {"name": "Suresh", "phone": "98765 43299"}
    clock.advance(seconds=60)
    levers.fault("link_status", "delay", seconds=1)
    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(form.submit, button, **fields)
        while not sending.done():
            text = manager.page(address).text
            assert "Nobody to send to (1)" in text or "Marked as sent to" in text
    assert sending.result().status_code == 303
    assert "1 of 1 driver has the message" in manager.page(address).text


def test_a_chosen_driver_stays_the_usual_one_where_the_link_cannot_be_checked(
    manager: WebClient, services: Services, levers: Levers, clock: MovableClock, without: str
) -> None:
    ravi, _none = driver_of(services, "Ravi")
    clock.advance(seconds=60)
    levers.fault("link_status", "status", status=503, count=9)
    chooses(manager, without, driver=ravi)
    text = manager.page(f"/fleet/plans/{without}/share").text
    assert "0 of 1 driver has the message" in text
    assert driver_of(services, "Ravi") == (ravi, ["MH14AA1009"])


def adds_new(manager: WebClient, plan_id: str, **fields: str | None) -> Page:
    """Add a driver for the only link without one, and return what opens."""
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    form = manager.page(page.link("Choose a driver · MH14 AA 1009"))
    return manager.read(form.submit("WhatsApp to the new driver, in a new tab", **fields))


def test_a_new_driver_is_added_where_nobody_drives_a_vehicle_and_gets_its_message(
    manager: WebClient, services: Services, without: str
) -> None:
    sent = adds_new(manager, without, name="Suresh Patil", phone="98765 43299", language="en")
    address = unquote(str(sent.one("a.button-primary")["href"]))
    assert address.startswith("https://wa.me/919876543299?text=Hello Suresh Patil")
    assert driver_of(services, "Suresh Patil")[1] == ["MH14AA1009"]
    assert actions(services)[:3] == ["driver changed", "share", "driver added"]
    assert "By driver (1)" in manager.page(f"/fleet/plans/{without}/share").text


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"name": "", "phone": "98765 43299"}, "name"),
        ({"name": "Suresh", "phone": ""}, "Enter the number for WhatsApp."),
        ({"name": "Suresh", "phone": "12"}, "ten digits"),
        ({"name": "Suresh", "phone": "98765 43211"}, "is Ravi already."),
    ],
)
def test_a_new_driver_without_a_name_or_a_number_of_their_own_gets_nothing(
    manager: WebClient, services: Services, without: str, fields: dict[str, str], problem: str
) -> None:
    page = adds_new(manager, without, language="en", usual=None, **fields)
    assert page.status == 422
    assert problem in page.one("details[open] .field-error").get_text()
    assert page.field("Name")["value"] == fields["name"]
    assert "share" not in actions(services)
    assert actions(services).count("driver added") == 1, "only Ravi was added before"


def test_a_chosen_driver_who_is_not_to_be_the_usual_one_is_listed_until_that_is_undone(
    manager: WebClient, services: Services, without: str
) -> None:
    ravi, _none = driver_of(services, "Ravi")
    page = manager.page(f"/fleet/plans/{without}/share")
    row = page.one("li.fleet-driver")
    chooses(manager, without, driver=ravi, usual=None)
    assert driver_of(services, "Ravi") == (ravi, [])
    region = manager.region(str(row["hx-get"]), on=f"/fleet/plans/{without}/share")
    assert "Marked as sent to Ravi by WhatsApp" in region.text
    assert "Nobody to send to" not in region.text
    undone = presses_in_place(manager, region, "Undo marking it as sent", "plan-share")
    assert "Nobody to send to (1)" in undone.text


@pytest.mark.parametrize("is_usual", [True, False])
def test_whoever_becomes_the_usual_driver_gets_all_links_of_the_vehicle_in_one_message(
    manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int], *, is_usual: bool
) -> None:
    listed = [{"challanNo": f"MH14AA1010-{n}", "challanAmount": 500} for n in range(101)]
    levers.add_vehicle("MH14AA1010", listed)
    run_lane(run_id := services.fleet_searches.start("Two links", [FleetVehicle("MH14AA1010")], None))
    run_lane(plan_id := plan_id_of(creates(planned(manager, run_id))))
    adds_a_driver(manager, name="Ravi", phone="98765 43211", language="en", vehicles="")
    ravi, _none = driver_of(services, "Ravi")
    address = f"/fleet/plans/{plan_id}/share"
    form = manager.page(manager.page(address).link("Choose drivers (2)"))
    assert form.field("Also the usual driver of MH14 AA 1010, who gets all its links").has_attr("checked")
    assert len(form.all("main .button-primary")) == 1
    assert re.fullmatch(r"Nobody to send to \(2\) · ₹[\d,.]+", words(form.one("#without-title").get_text(" ")))
    usual = {} if is_usual else {"usual": None}
    sent = manager.read(form.submit("WhatsApp to the chosen driver, in a new tab", driver=ravi, **usual))
    assert unquote(str(sent.one("a.button-primary")["href"])).count("/prepaid-payment/") == (2 if is_usual else 1)
    text = manager.page(address).text
    assert "1 of 1 driver has the message" in text
    assert ("Nobody to send to (1)" in text) is not is_usual


@pytest.mark.parametrize("driver", ["", "999", "many"])
def test_a_link_goes_to_nobody_while_no_driver_is_chosen(
    manager: WebClient, services: Services, without: str, driver: str
) -> None:
    page = chooses(manager, without, driver=driver, usual=None)
    assert page.status == 422
    assert "Choose a driver." in page.text
    assert not page.field("Also the usual driver of MH14 AA 1009").has_attr("checked")
    assert "share" not in actions(services)


def test_only_links_of_the_plan_are_given_to_a_chosen_driver(manager: WebClient, plan_id: str, without: str) -> None:
    other = manager.page(f"/fleet/plans/{plan_id}/share").all(".fleet-links a")[0]
    link_id = str(other["href"]).rpartition("/")[2]
    fields = {"csrf_token": manager.csrf_token(), "driver": "1"}
    assert manager.post(f"/fleet/plans/{without}/share/links/{link_id}", data=fields).status_code == 404


def test_what_is_paid_is_not_in_the_sum_of_a_driver(
    manager: WebClient, levers: Levers, services: Services, plan_id: str
) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    assert "₹1,677.00" in manager.page(address).one(".fleet-driver-sum").get_text()
    paid = str(manager.page(address).all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.pay(paid)
    services.link_poller.require_fresh(paid)
    assert words(manager.page(address).one(".fleet-driver-sum").get_text()) in ("₹559.00", "₹1,118.00")


def test_the_sheet_has_a_code_with_plate_amount_and_deadline_for_each_link(
    manager: WebClient, levers: Levers, services: Services, plan_id: str
) -> None:
    page = manager.page(f"/fleet/plans/{plan_id}/sheet")
    codes = [words(each.get_text(" ")) for each in page.all(".fleet-code")]
    assert len(page.all("svg.qr")) == 2
    assert all("₹" in each and "Pay before " in each and "Lakshmi Iyer" in each for each in codes)
    assert all(each.count("MH14 AA 100") == each.count("₹") == 1 for each in codes)
    paid = str(manager.page(f"/fleet/plans/{plan_id}/share").all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.pay(paid)
    services.link_poller.require_fresh(paid)
    assert len(manager.page(f"/fleet/plans/{plan_id}/sheet").all("svg.qr")) == 1


def test_the_links_are_exported(manager: WebClient, services: Services, plan_id: str) -> None:
    lines = manager.get(f"/fleet/plans/{plan_id}/links.csv").get_data().decode("utf-8-sig").splitlines()
    assert len(lines) == 3
    assert lines[1].startswith("MH14AA1001,Created,created,2,")
    assert "/prepaid-payment/" in lines[1]
    assert "Lakshmi Iyer" in lines[1]
    workbook = manager.get(f"/fleet/plans/{plan_id}/links.xlsx")
    assert workbook.mimetype.endswith("spreadsheetml.sheet")
    assert actions(services)[:2] == ["export", "export"]


@pytest.mark.parametrize("place", ["share", "share/messages", "sheet"])
def test_a_plan_of_a_manager_is_not_shared_by_staff(staff: WebClient, plan_id: str, place: str) -> None:
    assert staff.get(f"/fleet/plans/{plan_id}/{place}").status_code == 404


def test_staff_export_no_plan(staff: WebClient, plan_id: str) -> None:
    assert staff.get(f"/fleet/plans/{plan_id}/links.csv").status_code == 403


def test_the_codes_of_a_driver_follow_each_other_and_ask_in_the_drivers_language(
    manager: WebClient, plan_id: str
) -> None:
    lakshmi = manager.page("/drivers").link("Lakshmi Iyer")
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001", language="hi")
    adds_a_driver(manager, name="Anil", phone="98765 43211", language="en", vehicles="MH14AA1002")
    codes = manager.page(f"/fleet/plans/{plan_id}/sheet").all(".fleet-code")
    assert [words(each.select(".fleet-code-driver")[0].get_text()) for each in codes] == ["Anil", "Lakshmi Iyer"]
    assert "Scan to pay" in words(codes[0].get_text(" "))
    assert words(codes[0].get_text(" ")).endswith("1 challan Anil")
    said = " ".join(words(each.get_text(" ")) for each in codes[1].select("[lang=hi]"))
    assert all(each in said for each in ("भुगतान के लिए स्कैन करें", "से पहले भुगतान करें", "2 चालान"))
    assert not re.search("[a-z]", codes[1].get_text().replace("Lakshmi Iyer", "")), "one language"


def test_after_a_choice_the_next_link_without_a_driver_is_chosen_for(
    manager: WebClient, searched_run: str, run_lane: Callable[..., int]
) -> None:
    run_lane(plan_id := plan_id_of(creates(planned(manager, searched_run))))
    address = f"/fleet/plans/{plan_id}/share"
    choosing = manager.page(manager.page(address).link("Choose drivers (2)"))
    [row] = [each for each in choosing.all("li.fleet-driver") if each.select("form")]
    fields = {"name": "Ravi", "phone": "98765 43211", "language": "en"}
    choosing.submit("WhatsApp to the new driver, in a new tab", **fields)
    region = manager.region(str(row["hx-get"]), on=address)
    [following] = [each for each in region.all("li.fleet-driver") if each.select("#driver")]
    assert following["id"] != row["id"]
