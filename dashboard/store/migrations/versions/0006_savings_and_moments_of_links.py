"""What the cheapest way to pay saves, and indexes for counting links by when they were paid or ended."""

from __future__ import annotations

import json
from decimal import Decimal

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Money

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_link = sa.table("link", sa.column("id", sa.String), sa.column("modes", sa.Text), sa.column("saving", sa.String))


def upgrade() -> None:
    op.add_column("link", sa.Column("saving", Money()))
    op.create_index("ix_link_paid_at", "link", ["paid_at"])
    op.create_index("ix_link_status_status_since", "link", ["status", "status_since"])
    connection = op.get_bind()
    for row in connection.execute(sa.select(_link.c.id, sa.cast(_link.c.modes, sa.Text))).all():
        totals = [mode.get("total_amount") for mode in json.loads(row.modes or "[]")]
        if totals and None not in totals:
            saved = max(map(Decimal, totals)) - min(map(Decimal, totals))
            connection.execute(sa.update(_link).where(_link.c.id == row.id).values(saving=str(saved)))


def downgrade() -> None:
    op.drop_index("ix_link_status_status_since", "link")
    op.drop_index("ix_link_paid_at", "link")
    op.drop_column("link", "saving")
