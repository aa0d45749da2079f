"""The follow-up queue: links that can still be paid and end soon, or that nobody was given; and notes on links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    ForeignKey,
    Integer,
    Select,
    String,
    Table,
    and_,
    bindparam,
    exists,
    func,
    null,
    or_,
    select,
    update,
)

from dashboard.domain import follow_up as domain
from dashboard.domain.follow_up import ENDS_SOON, LAST_HOURS, RESTS, RESTS_AT_LAST
from dashboard.store.links import links
from dashboard.store.links.listing import IS_DOUBTFUL, NOT_SENT, Place
from dashboard.store.links.tables import COPIED, LIVE, NO_LONGER_KNOWN, link, link_event
from dashboard.store.links.totals import Total, add, adding_up, less, total_of
from dashboard.store.schema import metadata
from dashboard.store.sharing import ended_links, shares
from dashboard.store.sharing.drivers import driver_vehicle
from dashboard.store.sharing.shares import share
from dashboard.store.types import Moment
from dashboard.store.upserts import insert_if_absent

#: The kind of a link's event that is a person's note.
NOTE = "note"

follow_up = Table(
    "follow_up",
    metadata,
    Column("link_id", String(36), ForeignKey("link.id"), primary_key=True),
    Column("snoozed_until", Moment, nullable=False, index=True),
    Column("snoozed_by", Integer, ForeignKey("person.id"), nullable=False),
    Column("snoozed_at", Moment, nullable=False),
    # A person asked for this link to be followed up.
    Column("asked_at", Moment),
)


@dataclass(frozen=True, slots=True)
class FollowUpLink:
    """A link to follow up. `rc`, `total` and `expires_at` are None when unknown; `rank` sorts its list.

    `snoozed_until` and `snoozed_by` say until when it is put off, and by whom; None in the queue of those that wait.
    """

    id: str
    rc: str | None
    status: str
    total: Decimal | None
    expires_at: datetime | None
    rank: datetime
    snoozed_until: datetime | None
    snoozed_by: int | None


@dataclass(frozen=True, slots=True)
class FollowUpCounts:
    """How many links wait, with those whose payment failed and whose driver is to be asked; how many are snoozed."""

    waiting: int
    snoozed: int


@dataclass(frozen=True, slots=True)
class FollowUpTotals:
    """The links of the whole queue, with the sums of their amounts: by why they wait, and those that do not wait.

    Those in `ends_soon` end within a day, whether anybody was given them or not. Of the others, `not_sent` are those
    that nobody was given, and `chosen` those that a person asked for. Those in `sent` were sent or copied lately, and
    wait for nobody. Of those in `ended` the drivers of `to_ask` are asked first, because their payment failed.
    """

    ends_soon: Total
    not_sent: Total
    chosen: Total
    snoozed: Total
    sent: Total
    ended: Total
    to_ask: Total

    @property
    def waiting(self) -> Total:
        return add((self.to_ask, self.ends_soon, self.not_sent, self.chosen))

    @property
    def ended_rest(self) -> Total:
        return less(self.ended, self.to_ask)


@dataclass(frozen=True, slots=True)
class UnsentLink:
    """A link that can be paid, that nobody was given, and whose vehicle a driver usually drives."""

    driver_id: int
    link_id: str
    total: Decimal | None


@dataclass(frozen=True, slots=True)
class Note:
    """A person's note on a link."""

    link_id: str
    text: str
    person_id: int
    at: datetime


@dataclass(frozen=True, slots=True)
class Copy:
    """Hold who copied a payment URL, and when."""

    person_id: int
    at: datetime


_LINK = (link.c.id, link.c.rc, link.c.status, link.c.total, link.c.expires_at)
_IS_SHARED = exists().where(share.c.link_id == link.c.id, shares.gives())
# A person who copies the payment URL gives it to somebody; a copy that the page made unasked does not count.
_IS_COPIED = exists().where(link_event.c.kind == COPIED, link_event.c.link_id == link.c.id)
# Of a link that is no longer known there is nothing to give to anybody.
_IS_KNOWN = ~NO_LONGER_KNOWN
_asked = follow_up.alias("asked")
# Until somebody is given it again.
_IS_ASKED_FOR = exists().where(
    _asked.c.link_id == link.c.id,
    _asked.c.asked_at.is_not(None),
    ~exists().where(share.c.link_id == _asked.c.link_id, share.c.at > _asked.c.asked_at, shares.gives()),
)
# What is to be checked with the service first is not sent, unless a person asks for it.
_NEEDS_SOMEBODY = or_(
    _IS_ASKED_FOR,
    and_(or_(link.c.ends_rank <= bindparam("ends_by"), and_(~_IS_SHARED, ~_IS_COPIED)), ~IS_DOUBTFUL),
)
_IS_WANTED = and_(LIVE, _IS_KNOWN, _NEEDS_SOMEBODY)
_IS_SNOOZED = exists().where(follow_up.c.link_id == link.c.id, follow_up.c.snoozed_until > bindparam("now"))
_RESTS = exists().where(
    share.c.link_id == link.c.id,
    or_(
        share.c.at > bindparam("sent_just_now"),
        and_(share.c.at > bindparam("sent_lately"), link.c.ends_rank > bindparam("last_hours")),
    ),
    shares.gives(),
)
_IS_QUIET = and_(_RESTS, ~_IS_ASKED_FOR)
_IS_COPIED_LATELY = exists().where(
    link_event.c.kind == COPIED, link_event.c.link_id == link.c.id, link_event.c.at > bindparam("sent_lately")
)
# Whatever a driver was given lately is in this list, or in one of those that wait or are snoozed, whenever it ends.
_IS_GIVEN_LATELY = or_(
    and_(_NEEDS_SOMEBODY, _IS_QUIET, ~_IS_SNOOZED),
    and_(~_NEEDS_SOMEBODY, or_(_RESTS, _IS_COPIED_LATELY)),
)
#: The links of the queue, at the `moments` by which it decides.
WAITS = and_(_IS_WANTED, ~_IS_SNOOZED, ~_IS_QUIET)
_COUNTS = (
    select(func.count().filter(~_IS_SNOOZED, ~_IS_QUIET), func.count().filter(_IS_SNOOZED))
    .select_from(link)
    .where(_IS_WANTED)
)
#: What decides where a link that can be paid stands; each condition is decided once a link.
FACTS = (
    select(
        link.c.id,
        link.c.expires_at,
        link.c.amount_rank.label("rank"),
        or_(_IS_SHARED, _IS_COPIED).label("is_sent"),
        and_(link.c.expires_at.is_not(None), link.c.expires_at <= bindparam("ends_by")).label("ends_soon"),
        _NEEDS_SOMEBODY.label("needs_somebody"),
        _IS_SNOOZED.label("is_snoozed"),
        _IS_QUIET.label("is_quiet"),
        _IS_GIVEN_LATELY.label("is_given_lately"),
    )
    .where(LIVE, _IS_KNOWN)
    .subquery()
)
_IS_SENT, _ENDS_SOON = FACTS.c.is_sent, FACTS.c.ends_soon
WAITS_BY_FACTS = and_(FACTS.c.needs_somebody, ~FACTS.c.is_snoozed, ~FACTS.c.is_quiet)
_TOTALS = select(
    *adding_up(FACTS.c.rank, WAITS_BY_FACTS, _ENDS_SOON),
    *adding_up(FACTS.c.rank, WAITS_BY_FACTS, ~_ENDS_SOON, ~_IS_SENT),
    *adding_up(FACTS.c.rank, WAITS_BY_FACTS, ~_ENDS_SOON, _IS_SENT),
    *adding_up(FACTS.c.rank, FACTS.c.needs_somebody, FACTS.c.is_snoozed),
    *adding_up(FACTS.c.rank, FACTS.c.is_given_lately),
)
_UNSENT = (
    select(driver_vehicle.c.driver_id, link.c.id, link.c.total)
    .join(link, link.c.rc == driver_vehicle.c.rc)
    .where(LIVE, NOT_SENT)
    .order_by(link.c.ends_rank, link.c.id)
)
_PUT_OFF = select(follow_up.c.snoozed_until, follow_up.c.asked_at).where(follow_up.c.link_id == bindparam("link_id"))
_RESTING = select(FACTS.c.id).where(FACTS.c.is_quiet)


def waiting(connection: Connection, now: datetime, after: Place | None, limit: int) -> list[FollowUpLink]:
    """Return the links of the queue, those that end first before the others; from behind a place, if one is given."""
    query = select(*_LINK, link.c.ends_rank, null(), null()).where(WAITS)
    return _page(connection, now, query, link.c.ends_rank, after, limit)


def sent(connection: Connection, now: datetime, after: Place | None, limit: int) -> list[FollowUpLink]:
    """Return the links that were sent or copied lately and wait for nobody; those that end first before the others."""
    query = select(*_LINK, link.c.ends_rank, null(), null()).where(LIVE, _IS_KNOWN, _IS_GIVEN_LATELY)
    return _page(connection, now, query, link.c.ends_rank, after, limit)


def sent_of(connection: Connection, now: datetime, link_ids: Iterable[str]) -> list[FollowUpLink]:
    """Return those of these links that `sent` lists."""
    query = select(*_LINK, link.c.ends_rank, null(), null()).where(LIVE, _IS_KNOWN, _IS_GIVEN_LATELY)
    ids = list(link_ids)
    return _page(connection, now, query.where(link.c.id.in_(ids)), link.c.ends_rank, None, len(ids))


def resting(connection: Connection, now: datetime, link_ids: Iterable[str]) -> set[str]:
    """Return those of these links that a driver was sent so lately that it is too early to remind of them."""
    query = _RESTING.where(FACTS.c.id.in_(list(link_ids)))
    return set(connection.execute(query, moments(now)).scalars())


def snoozed(connection: Connection, now: datetime, after: Place | None, limit: int) -> list[FollowUpLink]:
    """Return the snoozed links, those that come back first before the others."""
    until = follow_up.c.snoozed_until
    query = select(*_LINK, until, until, follow_up.c.snoozed_by)
    query = query.join(follow_up, follow_up.c.link_id == link.c.id).where(_IS_WANTED, until > now)
    return _page(connection, now, query, until, after, limit)


def snoozed_until(connection: Connection, now: datetime, link_ids: Iterable[str]) -> dict[str, datetime]:
    """Return until when each of these links is put off, by link; those that are not are left out."""
    until = follow_up.c.snoozed_until
    query = select(follow_up.c.link_id, until).where(follow_up.c.link_id.in_(list(link_ids)), until > now)
    return {row.link_id: row.snoozed_until for row in connection.execute(query)}


def _page(
    connection: Connection, now: datetime, query: Select[Any], rank: Column[datetime], after: Place | None, limit: int
) -> list[FollowUpLink]:
    if after is not None:
        query = query.where(or_(rank > after.rank, and_(rank == after.rank, link.c.id > after.link_id)))
    found = connection.execute(query.order_by(rank, link.c.id).limit(limit), moments(now))
    return [FollowUpLink(*row) for row in found]


def moments(now: datetime) -> dict[str, datetime]:
    """Return the moments by which the queue decides."""
    return {
        "now": now,
        "ends_by": now + ENDS_SOON,
        "last_hours": now + LAST_HOURS,
        "sent_lately": now - RESTS,
        "sent_just_now": now - RESTS_AT_LAST,
    }


def counts(connection: Connection, now: datetime) -> FollowUpCounts:
    """Count both lists whole."""
    waiting, snoozed = connection.execute(_COUNTS, moments(now)).one()
    return FollowUpCounts(waiting + ended_links.total_to_ask(connection, now).number, snoozed)


def totals(connection: Connection, now: datetime) -> FollowUpTotals:
    """Count and add up each group whole."""
    row = connection.execute(_TOTALS, moments(now)).one()
    ends_soon, not_sent, chosen, snoozed, sent = (total_of(row[at : at + 3]) for at in range(0, len(row), 3))
    ended = (ended_links.total(connection, now), ended_links.total_to_ask(connection, now))
    return FollowUpTotals(ends_soon, not_sent, chosen, snoozed, sent, *ended)


def unsent_of_usual_drivers(connection: Connection) -> list[UnsentLink]:
    """Return the links that nobody was given, for each usual driver of their vehicles; those that end first first."""
    return [UnsentLink(*row) for row in connection.execute(_UNSENT)]


def snooze(connection: Connection, link_id: str, until: datetime, at: datetime, by: int) -> None:
    """Put a link off; with a moment that has passed, take that back."""
    values = {"snoozed_until": until, "snoozed_by": by, "snoozed_at": at}
    if not insert_if_absent(connection, follow_up, link_id=link_id, **values):
        connection.execute(update(follow_up).where(follow_up.c.link_id == link_id).values(**values))


def ask(connection: Connection, link_id: str, at: datetime, by: int) -> None:
    """Record that a person wants a link followed up, whoever snoozed it."""
    since = at.replace(second=0, microsecond=0)  # The menu counts by the minute.
    values = {"snoozed_until": since, "snoozed_by": by, "snoozed_at": at, "asked_at": at}
    if not insert_if_absent(connection, follow_up, link_id=link_id, **values):
        connection.execute(update(follow_up).where(follow_up.c.link_id == link_id).values(**values))


def asks_again(
    connection: Connection, link_id: str, sent_at: datetime | None, expires_at: datetime | None, now: datetime
) -> datetime | None:
    """Return when the queue asks again for a live link that was sent or copied; None where it asks now, or no more."""
    found = connection.execute(_PUT_OFF, {"link_id": link_id}).one_or_none()
    snoozed_until, asked_at = found or (None, None)
    if asked_at is not None and (sent_at is None or sent_at <= asked_at):
        return snoozed_until if snoozed_until is not None and snoozed_until > now else None
    return domain.asks_again(sent_at, snoozed_until, expires_at, now)


def add_note(connection: Connection, link_id: str, text: str, at: datetime, by: int) -> None:
    """Append a person's note to a link's history."""
    links.record_event(connection, link_id, NOTE, at, person_id=by, new=text)


def copied_at(connection: Connection, link_ids: Iterable[str]) -> dict[str, datetime]:
    """Return when a person last copied the payment URL of each link, by link; links never copied are left out."""
    return {link_id: copy.at for link_id, copy in newest_copies(connection, link_ids).items()}


def newest_copies(connection: Connection, link_ids: Iterable[str]) -> dict[str, Copy]:
    """Return who copied the payment URL of each link last, by link; links that nobody copied are left out."""
    query = select(link_event.c.link_id, link_event.c.person_id, link_event.c.at)
    query = query.where(link_event.c.kind == COPIED, link_event.c.link_id.in_(list(link_ids)))
    return {link_id: Copy(*row) for link_id, *row in connection.execute(query.order_by(link_event.c.id))}


def newest_notes(connection: Connection, link_ids: Iterable[str]) -> dict[str, Note]:
    """Return the newest note of each link, by link; links without one are left out."""
    query = select(link_event.c.link_id, link_event.c.new, link_event.c.person_id, link_event.c.at)
    query = query.where(link_event.c.kind == NOTE, link_event.c.link_id.in_(list(link_ids)))
    notes = [Note(*row) for row in connection.execute(query.order_by(link_event.c.id))]
    return {note.link_id: note for note in notes}
