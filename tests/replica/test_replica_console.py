"""Test the administration console of the replica, and searches at the source that fail by themselves."""

from __future__ import annotations

import re

import pytest

from dashboard.replica.settings import InvalidReplicaSettings, ReplicaSettings
from tests.replica.caller import ReplicaCaller

CAR = "MH12AB1001"


def test_a_person_makes_a_secret_that_is_shown_once(replica: ReplicaCaller) -> None:
    assert "One active secret" in replica.client.get("/console/").text
    page = replica.client.post("/console/demo/secret").text
    made = re.search(r"<code>(replica-testing-\w+)</code>", page)
    assert made
    assert replica.call("GET", "/locations").status_code == 401, "the one before stops at once"
    replica.secret = made[1]
    assert replica.call("GET", "/locations").status_code == 200
    assert made[1] not in replica.client.get("/console/").text


def test_a_person_deletes_the_secret(replica: ReplicaCaller) -> None:
    page = replica.client.post("/console/demo/secret/delete").text
    assert page.count("No active secret") == 1
    assert replica.call("GET", "/locations").status_code == 401
    assert replica.as_second().call("GET", "/locations").status_code == 200


def test_no_other_site_changes_a_secret(replica: ReplicaCaller) -> None:
    headers = {"Sec-Fetch-Site": "cross-site"}
    assert replica.client.post("/console/demo/secret/delete", headers=headers).status_code == 403
    assert replica.call("GET", "/locations").status_code == 200
    assert replica.client.post("/console/nobody/secret").status_code == 404


def test_the_first_page_leads_to_the_console(replica: ReplicaCaller) -> None:
    assert 'href="/console/"' in replica.client.get("/").text


def test_searches_at_the_source_fail_by_themselves_at_the_rate_that_is_set(replica: ReplicaCaller) -> None:
    replica.vehicle(CAR, {})
    replica.lever("PATCH", "/switches", {"source_failures": 1})
    assert replica.search(CAR, bypassCache=True).status_code == 502
    assert replica.search("KA05MN4321", rcType="TRUCK", cityId=replica.city()).status_code == 502
    assert replica.search(CAR).status_code == 200, "the cache needs no source"
    replica.lever("PATCH", "/switches", {"source_failures": 0.5})
    seen = {replica.search(CAR, bypassCache=True).status_code for _ in range(60)}
    assert seen == {200, 502}
    replica.lever("PATCH", "/switches", {"source_failures": None})
    assert replica.search(CAR, bypassCache=True).status_code == 200


def test_the_rate_is_a_share() -> None:
    assert ReplicaSettings.from_environ({"REPLICA_SOURCE_FAILURES": "0.05"}).source_failures == 0.05
    with pytest.raises(InvalidReplicaSettings, match="a share from 0 to 1"):
        ReplicaSettings.from_environ({"REPLICA_SOURCE_FAILURES": "2"})
