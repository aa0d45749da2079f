"""Test that personal data is deleted at the age that the settings state, a batch at a time, and not before."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import func, select

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.fleet_input import Line
from dashboard.services.accounts import audit as entering
from dashboard.services.accounts.audit import COMMAND_LINE
from dashboard.services.operations import retention
from dashboard.store.accounts import audit, invitations, saved_forms, sessions
from dashboard.store.fleet import drafts
from dashboard.store.operations import clock_checks
from dashboard.store.operations.clock_checks import ClockCheck
from dashboard.store.sharing import drivers

DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


@pytest.fixture
def keep(services):
    return services.schedule


def count(services, table):
    with services.store.read() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def at_age(services, clock, age, *tables):
    """Return how many rows tables hold right before they reach an age, and then."""
    clock.advance(seconds=(age - SECOND).total_seconds())
    services.retention.delete_old()
    before = [count(services, table) for table in tables]
    clock.advance(seconds=2)
    services.retention.delete_old()
    return before, [count(services, table) for table in tables]


@pytest.mark.databases
def test_sessions_and_invitations_are_deleted_after_their_time_but_for_the_newest_session(services, clock, clerk, keep):
    with services.store.write() as connection:
        for _ in range(3):
            sessions.start(connection, clerk.person_id, clock(), address="192.0.2.1", user_agent="-")
        invitations.start(connection, clerk.person_id, clock() - invitations.VALID_FOR)
    assert at_age(services, clock, keep.keep_sessions, sessions.session, invitations.invitation) == ([3, 1], [1, 0])


def test_forms_that_nobody_came_back_for_are_deleted(services, clock):
    with services.store.write() as connection:
        saved_forms.save(connection, clock(), person_id=None, endpoint="home.home", view_args={}, fields=[])
    assert at_age(services, clock, saved_forms.EXPIRES_AFTER, saved_forms.saved_form) == ([1], [0])


def test_drafts_of_searches_that_were_not_started_are_deleted(services, clock, clerk):
    services.fleet_drafts.add(clerk.person_id, "Pune", [Line(1, {"phone": "98765 43210"})])
    assert at_age(services, clock, drafts.EXPIRES_AFTER, drafts.fleet_draft) == ([1], [0])


@pytest.mark.databases
def test_old_entries_of_the_audit_log_are_deleted_in_batches_and_that_is_recorded(services, clock, keep, monkeypatch):
    monkeypatch.setattr(retention, "MOST_ROWS", 2)
    with services.store.write() as connection:
        for number in range(3):
            entering.record(connection, "copy", clock(), COMMAND_LINE, subject=str(number))
    assert at_age(services, clock, keep.keep_audit, audit.audit) == ([3], [2])
    services.retention.delete_old()
    services.retention.delete_old()
    with services.store.read() as connection:
        entries = audit.newest(connection)
    assert [(entry.action, entry.detail["entries"]) for entry in entries] == [
        ("old entries deleted", 1),
        ("old entries deleted", 2),
    ]


def test_drivers_are_forgotten_some_time_after_they_left(services, clock, clerk, keep):
    def names():
        with services.store.read() as connection:
            return set(connection.execute(select(drivers.driver.c.name)).scalars())

    with services.store.write() as connection:
        left, stays = (
            drivers.add(connection, DriverDetails(name, None, None, "en", None), at=clock(), by=clerk.person_id)
            for name in ("Left", "Stays")
        )
    services.drivers.leave(left)
    clock.advance(seconds=(keep.keep_left_drivers - SECOND).total_seconds())
    services.retention.delete_old()
    assert names() == {"Left", "Stays"}
    clock.advance(seconds=2)
    services.retention.delete_old()
    assert names() == {f"Forgotten driver {left}", "Stays"}
    assert stays != left


def test_nothing_is_deleted_while_the_clocks_differ(services, clock):
    with services.store.write() as connection:
        saved_forms.save(connection, clock(), person_id=None, endpoint="home.home", view_args={}, fields=[])
    clock.advance(seconds=(10 * DAY).total_seconds())
    with services.store.write() as connection:
        clock_checks.save(connection, ClockCheck("here", clock(), service_ahead=-10 * DAY.total_seconds()))
    services.retention.delete_old()
    assert count(services, saved_forms.saved_form) == 1
