"""Links that the service no longer knows, checks of clocks, and restorations."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r3"
down_revision = "r2"
branch_labels = None
depends_on = None

_NOT_FOUND = sa.text("not_found > 0")


def upgrade() -> None:
    op.create_table(
        "clock_check",
        sa.Column("host", sa.String(length=100), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.Column("database_ahead", sa.Float(), nullable=True),
        sa.Column("service_ahead", sa.Float(), nullable=True),
        sa.Column("stepped_at", Moment(), nullable=True),
        sa.Column("stepped_by", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("host", name=op.f("pk_clock_check")),
    )
    op.create_table(
        "restoration",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_restoration")),
    )
    op.add_column("link", sa.Column("not_found", sa.Integer(), nullable=True))
    op.add_column("link", sa.Column("released_at", Moment(), nullable=True))
    op.add_column("link", sa.Column("released_by", sa.Integer(), nullable=True))
    op.add_column("link", sa.Column("release_reason", sa.Text(), nullable=True))
    op.create_index("ix_link_checked_at", "link", ["checked_at"])
    op.create_index("ix_link_not_found", "link", ["not_found"], sqlite_where=_NOT_FOUND, postgresql_where=_NOT_FOUND)


def downgrade() -> None:
    op.drop_index("ix_link_not_found", "link")
    op.drop_index("ix_link_checked_at", "link")
    for column in ("release_reason", "released_by", "released_at", "not_found"):
        op.drop_column("link", column)
    op.drop_table("restoration")
    op.drop_table("clock_check")
