"""Test that reads of pages begin with what is few, however old the ledger is: SQLite plans by its indexes alone."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from dashboard.domain.link_filters import URGENT
from dashboard.store.engine import Store
from dashboard.store.home import figures, paid_notifications
from dashboard.store.links import listing as link_listing
from dashboard.store.migrate import migrate
from dashboard.store.overview import overview
from dashboard.store.reconciliation import discrepancies
from dashboard.store.sharing import driverless, follow_ups
from dashboard.store.vehicles import known
from tests.support.query_plans import plan, statements

NOW = datetime(2026, 11, 21, 9, tzinfo=UTC)
OF_LINK_AND_KIND = "SEARCH discrepancy USING INDEX sqlite_autoindex_discrepancy_1 (link_id=? AND kind=?)"
LINK = "11111111-1111-4111-8111-111111111111"


@pytest.fixture(scope="module")
def sqlite(tmp_path_factory):
    """Yield an empty SQLite store: PostgreSQL plans by the numbers of rows, of which a test has too few."""
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('plans') / 'ledger.db'}")
    migrate(store)
    yield store
    store.close()


def plans(store, read, beginning=("SELECT", "WITH")):
    """Run a read, and return how the database goes about its statements that begin so."""
    with statements(store) as sent, store.read() as connection:
        read(connection)
    return "\n".join(plan(store, words, values) for words, values in sent if words.startswith(beginning))


QUEUE = {
    "the figures of the first page": lambda connection: figures.figures(connection, NOW, NOW, NOW, NOW),
    "the next reminder": lambda connection: figures.next_reminder(connection, NOW),
    "what waits": lambda connection: follow_ups.waiting(connection, NOW, None, 50),
    "what is reminded of": lambda connection: follow_ups.reminders(connection, NOW, 50),
    "what is snoozed": lambda connection: follow_ups.snoozed(connection, NOW, None, 50),
    "what was sent": lambda connection: follow_ups.sent(connection, NOW, None, 50),
    "the counts of the menu": lambda connection: follow_ups.counts(connection, NOW),
    "the totals": lambda connection: follow_ups.totals(connection, NOW),
    "what is to be checked": lambda connection: follow_ups.to_check_first(connection, 5),
    "links without a driver": lambda connection: driverless.links(connection, NOW),
}


@pytest.mark.parametrize("name", QUEUE)
def test_each_fact_of_the_queue_is_read_once_for_each_link_that_can_be_paid(sqlite, name):
    steps = plans(sqlite, QUEUE[name], "WITH").partition("SCAN facts")[0]
    assert len(re.findall("^MATERIALIZE facts$", steps, re.MULTILINE)) == 1
    assert "SCAN link USING INDEX ix_link_live" in steps
    assert len(re.findall("^SEARCH share ", steps, re.MULTILINE)) == 1
    assert len(re.findall("^SEARCH link_challan USING INDEX ", steps, re.MULTILINE)) == 1
    of_all = len(re.findall("^LIST SUBQUERY", steps, re.MULTILINE))
    assert of_all == 3, "alarms, what was paid beside them, and what money was taken for, are read once for all links"
    assert "SEARCH answer USING INDEX ix_link_event_kind_link_id (kind=?)" in steps, "beginning with the few answers"
    beside_alarms = re.findall("^SEARCH their_link USING .*", steps, re.MULTILINE)
    assert set(beside_alarms) == {"SEARCH their_link USING INDEX sqlite_autoindex_link_1 (id=?)"}
    assert re.findall("^SEARCH discrepancy .*", steps, re.MULTILINE) == [OF_LINK_AND_KIND]


def test_what_is_urgent_is_read_from_what_can_be_paid_and_what_failed_lately(sqlite):
    steps = plans(sqlite, lambda connection: link_listing.page(connection, URGENT, UTC, NOW, place=None, limit=9))
    assert "SCAN link USING INDEX ix_link_live" in steps
    assert "SEARCH link USING INDEX ix_link_status_status_since (status=? AND status_since>?)" in steps
    assert "SCAN link" not in steps.replace("SCAN link USING INDEX ix_link_live", "")


def test_the_facts_of_some_links_are_read_for_these_alone(sqlite):
    steps = plans(sqlite, lambda connection: follow_ups.resting(connection, NOW, [LINK]))
    assert "SEARCH link USING INDEX sqlite_autoindex_link_1 (id=?)" in steps


def test_what_is_doubtful_of_the_links_of_a_page_is_read_in_a_statement_for_each_fact(sqlite):
    ids = [LINK, LINK.replace("1", "2")]
    steps = plans(sqlite, lambda connection: discrepancies.with_open_mismatch(connection, ids))
    assert steps.splitlines() == [OF_LINK_AND_KIND]


@pytest.mark.parametrize("only", known.Only)
def test_challans_of_known_vehicles_are_not_compared_with_every_paid_link(sqlite, only):
    steps = plans(sqlite, lambda connection: known.counts(connection, "", frozenset({only})))
    assert "SEARCH link USING INDEX sqlite_autoindex_link_1 (id=?)" in steps
    assert "ix_link_status" not in steps


def test_one_link_is_read_by_its_id_to_tell_whether_its_payment_was_seen(sqlite):
    steps = plans(sqlite, lambda connection: paid_notifications.is_unseen(connection, 1, LINK))
    assert "SEARCH link USING INDEX sqlite_autoindex_link_1 (id=?)" in steps


def test_drivers_of_payments_are_found_from_the_payments(sqlite):
    steps = plans(sqlite, lambda connection: overview.drivers_of_payments(connection, NOW))
    assert "SEARCH share USING INDEX ix_share_link_id_at (link_id=?)" in steps
    assert "SCAN share" not in steps
