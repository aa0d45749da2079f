"""Selections that count their ticks, and name the link that took the first challans of their plan."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r4"
down_revision = "r3"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("selection", sa.Column("step", sa.String(length=60), nullable=True))
    op.add_column("selection", sa.Column("link_id", sa.String(length=36), nullable=True))


def downgrade() -> None:
    op.drop_column("selection", "link_id")
    op.drop_column("selection", "step")
