"""Lists, drafts and repeated searches of the fleet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r22"
down_revision = "r21"
branch_labels = None
depends_on = None

_PRESENT = sa.text("deleted_at IS NULL")


def upgrade() -> None:
    op.create_table(
        "fleet_list",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("vehicles", sa.JSON(), nullable=False),
        sa.Column("saved_at", Moment(), nullable=False),
        sa.Column("saved_by", sa.Integer(), nullable=False),
        sa.Column("deleted_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["saved_by"], ["person.id"], name=op.f("fk_fleet_list_saved_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fleet_list")),
    )
    op.create_index(
        "uq_fleet_list_name", "fleet_list", ["name"], unique=True, sqlite_where=_PRESENT, postgresql_where=_PRESENT
    )
    op.create_table(
        "fleet_draft",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=100), nullable=False),
        sa.Column("list_id", sa.Integer(), nullable=True),
        sa.Column("lines", sa.JSON(), nullable=False),
        sa.Column("ignored", sa.JSON(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["list_id"], ["fleet_list.id"], name=op.f("fk_fleet_draft_list_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_fleet_draft_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fleet_draft")),
    )
    op.create_index("ix_fleet_draft_created_at", "fleet_draft", ["created_at"])
    op.create_index("ix_fleet_draft_person_id", "fleet_draft", ["person_id"])
    op.create_table(
        "fleet_schedule",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.String(length=8), nullable=False),
        sa.Column("list_id", sa.Integer(), nullable=True),
        sa.Column("days", sa.Integer(), nullable=True),
        sa.Column("weekdays", sa.JSON(), nullable=False),
        sa.Column("minute", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("created_by", sa.Integer(), nullable=False),
        sa.Column("next_at", Moment(), nullable=True),
        sa.Column("last_at", Moment(), nullable=True),
        sa.Column("last_run_id", sa.String(length=36), nullable=True),
        sa.ForeignKeyConstraint(["created_by"], ["person.id"], name=op.f("fk_fleet_schedule_created_by")),
        sa.ForeignKeyConstraint(["list_id"], ["fleet_list.id"], name=op.f("fk_fleet_schedule_list_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fleet_schedule")),
    )
    op.create_index("ix_fleet_schedule_next_at", "fleet_schedule", ["next_at"])


def downgrade() -> None:
    op.drop_table("fleet_schedule")
    op.drop_table("fleet_draft")
    op.drop_table("fleet_list")
