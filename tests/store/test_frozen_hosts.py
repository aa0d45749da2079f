"""Test on PostgreSQL that a host which stands still in a transaction delays the others by seconds, and stops none."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from dashboard.store.operations import call_budget
from tests.support.postgres import OneForAll

#: Takes a row that every worker needs, says so, and never comes to the end of its transaction.
_HOST = """
import sys, threading
from datetime import UTC, datetime
from dashboard.store.engine import Store
from dashboard.store.operations import call_budget

store = Store(sys.argv[1])
with store.write() as connection:
    call_budget.use(connection, datetime.now(UTC), 20, 1)
    print("holds it", flush=True)
    threading.Event().wait()
"""


@pytest.fixture
def postgres(migrated_postgres: OneForAll) -> Iterator[Store]:
    store = Store(migrated_postgres.empty())
    yield store
    store.close()


@pytest.fixture
def frozen_host(postgres: Store) -> Iterator[Callable[[], None]]:
    """Return a function that starts another host and freezes it in mid-transaction."""
    hosts = []

    def freeze() -> None:
        command = [sys.executable, "-c", _HOST, postgres.url.render_as_string(hide_password=False)]
        hosts.append(host := subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert host.stdout is not None
        assert host.stdout.readline() == "holds it\n"
        host.send_signal(signal.SIGSTOP)

    yield freeze
    for host in hosts:
        host.kill()
        host.communicate()


def use_a_call(store: Store) -> None:
    with store.write() as connection:
        call_budget.use(connection, datetime.now(UTC), 20, 1)


def test_a_host_frozen_in_mid_transaction_delays_the_others_by_seconds(
    postgres: Store, frozen_host: Callable[[], None]
) -> None:
    frozen_host()
    began = time.monotonic()
    while time.monotonic() - began < 60:
        with suppress(OperationalError):
            use_a_call(postgres)
            break
    assert time.monotonic() - began < 20


def test_nobody_waits_longer_than_seconds_for_a_row_that_a_working_session_keeps(postgres: Store) -> None:
    busy = create_engine(postgres.url, poolclass=NullPool)  # Without our limits, as an administrator's console.
    use_a_call(postgres)
    with busy.connect() as console:
        console.execute(text("SELECT * FROM call_budget FOR UPDATE"))
        console.execute(text("SET LOCAL statement_timeout = '30s'"))
        began = time.monotonic()
        with pytest.raises(OperationalError, match="lock timeout"):
            use_a_call(postgres)
        assert time.monotonic() - began < 10
    use_a_call(postgres)


@pytest.mark.parametrize(
    ("name", "most_seconds"),
    [
        ("lock_timeout", 10),
        ("statement_timeout", 60),
        ("idle_in_transaction_session_timeout", 15),
        ("tcp_keepalives_idle", 30),
        ("tcp_user_timeout", 30),
    ],
)
def test_each_session_has_limits(postgres: Store, name: str, most_seconds: float) -> None:
    with postgres.read() as connection:
        query = "SELECT setting::float, unit FROM pg_settings WHERE name = :name"
        setting, unit = connection.execute(text(query), {"name": name}).one()
        assert 0 < setting / (1000 if unit == "ms" else 1) <= most_seconds


def test_a_migration_may_take_its_time(postgres_url: str) -> None:
    """Hold the lock of migrations for longer than any other lock may take."""
    store = Store(postgres_url)
    began = time.monotonic()
    other = create_engine(postgres_url, poolclass=NullPool)
    with other.connect() as console:
        console.execute(text("SELECT pg_advisory_lock(7242605113)"))
        console.commit()
        waiting = _in_thread(lambda: migrate(store))
        while time.monotonic() - began < 6:
            assert waiting.is_alive()
            waiting.join(0.5)
        console.execute(text("SELECT pg_advisory_unlock(7242605113)"))
        console.commit()
    waiting.join(60)
    assert not waiting.is_alive()
    use_a_call(store)
    store.close()


def _in_thread(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    return thread
