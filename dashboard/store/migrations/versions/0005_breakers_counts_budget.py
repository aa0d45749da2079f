"""How the service's calls came out, how many were made, and how many a second may be; failed checks in a row."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "breaker",
        sa.Column("call_group", sa.String(length=10), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failing_since", Moment()),
        sa.Column("recent", sa.JSON(), nullable=False),
        sa.Column("cause", sa.String(length=40)),
        sa.Column("opened_at", Moment()),
        sa.Column("until", Moment()),
        sa.PrimaryKeyConstraint("call_group", name=op.f("pk_breaker")),
    )
    op.create_table(
        "call_count",
        sa.Column("day", sa.String(length=10), nullable=False),
        sa.Column("call_group", sa.String(length=10), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("refused_after", sa.Integer()),
        sa.Column("refused_at", Moment()),
        sa.Column("ask_again_at", Moment()),
        sa.PrimaryKeyConstraint("day", "call_group", name=op.f("pk_call_count")),
    )
    op.create_table(
        "person_count",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("hour", Moment(), nullable=False),
        sa.Column("searches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_person_count_person_id")),
        sa.PrimaryKeyConstraint("person_id", "hour", name=op.f("pk_person_count")),
    )
    op.create_table(
        "call_budget",
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("used_until", Moment(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_call_budget")),
    )
    op.add_column("link", sa.Column("failures", sa.Integer()))
    op.create_index("ix_link_looked_at", "link", ["looked_at"])
    leased = sa.text("lease_until IS NOT NULL")
    op.create_index("ix_link_lease_until", "link", ["lease_until"], sqlite_where=leased, postgresql_where=leased)


def downgrade() -> None:
    op.drop_index("ix_link_lease_until", "link")
    op.drop_index("ix_link_looked_at", "link")
    op.drop_column("link", "failures")
    for table in ("call_budget", "person_count", "call_count", "breaker"):
        op.drop_table(table)
