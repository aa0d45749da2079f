"""Store the discrepancies of links, one row for each link and kind, recorded when the check found them.

A manager acknowledges a discrepancy with a note, which the link's history records too. When its facts change after
that, it is open again. One that no longer holds is deleted, unless somebody has acknowledged it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    UniqueConstraint,
    and_,
    bindparam,
    delete,
    exists,
    func,
    or_,
    select,
    union_all,
    update,
)

from dashboard.domain.discrepancies import DiscrepancyKind, Facts
from dashboard.domain.links import PAID
from dashboard.domain.money import NO_SUM, Sum
from dashboard.store.creation.possible_makers import is_possibly_ours
from dashboard.store.links.tables import NO_LONGER_KNOWN, link
from dashboard.store.once import once
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

discrepancy = Table(
    "discrepancy",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("link_id", String(36), ForeignKey("link.id"), nullable=False),
    Column("kind", String(12), nullable=False),
    Column("facts", JSON, nullable=False),
    Column("version", Integer, nullable=False),
    Column("found_at", Moment, nullable=False),
    Column("withdrawn_at", Moment),
    # The newest acknowledgement; the link's history has all of them.
    Column("acknowledged_at", Moment),
    Column("acknowledged_by", Integer, ForeignKey("person.id")),
    Column("note", Text),
    UniqueConstraint("link_id", "kind"),
)
_is_open = and_(discrepancy.c.withdrawn_at.is_(None), discrepancy.c.acknowledged_at.is_(None))
Index(
    "ix_discrepancy_open",
    discrepancy.c.kind,
    discrepancy.c.found_at,
    discrepancy.c.id,
    sqlite_where=_is_open,
    postgresql_where=_is_open,
)
_is_acknowledged = discrepancy.c.acknowledged_at.is_not(None)
#: The amounts of a link do not match, and nobody has acknowledged that yet.
IS_OPEN_MISMATCH = (discrepancy.c.kind == DiscrepancyKind.SUMS.value, _is_open)
#: Links of which that is so.
HAS_OPEN_MISMATCH = exists().where(discrepancy.c.link_id == link.c.id, *IS_OPEN_MISMATCH)
_WITH_OPEN_MISMATCH = select(discrepancy.c.link_id).where(
    discrepancy.c.link_id.in_(bindparam("link_ids", expanding=True)), *IS_OPEN_MISMATCH
)
#: While an intent of open outcome may have created a link, nothing says that it was made elsewhere (I6).
_may_be_said = or_(discrepancy.c.kind != DiscrepancyKind.ELSEWHERE, ~is_possibly_ours(discrepancy.c.link_id))
_OF_LINK = select(discrepancy).where(discrepancy.c.link_id == bindparam("link_id"))
_BY_KIND = select(discrepancy.c.kind, func.count()).where(_may_be_said).group_by(discrepancy.c.kind)
_OPEN_BY_KIND = _BY_KIND.where(_is_open)
#: A link whose amounts are not known is nobody's to check until the service sends them.
_WITH_AMOUNTS = discrepancy.c.kind != DiscrepancyKind.UNCHECKED
_LINKS_WITH_OPEN = select(discrepancy.c.link_id).where(_is_open, _may_be_said, _WITH_AMOUNTS)
_COUNT_WITH_OPEN = select(func.count()).select_from(link).where(link.c.id.in_(_LINKS_WITH_OPEN))
# Grouped by amount as well: SQL cannot add digits up exactly.
_AMOUNTS_BY_KIND = select(discrepancy.c.kind, link.c.total, func.count().label("links"))
_AMOUNTS_BY_KIND = _AMOUNTS_BY_KIND.join(link, link.c.id == discrepancy.c.link_id)
_AMOUNTS_BY_KIND = _AMOUNTS_BY_KIND.where(_is_open, _may_be_said, _WITH_AMOUNTS)
_AMOUNTS_BY_KIND = _AMOUNTS_BY_KIND.group_by(discrepancy.c.kind, link.c.total)
_ACKNOWLEDGED_BY_KIND = _BY_KIND.where(_is_acknowledged, discrepancy.c.withdrawn_at.is_(None))
Index(
    "ix_discrepancy_acknowledged_at",
    discrepancy.c.acknowledged_at,
    discrepancy.c.id,
    sqlite_where=_is_acknowledged,
    postgresql_where=_is_acknowledged,
)


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A discrepancy of a link. `version` grows whenever its facts change, and an acknowledgement names the one read.

    `withdrawn_at` is when it ceased to hold; `acknowledged_at`, `acknowledged_by` (a person's id) and `note` are None
    until somebody acknowledges this version.
    """

    id: int
    link_id: str
    kind: DiscrepancyKind
    facts: Facts
    version: int
    found_at: datetime
    withdrawn_at: datetime | None
    acknowledged_at: datetime | None
    acknowledged_by: int | None
    note: str | None

    @property
    def is_open(self) -> bool:
        return self.withdrawn_at is None and self.acknowledged_at is None


@dataclass(frozen=True, slots=True)
class ListedDiscrepancy(Discrepancy):
    """A discrepancy with what lists show of its link: vehicle, status as the service spells it, total and payment."""

    rc: str | None
    status: str
    is_unknown: bool
    total: Decimal | None
    paid_at: datetime | None


@dataclass(frozen=True, slots=True)
class LateLink:
    """A link with late money that is not PAID now, and the facts of that discrepancy."""

    facts: Facts
    status: str
    total: Decimal | None


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the list of a kind, newest first: the row that was shown last."""

    found_at: datetime
    discrepancy_id: int


@once
def of_link(connection: Connection, link_id: str) -> dict[DiscrepancyKind, Discrepancy]:
    """Return the discrepancies of a link by kind, withdrawn and acknowledged ones among them."""
    return {each.kind: each for each in map(_discrepancy, connection.execute(_OF_LINK, {"link_id": link_id}))}


@once
def with_open_mismatch(connection: Connection, link_ids: Iterable[str]) -> set[str]:
    """Return those of these links whose amounts do not match, unless somebody has acknowledged that."""
    wanted = list(link_ids)
    return set(connection.execute(_WITH_OPEN_MISMATCH, {"link_ids": wanted}).scalars()) if wanted else set()


def find(connection: Connection, discrepancy_id: int) -> Discrepancy | None:
    row = connection.execute(select(discrepancy).where(discrepancy.c.id == discrepancy_id)).one_or_none()
    return _discrepancy(row) if row is not None else None


def links_of(connection: Connection, discrepancy_ids: Iterable[int]) -> dict[int, str]:
    """Return the links of those of these discrepancies that there are, by id."""
    wanted = list(discrepancy_ids)
    query = select(discrepancy.c.id, discrepancy.c.link_id).where(discrepancy.c.id.in_(wanted))
    return dict(connection.execute(query).all()) if wanted else {}


def _discrepancy(row: Sequence[Any]) -> Discrepancy:
    discrepancy_id, link_id, kind, *rest = row
    return Discrepancy(discrepancy_id, link_id, DiscrepancyKind(kind), *rest)


def record(connection: Connection, link_id: str, kind: DiscrepancyKind, facts: Facts, at: datetime) -> None:
    """Record a discrepancy. The same facts again change nothing; other facts open it anew."""
    values = {"facts": facts, "found_at": at}
    if insert_if_absent(connection, discrepancy, link_id=link_id, kind=kind, version=1, **values):
        return
    query = select(discrepancy).where(discrepancy.c.link_id == link_id, discrepancy.c.kind == kind)
    stored = _discrepancy(connection.execute(query.with_for_update()).one())
    if stored.withdrawn_at is None and stored.facts == facts:
        return
    anew = {"withdrawn_at": None, "acknowledged_at": None, "acknowledged_by": None, "note": None}
    change = update(discrepancy).where(discrepancy.c.id == stored.id)
    connection.execute(change.values(version=stored.version + 1, **values, **anew))


def withdraw(connection: Connection, link_id: str, kinds: Iterable[DiscrepancyKind], at: datetime) -> None:
    """Record that discrepancies no longer hold: delete them, or mark those that somebody has acknowledged."""
    mine = (discrepancy.c.link_id == link_id, discrepancy.c.kind.in_(list(kinds)))
    connection.execute(delete(discrepancy).where(*mine, discrepancy.c.acknowledged_at.is_(None)))
    connection.execute(update(discrepancy).where(*mine, discrepancy.c.withdrawn_at.is_(None)).values(withdrawn_at=at))


def acknowledge(
    connection: Connection, discrepancy_id: int, version: int, *, person_id: int, note: str, at: datetime
) -> bool:
    """Acknowledge a version; False when it has changed since, was withdrawn or was acknowledged."""
    one = update(discrepancy).where(discrepancy.c.id == discrepancy_id, discrepancy.c.version == version, _is_open)
    values = {"acknowledged_at": at, "acknowledged_by": person_id, "note": note}
    return connection.execute(one.values(**values)).rowcount > 0


def reopen(connection: Connection, discrepancy_id: int, version: int) -> bool:
    """Take back that a version was acknowledged; False when it is not acknowledged now, or no longer holds.

    A duplicate is acknowledged with the alarm of all its links, which stands.
    """
    one = update(discrepancy).where(
        discrepancy.c.id == discrepancy_id,
        discrepancy.c.version == version,
        discrepancy.c.withdrawn_at.is_(None),
        discrepancy.c.kind != DiscrepancyKind.DUPLICATE,
        _is_acknowledged,
    )
    return connection.execute(one.values(acknowledged_at=None, acknowledged_by=None, note=None)).rowcount > 0


def acknowledge_duplicates(
    connection: Connection, link_ids: Iterable[str], *, person_id: int, note: str, at: datetime
) -> None:
    """Acknowledge the duplicate-link discrepancies of links whose alarms somebody acknowledged as one."""
    mine = (
        discrepancy.c.link_id.in_(list(link_ids)),
        discrepancy.c.kind == DiscrepancyKind.DUPLICATE,
        discrepancy.c.acknowledged_at.is_(None),
    )
    values = {"acknowledged_at": at, "acknowledged_by": person_id, "note": note}
    connection.execute(update(discrepancy).where(*mine).values(**values))


# Lists

_LISTED = select(discrepancy, link.c.rc, link.c.status, NO_LONGER_KNOWN, link.c.total, link.c.paid_at)
_LISTED = _LISTED.join(link, link.c.id == discrepancy.c.link_id)


def _listed(row: Sequence[Any]) -> ListedDiscrepancy:
    discrepancy_id, link_id, kind, *rest = row
    return ListedDiscrepancy(discrepancy_id, link_id, DiscrepancyKind(kind), *rest)


def count_open(connection: Connection) -> dict[str, int]:
    """Count by kind the discrepancies that nobody has acknowledged."""
    return {row.kind: row[1] for row in connection.execute(_OPEN_BY_KIND)}


def count_links_with_open(connection: Connection) -> int:
    """Count the links with a discrepancy that nobody has acknowledged and somebody should check."""
    return connection.execute(_COUNT_WITH_OPEN).scalar_one()


def add_up_open(connection: Connection) -> dict[str, Sum]:
    """Add up by kind the amounts of the links whose discrepancies nobody has acknowledged."""
    sums: dict[str, Sum] = {}
    for kind, total, links in connection.execute(_AMOUNTS_BY_KIND):
        several = Sum(Decimal(0), links) if total is None else Sum(total * links, 0)
        sums[kind] = sums.get(kind, NO_SUM) + several
    return sums


def count_acknowledged_open(connection: Connection) -> dict[str, int]:
    """Count by kind the discrepancies that were acknowledged and still hold."""
    return {row.kind: row[1] for row in connection.execute(_ACKNOWLEDGED_BY_KIND)}


def list_open(
    connection: Connection, kind: DiscrepancyKind, limit: int, place: Place | None = None
) -> list[ListedDiscrepancy]:
    """List the discrepancies of a kind that nobody has acknowledged, newest first, from below `place` on."""
    query = _LISTED.where(discrepancy.c.kind == kind, _is_open, _may_be_said)
    if place is not None:
        same = and_(discrepancy.c.found_at == place.found_at, discrepancy.c.id < place.discrepancy_id)
        query = query.where(or_(discrepancy.c.found_at < place.found_at, same))
    rows = connection.execute(query.order_by(discrepancy.c.found_at.desc(), discrepancy.c.id.desc()).limit(limit))
    return [_listed(row) for row in rows]


def open_of_links(connection: Connection, link_ids: Iterable[str]) -> dict[str, list[Discrepancy]]:
    """Return the discrepancies of links that nobody has acknowledged, by link id."""
    query = select(discrepancy).where(discrepancy.c.link_id.in_(list(link_ids)), _is_open, _may_be_said)
    found: dict[str, list[Discrepancy]] = {}
    for row in connection.execute(query.order_by(discrepancy.c.id)):
        found.setdefault(row.link_id, []).append(_discrepancy(row))
    return found


def find_open(connection: Connection, discrepancy_id: int) -> ListedDiscrepancy | None:
    """Return a discrepancy that nobody has acknowledged."""
    row = connection.execute(_LISTED.where(discrepancy.c.id == discrepancy_id, _is_open, _may_be_said)).one_or_none()
    return _listed(row) if row is not None else None


def list_acknowledged(connection: Connection, limit: int) -> list[ListedDiscrepancy]:
    """List acknowledged discrepancies, the newest acknowledgement first."""
    newest_first = (discrepancy.c.acknowledged_at.desc(), discrepancy.c.id.desc())
    rows = connection.execute(_LISTED.where(_is_acknowledged, _may_be_said).order_by(*newest_first).limit(limit))
    return [_listed(row) for row in rows]


def count_acknowledged(connection: Connection) -> int:
    query = select(func.count()).select_from(discrepancy).where(_is_acknowledged, _may_be_said)
    return int(connection.execute(query).scalar_one())


def late_links_not_paid(connection: Connection) -> list[LateLink]:
    """Return the links with late money that are not PAID now, whether somebody acknowledged that or not."""
    columns = (discrepancy.c.facts, link.c.status, link.c.total)
    late = select(*columns).join(link, link.c.id == discrepancy.c.link_id)
    late = late.where(discrepancy.c.kind == DiscrepancyKind.LATE, link.c.status != PAID)
    # Each half is read by an index of its own; no index serves both.
    acknowledged = late.where(_is_acknowledged, discrepancy.c.withdrawn_at.is_(None))
    return [LateLink(*row) for row in connection.execute(union_all(late.where(_is_open), acknowledged))]
