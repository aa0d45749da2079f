"""Test section 4.3 of the document, and the search rows of section 7."""

from __future__ import annotations

import uuid

import pytest

from dashboard.replica import money

CAR = "MH12AB1001"


@pytest.mark.parametrize("spelling", ["MH12AB1001", "mh12ab1001", "MH 12 AB 1001", "mh-12-ab-1001", "MH.12.AB.1001 "])
def test_spellings_of_a_number_are_one_vehicle(replica, spelling):
    replica.vehicle(CAR, {})
    assert replica.found(spelling)["rcNumber"] == CAR


def test_a_record_has_exactly_the_documented_fields(replica):
    replica.vehicle(CAR, {"challanAmount": None, "challanDate": None, "challanPlace": None})
    data = replica.found(CAR)
    assert set(data) == {"rcNumber", "carId", "newChallansCount", "challans"}
    (challan,) = data["challans"]
    assert set(challan) == {
        "id", "challanNo", "status", "challanAmount", "totalAmount", "challanDate", "state", "challanType",
        "challanPlace", "offenseDetails", "paymentLinkId", "paymentLink", "prepaid",
    }  # fmt: skip
    assert challan["challanAmount"] is challan["totalAmount"] is challan["challanDate"] is None
    assert challan["prepaid"] is False


@pytest.mark.parametrize("given", [{}, {"rcType": "TRUCK"}, {"cityId": "city"}])
def test_a_first_search_needs_both_rc_type_and_city(replica, given):
    if "cityId" in given:
        given = {"cityId": replica.city()}
    assert replica.search("KA05MN4321", **given).status_code == 400
    assert replica.found("KA05MN4321", rcType="TRUCK", cityId=replica.city())["rcNumber"] == "KA05MN4321"
    assert replica.search("KA05MN4321").status_code == 200


def test_an_unknown_number_always_has_the_same_challans(replica):
    first = replica.found("GJ05ZZ4242", rcType="TRUCK", cityId=replica.city())
    replica.lever("POST", "/reset", {"seed": "empty"})
    again = replica.found("GJ05ZZ4242", rcType="TRUCK", cityId=replica.city())
    assert [challan["challanNo"] for challan in first["challans"]] == [
        challan["challanNo"] for challan in again["challans"]
    ]
    assert first["newChallansCount"] == len(first["challans"]) <= 12


@pytest.mark.parametrize(
    "written",
    [
        "MH12/AB/1001",
        "MH12_AB_1001",
        "MH12\u2013AB\u20131001",
        "MH12,AB,1001",
        "MH12\u00b7AB\u00b71001",
        "mh12|ab\t1001",
    ],
)
def test_every_separator_is_folded(replica, written):
    replica.vehicle(CAR, {})
    assert replica.found(written)["rcNumber"] == CAR


@pytest.mark.parametrize("rc", ["MH1", "7", "MH12AB1001" * 3])
def test_no_length_is_refused(replica, rc):
    assert replica.found(rc, rcType="TRUCK", cityId=replica.city())["rcNumber"] == rc


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"rcNumber": " - "},
        {"rcNumber": None},
        {"rcNumber": 12},
        {"rcNumber": ""},
        {"rcNumber": "A-1"},
        {"rcNumber": "महाराष्ट्र12"},
        {"rcNumber": "MH12AB1001" * 3},
        {"rcNumber": "\ud800MH12AB1001"},
        {"rcNumber": CAR, "rcType": "SUBMARINE"},
        {"rcNumber": CAR, "rcType": "\ud800"},
        {"rcNumber": CAR, "rcType": 3},
        {"rcNumber": CAR, "cityId": "Pune"},
        {"rcNumber": CAR, "cityId": None},
        {"rcNumber": CAR, "cityId": str(uuid.UUID(int=7))},
        {"rcNumber": CAR, "bypassCache": "true"},
        {"rcNumber": CAR, "bypassCache": 1},
    ],
)
def test_a_wrong_body_is_refused_with_400(replica, body):
    replica.vehicle(CAR, {})
    assert replica.call("POST", "/challans/search", json=body).status_code == 400


def test_a_city_of_another_organization_is_not_available(replica):
    elsewhere = replica.as_second().city()
    assert replica.search("KA05MN4321", rcType="TRUCK", cityId=elsewhere).status_code == 400


@pytest.mark.parametrize("raw", ["", "{", "[]", "null", '"MH12AB1001"', '{"rcNumber": NaN}', "[" * 5000, "\xff"])
def test_a_body_that_is_no_json_object_is_refused_with_400(replica, raw):
    answer = replica.call("POST", "/challans/search", data=raw.encode("latin-1"), content_type="application/json")
    assert answer.status_code == 400


def test_another_content_type_is_refused(replica):
    answer = replica.call("POST", "/challans/search", data='{"rcNumber": "MH12AB1001"}', content_type="text/plain")
    assert answer.status_code == 415


def test_a_deleted_vehicle_or_one_of_another_organization_answers_409(replica):
    replica.vehicle("TN09BX5555", {}, organization="second")
    replica.vehicle("UP16DT0404", {}, deleted=True)
    assert replica.search("TN09BX5555").status_code == 409
    assert replica.search("UP16DT0404").status_code == 409


def test_only_a_fresh_search_finds_challans_issued_since_the_last_one(replica):
    replica.vehicle(CAR, {})
    replica.lever("POST", f"/vehicles/{CAR}/challans", {"challanNo": "MH1111111111"})
    cached = replica.found(CAR)
    assert (cached["newChallansCount"], len(cached["challans"])) == (0, 1)
    fresh = replica.found(CAR, bypassCache=True)
    assert (fresh["newChallansCount"], len(fresh["challans"])) == (1, 2)
    assert replica.found(CAR, bypassCache=True)["newChallansCount"] == 0


def test_a_first_search_of_an_associated_vehicle_counts_its_challans_as_new(replica):
    replica.vehicle(CAR, {}, {}, searched=False)
    assert replica.found(CAR)["newChallansCount"] == 2
    assert replica.found(CAR)["newChallansCount"] == 0


def test_the_challans_of_a_vehicle_without_an_organization_are_new_at_its_first_search(replica):
    replica.vehicle(CAR, {}, {}, organization=None)
    assert replica.found(CAR, rcType="TRUCK", cityId=replica.city())["newChallansCount"] == 2


def test_only_a_fresh_search_sees_a_changed_or_vanished_challan(replica):
    changed, gone = replica.vehicle(CAR, {}, {})
    replica.lever("PATCH", f"/challans/{changed}", {"status": "DISPOSED"})
    replica.lever("PATCH", f"/challans/{gone}", {"gone": True})
    assert {challan["status"] for challan in replica.found(CAR)["challans"]} == {"PENDING"}
    assert [challan["status"] for challan in replica.found(CAR, bypassCache=True)["challans"]] == ["DISPOSED"]


def test_a_spent_search_allowance_answers_429_until_midnight_in_india(replica):
    replica.vehicle(CAR, {})
    replica.lever("PATCH", "/organizations/demo", {"searchAllowance": 2})
    # 18:29 UTC is a minute before midnight in India.
    replica.lever("POST", "/clock", {"at": "2027-01-10T18:29:00Z"})
    assert [replica.search(CAR).status_code for _ in range(3)] == [200, 200, 429]
    assert replica.call("GET", "/metadata/rc-types").status_code == 429
    assert replica.call("GET", "/locations").status_code == 200
    replica.lever("POST", "/clock", {"advance": 61})
    assert replica.search(CAR).status_code == 200


def test_refused_searches_spend_no_allowance(replica):
    replica.lever("PATCH", "/organizations/demo", {"searchAllowance": 1})
    replica.vehicle(CAR, {})
    assert replica.search("KA05MN4321").status_code == 400
    assert replica.search(CAR).status_code == 200


def test_lookup_lists_have_the_documented_fields(replica):
    cities = replica.call("GET", "/locations").json
    assert cities["success"] is True
    assert all(
        set(city)
        == {
            "cityId", "cityName", "stateId", "stateName", "stateCode", "address", "landmark", "zipCode", "buildingName",
        }
        for city in cities["data"]
    )  # fmt: skip
    names = [city["cityName"] for city in cities["data"]]
    assert len(names) > len(set(names)), "equal names are told apart by their address label"
    types = replica.call("GET", "/metadata/rc-types").json["data"]
    assert {"value": "MOTOR_CAB", "label": "Motor cab"} in types


@pytest.mark.parametrize(
    ("given", "paise"), [(0.1, 10), (0.3, 30), (1177.5, 117750), (19.99, 1999), ("12.345", 1235), (10**9, 10**11)]
)
def test_amounts_have_their_paise(given, paise):
    assert money.paise(given) == paise
    assert money.number(1999) == 19.99
    assert repr(money.number(30)) == "0.3"


def test_amounts_are_grouped_the_indian_way():
    assert money.rupees(123456750) == "₹12,34,567.50"
    assert money.rupees(99) == "₹0.99"
    assert money.rupees(100000) == "₹1,000.00"
