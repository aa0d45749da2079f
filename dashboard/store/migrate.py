"""Creates and migrates the database, under a lock, so that processes started together do it once.

After a change of tables, `python -m dashboard.store.migrate new "what changed"` writes the next revision by comparing
the tables with a database migrated so far; read it before committing it. Add column by column (`op.add_column`, with
`inline_references=True` for a foreign key): a batch would have SQLite rebuild the table, which it refuses while rows of
others refer to it.
"""

from __future__ import annotations

import importlib
import pkgutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, text
from sqlalchemy.exc import SQLAlchemyError

import dashboard.store
from dashboard.store.engine import Store
from dashboard.store.schema import metadata

try:
    import fcntl
except ImportError:  # Not on Windows; SQLite's own write lock still serializes the migration there.
    fcntl = None  # type: ignore[assignment]

_FOLDER = Path(__file__).parent / "migrations"
#: Any number that nothing else on the database server uses.
_ADVISORY_LOCK = 7_242_605_113


def migrate(store: Store, revision: str = "head") -> None:
    """Bring the database to the newest revision, or to an older one; does nothing when it is there."""
    with _lock(store):
        if is_current(store):
            return
        with store.write() as connection:
            command.upgrade(_config(connection), revision)


def is_current(store: Store) -> bool:
    """True when the database can be reached and has every migration that this code needs."""
    head = ScriptDirectory.from_config(_config()).get_current_head()
    try:
        with store.read() as connection:
            return MigrationContext.configure(connection).get_current_revision() == head
    except SQLAlchemyError:
        return False


def all_tables() -> MetaData:
    """The metadata once every module with tables has been imported."""
    for module in pkgutil.iter_modules(dashboard.store.__path__):
        if not module.ispkg and module.name != "migrate":
            importlib.import_module(f"dashboard.store.{module.name}")
    return metadata


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    return config


@contextmanager
def _lock(store: Store) -> Iterator[None]:
    if store.is_sqlite:
        with open(f"{store.url.database}.migrating", "w", encoding="utf-8") as file:
            if fcntl:
                fcntl.flock(file, fcntl.LOCK_EX)
            yield
        return
    with store.engine.connect() as connection:
        connection.execute(text("SELECT pg_advisory_lock(:key)"), {"key": _ADVISORY_LOCK})
        connection.commit()
        try:
            yield
        finally:
            connection.execute(text("SELECT pg_advisory_unlock(:key)"), {"key": _ADVISORY_LOCK})
            connection.commit()


def write_revision(words: str) -> None:
    """Write the next revision from the difference between the tables and a fresh database migrated so far."""
    number = 1 + sum(1 for file in (_FOLDER / "versions").glob("[0-9]*.py"))
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/fresh.db")
        if number > 1:
            migrate(store)
        with store.write() as connection:
            command.revision(_config(connection), words, autogenerate=True, rev_id=f"{number:04}")
        store.close()


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "new":
        sys.exit('usage: python -m dashboard.store.migrate new "what changed"')
    write_revision(sys.argv[2])
