"""When allowances come back, and the single calls of people by hour."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r20"
down_revision = "r19"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "allowance_reset",
        sa.Column("call_group", sa.String(length=10), nullable=False),
        sa.Column("after_minute", sa.Integer(), nullable=True),
        sa.Column("by_minute", sa.Integer(), nullable=True),
        sa.Column("days", sa.Integer(), nullable=True),
        sa.Column("seen_at", Moment(), nullable=True),
        sa.Column("refused_since", Moment(), nullable=True),
        sa.Column("refused_at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("call_group", name=op.f("pk_allowance_reset")),
    )
    op.create_table(
        "people_call",
        sa.Column("hour", Moment(), nullable=False),
        sa.Column("call_group", sa.String(length=10), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("hour", "call_group", name=op.f("pk_people_call")),
    )
    op.add_column("call_block", sa.Column("outdated_at", Moment(), nullable=True))
    op.add_column("call_count", sa.Column("person_at", Moment(), nullable=True))


def downgrade() -> None:
    op.drop_column("call_count", "person_at")
    op.drop_column("call_block", "outdated_at")
    op.drop_table("people_call")
    op.drop_table("allowance_reset")
