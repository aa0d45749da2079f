"""What the list of links shows, and from the ledger's rows to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import url_for
from sqlalchemy import Connection
from werkzeug.datastructures import MultiDict

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.domain.link_filters import ELSEWHERE, DayOf, LinkFilter, PaidAfter, SortBy
from dashboard.domain.registration import spaced
from dashboard.store.links import links, saved_views
from dashboard.store.links import listing as link_listing
from dashboard.store.links.listing import Place
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers
from dashboard.web.links import filters
from dashboard.web.links.records import LinkCard
from dashboard.web.shared import request_args
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, name_of, names, person_id, zone
from dashboard.web.shared.fingerprints import fingerprint
from dashboard.web.shared.live import whole_seconds

PAGE_SIZE = 50

_COLUMNS = (
    (SortBy.VEHICLE, "Payment link", False),
    (SortBy.STATE, "State", False),
    (SortBy.AMOUNT, "To pay", True),
    (SortBy.ENDS, "Ends", True),
    (SortBy.MADE, "Made", True),
)
_DAYS_OF = {DayOf.MADE: "Days on which made", DayOf.PAID: "Days on which paid", DayOf.ENDED: "Days on which ended"}
PAID_AFTER = {
    PaidAfter.FIRST_HOUR: "Within 1 h",
    PaidAfter.HOURS: "1 to 6 h",
    PaidAfter.DAY: "6 to 24 h",
    PaidAfter.NEXT_DAY: "24 to 48 h",
    PaidAfter.LATER: "Later",
}
_FIRST_OFFERED = ("ACTIVE", "PAID", "EXPIRED", "FAILED", "CANCELLED")


@dataclass(frozen=True, slots=True)
class Column:
    """A column's head: its words, the address that sorts by it, and how it is sorted now ("none" when it is not)."""

    words: str
    address: str
    sorted: str  # "ascending", "descending" or "none"
    at_end: bool


@dataclass(frozen=True, slots=True)
class Choice:
    value: str
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class SavedView:
    id: int
    name: str
    address: str
    current: bool


@dataclass(frozen=True, slots=True)
class LinkRows:
    """The live region of the list: `count` is of the whole list (or so far as it was counted, and there are `more`),
    `rows` are of this page, and `narrows` tells whether it is filtered. `address` is its own, with what was seen; there
    is no `newer` or `older` where there is no more.
    """

    count: int
    more: bool
    narrows: bool
    rows: tuple[LinkCard, ...]
    columns: tuple[Column, ...]
    address: str
    poll_seconds: int
    seen: str
    newer: str | None
    older: str | None


@dataclass(frozen=True, slots=True)
class LinksPage:
    """`typed` is what the filter's fields hold, as it was sent; `problems` says what is wrong with it, by field."""

    listed: LinkRows
    more: bool  # something of what is folded away at first is asked for
    typed: dict[str, str]
    problems: dict[str, str]
    days_of: tuple[Choice, ...]
    paid_after: tuple[Choice, ...]
    challan_type: str
    custom_fields: tuple[tuple[str, str, str], ...]  # name, label, what is asked for
    drivers: tuple[Choice, ...]
    states: tuple[Choice, ...]
    creators: tuple[Choice, ...]
    sort: str
    direction: str
    query: tuple[tuple[str, str], ...]  # the filter, field by field
    export_address: str
    views: tuple[SavedView, ...]


def links_page(asked: LinkFilter, problems: dict[str, str], typed: dict[str, str], place: Place | None) -> LinksPage:
    services = current_services()
    with services.store.read() as connection:
        listed = _rows(connection, asked, place)
        states = dict.fromkeys([*_FIRST_OFFERED, *link_listing.statuses(connection), *asked.states])
        makers = link_listing.creators(connection)
        given = [*drivers.listed(connection), *drivers.listed(connection, left=True)]
        views = saved_views.of_person(connection, person_id())
    known = sorted(((str(key), name_of(key)) for key in makers), key=lambda pair: pair[1])
    return LinksPage(
        listed=listed,
        more=any(typed[name] for name in ("vehicle", "from", "to", "least", "most"))
        or any(
            (
                asked.creator,
                asked.driver,
                asked.paid_after,
                asked.challan_type,
                asked.custom,
            )
        ),
        typed=typed,
        problems=problems,
        days_of=tuple(Choice(day, said, asked.day_of is day) for day, said in _DAYS_OF.items()),
        paid_after=(
            Choice("", "Any", asked.paid_after is None),
            *(Choice(wait, said, asked.paid_after is wait) for wait, said in PAID_AFTER.items()),
        ),
        challan_type=asked.challan_type,
        custom_fields=tuple(
            (each.name, each.filter_label or each.label, dict(asked.custom).get(each.name, ""))
            for each in CUSTOM_FIELDS
        ),
        drivers=tuple(
            Choice(value, name, value == asked.driver)
            for value, name in [("", "Anybody"), *((str(row.id), row.name) for row in given)]
        ),
        states=tuple(Choice(state, state or "(not told)", state in asked.states) for state in states if state),
        creators=tuple(
            Choice(value, name, value == asked.creator)
            for value, name in [("", "Anybody"), *known, (ELSEWHERE, "Made elsewhere")]
        ),
        sort=asked.sort,
        direction="down" if asked.descending else "up",
        query=tuple(parse_qsl(urlencode(filters.write(asked), doseq=True))),
        export_address=url_for("links.export"),
        views=tuple(_saved(row, filters.write(asked)) for row in views),
    )


def _saved(row: saved_views.SavedView, present: dict[str, Any]) -> SavedView:
    kept, _ = filters.read(MultiDict(parse_qsl(row.query)))
    values = filters.write(kept)
    return SavedView(row.id, row.name, url_for("links.index", **values), values == present)


def link_rows(asked: LinkFilter, place: Place | None) -> LinkRows:
    """The live region alone."""
    with current_services().store.read() as connection:
        return _rows(connection, asked, place)


def _rows(connection: Connection, asked: LinkFilter, place: Place | None) -> LinkRows:
    services = current_services()
    found = link_listing.page(connection, asked, zone(), services.clock(), place=place, limit=PAGE_SIZE + 1)
    backwards = place is not None and place.backwards
    more = len(found) > PAGE_SIZE
    rows = found[-PAGE_SIZE:] if backwards else found[:PAGE_SIZE]
    count = link_listing.count(connection, asked, zone(), services.clock())
    counts = links.challan_counts(connection, rows)
    people = names()
    cards = tuple(_card(row, counts[row.id], people.get(row.person_id)) for row in rows)
    query = filters.write(asked)
    here = query | _place_in_address(place)
    seen = fingerprint(
        [
            count.number,
            count.more,
            *((row.id, row.status, str(row.paid_at), str(row.expires_at), row.failure) for row in rows),
        ]
    )
    has_newer = bool(rows) and (more if backwards else place is not None)
    has_older = bool(rows) and (True if backwards else more)
    return LinkRows(
        count=count.number,
        more=count.more,
        narrows=asked.narrows,
        rows=cards,
        columns=tuple(_column(asked, *column) for column in _COLUMNS),
        address=url_for("links.rows", **here, seen=seen),
        poll_seconds=whole_seconds(services.schedule.poll),
        seen=seen,
        newer=_beside(rows[0], asked, query, backwards=True) if has_newer else None,
        older=_beside(rows[-1], asked, query, backwards=False) if has_older else None,
    )


def _card(row: Link, challans: int | None, made_by: str | None) -> LinkCard:
    return LinkCard(
        id=row.id,
        rc=row.rc,
        plate=spaced(row.rc) if row.rc else None,
        state=shared_texts.link_state(row.status),
        total=row.total,
        challans=challans,
        created_at=row.made_at,
        created_by=made_by,
        expires_at=row.expires_at,
    )


def _column(asked: LinkFilter, sort: SortBy, said: str, at_end: bool) -> Column:
    turned = filters.sorted_by(asked, sort)
    how = "none" if asked.sort is not sort else "descending" if asked.descending else "ascending"
    return Column(said, url_for("links.index", **filters.write(turned)), how, at_end)


def _beside(row: Link, asked: LinkFilter, query: dict[str, Any], *, backwards: bool) -> str:
    place = Place(link_listing.rank_of(row, asked.sort), row.id, backwards)
    values: dict[str, Any] = query | _place_in_address(place)
    return url_for("links.index", **values)


def _place_in_address(place: Place | None) -> dict[str, str]:
    if place is None:
        return {}
    rank = place.rank.isoformat() if isinstance(place.rank, datetime) else str(place.rank)
    return {"before" if place.backwards else "after": f"{place.link_id}~{rank}"}


def read_place(sort: SortBy, after: str | None, before: str | None) -> Place | None:
    """The place in the list that an address names; None, the start, when it makes no sense."""
    link_id, parted, rank = (after or before or "").partition("~")
    if not parted:
        return None
    try:
        return Place(_rank_from(sort, rank), link_id[:36], backwards=not after)
    except ValueError:
        return None


def _rank_from(sort: SortBy, text: str) -> Any:
    if sort in (SortBy.MADE, SortBy.ENDS):
        if (moment := request_args.moment(text)) is None:
            raise ValueError("no moment")
        return moment
    return float(text) if sort is SortBy.AMOUNT else text
