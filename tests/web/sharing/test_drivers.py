"""Drivers: adding them, changing their details, leaving and coming back."""

from __future__ import annotations

import pytest

from dashboard.domain.drivers import MAX_NOTE
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares, shares


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"name": " "}, "Enter the driver’s name."),
        ({"phone": "call me"}, "Enter ten digits"),
        ({"phone": "12345"}, "Enter ten digits"),
        ({"email": "ramesh"}, "Enter an e-mail address"),
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


@pytest.mark.parametrize(("language", "said"), [("en", "A note has at most"), ("hi", "नोट में ज़्यादा से ज़्यादा")])
def test_a_note_that_is_too_long_is_refused_in_the_language_of_the_page(
    staff: WebClient, language: str, said: str
) -> None:
    headers = {"Accept-Language": language}
    data = {"name": "Ramesh", "language": "en", "note": "x" * (MAX_NOTE + 1), "csrf_token": staff.csrf_token()}
    assert said in Page(staff, staff.post("/drivers", data=data, headers=headers)).text


def test_a_driver_is_changed_leaves_and_comes_back(staff: WebClient) -> None:
    driver = adds_a_driver(staff)
    page = staff.page(f"/drivers/{driver}")
    assert page.one("#vehicles")["value"] == "MH12 AB 1001"
    staff.read(page.submit("Save the driver", name="Ramesh K.", vehicles="KA05MN4321, MH12AB1001"))
    listed = staff.page("/drivers")
    assert listed.link("Ramesh K.") == f"/drivers/{driver}"
    assert listed.link("KA05 MN 4321") == "/vehicles/KA05MN4321"
    staff.read(staff.page(f"/drivers/{driver}").submit("Mark as left"))
    assert "Former drivers (1)" in staff.page("/drivers").text
    staff.read(staff.page(f"/drivers/{driver}").submit("Mark as active"))
    assert "Former drivers" not in staff.page("/drivers").text


def test_a_driver_owes_what_is_open_and_has_paid_what_is_paid(staff: WebClient, levers: Levers) -> None:
    driver = adds_a_driver(staff)
    link_id = makes_a_link(staff)
    shares(staff, prepares(staff, link_id), link_id, "whatsapp")
    owed = words(staff.page(f"/drivers/{driver}").one(".driver-sums").get_text(" "))
    assert "Owes ₹1,677.00 · 1 link Paid nothing" in owed
    assert "Last paid" not in owed
    levers.pay(link_id)
    steps.check(staff, link_id)
    paid = words(staff.page(f"/drivers/{driver}").one(".driver-sums").get_text(" "))
    assert "Owes nothing Paid ₹1,677.00 · 1 link Last paid" in paid


def test_a_phone_number_is_that_of_one_driver(staff: WebClient) -> None:
    ramesh, lakshmi = adds_a_driver(staff), adds_a_driver(staff, name="Lakshmi", phone="98200 12345")
    again = Page(staff, staff.page("/drivers").submit("Add the driver", name="Ramesh Y.", phone="+91 98765-43210"))
    assert again.status == 422
    assert "+91 98765 43210 is Ramesh Kumar already." in again.text
    assert again.link("Open Ramesh Kumar") == f"/drivers/{ramesh}"
    changed = Page(staff, staff.page(f"/drivers/{lakshmi}").submit("Save the driver", phone="9876543210"))
    assert (changed.status, changed.link("Open Ramesh Kumar")) == (422, f"/drivers/{ramesh}")
    staff.read(staff.page(f"/drivers/{ramesh}").submit("Mark as left"))
    assert adds_a_driver(staff, name="Anil"), "the number was passed on"
