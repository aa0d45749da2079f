"""Searches of the fleet that ask the source. Repeated searches do, those that exist as well."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r24"
down_revision = "r23"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for table, default in (("fleet_job", sa.false()), ("fleet_draft", sa.false()), ("fleet_schedule", sa.true())):
        op.add_column(table, sa.Column("at_source", sa.Boolean(), server_default=default, nullable=False))


def downgrade() -> None:
    for table in ("fleet_schedule", "fleet_draft", "fleet_job"):
        op.drop_column(table, "at_source")
