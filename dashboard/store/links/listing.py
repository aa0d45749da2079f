"""List links: filtered, sorted, and a page at a time by keyset, so that every page costs the same."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Any

from sqlalchemy import (
    Column,
    ColumnElement,
    CompoundSelect,
    Connection,
    Numeric,
    Select,
    and_,
    bindparam,
    cast,
    exists,
    extract,
    false,
    func,
    literal,
    or_,
    select,
    union_all,
)

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.domain.follow_up import ENDED_LATELY, ENDS_SOON
from dashboard.domain.link_filters import ELSEWHERE, DayOf, LinkFilter, Only, PaidAfter, SortBy
from dashboard.domain.links import ENDED_STATUSES, PAID, is_live
from dashboard.domain.registration import normalize_part
from dashboard.store.creation.possible_makers import is_possibly_ours
from dashboard.store.links import custom_fields, links
from dashboard.store.links.doubtful import IS_DOUBTFUL
from dashboard.store.links.duplicates import HAS_PAID_DUPLICATE
from dashboard.store.links.prefixes import begins_with, spellings
from dashboard.store.links.records import Link
from dashboard.store.links.tables import COPIED, LIVE, NO_LONGER_KNOWN, link, link_challan, link_event
from dashboard.store.sharing import driver_links, shares
from dashboard.store.sharing.drivers import driver
from dashboard.store.sharing.left_over import money_taken
from dashboard.store.sharing.shares import share
from dashboard.store.types import LARGEST_ID
from dashboard.store.vehicles.vehicles import vehicle

#: A condition that holds for more links is tested in list order, one for fewer uses its own index: both read a page.
_FEW = 2000
#: A text without two letters side by side is no part of a name.
_NAME = re.compile(r"[^\W\d_]{2}")

_RANKS: dict[SortBy, Column[Any]] = {
    SortBy.MADE: link.c.first_seen_at,
    SortBy.ENDS: link.c.ends_rank,
    SortBy.AMOUNT: link.c.amount_rank,
    SortBy.VEHICLE: link.c.rc_rank,
    SortBy.STATE: link.c.status,
}
_other = link.alias("other")
_named_vehicle = vehicle.alias("named_vehicle")
_FIRST_STATUS, _FIRST_CREATOR = select(func.min(link.c.status)), select(func.min(link.c.person_id))
_NEXT_STATUS = _FIRST_STATUS.where(link.c.status > bindparam("last"))
_NEXT_CREATOR = _FIRST_CREATOR.where(link.c.person_id > bindparam("last"))


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a sorted list: the row whose rank and id these are. `backwards` asks for the rows before it.

    `is_over`: it is among the links that can no longer be paid, where these follow the others.
    """

    rank: Any
    link_id: str
    backwards: bool = False
    is_over: bool = False


def place_of(row: Link, sort: SortBy, *, backwards: bool = False) -> Place:
    """Return the place of a link; what it is sorted by is never None."""
    return Place(getattr(row, _RANKS[sort].name), row.id, backwards, is_over=not is_live(row.status))


def page(
    connection: Connection, asked: LinkFilter, zone: tzinfo, now: datetime, *, place: Place | None, limit: int
) -> list[Link]:
    """Return at most `limit` links in order, from the start or beside a place."""
    backwards = place is not None and place.backwards
    rows: list[Link] = []
    for of_part, beside in _parts(asked, place, backwards=backwards):
        if len(rows) < limit:
            query = _ordered(connection, asked, zone, now, of_part, beside, limit - len(rows), backwards=backwards)
            rows += links.read_links(connection, query)
    return rows[::-1] if backwards else rows


def _parts(
    asked: LinkFilter, place: Place | None, *, backwards: bool
) -> Iterator[tuple[tuple[ColumnElement[bool], ...], Place | None]]:
    """Yield the conditions of the parts of a list from a place on, and the place in the part that has it.

    Sorted by their end, links that can be paid come before those that are over, whose ends are another order. Of what
    is urgent those come last: money was taken of the others.
    """
    is_urgent = asked.only is Only.NEEDS_ACTION
    if asked.sort is not SortBy.ENDS or (asked.is_of_state and not is_urgent):
        yield (), place
        return
    parts = [(True, ~LIVE), (False, LIVE)] if is_urgent else [(False, LIVE), (True, ~LIVE)]
    for is_over, of_part in reversed(parts) if backwards else parts:
        if place is None or place.is_over is is_over:
            yield (of_part,), place
            place = None


def _ordered(
    connection: Connection,
    asked: LinkFilter,
    zone: tzinfo,
    now: datetime,
    of_part: tuple[ColumnElement[bool], ...],
    place: Place | None,
    limit: int,
    *,
    backwards: bool,
) -> Select[Any]:
    rank, falling = _RANKS[asked.sort], asked.descending != backwards
    order = (rank.desc(), link.c.id.desc()) if falling else (rank.asc(), link.c.id.asc())
    if len(asked.states) > 1:
        # Each state is read in order by its own index; together they would have to be sorted as a whole.
        of_states = []
        for each in asked.states:
            of_state = _from(connection, select(link.c.id), replace(asked, states=(each,)), zone, now, place)
            of_states.append(select(of_state.order_by(*order).limit(limit).subquery().c.id))
        query = links.select_links().where(link.c.id.in_(union_all(*of_states)))
    else:
        query = _from(connection, links.select_links(), asked, zone, now, place)
    return query.where(*of_part).order_by(*order).limit(limit)


def _from(
    connection: Connection, query: Select[Any], asked: LinkFilter, zone: tzinfo, now: datetime, place: Place | None
) -> Select[Any]:
    """Narrow a query to a filter, and to what lies beyond a place."""
    query = matching(connection, query, asked, zone, now)
    if place is None:
        return query
    rank = _RANKS[asked.sort]
    beyond, same = (rank < place.rank, link.c.id < place.link_id)
    if asked.descending == place.backwards:
        beyond, same = (rank > place.rank, link.c.id > place.link_id)
    return query.where(or_(beyond, and_(rank == place.rank, same)))


def statuses(connection: Connection) -> list[str]:
    """Return every status in the ledger, as the service spells it; one step of the index for each."""
    found: list[str] = []
    last = connection.execute(_FIRST_STATUS).scalar()
    while last is not None:
        found.append(last)
        last = connection.execute(_NEXT_STATUS, {"last": last}).scalar()
    return found


def creators(connection: Connection) -> list[int]:
    """Return the ids of everybody who created a link."""
    found: list[int] = []
    last = connection.execute(_FIRST_CREATOR).scalar()
    while last is not None:
        found.append(last)
        last = connection.execute(_NEXT_CREATOR, {"last": last}).scalar()
    return found


def matching(connection: Connection, query: Select[Any], asked: LinkFilter, zone: tzinfo, now: datetime) -> Select[Any]:
    """Narrow a query over `link` to a filter; days begin and end at midnight in `zone`."""
    conditions: list[ColumnElement[bool]] = []
    if asked.states:
        conditions.append(link.c.status.in_(asked.states))
    if asked.vehicle:
        conditions.append(_of_vehicle(asked.vehicle))
    if asked.creator == ELSEWHERE:
        conditions += [link.c.person_id.is_(None), ~is_possibly_ours(link.c.id)]
    elif asked.creator.isdecimal():
        conditions.append(_is(link.c.person_id, asked.creator))
    conditions += _in_days(asked, zone)
    if asked.paid_after is not None:
        conditions += paid_after(connection, asked.paid_after)
    if asked.challan_type:
        of_type = link_challan.c.challan_type == asked.challan_type
        conditions.append(_covering(connection, of_type, of_type))
    conditions += _amounts(connection, asked)
    if asked.driver.isdecimal():
        conditions.append(
            link.c.id.in_(driver_links.of_drivers(select(driver.c.id).where(_is(driver.c.id, asked.driver))))
        )
    custom = dict(asked.custom)
    conditions += [custom_fields.matching(each, custom[each.name]) for each in CUSTOM_FIELDS if each.name in custom]
    if asked.only is not None:
        conditions.append(waits(asked.only, zone, now))
    if asked.chosen:
        conditions.append(link.c.id.in_(asked.chosen))
    if asked.text:
        conditions.append(_named(connection, asked.text))
    return query.where(*conditions)


def _is(column: Column[Any], digits: str) -> ColumnElement[bool]:
    """Compare an id. One that is larger than the column holds matches nothing, and would fail in the database."""
    return column == int(digits) if int(digits) <= LARGEST_ID else false()


def _amounts(connection: Connection, asked: LinkFilter) -> list[ColumnElement[bool]]:
    found = _between(asked, link.c.amount_rank)
    if not found or asked.sort is SortBy.AMOUNT:
        return found
    few = select(_other.c.id).where(*_between(asked, _other.c.amount_rank))
    if not _is_frequent(connection, few):
        return [link.c.id.in_(few)]
    # Written so that the database does not use the index of amounts, and then have to sort what it finds.
    return _between(asked, func.coalesce(link.c.amount_rank, link.c.amount_rank))


def _between(asked: LinkFilter, amount: ColumnElement[Any]) -> list[ColumnElement[bool]]:
    conditions = []
    if asked.least is not None:
        conditions.append(amount >= float(asked.least))
    if asked.most is not None:
        conditions.append(amount.between(0, float(asked.most)))
    return conditions


def _covering(
    connection: Connection, by_index: ColumnElement[bool], of_each: ColumnElement[bool]
) -> ColumnElement[bool]:
    """Match links that cover a challan for which a condition holds.

    The condition is given twice: as an index answers it, and as it is tested on each challan of a link.
    """
    found = select(link_challan.c.link_id).where(by_index)
    if _is_frequent(connection, found):
        return exists().where(link_challan.c.link_id == link.c.id, of_each)
    return link.c.id.in_(found)


def _is_frequent(connection: Connection, query: Select[Any] | CompoundSelect[Any]) -> bool:
    some = query.limit(_FEW + 1).subquery()
    return int(connection.execute(select(func.count()).select_from(some)).scalar_one()) > _FEW


def _in_days(asked: LinkFilter, zone: tzinfo) -> list[ColumnElement[bool]]:
    def within(moment: Column[Any]) -> ColumnElement[bool]:
        conditions: list[ColumnElement[bool]] = []
        if asked.first_day is not None:
            conditions.append(moment >= start_of(asked.first_day, zone))
        if asked.last_day is not None:
            conditions.append(moment < start_of(asked.last_day + timedelta(days=1), zone))
        return and_(*conditions)

    if asked.first_day is None and asked.last_day is None:
        return []
    match asked.day_of:
        case DayOf.MADE:
            return [within(link.c.first_seen_at)]
        case DayOf.PAID:
            return [paid_in(within)]
        case DayOf.ENDED:
            return [within(link.c.status_since), link.c.status.in_(ENDED_STATUSES)]


def paid_in(within: Callable[[Column[Any]], ColumnElement[bool]]) -> ColumnElement[bool]:
    """Match links that were paid within a time; without a time of payment, those first shown as PAID within it.

    The statement counts by the same rule.
    """
    # Written so that the database does not use the index of payments for the links that have none, which are many.
    no_time = func.coalesce(link.c.paid_at, link.c.paid_at).is_(None)
    return or_(within(link.c.paid_at), and_(link.c.status == PAID, within(link.c.status_since), no_time))


def hours_to_payment(dialect: str) -> ColumnElement[Any]:
    """Return the hours from creation to payment, as an expression; rounded, as databases store moments inexactly."""
    made = func.coalesce(link.c.created_at, link.c.first_seen_at)
    if dialect == "sqlite":
        return func.round((func.julianday(link.c.paid_at) - func.julianday(made)) * literal(24.0), 6)
    return func.round(cast(extract("epoch", link.c.paid_at - made), Numeric) / literal(3600), 6)


def paid_after(connection: Connection, asked: PaidAfter) -> list[ColumnElement[bool]]:
    """Match links that were paid so long after they were created."""
    hours = hours_to_payment(connection.dialect.name)
    least, below = asked.hours
    conditions = [link.c.status == PAID, link.c.paid_at.is_not(None)]
    if least:  # A payment that seems older than its link counts as immediate.
        conditions.append(hours >= least)
    if below is not None:
        conditions.append(hours < below)
    return conditions


def start_of(day: date, zone: tzinfo) -> datetime:
    """Return the midnight at which a day begins in a zone, in UTC."""
    return datetime.combine(day, time.min, zone).astimezone(UTC)


def waits(only: Only, zone: tzinfo, now: datetime) -> ColumnElement[bool]:
    """Match the unpaid links that wait for something."""
    match only:
        case Only.OPEN:
            return and_(LIVE, ~NO_LONGER_KNOWN)
        case Only.ENDS_TODAY:
            return and_(LIVE, ends_before(start_of_tomorrow(now, zone)))
        case Only.ENDS_SOON:
            return and_(LIVE, ends_before(now + ENDS_SOON))
        case Only.NOT_SENT:
            return and_(LIVE, NOT_SENT)
        case Only.SENT:
            return and_(LIVE, _GIVEN)
        case Only.COPIED:
            return and_(LIVE, _COPIED, ~_GIVEN)
        case Only.CHECK_FIRST:
            return and_(LIVE, _CHECK_FIRST)
        case Only.NO_LONGER_KNOWN:
            return and_(LIVE, NO_LONGER_KNOWN)
        case Only.PAID_ELSEWHERE:
            return and_(LIVE, ~NO_LONGER_KNOWN, HAS_PAID_DUPLICATE)
        case Only.NEEDS_ACTION:
            return needs_action(now + ENDS_SOON, now - ENDED_LATELY)


def start_of_tomorrow(now: datetime, zone: tzinfo) -> datetime:
    return start_of(now.astimezone(zone).date() + timedelta(days=1), zone)


def ends_before(moment: Any) -> ColumnElement[bool]:
    """Match links that end before a moment, as far as the service still knows them."""
    return and_(link.c.ends_rank < moment, ~NO_LONGER_KNOWN)


_GIVEN = exists().where(share.c.link_id == link.c.id, shares.gives())
_COPIED = exists().where(link_event.c.kind == COPIED, link_event.c.link_id == link.c.id)
#: Links that the service still knows, not paid with another one, that nobody was given from here and nobody copied.
_NOT_GIVEN = and_(~NO_LONGER_KNOWN, ~_GIVEN, ~_COPIED, ~HAS_PAID_DUPLICATE)
#: Those of them that can be sent now.
NOT_SENT = and_(_NOT_GIVEN, ~IS_DOUBTFUL)
_CHECK_FIRST = and_(_NOT_GIVEN, IS_DOUBTFUL)


def needs_action(ends_by: Any, since: Any) -> ColumnElement[bool]:
    """Match unpaid links that end by this moment or whose last check failed, and those of which money was taken."""
    kinds = (and_(LIVE, or_(link.c.expires_at <= ends_by, link.c.failure.is_not(None))), money_taken(since))
    return link.c.id.in_(union_all(*(select(link.c.id).where(kind).correlate(None) for kind in kinds)))


def _of_vehicle(number: str) -> ColumnElement[bool]:
    """Match the links of the vehicle of this number; where there is none, those whose number contains it.

    A link of the overview to one vehicle must not list another whose number begins alike.
    """
    whole = vehicle.c.rc == normalize_part(number)
    known = select(_named_vehicle.c.rc).where(_named_vehicle.c.rc == normalize_part(number)).exists()
    part = and_(vehicle.c.rc.contains(normalize_part(number), autoescape=True), ~known)
    return link.c.rc_rank.in_(select(vehicle.c.rc).where(or_(whole, part)))


def _on_vehicle(part: str) -> ColumnElement[bool]:
    # The rank is the vehicle's number, and is in the indexes with the statuses.
    return link.c.rc_rank.in_(select(vehicle.c.rc).where(vehicle.c.rc.contains(normalize_part(part), autoescape=True)))


def _named(connection: Connection, text: str) -> ColumnElement[bool]:
    """Match links by a plate or a part of it, a challan number or its beginning, a driver's name, or a link's id."""
    with suppress(ValueError):
        return link.c.id == str(uuid.UUID(text.strip()))
    ways = []
    for number in spellings(text):
        exactly = link_challan.c.challan_no.startswith(number, autoescape=True)
        ways.append(_covering(connection, begins_with(link_challan.c.challan_no, number), exactly))
    if part := normalize_part(text):
        ways.append(_on_vehicle(part))
    if _NAME.search(text):
        ways += _of_drivers_named(connection, text.strip())
    return or_(*ways)


def _of_drivers_named(connection: Connection, text: str) -> list[ColumnElement[bool]]:
    named = select(driver.c.id).where(driver.c.name.icontains(text, autoescape=True))
    if connection.execute(named.limit(1)).first() is None:
        return []
    found = driver_links.of_drivers(named)
    return [driver_links.is_of_drivers(named) if _is_frequent(connection, found) else link.c.id.in_(found)]
