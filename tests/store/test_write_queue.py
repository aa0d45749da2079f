"""Test that writers on SQLite are served in the order in which they came, and learn when the database refuses."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from dashboard.store.engine import Store, commits
from dashboard.store.refusals import StoreBusy, StoreRefusal, refusal_of
from dashboard.store.write_queue import WriteQueue


def test_turns_come_in_the_order_of_asking() -> None:
    queue, served = WriteQueue(), []
    threads = []

    def come(number: int) -> None:
        with queue.turn(20):
            served.append(number)

    with queue.turn(20):
        for number in range(30):
            thread = threading.Thread(target=come, args=(number,))
            thread.start()
            threads.append(thread)
            while len(queue._waiting) <= number:
                threading.Event().wait(0.001)
    for thread in threads:
        thread.join(20)
    assert served == list(range(30))


def test_whoever_waits_too_long_leaves_the_queue() -> None:
    queue = WriteQueue()
    with queue.turn(1):
        for _ in range(3):
            with pytest.raises(StoreBusy), queue.turn(0.01):
                pass
    with queue.turn(0):
        pass


def test_no_writer_starves_among_many(store: Store) -> None:
    """Every writer holds the lock for a while, and the last to come waits for those before it and for no other."""
    waited: dict[int, int] = {}
    lock, done = threading.Lock(), [0]

    def write(number: int) -> None:
        for _ in range(5):
            with lock:
                before = done[0]
            with store.write() as connection:
                connection.execute(text("SELECT 1"))
                threading.Event().wait(0.002)
            with lock:
                done[0] += 1
                waited[number] = max(waited.get(number, 0), done[0] - before)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert done[0] == 120
    assert max(waited.values()) <= 2 * 24, "at most those who came before, once each"


@contextmanager
def locked(store: Store) -> Iterator[None]:
    other = sqlite3.connect(str(store.url.database), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


def refused(store: Store, patience: float = 0.1) -> StoreRefusal | None:
    with pytest.raises(SQLAlchemyError) as error:
        store.try_write(patience)
    return refusal_of(error.value)


def test_a_database_that_another_process_locks_is_busy(store: Store) -> None:
    with locked(store):
        assert refused(store) is StoreRefusal.BUSY
    store.try_write(1)


def test_a_full_disk_is_told_and_heals(store: Store) -> None:
    def limit(connection: Any, _record: Any, _proxy: Any) -> None:
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages if full else 1_000_000}")

    event.listen(store.engine, "checkout", limit)

    def fill() -> None:
        with store.write() as connection:
            connection.execute(text("CREATE TABLE large (a TEXT)"))
            connection.execute(text("INSERT INTO large VALUES (:a)"), {"a": "x" * 100_000})

    full = True
    with pytest.raises(OperationalError) as error:
        fill()
    assert refusal_of(error.value) is StoreRefusal.FULL
    full = False
    store.try_write(1)


def test_after_a_read_only_spell_every_connection_writes_again(store: Store) -> None:
    """SQLite's connections stay as they were opened, so those of the spell must go."""
    spell = True

    def obey(connection: Any, _record: Any) -> None:
        connection.execute(f"PRAGMA query_only = {'ON' if spell else 'OFF'}")

    event.listen(store.engine, "connect", obey)
    store.engine.dispose()
    held = [store.engine.connect() for _ in range(6)]
    for connection in held:
        connection.execute(text("SELECT 1"))
    for connection in held:
        connection.close()
    assert refused(store) is StoreRefusal.READ_ONLY
    spell = False
    for _ in range(8):
        store.try_write(1)


def test_a_database_that_is_away_is_told(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'gone' / 'dashboard.db'}")
    (tmp_path / "gone").rmdir()
    assert refused(store) is StoreRefusal.AWAY
    nobody = Store("postgresql+psycopg://nobody@127.0.0.1:1/none")
    assert refused(nobody) is StoreRefusal.AWAY


def test_a_fault_of_our_own_is_no_refusal(store: Store) -> None:
    with store.write() as connection, pytest.raises(OperationalError) as error:
        connection.execute(text("SELECT nothing FROM nowhere"))
    assert refusal_of(error.value) is None


def test_the_write_check_leaves_nothing_behind(store: Store) -> None:
    before = commits()
    store.try_write(1)
    assert commits() == before + 1
    with store.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM alembic_version")).scalar_one() == 1


def test_what_is_to_be_durable_waits_for_the_disk_whatever_its_connection_was_used_for_before(store: Store) -> None:
    def waits(*, durable: bool) -> bool:
        with store.write(durable=durable) as connection:
            return connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2  # FULL

    assert [waits(durable=durable) for durable in (True, False, True)] == [True, False, True]
    with store.write() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar_one() == 2, "without saying so"
