"""Paid links whose challans are looked for until they are settled, and what was found of links, from all that is known.

Rows of settlements are entered by the watcher, which spreads their first looks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import sqlalchemy as sa
from alembic import op

from dashboard.domain.discrepancies import Change, late, other_challans, sums
from dashboard.domain.links import AmountBreakdown, LinkChallan
from dashboard.store.types import Moment

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_BATCH = 500

_link = sa.table(
    "link",
    *(sa.column(name, sa.String) for name in ("id", "status", "origin", "intent_id")),
    *(sa.column(name, Moment()) for name in ("paid_at", "expires_at", "first_seen_at")),
    *(sa.column(name, sa.JSON) for name in ("amount", "modes")),
    sa.column("detailed", sa.Boolean),
)
_link_challan = sa.table(
    "link_challan",
    *(sa.column(name, sa.String) for name in ("link_id", "challan_id", "challan_no", "challan_amount", "total_amount")),
)
_link_event = sa.table(
    "link_event",
    *(sa.column(name, sa.String) for name in ("link_id", "kind", "old", "new")),
    *(sa.column(name, sa.Integer) for name in ("id", "person_id")),
    sa.column("at", Moment()),
)
_intent = sa.table("intent", sa.column("id", sa.String), sa.column("challan_ids", sa.JSON))


def upgrade() -> None:
    op.create_table(
        "settlement",
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("rc", sa.String(length=20)),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("since", Moment(), nullable=False),
        sa.Column("entered_at", Moment(), nullable=False),
        sa.Column("due_at", Moment()),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("seen_at", Moment()),
        sa.Column("raw", sa.JSON()),
        sa.Column("ended_at", Moment()),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("failed_at", Moment()),
        sa.Column("failure", sa.String(length=40)),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_settlement_link_id")),
        sa.PrimaryKeyConstraint("link_id", name=op.f("pk_settlement")),
    )
    op.create_index("ix_settlement_rc", "settlement", ["rc"])
    _create_partial_index("ix_settlement_due_at", "settlement", ["due_at"], "due_at IS NOT NULL")
    finding = op.create_table(
        "finding",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("link_id", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("found_at", Moment(), nullable=False),
        sa.Column("gone_at", Moment()),
        sa.Column("seen_at", Moment()),
        sa.Column("seen_by", sa.Integer()),
        sa.Column("note", sa.Text()),
        sa.ForeignKeyConstraint(["link_id"], ["link.id"], name=op.f("fk_finding_link_id")),
        sa.ForeignKeyConstraint(["seen_by"], ["person.id"], name=op.f("fk_finding_seen_by")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_finding")),
        sa.UniqueConstraint("link_id", "kind", name=op.f("uq_finding_link_id_kind")),
    )
    standing = ["kind", "found_at", "id"]
    _create_partial_index("ix_finding_standing", "finding", standing, "gone_at IS NULL AND seen_at IS NULL")
    _create_partial_index("ix_finding_seen_at", "finding", ["seen_at", "id"], "seen_at IS NOT NULL")
    _find(op.get_bind(), finding)


def downgrade() -> None:
    op.drop_table("finding")
    op.drop_table("settlement")


def _create_partial_index(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))


def _find(connection: sa.Connection, finding: sa.Table) -> None:
    """What would have been found, had it been looked for."""
    now = datetime.now(UTC)
    after = ""
    while batch := connection.execute(
        sa.select(_link).where(_link.c.id > after).order_by(_link.c.id).limit(_BATCH)
    ).all():
        after = batch[-1].id
        found = list(_of_links(connection, batch, now))
        if found:
            connection.execute(sa.insert(finding), found)


def _of_links(connection: sa.Connection, batch: Sequence[Any], now: datetime) -> Iterator[dict[str, Any]]:
    ids = [row.id for row in batch]
    challans = _grouped(connection, _link_challan, ids)
    events = _grouped(connection, _link_event, ids, order=_link_event.c.id)
    intents = [row.intent_id for row in batch if row.intent_id]
    asked = {row.id: row.challan_ids for row in connection.execute(sa.select(_intent).where(_intent.c.id.in_(intents)))}
    for row in batch:
        usual = {"link_id": row.id, "version": 1, "found_at": now, "seen_at": None, "seen_by": None, "note": None}
        if row.origin == "observed":
            yield usual | {"kind": "elsewhere", "facts": {}, "found_at": row.first_seen_at}
        if row.detailed:
            for kind, facts in _of_answers(row, challans[row.id], events[row.id], asked.get(row.intent_id)):
                yield usual | {"kind": kind, "facts": facts}
        yield from (usual | double for double in _doubles(events[row.id]))


def _grouped(connection: sa.Connection, table: Any, ids: list[str], order: Any = None) -> dict[str, list[Any]]:
    grouped: dict[str, list[Any]] = defaultdict(list)
    query = sa.select(table).where(table.c.link_id.in_(ids))
    for row in connection.execute(query if order is None else query.order_by(order)):
        grouped[row.link_id].append(row)
    return grouped


def _of_answers(row: Any, challans: list[Any], events: list[Any], asked: list[str] | None) -> Iterator[tuple[str, Any]]:
    covered = [
        LinkChallan(each.challan_id, each.challan_no, None, None, None, None, _amount(each.challan_amount), None, total)
        for each in challans
        for total in (_amount(each.total_amount),)
    ]
    modes = [mode for each in row.modes or () if (mode := _breakdown(each)) is not None]
    wrong, unchecked = sums(_breakdown(row.amount), modes, covered)
    if wrong:
        yield "sums", wrong
    if unchecked:
        yield "unchecked", {"sums": unchecked}
    if asked is not None and covered:
        numbers = {each.id: each.challan_no for each in covered}
        if (facts := other_challans(asked, numbers, numbers)) is not None:
            yield "challans", facts
    changes = [Change(event.at, event.old, event.new) for event in events if event.kind == "status"]
    if (facts := late(row.status, row.paid_at, row.expires_at, changes)) is not None:
        yield "late", facts


def _doubles(events: list[Any]) -> Iterator[dict[str, Any]]:
    """The newest alarm of a link, and who took note of it."""
    alarm = next((event for event in reversed(events) if event.kind == "double"), None)
    if alarm is None:
        return
    challans = int("".join(filter(str.isdigit, alarm.new or "")) or 0)
    facts = {"challans": challans, "at": alarm.at.isoformat()}
    double = {"kind": "double", "facts": facts, "found_at": alarm.at}
    noted = next((event for event in reversed(events) if event.kind == "double_seen" and event.id > alarm.id), None)
    if noted is not None:
        double |= {"seen_at": noted.at, "seen_by": noted.person_id, "note": noted.new}
    yield double


def _breakdown(stored: dict[str, str | None] | None) -> AmountBreakdown | None:
    if not stored:
        return None
    parts = ("base_amount", "legal_fee", "gst", "convenience_fee", "total_amount")
    amounts = {name: _amount(stored.get(name)) for name in parts}
    return AmountBreakdown(payment_mode=stored.get("payment_mode"), **amounts)


def _amount(digits: str | None) -> Decimal | None:
    return None if digits is None else Decimal(digits)
