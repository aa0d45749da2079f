"""What is put off, and our own fields on links and vehicles."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "follow_up",
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("snoozed_until", Moment(), nullable=False),
        sa.Column("snoozed_by", sa.Integer(), nullable=False),
        sa.Column("snoozed_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_follow_up_link_id")),
        sa.ForeignKeyConstraint(["snoozed_by"], ["person.id"], name=op.f("fk_follow_up_snoozed_by")),
        sa.PrimaryKeyConstraint("link_id", name=op.f("pk_follow_up")),
    )
    op.create_table(
        "own_field",
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("ref", sa.String(length=36), nullable=False),
        sa.Column("cost_centre", sa.String(length=60)),
        sa.Column("trip", sa.String(length=60)),
        sa.Column("customer", sa.String(length=100)),
        sa.Column("note", sa.Text()),
        sa.Column("written_at", Moment(), nullable=False),
        sa.Column("written_by", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["written_by"], ["person.id"], name=op.f("fk_own_field_written_by")),
        sa.PrimaryKeyConstraint("kind", "ref", name=op.f("pk_own_field")),
    )


def downgrade() -> None:
    op.drop_table("own_field")
    op.drop_table("follow_up")
