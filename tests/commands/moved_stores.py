"""Move a SQLite store to PostgreSQL in this process, and read what stands in either."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select, text

from dashboard.migrate_store import MoveRefused, cancel, move
from dashboard.store.engine import Store
from dashboard.store.migrate import all_tables


class Mover:
    """Move between two stores in this process, and keep what was said."""

    def __init__(self, source: Store, target: Store, data_dir: Path) -> None:
        self._source, self._target, self._data_dir = source, target, data_dir
        self.said: list[str] = []

    def move(self, batch: int = 7) -> str:
        self._source.close()
        self._target.close()
        url = self._target.url.render_as_string(hide_password=False)
        move(str(self._source.url), url, self._data_dir, self.said.append, batch)
        return "\n".join(self.said)

    def refused(self) -> str:
        with pytest.raises(MoveRefused) as refusal:
            self.move()
        return str(refusal.value)

    def cancel(self) -> None:
        self._source.close()
        cancel(str(self._source.url), self.said.append)


def mark(store: Store, changed: str | None = None) -> str:
    """Return what stands in place of the revision, after changing it if asked to."""
    with store.write() as connection:
        if changed is not None:
            connection.execute(text("UPDATE alembic_version SET version_num = :mark"), {"mark": changed})
        found = str(connection.execute(text("SELECT version_num FROM alembic_version")).scalar())
    store.close()
    return found


def rows(store: Store) -> dict[str, int]:
    with store.read() as connection:
        found = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in all_tables().sorted_tables
        }
    store.close()
    return found


def everything(store: Store) -> dict[str, set[str]]:
    """Return every row of every table, as the dashboard reads it."""
    with store.read() as connection:
        found = {
            table.name: {repr(tuple(row)) for row in connection.execute(select(table))}
            for table in all_tables().sorted_tables
        }
    store.close()
    return found
