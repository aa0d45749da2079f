"""Let a person choose the language of the pages."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r10"
down_revision = "r9"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("language", sa.String(10), nullable=True))


def downgrade() -> None:
    op.drop_column("person", "language")
