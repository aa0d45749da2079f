"""Test on both databases how drafts give way, and which vehicles count as known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import insert

from dashboard.domain.fleet_input import Line
from dashboard.domain.roles import Role
from dashboard.store.accounts import people
from dashboard.store.engine import Store
from dashboard.store.fleet import drafts, known_vehicles
from dashboard.store.vehicles.vehicles import vehicle

NOW = datetime(2026, 11, 22, tzinfo=UTC)
LINES = [Line(1, {"rc": "MH12AB1001"}), Line(4, {"rc": "MH12 AB 1002", "city": "पुणे"})]

pytestmark = pytest.mark.databases


@pytest.fixture
def meera(ledger: Store) -> int:
    with ledger.write() as connection:
        added = people.add(
            connection, email="meera@b.in", name="Meera", role=Role.MANAGER, password_hash="", created_at=NOW
        )
        assert added is not None
        return added.id


def test_a_draft_gives_back_its_lines_to_its_person_alone(ledger: Store, meera: int) -> None:
    with ledger.write() as connection:
        draft_id = drafts.add(connection, meera, "Pune", LINES, NOW, ignored=["Depot"])
        found = drafts.find(connection, draft_id, meera, NOW)
        assert found is not None
        assert (list(found.lines), found.ignored) == (LINES, ("Depot",))
        assert drafts.find(connection, draft_id, meera + 1, NOW) is None
        assert drafts.find(connection, draft_id, meera, NOW + drafts.EXPIRES_AFTER + timedelta(seconds=1)) is None


def test_the_oldest_draft_of_a_person_gives_way(ledger: Store, meera: int) -> None:
    with ledger.write() as connection:
        made = [
            drafts.add(connection, meera, "Pune", LINES, NOW + timedelta(minutes=number))
            for number in range(drafts.MOST_OF_PERSON + 1)
        ]
        kept = [each for each in made if drafts.find(connection, each, meera, NOW)]
    assert kept == made[1:]


def test_a_draft_is_taken_once(ledger: Store, meera: int) -> None:
    with ledger.write() as connection:
        draft_id = drafts.add(connection, meera, "Pune", LINES, NOW)
        assert [drafts.take(connection, draft_id) for _ in range(2)] == [True, False]


def test_the_vehicles_searched_the_longest_ago_come_first(ledger: Store) -> None:
    searched = {"MH12AB1001": 3, "MH12AB1002": 30, "MH12AB1003": 10}
    with ledger.write() as connection:
        for rc, days in searched.items():
            at = NOW - timedelta(days=days)
            connection.execute(insert(vehicle).values(rc=rc, first_searched_at=at, searched_at=at, unreadable=0))
        week = NOW - timedelta(days=7)
        assert known_vehicles.numbers(connection, 10) == ["MH12AB1002", "MH12AB1003", "MH12AB1001"]
        assert known_vehicles.numbers(connection, 10, week) == ["MH12AB1002", "MH12AB1003"]
        assert known_vehicles.numbers(connection, 1, week) == ["MH12AB1002"]
        assert (known_vehicles.count(connection), known_vehicles.count(connection, week)) == (3, 2)
        assert known_vehicles.among(connection, ["MH12AB1001", "KA05MN4321"]) == {"MH12AB1001"}
