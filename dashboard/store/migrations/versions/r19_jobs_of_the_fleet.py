"""Jobs of the fleet."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment, Money

revision = "r19"
down_revision = "r18"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "fleet_worker",
        sa.Column("executor_id", sa.String(length=120), nullable=False),
        sa.Column("reported_at", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("executor_id", name=op.f("pk_fleet_worker")),
    )
    op.create_table(
        "fleet_job",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("reason", sa.String(length=40), nullable=True),
        sa.Column("resume_at", Moment(), nullable=True),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("started_generation", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("created_at", Moment(), nullable=False),
        sa.Column("resumed_at", Moment(), nullable=False),
        sa.Column("ended_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_fleet_job_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fleet_job")),
    )
    with op.batch_alter_table("fleet_job", schema=None) as batch_op:
        batch_op.create_index("ix_fleet_job_created_at", ["created_at"], unique=False)
        batch_op.create_index("ix_fleet_job_state", ["state"], unique=False)

    op.create_table(
        "fleet_plan",
        sa.Column("id", sa.String(length=36), nullable=False),
        sa.Column("run_id", sa.String(length=36), nullable=True),
        sa.Column("hours", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["id"], ["fleet_job.id"], name=op.f("fk_fleet_plan_id")),
        sa.ForeignKeyConstraint(["run_id"], ["fleet_job.id"], name=op.f("fk_fleet_plan_run_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_fleet_plan")),
    )
    with op.batch_alter_table("fleet_plan", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_fleet_plan_run_id"), ["run_id"], unique=False)

    op.create_table(
        "fleet_vehicle",
        sa.Column("run_id", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("rc_type", sa.String(length=60), nullable=True),
        sa.Column("city_id", sa.String(length=60), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("not_before", Moment(), nullable=True),
        sa.Column("lane", sa.String(length=80), nullable=True),
        sa.Column("claimed_at", Moment(), nullable=True),
        sa.Column("outcome", sa.String(length=16), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("ended_at", Moment(), nullable=True),
        sa.Column("found_rc", sa.String(length=20), nullable=True),
        sa.Column("payable", sa.Integer(), nullable=True),
        sa.Column("new_challans", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["fleet_job.id"], name=op.f("fk_fleet_vehicle_run_id")),
        sa.PrimaryKeyConstraint("run_id", "position", name=op.f("pk_fleet_vehicle")),
        sa.UniqueConstraint("run_id", "rc", name=op.f("uq_fleet_vehicle_run_id_rc")),
    )
    with op.batch_alter_table("fleet_vehicle", schema=None) as batch_op:
        batch_op.create_index("ix_fleet_vehicle_ended_at", ["run_id", "ended_at"], unique=False)
        batch_op.create_index(
            "ix_fleet_vehicle_lane",
            ["run_id", "lane"],
            unique=False,
            sqlite_where=sa.text("lane IS NOT NULL"),
            postgresql_where=sa.text("lane IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_fleet_vehicle_left",
            ["run_id", "position"],
            unique=False,
            sqlite_where=sa.text("outcome IS NULL"),
            postgresql_where=sa.text("outcome IS NULL"),
        )

    op.create_table(
        "fleet_link",
        sa.Column("plan_id", sa.String(length=36), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("rc", sa.String(length=20), nullable=False),
        sa.Column("challan_ids", sa.JSON(), nullable=False),
        sa.Column("total", Money(), nullable=False),
        sa.Column("unknown_amounts", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("not_before", Moment(), nullable=True),
        sa.Column("lane", sa.String(length=80), nullable=True),
        sa.Column("claimed_at", Moment(), nullable=True),
        sa.Column("outcome", sa.String(length=10), nullable=True),
        sa.Column("failure", sa.String(length=40), nullable=True),
        sa.Column("intent_id", sa.String(length=36), nullable=True),
        sa.Column("ended_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["intent_id"], ["intent.id"], name=op.f("fk_fleet_link_intent_id")),
        sa.ForeignKeyConstraint(["plan_id"], ["fleet_plan.id"], name=op.f("fk_fleet_link_plan_id")),
        sa.PrimaryKeyConstraint("plan_id", "position", name=op.f("pk_fleet_link")),
    )
    with op.batch_alter_table("fleet_link", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_fleet_link_intent_id"), ["intent_id"], unique=False)
        batch_op.create_index(
            "ix_fleet_link_lane",
            ["plan_id", "lane"],
            unique=False,
            sqlite_where=sa.text("lane IS NOT NULL"),
            postgresql_where=sa.text("lane IS NOT NULL"),
        )
        batch_op.create_index(
            "ix_fleet_link_left",
            ["plan_id", "position"],
            unique=False,
            sqlite_where=sa.text("outcome IS NULL"),
            postgresql_where=sa.text("outcome IS NULL"),
        )
        batch_op.create_index("ix_fleet_link_rc", ["plan_id", "rc"], unique=False)


def downgrade() -> None:
    with op.batch_alter_table("fleet_link", schema=None) as batch_op:
        batch_op.drop_index("ix_fleet_link_rc")
        batch_op.drop_index(
            "ix_fleet_link_lane", sqlite_where=sa.text("lane IS NOT NULL"), postgresql_where=sa.text("lane IS NOT NULL")
        )
        batch_op.drop_index(
            "ix_fleet_link_left", sqlite_where=sa.text("outcome IS NULL"), postgresql_where=sa.text("outcome IS NULL")
        )
        batch_op.drop_index(batch_op.f("ix_fleet_link_intent_id"))

    op.drop_table("fleet_link")
    with op.batch_alter_table("fleet_vehicle", schema=None) as batch_op:
        batch_op.drop_index(
            "ix_fleet_vehicle_lane",
            sqlite_where=sa.text("lane IS NOT NULL"),
            postgresql_where=sa.text("lane IS NOT NULL"),
        )
        batch_op.drop_index(
            "ix_fleet_vehicle_left",
            sqlite_where=sa.text("outcome IS NULL"),
            postgresql_where=sa.text("outcome IS NULL"),
        )
        batch_op.drop_index("ix_fleet_vehicle_ended_at")

    op.drop_table("fleet_vehicle")
    with op.batch_alter_table("fleet_plan", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_fleet_plan_run_id"))

    op.drop_table("fleet_plan")
    with op.batch_alter_table("fleet_job", schema=None) as batch_op:
        batch_op.drop_index("ix_fleet_job_state")
        batch_op.drop_index("ix_fleet_job_created_at")

    op.drop_table("fleet_job")
    op.drop_table("fleet_worker")
