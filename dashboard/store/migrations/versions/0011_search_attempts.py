"""Searches under way that had to be tried again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "search_attempt",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("failure", sa.String(length=40), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_search_attempt_person_id")),
        sa.PrimaryKeyConstraint("person_id", "rc", name=op.f("pk_search_attempt")),
    )


def downgrade() -> None:
    op.drop_table("search_attempt")
