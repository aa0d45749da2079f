"""Run a private PostgreSQL server for tests; they are skipped where PostgreSQL is not installed."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, Row, create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.support.ports import free_port


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, if they are installed."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def _unprivileged_user() -> str | None:
    """Return the user that runs the server when the tests run as root, because it refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


class NotInstalled(Exception):
    """Raised when PostgreSQL is not installed on this machine."""


@contextmanager
def running_server() -> Iterator[str]:
    """Start a server, and yield its address without a database's name. Raises NotInstalled."""
    found = programs()
    if found is None:
        raise NotInstalled("PostgreSQL is not installed on this machine")
    user = _unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    if user:
        shutil.chown(folder, user)
    data = folder / "data"

    def run(*command: str, must: bool = True) -> bool:
        # Output goes to a file, because the running server would hold a pipe open.
        with (folder / "words").open("a+") as words:
            path = {"PATH": os.defpath}
            done = subprocess.run(command, check=False, user=user, cwd=folder, stdout=words, stderr=words, env=path)
            words.seek(0)
            output = words.read()
        assert done.returncode == 0 or not must, output
        return done.returncode == 0

    options = f"-c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    options += " -c synchronous_commit=off -c full_page_writes=off -c jit=off -c max_connections=300"
    control = [str(found / "pg_ctl"), "-D", str(data), "-w", "-l", str(folder / "log")]
    initdb = [str(found / "initdb"), "-D", str(data), "-U", "dashboard", "-A", "trust", "-E", "UTF8", "--no-sync"]
    with _at_our_end([*control, "-m", "immediate", "stop"], folder, user):
        run(*initdb)
        for last in (False, False, True):  # Another process may take the port before the server does.
            port = free_port()
            if run(*control, "-o", f"-p {port} {options}", "start", must=last):
                break
        yield f"postgresql+psycopg://dashboard@127.0.0.1:{port}"


def restart(address: str) -> None:
    """Restart the server of a database, as its administrator does: every session ends, and for a moment it takes none.

    The server takes its options from its last start.
    """
    found = programs()
    assert found is not None
    with _connected(address) as connection:
        data = str(connection.execute(text("SHOW data_directory")).scalar_one())
    log = str(Path(data).parent / "log")
    command = [str(found / "pg_ctl"), "-D", data, "-w", "-m", "fast", "-l", log, "restart"]
    quiet, path = subprocess.DEVNULL, {"PATH": os.defpath}
    subprocess.run(command, check=True, user=_unprivileged_user(), cwd="/", stdout=quiet, stderr=quiet, env=path)


@contextmanager
def _at_our_end(command: Sequence[str], folder: Path, user: str | None) -> Iterator[None]:
    """Run a command and remove a folder when the block ends, or when this process is killed in it.

    A shell waits for the end of a pipe that only this process holds open, which comes however the process ends.
    """
    script = 'read -r _; "$@"; rm -rf "$0"'
    quiet = subprocess.DEVNULL
    waiting = subprocess.Popen(
        ["/bin/sh", "-c", script, str(folder), *command],
        stdin=subprocess.PIPE,
        stdout=quiet,
        stderr=quiet,
        user=user,
        env={"PATH": os.defpath},
        cwd="/",
        start_new_session=True,  # Ctrl-C is not for it.
    )
    try:
        yield
    finally:
        waiting.communicate()  # Closes the pipe.


@contextmanager
def empty_database(server: str, like: str = "template1") -> Iterator[str]:
    """Create a database as a copy of `like`, yield its address, and drop it afterwards."""
    name = f"test_{secrets.token_hex(6)}"
    engine = create_engine(f"{server}/postgres", isolation_level="AUTOCOMMIT", poolclass=NullPool)
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{like}"'))
    try:
        yield f"{server}/{name}"
    finally:
        with engine.connect() as connection:
            connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))
        engine.dispose()


class OneForAll:
    """Give every test the same database, emptied: that takes a fiftieth of the time of a new one.

    When a test has changed more than rows, the next one gets a new database.
    """

    def __init__(self, server: str, like: str) -> None:
        self._server = server
        self._like = like
        self._given: tuple[ExitStack, str, object] | None = None

    def __enter__(self) -> OneForAll:
        return self

    def __exit__(self, *_: object) -> None:
        if self._given:
            self._given[0].close()
            self._given = None

    def empty(self) -> str:
        """Return the address of an empty, migrated database, and close all connections of the test before."""
        if self._given and not self._cleared(*self._given[1:]):
            self.__exit__()
        if not self._given:
            stack = ExitStack()
            address = stack.enter_context(empty_database(self._server, self._like))
            with _connected(address) as connection:
                self._given = (stack, address, _shape(connection))
        return self._given[1]

    def _cleared(self, address: str, shape: _Shape) -> bool:
        """Delete every row; False when a test has changed more than rows."""
        try:
            with _connected(address) as connection:
                connection.execute(text(_CUT_OFF))
                connection.execute(text("DROP SCHEMA IF EXISTS dbos CASCADE"))  # The record of durable jobs.
                if _shape(connection) != shape:
                    return False
                tables = sorted({row.table_name for row in shape[0]} - {"alembic_version"})
                # Foreign keys are off, because they would require an order.
                connection.execute(text("SET LOCAL session_replication_role = replica"))
                connection.execute(text("; ".join(f'DELETE FROM "{table}"' for table in tables)))
                connection.execute(text(_FROM_ONE))
        except OperationalError:  # It takes no connections.
            return False
        return True


_Shape = tuple[Sequence[Row[Any]], Sequence[Row[Any]]]


def _shape(connection: Connection) -> _Shape:
    """Return the columns of every table, and the settings of the database."""
    return connection.execute(text(_COLUMNS)).all(), connection.execute(text(_SETTINGS)).all()


@contextmanager
def _connected(address: str) -> Iterator[Connection]:
    engine = create_engine(address, poolclass=NullPool)
    with engine.begin() as connection:
        yield connection


_CUT_OFF = """SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
              WHERE datname = current_database() AND pid <> pg_backend_pid()"""
_COLUMNS = """SELECT table_name, column_name, data_type FROM information_schema.columns
              WHERE table_schema = 'public' ORDER BY 1, 2"""
_SETTINGS = """SELECT setconfig FROM pg_db_role_setting
               WHERE setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())"""
_FROM_ONE = "SELECT setval(oid, 1, false) FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Yield the address of a running server, without a database's name."""
    try:
        with running_server() as address:
            yield address
    except NotInstalled as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str) -> Iterator[OneForAll]:
    """Yield a database that is migrated once, and emptied for each test that uses it."""
    with empty_database(postgres_server) as address:
        store = Store(address)
        migrate(store)
        store.close()
        with OneForAll(postgres_server, address.rpartition("/")[2]) as database:
            yield database


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """Yield the address of an empty database for this test alone."""
    with empty_database(postgres_server) as address:
        yield address
