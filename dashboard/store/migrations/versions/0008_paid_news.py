"""Until when each person has seen what was paid, and which links one by one."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    seen = op.create_table(
        "person_seen",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("paid_until", Moment()),
        sa.Column("notify", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("person_id"),
    )
    op.create_table(
        "link_seen",
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"]),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"]),
        sa.PrimaryKeyConstraint("person_id", "link_id"),
    )
    op.create_index("ix_link_person_id_status_since", "link", ["person_id", "status_since"])
    # What was paid before anybody kept count is no news to the people of today.
    link = sa.table("link", sa.column("person_id"), sa.column("status"), sa.column("status_since", Moment()))
    paid = sa.select(link.c.person_id, sa.func.max(link.c.status_since), sa.false())
    paid = paid.where(link.c.person_id.is_not(None), link.c.status == "PAID").group_by(link.c.person_id)
    op.execute(sa.insert(seen).from_select(["person_id", "paid_until", "notify"], paid))


def downgrade() -> None:
    op.drop_index("ix_link_person_id_status_since", table_name="link")
    op.drop_table("link_seen")
    op.drop_table("person_seen")
