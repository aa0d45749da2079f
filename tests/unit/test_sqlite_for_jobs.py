"""Test that bulk work is refused on a SQLite that DBOS cannot rely on, with what to do."""

from __future__ import annotations

import pytest

from dashboard.background.sqlite_for_jobs import SQLiteTooOld, require_sqlite


@pytest.mark.parametrize(
    ("python", "sqlite"), [((3, 11, 7), (3, 40, 1)), ((3, 12, 0), (3, 42, 0)), ((3, 13, 1), (3, 46, 1))]
)
def test_these_work_together(python: tuple[int, ...], sqlite: tuple[int, ...]) -> None:
    require_sqlite(python, sqlite)


def test_an_older_sqlite_is_named_with_what_to_do() -> None:
    with pytest.raises(SQLiteTooOld, match=r"3\.41\.2.*Use Python 3\.11, a newer SQLite, or PostgreSQL"):
        require_sqlite((3, 12, 0), (3, 41, 2))
