"""Store the selection of each person for each vehicle: the challans ticked and the hours typed, not sent yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import JSON, Column, Connection, ForeignKey, Integer, String, Table, bindparam, delete, select

from dashboard.domain.registration import MAX_LENGTH
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_or_change

#: How much of the hours, as typed, is stored; and of the number of a tick.
MAX_HOURS_TEXT = 12
MAX_STEP = 60

selection = Table(
    "selection",
    metadata,
    Column("person_id", Integer, ForeignKey("person.id"), primary_key=True),
    Column("rc", String(MAX_LENGTH), primary_key=True),
    Column("challan_ids", JSON, nullable=False),
    Column("hours", String(MAX_HOURS_TEXT), nullable=False),
    Column("saved_at", Moment, nullable=False),
    Column("step", String(MAX_STEP)),
    Column("link_id", String(36)),
)

_MINE = select(selection.c.challan_ids, selection.c.hours, selection.c.saved_at, selection.c.step, selection.c.link_id)
_MINE = _MINE.where(selection.c.person_id == bindparam("person_id"), selection.c.rc == bindparam("rc"))
_MINE_LOCKED = _MINE.with_for_update()


@dataclass(frozen=True, slots=True)
class Selection:
    """Hold what one person has selected for one vehicle."""

    challan_ids: tuple[str, ...]  #: In the order in which links will take them.
    hours: str  #: As typed; "" for nothing.
    saved_at: datetime | None = None  #: None for an empty one.
    step: str = ""  #: "<page>.<number>" of the tick that saved it; "" when no script counted.
    link_id: str | None = None  #: The link that took the first challans of the plan whose rest this is.


def find(connection: Connection, person_id: int, rc: str, *, to_change: bool = False) -> Selection | None:
    """Return the selection, if there is one; `to_change` locks its row until the transaction ends."""
    mine = {"person_id": person_id, "rc": rc}
    row = connection.execute(_MINE_LOCKED if to_change else _MINE, mine).one_or_none()
    return Selection(tuple(row.challan_ids), row.hours, row.saved_at, row.step or "", row.link_id) if row else None


def save(
    connection: Connection,
    person_id: int,
    rc: str,
    challan_ids: Sequence[str],
    hours: str,
    at: datetime,
    *,
    step: str = "",
    link_id: str | None = None,
) -> None:
    """Save a selection; an empty one that no script counted deletes the row.

    An empty one is written too before it is deleted, because writing waits for the other request of a double click.
    """
    key = {"person_id": person_id, "rc": rc}
    values = {
        "challan_ids": list(challan_ids),
        "hours": hours,
        "saved_at": at,
        "step": step or None,
        "link_id": link_id,
    }
    insert_or_change(connection, selection, key, **values)
    if not challan_ids and not step:
        connection.execute(delete(selection).where(selection.c.person_id == person_id, selection.c.rc == rc))
