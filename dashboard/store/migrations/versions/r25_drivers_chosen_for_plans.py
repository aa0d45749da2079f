"""Store the driver chosen for each vehicle of a plan."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r25"
down_revision = "r24"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "fleet_plan_driver",
        sa.Column("plan_id", sa.String(length=36), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("driver_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["plan_id"], ["fleet_plan.id"], name=op.f("fk_fleet_plan_driver_plan_id")),
        sa.ForeignKeyConstraint(["driver_id"], ["driver.id"], name=op.f("fk_fleet_plan_driver_driver_id")),
        sa.PrimaryKeyConstraint("plan_id", "rc", name=op.f("pk_fleet_plan_driver")),
    )


def downgrade() -> None:
    op.drop_table("fleet_plan_driver")
