"""Test the payment page in a real browser: the accessibility of each state, and a driver who pays."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import requests
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page

from dashboard.replica.server import RunningReplica
from dashboard.replica.settings import DEMO_SECRET
from tests.support.levers import Levers

pytestmark = pytest.mark.e2e
CAR = "MH12AB1001"
STATES = ("ACTIVE", "PAID", "EXPIRED", "CANCELLED", "FAILED", "ON_HOLD", "unknown", "index")


@pytest.fixture(params=["light", "dark"])
def phone(request, browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 390, "height": 844}, color_scheme=request.param)
    yield context
    context.close()


def new_link(server: RunningReplica) -> dict:
    levers = Levers(server.url)
    ids = [one["id"] for one in levers.add_vehicle(CAR, [{"challanAmount": 1177.5}, {}])["challans"]]
    return requests.post(
        f"{server.url}/api/v1/staging/payment-links",
        json={"vehicle_number": CAR, "challan_ids": ids},
        headers={"Authorization": f"Bearer {DEMO_SECRET}"},
        timeout=10,
    ).json()["data"]


def has_no_complaint(page: Page) -> None:
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
    overflow = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert overflow == 0


@pytest.mark.parametrize("state", STATES)
def test_every_state_of_the_page_is_accessible(socket_replica, phone, state):
    link = new_link(socket_replica)
    levers = Levers(socket_replica.url)
    if state == "PAID":
        levers.pay(link["id"])
    elif state not in {"ACTIVE", "unknown", "index"}:
        levers.set_link(link["id"], status=state)
    addresses = {"unknown": f"{socket_replica.url}/prepaid-payment/{'x' * 32}", "index": socket_replica.url}
    page = phone.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    page.goto(addresses.get(state, link["paymentUrl"]))
    has_no_complaint(page)
    # The page with status 404 is itself reported as an error by the browser.
    assert [text for text in complaints if "404" not in text] == []


def test_a_driver_pays_by_upi_and_sees_the_receipt(socket_replica, phone):
    link = new_link(socket_replica)
    page = phone.new_page()
    page.goto(link["paymentUrl"])
    for button in page.get_by_role("button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
    page.get_by_role("button", name="by UPI").click()
    page.get_by_role("heading", name="Receipt for").wait_for()
    assert page.url == link["paymentUrl"]
    assert Levers(socket_replica.url).link(link["id"])["status"] == "PAID"
    page.reload()
    assert page.get_by_role("button").count() == 0


def test_a_drivers_payment_fails(socket_replica, phone):
    link = new_link(socket_replica)
    page = phone.new_page()
    page.goto(link["paymentUrl"])
    page.get_by_role("button", name="Let the payment fail").click()
    page.get_by_role("heading", name="The payment failed").wait_for()
    assert Levers(socket_replica.url).link(link["id"])["status"] == "FAILED"
