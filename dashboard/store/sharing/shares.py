"""Shares: which link was given to whom, by whom, when and how.

Append-only: whoever takes a share back adds an event to the link's history, and the queries leave the share out. Only
its driver is filled in later, if the typed number is saved as a driver.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Index,
    Integer,
    Select,
    String,
    Table,
    and_,
    bindparam,
    cast,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from dashboard.domain.links import PAID
from dashboard.domain.sharing import SENDS, Channel
from dashboard.store.links.tables import NO_LONGER_KNOWN, SHARE_CONFIRMED, SHARE_UNDONE, link, link_event
from dashboard.store.once import once
from dashboard.store.schema import metadata
from dashboard.store.sharing.drivers import driver
from dashboard.store.types import Moment

share = Table(
    "share",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("link_id", String(36), ForeignKey("link.id"), nullable=False),
    Column("driver_id", Integer, ForeignKey("driver.id")),
    Column("channel", String(10), nullable=False),
    Column("language", String(5)),
    Column("person_id", Integer, ForeignKey("person.id"), nullable=False),
    Column("at", Moment, nullable=False),
)
#: What the shares of one message have in common: who sent it to whom, how and when.
MessageKey = tuple[int, int | None, Channel, datetime]
_SENDS = [each.value for each in SENDS]
#: Among so many shares the drivers are found who were given links last.
_RECENT = 100
Index("ix_share_link_id_at", share.c.link_id, share.c.at)
Index("ix_share_driver_id_at", share.c.driver_id, share.c.at)
_LINK_IDS: BindParameter[Any] = bindparam("link_ids", expanding=True)
_RECENT_DRIVERS = select(share.c.driver_id).where(share.c.driver_id.is_not(None))
_RECENT_DRIVERS = _RECENT_DRIVERS.order_by(share.c.id.desc()).limit(_RECENT)


@dataclass(frozen=True, slots=True)
class Share:
    """One share of a link by a person. The driver is None where nobody in particular was given it."""

    id: int
    link_id: str
    driver_id: int | None
    driver_name: str | None
    channel: Channel
    person_id: int
    at: datetime
    is_confirmed: bool = False  # its sender has confirmed that the message was sent
    language: str | None = None  # of the message

    @property
    def is_unconfirmed(self) -> bool:
        """Return whether it is unknown if the message was sent: it was opened without a named recipient."""
        return self.driver_id is None and self.channel in SENDS and not self.is_confirmed


@dataclass(frozen=True, slots=True)
class DriverShare:
    """A share of a link with a driver, and what became of the link: its vehicle, status and total, None if unknown."""

    link_id: str
    channel: Channel
    person_id: int
    at: datetime
    rc: str | None
    status: str
    is_unknown: bool
    total: Decimal | None


def add(
    connection: Connection,
    *,
    link_id: str,
    driver_id: int | None,
    channel: Channel,
    language: str,
    person_id: int,
    at: datetime,
) -> int:
    """Record that a person shared a link, in the language of its message; return the id of the share."""
    values = {"link_id": link_id, "driver_id": driver_id, "channel": channel, "language": language}
    added = insert(share).values(**values, person_id=person_id, at=at).returning(share.c.id)
    return int(connection.execute(added).scalar_one())


def set_driver(connection: Connection, share_id: int, driver_id: int) -> None:
    """Name the driver of a share that had none."""
    connection.execute(
        update(share).where(share.c.id == share_id, share.c.driver_id.is_(None)).values(driver_id=driver_id)
    )


def stands() -> ColumnElement[bool]:
    """Hold for the shares that nobody has taken back."""
    return ~_has_event(SHARE_UNDONE)


def gives() -> ColumnElement[bool]:
    """Hold for the shares by which somebody has got the link.

    A message that was opened without a named recipient gives it to nobody until its sender says that it was sent.
    """
    is_sent = or_(share.c.driver_id.is_not(None), share.c.channel.not_in(_SENDS), _has_event(SHARE_CONFIRMED))
    return and_(stands(), is_sent)


def _has_event(kind: str) -> ColumnElement[bool]:
    about = (link_event.c.kind == kind, link_event.c.link_id == share.c.link_id)
    return exists().where(*about, link_event.c.new == cast(share.c.id, String))


def find(connection: Connection, link_id: str, share_id: int) -> Share | None:
    """Return a share of a link, also one that was taken back; None when the link has none of this id."""
    found = _read(connection, _select().where(share.c.link_id == link_id, share.c.id == share_id))
    return found[0] if found else None


def of_message(connection: Connection, of: Share) -> list[Share]:
    """Return the shares of the message that a share belongs to: those of all links that it named, recorded together."""
    if of.driver_id is None:
        return [of]
    query = _select().where(share.c.at == of.at, share.c.person_id == of.person_id, share.c.channel == of.channel)
    found = _read(connection, query.where(share.c.driver_id == of.driver_id, share.c.link_id != of.link_id))
    return [of, *{each.link_id: each for each in found}.values()]


def to_take_back(connection: Connection, of: Share) -> list[Share]:
    """Return the shares of `of_message` but for those of links that were paid meanwhile: these were sent after all."""
    found = of_message(connection, of)
    is_paid = select(link.c.id).where(link.c.id.in_([each.link_id for each in found]), link.c.status == PAID)
    paid = set(connection.execute(is_paid).scalars())
    return [each for each in found if each.link_id not in paid]


def message_sizes(connection: Connection, found: Iterable[Share]) -> dict[MessageKey, int]:
    """Return how many links the message of each of these shares named, without those that were paid meanwhile.

    Shares without a driver are no messages about several links.
    """
    shared = {message_of(each) for each in found if each.driver_id is not None}
    if not shared:
        return {}
    _people, driver_ids, _channels, moments = zip(*shared, strict=True)
    columns = (share.c.person_id, share.c.driver_id, share.c.channel, share.c.at)
    query = select(*columns, func.count(share.c.link_id.distinct())).group_by(*columns)
    query = query.join(link, link.c.id == share.c.link_id).where(link.c.status != PAID)
    rows = connection.execute(query.where(share.c.driver_id.in_(driver_ids), share.c.at.in_(moments), stands()))
    sizes = {(person, driver, Channel(channel), at): number for person, driver, channel, at, number in rows}
    return {each: sizes.get(each, 1) for each in shared}


def message_of(of: Share) -> MessageKey:
    """Return what the shares of one message have in common: they are recorded together."""
    return of.person_id, of.driver_id, of.channel, of.at


def last_message(connection: Connection, person_id: int, since: datetime) -> list[Share]:
    """Return the shares of the last message that a person recorded since a moment and did not take back.

    It is looked for among the newest shares of all people.
    """
    found = _read(connection, _last_message(), {"person_id": person_id, "since": since})
    return of_message(connection, found[0]) if found else []


@once
def of_link(connection: Connection, link_id: str, *, also_undone: bool = False) -> list[Share]:
    """Return the shares of a link, newest first."""
    return _read(connection, _of_link(also_undone=also_undone), {"link_id": link_id})


def of_driver(connection: Connection, driver_id: int, limit: int = 100) -> list[DriverShare]:
    """Return what a driver was given, newest first."""
    given = (share.c.link_id, share.c.channel, share.c.person_id, share.c.at)
    query = select(*given, link.c.rc, link.c.status, NO_LONGER_KNOWN, link.c.total)
    query = query.join(link, link.c.id == share.c.link_id).where(share.c.driver_id == driver_id, stands())
    rows = connection.execute(query.order_by(share.c.at.desc(), share.c.id.desc()).limit(limit))
    return [DriverShare(link_id, Channel(channel), *rest) for link_id, channel, *rest in rows]


@dataclass(frozen=True, slots=True)
class GivenTo:
    """A link that a driver was given, last at `given_at`: what became of it. `paid_at` is None unless it was paid."""

    driver_id: int
    link_id: str
    status: str
    is_unknown: bool
    total: Decimal | None
    paid_at: datetime | None
    expires_at: datetime | None
    given_at: datetime


def given_to_drivers(connection: Connection) -> list[GivenTo]:
    """Return every link that any driver was given, once for each driver."""
    return [GivenTo(*row) for row in connection.execute(_given_to_drivers())]


@once
def newest_of_links(connection: Connection, link_ids: Iterable[str]) -> dict[str, Share]:
    """Return the newest share by which somebody got each of these links, by link; the others are left out."""
    return {found.link_id: found for found in _read(connection, _given(), {"link_ids": list(link_ids)})}


def newest_messages_of_links(connection: Connection, link_ids: Iterable[str]) -> dict[str, Share]:
    """Return the newest message that went to somebody with each of these links, by link, whatever came after it."""
    query = _given().where(share.c.channel.in_(_SENDS))
    return {found.link_id: found for found in _read(connection, query, {"link_ids": list(link_ids)})}


@once
def unconfirmed_of_links(connection: Connection, link_ids: Iterable[str]) -> dict[str, Share]:
    """Return the newest share of each of these links, by link, where it is unconfirmed; the others are left out."""
    newest = {found.link_id: found for found in _read(connection, _standing(), {"link_ids": list(link_ids)})}
    return {link_id: found for link_id, found in newest.items() if found.is_unconfirmed}


def numbers(connection: Connection, link_ids: Iterable[str]) -> dict[str, int]:
    """Return how often each of these links was shared, by link; links never shared are left out."""
    return {row.link_id: row.number for row in connection.execute(_numbers(), {"link_ids": list(link_ids)})}


def last_drivers(connection: Connection, rcs: Iterable[str]) -> dict[str, list[int]]:
    """Return the ids of the drivers who were given links of these vehicles, by RC number, newest first."""
    found: dict[str, list[int]] = {}
    for rc, driver_id in connection.execute(_last_drivers(), {"rcs": list(rcs)}):
        found.setdefault(rc, []).append(driver_id)
    return found


def recent_drivers(connection: Connection) -> list[int]:
    """Return the ids of the drivers who were given links last, newest first."""
    return list(dict.fromkeys(connection.execute(_RECENT_DRIVERS).scalars()))


def last_driver_id(connection: Connection, link_id: str) -> int | None:
    """Return the driver who was given a link last; None when no driver was."""
    return connection.execute(_last_driver(), {"link_id": link_id}).scalar()


@cache
def _last_message() -> Select[Any]:
    newest = select(share.c.id).order_by(share.c.id.desc()).limit(_RECENT)
    mine = (share.c.person_id == bindparam("person_id"), share.c.at >= bindparam("since"))
    query = _select().where(share.c.id.in_(newest), *mine, stands())
    return query.order_by(share.c.at.desc(), share.c.id.desc()).limit(1)


@cache
def _given() -> Select[Any]:
    return _of_links().where(gives())


@cache
def _standing() -> Select[Any]:
    return _of_links().where(stands())


def _of_links() -> Select[Any]:
    return _select().where(share.c.link_id.in_(_LINK_IDS)).order_by(share.c.at, share.c.id)


@cache
def _numbers() -> Select[Any]:
    query = select(share.c.link_id, func.count().label("number")).group_by(share.c.link_id)
    return query.where(share.c.link_id.in_(_LINK_IDS), stands())


@cache
def _last_drivers() -> Select[Any]:
    query = select(link.c.rc, share.c.driver_id).join(link, link.c.id == share.c.link_id).order_by(share.c.id.desc())
    return query.where(link.c.rc.in_(bindparam("rcs", expanding=True)), share.c.driver_id.is_not(None), stands())


@cache
def _last_driver() -> Select[Any]:
    query = select(share.c.driver_id).order_by(share.c.at.desc(), share.c.id.desc()).limit(1)
    return query.where(share.c.link_id == bindparam("link_id"), share.c.driver_id.is_not(None), stands())


@cache
def _given_to_drivers() -> Select[Any]:
    facts = (link.c.status, NO_LONGER_KNOWN, link.c.total, link.c.paid_at, link.c.expires_at, func.max(share.c.at))
    query = select(share.c.driver_id, link.c.id, *facts).join(link, link.c.id == share.c.link_id)
    return query.where(share.c.driver_id.is_not(None), stands()).group_by(share.c.driver_id, link.c.id)


@cache
def _of_link(*, also_undone: bool) -> Select[Any]:
    query = _select().where(share.c.link_id == bindparam("link_id")).order_by(share.c.at.desc(), share.c.id.desc())
    return query if also_undone else query.where(stands())


def _select() -> Select[Any]:
    columns = (share.c.id, share.c.link_id, share.c.driver_id, driver.c.name, share.c.channel)
    facts = (share.c.person_id, share.c.at, _has_event(SHARE_CONFIRMED).label("is_confirmed"), share.c.language)
    return select(*columns, *facts).outerjoin(driver, driver.c.id == share.c.driver_id)


def _read(connection: Connection, query: Select[Any], given: Mapping[str, Any] | None = None) -> list[Share]:
    rows = connection.execute(query, given)
    return [
        Share(share_id, link_id, driver_id, driver_name, Channel(channel), person_id, at, bool(is_confirmed), language)
        for share_id, link_id, driver_id, driver_name, channel, person_id, at, is_confirmed, language in rows
    ]
