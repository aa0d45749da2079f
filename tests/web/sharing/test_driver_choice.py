"""Choosing drivers from the follow-up queue: for all vehicles that lack one, and a new one for a link."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from bs4 import Tag
from flask import Flask

from dashboard.domain.sharing import Channel
from dashboard.services.container import Services
from dashboard.store.sharing import shares as stored_shares
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import WebClient
from tests.web.links.test_list import Ledger, link_id
from tests.web.sharing.steps import adds_a_driver, chooses, makes_a_link, opens_send_to, vehicles_by_driver

ADDRESS = "/follow-up/drivers"
FIRST, SECOND = "MH12AB1001", "MH14GH2300"


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    """Enter two links of one vehicle and one of another, none of which has a driver."""
    ledger = Ledger(app.extensions["services"], clock)
    for number, rc in ((1, FIRST), (2, FIRST), (3, SECOND)):
        ledger.enter(number, rc=rc, expires_at=clock() + timedelta(hours=20))
    return ledger


@pytest.fixture
def ravi(staff: WebClient, entered: Ledger) -> int:
    """Add a driver, who drives none of the vehicles; return their id."""
    return int(adds_a_driver(staff, name="Ravi", phone="98765 43211", language="en", vehicles=""))


def saves(staff: WebClient, first: str = "", second: str = "") -> Page:
    return chooses(staff, ADDRESS, {FIRST: first, SECOND: second})


def test_the_drivers_of_all_vehicles_are_chosen_on_one_page_and_then_get_one_message_each(
    staff: WebClient, services: Services, entered: Ledger, ravi: int
) -> None:
    page = staff.page(staff.page("/follow-up").link("Choose drivers"))
    assert page.heading == "Choose drivers"
    assert "2 vehicles without a driver · ₹1,506.00" in page.text
    assert "The drivers you save are the usual drivers of these vehicles from now on." in page.text
    assert [words(each.get_text(" ")).partition(" Ends in")[0] for each in page.all("tbody th")] == [
        "MH12 AB 1001",
        "MH14 GH 2300",
    ]
    assert [each["value"] for each in page.all("datalist option")] == ["Ravi, +91 98765 43211"]
    queue = saves(staff, "Ravi, +91 98765 43211", "Lakshmi Devi, 98765 43212")
    assert queue.heading == "Follow up"
    assert "Drivers chosen for 2 vehicles." in queue.everything
    assert vehicles_by_driver(services) == {"Ravi": [FIRST], "Lakshmi Devi": [SECOND]}
    assert queue.link("Send 2 messages")
    assert words(queue.one("#follow-sends").get_text()) == "Send 3 links · ₹1,506.00"
    assert "Choose drivers" not in queue.text
    done = staff.page(ADDRESS)
    assert "No link waits for a driver." in done.text
    assert staff.page(done.link("Back to Follow up")).heading == "Follow up"


def test_of_one_vehicle_it_is_said_that_they_become_its_usual_driver(staff: WebClient, app: Flask, clock: Any) -> None:
    Ledger(app.extensions["services"], clock).enter(1, rc=FIRST, expires_at=clock() + timedelta(hours=20))
    assert "The driver you save is the usual driver of this vehicle from now on." in staff.page(ADDRESS).text


@pytest.mark.parametrize(
    "typed", ["ravi", "98765 43211", "+919876543211", "Ravi, 9876543211", " Ravi ,  98765 43211 ", "Ravi 98765 43211"]
)
def test_a_driver_is_typed_by_name_or_by_number(staff: WebClient, services: Services, ravi: int, typed: str) -> None:
    saves(staff, typed)
    assert vehicles_by_driver(services) == {"Ravi": [FIRST]}


def test_somebody_has_to_be_chosen(staff: WebClient, entered: Ledger) -> None:
    page = saves(staff)
    assert page.status == 422
    assert "Choose a driver for at least one vehicle." in page.text


def test_several_drivers_of_one_name_are_told_apart_by_the_number(
    staff: WebClient, services: Services, ravi: int
) -> None:
    adds_a_driver(staff, name="Ravi", phone="98765 43213", language="en", vehicles="")
    page = saves(staff, "Ravi", "98765 43213")
    assert page.status == 422
    wrong, right = page.field("Driver of MH12 AB 1001"), page.field("Driver of MH14 GH 2300")
    assert (wrong["value"], right["value"]) == ("Ravi", "98765 43213")
    assert wrong["aria-invalid"] == "true"
    assert wrong.has_attr("autofocus")
    assert not right.has_attr("aria-invalid")
    assert "Several drivers have this name." in page.one(f"#driver-{FIRST}-error").get_text()
    assert vehicles_by_driver(services) == {"Ravi": []}, "nothing is saved"


def test_a_driver_without_a_number_is_told_apart_from_somebody_new(staff: WebClient, entered: Ledger) -> None:
    adds_a_driver(staff, name="Suresh", phone="", language="en", vehicles="")
    page = saves(staff, "Suresh")
    assert "Suresh has no phone number yet." in page.text
    assert staff.page(page.link("Add the phone number")).heading == "Suresh"
    assert "New driver" not in page.text


def test_who_is_new_is_asked_for_a_number_and_added(staff: WebClient, services: Services, ravi: int) -> None:
    page = saves(staff, "Suresh Patil", "Ravi")
    assert page.status == 422
    assert "1 driver is new: enter the phone number." in page.one(".notice").get_text()
    assert page.one(f"#new-{FIRST}-phone").has_attr("autofocus")
    assert not page.all("main [aria-invalid], main .notice-wrong"), "nothing was typed wrong"
    assert vehicles_by_driver(services) == {"Ravi": []}
    empty = staff.read(page.submit("Save drivers"))
    assert "Enter the phone number." in empty.one(".new-driver .field-error").get_text()
    staff.read(page.submit("Save drivers", **{f"new-{FIRST}-phone": "98765 43299", f"new-{FIRST}-language": "hi"}))
    assert vehicles_by_driver(services) == {"Suresh Patil": [FIRST], "Ravi": [SECOND]}
    assert "हिन्दी" in staff.page("/drivers").text


def test_a_number_that_lacks_digits_is_asked_for_again_and_is_no_part_of_the_name(
    staff: WebClient, services: Services, ravi: int
) -> None:
    page = saves(staff, "Suresh Kumar, 98")
    assert page.status == 422
    assert page.field("Driver of MH12 AB 1001")["value"] == "Suresh Kumar"
    phone = page.one(f"#new-{FIRST}-phone")
    assert (phone["value"], phone["aria-invalid"]) == ("98", "true")
    staff.read(page.submit("Save drivers", **{f"new-{FIRST}-phone": "98765 43299"}))
    assert vehicles_by_driver(services) == {"Suresh Kumar": [FIRST], "Ravi": []}


def test_all_who_are_new_and_lack_a_number_are_counted(staff: WebClient, entered: Ledger) -> None:
    page = saves(staff, "Suresh Patil")
    again = Page(staff, page.submit("Save drivers", **{f"driver-{SECOND}": "Lakshmi", f"new-{FIRST}-phone": ""}))
    assert "2 drivers are new: enter their phone numbers." in again.one(".notice").get_text()


def test_what_was_typed_for_somebody_new_is_kept_while_another_row_is_wrong(
    staff: WebClient, services: Services, entered: Ledger
) -> None:
    page = saves(staff, "Suresh +91 98765 43299", "Lakshmi")
    assert page.field("Driver of MH12 AB 1001")["value"] == "Suresh"
    assert page.one(f"#new-{FIRST}-phone")["value"] == "+91 98765 43299"
    number = {f"new-{FIRST}-phone": "98765 43298", f"new-{SECOND}-phone": "98"}
    page = staff.read(page.submit("Save drivers", **number))
    assert "Enter ten digits" in page.one(".new-driver .field-error").get_text()
    assert page.one(f"#new-{FIRST}-phone")["value"] == "98765 43298"
    staff.read(page.submit("Save drivers", **{f"new-{SECOND}-phone": "98765 43297"}))
    assert vehicles_by_driver(services) == {"Lakshmi": [SECOND], "Suresh": [FIRST]}


def test_who_is_new_for_two_vehicles_is_added_once(staff: WebClient, services: Services, entered: Ledger) -> None:
    saves(staff, "Suresh Patil, 98765 43299", "suresh patil, +91 98765 43299")
    assert vehicles_by_driver(services) == {"Suresh Patil": [FIRST, SECOND]}


@pytest.mark.parametrize(
    ("typed", "where", "problem"),
    [
        ("Suresh, 98765 43211", ".new-driver .field-error", "is Ravi already."),
        ("98765 43299", f"#driver-{FIRST}-error", "Enter the driver’s name."),
        ("Suresh 12", ".notice", "1 driver is new: enter the phone number."),
    ],
)
def test_who_is_new_needs_a_name_and_a_number_of_their_own(
    staff: WebClient, services: Services, ravi: int, typed: str, where: str, problem: str
) -> None:
    page = saves(staff, typed, "Ravi")
    assert page.status == 422
    assert problem in page.one(where).get_text()
    assert vehicles_by_driver(services) == {"Ravi": []}


def test_a_number_that_is_typed_for_two_people_leads_to_nobody(
    staff: WebClient, services: Services, entered: Ledger
) -> None:
    page = saves(staff, "Suresh, 98765 43299", "Lakshmi, 98765 43299")
    assert page.status == 422
    assert page.text.count("Same number as Suresh (MH12 AB 1001) above.") == 1
    assert vehicles_by_driver(services) == {}


def test_whose_number_was_typed_is_chosen_instead(staff: WebClient, services: Services, ravi: int) -> None:
    page = saves(staff, "Ravi Kumar, 98765 43211", "Lakshmi, 98765 43298")
    assert "+91 98765 43211 is Ravi already." in page.text
    page = staff.read(page.submit("Use Ravi"))
    assert page.status == 200
    assert page.field("Driver of MH12 AB 1001")["value"] == "Ravi, +91 98765 43211"
    assert vehicles_by_driver(services) == {"Ravi": []}
    staff.read(page.submit("Save drivers"))
    assert vehicles_by_driver(services) == {"Ravi": [FIRST], "Lakshmi": [SECOND]}


@pytest.mark.parametrize("typed", ["Ramesh", "ya", "YADAV", "ramesh y"])
def test_who_begins_so_is_suggested_before_somebody_new_is_added(
    staff: WebClient, services: Services, ravi: int, typed: str
) -> None:
    adds_a_driver(staff, name="Ramesh Yadav", phone="98765 43210", vehicles="")
    page = saves(staff, typed)
    assert "Did you mean Ramesh Yadav +91 98765 43210" in page.text
    assert page.status == 422
    assert "Not saved yet: answer “Did you mean\N{NO-BREAK SPACE}…?” below." in page.one(".notice").get_text()
    assert not page.all("form .new-driver"), "one question at a time"
    assert page.one("[data-typed]").has_attr("autofocus")
    assert page.one("[data-filled]").get_text() == "0 of 2 ready", "nobody is chosen yet"
    used = staff.read(page.submit("Use Ramesh Yadav"))
    assert (used.status, used.field("Driver of MH12 AB 1001")["value"]) == (200, "Ramesh Yadav, +91 98765 43210")
    assert used.one("[data-filled]").get_text() == "1 of 2 ready"
    assert not used.all("form .new-driver")
    staff.read(used.submit("Save drivers"))
    assert vehicles_by_driver(services) == {"Ravi": [], "Ramesh Yadav": [FIRST]}


def test_who_is_none_of_those_suggested_is_added(staff: WebClient, services: Services, ravi: int) -> None:
    page = saves(staff, "Rav", "Ravi")
    page = Page(staff, page.submit("No, somebody new for MH12 AB 1001"))
    assert "Did you mean" not in page.text
    assert page.field("Driver of MH12 AB 1001")["value"] == "Rav"
    assert page.one(f"#new-{FIRST}-phone").has_attr("autofocus")
    page = Page(staff, page.submit("Save drivers"))
    assert "Did you mean" not in page.text, "that is answered"
    staff.read(page.submit("Save drivers", **{f"new-{FIRST}-phone": "98765 43299"}))
    assert vehicles_by_driver(services) == {"Rav": [FIRST], "Ravi": [SECOND]}


@pytest.mark.parametrize("typed", ["R", "Ramesh Yadava", "amesh", "Ramesh, 98765 43299"])
def test_nobody_is_suggested_for_what_is_no_beginning_or_has_a_number_of_its_own(
    staff: WebClient, ravi: int, typed: str
) -> None:
    adds_a_driver(staff, name="Ramesh Yadav", phone="98765 43210", vehicles="")
    assert "Did you mean" not in saves(staff, typed, "Lakshmi").text


def test_several_who_begin_so_are_suggested_unless_they_are_too_many(staff: WebClient, entered: Ledger) -> None:
    for number, name in enumerate(("Sunil", "Sunil Rane", "Suniti Rao", "Suhas"), start=1):
        adds_a_driver(staff, name=name, phone=f"98765 4321{number}" if number > 1 else "", vehicles="")
    page = saves(staff, "Suni")
    assert "Did you mean Sunil No phone number" in page.text
    assert [words(each.get_text()) for each in page.all("[data-typed]")] == [
        "Use Sunil",
        "Use Sunil Rane",
        "Use Suniti Rao",
    ]
    assert "Did you mean" not in saves(staff, "Su").text


def says(staff: WebClient, rc: str, **typed: str) -> Tag:
    """Type on the page as its script sends it, and return what the vehicle's row says."""
    element = staff.page(ADDRESS).one(f"#driver-{rc}-typed")
    headers = {"HX-Request": "true", "HX-Target": str(element["id"])}
    token = staff.page(ADDRESS).one("meta[name=csrf-token]")["content"]
    answer = staff.post(str(element["hx-post"]), data=typed | {"csrf_token": token}, headers=headers)
    assert answer.status_code == 200
    return Page(staff, answer, region=True).one(f"#driver-{rc}-typed")


def test_a_row_says_at_once_who_is_meant(staff: WebClient, services: Services, ravi: int) -> None:
    adds_a_driver(staff, name="Sunil Rane", phone="", vehicles="")
    field, below = f"driver-{FIRST}", f"driver-{SECOND}"
    assert words(says(staff, FIRST, **{field: ""}).get_text()) == ""
    assert words(says(staff, FIRST, **{field: "ravi"}).get_text()) == "Ravi · +91 98765 43211"
    assert words(says(staff, FIRST, **{field: "Rav"}).get_text(" ")) == (
        "Did you mean Ravi +91 98765 43211 ? Use Ravi No, somebody new for MH12 AB 1001"
    )
    lacking = says(staff, FIRST, **{field: "sunil rane"})
    assert words(lacking.get_text(" ")) == "Sunil Rane has no phone number yet. Add the phone number"
    assert not lacking.select(".field-error"), "nothing is wrong before it is saved"
    same = says(
        staff,
        SECOND,
        **{field: "Suresh", f"new-{FIRST}-phone": "9876543299", below: "Lata", f"new-{SECOND}-phone": "98765 43299"},
    )
    assert words(same.get_text()) == "Same number as Suresh (MH12 AB 1001) above."
    assert vehicles_by_driver(services) == {"Ravi": [], "Sunil Rane": []}, "nothing is saved"


def test_who_was_chosen_is_sent_exactly_their_links(staff: WebClient, services: Services, ravi: int) -> None:
    page = staff.page(ADDRESS)
    queue = staff.read(page.submit("Save and send", **{f"driver-{FIRST}": "Ravi", f"driver-{SECOND}": ""}))
    assert vehicles_by_driver(services) == {"Ravi": [FIRST]}
    assert "Driver chosen for 1 vehicle. 1 has none." in queue.everything
    assert queue.heading == "Send message"
    assert "MH14 GH 2300" not in queue.text
    with services.store.read() as connection:
        assert not stored_shares.of_link(connection, link_id(1)), "nothing is sent by itself"


def test_the_vehicle_whose_link_ends_first_comes_first_and_has_the_focus(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    entered.enter(4, rc="RJ14XY0001", expires_at=clock() + timedelta(hours=3))
    entered.enter(5, rc="AP01AA0001", expires_at=clock() + timedelta(hours=40))
    page = staff.page(ADDRESS)
    assert [words(each.get_text()) for each in page.all("tbody .plate")] == [
        "RJ14 XY 0001",
        "MH12 AB 1001",
        "MH14 GH 2300",
        "AP01 AA 0001",
    ]
    urgent = [row.select_one(".follow-urgent") is not None for row in page.all("tbody tr")]
    assert urgent == [True, False, False, False]
    assert page.field("Driver of RJ14 XY 0001").has_attr("data-focus-wide")


def test_vehicles_stand_on_pages_and_say_who_had_their_links_before(
    staff: WebClient, app: Flask, services: Services, entered: Ledger, ravi: int, clock: MovableClock
) -> None:
    for number in range(100, 201):
        entered.enter(number, rc=f"KA05MN0{number}", expires_at=clock() + timedelta(hours=19))
    entered.enter(300, rc=SECOND, status="EXPIRED")
    with services.store.write() as connection:
        channel, at = Channel.WHATSAPP, clock()
        stored_shares.add(
            connection, link_id=link_id(300), driver_id=ravi, channel=channel, language="en", person_id=1, at=at
        )
    page = staff.page(ADDRESS)
    assert len(page.all("tbody tr")) == 100
    later = staff.page(page.link("Next page"))
    assert [words(each.get_text()) for each in later.all("tbody .plate")] == [
        "KA05 MN 0200",
        "MH12 AB 1001",
        "MH14 GH 2300",
    ]
    assert "Last sent to Ravi" in later.text
    staff.read(later.submit("Save drivers", **{f"driver-{SECOND}": "Ravi"}))
    assert vehicles_by_driver(services) == {"Ravi": [SECOND]}
    focused = staff.page(f"{ADDRESS}?vehicle={FIRST}")
    assert focused.field("Driver of MH12 AB 1001").has_attr("autofocus")


def test_what_was_typed_outlasts_an_expired_session(
    staff: WebClient, services: Services, entered: Ledger, clock: MovableClock
) -> None:
    page = saves(staff, "", "Suresh")
    clock.advance(hours=1)
    answer = page.submit("Save drivers", **{f"new-{SECOND}-phone": "98765 43299"})
    signing_in = staff.page(answer.headers["Location"])
    back = staff.read(signing_in.submit("Sign in", email=ASHA.email, password="a long enough phrase"))
    assert back.field("Driver of MH14 GH 2300")["value"] == "Suresh"
    staff.read(back.submit("Save drivers"))
    assert vehicles_by_driver(services) == {"Suresh": [SECOND]}


def test_what_is_typed_outlasts_a_session_that_expired_meanwhile(
    staff: WebClient, entered: Ledger, clock: MovableClock
) -> None:
    page = staff.page(ADDRESS)
    element, token = page.one(f"#driver-{SECOND}-typed"), page.one("meta[name=csrf-token]")["content"]
    clock.advance(hours=1)
    typed = {f"driver-{FIRST}": "", f"driver-{SECOND}": "Suresh", "csrf_token": token}
    headers = {"HX-Request": "true", "HX-Target": str(element["id"])}
    answer = staff.post(str(element["hx-post"]), data=typed, headers=headers)
    assert answer.status_code == 401
    signing_in = staff.page(answer.headers["HX-Redirect"])
    back = staff.read(signing_in.submit("Sign in", email=ASHA.email, password="a long enough phrase"))
    assert back.field("Driver of MH14 GH 2300")["value"] == "Suresh"


def test_a_new_driver_is_saved_and_sent_the_link_from_its_row(
    staff: WebClient, app: Flask, services: Services, levers: Levers, clock: Any
) -> None:
    made = makes_a_link(staff)
    queue = opens_send_to(staff, made)
    button = "WhatsApp MH12 AB 1001"
    refused = Page(staff, queue.submit(button, to="Ramesh, 12"))
    assert refused.status == 422
    assert "type a phone number" in refused.one("#send-to-error").get_text() or "Enter ten digits" in refused.text
    assert refused.one("#send-to")["value"] == "Ramesh, 12", "it is put right on the page of the link"
    assert vehicles_by_driver(services) == {}
    opened = staff.read(queue.submit(button, to="Ramesh 98765 43210"))
    assert str(opened.one("main a[href^='https://wa.me/']")["href"]).startswith("https://wa.me/919876543210?text=")
    assert vehicles_by_driver(services) == {"Ramesh": [FIRST]}
    with app.extensions["store"].read() as connection:
        [share] = stored_shares.of_link(connection, made)
    assert share.driver_name == "Ramesh"
    assert staff.page("/follow-up").all(f"#follow-just-sent > #follow-{made}")


def test_a_known_driver_and_a_number_are_sent_the_link_from_its_row(
    staff: WebClient, app: Flask, services: Services, levers: Levers, clock: Any
) -> None:
    made = makes_a_link(staff)
    adds_a_driver(staff, vehicles="")
    queue = opens_send_to(staff, made)
    assert [each["value"] for each in queue.all("datalist option")] == ["Ramesh Kumar, +91 98765 43210"]
    for typed, digits in (("ramesh kumar", "919876543210"), ("98765 43299", "919876543299"), ("", "")):
        opened = staff.read(queue.submit("WhatsApp MH12 AB 1001", to=typed))
        assert str(opened.one("main a[href^='https://wa.me/']")["href"]).startswith(f"https://wa.me/{digits}?text=")
        clock.advance(seconds=90)
    with app.extensions["store"].read() as connection:
        newest, *others = stored_shares.of_link(connection, made)
    assert newest.is_unconfirmed
    assert [each.driver_name for each in others] == [None, "Ramesh Kumar"]
    assert vehicles_by_driver(services) == {"Ramesh Kumar": []}, "nobody was added"


def test_a_new_driver_is_no_second_usual_one(staff: WebClient, services: Services, levers: Levers, clock: Any) -> None:
    made = makes_a_link(staff)
    page = opens_send_to(staff, made)
    adds_a_driver(staff)
    staff.read(page.submit("WhatsApp MH12 AB 1001", to="Ravi, 98765 43299"))
    assert vehicles_by_driver(services) == {"Ramesh Kumar": [FIRST], "Ravi": []}
    assert "Sent on WhatsApp to Ravi" in staff.page(f"/links/{made}").text


def test_the_number_of_somebody_else_is_not_saved_for_a_new_driver(
    staff: WebClient, services: Services, levers: Levers, clock: Any
) -> None:
    made = makes_a_link(staff)
    adds_a_driver(staff, vehicles="")
    refused = staff.read(opens_send_to(staff, made).submit("WhatsApp MH12 AB 1001", to="Ravi, 98765 43210"))
    assert "+91 98765 43210 is Ramesh Kumar already." in refused.one("#send-to-error").get_text()
    assert vehicles_by_driver(services) == {"Ramesh Kumar": []}


def test_a_link_that_ended_meanwhile_is_not_sent_to_a_new_driver(
    staff: WebClient, app: Flask, services: Services, levers: Levers, clock: Any
) -> None:
    made = makes_a_link(staff)
    queue = opens_send_to(staff, made)
    levers.expire(made)
    clock.advance(seconds=10)
    refused = Page(staff, queue.submit("WhatsApp MH12 AB 1001", to="Ramesh, 98765 43210"))
    assert refused.status == 409
    assert vehicles_by_driver(services) == {}
    with app.extensions["store"].read() as connection:
        assert not stored_shares.of_link(connection, made)


def test_links_whose_driver_has_no_phone_are_counted(staff: WebClient, entered: Ledger) -> None:
    adds_a_driver(staff, phone="")
    assert "1 has no driver · 2 have no phone number" in staff.page("/follow-up").text
    assert staff.page("/follow-up").all(f"#follow-{link_id(1)} .follow-first a[href$='change=phone']")


def test_a_link_that_may_have_been_sent_already_is_not_asked_for_a_driver(staff: WebClient, levers: Levers) -> None:
    """First whoever opened its message says whether it was sent, and so to whom it went."""
    made = makes_a_link(staff)
    assert staff.page(ADDRESS).all("tbody th")
    staff.read(opens_send_to(staff, made).submit("WhatsApp MH12 AB 1001", to=""))
    page = staff.page(ADDRESS)
    assert not page.all("tbody th")
    assert "No link waits for a driver." in page.text
