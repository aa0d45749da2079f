"""Test by query plans of SQLite and PostgreSQL that the watcher's queries stay cheap with 5,000 active links."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, text

from dashboard.store.links.tables import link
from tests.support.ledger_fixtures import RC
from tests.support.query_plans import plan, statements

LINKS, WATCHED, DUE = 5000, 50, 40


@pytest.fixture
def crowded(services, clock):
    """Fill a store with many active links, of which few are watched and few are due."""
    now = clock()
    usual = {"rc": RC, "status": "ACTIVE", "modes": [], "detailed": False, "origin": "observed", "version": 1}
    rows = [
        {
            **usual,
            "id": f"00000000-0000-4000-8000-{number:012}",
            "status_since": now,
            "first_seen_at": now - timedelta(hours=number % 100),
            "next_check_at": now + timedelta(seconds=number - DUE),
            "watched_at": now - timedelta(seconds=1 if number < WATCHED else 40 + number),
            "lease_until": now + timedelta(seconds=9) if number < 4 else None,
        }
        for number in range(LINKS)
    ]
    with services.store.write() as connection:
        connection.execute(insert(link), rows)
    if not services.store.is_sqlite:
        with services.store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.execute(text("ANALYZE"))
    return services


def reads_every_link(text_of_plan):
    """Return whether a plan scans the whole table, or a whole index of it."""
    lines = [line.strip() for line in text_of_plan.splitlines()]
    return any(line.startswith("SCAN link") or "Seq Scan on link" in line for line in lines)


def test_no_query_of_the_watcher_reads_every_link(crowded):
    with statements(crowded.store) as sent:
        assert len(crowded.link_poller.claim_due(16)) == 12
    queries = [(words, values) for words, values in sent if "link" in words and not words.startswith("BEGIN")]
    assert len(queries) >= 5
    for words, values in queries:
        found = plan(crowded.store, words, values)
        assert not reads_every_link(found), f"{words}\n{found}"


def test_a_round_with_nothing_due_is_three_queries(crowded, clock):
    clock.advance(seconds=-LINKS)
    with statements(crowded.store) as sent:
        assert crowded.link_poller.claim_due(16) == []
        assert crowded.outcome_resolver.claim_due(2) == []
        crowded.outcome_resolver.sweep()
    queries = [words for words, _ in sent if not words.startswith("BEGIN")]
    assert len(queries) == 3
    assert all(words.startswith("SELECT") for words in queries)


def test_a_backlog_of_all_links_is_claimed_by_the_index(crowded, clock):
    clock.advance(seconds=2 * LINKS)
    with statements(crowded.store) as sent:
        assert len(crowded.link_poller.claim_due(16)) == 16
    for words, values in sent:
        if "ORDER BY link.next_check_at" in words:
            found = plan(crowded.store, words, values)
            assert "ix_link_next_check_at" in found, found
            assert "Sort" not in found
            assert "TEMP B-TREE" not in found
            return
    raise AssertionError("no query for the links that nobody watches")
