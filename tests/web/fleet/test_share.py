"""Test how the links of a plan reach their drivers."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

import pytest

from dashboard.domain.fleet import FleetVehicle
from dashboard.services.container import Services
from dashboard.store.accounts import audit
from dashboard.web.fleet import unsent_links
from dashboard.web.fleet.share_records import DriverLinks, PlanMessage
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.oracle import DENIALS
from tests.support.page import Page, words
from tests.support.web_client import HTMX, WebClient
from tests.web.fleet.test_review import creates, plan_id_of, planned
from tests.web.sharing.steps import adds_a_driver
from tests.web.steps import presses_in_place

SUMS_THAT_DO_NOT_MATCH = {"baseAmount": 500, "legalFee": 50, "gst": 9, "convenienceFee": 0, "totalAmount": 600}


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
    assert [words(each.get_text()) for each in page.all(".button-primary")] == ["Send to Lakshmi Iyer, in a new tab"], (
        "one way to one driver"
    )
    step = manager.page(f"/fleet/plans/{plan_id}/share/messages")
    message = words(step.one(".phone-message").get_text())
    assert message.count("MH14 AA 100") == 2
    assert "/…" in message, "it can be paid before it was checked"
    sent = manager.read(step.submit("Send to Lakshmi Iyer on WhatsApp (in a new tab)"))
    address = unquote(sent.link("Open WhatsApp again"))
    assert address.startswith("https://wa.me/919876543210?text=")
    assert address.count("/prepaid-payment/") == 2
    assert len(sent.all(".reminder-links > li > .amount")) == 2, "as of any message"
    assert sent.link("Next message") == f"/fleet/plans/{plan_id}/share/messages"
    assert [words(each.get_text()) for each in sent.all("a.button-primary")] == ["Next message"]
    assert re.search(r"Sent \d+:\d\d [ap]m", sent.text)
    assert actions(services).count("share") == 2
    assert address.count("Hello Lakshmi Iyer") == 1
    after = manager.page(f"/fleet/plans/{plan_id}/share")
    assert words(after.one(".fleet-driver").get_text(" ")).count("Sent ") == 1, "said once"
    assert not after.all(".button-primary")
    assert "1 driver has the message." in manager.page(f"/fleet/plans/{plan_id}/share/messages").text


def test_who_comes_back_from_whatsapp_finds_in_the_row_that_it_was_sent_and_can_undo_it(
    manager: WebClient, services: Services, plan_id: str
) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    page = manager.page(address)
    row = page.one("li.fleet-driver")
    assert not row.select(".fleet-sent")
    page.submit("Send to Lakshmi Iyer, in a new tab")
    region = manager.region(str(row["hx-get"]), on=address)
    assert re.fullmatch(
        r"Sent \d+:\d\d [ap]m Undo marking it as sent, Lakshmi Iyer",
        words(region.one(".fleet-sent").get_text(" ")),
    )
    assert region.one(".fleet-driver-act .fleet-sent"), "where the button was"
    assert not region.all(".fleet-actions .button-primary"), "nobody is left to write to"
    undone = presses_in_place(manager, region, "Undo marking it as sent, Lakshmi Iyer", "plan-share")
    assert not undone.all(".fleet-sent")
    assert undone.one("li.fleet-driver .button-primary")
    assert actions(services).count("share undone") == 2
    assert "Sent" not in words(undone.one(".fleet-driver").get_text())


def test_when_all_is_sent_the_page_says_what_is_paid_and_where_the_rest_is_followed_up(
    manager: WebClient, services: Services, levers: Levers, plan_id: str
) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    page = manager.page(address)
    assert "paid" not in words(page.one(".fleet-share-sum").get_text(" "))
    assert "comes back" not in page.text
    page.submit("Send to Lakshmi Iyer, in a new tab")
    paid = str(page.all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.pay(paid)
    services.link_poller.require_fresh(paid)
    page = manager.page(address)
    said = words(page.one(".fleet-share-sum").get_text(" "))
    assert "₹559.00 still to pay · ₹1,118.00 paid · 2 links, all sent" in said
    assert "What stays unpaid comes back in Follow up ." in page.text
    assert page.link("Follow up") == "/follow-up"


@pytest.fixture
def mostly_driverless(manager: WebClient, services: Services, levers: Levers, run_lane: Callable[..., int]) -> str:
    """Return the address where the links of a plan are sent, of which one vehicle in three has a driver."""
    for rc in ("MH14AA3001", "MH14AA3002", "MH14AA3003"):
        levers.add_vehicle(rc, [{}])
    listed = [FleetVehicle(rc) for rc in ("MH14AA3001", "MH14AA3002", "MH14AA3003")]
    run_id = services.fleet_searches.start("Three", listed, None)
    run_lane(run_id)
    plan_id = plan_id_of(creates(planned(manager, run_id)))
    run_lane(plan_id)
    adds_a_driver(manager, name="Lakshmi Iyer", language="en", vehicles="MH14AA3001")
    return f"/fleet/plans/{plan_id}/share"


def test_what_is_sent_is_not_said_to_come_back_while_others_have_nobody(
    manager: WebClient, mostly_driverless: str
) -> None:
    manager.page(mostly_driverless).submit("Send to Lakshmi Iyer, in a new tab")
    page = manager.page(mostly_driverless)
    assert "1 of 3 links sent" in words(page.one(".fleet-share-sum").get_text(" "))
    assert "What stays unpaid comes back" not in page.text, "drivers are chosen before"


def test_choosing_drivers_comes_first_while_most_links_have_nobody(manager: WebClient, mostly_driverless: str) -> None:
    page = manager.page(mostly_driverless)
    assert [words(each.get_text()) for each in page.all(".button-primary")] == ["Choose drivers for 2 vehicles"]
    titles = [words(each.get_text()) for each in page.all(".section-title")]
    assert titles == ["No driver yet (2)", "By driver (1)"], "what it comes to is said once, above them"
    assert {words(each.get_text()).partition(" · ")[0][-9:] for each in page.all(".fleet-links li")} == {"1 challan"}
    assert "Opening WhatsApp checks the links, and records the message as sent." in page.text
    adds_a_driver(manager, name="Ramesh Kumar", vehicles="MH14AA3002, MH14AA3003", phone="98765 43211")
    page = manager.page(mostly_driverless)
    assert [words(each.get_text()) for each in page.all(".button-primary")] == ["Message 2 drivers, one by one"]


def test_a_row_and_a_message_stay_until_it_is_recorded_as_sent(manager: WebClient, plan_id: str) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    row, step = manager.page(address).one("li.fleet-driver"), manager.page(f"{address}/messages")
    manager.region(str(row["hx-get"]), on=address, status=204)
    asked = {**HTMX, "HX-Target": "plan-message"}
    assert manager.get(str(step.one("#plan-message")["hx-get"]), headers=asked).status_code == 204
    step.submit("Send to Lakshmi Iyer on WhatsApp (in a new tab)")
    assert manager.region(str(row["hx-get"]), on=address).one(".fleet-sent")


def test_the_queue_goes_on_with_the_next_driver_and_the_last_message_can_be_undone(
    manager: WebClient, plan_id: str
) -> None:
    adds_a_driver(manager, name="Ravi", phone="98765 43211", language="en", vehicles="MH14AA1002")
    lakshmi = manager.page("/drivers").link("Lakshmi Iyer")
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001")
    step = manager.page(f"/fleet/plans/{plan_id}/share/messages")
    assert "Next: 1 of 2 to message" in step.one("#plan-message-title").get_text()
    assert words(step.one("#queue-title").get_text()) == "0 of 2 drivers messaged"
    assert "+91 98765 43210" in step.text
    assert queue(step) == ["Lakshmi Iyer ₹1,118.00", "Ravi ₹559.00"]
    step.submit("Send to Lakshmi Iyer on WhatsApp (in a new tab)")
    following = manager.region(str(step.one("#plan-message")["hx-get"]), on=f"/fleet/plans/{plan_id}/share/messages")
    assert "Ravi" in following.one("#plan-message-title").get_text()
    assert "Next: 1 of 1 to message" in following.one("#plan-message-title").get_text()
    assert words(following.one("#queue-title").get_text()) == "1 of 2 drivers messaged"
    first, second = queue(following)
    assert re.fullmatch(r"Lakshmi Iyer ₹1,118.00 Sent \d+:\d\d [ap]m Undo marking it as sent, Lakshmi Iyer", first)
    assert second == "Ravi ₹559.00"
    back = manager.read(following.submit("Undo marking it as sent, Lakshmi Iyer"))
    assert "Lakshmi" in back.one("#plan-message-title").get_text()


def test_at_its_end_the_queue_says_who_was_skipped(manager: WebClient, plan_id: str) -> None:
    adds_a_driver(manager, name="Ravi", phone="98765 43211", language="en", vehicles="MH14AA1002")
    lakshmi = manager.page("/drivers").link("Lakshmi Iyer")
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001")
    address = f"/fleet/plans/{plan_id}/share/messages"
    step = manager.page(address)
    step.submit("Send to Lakshmi Iyer on WhatsApp (in a new tab)")
    ended = manager.page(manager.page(address).link("Skip"))
    assert "1 sent · 1 skipped: Ravi" in ended.everything
    assert "No driver is left" not in ended.everything
    assert words(ended.one(".button-primary").get_text()) == "Send to Ravi, in a new tab"


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
    assert "No driver yet (101)" in first.text
    assert "By driver (1)" in second.text
    assert [len(page.all("li.fleet-driver")) for page in (first, second)] == [100, 2]
    assert len(manager.page(second.link("Page before")).all("li.fleet-driver")) == 100
    assert len(manager.page(f"/fleet/plans/{plan_id}/share?page=99").all("li.fleet-driver")) == 2


def test_a_long_queue_shows_the_drivers_around_the_present_one() -> None:
    queue_of = tuple(DriverLinks(number, f"Driver {number}", "", "91", (), "") for number in range(1, 41))

    def shown(number: int) -> list[int]:
        step = PlanMessage("", queue_of[number - 1], number, queue_of, (), "", "en", "English", "")
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
    manager.page(address).submit("Send to Lakshmi Iyer, in a new tab")
    clock.advance(seconds=90)
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001, MH14AA1002")
    manager.page(address).submit("Send 1 of 2 links to Lakshmi Iyer, in a new tab")
    undone = presses_in_place(manager, manager.page(address), "Undo marking it as sent, Lakshmi Iyer", "plan-share")
    assert actions(services).count("share undone") == 1
    first, second = (words(each.get_text()) for each in undone.all(".fleet-links li"))
    assert "sent " in first
    assert "sent " not in second


def test_another_persons_message_cannot_be_undone(manager: WebClient, admin: WebClient, plan_id: str) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    manager.page(address).submit("Send to Lakshmi Iyer, in a new tab")
    page = admin.page(address)
    assert "Undo" not in " ".join(page.buttons())
    assert "Remind to Lakshmi Iyer, in a new tab" in page.buttons(), "once nothing beside it takes the message back"
    fields = {"csrf_token": admin.csrf_token(), "share": ["1", "2"]}
    driver = str(page.one("li.fleet-driver")["data-row"])
    answer = admin.read(admin.post(f"{address}/{driver}/undo", data=fields))
    assert "Too late to undo" in answer.text
    assert "Sent" in answer.one(".fleet-sent").get_text()


def test_a_link_that_was_paid_meanwhile_is_left_out_of_the_message(
    manager: WebClient, levers: Levers, plan_id: str, services: Services, clock: MovableClock
) -> None:
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    paid = str(page.all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.pay(paid)
    clock.advance(seconds=10)
    sent = manager.read(page.submit("Send to Lakshmi Iyer, in a new tab"))
    assert unquote(sent.link("Open WhatsApp again")).count("/prepaid-payment/") == 1
    assert actions(services).count("share") == 1


def test_vehicles_without_one_usual_driver_are_listed(manager: WebClient, plan_id: str) -> None:
    adds_a_driver(manager, name="Ravi", phone="98765 43211", vehicles="MH14AA1002")
    text = manager.page(f"/fleet/plans/{plan_id}/share").text
    assert "No driver yet (1)" in text
    assert "Several usual drivers" in text


def test_a_link_to_check_first_is_not_counted_among_those_that_wait_for_a_driver(
    manager: WebClient, levers: Levers, services: Services, plan_id: str
) -> None:
    manager.page(manager.page("/drivers").link("Lakshmi Iyer")).submit("Save the driver", vehicles="")
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    assert words(page.one("#without-title").get_text(" ")) == "No driver yet (2)"
    odd = str(page.all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.set_link(odd, status="ON_HOLD")
    services.link_poller.require_fresh(odd)
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    said = words(page.one("#without-title").get_text(" "))
    assert said == "No driver yet (2) · 1 to check first", "as many as there are rows"
    assert words(page.one(".fleet-share-sum > .fleet-unsent").get_text()) == (
        "1 without a driver · 1 to check first (₹1,118.00)"
    )


@pytest.mark.parametrize(
    ("oddness", "why", "briefly"),
    [
        ({"status": "ON_HOLD"}, "We do not know this state.", "we do not know this state"),
        ({"raw": {"paymentUrl": "http://pay.test/1"}}, "URL is not safe (not https).", "payment URL not safe"),
        ({"raw": {"amount": SUMS_THAT_DO_NOT_MATCH}}, "₹600.00", "amounts do not match"),
    ],
    ids=["state", "address", "amounts"],
)
def test_what_holds_a_link_back_holds_it_back_in_its_plan(
    manager: WebClient,
    levers: Levers,
    services: Services,
    plan_id: str,
    oddness: dict[str, Any],
    why: str,
    briefly: str,
) -> None:
    address, plan = f"/fleet/plans/{plan_id}/share", f"/fleet/plans/{plan_id}"
    odd = str(manager.page(address).all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.set_link(odd, **oddness)
    services.link_poller.require_fresh(odd)
    page = manager.page(address)
    split = words(page.one(".fleet-share-sum > .fleet-unsent").get_text())
    assert re.fullmatch(r"1 to send · 1 to check first \(₹[\d,.]+\)", split)
    sent_now, held = page.all(".fleet-links li")
    assert words(sent_now.get_text(" ")).endswith("1 challan"), "what goes out stands first"
    assert words(page.one(".fleet-driver-sum").get_text()) == "₹559.00", "once, for the only link that counts"
    is_odd = "status" in oddness
    assert words(held.select_one("span ~ span").get_text()) == ("ON_HOLD" if is_odd else "not sent")
    assert not held.select(".amount")
    assert why in page.one(".fleet-link-note").get_text()
    assert page.link("Check first · MH14 AA 1001") == f"/links/{odd}"
    step = manager.page(f"{address}/messages")
    assert odd not in "".join(each.decode() for each in step.all("#plan-message .fleet-links, .phone-message"))
    codes = manager.page(f"{plan}/sheet")
    assert len(codes.all("svg.qr")) == 1
    assert codes.link("Check first · MH14 AA 1001") == f"/links/{odd}"
    assert words(codes.one("#held-title").get_text()) == "Not printed (1)"
    said = words(codes.one(".fleet-held > p").get_text(" "))
    assert said.startswith("ON_HOLD") is is_odd
    assert why in said
    rows = manager.page(plan)
    assert rows.link("Check first · MH14 AA 1001") == f"/links/{odd}"
    assert words(rows.all("tbody tr")[0].select_one(".at-state .sub").get_text()) == briefly
    assert "Not sent yet" not in rows.all("tbody tr")[0].get_text()
    sent = manager.read(page.submit("Send 1 of 2 links to Lakshmi Iyer, in a new tab"))
    assert unquote(sent.link("Open WhatsApp again")).count("/prepaid-payment/") == 1
    opened = f"{address}/{page.one('li.fleet-driver')['data-row']}?link={odd}"
    assert manager.get(opened).status_code == 303, "no address opens a message about it"


def test_a_link_that_its_last_check_finds_odd_is_left_out_of_the_message(
    manager: WebClient, levers: Levers, services: Services, clock: MovableClock, plan_id: str
) -> None:
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    levers.set_link(str(page.all(".fleet-links a")[0]["href"]).rpartition("/")[2], status="ON_HOLD")
    clock.advance(seconds=10)
    sent = manager.read(page.submit("Send to Lakshmi Iyer, in a new tab"))
    assert unquote(sent.link("Open WhatsApp again")).count("/prepaid-payment/") == 1
    assert actions(services).count("share") == 1


def test_a_driver_whose_links_are_all_to_be_checked_is_sent_nothing(
    manager: WebClient, levers: Levers, services: Services, plan_id: str
) -> None:
    lakshmi = manager.page("/drivers").link("Lakshmi Iyer")
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001")
    for each in manager.page(f"/fleet/plans/{plan_id}/share").all(".fleet-links a"):
        link_id = str(each["href"]).rpartition("/")[2]
        levers.set_link(link_id, status="ON_HOLD")
        services.link_poller.require_fresh(link_id)
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    acts = [words(each.get_text(" ")) for each in page.all(".fleet-driver-act > *")]
    assert acts == ["Check first · MH14 AA 1001", "Check first · MH14 AA 1002"]
    plan = manager.page(f"/fleet/plans/{plan_id}")
    assert not plan.all("#plan-send, #plan-choose"), "nobody is to be sent anything, or to be chosen"


def test_the_head_of_the_drivers_says_how_much_and_until_when(manager: WebClient, plan_id: str) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    manager.page(manager.page("/drivers").link("Lakshmi Iyer")).submit("Save the driver", vehicles="MH14AA1001")
    head = words(manager.page(address).one(".fleet-share-sum").get_text(" "))
    until = r"(first ends|valid till) .*\d [ap]m"
    assert re.fullmatch(rf"₹1,677\.00 to pay · 2 links, none sent · {until} · 1 to send · 1 without a driver", head), (
        head
    )
    manager.page(address).submit("Send to Lakshmi Iyer, in a new tab")
    assert "· 1 of 2 links sent ·" in words(manager.page(address).one(".fleet-share-sum").get_text(" "))


def test_the_head_counts_apart_what_cannot_be_sent_yet(
    manager: WebClient, levers: Levers, services: Services, plan_id: str
) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    link_id = str(manager.page(address).all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.set_link(link_id, status="ON_HOLD")
    services.link_poller.require_fresh(link_id)
    head = words(manager.page(address).one(".fleet-share-sum").get_text(" "))
    step = manager.page(f"{address}/messages")
    held = step.one("#plan-message .fleet-lacks")
    assert words(held.get_text(" ")).startswith("MH14 AA 1001 is not in this message. Check first")
    assert step.link("Check first · MH14 AA 1001") == f"/links/{link_id}"
    sheet = manager.page(f"{address.removesuffix('share')}sheet").one(".fleet-head .fleet-lacks")
    assert words(sheet.get_text()) == "1 link is not printed: 1 to check first", "before anybody prints"
    split = "1 to send · 1 to check first"
    assert "· 2 links, none sent ·" in head
    assert head.endswith(f" · {split} ( ₹1,118.00 )")
    assert head.startswith("₹1,677.00 to pay"), "of which that is a part"
    plan = manager.page(address.removesuffix("/share"))
    assert words(plan.one("#plan-panel .fleet-unsent").get_text()) == split
    [recent] = [each for each in manager.page("/fleet").all(".fleet-work") if each.select(".fleet-unsent")]
    assert words(recent.select_one(".fleet-unsent").get_text()) == split
    acts = [words(recent.select_one(".button").get_text()), words(plan.one("#plan-send").get_text())]
    assert [each.partition(" · ")[0] for each in acts] == ["Send to 1 driver"] * 2


@pytest.mark.parametrize("url", ["http://pay.test/1", ""], ids=["not safe", "none"])
def test_of_many_links_too_one_without_a_safe_address_is_counted_as_to_check_first(
    manager: WebClient,
    levers: Levers,
    services: Services,
    plan_id: str,
    monkeypatch: pytest.MonkeyPatch,
    url: str,
) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    link_id = str(manager.page(address).all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.set_link(link_id, raw={"paymentUrl": url})
    services.link_poller.require_fresh(link_id)
    monkeypatch.setattr(unsent_links, "_MOST_READ", 1)
    plan = manager.page(address.removesuffix("/share"))
    assert words(plan.one("#plan-panel .fleet-unsent").get_text()) == "1 to send · 1 to check first"


def test_the_page_that_sends_and_the_plan_say_the_same_sum(
    manager: WebClient, levers: Levers, services: Services, plan_id: str
) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    page = manager.page(address)
    page.submit("Send to Lakshmi Iyer, in a new tab")
    link_id = str(page.all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.set_link(link_id, status="ON_HOLD")
    services.link_poller.require_fresh(link_id)
    assert words(manager.page(address).one(".fleet-share-sum > :first-child").get_text(" ")) == (
        "₹1,677.00 still to pay"
    )
    assert "₹1,677.00 still to pay" in words(manager.page(address.removesuffix("/share")).one("#plan-panel").get_text())


def test_links_of_a_driver_without_a_phone_number_are_counted_apart(manager: WebClient, plan_id: str) -> None:
    manager.page(manager.page("/drivers").link("Lakshmi Iyer")).submit("Save the driver", phone="")
    page = manager.page(f"/fleet/plans/{plan_id}/share")
    assert words(page.one(".fleet-share-sum").get_text(" ")).endswith("2 without a phone number")
    assert "2 without a phone number" in manager.page(f"/fleet/plans/{plan_id}").text


def test_the_queue_says_what_no_message_of_it_has(manager: WebClient, mostly_driverless: str) -> None:
    adds_a_driver(manager, name="Ramesh Yadav", phone="98765 43299", vehicles="MH14AA3002")
    left_out = "Not in this list: 1 without "
    assert f"{left_out}a driver" in manager.page(f"{mostly_driverless}/messages").one(".reminder-queue").get_text()
    adds_a_driver(manager, name="Suresh Patil", phone="", vehicles="MH14AA3003")
    assert (
        f"{left_out}a phone number" in manager.page(f"{mostly_driverless}/messages").one(".reminder-queue").get_text()
    )


def test_the_head_counts_the_links_of_the_plan_that_are_not_here(
    manager: WebClient, levers: Levers, searched_run: str, run_lane: Callable[..., int]
) -> None:
    plan_id = plan_id_of(creates(planned(manager, searched_run)))
    address = f"/fleet/plans/{plan_id}/share"
    assert not manager.page(address).all(".fleet-lacks"), "none was tried"
    run_lane(plan_id, 1)
    said = words(manager.page(address).one(".fleet-lacks").get_text(" "))
    assert said == "1 of 2 links is not here: 1 still to create. Open the plan"
    levers.break_a4()
    run_lane(plan_id)
    line = manager.page(address).one(".fleet-lacks")
    assert words(line.get_text(" ")) == "1 of 2 links is not here: 1 may exist. Open the plan"
    assert not DENIALS.search(line.get_text())
    assert line.a
    assert line.a["href"] == f"/fleet/plans/{plan_id}"
    on_sheet = manager.page(f"/fleet/plans/{plan_id}/sheet").one(".fleet-lacks")
    assert on_sheet.get_text() == line.get_text(), "before codes are printed too"


def test_a_driver_with_a_link_still_to_create_is_not_sent_half_of_the_links_first(
    manager: WebClient, searched_run: str, run_lane: Callable[..., int]
) -> None:
    plan_id = plan_id_of(creates(planned(manager, searched_run)))
    address = f"/fleet/plans/{plan_id}"
    adds_a_driver(manager, name="Lakshmi Iyer", language="en", vehicles="MH14AA1001, MH14AA1002")
    run_lane(plan_id, 1)
    assert words(manager.page(address).one("#plan-send").get_text()) == "Send to 1 driver"
    assert words(manager.page(address).one(".fleet-unsent").get_text()) == "1 driver waits for 1 more link"
    of_row = manager.page(address).one("tbody button[id^='send-']")
    assert words(of_row.get_text()).startswith("Send 1 of 2 links"), "so does the row"
    assert "fleet-act-next" not in of_row["class"]
    waits = "1 more link is still to create: wait, and one message carries all."
    pages = [manager.page(f"{address}/{place}") for place in ("share", "share/messages")]
    assert [page.text.count(waits) for page in pages] == [1, 1]
    assert not pages[0].all(".fleet-unsent"), "said once"
    assert ["Send 1 of 2 links to Lakshmi Iyer, in a new tab" in page.buttons() for page in pages] == [True, True]
    assert not pages[1].all("main [autofocus]")
    assert not [each for page in (manager.page(address), *pages) for each in page.all("main .button-primary")]
    run_lane(plan_id)
    assert words(manager.page(address).one("main .button-primary").get_text()) == "Send to 1 driver"
    page = manager.page(f"{address}/share")
    assert waits not in page.text
    assert page.all(".fleet-driver .button-primary")
    assert "Send to Lakshmi Iyer on WhatsApp (in a new tab)" in manager.page(f"{address}/share/messages").buttons()


def test_nobody_waits_for_the_links_of_a_cancelled_plan(
    manager: WebClient, searched_run: str, run_lane: Callable[..., int]
) -> None:
    plan_id = plan_id_of(creates(planned(manager, searched_run)))
    address = f"/fleet/plans/{plan_id}"
    adds_a_driver(manager, name="Lakshmi Iyer", language="en", vehicles="MH14AA1001, MH14AA1002")
    run_lane(plan_id, 1)
    manager.page(address).submit("Cancel this plan")
    page = manager.page(address)
    assert "waits for" not in page.text
    assert words(page.one("main .button-primary").get_text()) == "Send to 1 driver"
    assert "still to create" not in manager.page(f"{address}/share").text


def test_a_link_that_waits_for_another_driver_does_not_hold_the_message_back(
    manager: WebClient, searched_run: str, run_lane: Callable[..., int]
) -> None:
    plan_id = plan_id_of(creates(planned(manager, searched_run)))
    run_lane(plan_id, 1)
    [first] = [
        each
        for each in ("MH14AA1001", "MH14AA1002")
        if each in manager.page(f"/fleet/plans/{plan_id}/sheet").text.replace(" ", "")
    ]
    other = {"MH14AA1001": "MH14AA1002", "MH14AA1002": "MH14AA1001"}[first]
    adds_a_driver(manager, name="Lakshmi Iyer", language="en", vehicles=first)
    adds_a_driver(manager, name="Ramesh Yadav", phone="98765 43299", vehicles=other)
    assert words(manager.page(f"/fleet/plans/{plan_id}").one("main .button-primary").get_text()) == "Send to 1 driver"
    assert "still to create" not in words(manager.page(f"/fleet/plans/{plan_id}/share").one(".fleet-driver").get_text())


def test_a_plan_of_which_all_links_exist_lacks_none(manager: WebClient, plan_id: str) -> None:
    assert not manager.page(f"/fleet/plans/{plan_id}/share").all(".fleet-lacks")
    assert not manager.page("/fleet").all(".fleet-lacks")


def test_what_is_paid_is_not_in_the_sum_of_a_driver(
    manager: WebClient, levers: Levers, services: Services, plan_id: str
) -> None:
    address = f"/fleet/plans/{plan_id}/share"
    assert "₹1,677.00" in manager.page(address).one(".fleet-driver-sum").get_text()
    paid = str(manager.page(address).all(".fleet-links a")[0]["href"]).rpartition("/")[2]
    levers.pay(paid)
    services.link_poller.require_fresh(paid)
    page = manager.page(address)
    assert words(page.one(".fleet-driver-sum").get_text()) == "₹559.00"
    unpaid, done = (words(each.get_text(" ")) for each in page.all(".fleet-links li"))
    assert unpaid.endswith("challan"), "the sum of the driver is that of the only link that counts"
    assert done.endswith("Paid"), "in place of what was to pay, and without a sentence"
    assert not page.all(".fleet-link-note")


def test_the_sheet_has_a_code_with_plate_amount_and_deadline_for_each_link(
    manager: WebClient, levers: Levers, services: Services, plan_id: str
) -> None:
    page = manager.page(f"/fleet/plans/{plan_id}/sheet")
    codes = [words(each.get_text(" ")) for each in page.all(".fleet-code")]
    assert len(page.all("svg.qr")) == 2
    assert all("₹" in each and "Pay before " in each and "Lakshmi Iyer" in each for each in codes)
    assert all(each.count("MH14 AA 100") == each.count("₹") == 1 for each in codes)
    assert "in the driver’s language" not in page.text, "which is that of the page"
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
    page = manager.page(f"/fleet/plans/{plan_id}/sheet")
    assert words(page.one(".fleet-name .quiet").get_text()).endswith(
        "in the driver’s language: English, हिन्दी (Hindi)"
    ), "for whoever prints what they may not read"
    codes = page.all(".fleet-code")
    assert [words(each.select(".fleet-code-driver")[0].get_text()) for each in codes] == ["Anil", "Lakshmi Iyer"]
    assert "Scan to pay" in words(codes[0].get_text(" "))
    assert words(codes[0].get_text(" ")).endswith("1 challan Anil")
    said = " ".join(words(each.get_text(" ")) for each in codes[1].select("[lang=hi]"))
    assert all(each in said for each in ("भुगतान के लिए स्कैन करें", "से पहले भुगतान करें", "2 चालान"))
    assert not re.search("[a-z]", codes[1].get_text().replace("Lakshmi Iyer", "")), "one language"


def test_a_row_of_the_plan_sends_all_links_that_wait_for_its_driver(manager: WebClient, plan_id: str) -> None:
    page = manager.page(f"/fleet/plans/{plan_id}")
    assert not page.all(".acts .button-primary, .acts .button-next"), "one button leads on"
    assert [words(each.get_text()) for each in page.all("tbody .acts [form=plan-send-one]")] == [
        "Send 2 links to Lakshmi Iyer, in a new tab · MH14 AA 1001"
    ], "one button sends both"
    sent = manager.read(page.submit("Send 2 links to Lakshmi Iyer, in a new tab · MH14 AA 1001"))
    assert unquote(sent.link("Open WhatsApp again")).count("/prepaid-payment/") == 2
    after = manager.page(f"/fleet/plans/{plan_id}")
    assert "2 of 2 sent" in words(after.text)
    assert "Send 2 links" not in after.text


def test_what_remains_once_all_messages_are_sent_comes_first(manager: WebClient, plan_id: str) -> None:
    lakshmi = manager.page("/drivers").link("Lakshmi Iyer")
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001")
    address = f"/fleet/plans/{plan_id}/share"
    titles = [words(each.get_text(" ")).partition(" (")[0] for each in manager.page(address).all("main h2")]
    assert titles == ["By driver", "No driver yet"]
    manager.page(address).submit("Send to Lakshmi Iyer, in a new tab")
    after = manager.page(f"{address}/messages")
    assert "1 driver has the message. 1 vehicle has no driver yet." in after.everything
    titles = [words(each.get_text(" ")).partition(" (")[0] for each in after.all("main h2")]
    assert titles == ["No driver yet", "By driver"]
    assert [words(each.get_text()) for each in after.all("main .button-primary")] == ["Choose driver · MH14 AA 1002"]
    plan = manager.page(f"/fleet/plans/{plan_id}")
    assert [words(each.get_text()) for each in plan.all("main .button-primary")] == ["Choose driver for 1 vehicle"]
    assert not plan.all("#plan-send"), "who has a driver has the message"
    assert plan.link("Links by driver") == address


def test_a_code_says_that_it_is_of_staging_and_leaves_room_for_the_name_of_its_driver(
    manager: WebClient, plan_id: str
) -> None:
    lakshmi = manager.page("/drivers").link("Lakshmi Iyer")
    manager.page(lakshmi).submit("Save the driver", vehicles="MH14AA1001")
    page = manager.page(f"/fleet/plans/{plan_id}/sheet")
    assert "2 codes · 1 sheet of A4" in words(page.text)
    assert all("STAGING" in each.get_text() for each in page.all(".fleet-code-more"))
    driven, undriven = page.all(".fleet-code")
    assert not driven.select(".fleet-code-write")
    assert words(undriven.select(".fleet-code-write")[0].get_text()) == "Driver"
