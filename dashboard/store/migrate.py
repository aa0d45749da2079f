"""Create and migrate the database, under a lock, so that processes that start together do it once.

After a change of tables, `python -m dashboard.store.migrate new "what changed"` writes the next revision by comparing
the tables with a database migrated so far; read it before committing it. Add column by column (`op.add_column`, with
`inline_references=True` for a foreign key): a batch would have SQLite rebuild the table, which it refuses while rows of
others refer to it. State no rule of the code as a CHECK: changing it would need such a rebuild.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, MetaData, inspect, text
from sqlalchemy.exc import SQLAlchemyError

import dashboard.store
from dashboard.store.engine import Store
from dashboard.store.migrations import adopt_0014
from dashboard.store.schema import metadata

try:
    import fcntl
except ImportError:  # Not on Windows; SQLite's own write lock still serializes the migration there.
    fcntl = None  # type: ignore[assignment]  # Not on Windows.

_FOLDER = Path(__file__).parent / "migrations"
#: The revision that creates every table. Databases of version 0.1.0 bear the number 0014 and are adopted by it.
INITIAL = "r1"
#: Any number that nothing else on the database server uses.
_ADVISORY_LOCK = 7_242_605_113
#: What stands in place of a revision in both databases while rows are moved from one to the other, and in the former
#: one for good afterwards: neither may be worked on.
MOVING, MOVED = "moving", "moved"

_MARKS = {
    MOVING: "A move between this database and another has not ended: run `dashboard migrate-store` again.",
    MOVED: "The rows of this database were moved to PostgreSQL. Set DASHBOARD_DATABASE_URL to where they are now.",
}


class UnknownRevision(Exception):
    """The database stands at a revision that this version cannot go on from; `str()` says what to do."""


def migrate(store: Store, revision: str = "head") -> None:
    """Bring the database to the newest revision, or to an older one; do nothing when it is there.

    Raises UnknownRevision for a database of a development version before 0.1.0, or of a later version than this one.
    """
    with _unlimited(store) as patient, _lock(patient):
        if is_current(patient):
            return
        _check_known(current := _revision_of(patient))
        if current == adopt_0014.LAST_REVISION:
            adopt_0014.adopt(patient, lambda connection: command.upgrade(_config(connection), INITIAL))
        with patient.write() as connection:
            command.upgrade(_config(connection), revision)


def is_current(store: Store) -> bool:
    """Return True when the database can be reached and has every migration that this code needs."""
    try:
        return _revision_of(store) == _scripts().get_current_head()
    except SQLAlchemyError:
        return False


def is_empty(store: Store) -> bool:
    """Return True for a database without any table, ours or another's."""
    with store.read() as connection:
        return not inspect(connection).get_table_names()


def may_serve(store: Store) -> bool:
    """Return True when a process that has started may go on: at every migration that it needs, or at later ones.

    A later version migrates first and takes over process by process, and its migrations add and never rewrite.
    """
    try:
        revision = _revision_of(store)
    except SQLAlchemyError:
        return False
    newest = newest_revision()
    return revision == newest or bool(revision and _number(revision) > _number(newest))


def newest_revision() -> str:
    """Return the revision that this code needs."""
    head = _scripts().get_current_head()
    assert head is not None
    return head


def _number(revision: str) -> int:
    """Return the number of a revision of ours; 0 for any other word."""
    found = re.fullmatch(r"r(\d+)", revision)
    return int(found[1]) if found else 0


def _revision_of(store: Store) -> str | None:
    with store.read() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())


def _check_known(revision: str | None) -> None:
    if revision and (mark := revision.partition(" ")[0]) in _MARKS:
        raise UnknownRevision(_MARKS[mark])
    known = {script.revision for script in _scripts().walk_revisions()} | {adopt_0014.LAST_REVISION, None}
    if revision not in known:
        raise UnknownRevision(
            f"The database stands at revision {revision}, which this version does not know. "
            "Open a database of a development version with version 0.1.0 first, and a newer one with its own version."
        )


def all_tables() -> MetaData:
    """Return the metadata once every module with tables has been imported."""
    for module in pkgutil.walk_packages(dashboard.store.__path__, "dashboard.store."):
        if not module.name.startswith("dashboard.store.migrat"):
            importlib.import_module(module.name)
    return metadata


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    config.attributes["connection"] = connection
    return config


@contextmanager
def _unlimited(store: Store) -> Iterator[Store]:
    """Yield the store with sessions that may wait for others, and work, for as long as a migration takes."""
    if store.is_sqlite:
        yield store
        return
    patient = Store(store.url, limited=False)
    try:
        yield patient
    finally:
        patient.close()


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
    number = 1 + sum(1 for file in (_FOLDER / "versions").glob("r[0-9]*.py"))
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/fresh.db")
        if number > 1:
            migrate(store)
        with store.write() as connection:
            command.revision(_config(connection), words, autogenerate=True, rev_id=f"r{number}")
        store.close()


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] != "new":
        sys.exit('usage: python -m dashboard.store.migrate new "what changed"')
    write_revision(sys.argv[2])
