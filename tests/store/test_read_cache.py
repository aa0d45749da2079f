"""What is remembered of the store is what would be read."""

from __future__ import annotations

import sqlite3

from sqlalchemy import Connection, text

from dashboard.store.engine import Store


class Reader:
    """Counts how often the store was really asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, connection: Connection) -> int:
        self.asked += 1
        return int(connection.execute(text("SELECT count(*) FROM throttle")).scalar_one())


def _enter(store: Store, subject: str) -> None:
    with store.write() as connection:
        connection.execute(text("CREATE TABLE IF NOT EXISTS throttle (subject TEXT)"))
        connection.execute(text("INSERT INTO throttle VALUES (:subject)"), {"subject": subject})


def _fresh(tmp_path) -> Store:
    store = Store(f"sqlite:///{tmp_path / 'own.db'}")
    _enter(store, "first")
    return store


def test_what_nobody_changed_is_read_once(tmp_path):
    store, reader = _fresh(tmp_path), Reader()
    assert [store.remembered("count", reader) for _ in range(3)] == [1, 1, 1]
    assert reader.asked == 1
    store.close()


def test_a_commit_of_this_process_is_seen_at_once(tmp_path):
    store, reader = _fresh(tmp_path), Reader()
    assert store.remembered("count", reader) == 1
    _enter(store, "second")
    assert store.remembered("count", reader) == 2
    store.close()


def test_a_commit_of_anybody_else_is_seen_at_once(tmp_path):
    store, reader = _fresh(tmp_path), Reader()
    assert store.remembered("count", reader) == 1
    stranger = sqlite3.connect(tmp_path / "own.db")
    with stranger:
        stranger.execute("INSERT INTO throttle VALUES ('second')")
    stranger.close()
    assert store.remembered("count", reader) == 2
    store.close()


def test_what_was_rolled_back_changes_nothing(tmp_path):
    store, reader = _fresh(tmp_path), Reader()
    assert store.remembered("count", reader) == 1
    with store.engine.connect() as connection:
        connection.execute(text("INSERT INTO throttle VALUES ('second')"))
        connection.rollback()
    assert store.remembered("count", reader) == 1
    store.close()


def test_another_key_is_another_thing(tmp_path):
    store = _fresh(tmp_path)
    assert store.remembered("one", lambda _connection: 1) == 1
    assert store.remembered("two", lambda _connection: 2) == 2
    store.close()
