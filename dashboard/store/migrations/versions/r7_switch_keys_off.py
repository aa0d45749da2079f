"""Let a person switch the keys of the pages off."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r7"
down_revision = "r6"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("keys_off_at", Moment(), nullable=True))


def downgrade() -> None:
    op.drop_column("person", "keys_off_at")
