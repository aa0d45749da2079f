"""Test a created link that cannot be recorded, because the database refuses at that moment."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text

from dashboard import failpoints
from dashboard.failpoints import Point
from dashboard.services.container import Services
from dashboard.services.creation.commands import NotRecorded
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.schedule import Schedule
from dashboard.store.engine import Store
from dashboard.upstream import ServiceClient
from tests.conftest import CANARY
from tests.support.clock import MovableClock
from tests.support.ledger_fixtures import RC, add_staff_member
from tests.support.levers import Levers
from tests.support.staff_member import StaffMember

pytestmark = pytest.mark.databases


def refuse(store: Store) -> None:
    with store.write() as connection:
        connection.execute(text("ALTER TABLE link_event RENAME TO link_event_away"))


def heal(store: Store) -> None:
    with store.write() as connection:
        connection.execute(text("ALTER TABLE link_event_away RENAME TO link_event"))


@pytest.fixture
def hasty(ledger: Store, elsewhere: ServiceClient, clock: MovableClock, tmp_path: Path) -> Iterator[StaffMember]:
    """Add Asha to services that wait only briefly for their database."""
    pace = Schedule(record_retries=(timedelta(milliseconds=20),) * 2)
    yield add_staff_member(Services(ledger, elsewhere, clock, pace, UnrecordedLinks(tmp_path / "spool")), "Asha")
    failpoints.disarm()


@pytest.fixture
def spooled(tmp_path: Path) -> Callable[[], list[Path]]:
    return lambda: list((tmp_path / "spool").glob("*"))


def created_unrecorded(hasty: StaffMember) -> NotRecorded:
    hasty.search(RC)
    failpoints.arm(Point.ANSWER_READ, lambda: refuse(hasty.services.store))
    with pytest.raises(NotRecorded) as refused:
        hasty.create(RC, hasty.payable(RC))
    return refused.value


def test_a_created_link_that_the_database_refuses_is_on_disk_by_its_ids_alone(hasty, spooled, levers):
    refused = created_unrecorded(hasty)
    [link] = levers.truth()["links"]
    assert refused.link_id == link["id"]
    [file] = spooled()
    words = file.read_text()
    assert link["id"] in words
    assert refused.intent_id in words
    assert CANARY not in words
    assert "http" not in words


def test_the_record_follows_once_the_database_takes_it(hasty, spooled, levers):
    refused = created_unrecorded(hasty)
    heal(hasty.services.store)
    chosen = hasty.intent(refused.intent_id).challan_ids
    hasty.services.outcome_recorder.record_spooled()
    row = hasty.intent(refused.intent_id)
    assert (row.state, row.link_id, row.attribution) == ("CREATED", refused.link_id, "certain")
    assert hasty.claimed(chosen) == set(chosen)
    assert not spooled()
    hasty.services.link_poller.refresh(row.link_id)
    link = hasty.link(row.link_id)
    assert (link.status, link.origin, link.person_id) == ("ACTIVE", "created", hasty.person_id)
    assert link.payment_url
    assert hasty.create(RC, chosen, key=row.request_key).id == row.id
    assert levers.count("create_link") == 1


def test_a_database_that_recovers_within_the_click_needs_no_watcher(hasty, spooled):
    hasty.search(RC)
    failpoints.arm(Point.ANSWER_READ, lambda: refuse(hasty.services.store))
    failpoints.arm(Point.SPOOLED, lambda: heal(hasty.services.store))
    row = hasty.create(RC, hasty.payable(RC))
    assert row.state == "CREATED"
    assert not spooled()


def test_when_the_disk_refuses_as_well_the_link_is_found_by_resolving(hasty, tmp_path, clock):
    (tmp_path / "spool").write_text("a file where the folder should be")
    refused = created_unrecorded(hasty)
    heal(hasty.services.store)
    (tmp_path / "spool").unlink()
    clock.advance(seconds=60)
    hasty.services.outcome_resolver.sweep()
    assert hasty.resolve(refused.intent_id).state == "RECOVERED"


def test_a_link_recovered_in_the_meantime_is_recorded_once(hasty, spooled, clock):
    refused = created_unrecorded(hasty)
    heal(hasty.services.store)
    clock.advance(seconds=60)
    hasty.services.outcome_resolver.sweep()
    assert hasty.resolve(refused.intent_id).state == "RECOVERED"
    hasty.services.outcome_recorder.record_spooled()
    row = hasty.intent(refused.intent_id)
    assert (row.state, row.link_id, row.attribution) == ("CREATED", refused.link_id, "certain")
    assert hasty.claimed(row.challan_ids) == set(row.challan_ids)
    assert not spooled()


def test_a_link_that_ends_before_it_is_recorded_holds_nothing(hasty, spooled, levers):
    refused = created_unrecorded(hasty)
    heal(hasty.services.store)
    chosen = hasty.intent(refused.intent_id).challan_ids
    hasty.search(RC)
    levers.expire(refused.link_id)
    hasty.services.link_poller.refresh(refused.link_id)
    assert hasty.claimed(chosen) == set(chosen), "nobody knows yet whose link it was"
    hasty.services.outcome_recorder.record_spooled()
    assert hasty.intent(refused.intent_id).state == "CREATED"
    assert hasty.link(refused.link_id).status == "EXPIRED"
    assert not hasty.claimed(chosen)
    assert sorted(hasty.payable(RC)) == chosen


def test_a_record_that_cannot_be_read_stays_and_stops_no_other(hasty, spooled, tmp_path):
    refused = created_unrecorded(hasty)
    heal(hasty.services.store)
    (tmp_path / "spool" / "00-torn.json").write_text('{"intent_id": ')
    hasty.services.outcome_recorder.record_spooled()
    assert hasty.intent(refused.intent_id).state == "CREATED"
    assert [file.name for file in spooled()] == ["00-torn.json"]


def test_a_refusal_that_cannot_be_recorded_is_never_called_not_created(hasty, levers: Levers, clock):
    hasty.search(RC)
    chosen = hasty.payable(RC)
    levers.fault("create_link", "cut", when="after")
    failpoints.arm(Point.SEND_WHOLE, lambda: _refuse_intents(hasty.services.store))
    with pytest.raises(NotRecorded) as refused:
        hasty.create(RC, chosen)
    assert refused.value.link_id is None
    with hasty.services.store.write() as connection:
        connection.execute(text("ALTER TABLE intent_event_away RENAME TO intent_event"))
    assert hasty.intent(refused.value.intent_id).state == "SENDING"
    assert hasty.claimed(chosen) == set(chosen)
    clock.advance(seconds=60)
    assert hasty.resolve(refused.value.intent_id).state == "RECOVERED"


def _refuse_intents(store: Store) -> None:
    with store.write() as connection:
        connection.execute(text("ALTER TABLE intent_event RENAME TO intent_event_away"))


def test_a_spooled_file_that_cannot_be_read_is_logged_once(tmp_path, caplog):
    spool = UnrecordedLinks(tmp_path / "spool")
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "broken.json").write_text("{")
    for _ in range(20):
        assert list(spool.entries()) == []
    assert [record.getMessage() for record in caplog.records].count(
        "the spooled record broken.json cannot be read; it stays on disk"
    ) == 1
    assert spool.count() == 1


def test_an_unfinished_file_that_a_killed_process_left_is_removed(tmp_path):
    spool = UnrecordedLinks(tmp_path / "spool")
    (tmp_path / "spool").mkdir()
    left, written = tmp_path / "spool" / "left.part", tmp_path / "spool" / "written-just-now.part"
    for file in (left, written):
        file.write_text("")
    an_hour_ago = time.time() - 3600
    os.utime(left, (an_hour_ago, an_hour_ago))
    assert list(spool.entries()) == []
    assert [file.name for file in (tmp_path / "spool").iterdir()] == ["written-just-now.part"]
