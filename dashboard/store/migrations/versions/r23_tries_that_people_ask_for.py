"""Tries of a spent allowance that people ask for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r23"
down_revision = "r22"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "asked_try",
        sa.Column("call_group", sa.String(length=10), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=True),
        sa.Column("at", Moment(), nullable=True),
        sa.PrimaryKeyConstraint("call_group", name=op.f("pk_asked_try")),
    )


def downgrade() -> None:
    op.drop_table("asked_try")
