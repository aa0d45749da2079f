"""Test faults and broken assumptions, over real sockets where the socket breaks."""

from __future__ import annotations

import time
from typing import Any

import pytest
import requests

from dashboard.replica.settings import DEMO_SECRET
from tests.support.levers import LeverRefused, Levers

CAR = "MH12AB1001"


class OverTheWire:
    def __init__(self, url: str) -> None:
        self.base = f"{url}/api/v1/staging"
        self.levers = Levers(url)

    def locations(self) -> requests.Response:
        return requests.get(f"{self.base}/locations", headers={"Authorization": f"Bearer {DEMO_SECRET}"}, timeout=10)

    def post(self, path: str, body: dict[str, Any]) -> requests.Response:
        headers = {"Authorization": f"Bearer {DEMO_SECRET}"}
        return requests.post(self.base + path, json=body, headers=headers, timeout=10)

    def create(self, ids: list[str]) -> requests.Response:
        return self.post("/payment-links", {"vehicle_number": CAR, "challan_ids": ids})

    def search(self) -> dict[str, Any]:
        return self.post("/challans/search", {"rcNumber": CAR, "bypassCache": True}).json()["data"]

    def vehicle(self, count: int = 1) -> list[str]:
        return [one["id"] for one in self.levers.add_vehicle(CAR, [{}] * count)["challans"]]

    def links(self) -> list[dict[str, Any]]:
        return self.levers.truth()["links"]


@pytest.fixture
def wire(socket_replica):
    return OverTheWire(socket_replica.url)


@pytest.mark.parametrize(("when", "links"), [("before", 0), ("after", 1)])
@pytest.mark.parametrize("kind", ["cut", "truncate"])
def test_a_cut_connection_is_really_closed_before_or_after_the_effect(wire, kind, when, links):
    ids = wire.vehicle()
    wire.levers.fault("create_link", kind, when=when)
    with pytest.raises((requests.ConnectionError, requests.exceptions.ChunkedEncodingError)):
        wire.create(ids)
    assert len(wire.links()) == links
    (call,) = wire.levers.calls("create_link")
    assert (call["status"], call["fault"]) == (None, f"{kind} {when}")


@pytest.mark.parametrize(("when", "links"), [("before", 0), ("after", 1)])
def test_an_ordered_status_is_answered_before_or_after_the_effect(wire, when, links):
    ids = wire.vehicle()
    wire.levers.fault("create_link", "status", status=503, when=when)
    assert wire.create(ids).status_code == 503
    assert len(wire.links()) == links


def test_a_fault_hits_exactly_the_ordered_calls_of_its_operation(wire):
    wire.levers.fault("locations", "status", status=502, count=2)
    wire.vehicle()
    wire.search()
    assert [wire.locations().status_code for _ in range(3)] == [502, 502, 200]
    assert wire.levers.count("locations") == 3


def test_a_raw_answer_goes_out_as_given(wire):
    wire.levers.fault(
        "locations", "raw", status=302, body="<p>elsewhere", content_type="text/html", headers={"Location": "/x"}
    )
    answer = requests.get(f"{wire.base}/locations", allow_redirects=False, timeout=10)
    assert (answer.status_code, answer.text, answer.headers["Location"]) == (302, "<p>elsewhere", "/x")


@pytest.mark.parametrize(
    ("corruption", "proof"),
    [
        ("html", lambda answer: answer.text.startswith("<!doctype")),
        ("empty", lambda answer: answer.text == ""),
        ("success-false", lambda answer: answer.json()["success"] is False and answer.json()["data"]),
        ("missing-field", lambda answer: "id" not in answer.json()["data"]),
        ("nan", lambda answer: '"id": NaN' in answer.text),
        ("not-an-object", lambda answer: isinstance(answer.json(), list)),
    ],
)
def test_a_corrupt_answer_hides_a_created_link(wire, corruption, proof):
    ids = wire.vehicle()
    wire.levers.fault("create_link", "corrupt", corruption=corruption, missing="data.id", when="after")
    answer = wire.create(ids)
    assert answer.status_code == 200
    assert proof(answer)
    assert len(wire.links()) == 1


def test_invalid_json_cannot_be_read(wire):
    wire.levers.fault("locations", "corrupt", corruption="invalid-json", when="after")
    with pytest.raises(requests.JSONDecodeError):
        wire.locations().json()


@pytest.mark.parametrize("kind", ["delay", "drip"])
def test_slow_answers_are_whole(wire, kind):
    wire.levers.fault("locations", kind, seconds=0.4, when="after")
    started = time.monotonic()
    assert wire.locations().json()["success"] is True
    assert time.monotonic() - started >= 0.35


def test_stopping_does_not_wait_for_a_delayed_answer(wire, socket_replica):
    wire.levers.switch(latency_seconds=3600)
    with pytest.raises(requests.Timeout):
        requests.get(f"{wire.base}/locations", timeout=0.2)
    started = time.monotonic()
    socket_replica.replica.stopping.set()
    assert wire.locations().status_code == 200
    assert time.monotonic() - started < 5


def test_a1_breaks_a_refusal_hides_a_created_link(wire):
    ids = wire.vehicle()
    wire.levers.break_a1(status=429)
    assert wire.create(ids).status_code == 429
    assert len(wire.links()) == 1


def test_a2_breaks_two_links_hold_one_challan(wire):
    ids = wire.vehicle()
    wire.create(ids)
    wire.levers.break_a2()
    assert wire.create(ids).status_code == 200
    assert [double["id"] for double in wire.levers.truth()["doublyHeld"]] == ids
    wire.levers.break_a2(False)
    assert wire.create(ids).status_code == 409


def test_a3_breaks_a_search_hides_a_link_for_a_while(wire):
    ids = wire.vehicle()
    wire.levers.break_a3(600)
    link_id = wire.create(ids).json()["data"]["id"]
    hidden = wire.search()["challans"][0]
    assert (hidden["prepaid"], hidden["paymentLinkId"]) == (False, None)
    assert wire.create(ids).status_code == 409
    wire.levers.advance(601)
    assert wire.search()["challans"][0]["paymentLinkId"] == link_id


def test_a4_breaks_a_request_is_committed_by_the_lever(wire):
    ids = wire.vehicle()
    wire.levers.break_a4()
    with pytest.raises(requests.ConnectionError):
        wire.create(ids)
    assert wire.links() == []
    assert wire.search()["challans"][0]["prepaid"] is False
    assert wire.levers.commit_late() == [200]
    assert wire.search()["challans"][0]["prepaid"] is True


def test_a4_breaks_a_request_is_committed_after_a_while(wire):
    ids = wire.vehicle()
    wire.levers.break_a4(seconds=0.3)
    with pytest.raises(requests.ConnectionError):
        wire.create(ids)
    deadline = time.monotonic() + 10
    while not wire.links():
        assert time.monotonic() < deadline
    assert wire.search()["challans"][0]["prepaid"] is True


def test_a_deferred_request_can_be_dropped(wire):
    ids = wire.vehicle()
    wire.levers.break_a4()
    with pytest.raises(requests.ConnectionError):
        wire.create(ids)
    wire.levers.drop_late()
    assert wire.levers.commit_late() == []
    assert wire.links() == []


@pytest.mark.parametrize(("answer", "status"), [("first", 200), ("second", 409)])
def test_a6_breaks_a_replayed_request_is_executed_twice(wire, answer, status):
    ids = wire.vehicle()
    wire.levers.break_a6(answer=answer)
    assert wire.create(ids).status_code == status
    assert len(wire.links()) == 1


def test_a6_breaks_together_with_a2_a_replay_makes_a_second_link(wire):
    ids = wire.vehicle()
    wire.levers.break_a2()
    wire.levers.break_a6()
    assert wire.create(ids).status_code == 200
    assert len(wire.links()) == 2


def test_hostile_text_reaches_every_field(wire):
    (challan,) = wire.vehicle()
    hostile = "<img src=x onerror=alert(1)>\u202e\ud800"
    texts = ("challanNo", "status", "state", "challanType", "challanPlace", "offenseDetails")
    wire.levers.set_challan(challan, seen=True, **dict.fromkeys(texts, hostile))
    assert {wire.search()["challans"][0][name] for name in texts} == {hostile}
    wire.levers.set_challan(challan, raw={"challanAmount": "many", "-": ["prepaid"]}, status="PENDING")
    shown = wire.search()["challans"][0]
    assert shown["challanAmount"] == "many"
    assert "prepaid" not in shown
    link_id = wire.create([challan]).json()["data"]["id"]
    wire.levers.set_link(link_id, status="ON_HOLD", raw={"paymentUrl": "javascript:alert(1)"})
    wire.levers.set_organization(name="<b>Fleet</b>")
    status = requests.get(
        f"{wire.base}/payment-links/{link_id}", headers={"Authorization": f"Bearer {DEMO_SECRET}"}, timeout=10
    ).json()["data"]
    assert (status["status"], status["paymentUrl"]) == ("ON_HOLD", "javascript:alert(1)")
    assert status["organization"]["name"] == "<b>Fleet</b>"
    assert wire.search()["challans"][0]["paymentLink"]["externalPaymentUrl"] == "javascript:alert(1)"


def test_a_late_payment_of_an_ended_link_is_possible(wire):
    ids = wire.vehicle()
    first = wire.create(ids).json()["data"]["id"]
    wire.levers.expire(first)
    second = wire.create(ids).json()["data"]["id"]
    wire.levers.pay(first)
    (double,) = wire.levers.truth()["doublyHeld"]
    assert set(double["links"]) == {first, second}


def test_the_journal_holds_every_call_and_its_organization(wire):
    wire.locations()
    requests.get(f"{wire.base}/locations", headers={"Authorization": "Bearer wrong"}, timeout=10)
    good, bad = wire.levers.calls("locations")
    assert (good["method"], good["path"], good["status"], good["organization"]) == (
        "GET", "/api/v1/staging/locations", 200, "demo",
    )  # fmt: skip
    assert (bad["status"], bad["organization"]) == (401, None)
    assert wire.levers.calls(after=bad["number"]) == []


def test_a_misspelt_lever_is_refused(wire):
    for order in (
        lambda: wire.levers.fault("create", "cut"),
        lambda: wire.levers.fault("create_link", "explode"),
        lambda: wire.levers.fault("create_link", "cut", wen="after"),
        lambda: wire.levers.switch(allow_second_links=True),
        lambda: wire.levers.set_organization(nmae="x"),
        lambda: wire.levers.pay("nonsense"),
        lambda: wire.levers.set_clock(offset=1e30),
    ):
        with pytest.raises(LeverRefused):
            order()


def test_one_date_is_sent_and_it_is_the_replicas(wire):
    wire.levers.set_clock(at="2027-03-01T12:00:00Z")
    assert wire.locations().headers["Date"].startswith("Mon, 01 Mar 2027 12:00")
    assert "," not in wire.locations().headers["Date"].partition(",")[2]
