"""The follow-up queue: links that can still be paid and end soon, or that nobody was given; and notes on links."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    Connection,
    Select,
    and_,
    bindparam,
    delete,
    func,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from dashboard.domain import follow_up as domain
from dashboard.store.links import links
from dashboard.store.links.listing import NOT_SENT, Place
from dashboard.store.links.records import Link
from dashboard.store.links.tables import COPIED, LIVE, link, link_event
from dashboard.store.links.totals import Total, add, adding_up, total_of
from dashboard.store.once import once
from dashboard.store.sharing import ended_links
from dashboard.store.sharing.drivers import driver_vehicle
from dashboard.store.sharing.queue_facts import FACTS, FACTS_OF_LINKS, follow_up, moments
from dashboard.store.upserts import insert_if_absent

#: The kind of a link's event that is a person's note.
NOTE = "note"


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
    """How many links wait, with those whose payment failed and may have taken money; how many are snoozed."""

    waiting: int
    snoozed: int


@dataclass(frozen=True, slots=True)
class FollowUpTotals:
    """The links of the whole queue, with the sums of their amounts: by why they wait, and those that do not wait.

    Those in `ends_soon` end within a day, whether anybody was given them or not. Of the others, `not_sent` are those
    that nobody was given, and `chosen` those that a person asked for. Those in `sent` were sent or copied lately, and
    wait for nobody. Of those that ended unpaid the drivers of `failed` are asked first, because their payment failed;
    `ended` are the others. So many others are `to_check` before anybody is given them, and
    nobody has asked for them here.
    """

    ends_soon: Total
    not_sent: Total
    chosen: Total
    snoozed: Total
    sent: Total
    failed: Total
    ended: Total
    to_check: int

    @property
    def waiting(self) -> Total:
        return add((self.failed, self.ends_soon, self.not_sent, self.chosen))


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


@dataclass(frozen=True, slots=True)
class _List:
    """Hold the statement that begins a list, and the one that goes on behind a place."""

    begin: Select[Any]
    go_on: Select[Any]


def _listed(
    facts: ReadOnlyColumnCollection[str, Any],
    rank: ColumnElement[datetime],
    *conditions: ColumnElement[bool],
    put_off: tuple[ColumnElement[Any], ...] = (null(), null()),
) -> _List:
    """List what a `FollowUpLink` holds, by rank; `put_off` is until when and by whom, where links are put off."""
    query = select(facts.id, facts.rc, facts.status, facts.total, facts.expires_at, rank, *put_off)
    query = query.where(*conditions).order_by(rank, facts.id).limit(bindparam("limit"))
    at: BindParameter[datetime] = bindparam("rank", type_=rank.type)
    return _List(query, query.where(or_(rank > at, and_(rank == at, facts.id > bindparam("after")))))


_facts, _facts_of_links = FACTS.links.c, FACTS_OF_LINKS.links.c
_LINK_IDS: BindParameter[Any] = bindparam("link_ids", expanding=True)
_WAITING = _listed(_facts, _facts.ends_rank, FACTS.waits)
_WAITING_UNSENT = _listed(_facts, _facts.ends_rank, FACTS.waits, ~FACTS.is_sent)
_WAITING_REMINDERS = _listed(_facts, _facts.ends_rank, FACTS.waits, FACTS.ends_soon, FACTS.is_sent)
_SENT = _listed(_facts, _facts.ends_rank, FACTS.is_given_lately)
_SENT_OF_LINKS = _listed(_facts_of_links, _facts_of_links.ends_rank, FACTS_OF_LINKS.is_given_lately)
_SNOOZED = _listed(
    _facts,
    _facts.snoozed_until,
    FACTS.needs_somebody,
    FACTS.is_snoozed,
    put_off=(_facts.snoozed_until, _facts.snoozed_by),
)
_TOTALS = select(
    *adding_up(_facts.amount_rank, FACTS.waits, FACTS.ends_soon),
    *adding_up(_facts.amount_rank, FACTS.waits, ~FACTS.ends_soon, ~FACTS.is_sent),
    *adding_up(_facts.amount_rank, FACTS.waits, ~FACTS.ends_soon, FACTS.is_sent),
    *adding_up(_facts.amount_rank, FACTS.needs_somebody, FACTS.is_snoozed),
    *adding_up(_facts.amount_rank, FACTS.is_given_lately),
    func.count().filter(FACTS.is_to_check, ~FACTS.waits),
)
_COUNTS = select(
    func.count().filter(FACTS.waits) + ended_links.NUMBER_FAILED,
    func.count().filter(FACTS.needs_somebody, FACTS.is_snoozed),
).select_from(FACTS.links)
_TO_CHECK = select(_facts.id).where(FACTS.is_to_check).order_by(_facts.ends_rank, _facts.id).limit(bindparam("limit"))
_UNSENT = (
    select(driver_vehicle.c.driver_id, link.c.id, link.c.total)
    .join(link, link.c.rc == driver_vehicle.c.rc)
    .where(LIVE, NOT_SENT)
    .order_by(link.c.ends_rank, link.c.id)
)
_PUT_OFF = select(follow_up.c.snoozed_until, follow_up.c.asked_at).where(follow_up.c.link_id == bindparam("link_id"))
_ALL_SNOOZED = select(follow_up.c.link_id, follow_up.c.snoozed_until).where(
    follow_up.c.snoozed_until > bindparam("now")
)
_SNOOZED_UNTIL = _ALL_SNOOZED.where(follow_up.c.link_id.in_(_LINK_IDS))
_COPIES = select(link_event.c.link_id, link_event.c.person_id, link_event.c.at).order_by(link_event.c.id)
_COPIES = _COPIES.where(link_event.c.kind == COPIED, link_event.c.link_id.in_(_LINK_IDS))
_NOTES = select(link_event.c.link_id, link_event.c.new, link_event.c.person_id, link_event.c.at)
_NOTES = _NOTES.where(link_event.c.kind == NOTE, link_event.c.link_id.in_(_LINK_IDS)).order_by(link_event.c.id)
_RESTING = select(FACTS_OF_LINKS.links.c.id).where(FACTS_OF_LINKS.is_quiet)
_TO_CHECK_OF_LINKS = select(FACTS_OF_LINKS.links.c.id).where(FACTS_OF_LINKS.is_to_check)


def waiting(connection: Connection, now: datetime, after: Place | None, limit: int) -> list[FollowUpLink]:
    """Return the links of the queue, those that end first before the others; from behind a place, if one is given."""
    return _page(connection, _WAITING, moments(now), after, limit)


def unsent(connection: Connection, now: datetime, limit: int) -> list[FollowUpLink]:
    """Return those links of the queue that nobody was given, in its order."""
    return _page(connection, _WAITING_UNSENT, moments(now), None, limit)


def reminders(connection: Connection, now: datetime, limit: int) -> list[FollowUpLink]:
    """Return those links of the queue that end within a day and that somebody was given, in its order."""
    return _page(connection, _WAITING_REMINDERS, moments(now), None, limit)


def sent(connection: Connection, now: datetime, after: Place | None, limit: int) -> list[FollowUpLink]:
    """Return the links that were sent or copied lately and wait for nobody; those that end first before the others."""
    return _page(connection, _SENT, moments(now), after, limit)


def sent_of(connection: Connection, now: datetime, link_ids: Iterable[str]) -> list[FollowUpLink]:
    """Return those of these links that `sent` lists."""
    ids = list(link_ids)
    return _page(connection, _SENT_OF_LINKS, moments(now) | {"link_ids": ids}, None, len(ids))


def resting(connection: Connection, now: datetime, link_ids: Iterable[str]) -> set[str]:
    """Return those of these links that a driver was sent so lately that it is too early to remind of them."""
    return set(connection.execute(_RESTING, moments(now) | {"link_ids": list(link_ids)}).scalars())


def snoozed(connection: Connection, now: datetime, after: Place | None, limit: int) -> list[FollowUpLink]:
    """Return the snoozed links, those that come back first before the others."""
    return _page(connection, _SNOOZED, moments(now), after, limit)


def snoozed_until(connection: Connection, now: datetime, link_ids: Iterable[str]) -> dict[str, datetime]:
    """Return until when each of these links is put off, by link; those that are not are left out."""
    found = connection.execute(_SNOOZED_UNTIL, {"link_ids": list(link_ids), "now": now})
    return {row.link_id: row.snoozed_until for row in found}


def all_snoozed(connection: Connection, now: datetime) -> dict[str, datetime]:
    """Return until when each link is put off that is, by link."""
    found = connection.execute(_ALL_SNOOZED, {"now": now})
    return {row.link_id: row.snoozed_until for row in found}


def _page(
    connection: Connection, of: _List, given: dict[str, Any], after: Place | None, limit: int
) -> list[FollowUpLink]:
    if after is None:
        rows = connection.execute(of.begin, given | {"limit": limit})
    else:
        place = {"rank": after.rank, "after": after.link_id}
        rows = connection.execute(of.go_on, given | place | {"limit": limit})
    return [FollowUpLink(*row) for row in rows]


def counts(connection: Connection, now: datetime) -> FollowUpCounts:
    """Count both lists whole."""
    return FollowUpCounts(*connection.execute(_COUNTS, moments(now) | ended_links.moments(now)).one())


def totals(connection: Connection, now: datetime) -> FollowUpTotals:
    """Count and add up each group whole."""
    *row, to_check = connection.execute(_TOTALS, moments(now)).one()
    ends_soon, not_sent, chosen, snoozed, sent = (total_of(row[at : at + 3]) for at in range(0, len(row), 3))
    ended = ended_links.totals(connection, now)
    return FollowUpTotals(ends_soon, not_sent, chosen, snoozed, sent, ended.failed, ended.rest, to_check)


def to_check_first(connection: Connection, limit: int) -> list[Link]:
    """Return the links that nobody was given and that are to be checked first; those that end first come first."""
    ids = list(connection.execute(_TO_CHECK, {"limit": limit}).scalars())
    found = links.find_all(connection, ids)
    return [found[link_id] for link_id in ids]


@once
def to_check_of(connection: Connection, link_ids: Iterable[str]) -> set[str]:
    """Return those of these links that `to_check_first` lists."""
    return set(connection.execute(_TO_CHECK_OF_LINKS, {"link_ids": list(link_ids)}).scalars())


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


def put_off_or_asked(connection: Connection, link_ids: Iterable[str]) -> bool:
    """Return whether somebody has ever snoozed one of these links, or wanted it followed up."""
    query = select(follow_up.c.link_id).where(follow_up.c.link_id.in_(list(link_ids)))
    return connection.execute(query.limit(1)).first() is not None


def take_back(connection: Connection, link_ids: Iterable[str], at: datetime, by: int) -> list[str]:
    """Forget that a person wanted links followed up at a moment; return those left as they were then.

    Nobody may have snoozed them before.
    """
    own = and_(follow_up.c.asked_at == at, follow_up.c.snoozed_at == at, follow_up.c.snoozed_by == by)
    forget = delete(follow_up).where(follow_up.c.link_id.in_(list(link_ids)), own)
    return list(connection.execute(forget.returning(follow_up.c.link_id)).scalars())


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


@once
def newest_copies(connection: Connection, link_ids: Iterable[str]) -> dict[str, Copy]:
    """Return who copied the payment URL of each link last, by link; links that nobody copied are left out."""
    found = connection.execute(_COPIES, {"link_ids": list(link_ids)})
    return {link_id: Copy(*row) for link_id, *row in found}


def newest_notes(connection: Connection, link_ids: Iterable[str]) -> dict[str, Note]:
    """Return the newest note of each link, by link; links without one are left out."""
    notes = [Note(*row) for row in connection.execute(_NOTES, {"link_ids": list(link_ids)})]
    return {note.link_id: note for note in notes}
