"""An index by which the audit log is read for one object, newest first."""

from __future__ import annotations

from alembic import op

revision = "r18"
down_revision = "r17"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_audit_subject_id"), "audit", ["subject", "id"], unique=False)


def downgrade() -> None:
    op.drop_index(op.f("ix_audit_subject_id"), table_name="audit")
