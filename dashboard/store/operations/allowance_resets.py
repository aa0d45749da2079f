"""At which hour of the day an allowance comes back, and the refusals that have not ended yet; a row for each group."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, Integer, Row, String, Table, bindparam, select, update

from dashboard.domain.allowance_resets import Refusals, Reset
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

allowance_reset = Table(
    "allowance_reset",
    metadata,
    Column("call_group", String(10), primary_key=True),
    Column("after_minute", Integer),  # Minutes of the Indian day; empty while no return was seen.
    Column("by_minute", Integer),
    Column("days", Integer),
    Column("seen_at", Moment),
    Column("refused_since", Moment),  # While the service refuses.
    Column("refused_at", Moment),
)


@dataclass(frozen=True, slots=True)
class Known:
    """Hold the hour at which a group's allowance comes back, and the refusals since it last did."""

    reset: Reset | None = None
    refusals: Refusals | None = None


_ALL = select(allowance_reset)
_ONE = select(allowance_reset).where(allowance_reset.c.call_group == bindparam("of_group"))
_LOCKED = _ONE.with_for_update()
_SAVED = update(allowance_reset).where(allowance_reset.c.call_group == bindparam("of_group"))


def read_all(connection: Connection) -> dict[str, Reset | None]:
    """Return when the allowances come back, by group; None, or no entry, while no return was seen."""
    return {row.call_group: _known(row).reset for row in connection.execute(_ALL)}


def find(connection: Connection, call_group: str) -> Reset | None:
    row = connection.execute(_ONE, {"of_group": call_group}).first()
    return _known(row).reset if row is not None else None


def find_locked(connection: Connection, call_group: str) -> Known:
    """Return the row of a group, entered when absent; no other transaction can change it until this one ends."""
    insert_if_absent(connection, allowance_reset, call_group=call_group)
    return _known(connection.execute(_LOCKED, {"of_group": call_group}).one())


def save(connection: Connection, call_group: str, known: Known) -> None:
    reset, refusals = known.reset, known.refusals
    values = {
        "after_minute": reset.after if reset else None,
        "by_minute": reset.by if reset else None,
        "days": reset.days if reset else None,
        "seen_at": reset.seen_at if reset else None,
        "refused_since": refusals.since if refusals else None,
        "refused_at": refusals.latest_at if refusals else None,
    }
    connection.execute(_SAVED, {"of_group": call_group, **values})


def end_refusals(connection: Connection, call_group: str | None = None) -> None:
    """Forget the refusals that have not ended, of one group or all, so that the next granted call shows no return."""
    ended = update(allowance_reset).values(refused_since=None, refused_at=None)
    connection.execute(ended if call_group is None else ended.where(allowance_reset.c.call_group == call_group))


def _known(row: Row[Any]) -> Known:
    reset = Reset(row.after_minute, row.by_minute, row.days, row.seen_at) if row.after_minute is not None else None
    return Known(reset, Refusals(row.refused_since, row.refused_at) if row.refused_since is not None else None)
