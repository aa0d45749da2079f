"""Requests that replace an ended link, and requests that a manager set aside."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Column by column: SQLite would have to rebuild the table for more, and cannot while others refer to it.
    op.add_column("intent", sa.Column("replaces", sa.String(length=36)))
    op.create_index("ix_intent_replaces", "intent", ["replaces"])
    op.add_column("intent", sa.Column("set_aside_at", Moment()))
    op.add_column(
        "intent",
        sa.Column("set_aside_by", sa.Integer(), sa.ForeignKey("person.id")),
        inline_references=True,
    )
    op.add_column("intent", sa.Column("set_aside_why", sa.Text()))


def downgrade() -> None:
    for column in ("set_aside_why", "set_aside_by", "set_aside_at"):
        op.drop_column("intent", column)
    op.drop_index("ix_intent_replaces", "intent")
    op.drop_column("intent", "replaces")
