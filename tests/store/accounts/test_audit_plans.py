"""Test on both databases that no filter of the audit log reads the whole log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import event, insert

from dashboard.domain.roles import Role
from dashboard.store.accounts import people
from dashboard.store.accounts.audit import MAX_SUBJECT, audit, record
from dashboard.store.accounts.audit_pages import AuditFilter, page
from dashboard.store.engine import Store

START = datetime(2026, 1, 1, tzinfo=UTC)
ENTRIES = 20_000
#: What the filters narrow to: 40 entries near the beginning of the log.
RARE = range(500, 540)


@pytest.fixture
def long_log(ledger: Store) -> Store:
    with ledger.write() as connection:
        values = {"name": "A", "role": Role.STAFF, "password_hash": "", "created_at": START}
        often, seldom = (people.add(connection, email=email, **values) for email in ("a@b.in", "c@d.in"))  # type: ignore[arg-type]  # The values have several types.
        assert often is not None
        assert seldom is not None
        rows = [
            {
                "at": START + timedelta(minutes=number),
                "person_id": (seldom if number in RARE else often).id,
                "action": "note" if number in RARE else "search",
                "subject": "MH12AB1001" if number in RARE else f"KA05MN{number % 900:04}",
                "detail": {},
            }
            for number in range(ENTRIES)
        ]
        connection.execute(insert(audit), rows)
        connection.exec_driver_sql("ANALYZE audit" if not ledger.is_sqlite else "ANALYZE")
    return ledger


@pytest.mark.parametrize(
    "narrowed",
    [
        AuditFilter(subject="MH12AB1001"),
        AuditFilter(subject="MH12AB1001", action="note"),
        AuditFilter(action="note"),
        AuditFilter(person_id=2),
        AuditFilter(since=START + timedelta(minutes=RARE.start), until=START + timedelta(minutes=RARE.stop)),
    ],
    ids=["object", "object and action", "action", "person", "days"],
)
def test_a_filter_of_the_audit_log_goes_by_an_index(long_log: Store, narrowed: AuditFilter) -> None:
    sent: list[tuple[str, object]] = []

    def note(_connection: object, _cursor: object, statement: str, parameters: object, *_: object) -> None:
        sent.append((statement, parameters))

    event.listen(long_log.engine, "before_cursor_execute", note)
    with long_log.read() as connection:
        found = page(connection, narrowed, 51)
    event.remove(long_log.engine, "before_cursor_execute", note)
    assert len(found) == len(RARE)
    statement, values = sent[-1]
    words = "EXPLAIN QUERY PLAN " if long_log.is_sqlite else "EXPLAIN ANALYZE "
    with long_log.read() as connection:
        plan = [str(row[-1]).strip() for row in connection.exec_driver_sql(words + statement, values)]  # type: ignore[arg-type]  # The drivers take both kinds.
    assert any("ix_audit_" in line for line in plan), plan
    assert not any(line.startswith("SCAN audit") or "Seq Scan on audit" in line for line in plan), plan


def test_the_name_of_an_object_is_never_too_long_for_the_index(ledger: Store) -> None:
    with ledger.write() as connection:
        record(connection, "note", START, subject="\U0001f69a" * 9000)
        [entry] = page(connection, AuditFilter(), 1)
    assert entry.subject == "\U0001f69a" * MAX_SUBJECT
