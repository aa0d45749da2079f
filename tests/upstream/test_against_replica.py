"""Test the client against the replica over real sockets: both were written from the same document, separately."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from dashboard.domain.challans import EligibilityGroup, eligibility_of
from dashboard.errors import (
    AllowanceSpent,
    Conflict,
    NotFound,
    Operation,
    RequestRefused,
    SecretRejected,
    ServiceError,
    ServiceFailed,
    ServiceNotEnabled,
    Unreachable,
    UnreadableAnswer,
)
from dashboard.replica.server import RunningReplica, running
from dashboard.replica.settings import DEMO_SECRET, ReplicaSettings
from dashboard.upstream import SecretSource
from tests.support.levers import Levers
from tests.upstream.conftest import WatchedClient

RC = "GJ01XY7777"

Connect = Callable[..., WatchedClient]


@pytest.fixture(scope="module")
def replica(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningReplica]:
    path = tmp_path_factory.mktemp("replica") / "replica.sqlite3"
    with running(ReplicaSettings(database=Path(path), seed="empty", levers=True)) as replica:
        yield replica


@pytest.fixture
def levers(replica: RunningReplica) -> Levers:
    levers = Levers(replica.url)
    levers.reset()
    return levers


@pytest.fixture
def client(replica: RunningReplica, levers: Levers, connect: Connect) -> WatchedClient:
    return connect(replica.url, secret=SecretSource.literal(DEMO_SECRET))


@pytest.fixture
def challan_ids(levers: Levers) -> list[str]:
    """Return two payable challans of a vehicle that the organization has searched before."""
    fields: list[dict[str, Any]] = [{"challanAmount": 500}, {"challanAmount": 750.5}]
    return [challan["id"] for challan in levers.add_vehicle(RC, fields)["challans"]]


def create(client: WatchedClient, *challan_ids: str, rc: str = RC, hours: int = 48) -> Any:
    return client.create_payment_link(rc, challan_ids, expiry_hours=hours, before_send=lambda: None)


def test_cities_and_rc_types_are_listed(client: WatchedClient, levers: Levers) -> None:
    added = levers.add_city(cityName="Pune", stateName="Maharashtra", stateCode="MH", address="Depot 4")
    cities = {city.id: city for city in client.list_locations()}
    assert cities[added["cityId"]].label == "Pune, Maharashtra, Depot 4"
    kinds = {kind.value: kind.label for kind in client.list_rc_types()}
    assert {"LEASE", "TRUCK", "PRIVATE_CAR"} <= set(kinds)
    assert all(kinds.values())


def test_a_vehicle_is_searched_with_every_challan_whole(client: WatchedClient, challan_ids: list[str]) -> None:
    result = client.search_challans("gj-01 xy 7777")
    assert result.rc_number == RC
    assert {challan.id for challan in result.challans} == set(challan_ids)
    assert {challan.challan_amount for challan in result.challans} == {Decimal(500), Decimal("750.5")}
    assert all(eligibility_of(challan).selectable for challan in result.challans)
    assert result.unreadable == 0
    assert result.car_id is not None
    assert result.service_time is not None


def test_a_new_vehicle_needs_type_and_city(client: WatchedClient, levers: Levers) -> None:
    city = levers.add_city(cityName="Pune")["cityId"]
    levers.add_vehicle("KA05AB1234", [{}], organization=None)
    with pytest.raises(RequestRefused) as caught:
        client.search_challans("KA05AB1234")
    assert caught.value.status == 400
    with pytest.raises(RequestRefused):
        client.search_challans("KA05AB1234", rc_type="TRUCK", city_id=str(uuid4()))
    assert len(client.search_challans("KA05AB1234", rc_type="TRUCK", city_id=city).challans) == 1


def test_a_refresh_finds_what_a_search_does_not_know_yet(
    client: WatchedClient, levers: Levers, challan_ids: list[str]
) -> None:
    levers.issue_challan(RC)
    assert len(client.search_challans(RC).challans) == 2
    fresh = client.search_challans(RC, bypass_cache=True)
    assert len(fresh.challans) == 3
    assert fresh.new_challans_count == 1


def test_a_link_is_created_polled_and_paid(client: WatchedClient, levers: Levers, challan_ids: list[str]) -> None:
    link = create(client, *challan_ids, hours=24)
    assert (link.status, link.gaps, link.paid_at) == ("ACTIVE", (), None)
    assert {challan.id for challan in link.challans} == set(challan_ids)
    assert all(challan.rc_number == RC for challan in link.challans)
    assert link.organization is not None
    assert link.amount is not None
    assert link.amount.base_amount == Decimal("1250.5")
    assert {mode.payment_mode for mode in link.payment_mode_options} == {"UPI", "CREDIT_CARD"}
    assert link.payment_url is not None
    assert abs(link.expires_at - link.service_time - timedelta(hours=24)) < timedelta(minutes=1)

    held = client.search_challans(RC).challans
    assert {eligibility_of(challan).group for challan in held} == {EligibilityGroup.ON_LINK}
    assert {challan.link_id for challan in held} == {link.id}

    levers.pay(link.id)
    paid = client.get_payment_link(link.id)
    assert (paid.id, paid.status, paid.gaps) == (link.id, "PAID", ())
    assert paid.paid_at is not None
    assert abs(paid.paid_at - datetime.now(UTC)) < timedelta(minutes=5)


def test_each_documented_refusal_of_a_creation_has_its_class(
    client: WatchedClient, levers: Levers, challan_ids: list[str]
) -> None:
    refusals: list[tuple[Callable[[], object], type[ServiceError]]] = [
        (lambda: create(client, *challan_ids, hours=23), RequestRefused),
        (lambda: create(client, "not-a-uuid"), RequestRefused),
        (lambda: create(client, str(uuid4())), NotFound),
        (lambda: create(client, *challan_ids, rc="MH99ZZ9999"), NotFound),
    ]
    for attempt, expected in refusals:
        with pytest.raises(expected) as caught:
            attempt()
        assert caught.value.sent is True
        assert caught.value.operation is Operation.CREATE_PAYMENT_LINK
    create(client, challan_ids[0])
    with pytest.raises(Conflict):
        create(client, *challan_ids)
    levers.set_organization(linkAllowance=1)
    with pytest.raises(AllowanceSpent):
        create(client, challan_ids[1])
    assert len(levers.truth()["links"]) == 1


def test_an_unknown_link_is_not_found(client: WatchedClient) -> None:
    with pytest.raises(NotFound):
        client.get_payment_link(str(uuid4()))


def test_a_vehicle_of_another_organization_is_a_conflict(
    client: WatchedClient, levers: Levers, challan_ids: list[str]
) -> None:
    levers.assign_vehicle(RC, "second")
    with pytest.raises(Conflict):
        client.search_challans(RC)


def test_a_service_that_is_not_enabled_and_a_spent_search_allowance(
    client: WatchedClient, levers: Levers, challan_ids: list[str]
) -> None:
    levers.set_organization(searchEnabled=False, linksEnabled=False)
    for call in (
        client.list_locations,
        client.list_rc_types,
        lambda: client.search_challans(RC),
        lambda: create(client, *challan_ids),
        lambda: client.get_payment_link(str(uuid4())),
    ):
        with pytest.raises(ServiceNotEnabled):
            call()
    levers.set_organization(searchEnabled=True, searchAllowance=0)
    with pytest.raises(AllowanceSpent):
        client.list_rc_types()


def test_a_revoked_secret_is_rejected_and_a_new_one_in_the_file_is_used(
    replica: RunningReplica, levers: Levers, connect: Connect, tmp_path: Path
) -> None:
    path = tmp_path / "secret"
    path.write_text(DEMO_SECRET)
    client = connect(replica.url, secret=SecretSource.file(path))
    client.list_locations()
    new = levers.replace_secret()
    with pytest.raises(SecretRejected) as caught:
        client.list_locations()
    assert caught.value.status == 401
    path.write_text(new + "\n")
    client.list_locations()


FAULTS: dict[str, tuple[dict[str, Any], type[ServiceError]]] = {
    "502": ({"kind": "status", "status": 502}, ServiceFailed),
    "cut": ({"kind": "cut"}, Unreachable),
    "truncate": ({"kind": "truncate"}, Unreachable),
    "drip": ({"kind": "drip", "seconds": 20}, UnreadableAnswer),
    "delay": ({"kind": "delay", "seconds": 20}, Unreachable),
    "invalid JSON": ({"kind": "corrupt", "corruption": "invalid-json"}, UnreadableAnswer),
    "HTML": ({"kind": "corrupt", "corruption": "html"}, UnreadableAnswer),
    "empty": ({"kind": "corrupt", "corruption": "empty"}, UnreadableAnswer),
    "success false": ({"kind": "corrupt", "corruption": "success-false"}, UnreadableAnswer),
    "no id": ({"kind": "corrupt", "corruption": "missing-field", "missing": "data.id"}, UnreadableAnswer),
    "not an object": ({"kind": "corrupt", "corruption": "not-an-object"}, UnreadableAnswer),
}


@pytest.mark.parametrize(("fault", "expected"), FAULTS.values(), ids=FAULTS)
def test_a_creation_whose_answer_is_damaged_was_sent_once_and_made_a_link(
    replica: RunningReplica,
    levers: Levers,
    connect: Connect,
    challan_ids: list[str],
    fault: dict[str, Any],
    expected: type[ServiceError],
) -> None:
    # The link exists despite the broken answer, so the error must not deny it.
    short = fault["kind"] in ("drip", "delay")
    client = connect(replica.url, secret=SecretSource.literal(DEMO_SECRET), create_deadline=2.0 if short else 30.0)
    levers.fault("create_link", when="after", **fault)
    with pytest.raises(expected) as caught:
        create(client, *challan_ids)
    assert caught.value.sent is True
    assert levers.count("create_link") == 1
    assert len(levers.truth()["links"]) == 1


def test_a_creation_answered_with_numbers_that_json_has_not_got_is_still_a_created_link(
    client: WatchedClient, levers: Levers, challan_ids: list[str]
) -> None:
    levers.fault("create_link", "corrupt", corruption="nan", missing="data.amount.gst", when="after")
    link = create(client, *challan_ids)
    assert link.id == levers.truth()["links"][0]["id"]
    assert link.amount is not None
    assert link.amount.gst is None


def test_a_search_survives_two_bad_gateways(client: WatchedClient, levers: Levers, challan_ids: list[str]) -> None:
    levers.fault("search", "status", status=502, count=2)
    retries: list[tuple[int, int]] = []
    found = client.search_challans(RC, on_retry=lambda attempt, total, error: retries.append((attempt, total)))
    assert len(found.challans) == 2
    assert retries == [(2, 3), (3, 3)]


def test_a_damaged_challan_is_shown_and_cannot_be_chosen(
    client: WatchedClient, levers: Levers, challan_ids: list[str]
) -> None:
    levers.set_challan(challan_ids[0], raw={"challanAmount": "NaN", "-": ["status"]}, seen=True)
    damaged = {challan.id: challan for challan in client.search_challans(RC).challans}
    assert damaged[challan_ids[0]].gaps == ("status",)
    assert damaged[challan_ids[0]].challan_amount is None
    assert not eligibility_of(damaged[challan_ids[0]]).selectable
    assert eligibility_of(damaged[challan_ids[1]]).selectable
