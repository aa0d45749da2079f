"""What came of checks of the assumptions A1 to A8."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r21"
down_revision = "r20"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "assumption_check",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(length=2), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("outcome", sa.String(length=10), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_assumption_check_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assumption_check")),
    )
    op.create_index(op.f("ix_assumption_check_code_id"), "assumption_check", ["code", "id"], unique=False)


def downgrade() -> None:
    op.drop_table("assumption_check")
