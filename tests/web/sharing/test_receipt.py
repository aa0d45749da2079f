"""The receipt of a paid link, and the thanks to its driver."""

from __future__ import annotations

import pytest

from tests.support.levers import Levers
from tests.support.page import words
from tests.support.web_client import WebClient
from tests.web import steps
from tests.web.sharing.steps import adds_a_driver, makes_a_link


@pytest.fixture
def paid(staff: WebClient, levers: Levers) -> str:
    """Return the id of a paid link, whose vehicle has one usual driver."""
    adds_a_driver(staff)
    link_id = makes_a_link(staff)
    levers.pay(link_id)
    steps.check(staff, link_id)
    return link_id


def test_a_paid_link_offers_a_receipt_that_says_what_was_paid_and_when(
    staff: WebClient, levers: Levers, paid: str
) -> None:
    page = staff.page(staff.page(f"/links/{paid}").link("Receipt"))
    sheet = words(page.one("article.receipt").get_text(" "))
    assert "₹1,677.00" in sheet
    assert "Paid" in sheet
    assert page.all("article time[datetime]")
    assert "MH12 AB 1001" in sheet
    assert "Ramesh Kumar" in sheet
    assert [f"MH10{number:02}" in sheet for number in range(3)] == [True] * 3
    assert paid in sheet
    assert "The way of paying is not reported. By Credit card the total is ₹" in sheet


def test_the_thanks_are_in_the_drivers_language_and_go_to_his_number(staff: WebClient, paid: str) -> None:
    page = staff.page(f"/links/{paid}/receipt")
    message = page.one("#share-message").get_text()
    assert message.startswith("नमस्ते Ramesh Kumar")
    assert "3 चालानों के लिए ₹1,677.00 का भुगतान मिल गया" in message
    assert page.link("WhatsApp").startswith("https://wa.me/919876543210?text=")
    assert "prepaid-payment" not in page.response.text, "a paid link is given to nobody"


@pytest.mark.parametrize("status", ["ACTIVE", "EXPIRED"])
def test_a_link_that_is_not_paid_has_no_receipt(staff: WebClient, levers: Levers, status: str) -> None:
    link_id = makes_a_link(staff)
    if status == "EXPIRED":
        levers.expire(link_id)
        steps.check(staff, link_id)
    assert "Receipt" not in staff.page(f"/links/{link_id}").text
    assert staff.get(f"/links/{link_id}/receipt").headers["Location"] == f"/links/{link_id}"
