"""What came of calls, by hour."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r13"
down_revision = "r12"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "call_outcome",
        sa.Column("hour", Moment(), nullable=False),
        sa.Column("call_group", sa.String(length=10), nullable=False),
        sa.Column("outcome", sa.String(length=40), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("latest_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("hour", "call_group", "outcome", name=op.f("pk_call_outcome")),
    )


def downgrade() -> None:
    op.drop_table("call_outcome")
