"""Store that a person lets one call of bulk work try a spent allowance; a row for each group of calls."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Column, Connection, String, Table, bindparam, select

from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent, insert_or_change

asked_try = Table(
    "asked_try",
    metadata,
    Column("call_group", String(10), primary_key=True),
    Column("state", String(10)),
    Column("at", Moment),
)


class TryState(StrEnum):
    """Name how far a try came. REFUSED and OVER are final: the service said the same again, or anything else."""

    ASKED = "asked"
    UNDER_WAY = "under_way"
    REFUSED = "refused"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class AskedTry:
    """Hold the latest try of a group, and when it came to its state."""

    state: TryState
    at: datetime


_ONE = select(asked_try.c.state, asked_try.c.at).where(asked_try.c.call_group == bindparam("of_group"))
_LOCKED = _ONE.with_for_update()


def find(connection: Connection, call_group: str) -> AskedTry | None:
    """Return the latest try of a group, if there was one."""
    return _try(connection.execute(_ONE, {"of_group": call_group}).one_or_none())


def find_locked(connection: Connection, call_group: str) -> AskedTry | None:
    """Return the same; no other transaction can change it until this one ends."""
    insert_if_absent(connection, asked_try, call_group=call_group)
    return _try(connection.execute(_LOCKED, {"of_group": call_group}).one())


def save(connection: Connection, call_group: str, state: TryState, at: datetime) -> None:
    insert_or_change(connection, asked_try, {"call_group": call_group}, state=state, at=at)


def _try(row: Sequence[Any] | None) -> AskedTry | None:
    if row is None or row[0] is None:
        return None
    return AskedTry(TryState(row[0]), row[1])
