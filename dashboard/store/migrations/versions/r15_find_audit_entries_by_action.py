"""An index by which the audit log is read for one action, newest first."""

from __future__ import annotations

from alembic import op

revision = "r15"
down_revision = "r14"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_audit_action_id"), "audit", ["action", "id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_audit_action_id"), table_name="audit")
