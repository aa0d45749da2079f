"""Find duplicate links, which cover the same challans, so that money may be paid twice; and read their alarms.

An alarm is an event of the link that came to cover what another one covered. Acknowledging it is a later event of the
same link; a newer alarm has to be acknowledged anew.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any

from sqlalchemy import Column, Connection, Select, bindparam, exists, func, select, text, union_all

from dashboard.domain.links import ENDED_STATUSES, PAID, is_ended, is_live
from dashboard.store.links.records import EVENT_COLUMNS, LINK_COLUMNS, Link, LinkEvent
from dashboard.store.links.tables import (
    DUPLICATE,
    DUPLICATE_ACKNOWLEDGED,
    LIVE,
    NO_LONGER_KNOWN,
    link,
    link_challan,
    link_event,
)
from dashboard.store.once import once

_theirs = link_challan.alias("theirs")
#: The ids of the other links that cover a challan of a link.
_OTHERS = select(_theirs.c.link_id).where(
    _theirs.c.challan_id.in_(select(link_challan.c.challan_id).where(link_challan.c.link_id == bindparam("link_id"))),
    _theirs.c.link_id != bindparam("link_id"),
)
_OTHER_LINKS = select(*LINK_COLUMNS).where(link.c.id.in_(_OTHERS)).order_by(link.c.first_seen_at, link.c.id)
_LIVE_OTHERS = select(link.c.id).where(link.c.id.in_(_OTHERS), LIVE)
_mine = link_challan.c.link_id
_is_one_of_links = _mine.in_(bindparam("link_ids", expanding=True))
_shown = link.c.id, link.c.status, NO_LONGER_KNOWN, link.c.created_at, link.c.first_seen_at, link.c.total
_OF_LINKS = select(_mine.label("of"), *_shown).select_from(link_challan).distinct()
_OF_LINKS = _OF_LINKS.join(_theirs, _theirs.c.challan_id == link_challan.c.challan_id)
_OF_LINKS = _OF_LINKS.join(link, link.c.id == _theirs.c.link_id).where(_is_one_of_links, link.c.id != _mine)
_OF_LINKS = _OF_LINKS.order_by(link.c.first_seen_at, link.c.id)
# Two joins in a row: SQLite would go through all links for one of the other two together.
_holders = link_challan.outerjoin(
    _theirs, (_theirs.c.challan_id == link_challan.c.challan_id) & (_theirs.c.link_id != _mine)
).outerjoin(link, (link.c.id == _theirs.c.link_id) & link.c.status.not_in(ENDED_STATUSES) & ~NO_LONGER_KNOWN)
_HOLDING = select(_mine, link_challan.c.challan_id, *_shown).select_from(_holders).where(_is_one_of_links)
_HOLDING = _HOLDING.order_by(link.c.first_seen_at, link.c.id)
_SHARED = select(_mine, link_challan.c.position, link_challan.c.challan_no).select_from(link_challan).distinct()
_SHARED = _SHARED.join(_theirs, (_theirs.c.challan_id == link_challan.c.challan_id) & (_theirs.c.link_id != _mine))
_SHARED = _SHARED.join(link, link.c.id == _theirs.c.link_id).where(_is_one_of_links)
_SHARED = _SHARED.where(link.c.status.not_in(ENDED_STATUSES)).order_by(_mine, link_challan.c.position)
_ALARM_EVENTS = (
    select(*EVENT_COLUMNS)
    .where(
        link_event.c.kind.in_([DUPLICATE, DUPLICATE_ACKNOWLEDGED]),
        link_event.c.link_id.in_(bindparam("link_ids", expanding=True)),
    )
    .order_by(link_event.c.id)
)
_note = link_event.alias("note")
_is_acknowledged = exists().where(
    _note.c.kind == DUPLICATE_ACKNOWLEDGED, _note.c.link_id == link_event.c.link_id, _note.c.id > link_event.c.id
)
#: The links with an alarm that nobody has acknowledged, and below each the links that it is about.
_ALARMS = select(link_event.c.link_id).where(link_event.c.kind == DUPLICATE, ~_is_acknowledged).distinct()
_alarms = _ALARMS.subquery("alarm")
_about_alarms = _alarms.outerjoin(link_challan, link_challan.c.link_id == _alarms.c.link_id)
_about_alarms = _about_alarms.outerjoin(_theirs, _theirs.c.challan_id == link_challan.c.challan_id)
_alarmed_id = func.coalesce(_theirs.c.link_id, _alarms.c.link_id)
#: Links that such an alarm is about.
HAS_ALARM = link.c.id.in_(select(_alarmed_id).select_from(_about_alarms))
_with_duplicate, _their_link = link_challan.alias("with_duplicate"), link.alias("their_link")
_alarm = link_event.alias("alarm_event")
# Duplicates are looked for beside the alarms, acknowledged or not: these are few, and links are many.
_pairs = _alarm.join(_with_duplicate, _with_duplicate.c.link_id == _alarm.c.link_id)
_pairs = _pairs.join(
    _theirs,
    (_theirs.c.challan_id == _with_duplicate.c.challan_id) & (_theirs.c.link_id != _with_duplicate.c.link_id),
)


def _paid_duplicates(of: Column[Any], paid: Column[Any]) -> Select[Any]:
    # Written so that the database does not use the index of statuses: most links of an old ledger are PAID.
    is_paid = func.coalesce(_their_link.c.status, "") == PAID
    pairs = select(of).select_from(_pairs.join(_their_link, _their_link.c.id == paid))
    return pairs.where(_alarm.c.kind == DUPLICATE, is_paid)


#: Links with a challan that was paid with another link: nobody is sent them any more.
HAS_PAID_DUPLICATE = link.c.id.in_(
    union_all(
        _paid_duplicates(_alarm.c.link_id, _theirs.c.link_id), _paid_duplicates(_theirs.c.link_id, _alarm.c.link_id)
    )
)
_WITH_ALARM = select(link.c.id).where(link.c.id.in_(bindparam("link_ids", expanding=True)), HAS_ALARM)
#: The key of an advisory lock in PostgreSQL; nothing else in this database uses it.
_DETECTION_LOCK = 0xD0B1E


@dataclass(frozen=True, slots=True)
class AlarmedLink:
    """A link that an alarm is about. `alarm_of` is the link whose event the alarm is, which may be this one itself."""

    alarm_of: str
    id: str
    rc: str | None
    status: str
    is_unknown: bool
    status_since: datetime
    created_at: datetime | None
    first_seen_at: datetime
    total: Decimal | None

    @property
    def made_at(self) -> datetime:
        return self.created_at or self.first_seen_at


@dataclass(frozen=True, slots=True)
class DuplicateLink:
    """A link that covers a challan of the link `of`."""

    of: str
    id: str
    status: str
    is_unknown: bool
    created_at: datetime | None
    first_seen_at: datetime
    total: Decimal | None

    @property
    def made_at(self) -> datetime:
        return self.created_at or self.first_seen_at


def unacknowledged(connection: Connection) -> list[AlarmedLink]:
    """Return the links that alarms are about which nobody has acknowledged, oldest first.

    Duplicates of a link with an alarm are left out once they have ended. One query, over an index.
    """
    return [AlarmedLink(*row) for row in connection.execute(_unacknowledged())]


@cache  # It takes a millisecond to build, and every page asks it.
def _unacknowledged() -> Select[Any]:
    about = _about_alarms.join(link, link.c.id == _alarmed_id)
    state = link.c.status, NO_LONGER_KNOWN.label("is_unknown"), link.c.status_since
    shown = link.c.id, link.c.rc, *state, link.c.created_at, link.c.first_seen_at, link.c.total
    query = select(_alarms.c.link_id.label("alarm_of"), *shown).select_from(about).distinct()
    query = query.where((link.c.id == _alarms.c.link_id) | link.c.status.not_in(ENDED_STATUSES))
    return query.order_by(link.c.first_seen_at, link.c.id)


@once
def with_alarm(connection: Connection, link_ids: list[str]) -> set[str]:
    """Return those of these links that an alarm is about which nobody has acknowledged."""
    return set(connection.execute(_WITH_ALARM, {"link_ids": link_ids}).scalars()) if link_ids else set()


@once
def of_link(connection: Connection, link_id: str) -> list[Link]:
    """Return the other links that cover a challan of this one, oldest first."""
    return [Link(*row) for row in connection.execute(_OTHER_LINKS, {"link_id": link_id})]


def ended_of(connection: Connection, link_id: str) -> list[Link]:
    """Return the ended links among the duplicates of a link: they may still be paid late."""
    return [other for other in of_link(connection, link_id) if is_ended(other.status)]


def is_beside_payable(connection: Connection, link_id: str) -> bool:
    """Return whether another link on one of the challans of a link can be paid, as far as the service knows it."""
    return any(is_live(other.status) and not other.is_unknown for other in of_link(connection, link_id))


@once
def of_links(connection: Connection, link_ids: Iterable[str]) -> dict[str, list[DuplicateLink]]:
    """Return the same for several links, by their ids."""
    found: dict[str, list[DuplicateLink]] = {}
    for row in connection.execute(_OF_LINKS, {"link_ids": list(link_ids)}):
        found.setdefault(row.of, []).append(DuplicateLink(*row))
    return found


def holding_all_of(connection: Connection, link_ids: Iterable[str]) -> dict[str, list[DuplicateLink]]:
    """Return the links, payable or paid, that hold all challans of each ended link, by its id, oldest first.

    An ended link is left out while one of its challans is on none of them.
    """
    found: dict[str, dict[str, DuplicateLink]] = {}
    covered, held = set(), set()
    for of, challan_id, *holder in connection.execute(_HOLDING, {"link_ids": list(link_ids)}):
        covered.add((of, challan_id))
        if holder[0] is not None:
            held.add((of, challan_id))
            found.setdefault(of, {})[holder[0]] = DuplicateLink(of, *holder)
    free = {of for of, _challan_id in covered - held}
    return {of: list(holders.values()) for of, holders in found.items() if of not in free}


def shared_numbers(connection: Connection, link_ids: Iterable[str]) -> dict[str, list[str | None]]:
    """Return the numbers of the challans that links, by their ids, share with others that have not ended."""
    found: dict[str, list[str | None]] = {}
    for link_id, _position, number in connection.execute(_SHARED, {"link_ids": list(link_ids)}):
        found.setdefault(link_id, []).append(number)
    return found


def shared_challans(connection: Connection, link_id: str, *, paid: bool = False) -> set[str]:
    """Return the challans of a link that others cover too: others that have not ended, or that are `paid`."""
    counts = link.c.status == PAID if paid else link.c.status.not_in(ENDED_STATUSES)
    both = select(link_challan.c.challan_id).where(link_challan.c.link_id == link_id)
    both = both.join(_theirs, (_theirs.c.challan_id == link_challan.c.challan_id) & (_theirs.c.link_id != link_id))
    both = both.join(link, link.c.id == _theirs.c.link_id).where(counts)
    return set(connection.execute(both).scalars())


def live_duplicates(connection: Connection, link_id: str) -> list[str]:
    """Return the other links that cover a challan of a link and can still be paid, as far as is known."""
    return list(connection.execute(_LIVE_OTHERS, {"link_id": link_id}).scalars())


def live_at_once(connection: Connection, row: Link, asked_at: datetime) -> set[str]:
    """Return the challans of a link, live when it was asked for, that are on another link which was live as well.

    Only answers count that were asked for once both links were known. A pair with an alarm since then is left out.
    """
    alarmed = exists().where(
        link_event.c.kind == DUPLICATE,
        link_event.c.link_id.in_([link.c.id, row.id]),
        link_event.c.at >= link.c.first_seen_at,
        link_event.c.at >= row.first_seen_at,
    )
    both = select(link_challan.c.challan_id).where(link_challan.c.link_id == row.id)
    both = both.join(_theirs, (_theirs.c.challan_id == link_challan.c.challan_id) & (_theirs.c.link_id != row.id))
    both = both.join(link, link.c.id == _theirs.c.link_id).where(LIVE, func.coalesce(link.c.not_found, 0) == 0)
    asked_late = (link.c.asked_at >= link.c.first_seen_at, link.c.asked_at >= row.first_seen_at)
    both = both.where(*asked_late, link.c.first_seen_at <= asked_at, ~alarmed)
    return set(connection.execute(both).scalars()) if asked_at >= row.first_seen_at else set()


def alarm_events(connection: Connection, link_ids: Iterable[str]) -> list[LinkEvent]:
    """Return the alarms of links and their acknowledgements, oldest first."""
    return [LinkEvent(*row) for row in connection.execute(_ALARM_EVENTS, {"link_ids": list(link_ids)})]


def lock_detection(connection: Connection) -> None:
    """Serialize duplicate detection until the transaction ends, so that no two can each miss the other's link."""
    if connection.dialect.name == "postgresql":  # SQLite has one writer at a time anyway.
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _DETECTION_LOCK})


def lock_alarms(connection: Connection, link_ids: Iterable[str]) -> None:
    """Let nobody else record an alarm of these links until the transaction ends."""
    locked = select(link.c.id).where(link.c.id.in_(list(link_ids))).order_by(link.c.id)
    connection.execute(locked.with_for_update(key_share=True)).all()
