"""Find the alarms of links among all their history, for the banner of every page."""

from __future__ import annotations

from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_link_event_kind_link_id", "link_event", ["kind", "link_id"])


def downgrade() -> None:
    op.drop_index("ix_link_event_kind_link_id", "link_event")
