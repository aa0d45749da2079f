"""Test that migrations build the declared tables, and that several processes may migrate at once."""

from __future__ import annotations

import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, func, inspect, select, text

from dashboard.store.accounts import audit, people, saved_forms, sessions, sign_in_throttle
from dashboard.store.creation.intents import claim
from dashboard.store.engine import Store
from dashboard.store.links.tables import link
from dashboard.store.migrate import UnknownRevision, all_tables, is_current, migrate
from dashboard.store.migrations import adopt_0014
from dashboard.store.operations import call_blocks
from dashboard.store.operations.call_blocks import CallBlock
from dashboard.store.vehicles.search_attempts import search_attempt
from tests.support.clock import MovableClock

DATA = Path(__file__).parent / "data"


#: Tables of later revisions, which version 0.1.0 had nothing for.
_LATER_TABLES = {"creation_check", "person_refresh", "clock_check", "restoration", "invitation", "audit_permit"}
_LATER_TABLES |= {"call_outcome", "fleet_job", "fleet_vehicle", "fleet_plan", "fleet_link", "fleet_worker"}
_LATER_TABLES |= {"allowance_reset", "people_call"}
_LATER_TABLES |= {"assumption_check", "asked_try"}
_LATER_TABLES |= {"fleet_list", "fleet_draft", "fleet_schedule", "fleet_plan_driver"}
_LATER_TABLES |= {"second_factor", "second_factor_role", "second_step", "recovery_code"}


def _differences(store: Store) -> list[object]:
    with store.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return list(compare_metadata(context, all_tables()))


def _definitions(store: Store) -> dict[str, list[str]]:
    """Return SQLite's own definition of each table and index, split into sorted parts."""
    query = text(
        "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL AND type <> 'trigger' AND name <> 'alembic_version'"
    )
    with store.read() as connection:
        rows = connection.execute(query).all()
    parts = {row.name: re.sub(r"\s+", " ", row.sql.replace('"', "")) for row in rows}
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


def _load_version_0_1_0(store: Store) -> None:
    """Load the dump of a database that version 0.1.0 left, with rows in every table."""
    if store.is_sqlite:
        connection = sqlite3.connect(str(store.url.database))
        connection.executescript((DATA / "revision_0014.sqlite.sql").read_text())
        connection.close()
        return
    with store.engine.connect() as pooled:
        pooled.exec_driver_sql((DATA / "revision_0014.postgresql.sql").read_text())
        pooled.commit()


def _check_adopted(store: Store) -> None:
    assert is_current(store)
    assert _differences(store) == []
    with store.read() as connection:
        counts = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar()
            for table in all_tables().sorted_tables
        }
        link_ids = {row.link_id for row in connection.execute(select(claim.c.link_id))}
        paid = connection.execute(select(link).where(link.c.status == "PAID")).one()
        person = people.find_by_email(connection, "asha@example.com")
        blocks = call_blocks.read_all(connection)
    refused_at = datetime(2026, 11, 21, 9, 1, tzinfo=UTC)
    expected = {"person": 3, "link": 3, "intent": 3, "claim": 5, "link_event": 7, "intent_event": 10, "challan": 10}
    assert expected.items() <= counts.items()
    assert {name for name, count in counts.items() if not count} <= adopt_0014.NOT_COPIED | _LATER_TABLES
    assert len(link_ids - {None}) == 3, "each claim still names its link"
    assert paid.paid_at is not None
    assert person is not None
    assert blocks == {"scope-1": CallBlock("scope-1", 1, refused_at, refused_at, refused_at, None, "fingerprint-1")}
    with store.write() as connection:
        audit.record(connection, "tested", paid.paid_at, person_id=person.id, detail={})
        assert connection.execute(select(search_attempt.c.failure)).scalar() == "AllowanceReserved"


def test_a_database_of_version_0_1_0_keeps_its_rows(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'old.db'}")
    _load_version_0_1_0(store)
    assert not is_current(store)
    migrate(store)
    _check_adopted(store)
    fresh = Store(f"sqlite:///{tmp_path / 'fresh.db'}")
    migrate(fresh)
    assert _definitions(store) == _definitions(fresh), "its tables are those of a fresh database"
    with store.read() as connection:
        assert connection.execute(text("PRAGMA foreign_keys")).scalar() == 1
        assert not connection.execute(text("PRAGMA foreign_key_check")).all()
    for each in (store, fresh):
        each.close()


def test_a_postgresql_database_of_version_0_1_0_keeps_its_rows(postgres_url: str) -> None:
    store = Store(postgres_url)
    _load_version_0_1_0(store)
    assert not is_current(store)
    migrate(store)
    _check_adopted(store)
    assert inspect(store.engine).get_schema_names() == ["information_schema", "public"]
    store.close()


def test_an_interrupted_adoption_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'old.db'}")

    def fail(_connection: Connection) -> None:
        raise RuntimeError("interrupted")

    _load_version_0_1_0(store)
    before = _definitions(store)
    with pytest.raises(RuntimeError):
        adopt_0014.adopt(store, fail)
    assert _definitions(store) == before
    migrate(store)
    assert is_current(store)
    store.close()


def test_a_database_of_another_version_is_refused_with_a_sentence(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path / 'old.db'}")
    with store.write() as connection:
        connection.execute(text("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)"))
        connection.execute(text("INSERT INTO alembic_version VALUES ('0007')"))
    with pytest.raises(UnknownRevision, match="0007, which this version does not know"):
        migrate(store)
    store.close()


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
        sessions.end_all(connection, asha.id, now, "test")
        ended = sessions.find(connection, token)
        assert ended is not None
        assert ended.ended_at == now
        account = sign_in_throttle.Limit.of("account", "asha", free=5, longest=30)
        waits = []
        for _ in range(6):
            waits.append(sign_in_throttle.wait(connection, (account,), now)[0].total_seconds())
            sign_in_throttle.count(connection, (account,), now)
        assert waits == [0] * 5 + [1]
        sign_in_throttle.forgive(connection, account)
        key = saved_forms.save(
            connection, now, person_id=asha.id, endpoint="x", view_args={"rc": "A"}, fields=[("a", "1")]
        )
        assert saved_forms.take(connection, key, asha.id + 1, now) is None
        assert saved_forms.take(connection, key, asha.id, now) is not None, "nobody else takes it"
        assert saved_forms.take(connection, key, asha.id, now) is None, "taken once is taken"
        audit.record(connection, "tested", now, person_id=asha.id, detail={"n": 1})
        assert [(entry.action, entry.name) for entry in audit.newest(connection)] == [("tested", "Asha")]
