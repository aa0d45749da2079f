"""Test the public payment page as a browser without JavaScript reads it."""

from __future__ import annotations

from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup

from dashboard.replica.app import create_replica
from tests.replica.caller import ReplicaCaller, replica_settings

CAR = "MH12AB1001"


def page_of(link):
    return urlsplit(link["paymentUrl"]).path


@pytest.fixture
def payable_link(replica):
    ids = replica.vehicle(
        CAR, {"challanAmount": 1234567.5, "challanNo": "MH1"}, {"offenseDetails": "<script>alert(1)</script>"}
    )
    return replica.created(CAR, ids)


def read(replica, path, status=200):
    answer = replica.client.get(path)
    assert answer.status_code == status
    return house_rules(answer)


def house_rules(answer):
    soup = BeautifulSoup(answer.text, "html.parser")
    assert len(soup.find_all("main")) == len(soup.find_all("h1")) == 1
    assert soup.find("link", rel="icon")
    assert not soup.find("script")
    assert not soup.find(style=True)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    ids = [tag["id"] for tag in soup.find_all(id=True)]
    assert len(ids) == len(set(ids))
    return soup


def words(soup):
    return " ".join(soup.main.get_text(" ").split())


def test_the_driver_sees_vehicle_challans_and_a_price_per_mode(replica, payable_link):
    soup = read(replica, page_of(payable_link))
    assert CAR in words(soup)
    assert "MH1 " in words(soup)
    assert "<script>alert(1)</script>" in words(soup)
    buttons = [button.get_text(strip=True) for button in soup.find_all("button")]
    assert buttons == ["Pay ₹12,35,715.32 by UPI", "Pay ₹12,60,429.63 by credit card", "Let the payment fail"]
    upi, card = payable_link["paymentModeOptions"]
    assert (upi["totalAmount"], card["totalAmount"]) == (1235715.32, 1260429.63)
    assert "Only on the local replica" in words(soup)


@pytest.mark.parametrize(("choice", "word"), [("UPI", "UPI"), ("CREDIT_CARD", "Credit card")])
def test_paying_ends_at_a_receipt_and_pays_once(replica, payable_link, choice, word):
    path = page_of(payable_link)
    answer = replica.client.post(path, data={"choice": choice})
    assert (answer.status_code, answer.headers["Location"]) == (303, path)
    assert f"Paid by {word}" in words(read(replica, path))
    paid = replica.link(payable_link["id"])
    assert paid["status"] == "PAID"
    again = replica.client.post(path, data={"choice": "UPI" if choice == "CREDIT_CARD" else "CREDIT_CARD"})
    assert again.status_code == 303
    assert replica.link(payable_link["id"]) == paid
    assert f"Paid by {word}" in words(read(replica, path))


def test_a_failed_payment_sets_the_link_to_failed(replica, payable_link):
    path = page_of(payable_link)
    assert replica.client.post(path, data={"choice": "FAIL"}).status_code == 303
    assert "The payment failed" in words(read(replica, path))
    assert replica.link(payable_link["id"])["status"] == "FAILED"


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [
        ("expire", "This link has expired"),
        ("cancel", "This link was cancelled"),
        ("fail", "The payment failed"),
    ],
)
def test_an_ended_link_cannot_be_paid(replica, payable_link, outcome, sentence):
    told = replica.lever("POST", f"/links/{payable_link['id']}/{outcome}")
    path = page_of(payable_link)
    soup = read(replica, path)
    assert sentence in words(soup)
    assert not soup.find("button")
    answer = replica.client.post(path, data={"choice": "UPI"})
    assert answer.status_code == 409
    assert sentence in words(house_rules(answer))
    assert replica.link(payable_link["id"])["status"] == told["status"]
    assert replica.link(payable_link["id"])["paidAt"] is None


def test_a_link_past_its_end_cannot_be_paid(replica, payable_link):
    replica.lever("POST", "/clock", {"advance": 48 * 3600 + 1})
    assert replica.client.post(page_of(payable_link), data={"choice": "UPI"}).status_code == 409
    assert replica.link(payable_link["id"])["status"] == "EXPIRED"


def test_an_undocumented_status_has_a_page_too(replica, payable_link):
    replica.lever("PATCH", f"/links/{payable_link['id']}", {"status": "ON_HOLD"})
    assert "ON_HOLD" in words(read(replica, page_of(payable_link)))


def test_an_invalid_payment_form_pays_nothing(replica, payable_link):
    answer = replica.client.post(page_of(payable_link), data={"choice": "CASH"})
    assert answer.status_code == 400
    assert replica.link(payable_link["id"])["status"] == "ACTIVE"


@pytest.mark.parametrize("token", ["x", "A" * 32, "%00", "'; DROP TABLE link", "\ud7ff"])
def test_an_unknown_link_answers_404_with_a_page(replica, token):
    assert "There is no such payment link" in words(read(replica, f"/prepaid-payment/{token}", 404))
    assert replica.client.post(f"/prepaid-payment/{token}", data={"choice": "UPI"}).status_code == 404


def test_hostile_text_does_not_break_the_page(replica):
    ids = replica.vehicle(CAR, {"challanPlace": "\ud800\u202e", "challanDate": "yesterday", "challanNo": "<b>"})
    soup = read(replica, page_of(replica.created(CAR, ids)))
    assert not soup.find("b")


def test_payment_urls_use_the_configured_base(tmp_path):
    app = create_replica(replica_settings(tmp_path, payment_page_base="https://pay.example"))
    replica = ReplicaCaller(app.test_client())
    link = replica.created(CAR, replica.vehicle(CAR, {}))
    assert link["paymentUrl"].startswith("https://pay.example/prepaid-payment/")
    app.extensions["replica"].state.close()


def test_the_index_names_the_vehicles_worth_trying(demo_replica):
    soup = read(demo_replica, "/")
    assert {"MH12AB1001", "KA05MN4321", "MH14GH2300"} <= set(words(soup).split())
