"""What lists of links are sorted by, so that any page of a long list costs the same, and the views that people save."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_RANKED = ("first_seen_at", "rc_rank", "ends_rank", "amount_rank", "status")


def upgrade() -> None:
    op.add_column("link", sa.Column("rc_rank", sa.String(length=20), nullable=False, server_default=""))
    never = sa.text("'9999-12-31 00:00:00'")
    op.add_column("link", sa.Column("ends_rank", Moment(), nullable=False, server_default=never))
    op.add_column("link", sa.Column("amount_rank", sa.Float(), nullable=False, server_default=sa.text("-1")))
    op.execute("UPDATE link SET rc_rank = rc WHERE rc IS NOT NULL")
    op.execute("UPDATE link SET ends_rank = expires_at WHERE expires_at IS NOT NULL")
    op.execute("UPDATE link SET amount_rank = CAST(total AS FLOAT) WHERE total IS NOT NULL")
    op.drop_index("ix_link_first_seen_at", "link")
    for column in _RANKED:
        op.create_index(f"ix_link_{column}_id", "link", [column, "id"])
    op.create_index("ix_link_person_id_first_seen_at", "link", ["person_id", "first_seen_at"])
    op.create_table(
        "saved_view",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("query", sa.Text(), nullable=False),
        sa.Column("saved_at", Moment(), nullable=False),
        sa.ForeignKeyConstraint(["person_id"], ["person.id"], name=op.f("fk_saved_view_person_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_view")),
        sa.UniqueConstraint("person_id", "name", name=op.f("uq_saved_view_person_id_name")),
    )


def downgrade() -> None:
    op.drop_table("saved_view")
    op.drop_index("ix_link_person_id_first_seen_at", "link")
    for column in _RANKED:
        op.drop_index(f"ix_link_{column}_id", "link")
    op.create_index("ix_link_first_seen_at", "link", ["first_seen_at"])
    for column in ("amount_rank", "ends_rank", "rc_rank"):
        op.drop_column("link", column)
