"""Links that hold the same challans, so that money may be paid twice: the alarms, and who took note of them.

An alarm is an event of the link that came to hold what another one held. Taking note of it is an event after it; a
newer alarm stands again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, exists, func, select, text

from dashboard.domain.links import ENDED_STATUSES, PAID
from dashboard.store.links.records import EVENT_COLUMNS, LINK_COLUMNS, Link, LinkEvent
from dashboard.store.links.tables import DOUBLE, DOUBLE_SEEN, link, link_challan, link_event

_theirs = link_challan.alias("theirs")
#: The key of an advisory lock in PostgreSQL; nothing else in this database uses it.
_DETECTION_LOCK = 0xD0B1E


@dataclass(frozen=True, slots=True)
class AlarmedLink:
    """A link that an alarm is about. `doubled` is the link whose alarm it is, which may be this one itself."""

    doubled: str
    id: str
    rc: str | None
    status: str
    status_since: datetime
    created_at: datetime | None
    first_seen_at: datetime

    @property
    def made_at(self) -> datetime:
        return self.created_at or self.first_seen_at


@dataclass(frozen=True, slots=True)
class DuplicateLink:
    """A link that covers a challan of the link `of`."""

    of: str
    id: str
    status: str
    created_at: datetime | None
    first_seen_at: datetime

    @property
    def made_at(self) -> datetime:
        return self.created_at or self.first_seen_at


def standing(connection: Connection) -> list[AlarmedLink]:
    """The alarms that nobody took note of, each with the links it is about; of the others, those seen ended are left
    out. One query, over an index.
    """
    seen = link_event.alias("seen")
    later = (seen.c.kind == DOUBLE_SEEN, seen.c.link_id == link_event.c.link_id, seen.c.id > link_event.c.id)
    alarm = select(link_event.c.link_id).where(link_event.c.kind == DOUBLE, ~exists().where(*later)).distinct()
    alarms = alarm.subquery("alarm")
    about = alarms.outerjoin(link_challan, link_challan.c.link_id == alarms.c.link_id)
    about = about.outerjoin(_theirs, _theirs.c.challan_id == link_challan.c.challan_id)
    about = about.join(link, link.c.id == func.coalesce(_theirs.c.link_id, alarms.c.link_id))
    shown = link.c.id, link.c.rc, link.c.status, link.c.status_since, link.c.created_at, link.c.first_seen_at
    query = select(alarms.c.link_id.label("doubled"), *shown).select_from(about).distinct()
    query = query.where((link.c.id == alarms.c.link_id) | link.c.status.not_in(ENDED_STATUSES))
    return [AlarmedLink(*row) for row in connection.execute(query.order_by(link.c.first_seen_at, link.c.id))]


def sharing(connection: Connection, link_id: str) -> list[Link]:
    """The other links that cover a challan of this one, oldest first."""
    mine = select(link_challan.c.challan_id).where(link_challan.c.link_id == link_id)
    others = select(_theirs.c.link_id).where(_theirs.c.challan_id.in_(mine), _theirs.c.link_id != link_id)
    query = select(*LINK_COLUMNS).where(link.c.id.in_(others)).order_by(link.c.first_seen_at, link.c.id)
    return [Link(*row) for row in connection.execute(query)]


def sharing_any(connection: Connection, link_ids: Iterable[str]) -> dict[str, list[DuplicateLink]]:
    """The same for several links at once, by their ids: what is shown of the others."""
    mine = link_challan.c.link_id.in_(list(link_ids))
    shown = link.c.id, link.c.status, link.c.created_at, link.c.first_seen_at
    query = select(link_challan.c.link_id.label("of"), *shown).select_from(link_challan).distinct()
    query = query.join(_theirs, _theirs.c.challan_id == link_challan.c.challan_id)
    query = query.join(link, link.c.id == _theirs.c.link_id).where(mine, link.c.id != link_challan.c.link_id)
    found: dict[str, list[DuplicateLink]] = {}
    for row in connection.execute(query.order_by(link.c.first_seen_at, link.c.id)):
        found.setdefault(row.of, []).append(DuplicateLink(*row))
    return found


def shared_challans(connection: Connection, link_id: str, *, paid: bool = False) -> set[str]:
    """The challans of a link that other links cover as well: those not seen ended, or those that were `paid`."""
    counts = link.c.status == PAID if paid else link.c.status.not_in(ENDED_STATUSES)
    both = select(link_challan.c.challan_id).where(link_challan.c.link_id == link_id)
    both = both.join(_theirs, (_theirs.c.challan_id == link_challan.c.challan_id) & (_theirs.c.link_id != link_id))
    both = both.join(link, link.c.id == _theirs.c.link_id).where(counts)
    return set(connection.execute(both).scalars())


def events(connection: Connection, link_ids: Iterable[str]) -> list[LinkEvent]:
    """The alarms of links, and who took note of them, oldest first."""
    query = select(*EVENT_COLUMNS).where(link_event.c.kind.in_([DOUBLE, DOUBLE_SEEN]))
    query = query.where(link_event.c.link_id.in_(list(link_ids))).order_by(link_event.c.id)
    return [LinkEvent(*row) for row in connection.execute(query)]


def lock_detection(connection: Connection) -> None:
    """Serialize duplicate detection until the transaction ends, so that no two can each miss the other's link."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time anyway.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _DETECTION_LOCK})


def lock(connection: Connection, link_ids: Iterable[str]) -> None:
    """Let nobody record an alarm of these links until this transaction ends."""
    locked = select(link.c.id).where(link.c.id.in_(list(link_ids))).order_by(link.c.id)
    connection.execute(locked.with_for_update(key_share=True)).all()
