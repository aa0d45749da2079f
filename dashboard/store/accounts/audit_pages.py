"""Read the audit log page by page, newest first, by person, action, object and days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, Select, bindparam, func, select

from dashboard.store.accounts.audit import WITH_NAME, AuditEntry, audit


@dataclass(frozen=True, slots=True)
class AuditFilter:
    """Narrow the log; None leaves a part out. `without` are actions to leave out; `until` itself is outside."""

    person_id: int | None = None
    action: str | None = None
    subject: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    without: tuple[str, ...] | None = None

    def values(self) -> dict[str, Any]:
        """Return the parts that narrow the log."""
        parts = {each.name: getattr(self, each.name) for each in fields(self)}
        return {name: value for name, value in parts.items() if value is not None}


_PARTS = {
    "person_id": audit.c.person_id == bindparam("person_id"),
    "action": audit.c.action == bindparam("action"),
    "subject": audit.c.subject == bindparam("subject"),
    "since": audit.c.at >= bindparam("since"),
    "until": audit.c.at < bindparam("until"),
    "without": audit.c.action.not_in(bindparam("without", expanding=True)),
    "before": audit.c.id < bindparam("before"),
    "after": audit.c.id > bindparam("after"),
}


@lru_cache(maxsize=256)
def _query(parts: frozenset[str]) -> Select[Any]:
    order = audit.c.id.asc() if "after" in parts else audit.c.id.desc()
    return WITH_NAME.where(*(_PARTS[name] for name in sorted(parts))).order_by(order).limit(bindparam("most"))


def page(
    connection: Connection, narrowed: AuditFilter, limit: int, *, before: int | None = None, after: int | None = None
) -> list[AuditEntry]:
    """Return `limit` entries older than the entry `before`, or newer than `after`; newest first either way."""
    place = {"before": before} if before is not None else {"after": after} if after is not None else {}
    values: Mapping[str, Any] = {**narrowed.values(), **place}
    rows = connection.execute(_query(frozenset(values)), {**values, "most": limit}).all()
    entries = [AuditEntry(*row) for row in rows]
    return entries[::-1] if after is not None and before is None else entries


@lru_cache(maxsize=256)
def _count_query(parts: frozenset[str]) -> Select[Any]:
    found = select(audit.c.id).where(*(_PARTS[name] for name in sorted(parts))).limit(bindparam("most"))
    return select(func.count()).select_from(found.subquery())


def count(connection: Connection, narrowed: AuditFilter, most: int) -> int:
    """Count the entries, up to `most`: of a long log nobody needs to know the exact number."""
    values = narrowed.values()
    return int(connection.execute(_count_query(frozenset(values)), {**values, "most": most}).scalar_one())


def batches(read: Any, narrowed: AuditFilter, size: int = 500) -> Iterator[list[AuditEntry]]:
    """Yield all entries in batches; `read` opens a transaction for each, and none is held between them."""
    before = None
    while True:
        with read() as connection:
            found = page(connection, narrowed, size, before=before)
        if found:
            yield found
        if len(found) < size:
            return
        before = found[-1].id
