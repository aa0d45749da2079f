"""Let a person ask for a link to be followed up."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r16"
down_revision = "r15"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("follow_up", sa.Column("asked_at", Moment(), nullable=True))


def downgrade() -> None:
    op.drop_column("follow_up", "asked_at")
