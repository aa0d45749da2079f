"""Whom the identity provider means by its subject."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "r17"
down_revision = "r16"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("person", sa.Column("oidc_subject", sa.String(length=512), nullable=True))
    op.create_index(op.f("uq_person_oidc_subject"), "person", ["oidc_subject"], unique=True)


def downgrade() -> None:
    op.drop_index(op.f("uq_person_oidc_subject"), table_name="person")
    op.drop_column("person", "oidc_subject")
