"""A private PostgreSQL server for the tests that want one, from programs of this machine; skipped where none are."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from dashboard.store.engine import Store
from dashboard.store.migrate import migrate


def _programs() -> Path | None:
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next((folder for folder in folders if (folder / "initdb").exists()), None)


def _unprivileged_user() -> str | None:
    """The server refuses to run as root: then somebody else runs it."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


class NotInstalled(Exception):
    """There is no PostgreSQL on this machine."""


@contextmanager
def running_server() -> Iterator[str]:
    """The address of a running server, without a database's name. Raises NotInstalled."""
    programs = _programs()
    if programs is None:
        raise NotInstalled("PostgreSQL is not installed on this machine")
    user = _unprivileged_user()
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    if user:
        shutil.chown(folder, user)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    data = folder / "data"

    def run(*command: str, must: bool = True) -> None:
        # Its words go to a file: the server that is left running would hold a pipe open.
        with (folder / "words").open("a+") as words:
            path = {"PATH": os.defpath}
            done = subprocess.run(command, check=False, user=user, cwd=folder, stdout=words, stderr=words, env=path)
            words.seek(0)
            said = words.read()
        assert done.returncode == 0 or not must, said

    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} -c fsync=off"
    options += " -c max_connections=300"
    control = [str(programs / "pg_ctl"), "-D", str(data), "-w", "-l", str(folder / "log")]
    try:
        run(str(programs / "initdb"), "-D", str(data), "-U", "dashboard", "-A", "trust", "-E", "UTF8", "--no-sync")
        run(*control, "-o", options, "start")
        yield f"postgresql+psycopg://dashboard@127.0.0.1:{port}"
    finally:
        # Interrupted before it ran, there is nothing to stop.
        run(*control, "-m", "immediate", "stop", must=False)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def empty_database(server: str, like: str = "template1") -> Iterator[str]:
    """The address of a new database on a server, dropped afterwards; a copy of the one that `like` names."""
    name = f"test_{secrets.token_hex(6)}"
    engine = create_engine(f"{server}/postgres", isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        connection.execute(text(f'CREATE DATABASE "{name}" TEMPLATE "{like}"'))
    try:
        yield f"{server}/{name}"
    finally:
        with engine.connect() as connection:
            connection.execute(text(f'DROP DATABASE "{name}" WITH (FORCE)'))
        engine.dispose()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """The address of a running server, without a database's name."""
    try:
        with running_server() as address:
            yield address
    except NotInstalled as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="session")
def migrated_postgres(postgres_server: str) -> Iterator[str]:
    """The name of a database migrated once, to be copied."""
    with empty_database(postgres_server) as address:
        store = Store(address)
        migrate(store)
        store.close()
        yield address.rpartition("/")[2]


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """An empty database of the test's own."""
    with empty_database(postgres_server) as address:
        yield address
