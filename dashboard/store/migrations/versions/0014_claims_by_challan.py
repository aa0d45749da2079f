"""What a challan was claimed for before is found by an index: so far only its open claim was."""

from __future__ import annotations

from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_claim_challan_id", "claim", ["challan_id"])


def downgrade() -> None:
    op.drop_index("ix_claim_challan_id", table_name="claim")
