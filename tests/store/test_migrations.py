"""Migrations and tables say the same, and several processes may start at once."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import inspect, select, text

from dashboard.store.accounts import audit, people, saved_forms, sessions, sign_in_throttle
from dashboard.store.engine import Store
from dashboard.store.links.tables import NEVER, link
from dashboard.store.migrate import all_tables, is_current, migrate
from tests.support.clock import MovableClock

#: A column added later carries its reference with it; one made with its table has it stand apart.
_INLINE = re.compile(r"(\w+) (\w+) (REFERENCES \w+ ?\(\w+\))")
_APART = r"\1 \2, FOREIGN KEY(\1) \3"
_KEY_NAME = re.compile(r"CONSTRAINT fk_\w+ ")


def _differences(store: Store) -> list[object]:
    with store.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, all_tables()))


def _definitions(store: Store) -> dict[str, list[str]]:
    """How SQLite itself writes down each table and index, as a set of its parts."""
    query = text("SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'alembic_version'")
    with store.read() as connection:
        rows = connection.execute(query).all()
    plain = {row.name: _KEY_NAME.sub("", re.sub(r"\s+", " ", row.sql.replace('"', ""))) for row in rows}
    parts = {name: _INLINE.sub(_APART, sql) for name, sql in plain.items()}
    return {name: sorted(part.strip(" ()") for part in re.split(r",(?![^()]*\))", sql)) for name, sql in parts.items()}


def test_the_migrations_make_exactly_the_tables_of_the_code(store: Store) -> None:
    assert _differences(store) == []


def test_checks_and_partial_indexes_are_migrated_as_well(store: Store, tmp_path: Path) -> None:
    made = Store(f"sqlite:///{tmp_path / 'made.db'}")
    with made.write() as connection:
        all_tables().create_all(connection)
    assert _definitions(store) == _definitions(made)
    made.close()


def test_a_fresh_database_is_not_current_until_it_is_migrated(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'fresh.db'}")
    assert not is_current(store)
    migrate(store)
    assert is_current(store)
    migrate(store)
    assert is_current(store)
    store.close()


def test_a_database_that_cannot_be_read_is_not_current(tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"this is no database" * 100)
    store = Store(f"sqlite:///{tmp_path / 'broken.db'}")
    assert not is_current(store)
    store.close()


def test_a_database_in_use_is_brought_to_the_newest_tables(tmp_path: Path, clock: MovableClock) -> None:
    """Rows that refer to each other must not stand in the way of a later revision."""
    store = Store(f"sqlite:///{tmp_path / 'old.db'}")
    migrate(store, "0001")
    with store.write() as connection:
        for statement in _OLD_ROWS:
            connection.execute(text(statement), {"now": clock().replace(tzinfo=None)})
    migrate(store)
    assert is_current(store)
    assert _differences(store) == []
    with store.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM claim JOIN intent ON intent.id = intent_id")).scalar() == 1
        assert not connection.execute(text("PRAGMA foreign_key_check")).all()
    store.close()


_OLD_ROWS = (
    "INSERT INTO person (id, email, email_key, name, role, password_hash, created_at) "
    "VALUES (1, 'a@b.c', 'a@b.c', 'A', 'staff', '-', :now)",
    "INSERT INTO intent (id, request_key, person_id, rc, challan_ids, hours, state, state_since, sends, prepared_at, "
    "negatives, looks) VALUES ('i', 'k', 1, 'MH12AB1001', '[]', 48, 'CREATED', :now, 1, :now, 0, 0)",
    "INSERT INTO claim (challan_id, intent_id, claimed_at) VALUES ('c', 'i', :now)",
)


def test_a_link_that_never_ends_ranks_as_the_code_asks_for_it_after_a_migration(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'old.db'}")
    migrate(store, "0012")
    with store.write() as connection:
        connection.execute(text(_ENDLESS))
    migrate(store)
    with store.read() as connection:
        found = connection.execute(select(link.c.id).where(link.c.ends_rank == NEVER)).scalars().all()
    assert found == ["endless"]
    store.close()


_ENDLESS = (
    "INSERT INTO link (id, status, status_since, modes, detailed, origin, first_seen_at, version) VALUES "
    "('endless', 'ACTIVE', '2026-11-21 09:00:00.000000', '[]', 0, 'observed', '2026-11-21 09:00:00.000000', 1)"
)


def test_processes_that_start_together_migrate_once(tmp_path: Path) -> None:
    stores = [Store(f"sqlite:///{tmp_path / 'shared.db'}") for _ in range(6)]
    with ThreadPoolExecutor(len(stores)) as pool:
        list(pool.map(migrate, stores))
    assert all(is_current(store) for store in stores)
    for store in stores:
        store.close()


def test_postgresql_gets_the_same_tables(postgres_url: str, clock: MovableClock) -> None:
    stores = [Store(postgres_url) for _ in range(3)]
    with ThreadPoolExecutor(len(stores)) as pool:
        list(pool.map(migrate, stores))
    store = stores[0]
    assert is_current(store)
    assert _differences(store) == []
    assert set(all_tables().tables) <= set(inspect(store.engine).get_table_names())
    _walk_through_the_tables_of_people(store, clock)
    for each in stores:
        each.close()


def test_sqlite_answers_the_same_queries(store: Store, clock: MovableClock) -> None:
    _walk_through_the_tables_of_people(store, clock)


def _walk_through_the_tables_of_people(store: Store, clock: MovableClock) -> None:
    now = clock()
    with store.write() as connection:
        values = {"name": "Asha", "role": "staff", "password_hash": "-", "created_at": now}
        asha = people.add(connection, email="Asha@Example.com", **values)
        assert asha is not None
        assert people.add(connection, email="asha@example.COM", **values) is None
        assert people.find_by_email(connection, " ASHA@example.com") == asha
        token = sessions.start(connection, asha.id, now, address="127.0.0.1", user_agent="x" * 500)
        row = sessions.find(connection, token)
        assert row is not None
        assert (row.created_at, row.ended_at) == (now, None)
        sessions.end_all_of(connection, asha.id, now, "test")
        assert sessions.open_of(connection, asha.id) == []
        account, address = sign_in_throttle.of_account("asha"), sign_in_throttle.of_address("127.0.0.1")
        assert [sign_in_throttle.begin(connection, (account, address), now).total_seconds() for _ in range(6)] == [
            0
        ] * 5 + [1]
        sign_in_throttle.forgive(connection, account, address)
        key = saved_forms.keep(
            connection, now, person_id=asha.id, path="/x", endpoint="x", view_args={"rc": "A"}, fields=[("a", "1")]
        )
        assert saved_forms.take(connection, key, asha.id + 1, now) is None
        assert saved_forms.take(connection, key, asha.id, now) is None, "taken once is taken"
        audit.record(connection, "tested", now, person_id=asha.id, detail={"n": 1})
        assert [(entry.action, entry.name) for entry in audit.newest(connection)] == [("tested", "Asha")]
