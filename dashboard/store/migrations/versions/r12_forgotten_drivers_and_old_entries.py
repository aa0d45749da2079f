"""Drivers can be forgotten, and old entries of the audit log deleted; the database refuses every other change of it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r12"
down_revision = "r11"
branch_labels = None
depends_on = None

_WORDS = "the audit log is append-only"
_SAME = ("id", "at", "person_id", "address", "request_id", "action")
_MAY_CHANGE = "EXISTS (SELECT 1 FROM audit_permit WHERE deletes_before IS NULL)"
_MAY_DELETE = "EXISTS (SELECT 1 FROM audit_permit WHERE OLD.at < deletes_before)"


def upgrade() -> None:
    op.create_table(
        "audit_permit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("deletes_before", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_permit")),
    )
    op.add_column("driver", sa.Column("forgotten_at", Moment(), nullable=True))
    if op.get_bind().dialect.name == "sqlite":
        _drop_sqlite()
        differs = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in _SAME)
        _refuse_sqlite("UPDATE", f"WHEN NOT {_MAY_CHANGE} OR {differs}")
        _refuse_sqlite("DELETE", f"WHEN NOT {_MAY_DELETE}")
        return
    differs = " OR ".join(f"OLD.{name} IS DISTINCT FROM NEW.{name}" for name in _SAME)
    op.execute(
        "CREATE FUNCTION refuse_change_of_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"IF TG_OP = 'DELETE' THEN IF {_MAY_DELETE} THEN RETURN OLD; END IF; "
        f"ELSIF {_MAY_CHANGE} AND NOT ({differs}) THEN RETURN NEW; END IF; "
        f"RAISE EXCEPTION '{_WORDS}'; END $$"
    )
    op.execute("DROP TRIGGER audit_append_only ON audit")
    op.execute(
        "CREATE TRIGGER audit_append_only BEFORE TRUNCATE ON audit "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit()"
    )
    op.execute(
        "CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE ON audit "
        "FOR EACH ROW EXECUTE FUNCTION refuse_change_of_entry()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        _drop_sqlite()
        for change in ("UPDATE", "DELETE"):
            _refuse_sqlite(change, "")
    else:
        op.execute("DROP TRIGGER audit_entry_append_only ON audit")
        op.execute("DROP FUNCTION refuse_change_of_entry()")
        op.execute("DROP TRIGGER audit_append_only ON audit")
        op.execute(
            "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
            "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit()"
        )
    op.drop_column("driver", "forgotten_at")
    op.drop_table("audit_permit")


def _drop_sqlite() -> None:
    for change in ("update", "delete"):
        op.execute(f"DROP TRIGGER audit_no_{change}")


def _refuse_sqlite(change: str, when: str) -> None:
    op.execute(
        f"CREATE TRIGGER audit_no_{change.lower()} BEFORE {change} ON audit {when} "
        f"BEGIN SELECT RAISE(ABORT, '{_WORDS}'); END"
    )
