"""Test what a 429 says of the secret, and that a secret which has changed is tried on a known link first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from dashboard.errors import (
    AllowanceSpent,
    CallGroup,
    KeyThrottled,
    Operation,
    OtherOrganization,
    ServiceError,
    Unreachable,
)
from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.operations.blocks import SECRET
from dashboard.services.schedule import Schedule
from dashboard.upstream import SecretSource, ServiceClient, ServiceConfig
from tests.conftest import CANARY
from tests.support.ledger_fixtures import RC, add_staff_member

THROTTLED = {"kind": "status", "status": 429, "count": 9}


def blocked(services):
    return {block.scope: block.cause for block in services.call_policy.active_blocks()}


def learned(services):
    services.call_policy.allowances.write_counts()
    return {use.call_group: use.learned for use in services.call_policy.allowances.used()}


# A 429 that cannot be an allowance


def test_a_429_to_a_list_without_any_allowance_is_told_as_a_throttled_key(clerk, services, levers):
    clerk.search(RC)
    levers.fault("locations", **THROTTLED)
    with pytest.raises(KeyThrottled):
        services.reference_data.probe_service()
    assert blocked(services) == {SECRET: "KeyThrottled"}


def test_a_429_to_a_status_call_is_told_as_a_throttled_key(clerk, services, levers):
    clerk.search(RC)
    row = clerk.create(RC, clerk.payable(RC))
    levers.fault("link_status", "status", status=429)
    with pytest.raises(KeyThrottled):
        services.link_poller.refresh(row.link_id)
    assert blocked(services) == {SECRET: "KeyThrottled"}
    assert clerk.link(row.link_id).failure == "KeyThrottled"
    levers.forget_calls()
    with pytest.raises(KeyThrottled):
        clerk.search(RC)
    assert levers.calls() == [], "each further call would prolong the throttle"


@pytest.mark.parametrize("operation", ["search", "create_link"])
def test_a_429_is_no_limit_when_calls_without_one_are_refused_too(clerk, services, levers, operation):
    clerk.search(RC)
    chosen = clerk.payable(RC)
    levers.fault("*", **THROTTLED)
    if operation == "search":
        with pytest.raises(KeyThrottled):
            clerk.search(RC)
    else:
        assert clerk.create(RC, chosen).outcome == "KeyThrottled"
    assert blocked(services) == {SECRET: "KeyThrottled"}
    assert set(learned(services).values()) == {None}


def test_a_dead_key_that_is_throttled_teaches_no_limit(clerk, services, levers):
    clerk.search(RC)
    levers.revoke_secret()
    levers.switch(bad_tokens_per_minute=0)
    for _ in range(2):
        with suppress(ServiceError):
            clerk.search(RC)
    assert blocked(services) == {SECRET: "KeyThrottled"}
    assert learned(services)[CallGroup.SEARCH] is None


def test_a_429_to_searches_alone_is_a_limit(clerk, services, levers):
    clerk.search(RC)
    levers.fault("search", **THROTTLED)
    with pytest.raises(AllowanceSpent):
        clerk.search(RC)
    assert blocked(services) == {"allowance:Challan Search": None}
    assert learned(services)[CallGroup.SEARCH] == 1


def test_a_throttled_key_is_tried_again_when_the_service_says_so(clerk, services, levers, clock):
    clerk.search(RC)
    levers.fault("locations", "status", status=429, headers={"Retry-After": "20"})
    with pytest.raises(KeyThrottled):
        services.reference_data.probe_service()
    clock.advance(seconds=21)
    clerk.search(RC)
    assert blocked(services) == {}


# A secret that has changed


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    file = tmp_path / "api-secret"
    file.write_text(CANARY)
    return file


@pytest.fixture
def services(levers, ledger, clock, tmp_path, secret) -> Iterator[Services]:
    """Return services whose secret is in a file that a test changes."""
    config = ServiceConfig(levers.base_url, SecretSource.file(secret), retry_base=0.01, retry_cap=0.02)
    with ServiceClient(config) as client:
        yield Services(ledger, client, clock, Schedule(), UnrecordedLinks(tmp_path / "spool"))


@pytest.fixture
def link_id(clerk):
    clerk.search(RC)
    return clerk.create(RC, clerk.payable(RC)[:1]).link_id


def operations(levers):
    return [call["operation"] for call in levers.calls()]


def test_a_changed_key_is_tried_on_a_known_link_before_anything_else(clerk, services, levers, secret, link_id):
    secret.write_text(levers.replace_secret())
    levers.forget_calls()
    clerk.search(RC)
    clerk.search(RC)
    assert operations(levers) == ["link_status", "search", "search"]


def test_the_key_of_another_organization_searches_and_creates_nothing(clerk, services, levers, secret, link_id):
    other = add_staff_member(services, "Meera")
    secret.write_text(levers.replace_secret("second"))
    levers.forget_calls()
    for _ in range(2):
        with pytest.raises(OtherOrganization):
            other.search("DL3CAF0001")
    with pytest.raises(OtherOrganization):
        clerk.create(RC, clerk.payable(RC))
    assert operations(levers) == ["link_status"]
    assert not clerk.link(link_id).not_found, "the link is not called unknown because of the key"
    secret.write_text(CANARY)
    assert clerk.search(RC)


def test_an_administrators_try_tries_the_changed_key_again(clerk, services, levers, secret, link_id):
    secret.write_text(levers.replace_secret("second"))
    with pytest.raises(OtherOrganization):
        clerk.search(RC)
    services.call_policy.try_again()
    levers.forget_calls()
    with pytest.raises(OtherOrganization):
        clerk.search(RC)
    assert operations(levers) == ["link_status"]


def test_one_link_that_is_gone_does_not_condemn_a_changed_key(clerk, services, levers, secret, link_id):
    clerk.create(RC, clerk.payable(RC)[:1])
    secret.write_text(levers.replace_secret())
    levers.fault("link_status", "status", status=404)
    levers.forget_calls()
    clerk.search(RC)
    assert operations(levers) == ["link_status", "link_status", "search"]


def test_nothing_is_asked_with_a_changed_key_that_could_not_be_tried(clerk, services, levers, secret, link_id):
    secret.write_text(levers.replace_secret())
    levers.fault("link_status", "cut")
    levers.forget_calls()
    with pytest.raises(Unreachable) as failed:
        clerk.search(RC)
    assert (failed.value.operation, failed.value.sent) == (Operation.SEARCH_CHALLANS, False)
    assert operations(levers) == ["link_status"]
    clerk.search(RC)


def test_a_creation_is_prepared_only_once_the_changed_key_was_tried(clerk, services, levers, secret, link_id):
    chosen = clerk.payable(RC)
    secret.write_text(levers.replace_secret())
    levers.forget_calls()
    row = clerk.create(RC, chosen)
    assert row.state == "CREATED"
    assert operations(levers)[0] == "link_status"


def test_without_a_known_link_a_changed_key_is_used_as_it_is(clerk, services, levers, secret):
    clerk.search(RC)
    secret.write_text(levers.replace_secret())
    levers.forget_calls()
    clerk.search(RC)
    assert operations(levers) == ["search"]
