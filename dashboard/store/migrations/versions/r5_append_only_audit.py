"""The database itself keeps the audit log append-only."""

from __future__ import annotations

from alembic import op

revision = "r5"
down_revision = "r4"
branch_labels = None
depends_on = None

_WORDS = "the audit log is append-only"


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER audit_no_{change.lower()} BEFORE {change} ON audit "
                f"BEGIN SELECT RAISE(ABORT, '{_WORDS}'); END"
            )
        return
    op.execute(
        "CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{_WORDS}'; END $$"
    )
    op.execute(
        "CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit "
        "FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for change in ("update", "delete"):
            op.execute(f"DROP TRIGGER audit_no_{change}")
        return
    op.execute("DROP TRIGGER audit_append_only ON audit")
    op.execute("DROP FUNCTION refuse_change_of_audit()")
