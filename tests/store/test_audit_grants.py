"""Test that a role with the grants of docs/operating.md works with the dashboard, and cannot rewrite the audit log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from dashboard.services.accounts.audit import COMMAND_LINE, record
from dashboard.store.accounts import audit
from dashboard.store.engine import Store
from dashboard.store.migrate import migrate
from tests.support.documents import DOCS, section

NOW = datetime(2026, 11, 22, tzinfo=UTC)


@pytest.fixture
def limited(postgres_url: str) -> Iterator[Store]:
    """Yield the store of a role that has the grants alone; the tables belong to another."""
    owner = Store(postgres_url)
    migrate(owner)
    block = re.search(r"```sql\n(.*?)```", section(DOCS / "operating.md", "The audit log"), re.S)
    assert block
    with owner.write() as connection:
        connection.exec_driver_sql("DROP ROLE IF EXISTS grants_of_docs")
        connection.exec_driver_sql("CREATE ROLE grants_of_docs LOGIN")
        for statement in block[1].replace("TO dashboard", "TO grants_of_docs").split(";"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    store = Store(make_url(postgres_url).set(username="grants_of_docs"))
    yield store
    store.close()
    with owner.write() as connection:
        connection.exec_driver_sql("DROP OWNED BY grants_of_docs")
        connection.exec_driver_sql("DROP ROLE grants_of_docs")
    owner.close()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE audit SET action = 'x'",
        "DELETE FROM audit",
        "TRUNCATE audit",
        "ALTER TABLE audit DISABLE TRIGGER ALL",
        "DROP TRIGGER audit_entry_append_only ON audit",
        "SET session_replication_role = replica",
    ],
)
def test_the_role_appends_and_changes_nothing(limited: Store, change: str) -> None:
    migrate(limited)
    limited.try_write(1)
    with limited.write() as connection:
        record(connection, "signed in", NOW, COMMAND_LINE, subject="asha@example.com")
    with pytest.raises(SQLAlchemyError), limited.write() as connection:
        connection.exec_driver_sql(change)
    with limited.read() as connection:
        assert [entry.action for entry in audit.newest(connection)] == ["signed in"]
