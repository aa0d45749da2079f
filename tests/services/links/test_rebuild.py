"""Test what searching the vehicles again restores after the loss of the database, and what it cannot restore.

Each link that a search still shows on a challan is adopted as one created elsewhere, and polled like the others.
The service has no list of links, so links that no search shows are lost: those whose challans are all delisted (paid
challans are, in time), and ended links that the service hides or whose challans are on another link. Data that only
the dashboard stores is lost too: who created a link, shares, unclear requests, selections, people and the audit log.
A vehicle is rebuilt only when a person searches it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import select

from dashboard.store.creation.intents import claim, intent
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from dashboard.store.migrate import migrate
from tests.conftest import ServedReplica
from tests.faults.scene import RC, Scene
from tests.support.killable_processes import AppFactory
from tests.support.levers import Levers
from tests.support.people import ASHA
from tests.support.postgres import empty_database

_STATES = ("ACTIVE", "ON_HOLD", "PAID", "EXPIRED", "FAILED", "CANCELLED")
#: States that hold their challans; an undocumented state counts as live.
_HOLD = ("ACTIVE", "ON_HOLD", "PAID")
_OTHER_RC = "KA05MN7777"


@dataclass
class Rebuilt:
    """Hold the dashboard that lost its database and a new one over an empty database, with the same service."""

    before: Scene
    after: Scene
    made: dict[str, str]  # link ids by state
    on: dict[str, list[str]]  # challans of the links, by state


@pytest.fixture(params=["sqlite", "postgresql"])
def new_database(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """Return a function that creates an empty database and returns its URL."""
    if request.param == "sqlite":
        yield lambda name: f"sqlite:///{tmp_path / name}.db"
        return
    server = request.getfixturevalue("postgres_server")
    with empty_database(server) as first, empty_database(server) as second:
        yield {"before": first, "after": second}.__getitem__


@pytest.fixture
def begin(
    environ: dict[str, str], new_database: Callable[[str], str], levers: Levers
) -> Iterator[Callable[[str], Scene]]:
    """Open the dashboard over an empty database."""
    scenes: list[Scene] = []

    def begin(name: str) -> Scene:
        address = new_database(name)
        store = Store(address)
        migrate(store)
        store.close()
        scenes.append(Scene(AppFactory({**environ, "DASHBOARD_DATABASE_URL": address}), levers))
        return scenes[-1]

    yield begin
    for scene in scenes:
        scene.close()


@pytest.fixture
def levers(replica: ServedReplica) -> Levers:
    """Add two vehicles of the organization, and delay what the source learns of payments."""
    for rc in (RC, _OTHER_RC):
        replica.levers.add_vehicle(rc, [{"challanNo": f"{rc}/{n}", "challanAmount": 500 + n} for n in range(9)])
    replica.levers.switch(paid_lag_seconds=3600)
    return replica.levers


@pytest.fixture
def rebuilt(begin: Callable[[str], Scene], levers: Levers) -> Rebuilt:
    """Create a link in every state, then begin anew with an empty database."""
    before = begin("before")
    before.search()
    payable = before.payable()
    made, on = {}, {}
    for number, state in enumerate(_STATES):
        on[state] = payable[number : number + 1]
        made[state] = _create(before, on[state])
    ends = {"PAID": levers.pay, "EXPIRED": levers.expire, "FAILED": levers.fail, "CANCELLED": levers.cancel}
    for state, end in ends.items():
        end(made[state])
    levers.set_link(made["ON_HOLD"], status="ON_HOLD")
    before.passes(20)
    before.work()
    assert _statuses(before) == {link_id: state for state, link_id in made.items()}
    after = begin("after")
    after.app_factory.clock.advance(before.app_factory.clock().timestamp() - after.app_factory.clock().timestamp())
    after.oracle.theirs.update(made.values())
    return Rebuilt(before, after, made, on)


def _create(scene: Scene, challans: list[str]) -> str:
    page = scene.people[ASHA].page(f"/vehicles/{RC}")
    review = scene.people[ASHA].read(page.submit("Review and create", challan=challans))
    answer = review.submit("Create payment link")
    assert "/links/" in answer.headers["Location"]
    return str(answer.headers["Location"].rpartition("/")[2])


def _statuses(scene: Scene) -> dict[str, str]:
    with scene.store.read() as connection:
        return {row.id: row.status for row in connection.execute(select(link.c.id, link.c.status))}


def test_searching_a_vehicle_again_adopts_every_link_that_it_still_shows(rebuilt: Rebuilt) -> None:
    after = rebuilt.after
    after.search()
    with after.store.read() as connection:
        origins = {row.id: row.origin for row in connection.execute(select(link))}
        assert connection.execute(select(intent)).all() == []
    assert origins == dict.fromkeys(rebuilt.made.values(), "observed")
    for link_id in origins:
        assert "Created outside this dashboard" in after.people[ASHA].page(f"/links/{link_id}").text


def test_adopted_links_are_polled_and_get_their_true_status(rebuilt: Rebuilt, levers: Levers) -> None:
    after = rebuilt.after
    after.search()
    after.work()
    assert _statuses(after) == {link_id: state for state, link_id in rebuilt.made.items()}
    levers.pay(rebuilt.made["ACTIVE"])
    after.passes(40)
    after.work()
    page = after.people[ASHA].page(f"/links/{rebuilt.made['ACTIVE']}")
    assert page.one("#link-panel")["data-status"] == "PAID"
    after.oracle.verify()


def test_the_challans_of_an_adopted_link_are_not_offered_and_the_others_are(rebuilt: Rebuilt, levers: Levers) -> None:
    after = rebuilt.after
    after.search()
    after.work()
    held = {challan_id for state in _HOLD for challan_id in rebuilt.on[state]}
    everything = {item["id"] for item in levers.vehicle(RC)["challans"]}
    assert set(after.payable()) == everything - held
    with after.store.read() as connection:
        assert connection.execute(select(claim)).all() == [], "only our own requests claim"


def test_a_link_can_be_created_on_what_is_free_and_nothing_is_lost(rebuilt: Rebuilt) -> None:
    after = rebuilt.after
    after.search()
    after.work()
    form = after.review()
    assert form
    answer = after.send(form)
    assert answer.address.startswith("/links/")
    assert answer.address.rpartition("/")[2] not in rebuilt.made.values()
    after.settles()
    after.oracle.verify()


def test_the_challans_of_a_paid_link_are_not_offered_before_it_is_polled(rebuilt: Rebuilt) -> None:
    """Read the status from the search, without waiting for the watcher."""
    after = rebuilt.after
    after.search()
    assert not set(after.payable()) & {challan_id for state in _HOLD for challan_id in rebuilt.on[state]}


def test_a_vehicle_that_nobody_searches_again_is_not_rebuilt(rebuilt: Rebuilt) -> None:
    after = rebuilt.after
    visitor = after.people[ASHA]
    visitor.read(visitor.page("/").submit("Search", rc_number=_OTHER_RC))
    after.work()
    assert _statuses(after) == {}
