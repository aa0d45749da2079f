"""Test that a cached read returns exactly what a read would return."""

from __future__ import annotations

import sqlite3

from sqlalchemy import Connection, text

from dashboard.store.engine import Store


class Reader:
    """Count the reads that reach the store."""

    def __init__(self) -> None:
        self.reads = 0

    def __call__(self, connection: Connection) -> int:
        self.reads += 1
        return int(connection.execute(text("SELECT count(*) FROM throttle")).scalar_one())


def _enter(store: Store, subject: str) -> None:
    with store.write() as connection:
        connection.execute(text("CREATE TABLE IF NOT EXISTS throttle (subject TEXT)"))
        connection.execute(text("INSERT INTO throttle VALUES (:subject)"), {"subject": subject})


def _fresh(tmp_path) -> Store:
    store = Store(f"sqlite:///{tmp_path / 'own.db'}")
    _enter(store, "first")
    return store


def test_a_result_is_read_once_while_nobody_commits(tmp_path):
    store, reader = _fresh(tmp_path), Reader()
    assert [store.cached_read("count", reader) for _ in range(3)] == [1, 1, 1]
    assert reader.reads == 1
    store.close()


def test_a_commit_of_this_process_ends_a_cached_result_at_once(tmp_path):
    store, reader = _fresh(tmp_path), Reader()
    assert store.cached_read("count", reader) == 1
    _enter(store, "second")
    assert store.cached_read("count", reader) == 2
    store.close()


def test_a_commit_of_another_process_ends_a_cached_result_at_once(tmp_path):
    store, reader = _fresh(tmp_path), Reader()
    assert store.cached_read("count", reader) == 1
    stranger = sqlite3.connect(tmp_path / "own.db")
    with stranger:
        stranger.execute("INSERT INTO throttle VALUES ('second')")
    stranger.close()
    assert store.cached_read("count", reader) == 2
    store.close()


def test_a_rollback_ends_no_cached_result(tmp_path):
    store, reader = _fresh(tmp_path), Reader()
    assert store.cached_read("count", reader) == 1
    with store.engine.connect() as connection:
        connection.execute(text("INSERT INTO throttle VALUES ('second')"))
        connection.rollback()
    assert store.cached_read("count", reader) == 1
    store.close()


def test_each_key_has_a_result_of_its_own(tmp_path):
    store = _fresh(tmp_path)
    assert store.cached_read("one", lambda _connection: 1) == 1
    assert store.cached_read("two", lambda _connection: 2) == 2
    store.close()
