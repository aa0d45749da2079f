"""Test that a read transaction reads the same thing once, and that nothing else is ever answered from memory."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection, text

from dashboard.store.engine import Store
from dashboard.store.once import once

asked: list[object] = []


@once
def people_like(connection: Connection, *names: str, roles: list[str] | None = None) -> list[str]:
    """Stand for any read of the store."""
    asked.append((names, roles))
    return list(connection.execute(text("SELECT upper(:name)"), {"name": names[0]}).scalars())


@pytest.fixture(autouse=True)
def _nothing_asked() -> None:
    asked.clear()


def test_a_transaction_asks_once_for_the_same_arguments(store: Store) -> None:
    with store.read() as connection:
        for _ in range(2):
            assert people_like(connection, "asha", roles=["staff"]) == ["ASHA"]
            assert people_like(connection, "meera") == ["MEERA"]
    assert asked == [(("asha",), ["staff"]), (("meera",), None)]


def test_another_transaction_asks_again(store: Store) -> None:
    for _ in range(2):
        with store.read() as connection:
            people_like(connection, "asha")
    assert len(asked) == 2


def test_a_transaction_that_writes_asks_every_time(store: Store) -> None:
    with store.write() as connection:
        for _ in range(2):
            people_like(connection, "asha")
    assert len(asked) == 2


def test_who_changes_the_list_changes_nobody_elses(store: Store) -> None:
    with store.read() as connection:
        people_like(connection, "asha").append("MEERA")
        assert people_like(connection, "asha") == ["ASHA"]
