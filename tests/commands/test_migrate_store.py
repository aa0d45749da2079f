"""Test the move of a SQLite store to PostgreSQL: whole, equal, resumed, and refused where it must be."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest
from flask import Flask
from sqlalchemy import func, insert, make_url, text
from sqlalchemy.exc import SQLAlchemyError

from dashboard.app import create_app, create_client
from dashboard.domain.fleet import FleetVehicle, JobState
from dashboard.migrate_store import MoveRefused, move
from dashboard.services.container import Services
from dashboard.settings import Settings
from dashboard.store.engine import Store
from dashboard.store.fleet import jobs, runs
from dashboard.store.migrate import UnknownRevision, is_current, may_serve, migrate, newest_revision
from dashboard.store.sharing.drivers import driver
from tests.commands.moved_stores import Mover, everything, mark, rows
from tests.conftest import ServedReplica
from tests.support.clock import MovableClock
from tests.support.documents import DOCS, section
from tests.support.full_tables import fill

#: In each table.
_ROWS = 40


@pytest.fixture
def mover(store: Store, target: Store, tmp_path: Path) -> Mover:
    return Mover(store, target, tmp_path)


# What is moved


def test_a_row_of_every_table_is_the_same_afterwards(store: Store, target: Store, mover: Mover) -> None:
    expected = fill(store, _ROWS)
    before = everything(store)
    said = mover.move()
    assert rows(target) == expected
    assert everything(target) == before
    for name, count in expected.items():
        assert re.search(rf"^  {name}: {count} rows equal, sha256 [0-9a-f]{{16}}$", said, re.M), name
    assert f"{sum(expected.values()):,} rows in {len(expected)} tables are equal on both sides" in said
    assert is_current(target)


def test_an_empty_json_value_stays_apart_from_the_word_null(store: Store, target: Store, mover: Mover) -> None:
    fill(store, _ROWS)
    asked = [f"SELECT count(*) FROM link WHERE {one}" for one in ("amount IS NULL", "CAST(amount AS TEXT) = 'null'")]
    with store.read() as connection:
        before = [connection.exec_driver_sql(each).scalar() for each in asked]
    mover.move()
    with target.read() as connection:
        assert [connection.exec_driver_sql(each).scalar() for each in asked] == before
    assert all(before)


def test_new_rows_get_numbers_after_those_that_were_moved(store: Store, target: Store, mover: Mover) -> None:
    fill(store, _ROWS)
    mover.move()
    with target.write() as connection:
        connection.execute(text("INSERT INTO audit (at, action, detail) VALUES (now(), 'tested', '{}')"))
        assert connection.execute(text("SELECT max(id) FROM audit")).scalar() == _ROWS + 1
        added = {"name": "Ramesh", "language": "hi", "added_at": func.now(), "added_by": 1}
        assert connection.execute(insert(driver).values(**added).returning(driver.c.id)).scalar() == _ROWS + 1


def test_the_audit_log_stays_append_only_and_a_role_keeps_its_grants(store: Store, target: Store, mover: Mover) -> None:
    fill(store, _ROWS)
    migrate(target)
    grants = re.search(r"```sql\n(.*?)```", section(DOCS / "operating.md", "The audit log"), re.S)
    assert grants
    with target.write() as connection:
        connection.exec_driver_sql("DROP ROLE IF EXISTS grants_of_a_move")
        connection.exec_driver_sql("CREATE ROLE grants_of_a_move LOGIN")
        connection.exec_driver_sql(grants[1].replace("TO dashboard", "TO grants_of_a_move"))
    mover.move()
    role = Store(make_url(target.url).set(username="grants_of_a_move"))
    try:
        migrate(role)
        role.try_write(1)
        for change in ("UPDATE audit SET action = 'x'", "DELETE FROM audit", "TRUNCATE audit"):
            for each in (role, target):
                with pytest.raises(SQLAlchemyError), each.write() as connection:
                    connection.exec_driver_sql(change)
        with role.read() as connection:
            assert connection.exec_driver_sql("SELECT count(*) FROM audit").scalar() == _ROWS
    finally:
        role.close()
        with target.write() as connection:
            connection.exec_driver_sql("DROP OWNED BY grants_of_a_move")
            connection.exec_driver_sql("DROP ROLE grants_of_a_move")


def test_it_says_what_stays_in_the_data_folder(mover: Mover, tmp_path: Path) -> None:
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "one.json").write_text("{}")
    (tmp_path / "jobs.db").touch()
    said = mover.move()
    assert f"1 created links wait in {tmp_path / 'spool'}" in said
    assert f"{tmp_path / 'jobs.db'} is left behind" in said


def test_a_run_of_the_fleet_that_was_under_way_goes_on(
    app: Flask, settings: Settings, target: Store, mover: Mover, replica: ServedReplica, clock: MovableClock
) -> None:
    """The record of its lanes stays behind, and one vehicle was just claimed by a lane of before."""
    plates = [f"MH14AA100{number}" for number in range(3)]
    for plate in plates:
        replica.levers.add_vehicle(plate, [{"challanNo": plate}])
    before: Services = app.extensions["services"]
    run_id = before.fleet_searches.start("All", [FleetVehicle(plate) for plate in plates], None)
    with before.store.write() as connection:
        [job] = jobs.to_start(connection)
        jobs.record_started(connection, job)
    assert before.fleet_searches.search_next(run_id, job.generation, "lane-1")
    with before.store.write() as connection:
        assert runs.claim_next(connection, run_id, "lane-1", before.clock())
    mover.move()

    with create_client(settings) as client:
        after = create_app(settings, store=target, client=client, clock=clock).extensions["services"]
        clock.advance(minutes=11)
        after.fleet_jobs.revive()
        with target.read() as connection:
            [revived] = jobs.to_start(connection)
        assert (revived.id, revived.generation) == (run_id, job.generation + 1)
        while after.fleet_searches.search_next(run_id, revived.generation, "lane-2"):
            pass
    with target.read() as connection:
        ended = jobs.find(connection, run_id)
        assert runs.counts(connection, [run_id])[run_id].ended == len(plates)
    assert ended is not None
    assert ended.state is JobState.DONE
    assert replica.levers.count("search") == len(plates), "none is searched twice"


# Afterwards, and in between


def test_no_dashboard_starts_on_the_source_any_more(store: Store, mover: Mover) -> None:
    mover.move()
    with pytest.raises(UnknownRevision, match="were moved to PostgreSQL"):
        migrate(store)
    assert not may_serve(store)
    store.close()
    assert mover.refused() == "This store was moved before. Nothing was done."


def test_no_dashboard_starts_on_either_database_in_the_middle(store: Store, target: Store, mover: Mover) -> None:
    migrate(target)
    mark(store, mark(target, f"moving {newest_revision()} 1"))
    for each in (store, target):
        with pytest.raises(UnknownRevision, match="has not ended: run `dashboard migrate-store` again"):
            migrate(each)
        assert not may_serve(each)


@pytest.mark.parametrize(
    ("of_source", "of_target", "copied"),
    [("moving", "", False), ("moving", "moving", False), ("moving", "moving", True), ("moved", "moving", True)],
)
def test_a_move_goes_on_from_between_any_two_of_its_marks(
    store: Store, target: Store, mover: Mover, of_source: str, of_target: str, copied: bool
) -> None:
    expected = fill(store, _ROWS)
    newest = newest_revision()
    migrate(target)
    if copied:
        mover.move()
    mark(store, f"{of_source} {newest} 0a1b2c")
    mark(target, f"{of_target} {newest} 0a1b2c" if of_target else newest)
    mover.move()
    assert rows(target) == expected
    assert (mark(store), mark(target)) == (f"moved {newest} 0a1b2c", newest)


def test_a_move_goes_on_after_the_server_has_ended_its_session(
    store: Store, target: Store, mover: Mover, postgres_url: str
) -> None:
    expected = fill(store, _ROWS)
    cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> %s"

    class Cutting(list[str]):
        def append(self, said: str) -> None:
            super().append(said)
            if said.startswith("  link: 14"):
                with target.engine.connect() as connection:
                    own = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
                    connection.exec_driver_sql(cut, (own,))
                target.close()

    mover.said = Cutting()
    assert mover.refused().startswith("The target cannot be used (")
    assert rows(target)["link"] == 14
    mover.said = []
    assert "Going on with a move that was interrupted." in mover.move()
    assert rows(target) == expected


def test_a_move_that_is_given_up_leaves_the_source_as_it_was(store: Store, target: Store, mover: Mover) -> None:
    fill(store, 1)
    migrate(target)
    mark(store, f"moving {newest_revision()} 0a1b2c")
    mark(target, f"moving {newest_revision()} 0a1b2c")
    mover.cancel()
    assert is_current(store)
    with pytest.raises(MoveRefused, match="No move of this store is under way"):
        mover.cancel()
    assert "holds a part of another move" in mover.refused()
    assert is_current(store)


# Refusals


def test_a_target_with_a_row_is_refused_and_stays_as_it_is(store: Store, target: Store, mover: Mover) -> None:
    migrate(target)
    with target.write() as connection:
        connection.exec_driver_sql("INSERT INTO organization VALUES ('x', 'Another', now())")
    before = everything(target)
    assert mover.refused() == "The target is not empty: organization has 1 rows. Name an empty database."
    assert everything(target) == before
    assert is_current(store)


def test_a_row_that_is_changed_on_the_way_is_found_and_named(store: Store, target: Store, mover: Mover) -> None:
    fill(store, _ROWS)
    mover.move()
    newest = newest_revision()
    mark(store, f"moving {newest} 1")
    mark(target, f"moving {newest} 1")
    with target.write() as connection:
        connection.exec_driver_sql("UPDATE share SET channel = 'y' WHERE id = 7")
    assert "The two databases differ at share, id=7." in mover.refused()
    assert mark(target).startswith("moving"), "nobody serves it"


def test_another_move_into_the_same_target_is_refused(
    store: Store, target: Store, mover: Mover, tmp_path: Path
) -> None:
    newest = newest_revision()
    migrate(target)
    mark(target, f"moving {newest} another")
    assert "holds a part of another move" in mover.refused()
    assert is_current(store)


@pytest.mark.parametrize("side", ["source", "target"])
def test_sides_of_different_revisions_are_refused(store: Store, target: Store, mover: Mover, side: str) -> None:
    migrate(target)
    older = f"r{int(newest_revision()[1:]) - 1}"
    migrate_down = store if side == "source" else target
    mark(migrate_down, older)
    refusal = mover.refused()
    assert refusal.startswith(f"The {side} stands at revision {older}, and this version needs {newest_revision()}.")
    assert "dashboard migrate" in refusal
    assert mark(store) == (older if side == "source" else newest_revision())


@pytest.mark.parametrize("side", ["source", "target"])
def test_a_database_that_somebody_has_open_is_refused(
    store: Store, target: Store, mover: Mover, side: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.migrate_store._PATIENCE", 0.3)
    migrate(target)
    other = Store(store.url if side == "source" else target.url)
    with other.read():
        pass
    assert "in use" in mover.refused()
    other.close()
    assert is_current(store)
    mover.move()


def test_a_target_on_sqlite_and_a_source_that_is_none_are_refused(store: Store, target: Store, tmp_path: Path) -> None:
    postgres, sqlite = target.url.render_as_string(hide_password=False), str(store.url)
    store.close()
    for source, to, words in (
        (sqlite, sqlite, "The target must be PostgreSQL"),
        (postgres, postgres, "The source must be a SQLite database"),
        (f"sqlite:///{tmp_path}/none.db", postgres, "There is no database at"),
    ):
        with pytest.raises(MoveRefused, match=words):
            move(source, to, tmp_path, lambda _: None, 10)


_SPOILT = {
    "UPDATE link SET failure = 'a' || char(0) || 'b'": "failure holds a NUL character",
    "UPDATE link SET failure = CAST(x'c328' AS TEXT)": "failure holds bytes that are no text",
    "UPDATE link SET failure = printf('%.60c', 'x')": "failure is longer than 40 characters",
    'UPDATE link SET amount = \'{"a": "\\u0000"}\'': "amount holds a NUL character",
    "UPDATE link SET amount = '[NaN]'": "amount is no JSON",
    "UPDATE link SET amount = '[\"\\ud800\"]'": "amount holds bytes that are no text",
    "UPDATE link SET hours = 99999999999": "hours is no number that fits",
    "UPDATE link SET hours = 'two days'": "hours is no number that fits",
    "UPDATE link SET detailed = 7": "detailed is neither true nor false",
    "UPDATE link SET checked_at = 'yesterday'": "checked_at is no moment",
}


@pytest.mark.parametrize("change", _SPOILT)
def test_what_postgresql_would_refuse_is_told_by_table_and_row_before_anything_is_moved(
    store: Store, target: Store, mover: Mover, change: str
) -> None:
    fill(store, 3)
    with store.write() as connection:
        [_, second, _] = connection.exec_driver_sql("SELECT id FROM link ORDER BY id").scalars().all()
        connection.exec_driver_sql(f"{change} WHERE id = ?", (second,))
    assert f"\n  link, id={second}: {_SPOILT[change]}" in mover.refused()
    assert not any(rows(target).values())
    assert is_current(store)


def test_a_reference_to_a_missing_row_is_told_as_well(store: Store, mover: Mover) -> None:
    fill(store, 3)
    store.close()
    with sqlite3.connect(str(store.url.database)) as raw:
        raw.execute("DELETE FROM driver WHERE id = 2")
    raw.close()
    assert "share, rowid=2: refers to a row of driver that is missing" in mover.refused()
