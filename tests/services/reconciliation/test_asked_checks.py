"""Test that without the setting only a person has paid links verified at the source."""

from __future__ import annotations

import pytest
from sqlalchemy import insert, select

from dashboard.services.container import Services
from dashboard.services.creation.unrecorded_links import UnrecordedLinks
from dashboard.services.reconciliation.settlement_tracker import MOST_ASKED
from dashboard.services.schedule import Schedule
from dashboard.store.links.tables import link
from dashboard.store.reconciliation import settlements
from tests.services.reconciliation.payments import SETTLED, WAITING
from tests.support.ledger_fixtures import RC


@pytest.fixture
def services(services, tmp_path):
    client = services.vehicle_search.client
    return Services(services.store, client, services.clock, Schedule(), UnrecordedLinks(tmp_path / "spool"))


def counts(payments):
    """Count the paid links that nobody verified, and those that are being verified."""
    with payments.services.store.read() as connection:
        return settlements.count_unverified(connection)


def test_nobody_searches_after_a_payment_unless_asked(payments):
    link_id = payments.paid()
    payments.later(days=8)
    assert payments.searches(payments.round) == 0
    assert payments.row(link_id).state is WAITING
    assert counts(payments) == (1, 0)


def test_what_a_person_asks_for_is_searched_once(payments):
    link_id = payments.paid()
    payments.source_learns(link_id)
    assert payments.services.settlement_tracker.ask_for_all() == 1
    assert counts(payments) == (0, 1)
    assert payments.searches(payments.round) == 1
    assert payments.row(link_id).state is SETTLED
    assert counts(payments) == (0, 0)
    assert payments.services.settlement_tracker.ask_for_all() == 0


def test_a_payment_that_the_source_does_not_show_is_pending_and_no_longer_unverified(payments):
    link_id = payments.paid()
    payments.services.settlement_tracker.ask_for_all()
    payments.round()
    assert payments.discrepancy(link_id) is not None
    assert counts(payments) == (0, 0)
    payments.later(days=3)
    assert payments.searches(payments.round) == 0
    assert payments.services.settlement_tracker.ask_for_all() == 0
    assert payments.services.settlement_tracker.ask_for_all(pending=True) == 1


def test_a_check_that_was_asked_for_and_failed_is_made_again(payments, levers):
    payments.paid()
    payments.services.settlement_tracker.ask_for_all()
    levers.fault("search", "status", status=500)
    payments.round()
    assert counts(payments) == (0, 1)
    payments.later(hours=2)
    assert payments.searches(payments.round) == 1
    assert counts(payments) == (0, 0)


def test_one_click_asks_for_a_bounded_number_of_vehicles(payments):
    link_id = payments.paid()
    with payments.services.store.write() as connection:
        for number in range(MOST_ASKED + 5):
            copied = f"{number:08d}-0000-4000-8000-000000000000"
            _copy_of(connection, link_id, copied, f"{RC}{number}")
    assert payments.services.settlement_tracker.ask_for_all() == MOST_ASKED
    assert counts(payments) == (6, MOST_ASKED)


def _copy_of(connection, link_id, copied, rc):
    """Store a paid link of another vehicle, with a plan like that of `link_id`."""
    row = connection.execute(select(link).where(link.c.id == link_id)).one()._asdict()
    connection.execute(insert(link).values(**row | {"id": copied, "rc": rc}))
    plan = settlements.find_plan(connection, link_id)
    moments = {"since": plan.since, "due_at": plan.due_at, "at": plan.entered_at}
    settlements.add_plan(connection, copied, rc=rc, state=WAITING, **moments)
