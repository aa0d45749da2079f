"""Second factors: secrets of apps, recovery codes, the roles that need one, and the step of a sign-in."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "r14"
down_revision = "r13"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "second_factor",
        sa.Column("person_id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("secret", sa.Text(), nullable=True),
        sa.Column("pending", sa.Text(), nullable=True),
        sa.Column("last_period", sa.Integer(), nullable=False),
        sa.Column("enabled_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_second_factor_person_id")),
        sa.PrimaryKeyConstraint("person_id", name=op.f("pk_second_factor")),
    )
    op.create_table(
        "recovery_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("used_at", Moment(), nullable=True),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_recovery_code_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recovery_code")),
    )
    op.create_index(op.f("ix_recovery_code_person_id"), "recovery_code", ["person_id"], unique=False)
    op.create_table(
        "second_factor_role",
        sa.Column("role", sa.String(length=10), nullable=False),
        sa.PrimaryKeyConstraint("role", name=op.f("pk_second_factor_role")),
    )
    op.create_table(
        "second_step",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("created_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_second_step_person_id")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_second_step")),
    )


def downgrade() -> None:
    for table in ("second_step", "second_factor_role", "recovery_code", "second_factor"):
        op.drop_table(table)
