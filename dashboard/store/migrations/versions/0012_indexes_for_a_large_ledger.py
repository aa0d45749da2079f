"""Indexes by which a page of a large ledger costs what one of a small ledger does."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

_LIVE = sa.text("(status NOT IN ('CANCELLED', 'EXPIRED', 'FAILED', 'PAID'))")
_RANKS = ("first_seen_at", "rc_rank", "ends_rank", "amount_rank")


def upgrade() -> None:
    op.create_index("ix_follow_up_snoozed_until", "follow_up", ["snoozed_until"])
    op.create_index("ix_link_live", "link", ["first_seen_at", "id"], sqlite_where=_LIVE, postgresql_where=_LIVE)
    for rank in _RANKS:
        op.create_index(f"ix_link_status_{rank}_id", "link", ["status", rank, "id"])
    op.drop_index("ix_link_challan_challan_no", table_name="link_challan")
    op.create_index("ix_link_challan_challan_no_link_id", "link_challan", ["challan_no", "link_id"])
    op.create_index("ix_link_challan_challan_type_link_id", "link_challan", ["challan_type", "link_id"])


def downgrade() -> None:
    op.drop_index("ix_link_challan_challan_type_link_id", table_name="link_challan")
    op.drop_index("ix_link_challan_challan_no_link_id", table_name="link_challan")
    op.create_index("ix_link_challan_challan_no", "link_challan", ["challan_no"])
    for rank in _RANKS:
        op.drop_index(f"ix_link_status_{rank}_id", table_name="link")
    op.drop_index("ix_link_live", table_name="link")
    op.drop_index("ix_follow_up_snoozed_until", table_name="follow_up")
