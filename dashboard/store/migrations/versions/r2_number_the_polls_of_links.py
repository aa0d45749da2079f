"""Number the polls of links, and store when the newest recorded answer was asked for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r2"
down_revision = "r1"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("polls_begun", "answered_poll"):
        op.add_column("link", sa.Column(name, sa.Integer(), server_default=sa.text("0"), nullable=False))
    op.add_column("link", sa.Column("asked_at", Moment(), nullable=True))
