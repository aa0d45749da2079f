"""When a person last refreshed a vehicle from the source."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r9"
down_revision = "r8"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "person_refresh",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_person_refresh_person_id")),
        sa.PrimaryKeyConstraint("person_id", "rc", name=op.f("pk_person_refresh")),
    )


def downgrade() -> None:
    op.drop_table("person_refresh")
