"""Run by alembic; the connection and its transaction are the caller's (`dashboard.store.migrate`)."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext

from dashboard.store.migrate import all_tables
from dashboard.store.types import Moment, Money


def render_item(kind: str, item: Any, autogen: AutogenContext) -> str | Literal[False]:
    """Our column types by their names; everything else as alembic renders it."""
    if kind == "type" and isinstance(item, Moment | Money):
        autogen.imports.add(f"from dashboard.store.types import {type(item).__name__}")
        return f"{type(item).__name__}()"
    return False


context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=all_tables(),
    render_item=render_item,
    render_as_batch=True,  # SQLite alters a table by writing it anew.
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
