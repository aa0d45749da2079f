"""Test the command that forgets a driver: whom it finds, and that it asks first."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from tests.commands.conftest import Run
from tests.support.people import ASHA, add_to_store


@pytest.fixture
def names(command_environ: dict[str, str]) -> Callable[[], list[str]]:
    """Add a person and three drivers, and return a function that reads the names of the drivers."""
    add_to_store(command_environ, ASHA)
    file = f"{command_environ['DASHBOARD_DATA_DIR']}/dashboard.db"
    with sqlite3.connect(file) as connection:
        for number, name in enumerate(("Ramesh Kumar", "Suresh", "Suresh")):
            row = (name, f"98765 4321{number}", "hi", "2026-01-01", 1)
            connection.execute("INSERT INTO driver (name, phone, language, added_at, added_by) VALUES (?,?,?,?,?)", row)
    connection.close()

    def read() -> list[str]:
        with sqlite3.connect(file) as connection:
            return [name for (name,) in connection.execute("SELECT name FROM driver ORDER BY id")]

    return read


def test_forget_asks_first_and_leaves_everything_when_denied(run: Run, names: Callable[[], list[str]]) -> None:
    denied = run("person", "forget", "ramesh kumar", stdin="n\n", anew=True)
    assert denied.returncode == 1
    assert "Forget Ramesh Kumar (98765 43210)?" in denied.stdout
    assert names() == ["Ramesh Kumar", "Suresh", "Suresh"]
    done = run("person", "forget", "ramesh kumar", stdin="y\n")
    assert "now Forgotten driver 1" in done.stdout, done.stderr
    assert names() == ["Forgotten driver 1", "Suresh", "Suresh"]


def test_forget_refuses_a_name_that_two_drivers_have_and_takes_a_number_or_a_phone(
    run: Run, names: Callable[[], list[str]]
) -> None:
    refused = run("person", "forget", "Suresh", "--yes")
    assert refused.returncode == 1
    assert refused.stderr.count("Suresh\t98765 4321") == 2
    assert run("person", "forget", "2", "--yes").returncode == 0
    assert run("person", "forget", "+91 98765 43212", "--yes").returncode == 0
    assert names() == ["Ramesh Kumar", "Forgotten driver 2", "Forgotten driver 3"]
    assert run("person", "forget", "Suresh", "--yes").returncode == 1
