"""Test that the demo fleet is as the pages of the demo describe it."""

from __future__ import annotations

import re
from collections import Counter

from dashboard.replica.app import create_replica
from tests.replica.caller import ReplicaCaller, replica_settings

PAYABLE = {"PENDING", "TO_BE_ASSIGNED"}


def rows(replica: ReplicaCaller, statement: str):
    with replica.client.application.extensions["replica"].state.reading() as connection:
        return [tuple(row) for row in connection.execute(statement)]


def test_the_first_vehicle_has_challans_of_every_kind(demo_replica):
    challans = demo_replica.found("MH12AB1001")["challans"]
    held = [one for one in challans if one["paymentLink"] and one["paymentLink"]["status"] == "ACTIVE"]
    free = [one for one in challans if one["status"] in PAYABLE and not one["prepaid"]]
    rest = [one for one in challans if one["status"] not in PAYABLE]
    assert (len(free), len(held), len(rest)) == (8, 3, 2)
    assert sum(one["challanAmount"] is None for one in free) == 2
    assert len({one["paymentLinkId"] for one in held}) == 1
    assert any("धारा" in one["offenseDetails"] for one in free)


def test_a_fresh_search_changes_nothing_on_the_first_vehicle(demo_replica):
    before = demo_replica.found("MH12AB1001")
    assert demo_replica.found("MH12AB1001", bypassCache=True) == before


def test_the_fleet_has_the_extreme_cases(demo_replica):
    assert len(demo_replica.found("MH14GH2300")["challans"]) == 230
    plenty = demo_replica.found("HR55AL1790")["challans"]
    assert sum(one["status"] in PAYABLE for one in plenty) == 179
    assert demo_replica.found("GJ01KT0007")["challans"] == []
    assert demo_replica.found("MH43BX7788", bypassCache=True)["newChallansCount"] == 3
    assert demo_replica.search("KA05MN4321").status_code == 400
    assert demo_replica.search("TN09BX5555").status_code == 409
    assert demo_replica.search("UP16DT0404").status_code == 409
    paid = {one["paymentLink"]["status"] for one in demo_replica.found("TN22DE1400")["challans"] if one["paymentLink"]}
    expired = [one["paymentLink"] for one in demo_replica.found("WB19F2048")["challans"] if one["paymentLink"]]
    assert paid == {"PAID"}
    assert {link["status"] for link in expired} == {"EXPIRED"}


def test_the_fleet_is_large_mixed_and_believable(demo_replica):
    numbers = [rc for (rc,) in rows(demo_replica, "SELECT rc FROM vehicle")]
    assert len(numbers) >= 250
    assert all(re.fullmatch(r"[A-Z]{2}\d{1,2}[A-Z]{0,3}\d{4}|\d{2}BH\d{4}[A-Z]{2}", rc) for rc in numbers)
    assert {"MH", "DL", "KA", "TN", "GJ", "UP", "RJ", "WB", "TS", "HR"} <= {rc[:2] for rc in numbers}
    assert any("BH" in rc[2:4] for rc in numbers)
    assert any(re.fullmatch(r"MH12\d{4}", rc) for rc in numbers)
    unassociated = rows(demo_replica, "SELECT count(*) FROM vehicle WHERE organization IS NULL")[0][0]
    assert 10 < unassociated < 60
    statuses = Counter(
        status for (status,) in rows(demo_replica, "SELECT json_extract(source, '$.status') FROM challan")
    )
    assert {"PENDING", "TO_BE_ASSIGNED", "DISPOSED", "PAID", "IN_COURT_REVIEW", "UNDER_VERIFICATION"} <= set(statuses)
    twice = rows(demo_replica, "SELECT 1 FROM challan GROUP BY json_extract(source, '$.challanNo') HAVING count(*) > 1")
    assert twice == []


def test_two_demos_have_the_same_vehicles_and_ids(demo_replica, tmp_path):
    other = ReplicaCaller(create_replica(replica_settings(tmp_path / "other", seed="demo")).test_client())
    for statement in ("SELECT id, rc FROM vehicle", "SELECT id, json_extract(source, '$.challanNo') FROM challan"):
        assert rows(other, statement) == rows(demo_replica, statement)
    other.client.application.extensions["replica"].state.close()


def test_an_unseeded_replica_rejects_every_secret(tmp_path):
    replica = ReplicaCaller(create_replica(replica_settings(tmp_path, seed="none")).test_client())
    assert replica.call("GET", "/locations").status_code == 401
    replica.client.application.extensions["replica"].state.close()


def test_levers_exist_only_when_they_are_switched_on(tmp_path):
    client = create_replica(replica_settings(tmp_path, levers=False)).test_client()
    assert client.get("/levers/").status_code == 404
    assert client.post("/levers/reset").status_code == 404
    client.application.extensions["replica"].state.close()


def test_levers_require_their_token_when_one_is_set(tmp_path):
    client = create_replica(replica_settings(tmp_path, lever_token="let-me")).test_client()
    assert client.get("/levers/truth").status_code == 403
    assert client.get("/levers/truth", headers={"X-Lever-Token": "let-me"}).status_code == 200
    client.application.extensions["replica"].state.close()
