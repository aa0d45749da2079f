"""Test sections 2.4, 3.1, 4.4 and 4.5 of the document, and their rows of section 7."""

from __future__ import annotations

import threading
import uuid
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

CAR = "MH12AB1001"
NOBODY = str(uuid.UUID(int=7))


def exactly(value: float) -> Decimal:
    return Decimal(repr(value))


def test_a_created_link_has_exactly_the_documented_fields(replica):
    ids = replica.vehicle(CAR, {"challanAmount": 1177.5}, {"challanAmount": None, "state": None, "challanType": None})
    link = replica.created(CAR, ids)
    assert set(link) == {
        "id", "status", "organization", "paymentUrl", "expiresAt", "paidAt", "amount", "paymentModeOptions", "challans",
    }  # fmt: skip
    assert (link["status"], link["paidAt"]) == ("ACTIVE", None)
    assert set(link["organization"]) == {"id", "name"}
    for challan in link["challans"]:
        assert set(challan) == {
            "id", "challanNo", "rcNumber", "status", "challanType", "state", "challanAmount", "legalFee", "totalAmount",
        }  # fmt: skip
        assert challan["rcNumber"] == CAR
        assert None not in challan.values()
    assert replica.link(link["id"]) == link


def test_the_amounts_add_up_exactly(replica):
    amounts = (0.1, 0.2, 1177.55, 590.25, 12345.67, 3.33)
    link = replica.created(CAR, replica.vehicle(CAR, *({"challanAmount": amount} for amount in amounts)))
    modes = {option["paymentMode"]: option for option in link["paymentModeOptions"]}
    assert list(modes) == ["UPI", "CREDIT_CARD"]
    for option in (link["amount"], *modes.values()):
        parts = [exactly(option[name]) for name in ("baseAmount", "legalFee", "gst", "convenienceFee")]
        assert sum(parts) == exactly(option["totalAmount"])
    assert exactly(link["amount"]["baseAmount"]) == sum(Decimal(str(amount)) for amount in amounts)
    assert link["amount"]["totalAmount"] == modes["UPI"]["totalAmount"]
    assert modes["UPI"]["convenienceFee"] == 0 < modes["CREDIT_CARD"]["convenienceFee"]
    assert sum(exactly(challan["totalAmount"]) for challan in link["challans"]) == exactly(
        link["amount"]["totalAmount"]
    )


@pytest.mark.parametrize(("given", "hours"), [({}, 48), ({"expiry_time": 24}, 24), ({"expiry_time": 168.0}, 168)])
def test_a_link_is_valid_for_the_requested_hours(replica, given, hours):
    link = replica.created(CAR, replica.vehicle(CAR, {}), **given)
    told = replica.lever("GET", f"/links/{link['id']}")
    assert datetime.fromisoformat(link["expiresAt"]) - datetime.fromisoformat(told["createdAt"]) == timedelta(
        hours=hours
    )


@pytest.mark.parametrize("hours", [23, 169, 0, -48, 47.5, True, "48", None, [48], 1e300])
def test_any_other_lifetime_is_refused(replica, hours):
    assert replica.create(CAR, replica.vehicle(CAR, {}), expiry_time=hours).status_code == 400


@pytest.mark.parametrize("ids", [[], "x", None, [1], [True], ["nonsense"], [None], [NOBODY] * 2, [NOBODY, [NOBODY]]])
def test_a_wrong_selection_is_refused(replica, ids):
    replica.vehicle(CAR, {})
    body = {"vehicle_number": CAR, "challan_ids": ids}
    assert replica.call("POST", "/payment-links", json=body).status_code == 400


def test_the_same_id_in_capitals_is_a_duplicate(replica):
    (only,) = replica.vehicle(CAR, {})
    assert replica.create(CAR, [only, only.upper()]).status_code == 400
    assert replica.create(CAR, [only.upper()]).status_code == 200


def test_exactly_one_selector_is_needed(replica):
    ids = replica.vehicle(CAR, {"challanNo": "MH1"})
    assert replica.create(CAR).status_code == 400
    assert replica.create(CAR, ids, challan_numbers=["MH1"]).status_code == 400
    assert replica.create(CAR, ids, challan_numbers=None).status_code == 400
    assert replica.create(CAR, challan_numbers=["MH1"]).status_code == 200


@pytest.mark.parametrize("numbers", [[], [""], ["MH1", "MH1"], [7], "MH1"])
def test_wrong_challan_numbers_are_refused(replica, numbers):
    replica.vehicle(CAR, {"challanNo": "MH1"})
    assert replica.create(CAR, challan_numbers=numbers).status_code == 400


def test_a_hundred_challans_fit_and_one_more_does_not(replica):
    ids = replica.vehicle(CAR, *({} for _ in range(101)))
    assert replica.create(CAR, ids).status_code == 400
    assert len(replica.created(CAR, ids[:100])["challans"]) == 100


@pytest.mark.parametrize("number", [None, 7, "", {}])
def test_a_wrong_vehicle_number_is_refused(replica, number):
    assert replica.create(number, [NOBODY]).status_code == 400


def test_a_vehicle_or_challan_unknown_to_the_organization_answers_404(replica):
    replica.vehicle(CAR, {})
    (elsewhere,) = replica.vehicle("DL1CA1234", {})
    replica.vehicle("KA05MN4321", {}, organization=None)
    assert replica.create("TN01ZZ9999", [NOBODY]).status_code == 404
    assert replica.create("KA05MN4321", [NOBODY]).status_code == 404
    assert replica.create(CAR, [NOBODY]).status_code == 404
    assert replica.create(CAR, [elsewhere]).status_code == 404
    assert replica.create(CAR, challan_numbers=["\ud800"]).status_code == 404


def test_a_challan_that_no_search_has_shown_answers_404(replica):
    replica.vehicle(CAR, {})
    unseen = replica.lever("POST", f"/vehicles/{CAR}/challans", {})["id"]
    assert replica.create(CAR, [unseen]).status_code == 404
    replica.found(CAR, bypassCache=True)
    assert replica.create(CAR, [unseen]).status_code == 200


def test_a_deleted_vehicle_or_one_of_another_organization_cannot_have_a_link(replica):
    foreign = replica.vehicle("TN09BX5555", {}, organization="second")
    deleted = replica.vehicle("UP16DT0404", {}, deleted=True)
    assert replica.create("TN09BX5555", foreign).status_code == 409
    assert replica.create("UP16DT0404", deleted).status_code == 409


@pytest.mark.parametrize("status", ["IN_COURT_REVIEW", "DISPOSED", "PAID", "UNDER_VERIFICATION", "pending"])
def test_only_the_two_named_states_can_be_paid(replica, status):
    ids = replica.vehicle(CAR, {"status": status}, {"status": "TO_BE_ASSIGNED"}, {"status": "PENDING"})
    assert replica.create(CAR, ids).status_code == 409
    assert replica.create(CAR, ids[1:]).status_code == 200


def test_a_challan_disposed_at_the_source_cannot_be_linked_from_a_stale_list(replica):
    ids = replica.vehicle(CAR, {})
    replica.lever("PATCH", f"/challans/{ids[0]}", {"status": "DISPOSED"})
    assert replica.found(CAR)["challans"][0]["status"] == "PENDING"
    assert replica.create(CAR, ids).status_code == 409


def test_a_link_attaches_its_challans_and_no_second_one_can(replica):
    first, second = replica.vehicle(CAR, {}, {})
    link = replica.created(CAR, [first])
    assert replica.create(CAR, [first, second]).status_code == 409
    shown = {challan["id"]: challan for challan in replica.found(CAR)["challans"]}
    assert shown[first]["prepaid"] is True
    assert shown[first]["paymentLinkId"] == link["id"]
    assert shown[first]["paymentLink"] == {
        "id": link["id"],
        "status": "ACTIVE",
        "externalPaymentUrl": link["paymentUrl"],
        "totalAmount": link["amount"]["totalAmount"],
    }
    assert (shown[second]["prepaid"], shown[second]["paymentLink"]) == (False, None)


@pytest.mark.parametrize(("outcome", "status"), [("expire", "EXPIRED"), ("fail", "FAILED"), ("cancel", "CANCELLED")])
def test_an_ended_link_releases_its_challans(replica, outcome, status):
    ids = replica.vehicle(CAR, {})
    link = replica.created(CAR, ids)
    replica.lever("POST", f"/links/{link['id']}/{outcome}")
    assert replica.link(link["id"])["status"] == status
    (challan,) = replica.found(CAR)["challans"]
    assert (challan["prepaid"], challan["paymentLink"]["status"]) == (False, status)
    again = replica.created(CAR, ids)
    (challan,) = replica.found(CAR)["challans"]
    assert (challan["prepaid"], challan["paymentLinkId"]) == (True, again["id"])


def test_a_link_expires_by_the_replicas_clock(replica):
    ids = replica.vehicle(CAR, {})
    link = replica.created(CAR, ids, expiry_time=24)
    replica.lever("POST", "/clock", {"advance": 24 * 3600 - 60})
    assert replica.link(link["id"])["status"] == "ACTIVE"
    replica.lever("POST", "/clock", {"advance": 61})
    assert replica.link(link["id"])["status"] == "EXPIRED"
    assert replica.create(CAR, ids).status_code == 200


def test_a_paid_link_keeps_its_challans_and_the_source_follows(replica):
    ids = replica.vehicle(CAR, {})
    link = replica.created(CAR, ids)
    replica.lever("PATCH", "/switches", {"paid_lag_seconds": 3600})
    replica.lever("POST", f"/links/{link['id']}/pay", {"mode": "UPI"})
    paid = replica.link(link["id"])
    assert (paid["status"], paid["paidAt"] is not None) == ("PAID", True)
    assert replica.found(CAR, bypassCache=True)["challans"][0]["status"] == "PENDING"
    assert replica.create(CAR, ids).status_code == 409
    replica.lever("POST", "/clock", {"advance": 3601})
    assert replica.found(CAR)["challans"][0]["status"] == "PENDING"
    assert replica.found(CAR, bypassCache=True)["challans"][0]["status"] == "PAID"
    assert replica.create(CAR, ids).status_code == 409


def test_a_link_of_another_organization_answers_byte_for_byte_like_a_missing_one(replica):
    link = replica.created(CAR, replica.vehicle(CAR, {}))
    foreign, missing = replica.as_second().status(link["id"]), replica.as_second().status(NOBODY)
    malformed = replica.status("not-a-uuid")
    assert foreign.status_code == missing.status_code == malformed.status_code == 404
    assert foreign.data == missing.data == malformed.data
    same = [{name: value for name, value in answer.headers if name != "Date"} for answer in (foreign, missing)]
    assert same[0] == same[1]


def test_a_spent_link_allowance_answers_429_until_midnight_in_india(replica):
    ids = replica.vehicle(CAR, {}, {}, {})
    replica.lever("POST", "/clock", {"at": "2027-01-10T18:29:00Z"})
    replica.lever("PATCH", "/organizations/demo", {"linkAllowance": 1})
    assert replica.create(CAR, [NOBODY]).status_code == 404
    assert replica.create(CAR, ids[:1]).status_code == 200
    assert replica.create(CAR, ids[1:2]).status_code == 429
    replica.lever("POST", "/clock", {"advance": 61})
    assert replica.create(CAR, ids[1:2]).status_code == 200


def test_of_many_requests_at_once_exactly_one_gets_the_challan(replica):
    ids = replica.vehicle(CAR, {})
    statuses: list[int] = []
    together = threading.Barrier(12)

    def ask() -> None:
        together.wait()
        statuses.append(replica.create(CAR, ids).status_code)

    threads = [threading.Thread(target=ask) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [409] * 11
    assert replica.lever("GET", "/truth")["doublyHeld"] == []


def test_the_payment_token_cannot_be_guessed(replica):
    ids = replica.vehicle(CAR, {}, {})
    tokens = [replica.created(CAR, [one])["paymentUrl"].rsplit("/", 1)[1] for one in ids]
    assert len(set(tokens)) == 2
    assert all(len(token) >= 32 for token in tokens), "32 characters of 6 bits are 192 bits"
