"""Drivers, what was given to whom, and the messages that managers rewrite."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "driver",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("phone", sa.String(length=20)),
        sa.Column("email", sa.String(length=254)),
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.Column("note", sa.Text()),
        sa.Column("added_at", Moment(), nullable=False),
        sa.Column("added_by", sa.Integer(), nullable=False),
        sa.Column("gone_at", Moment()),
        sa.ForeignKeyConstraint(["added_by"], ["person.id"], name=op.f("fk_driver_added_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_driver")),
    )
    op.create_index("ix_driver_name", "driver", ["name"])
    op.create_table(
        "driver_vehicle",
        sa.Column("driver_id", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(["driver_id"], ["driver.id"], name=op.f("fk_driver_vehicle_driver_id")),
        sa.PrimaryKeyConstraint("driver_id", "rc", name=op.f("pk_driver_vehicle")),
    )
    op.create_index("ix_driver_vehicle_rc", "driver_vehicle", ["rc"])
    op.create_table(
        "share",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("driver_id", sa.Integer()),
        sa.Column("channel", sa.String(length=10), nullable=False),
        sa.Column("language", sa.String(length=5)),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_share_link_id")),
        sa.ForeignKeyConstraint(["driver_id"], ["driver.id"], name=op.f("fk_share_driver_id")),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_share_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_share")),
    )
    op.create_index("ix_share_link_id_at", "share", ["link_id", "at"])
    op.create_index("ix_share_driver_id_at", "share", ["driver_id", "at"])
    op.create_table(
        "message_template",
        sa.Column("language", sa.String(length=5), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("written_at", Moment(), nullable=False),
        sa.Column("written_by", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["written_by"], ["person.id"], name=op.f("fk_message_template_written_by")),
        sa.PrimaryKeyConstraint("language", name=op.f("pk_message_template")),
    )


def downgrade() -> None:
    for table in ("message_template", "share", "driver_vehicle", "driver"):
        op.drop_table(table)
