"""Move an embedded SQLite store to PostgreSQL, whole and verified; a move that was interrupted goes on where it stood.

Both databases bear a mark in place of their revision while the move lasts, so that no dashboard starts on either; the
source keeps one for good, because links made there later would be missing on PostgreSQL. The marks name the move, so
that rows of another one are never taken for its own:

    source  r17  ->  moving r17 ID                     ->  moved r17 ID
    target  r17           ->  moving r17 ID  -> rows ->                  ->  r17

An interruption between any two of these leaves a state from which the next run goes on.
"""

from __future__ import annotations

import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path

import psycopg
from sqlalchemy import Connection, Table, create_engine, make_url, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import StaticPool

from dashboard.store import table_copy
from dashboard.store.engine import Store
from dashboard.store.migrate import MOVED, MOVING, all_tables, is_empty, migrate, newest_revision
from dashboard.store.table_copy import BatchRefused, RowsDiffer

Say = Callable[[str], None]

#: Any number that nothing else on the database server uses; the session that holds it moves rows into the database.
_ADVISORY_LOCK = 7_242_605_114
#: How long the sessions of whoever was just stopped may take to end, in seconds.
_PATIENCE = 10.0
#: How many rows that PostgreSQL would refuse are named at once.
_NAMED = 20


class MoveRefused(Exception):
    """Report why nothing more was moved; `str()` says what to do."""


def move(source_url: str, target_url: str, data_dir: Path, say: Say, batch: int) -> None:
    """Move every row, compare both sides, and close the source. Raises MoveRefused."""
    tables = all_tables().sorted_tables
    if make_url(target_url).get_backend_name() != "postgresql":
        raise MoveRefused("The target must be PostgreSQL: set DASHBOARD_DATABASE_URL, or name it with --to.")
    with closing(_open_source(source_url)) as source, _open_target(target_url) as target:
        mark = _begin(source, target, tables, say)
        if mark.startswith(MOVING):
            _copy(source, target, tables, batch, say)
            _compare(source, target, tables, say)
            mark = mark.replace(MOVING, MOVED, 1)
            _mark_source(source, mark)
        _mark_target(target, mark.split()[1])
    say(f"The store is moved. {make_url(source_url).database} keeps its rows, and no dashboard starts on it any more.")
    _say_what_stays(data_dir, say)


def cancel(source_url: str, say: Say) -> None:
    """Give up a move that has not ended: the source is worked on again. Raises MoveRefused."""
    with closing(_open_source(source_url)) as source:
        mark = _revision_of_source(source)
        if not mark.startswith(f"{MOVING} "):
            raise MoveRefused("No move of this store is under way.")
        _mark_source(source, mark.split()[1])
    say("The move is given up: the dashboard starts on the source again. Drop the database that rows were moved to.")


# Opening


def _open_source(url: str) -> sqlite3.Connection:
    """Open a SQLite database for this process alone, until it ends: SQLite refuses that while anybody has it open."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite" or not address.database:
        raise MoveRefused("The source must be a SQLite database.")
    file = Path(address.database).absolute()
    if not file.is_file():
        raise MoveRefused(f"There is no database at {file}. Set DASHBOARD_DATA_DIR, or name it with --from.")
    source = sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True, timeout=1, isolation_level=None)
    try:
        source.execute("PRAGMA locking_mode=EXCLUSIVE")
        source.execute("PRAGMA synchronous=FULL")
        source.execute("BEGIN EXCLUSIVE")
        source.execute("COMMIT")
    except sqlite3.OperationalError as error:
        source.close()
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise MoveRefused(f"{file} is in use. Stop every process of the dashboard first.") from None
        raise MoveRefused(f"{file} cannot be opened ({error}).") from None
    except sqlite3.DatabaseError as error:
        source.close()
        raise MoveRefused(f"{file} cannot be read ({error}).") from None
    return source


@contextmanager
def _open_target(url: str) -> Iterator[Connection]:
    """Yield the one session that moves rows. A session that was killed holds the lock until its last commit is over."""
    store = Store(url, connections=2, limited=False)
    try:
        if is_empty(store):
            migrate(store)
        with store.engine.connect() as connection:
            _wait(lambda: _locks(connection), "Another move into the target is under way.")
            _wait(lambda: _is_alone(connection), "The target is in use: stop every process that is connected to it.")
            yield connection
    except (SQLAlchemyError, psycopg.Error) as error:
        # A driver's message may hold the address with its password.
        raise MoveRefused(f"The target cannot be used ({_reason(error)}). Run it again to go on.") from None
    except sqlite3.Error as error:
        raise MoveRefused(f"The source cannot be read ({error}). Run it again to go on.") from None
    finally:
        store.close()


def _reason(error: Exception) -> str:
    diagnosis = getattr(getattr(error, "orig", error), "diag", None)
    return getattr(diagnosis, "message_primary", None) or type(error).__name__


def _wait(until: Callable[[], bool], refusal: str) -> None:
    pause, deadline = threading.Event(), time.monotonic() + _PATIENCE
    while not until():
        if time.monotonic() >= deadline:
            raise MoveRefused(refusal)
        pause.wait(0.1)


def _locks(target: Connection) -> bool:
    with target.begin():
        return bool(target.execute(text("SELECT pg_try_advisory_lock(:key)"), {"key": _ADVISORY_LOCK}).scalar())


def _is_alone(target: Connection) -> bool:
    others = (
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND backend_type = 'client backend' AND pid <> pg_backend_pid()"
    )
    with target.begin():
        return not target.execute(text(others)).scalar()


# Marks


def _begin(source: sqlite3.Connection, target: Connection, tables: list[Table], say: Say) -> str:
    """Begin the move, or find the one to go on with; return the mark of the source."""
    mark, newest = _revision_of_source(source), newest_revision()
    with target.begin():
        found = target.execute(text("SELECT version_num FROM alembic_version")).scalar()
    kind, _, rest = mark.partition(" ")
    if kind == MOVED:
        if found != f"{MOVING} {rest}":
            raise MoveRefused("This store was moved before. Nothing was done.")
        return mark
    if newest not in (mark, rest.partition(" ")[0]):
        raise MoveRefused(
            f"The source stands at revision {mark}, and this version needs {newest}. "
            "Migrate it first: run `dashboard migrate` with the source as its database."
        )
    if kind == MOVING and found == mark:
        say("Going on with a move that was interrupted.")
        return mark
    if found != newest:
        if str(found).startswith(MOVING):
            raise MoveRefused("The target holds a part of another move. Drop and create that database, and begin anew.")
        raise MoveRefused(
            f"The target stands at revision {found}, and this version needs {newest}. "
            "Migrate it first: run `dashboard migrate` on it."
        )
    for table in tables:
        if rows := table_copy.count(target, table):
            raise MoveRefused(f"The target is not empty: {table.name} has {rows:,} rows. Name an empty database.")
    _check(source, tables, say)
    if kind != MOVING:
        mark = f"{MOVING} {newest} {secrets.token_hex(6)}"
        _mark_source(source, mark)
    with target.begin():
        table_copy.set_sequences(source, target, tables)
        target.execute(text("UPDATE alembic_version SET version_num = :mark"), {"mark": mark})
    return mark


def _revision_of_source(source: sqlite3.Connection) -> str:
    try:
        row = source.execute("SELECT version_num FROM alembic_version").fetchone()
    except sqlite3.OperationalError:
        row = None
    return str(row[0]) if row else "none"


def _mark_source(source: sqlite3.Connection, mark: str) -> None:
    source.execute("UPDATE alembic_version SET version_num = ?", (mark,))


def _mark_target(target: Connection, revision: str) -> None:
    with target.begin():
        target.execute(text("UPDATE alembic_version SET version_num = :revision"), {"revision": revision})


# Rows


def _check(source: sqlite3.Connection, tables: list[Table], say: Say) -> None:
    """Name the rows that PostgreSQL would refuse, before anything is moved."""
    if refused := list(islice(table_copy.refused_rows(source, tables), _NAMED + 1)):
        named = "\n".join(f"  {row}" for row in refused[:_NAMED])
        more = "\n  and more" if len(refused) > _NAMED else ""
        raise MoveRefused(f"PostgreSQL would refuse these rows. Nothing was moved.\n{named}{more}")
    say("Every row of the source fits PostgreSQL.")


def _copy(source: sqlite3.Connection, target: Connection, tables: list[Table], batch: int, say: Say) -> None:
    for table in tables:
        try:
            for rows in table_copy.copy_table(source, target, table, batch):
                say(f"  {table.name}: {rows:,}")
        except BatchRefused as refused:
            raise MoveRefused(f"PostgreSQL refused {refused}. Mend it, or give up with --cancel.") from None


def _compare(source: sqlite3.Connection, target: Connection, tables: list[Table], say: Say) -> None:
    """Compare both sides through the types of the columns, and say the digest of each table."""
    engine = create_engine("sqlite://", creator=lambda: source, poolclass=StaticPool)
    rows = 0
    say("Comparing every row of both databases:")
    with engine.connect() as connection:
        for table in tables:
            try:
                done = table_copy.compare(connection, target, table)
            except RowsDiffer as differ:
                raise MoveRefused(
                    f"The two databases differ at {differ}. Give up with --cancel, drop the target and begin anew."
                ) from None
            rows += done.rows
            say(f"  {done.table}: {done.rows:,} rows equal, sha256 {done.digest[:16]}")
    say(f"{rows:,} rows in {len(tables)} tables are equal on both sides.")


def _say_what_stays(data_dir: Path, say: Say) -> None:
    """Say what is no part of the database and stays in the data folder."""
    if spooled := len(list((data_dir / "spool").glob("*.json"))):
        say(
            f"{spooled} created links wait in {data_dir / 'spool'}, not recorded yet: the next start with this data "
            "folder records them. Never delete them."
        )
    if (data_dir / "jobs.db").exists():
        say(
            f"{data_dir / 'jobs.db'} is left behind: it holds how far jobs had come. What is to be done stands in the "
            "store, so the first worker on PostgreSQL goes on with runs that are under way."
        )
