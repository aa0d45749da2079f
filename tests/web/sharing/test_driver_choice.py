"""Choosing drivers from the follow-up queue: for all vehicles that lack one, and a new one for a link."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from dashboard.store.sharing import drivers
from dashboard.store.sharing import shares as stored_shares
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web.links.test_list import Ledger, link_id
from tests.web.sharing.steps import adds_a_driver, makes_a_link

ADDRESS = "/follow-up/drivers"


@pytest.fixture
def entered(app: Flask, clock: Any) -> Ledger:
    """Enter two links of one vehicle and one of another, none of which has a driver."""
    ledger = Ledger(app.extensions["services"], clock)
    for number, rc in ((1, "MH12AB1001"), (2, "MH12AB1001"), (3, "MH14GH2300")):
        ledger.enter(number, rc=rc, expires_at=clock() + timedelta(hours=20))
    return ledger


def saves(page: Page, **fields: list[str]) -> Any:
    """Save the drivers of the rows of the page, in their order."""
    [form] = [each for each in page.all("form") if str(each["action"]).startswith(ADDRESS)]
    vehicles = [str(each["value"]) for each in form.select("[name=vehicle]")]
    data: dict[str, Any] = {"csrf_token": page.client.csrf_token(), "vehicle": vehicles}
    return page.client.post(str(form["action"]), data=data | fields)


def usual(app: Flask, rc: str) -> list[str]:
    with app.extensions["store"].read() as connection:
        return [each.name for each in drivers.of_vehicle(connection, rc)]


def test_the_drivers_of_all_vehicles_are_chosen_on_one_page_and_then_get_one_message_each(
    staff: WebClient, app: Flask, entered: Ledger
) -> None:
    ramesh = adds_a_driver(staff, vehicles="")
    page = staff.page(staff.page("/follow-up").link("Choose drivers"))
    assert page.heading == "Choose drivers"
    assert "2 vehicles in Follow up have no usual driver. Nothing is sent yet." in page.text
    said = [words(each.get_text(" ")) for each in page.all(".choose-row .follow-link")]
    assert [each.partition(" · Ends")[0] for each in said] == [
        "MH12 AB 1001 2 links · ₹1,003.00",
        "MH14 GH 2300 1 link · ₹503.00",
    ]
    saved = saves(page, driver=[ramesh, "new"], name=["", "Lakshmi Devi"], phone=["", "98765 43211"])
    queue = staff.read(saved)
    assert queue.heading == "Follow up"
    assert "The drivers of 2 vehicles are saved." in queue.text
    assert (usual(app, "MH12AB1001"), usual(app, "MH14GH2300")) == (["Ramesh Kumar"], ["Lakshmi Devi"])
    assert queue.link("Send 2 messages · 3 links · ₹1,506.00")
    assert "Choose drivers" not in queue.text
    assert staff.get(ADDRESS).headers["Location"] == "/follow-up", "nothing is left to choose"


def test_what_is_wrong_with_a_new_driver_is_said_and_the_others_are_saved(
    staff: WebClient, app: Flask, entered: Ledger
) -> None:
    adds_a_driver(staff, vehicles="")
    page = staff.page(ADDRESS)
    fields = {"name": ["Lakshmi Devi", "Imran"], "phone": ["98765 43211", "98765 43210"]}
    refused = Page(staff, saves(page, driver=["new", "new"], **fields))
    assert refused.status == 422
    assert "+91 98765 43210 is Ramesh Kumar already." in refused.text
    assert [each["value"] for each in refused.all(".choose-row [name=name]")] == ["Imran"]
    assert usual(app, "MH12AB1001") == ["Lakshmi Devi"]
    empty = Page(staff, saves(refused, driver=["new"], name=[" "], phone=["12"]))
    assert "Enter the driver’s name." in empty.text
    assert "Enter ten digits" in empty.text


def test_while_there_is_no_driver_at_all_their_names_are_asked_for(
    staff: WebClient, app: Flask, entered: Ledger
) -> None:
    page = staff.page(ADDRESS)
    assert not page.all("select[name=driver]")
    same = {"name": ["Ravi", "ravi"], "phone": ["98765 43211", "+91 98765 43211"]}
    staff.read(saves(page, driver=["named", "named"], **same))
    assert usual(app, "MH12AB1001") == usual(app, "MH14GH2300") == ["Ravi"], "one driver of two vehicles"


def test_more_vehicles_follow_after_saving(staff: WebClient, app: Flask, entered: Ledger, clock: Any) -> None:
    ramesh = adds_a_driver(staff, vehicles="")
    for number in range(10, 21):
        entered.enter(number, rc=f"KA05MN00{number}", expires_at=clock() + timedelta(hours=20))
    page = staff.page(ADDRESS)
    assert len(page.all(".choose-row")) == 10
    assert "The next 3 follow after saving." in page.text
    blank = [""] * 10
    following = staff.read(saves(page, driver=[ramesh, *blank[1:]], name=blank, phone=blank))
    assert [words(each.get_text()) for each in following.all(".choose-row .plate")] == [
        "KA05 MN 0020",
        "MH12 AB 1001",
        "MH14 GH 2300",
    ]
    done = staff.read(saves(following, driver=blank[:3], name=blank[:3], phone=blank[:3]))
    assert done.heading == "Follow up", "those that were left out are not asked for again at once"


@pytest.mark.parametrize(("vehicle", "driver"), [("!!", "1"), ("MH12AB1001", "999"), ("MH12AB1001", "x")])
def test_an_odd_choice_is_refused(staff: WebClient, entered: Ledger, vehicle: str, driver: str) -> None:
    adds_a_driver(staff, vehicles="")
    data = {"csrf_token": staff.csrf_token(), "vehicle": vehicle, "driver": driver, "name": "", "phone": ""}
    assert staff.post(ADDRESS, data=data).status_code == 400


def test_a_new_driver_is_saved_and_sent_the_link_from_its_row(
    staff: WebClient, app: Flask, levers: Levers, clock: Any
) -> None:
    made = makes_a_link(staff)
    queue = staff.page("/follow-up")
    button = "Save and send MH12 AB 1001"
    refused = Page(staff, queue.submit(button, name="Ramesh", phone="12"))
    assert refused.status == 422
    [menu] = refused.all(f"#first-{made} details[open]")
    assert "Enter ten digits" in menu.get_text()
    opened = staff.read(refused.submit(button, name="Ramesh", phone="98765 43210"))
    assert str(opened.one("main a[href^='https://wa.me/']")["href"]).startswith("https://wa.me/919876543210?text=")
    assert usual(app, "MH12AB1001") == ["Ramesh"]
    with app.extensions["store"].read() as connection:
        [share] = stored_shares.of_link(connection, made)
    assert share.driver_name == "Ramesh"
    assert staff.page("/follow-up").all(f"#follow-just-sent > #follow-{made}")


def test_a_link_that_ended_meanwhile_is_not_sent_to_a_new_driver(
    staff: WebClient, app: Flask, levers: Levers, clock: Any
) -> None:
    made = makes_a_link(staff)
    queue = staff.page("/follow-up")
    levers.expire(made)
    clock.advance(seconds=10)
    refused = Page(staff, queue.submit("Save and send MH12 AB 1001", name="Ramesh", phone="98765 43210"))
    assert refused.status == 409
    with app.extensions["store"].read() as connection:
        assert not stored_shares.of_link(connection, made)


def test_links_whose_driver_has_no_phone_are_counted(staff: WebClient, entered: Ledger) -> None:
    adds_a_driver(staff, phone="")
    assert "1 has no driver · 2 have no phone number" in staff.page("/follow-up").text
    assert staff.page("/follow-up").all(f"#follow-{link_id(1)} .follow-first a[href$='change=phone']")
