"""Store what came of each check of the assumptions A1 to A8: who made it, when, and what they saw."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime

from sqlalchemy import Column, Connection, ForeignKey, Index, Integer, String, Table, Text, func, insert, select

from dashboard.domain.assumptions import AssumptionOutcome
from dashboard.store.schema import metadata
from dashboard.store.types import Moment

assumption_check = Table(
    "assumption_check",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("code", String(2), nullable=False),
    Column("at", Moment, nullable=False),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("outcome", String(10), nullable=False),
    Column("note", Text, nullable=False),
)
Index("ix_assumption_check_code_id", assumption_check.c.code, assumption_check.c.id)

#: So many checks of each assumption are shown; all are stored.
_MOST = 5


@dataclass(frozen=True, slots=True)
class AssumptionCheck:
    """A check of the assumption `code`. `note` is "" where the person wrote nothing."""

    code: str
    at: datetime
    person_id: int
    outcome: AssumptionOutcome
    note: str


_place = func.row_number().over(partition_by=assumption_check.c.code, order_by=assumption_check.c.id.desc())
_NUMBERED = select(assumption_check, _place.label("place")).subquery()
_NEWEST = (
    select(*(_NUMBERED.c[each.name] for each in fields(AssumptionCheck)))
    .where(_NUMBERED.c.place <= _MOST)
    .order_by(_NUMBERED.c.code, _NUMBERED.c.id.desc())
)


def add(connection: Connection, code: str, at: datetime, person_id: int, outcome: AssumptionOutcome, note: str) -> None:
    """Store a check."""
    values = {"code": code, "at": at, "person_id": person_id, "outcome": str(outcome), "note": note}
    connection.execute(insert(assumption_check).values(**values))


def newest(connection: Connection) -> Mapping[str, Sequence[AssumptionCheck]]:
    """Return the newest checks of each assumption that was ever checked, newest first."""
    found: dict[str, list[AssumptionCheck]] = defaultdict(list)
    for code, at, person_id, outcome, note in connection.execute(_NEWEST):
        found[code].append(AssumptionCheck(code, at, person_id, AssumptionOutcome(outcome), note))
    return found
