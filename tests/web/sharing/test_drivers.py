"""Drivers: adding them, changing their details, leaving and coming back."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote

import pytest

from dashboard.domain.drivers import MAX_NOTE
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA
from tests.support.web_client import HTMX, WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares, shares


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": " "}, "Enter the driver’s name."),
        ({"phone": "call me"}, "Enter ten digits"),
        ({"phone": "12345"}, "Enter ten digits"),
        ({"email": "ramesh"}, "Enter an email address"),
        ({"vehicles": "MH12AB1001, <b>"}, "only letters A to Z and digits"),
    ],
)
def test_a_field_that_cannot_be_used_is_explained_and_stays_in_the_form(
    staff: WebClient, fields: dict[str, str], said: str
) -> None:
    usual = {"name": "Ramesh Kumar", "phone": "", "vehicles": ""}
    answer = staff.page("/drivers").submit("Add the driver", **usual | fields)
    page = Page(staff, answer)
    assert page.status == 422
    assert said in page.text
    for name, value in fields.items():
        assert str(page.one(f"#{name}").get("value", "")).strip() == value.strip()
        assert not page.all(f"#{name}-hint"), "the error says what the hint said"


@pytest.mark.parametrize(("language", "said"), [("en", "A note has at most"), ("hi", "नोट में ज़्यादा से ज़्यादा")])
def test_a_note_that_is_too_long_is_refused_in_the_language_of_the_page(
    staff: WebClient, language: str, said: str
) -> None:
    headers = {"Accept-Language": language}
    data = {"name": "Ramesh", "language": "en", "note": "x" * (MAX_NOTE + 1), "csrf_token": staff.csrf_token()}
    assert said in Page(staff, staff.post("/drivers", data=data, headers=headers)).text


def test_a_vehicle_without_a_driver_gets_one_of_those_that_are_known(staff: WebClient, levers: Levers) -> None:
    steps.searched(staff)
    lakshmi = adds_a_driver(staff, name="Lakshmi Devi", phone="98200 12345", vehicles="MH14 GH 2300")
    adds_a_driver(staff, name="Ramesh Kumar", vehicles="")
    chooser = staff.page(staff.page("/vehicles/MH12AB1001").link("Choose driver"))
    assert "Who usually drives MH12 AB 1001?" in chooser.text
    assert [words(each.get_text()) for each in chooser.all("#usual-driver option")] == [
        "Choose a driver",
        "Lakshmi Devi, +91 98200 12345",
        "Ramesh Kumar, +91 98765 43210",
    ]
    asked_again = staff.read(chooser.submit("Make usual driver"))
    assert "Who usually drives MH12 AB 1001?" in asked_again.text, "nobody was chosen"
    page = staff.read(chooser.submit("Make usual driver", driver=lakshmi))
    assert "Lakshmi Devi +91 98200 12345" in words(page.one(".vehicle-driver").get_text(" "))
    assert "MH14 GH 2300" in staff.page(f"/drivers/{lakshmi}").text, "and still drives the other"
    for wrong in ({"vehicle": "!!", "driver": lakshmi}, {"vehicle": "MH12AB1001", "driver": "99"}):
        assert staff.post("/drivers/usual", data=wrong).status_code in (400, 404)


def test_a_driver_who_is_added_from_a_vehicle_leads_back_to_it(staff: WebClient, levers: Levers) -> None:
    steps.searched(staff)
    for known in (False, True):
        page = staff.page(staff.page("/vehicles/MH12AB1001").link("Choose driver"))
        assert page.link("MH12 AB 1001") == "/vehicles/MH12AB1001"
        assert words(page.one(".share-list .quiet").get_text()) == "Then back to MH12 AB 1001."
        if not known:
            adds_a_driver(staff, vehicles="")
    wrong = Page(staff, page.submit("Add the driver", name="Lakshmi Devi", phone="12"))
    assert words(wrong.one(".share-list .quiet").get_text()) == "Then back to MH12 AB 1001."
    back = staff.read(wrong.submit("Add the driver", phone="98200 12345"))
    assert "Lakshmi Devi" in words(back.one(".vehicle-driver").get_text(" "))
    assert "Lakshmi Devi is now the usual driver of MH12 AB 1001." in back.text


def test_a_driver_is_changed_leaves_and_comes_back(staff: WebClient) -> None:
    driver = adds_a_driver(staff)
    page = staff.page(f"/drivers/{driver}")
    assert page.one("#vehicles")["value"] == "MH12 AB 1001"
    staff.read(page.submit("Save the driver", name="Ramesh K.", vehicles="KA05MN4321, MH12AB1001"))
    listed = staff.page("/drivers")
    assert listed.link("Ramesh K.") == f"/drivers/{driver}"
    assert listed.link("KA05 MN 4321") == "/vehicles/KA05MN4321"
    staff.read(staff.page(f"/drivers/{driver}").submit("Driver has left"))
    page = staff.page("/drivers")
    assert "Former drivers (1)" in page.text
    heads = [words(each.get_text()) for each in page.all("[aria-labelledby=drivers-2] thead th")]
    assert heads == ["Driver", "Phone", "Usual vehicles", "Next step"], "of whom there is no sum"
    staff.read(staff.page(f"/drivers/{driver}").submit("Driver is back"))
    assert "Former drivers" not in staff.page("/drivers").text


def test_a_row_is_named_by_the_driver_alone_and_the_language_stands_with_the_number(staff: WebClient) -> None:
    adds_a_driver(staff, name="Ramesh Kumar", phone="98765 43210")
    [row] = staff.page("/drivers").all(".table-drivers tbody tr")
    name, phone = row.select_one("th"), row.select_one(".driver-phone")
    assert name
    assert phone
    assert (words(name.get_text()), words(phone.get_text(" "))) == ("Ramesh Kumar", "+91 98765 43210 हिन्दी")


def test_a_driver_owes_what_is_open_and_has_paid_what_is_paid(staff: WebClient, levers: Levers) -> None:
    driver = adds_a_driver(staff)
    link_id = makes_a_link(staff)
    shares(staff, prepares(staff, link_id), link_id, "whatsapp")
    owed = words(staff.page(f"/drivers/{driver}").one(".driver-facts").get_text(" "))
    assert re.fullmatch(r"Owes ₹1,677.00 1 link · Back in Follow up (today|tomorrow) \d+:\d\d [ap]m", owed)
    levers.pay(link_id)
    steps.check(staff, link_id)
    paid = words(staff.page(f"/drivers/{driver}").one(".driver-facts").get_text(" "))
    assert paid.startswith("Owes Nothing Paid ₹1,677.00 1 of 1 link Last paid")
    receipt = staff.page(f"/drivers/{driver}").one(".acts a[href$='/receipt']")
    assert "button-quiet" in receipt["class"], "which shows what was paid, by a link as in Links"


def test_the_list_counts_the_paid_links_of_each_driver_and_of_all(staff: WebClient, levers: Levers) -> None:
    for name, phone, rc in (("Ramesh", "98765 43210", "MH12AB1009"), ("Lakshmi", "98765 43211", "MH12AB1008")):
        driver = adds_a_driver(staff, name=name, phone=phone, vehicles=rc)
        levers.add_vehicle(rc, [steps.challan(1), steps.challan(2)])
        steps.searches(staff, rc)
        for number in ("MH1001", "MH1002"):
            link_id = steps.link_of(steps.create(staff, number, rc=rc))
            shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
        if name == "Ramesh":
            levers.pay(link_id)
            steps.check(staff, link_id)
    found = [words(cell.get_text(" ")) for cell in staff.page("/drivers").all("tbody .driver-paid")]
    assert found == ["", "₹559.00 1 link", "₹559.00 1 link"], "Lakshmi, Ramesh, and both"


def rest(staff: WebClient, clock: Any) -> None:
    """Let the time pass in which it is too early to remind anybody; people sign in again after it."""
    clock.advance(hours=12)
    staff.signs_in(ASHA.email)


def test_a_driver_who_owes_is_reminded_of_the_open_links_and_others_are_only_written_to(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    driver = adds_a_driver(staff, vehicles="")
    link_id = makes_a_link(staff)
    chat = "Open chat Ramesh Kumar"
    assert staff.page("/drivers").link(chat) == "https://wa.me/919876543210"
    shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    rest(staff, clock)
    for address, name in (("/drivers", "Remind Ramesh Kumar"), (f"/drivers/{driver}", "Remind about 1 link")):
        assert "₹1,677.00" in staff.page(staff.page(address).link(name)).one("#reminder").get_text()
    other = adds_a_driver(staff, name="Lakshmi Devi", phone="98200 12345", vehicles="")
    shares(staff, prepares(staff, link_id, driver=other), link_id, "whatsapp")
    assert staff.page("/drivers").link(chat), "whoever has it now is reminded, not he"


def test_a_driver_is_not_reminded_of_what_they_were_sent_just_now(staff: WebClient, levers: Levers, clock: Any) -> None:
    driver = adds_a_driver(staff, vehicles="")
    link_id = makes_a_link(staff)
    shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    [act] = staff.page("/drivers").all(".driver-act")
    assert re.fullmatch(r"Sent \d+:\d\d [ap]m", words(act.get_text()))
    page = staff.page(f"/drivers/{driver}")
    assert [words(each.get_text()) for each in page.all(".driver-ways .button")] == [
        "Call +91 98765 43210",
        "Open chat",
    ]
    assert not page.all(".driver-ways .button-primary"), "there is nothing to do"
    assert page.text.count("Sent ") == 1, "the row says so, nothing else"
    [acts] = page.all("#open-links .acts")
    assert [each.name for each in acts.find_all(recursive=False)] == ["copy-field", "button"]
    assert words(acts.find("button", attrs={"name": "driver"}).get_text()).startswith("Send again MH"), (
        "if it is wanted"
    )
    facts = words(page.one(".driver-facts").get_text(" "))
    again = re.search(r"Back in Follow up [^·]+[ap]m", facts)
    assert again, "two messages in a row would trouble them; the page says when the next one is due"
    panel = words(staff.page(f"/links/{link_id}").one("#link-panel").get_text(" "))
    assert again[0] in panel, "Follow up asks once, so both pages name the same moment"
    levers.add_vehicle("MH12AB2300", [{"challanNo": "LATER"}])
    steps.searches(staff, "MH12AB2300")
    later = steps.link_of(steps.create(staff, "LATER", rc="MH12AB2300", hours="72"))
    shares(staff, prepares(staff, later, driver=driver), later, "whatsapp")
    assert again[0] in words(staff.page(f"/drivers/{driver}").one(".driver-facts").get_text(" ")), "the first of both"
    rest(staff, clock)
    assert staff.page("/drivers").link("Remind Ramesh Kumar"), "as Follow up does by then"


def test_no_reminder_is_said_for_after_the_end_of_a_link(staff: WebClient, levers: Levers, clock: Any) -> None:
    driver = adds_a_driver(staff, vehicles="")
    link_id = makes_a_link(staff)
    clock.advance(hours=46)
    steps.comes_back(staff, ASHA)
    steps.check(staff, link_id)
    shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    facts = words(staff.page(f"/drivers/{driver}").one(".driver-facts").get_text(" "))
    assert facts.startswith("Owes ₹1,677.00 1 link")
    assert "Back in Follow up" not in facts


def test_a_driver_is_reminded_of_those_links_alone_that_rest_no_longer(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    driver = adds_a_driver(staff)
    steps.searches(staff)
    for number, challan in enumerate(("MH1000", "MH1001")):
        link_id = steps.link_of(steps.create(staff, challan))
        shares(staff, prepares(staff, link_id), link_id, "whatsapp")
        if not number:
            rest(staff, clock)
            steps.searches(staff)
    assert staff.page(f"/drivers/{driver}").link("Remind about 1 link")


@pytest.fixture
def office(staff: WebClient) -> None:
    """Add twelve drivers, one of them with a vehicle."""
    for number in range(11):
        adds_a_driver(staff, name=f"Driver {number:02}", phone=f"98765 000{number:02}", vehicles="")
    adds_a_driver(staff, name="Lakshmi Devi", phone="91234 56789", vehicles="KA05MN4321")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("lakshmi", ["Lakshmi Devi"]),
        ("56789", ["Lakshmi Devi"]),
        ("+91 98765 00003", ["Driver 03"]),
        ("ka 05 mn", ["Lakshmi Devi"]),
        ("driver 1", ["Driver 10"]),
        ("nobody", []),
    ],
)
def test_drivers_are_found_by_name_phone_and_vehicle(
    staff: WebClient, office: None, typed: str, found: list[str]
) -> None:
    page = staff.page(f"/drivers?q={quote(typed)}")
    assert [each.get_text() for each in page.all(".table-drivers th[scope=row] a")] == found
    assert page.one("#q")["value"] == typed
    assert ("No driver has" in page.text) is (not found)


def test_one_driver_is_not_searched(staff: WebClient) -> None:
    adds_a_driver(staff)
    assert not staff.page("/drivers").all("#q")


def test_the_drivers_who_owe_are_listed_alone(staff: WebClient, levers: Levers) -> None:
    for name, phone in (("Anil", "91234 00001"), ("Zubin", "91234 00002")):
        driver = adds_a_driver(staff, name=name, phone=phone, vehicles="")
    page = staff.page("/drivers")
    assert page.link("All (2)") == "/drivers"
    none = staff.page(page.link("Owe money (0)"))
    assert names(none) == []
    assert "No driver owes anything." in none.text
    link = makes_a_link(staff)
    shares(staff, prepares(staff, link, driver=driver), link, "whatsapp")
    owing = staff.page(staff.page("/drivers").link("Owe money (1)"))
    assert names(owing) == ["Zubin"]
    assert staff.page("/drivers?sort=name&owes=yes").link("All (2)") == "/drivers?sort=name", "the order stays"


def test_a_driver_without_a_phone_number_is_one_tap_from_getting_one(staff: WebClient) -> None:
    driver = adds_a_driver(staff, phone="")
    page = staff.page(f"/drivers/{driver}")
    assert not page.all(".driver-top details[open]")
    opened = staff.page(page.link("Add phone number"))
    assert opened.all(".driver-top details[open] #phone[autofocus]")


def test_the_links_of_a_driver_begin_with_what_can_be_paid(staff: WebClient, levers: Levers) -> None:
    driver = adds_a_driver(staff)
    levers.add_vehicle("MH12AB1009", [{"challanNo": "MH1", "challanAmount": 500}])
    steps.searches(staff, "MH12AB1009")
    newest = [makes_a_link(staff), steps.link_of(steps.create(staff, rc="MH12AB1009"))]
    for link_id in newest:
        shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    levers.pay(newest[-1])
    steps.check(staff, newest[-1])
    states = [words(each.get_text()) for each in staff.page(f"/drivers/{driver}").all(".driver-links .state")]
    assert states == ["Active", "Paid"]


def test_a_link_that_was_sent_twice_is_one_of_the_links_given(
    staff: WebClient, manager: WebClient, levers: Levers, clock: Any
) -> None:
    driver = adds_a_driver(staff, vehicles="")
    levers.add_vehicle("MH12AB1009", [{"challanNo": "MH1", "challanAmount": 500}])
    steps.searches(staff, "MH12AB1009")
    twice, once = makes_a_link(staff), steps.link_of(steps.create(staff, rc="MH12AB1009"))
    shares(staff, prepares(staff, once, driver=driver), once, "sms")
    shares(staff, prepares(staff, twice, driver=driver), twice, "sms")
    clock.advance(minutes=5)
    shares(manager, prepares(manager, twice, driver=driver), twice, "whatsapp")
    rest(staff, clock)
    page = staff.page(f"/drivers/{driver}")
    assert "Owes ₹2,236.00 2 links" in words(page.one(".driver-facts").get_text(" "))
    assert words(page.one("#open-links-title").get_text()) == "To pay (2)"
    rows = [words(row.get_text(" ")) for row in page.all("#open-links tbody tr")]
    assert re.match(r"MH12 AB 1001 .+ Sent \d.+ by Meera Iyer · 2 times", rows[0]), rows
    assert re.match(r"MH12 AB 1009 .+ Sent by SMS \d.+ by Asha Rao", rows[1]), rows


def test_a_driver_without_vehicle_or_phone_leads_to_their_fields(staff: WebClient) -> None:
    page = staff.page(f"/drivers/{adds_a_driver(staff, phone='', vehicles='')}")
    for link, field in (("Add usual vehicle", "vehicles"), ("Add phone number", "phone")):
        opened = staff.page(page.link(link))
        assert opened.one("details.fold").has_attr("open")
        assert [each["id"] for each in opened.all("[autofocus]")] == [field]


def test_drivers_are_ordered_by_what_they_owe_unless_by_name(staff: WebClient, levers: Levers) -> None:
    adds_a_driver(staff, name="Anil", phone="91234 00001", vehicles="")
    driver = adds_a_driver(staff, name="Zubin", phone="91234 00002", vehicles="")
    link = makes_a_link(staff)
    shares(staff, prepares(staff, link, driver=driver), link, "whatsapp")
    page = staff.page("/drivers")
    assert names(page) == ["Zubin", "Anil"]
    assert page.one("th[aria-sort]").get_text() == "Owes"
    assert names(staff.page(str(page.one("#sort-name")["href"]))) == ["Anil", "Zubin"]


def names(page: Page) -> list[str]:
    return [each.get_text() for each in page.all(".table-drivers th[scope=row] a")]


def test_a_driver_is_reached_on_whatsapp_from_the_list(staff: WebClient) -> None:
    adds_a_driver(staff, name="Anil", phone="91234 00001")
    assert staff.page("/drivers").one(".driver-act .button")["href"] == "https://wa.me/919123400001"


def test_a_phone_number_is_that_of_one_driver(staff: WebClient) -> None:
    ramesh, lakshmi = adds_a_driver(staff), adds_a_driver(staff, name="Lakshmi", phone="98200 12345")
    again = Page(staff, staff.page("/drivers").submit("Add the driver", name="Ramesh Y.", phone="+91 98765-43210"))
    assert again.status == 422
    assert "+91 98765 43210 is Ramesh Kumar already." in again.text
    assert again.link("Open Ramesh Kumar") == f"/drivers/{ramesh}"
    changed = Page(staff, staff.page(f"/drivers/{lakshmi}").submit("Save the driver", phone="9876543210"))
    assert (changed.status, changed.link("Open Ramesh Kumar")) == (422, f"/drivers/{ramesh}")
    staff.read(staff.page(f"/drivers/{ramesh}").submit("Driver has left"))
    assert adds_a_driver(staff, name="Anil"), "the number was passed on"


def test_what_the_usual_vehicles_have_to_pay_leads_from_the_driver_to_the_vehicle(
    staff: WebClient, levers: Levers
) -> None:
    driver = adds_a_driver(staff)
    assert not staff.page(f"/drivers/{driver}").all(".driver-to-pay"), "the vehicle was never searched"
    steps.searches(staff)
    page = staff.page(f"/drivers/{driver}")
    [row] = page.all(".driver-to-pay tbody tr")
    assert row.a["href"] == steps.VEHICLE  # type: ignore[index]  # It is on the page.
    assert len(staff.read(page.submit("Create link · MH12 AB 1001")).all("input[name=challan]")) == 3
    assert "₹1,677.00" in words(row.get_text(" "))
    makes_a_link(staff)
    assert not staff.page(f"/drivers/{driver}").all(".driver-to-pay"), "all of it is on a link"


def test_a_driver_without_a_link_owes_nothing_and_nothing_asks_to_write_to_them(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    driver = adds_a_driver(staff)
    page = staff.page(f"/drivers/{driver}")
    facts = words(page.one(".driver-facts").get_text(" "))
    assert facts == "Owes Nothing No link given yet."
    assert not page.all(".driver-ways .button-primary")
    link_id = makes_a_link(staff)
    shares(staff, prepares(staff, link_id), link_id, "whatsapp")
    rest(staff, clock)
    assert staff.page(f"/drivers/{driver}").one(".driver-ways .button-primary").get_text() == "Remind about 1 link"
    staff.read(staff.page(f"/drivers/{driver}").submit("Driver has left"))
    assert not staff.page(f"/drivers/{driver}").all(".driver-ways .button-primary")


def test_what_a_driver_does_not_have_yet_is_sent_before_he_is_reminded(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    driver = adds_a_driver(staff)
    steps.searches(staff)
    given = steps.link_of(steps.create(staff, "MH1000"))
    shares(staff, prepares(staff, given), given, "whatsapp")
    rest(staff, clock)
    steps.searches(staff)
    steps.create(staff, "MH1001")
    assert staff.page("/drivers").link("Send Ramesh Kumar")
    ways = staff.page(f"/drivers/{driver}").all(".driver-ways .button")
    assert [words(each.get_text()) for each in ways[:2]] == ["Send 1 link", "Remind about 1 link"]
    assert ["button-primary" in each["class"] for each in ways[:3]] == [True, False, False]


def test_after_one_driver_the_form_is_ready_for_the_next(staff: WebClient) -> None:
    added = staff.read(staff.page("/drivers").submit("Add the driver", name="Lakshmi", phone=""))
    assert "Lakshmi is added." in added.one("#driver-new").get_text()
    assert added.link("Open Lakshmi") == "/drivers/1"
    assert added.all("details[open] #name[autofocus]")
    assert not added.one("#name").get("value")
    assert not staff.page("/drivers?added=7").all("details[open]"), "there is no such driver"


def test_a_link_of_a_usual_vehicle_that_nobody_was_given_is_shown_with_its_usual_driver(
    staff: WebClient, levers: Levers
) -> None:
    driver, other = adds_a_driver(staff), adds_a_driver(staff, name="Anil", phone="91234 00001", vehicles="")
    link_id = makes_a_link(staff)
    listed = staff.page("/drivers")
    assert listed.link("₹1,677.00") == f"/drivers/{driver}#open-links"
    assert cells(listed)["Ramesh Kumar"] == ["₹1,677.00 1 link", "₹1,677.00 1 link"], "none of it was sent"
    assert "₹1,677.00" in staff.page(listed.link("Send Ramesh Kumar")).one("#reminder").get_text()
    own = staff.page(f"/drivers/{driver}")
    assert words(own.one(".driver-facts").get_text(" ")) == "Owes ₹1,677.00 1 link · Not sent yet", "said once"
    assert own.one(".driver-ways .button-primary").get_text() == "Send 1 link"
    assert own.one("#open-links [data-copy-source]")["value"]
    assert "Not sent yet" in own.one("#open-links").get_text()
    shares(staff, prepares(staff, link_id, driver=other), link_id, "whatsapp")
    sent = staff.page("/drivers")
    assert not sent.all(".driver-unsent, #sort-unsent"), "a column that says nothing is left out"
    [owed] = sent.all(".table-drivers tr:has(a[href='/drivers/1']) > .driver-owed")
    assert words(owed.get_text()) == ""
    assert not staff.page(f"/drivers/{driver}").all("#open-links")


def test_other_links_of_the_usual_vehicles_stand_apart(staff: WebClient, levers: Levers) -> None:
    driver = adds_a_driver(staff)
    assert not staff.page(f"/drivers/{driver}").all("#usual-links")
    levers.add_vehicle("MH12AB1009", [{"challanNo": "MH1", "challanAmount": 500}])
    failed = makes_a_link(staff)
    levers.fail(failed)
    steps.check(staff, failed)
    page = staff.page(f"/drivers/{driver}")
    assert words(page.one("#usual-links-title").get_text()) == "Other links of the usual vehicles (1)"
    [shown] = [words(each.get_text(" ")) for each in page.all("#usual-links tbody tr")]
    assert re.search(r"MH12 AB 1001 Failed .+ Not sent Ask driver", shown), shown
    assert "Owes Nothing No link given yet." in words(page.one(".driver-facts").get_text(" "))
    copied = steps.link_of(steps.create(staff))
    staff.post(f"/links/{copied}/copied", headers={"X-CSRFToken": staff.csrf_token()})
    page = staff.page(f"/drivers/{driver}")
    assert words(page.one("#usual-links-title").get_text()) == "Other links of the usual vehicles (2)"
    row = page.one(f"#usual-links #row-{copied}")
    assert "Copied " in words(row.get_text(" "))
    assert row.select_one("button[name=driver]")["formaction"] == f"/links/{copied}/nudge"
    other = adds_a_driver(staff, name="Anil", phone="91234 00001", vehicles="")
    shares(staff, prepares(staff, copied, driver=other), copied, "whatsapp")
    assert not staff.page(f"/drivers/{driver}").all(f"#row-{copied}"), "another driver has it"


def test_a_link_of_a_vehicle_with_two_usual_drivers_is_sent_from_the_page_of_one_of_them(
    staff: WebClient, levers: Levers
) -> None:
    driver, _other = adds_a_driver(staff), adds_a_driver(staff, name="Anil", phone="91234 00001")
    link_id = makes_a_link(staff)
    page = staff.page("/drivers")
    assert not [each for each in page.all(".driver-act a") if "Send" in each.get_text()]
    assert "Not sent (2)" in page.text
    assert words(page.one(".table-drivers .total .driver-unsent").get_text(" ")) == "₹1,677.00 1 link", "counted once"
    assert _row_button(staff.page(f"/drivers/{driver}"))["formaction"] == f"/links/{link_id}/nudge"


def _row_button(page: Page) -> Any:
    """Return the button of the one open link of a driver."""
    return page.one("#open-links td.acts > button[name=driver]")


def test_a_link_is_sent_and_reminded_of_from_its_row_of_the_drivers_page(
    staff: WebClient, levers: Levers, clock: Any
) -> None:
    driver, link_id = adds_a_driver(staff), makes_a_link(staff)
    here = f"/drivers/{driver}"
    before = staff.page(here).one("#driver-links")["hx-get"]
    assert staff.get(before, headers=HTMX | {"HX-Target": "driver-links"}).status_code == 204
    button = _row_button(staff.page(here))
    assert words(button.get_text()) == "Send MH12 AB 1001 to Ramesh Kumar by WhatsApp, in a new tab"
    staff.post(button["formaction"], data={"driver": button["value"], "csrf_token": staff.csrf_token()})
    sent = Page(staff, staff.get(before, headers=HTMX | {"HX-Target": "driver-links"}), region=True)
    again = words(_row_button(sent).get_text())
    assert again == "Send again MH12 AB 1001 to Ramesh Kumar by WhatsApp, in a new tab", "too early to remind him"
    undone = staff.read(staff.page(here).submit("Undo marking it as sent"))
    assert words(_row_button(undone).get_text()).startswith("Send MH12")
    staff.post(button["formaction"], data={"driver": button["value"], "csrf_token": staff.csrf_token()})
    rest(staff, clock)
    reminds = _row_button(staff.page(here))
    assert words(reminds.get_text()) == "Remind Ramesh Kumar about MH12 AB 1001 by WhatsApp, in a new tab"
    other = adds_a_driver(staff, name="Lakshmi Devi", phone="98200 12345", vehicles="")
    shares(staff, prepares(staff, link_id, driver=other), link_id, "whatsapp")
    rest(staff, clock)
    assert staff.page(here).link("Share · MH12 AB 1001"), "it is the other who is reminded now"


def test_filters_and_columns_of_drivers_say_the_same(staff: WebClient, levers: Levers) -> None:
    levers.add_vehicle("MH12AB1009", [{"challanNo": "MH1", "challanAmount": 500}])
    for name, phone, vehicles in (
        ("Anil", "91234 00001", "MH12AB1001"),
        ("Ravi", "91234 00003", ""),
        ("Zubin", "91234 00002", ""),
    ):
        driver = adds_a_driver(staff, name=name, phone=phone, vehicles=vehicles)
    makes_a_link(staff)
    page = staff.page("/drivers")
    assert page.link("Owe money (1)") == "/drivers?owes=yes"
    assert names(staff.page(page.link("Not sent (1)"))) == ["Anil"]
    link = _link_of_another_vehicle(staff)
    shares(staff, prepares(staff, link, driver=driver), link, "whatsapp")
    page = staff.page("/drivers")
    assert cells(page) == {
        "Zubin": ["₹559.00 1 link", ""],
        "Anil": ["₹1,677.00 1 link", "₹1,677.00 1 link"],
        "Ravi": ["", ""],
    }
    assert not page.all("#sort-paid, #sort-last-paid"), "nobody has paid anything"
    assert names(staff.page(page.link("Owe money (2)"))) == ["Anil", "Zubin"]
    columns = [words(each.get_text()) for each in page.all(".table-drivers thead th")]
    assert [words(each.get_text()) for each in staff.page("/drivers?q=Ravi").all(".table-drivers thead th")] == columns
    unsent = staff.page(page.link("Not sent (1)"))
    assert names(unsent) == ["Anil"]
    assert unsent.link("All (3)") == "/drivers"


def test_when_every_link_was_sent_the_list_of_those_not_sent_says_so(staff: WebClient) -> None:
    for name, phone in (("Anil", "91234 00001"), ("Zubin", "91234 00002")):
        adds_a_driver(staff, name=name, phone=phone, vehicles="")
    assert "Every link of a usual vehicle was sent." in staff.page("/drivers?unsent=yes").text


def cells(page: Page) -> dict[str, list[str]]:
    """Return what each driver of the list owes and could be sent."""
    columns = [page.all(f".table-drivers tr:not(.total) > .driver-{each}") for each in ("owed", "unsent")]
    return {name: [words(cell.get_text(" ")) for cell in row] for name, *row in zip(names(page), *columns, strict=True)}


def _link_of_another_vehicle(staff: WebClient) -> str:
    steps.searches(staff, "MH12AB1009")
    return steps.link_of(steps.create(staff, rc="MH12AB1009"))


def test_drivers_who_were_given_nothing_have_no_total_and_stand_by_name(staff: WebClient) -> None:
    for name, phone in (("Zubin", "91234 00002"), ("Anil", "91234 00001")):
        adds_a_driver(staff, name=name, phone=phone, vehicles="")
    page = staff.page("/drivers")
    assert not page.all(".table-drivers .total")
    assert page.one("[aria-sort=ascending]").get_text() == "Driver"
    assert staff.page("/drivers?sort=owes").one("[aria-sort=descending]").get_text() == "Owes"


def test_the_list_alone_follows_what_is_typed(staff: WebClient) -> None:
    for name, phone in (("Zubin", "91234 00002"), ("Anil", "91234 00001")):
        adds_a_driver(staff, name=name, phone=phone, vehicles="")
    answer = staff.get("/drivers?q=zu", headers=HTMX | {"HX-Target": "drivers-list"})
    region = Page(staff, answer, region=True)
    assert [each.get_text() for each in region.all(".table-drivers th[scope=row] a")] == ["Zubin"]
    assert not region.all("h1")
    assert answer.headers["HX-Replace-Url"] == "/drivers?q=zu"


def test_after_a_driver_is_added_what_waits_for_them_is_sent_next(staff: WebClient, levers: Levers) -> None:
    makes_a_link(staff)
    fields = {"name": "Ramesh Kumar", "phone": "98765 43210", "vehicles": "MH12AB1001"}
    added = staff.read(staff.page("/drivers").submit("Add the driver", **fields))
    [send] = added.all("#driver-new .driver-added .button-primary")
    assert re.fullmatch(r"Send ₹[\d,.]+ Ramesh Kumar", words(send.get_text()))
    assert staff.page(str(send["href"])).one("#reminder")
    assert not added.all("#driver-new button.button-primary"), "one next step"
    assert words(added.one("label[for=phone]").get_text()).endswith("(optional)")
    assert "optional" not in added.one("label[for=name]").get_text()


def test_a_link_that_ended_unpaid_is_created_again_from_the_driver(staff: WebClient, levers: Levers) -> None:
    driver, link_id = adds_a_driver(staff), makes_a_link(staff)
    shares(staff, prepares(staff, link_id, driver=driver), link_id, "whatsapp")
    assert "Create again" not in staff.page(f"/drivers/{driver}").text
    levers.expire(link_id)
    steps.check(staff, link_id)
    assert staff.page(f"/drivers/{driver}").link("Create again · MH12 AB 1001") == f"/links/{link_id}"


def test_what_a_driver_lacks_is_one_tap_away_in_the_list_and_a_search_that_finds_nobody_leads_back(
    staff: WebClient,
) -> None:
    driver = adds_a_driver(staff, phone="", vehicles="")
    page = staff.page("/drivers")
    for words_of_link, field in (("Add phone number", "phone"), ("Add usual vehicle", "vehicles")):
        assert page.link(words_of_link) == f"/drivers/{driver}?change={field}"
    adds_a_driver(staff, name="Anil", phone="91234 00001", vehicles="")
    assert staff.page("/drivers?q=zzz").one(".empty a")["href"] == "/drivers"
    staff.read(staff.page(f"/drivers/{driver}").submit("Driver has left"))
    assert "Add phone number" not in staff.page("/drivers").text, "nobody who has left is written to"
