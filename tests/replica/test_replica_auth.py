"""Test section 5 of the document, the permissions, and the headers of every answer."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dashboard.replica.app import create_replica
from dashboard.replica.settings import DEMO_SECRET, ReplicaSettings
from tests.replica.caller import ReplicaCaller, replica_settings

NOBODY = "00000000-0000-0000-0000-000000000007"
SEARCHES = [("GET", "/locations"), ("GET", "/metadata/rc-types"), ("POST", "/challans/search")]
LINKS = [("POST", "/payment-links"), ("GET", f"/payment-links/{NOBODY}")]


@pytest.mark.parametrize(("method", "path"), SEARCHES + LINKS)
@pytest.mark.parametrize("header", [None, "", "Bearer", "Bearer ", "Basic abc", DEMO_SECRET, f"Bearer {DEMO_SECRET}x"])
def test_without_an_active_secret_every_endpoint_answers_401(replica, method, path, header):
    replica.secret = None
    answer = replica.call(method, path, headers={"Authorization": header} if header is not None else {})
    assert answer.status_code == 401


@pytest.mark.parametrize(
    ("gate", "closed", "open_"), [("searchEnabled", SEARCHES, LINKS), ("linksEnabled", LINKS, SEARCHES)]
)
def test_a_missing_permission_refuses_its_own_operations_alone_with_403(replica, gate, closed, open_):
    replica.lever("PATCH", "/organizations/demo", {gate: False})
    assert {replica.call(method, path, json={}).status_code for method, path in closed} == {403}
    assert 403 not in {replica.call(method, path, json={}).status_code for method, path in open_}
    assert replica.as_second().call("GET", "/locations").status_code == 200


def test_an_organization_that_may_not_use_the_api_answers_403_everywhere(replica):
    replica.lever("PATCH", "/organizations/demo", {"mayUseApi": False})
    assert {replica.call(method, path, json={}).status_code for method, path in SEARCHES + LINKS} == {403}


def test_replacing_a_secret_revokes_the_old_one_at_once(replica):
    new = replica.lever("POST", "/organizations/demo/secret")["secret"]
    assert replica.call("GET", "/locations").status_code == 401
    replica.secret = new
    assert replica.call("GET", "/locations").status_code == 200
    replica.lever("DELETE", "/organizations/demo/secret")
    assert replica.call("GET", "/locations").status_code == 401


def test_repeated_bad_tokens_are_throttled_and_good_ones_never(replica):
    bad = ReplicaCaller(replica.client)
    bad.secret = "wrong"
    statuses = [bad.call("GET", "/locations").status_code for _ in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    retry_after = int(bad.call("GET", "/locations").headers["Retry-After"])
    assert 1 <= retry_after <= 60
    assert replica.call("GET", "/locations").status_code == 200
    bad.secret = "another from the same address"
    assert bad.call("GET", "/locations").status_code == 429
    replica.lever("POST", "/clock", {"advance": retry_after + 1})
    assert bad.call("GET", "/locations").status_code == 401


def test_every_refusal_reads_the_same(replica):
    replica.vehicle("UP16DT0404", {}, deleted=True)
    bodies = {
        replica.search("").data,
        replica.search("UP16DT0404").data,
        replica.status(NOBODY).data,
        replica.call("GET", "/nothing").data,
        replica.call("DELETE", "/locations").data,
    }
    assert len(bodies) == 1
    assert json.loads(bodies.pop())["success"] is False


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("POST", "/locations", 405),
        ("OPTIONS", "/locations", 405),
        ("GET", "/challans/search", 405),
        ("GET", "/payment-links", 405),
        ("DELETE", f"/payment-links/{NOBODY}", 405),
        ("GET", "/payment-links/", 404),
        ("GET", "/challans", 404),
    ],
)
def test_other_methods_and_paths_do_not_exist(replica, method, path, status):
    assert replica.call(method, path).status_code == status


def test_organizations_do_not_see_each_others_lists(replica):
    mine = {city["cityId"] for city in replica.call("GET", "/locations").json["data"]}
    theirs = {city["cityId"] for city in replica.as_second().call("GET", "/locations").json["data"]}
    assert mine
    assert theirs
    assert not mine & theirs


def test_a_body_past_the_limit_is_refused(replica):
    answer = replica.call("POST", "/challans/search", data=b" " * (1024 * 1024 + 1), content_type="application/json")
    assert answer.status_code == 413


def test_the_journal_and_the_file_never_hold_a_secret(replica):
    replica.call("GET", "/locations")
    replica.vehicle("MH12AB1001", {})
    replica.lever("POST", "/faults", {"operation": "create_link", "kind": "late"})
    app = replica.client.application
    with pytest.raises(ConnectionResetError):
        replica.create("MH12AB1001", [NOBODY]).get_data()
    told = json.dumps(replica.lever("GET", "/calls")) + json.dumps(replica.lever("GET", "/truth"))
    assert DEMO_SECRET not in told
    folder = app.extensions["replica"].state.path.parent
    assert all(DEMO_SECRET.encode() not in file.read_bytes() for file in folder.iterdir())
    assert DEMO_SECRET not in repr(app.extensions["replica"].settings)


def test_a_restart_loses_nothing(tmp_path: Path):
    settings = replica_settings(tmp_path)
    before = ReplicaCaller(create_replica(settings).test_client())
    ids = before.vehicle("MH12AB1001", {})
    link = before.created("MH12AB1001", ids)
    before.lever("POST", "/clock", {"advance": 3600})
    before.client.application.extensions["replica"].state.close()
    after = ReplicaCaller(create_replica(settings).test_client())
    assert after.link(link["id"])["id"] == link["id"]
    assert after.create("MH12AB1001", ids).status_code == 409
    assert 3500 < after.lever("GET", "/clock")["offset"] < 3700
    after.client.application.extensions["replica"].state.close()


def test_the_date_header_follows_the_moved_clock(replica):
    replica.lever("POST", "/clock", {"at": "2027-03-01T12:00:00Z"})
    assert replica.call("GET", "/locations").headers["Date"].startswith("Mon, 01 Mar 2027 12:00")


def test_every_problem_of_the_replicas_settings_is_reported_at_once():
    with pytest.raises(ValueError, match="REPLICA_SEED") as caught:
        ReplicaSettings.from_environ(
            {"REPLICA_SEED": "x", "REPLICA_LINK_ALLOWANCE": "many", "REPLICA_PAYMENT_PAGE_BASE": "ftp://x"}
        )
    assert len(caught.value.problems) == 3
    assert ReplicaSettings.from_environ({"REPLICA_SEED": ""}) == ReplicaSettings()
    assert ReplicaSettings.from_environ({"REPLICA_LEVERS": "1", "REPLICA_LATENCY_SECONDS": "0.5"}).levers is True
