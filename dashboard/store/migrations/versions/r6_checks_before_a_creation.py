"""Checks of clicks that are under way, before anything is prepared."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r6"
down_revision = "r5"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "creation_check",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("request_key", sa.String(length=64), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_creation_check_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_creation_check")),
    )
    op.create_index(op.f("ix_creation_check_request_key"), "creation_check", ["request_key"], unique=False)


def downgrade() -> None:
    op.drop_table("creation_check")
