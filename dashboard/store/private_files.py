"""Keep the files of the store from other accounts of the machine: they hold addresses, phones and hashes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dashboard.store.engine import Store

_OTHERS = 0o077
_COMPANIONS = ("", "-wal", "-shm", "-journal", ".migrating")


def close_to_others(store: Store, data_dir: Path) -> None:
    """Make the files of a SQLite database private, and the data folder. Folders that are not ours stay as they are."""
    for path in _paths(store, data_dir):
        with suppress(PermissionError):  # They belong to another account; `dashboard check` reports it.
            path.chmod(path.stat().st_mode & 0o700)


def open_to_others(store: Store, data_dir: Path) -> list[Path]:
    """Return the files and folders that other accounts of the machine may read or write."""
    return [path for path in _paths(store, data_dir) if path.stat().st_mode & _OTHERS]


def _paths(store: Store, data_dir: Path) -> Iterator[Path]:
    if data_dir.is_dir():
        yield data_dir
    if store.is_sqlite:
        files = (Path(f"{store.url.database}{suffix}") for suffix in _COMPANIONS)
        yield from (file for file in files if file.is_file())
