"""Add the fields that the newest answer about a link left empty, and the settlement checks that a person requested."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r8"
down_revision = "r7"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("link", sa.Column("unstated", sa.String(length=60), nullable=True))
    op.add_column("settlement", sa.Column("asked_at", Moment(), nullable=True))


def downgrade() -> None:
    op.drop_column("settlement", "asked_at")
    op.drop_column("link", "unstated")
