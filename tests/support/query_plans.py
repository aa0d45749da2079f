"""Collect the statements that code sends to its database, and show how the database runs them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from dashboard.store.engine import Store


@contextmanager
def statements(store: Store) -> Iterator[list[tuple[str, object]]]:
    """Collect the statements that are sent while the block runs, with their values."""
    sent: list[tuple[str, object]] = []

    def note(_connection: Any, _cursor: Any, statement: str, parameters: Any, _context: Any, _many: bool) -> None:
        sent.append((statement, parameters))

    event.listen(store.engine, "before_cursor_execute", note)
    try:
        yield sent
    finally:
        event.remove(store.engine, "before_cursor_execute", note)


def plan(store: Store, statement: str, parameters: Any) -> str:
    """Return how the database would run a statement, a line for each step."""
    words = "EXPLAIN QUERY PLAN " if store.is_sqlite else "EXPLAIN "
    with store.read() as connection:
        rows = connection.exec_driver_sql(words + statement, parameters).all()
    return "\n".join(str(row[-1]) for row in rows)
