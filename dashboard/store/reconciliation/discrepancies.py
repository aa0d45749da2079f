"""What was found of links that somebody who answers for the money wants to know; computed when it was recorded.

One row for each link and kind. A manager ticks it off with a note, which the link's history keeps; when what was found
changes after that, it stands again. What is no longer so is forgotten, unless somebody ticked it off.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Row,
    String,
    Table,
    Text,
    UniqueConstraint,
    and_,
    delete,
    func,
    or_,
    select,
    union_all,
    update,
)

from dashboard.domain.discrepancies import DiscrepancyKind, Facts
from dashboard.domain.links import PAID
from dashboard.store.links.tables import link
from dashboard.store.schema import metadata
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

finding = Table(
    "finding",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("link_id", String(36), ForeignKey("link.id"), nullable=False),
    Column("kind", String(12), nullable=False),
    Column("facts", JSON, nullable=False),
    Column("version", Integer, nullable=False),  # Grows whenever what was found changes.
    Column("found_at", Moment, nullable=False),
    Column("gone_at", Moment),  # It is no longer so.
    # The newest tick; all of them are in the link's history.
    Column("seen_at", Moment),
    Column("seen_by", Integer, ForeignKey("person.id")),
    Column("note", Text),
    UniqueConstraint("link_id", "kind"),
)
_stands = and_(finding.c.gone_at.is_(None), finding.c.seen_at.is_(None))
Index(
    "ix_finding_standing",
    finding.c.kind,
    finding.c.found_at,
    finding.c.id,
    sqlite_where=_stands,
    postgresql_where=_stands,
)
_ticked = finding.c.seen_at.is_not(None)
Index("ix_finding_seen_at", finding.c.seen_at, finding.c.id, sqlite_where=_ticked, postgresql_where=_ticked)


@dataclass(frozen=True, slots=True)
class Place:
    """A place in the list of a kind, newest first: the row that was shown last."""

    found_at: datetime
    finding_id: int


def of_link(connection: Connection, link_id: str) -> dict[str, Row[Any]]:
    """What was found of a link, by kind."""
    query = select(finding).where(finding.c.link_id == link_id)
    return {row.kind: row for row in connection.execute(query)}


def find(connection: Connection, finding_id: int) -> Row[Any] | None:
    return connection.execute(select(finding).where(finding.c.id == finding_id)).one_or_none()


def record(connection: Connection, link_id: str, kind: DiscrepancyKind, facts: Facts, at: datetime) -> None:
    """Say that something was found. The same again changes nothing; anything else stands anew."""
    values = {"facts": facts, "found_at": at}
    if insert_if_absent(connection, finding, link_id=link_id, kind=kind, version=1, **values):
        return
    query = select(finding).where(finding.c.link_id == link_id, finding.c.kind == kind)
    row = connection.execute(query.with_for_update()).one()
    if row.gone_at is None and row.facts == facts:
        return
    fresh = {"version": row.version + 1, "gone_at": None, "seen_at": None, "seen_by": None, "note": None}
    connection.execute(update(finding).where(finding.c.id == row.id).values(**values, **fresh))


def withdraw(connection: Connection, link_id: str, kinds: Iterable[DiscrepancyKind], at: datetime) -> None:
    """Say that something is no longer so."""
    mine = (finding.c.link_id == link_id, finding.c.kind.in_(list(kinds)))
    connection.execute(delete(finding).where(*mine, finding.c.seen_at.is_(None)))
    connection.execute(update(finding).where(*mine, finding.c.gone_at.is_(None)).values(gone_at=at))


def see(
    connection: Connection, finding_id: int, version: int, *, person_id: int, note: str, at: datetime
) -> Row[Any] | None:
    """Tick off what a person has read; None when it has changed since, is gone or was ticked off."""
    standing = (finding.c.version == version, finding.c.gone_at.is_(None), finding.c.seen_at.is_(None))
    one = update(finding).where(finding.c.id == finding_id, *standing)
    ticked = one.values(seen_at=at, seen_by=person_id, note=note).returning(finding.c.link_id, finding.c.kind)
    return connection.execute(ticked).one_or_none()


def see_doubles(connection: Connection, link_ids: Iterable[str], *, person_id: int, note: str, at: datetime) -> None:
    """Tick off the alarms of links, which somebody took note of as one."""
    mine = (
        finding.c.link_id.in_(list(link_ids)),
        finding.c.kind == DiscrepancyKind.DOUBLE,
        finding.c.seen_at.is_(None),
    )
    connection.execute(update(finding).where(*mine).values(seen_at=at, seen_by=person_id, note=note))


# Asking

_SHOWN = (link.c.rc, link.c.status, link.c.total, link.c.paid_at, link.c.first_seen_at, link.c.created_at)


def standing_counts(connection: Connection) -> dict[str, int]:
    """How much of each kind nobody has ticked off."""
    query = select(finding.c.kind, func.count()).where(_stands).group_by(finding.c.kind)
    return {row.kind: row[1] for row in connection.execute(query)}


def ticked_counts(connection: Connection) -> dict[str, int]:
    """How much of each kind was ticked off, and is still so."""
    still = (_ticked, finding.c.gone_at.is_(None))
    query = select(finding.c.kind, func.count()).where(*still).group_by(finding.c.kind)
    return {row.kind: row[1] for row in connection.execute(query)}


def standing(
    connection: Connection, kind: DiscrepancyKind, limit: int, place: Place | None = None
) -> Sequence[Row[Any]]:
    """What of a kind nobody has ticked off, newest first, with what is shown of each link."""
    query = select(finding, *_SHOWN).join(link, link.c.id == finding.c.link_id).where(finding.c.kind == kind, _stands)
    if place is not None:
        same = and_(finding.c.found_at == place.found_at, finding.c.id < place.finding_id)
        query = query.where(or_(finding.c.found_at < place.found_at, same))
    return connection.execute(query.order_by(finding.c.found_at.desc(), finding.c.id.desc()).limit(limit)).all()


def find_standing(connection: Connection, finding_id: int) -> Row[Any] | None:
    """One that nobody has ticked off, with what is shown of its link."""
    query = select(finding, *_SHOWN).join(link, link.c.id == finding.c.link_id)
    return connection.execute(query.where(finding.c.id == finding_id, _stands)).one_or_none()


def seen(connection: Connection, limit: int) -> Sequence[Row[Any]]:
    """What was ticked off, the newest tick first, with what is shown of each link."""
    query = select(finding, *_SHOWN).join(link, link.c.id == finding.c.link_id).where(_ticked)
    return connection.execute(query.order_by(finding.c.seen_at.desc(), finding.c.id.desc()).limit(limit)).all()


def count_seen(connection: Connection) -> int:
    return int(connection.execute(select(func.count()).select_from(finding).where(_ticked)).scalar_one())


def unsaid(connection: Connection) -> Sequence[Row[*tuple[Any, ...]]]:
    """The facts of all links that came late or were PAID, and are not PAID now; whether ticked off or not."""
    columns = (finding.c.facts, link.c.status, link.c.total)
    late = select(*columns).join(link, link.c.id == finding.c.link_id)
    late = late.where(finding.c.kind == DiscrepancyKind.LATE, link.c.status != PAID)
    # Either half has an index of its own, and both together none.
    ticked = late.where(_ticked, finding.c.gone_at.is_(None))
    return connection.execute(union_all(late.where(_stands), ticked)).all()
