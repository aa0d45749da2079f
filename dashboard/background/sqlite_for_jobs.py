"""Tell whether DBOS can keep its record in this SQLite, without loading DBOS."""

from __future__ import annotations


class SQLiteTooOld(RuntimeError):
    """Report that DBOS cannot keep its record in this SQLite; `str()` says what to do."""


def require_sqlite(python: tuple[int, ...], sqlite: tuple[int, ...]) -> None:
    """Raise SQLiteTooOld for a SQLite whose transactions DBOS cannot rely on under this version of Python."""
    if python >= (3, 12) and sqlite < (3, 42):
        version = ".".join(map(str, sqlite))
        raise SQLiteTooOld(
            f"Bulk work needs SQLite 3.42 or newer on Python 3.12 and newer, and this is {version}. "
            "Use Python 3.11, a newer SQLite, or PostgreSQL."
        )
