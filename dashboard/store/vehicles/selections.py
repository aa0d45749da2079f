"""What a person has ticked and typed for a vehicle but not sent. One draft per person and vehicle, theirs alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import JSON, Column, Connection, ForeignKey, Integer, String, Table, delete, select

from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_or_change

draft = Table(
    "draft",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("rc", String(MAX_LENGTH), primary_key=True),
    Column("challan_ids", JSON, nullable=False),
    Column("hours", String(12), nullable=False),
    Column("saved_at", Moment, nullable=False),
)


@dataclass(frozen=True, slots=True)
class Selection:
    challan_ids: tuple[str, ...]
    hours: str  # as typed


def find(connection: Connection, person_id: int, rc: str, *, to_change: bool = False) -> Selection | None:
    """The draft, if there is one; `to_change` keeps it from others until the transaction ends."""
    mine = select(draft).where(draft.c.person_id == person_id, draft.c.rc == rc)
    row = connection.execute(mine.with_for_update() if to_change else mine).one_or_none()
    return Selection(tuple(row.challan_ids), row.hours) if row else None


def save(connection: Connection, person_id: int, rc: str, challan_ids: Sequence[str], hours: str, at: datetime) -> None:
    """Keep a selection; an empty one forgets the draft.

    The row is entered even when it is to go at once: that waits for whoever enters it at this moment, as the twin of a
    double click does.
    """
    key = {"person_id": person_id, "rc": rc}
    insert_or_change(connection, draft, key, challan_ids=list(challan_ids), hours=hours, saved_at=at)
    if not challan_ids:
        connection.execute(delete(draft).where(draft.c.person_id == person_id, draft.c.rc == rc))
