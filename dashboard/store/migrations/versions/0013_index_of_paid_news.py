"""What was paid since somebody left is counted in an index; a link that never ends ranks as the code writes it.

A column's default was written without the fraction of a second: to SQLite that is another moment, before which no page
that comes after such a link would end.
"""

from __future__ import annotations

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

from dashboard.store.types import Moment

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_link_person_id_status_status_since", "link", ["person_id", "status", "status_since"])
    op.drop_index("ix_link_person_id_status_since", table_name="link")
    link = sa.table("link", sa.column("expires_at", Moment()), sa.column("ends_rank", Moment()))
    never = datetime(9999, 12, 31, tzinfo=UTC)
    op.execute(sa.update(link).where(link.c.expires_at.is_(None)).values(ends_rank=never))


def downgrade() -> None:
    op.create_index("ix_link_person_id_status_since", "link", ["person_id", "status_since"])
    op.drop_index("ix_link_person_id_status_status_since", table_name="link")
