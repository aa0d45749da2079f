"""Build the list of links: its rows, its filter and its saved views."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import parse_qsl, urlencode

from flask import url_for
from sqlalchemy import Connection
from werkzeug.datastructures import MultiDict

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.link_filters import ELSEWHERE, MAX_CHOSEN, MAX_VIEW_NAME, LinkFilter, Only, SortBy
from dashboard.store.links import listing as link_listing
from dashboard.store.links import saved_views
from dashboard.store.links.listing import Place
from dashboard.store.links.records import Link
from dashboard.store.links.saved_views import SavedView
from dashboard.store.sharing import drivers
from dashboard.web.links import custom_field_texts, filters, list_texts, tabs
from dashboard.web.links.list_records import Column, LinkRows, LinksPage, SavedViewLink
from dashboard.web.links.records import Choice
from dashboard.web.links.rows import rows as link_rows_of
from dashboard.web.links.rows import with_left
from dashboard.web.links.tabs import ListTotals
from dashboard.web.shared import request_args
from dashboard.web.shared.current import current_services, format_day, name_of, person_id, zone
from dashboard.web.shared.live import whole_seconds
from dashboard.web.shared.service_words import challan_type
from dashboard.web.shared.texts import link_state

PAGE_SIZE = 50

#: Marks in an address a place among the links that can no longer be paid.
_OVER = "over"
#: The fields of the filter that are folded away at first.
_IN_MORE = {"vehicle", "took", "least", "most", "type", *(each.name for each in CUSTOM_FIELDS)}
#: Those that are folded away once more.
_IN_REST = _IN_MORE - {"least", "most"}


def links_page(
    asked: LinkFilter, problems: dict[str, str], typed: dict[str, str], place: Place | None, row: int
) -> LinksPage:
    """Build the page. `typed` is what the filter's fields hold, and `problems` what is wrong with it, by field; `row`
    is the number of the first row in the list.
    """
    found = tabs.add_up(asked)
    with current_services().store.read() as connection:
        listed = _rows(connection, asked, place, row, found, {name: typed[name] for name in problems})
        states = dict.fromkeys([*list_texts.FIRST_STATES, *link_listing.statuses(connection), *asked.states])
        makers = link_listing.creators(connection)
        given = [*drivers.listed(connection), *drivers.listed(connection, left=True)]
        views = saved_views.of_person(connection, person_id())
    known = sorted(((str(key), name_of(key)) for key in makers), key=lambda pair: pair[1])
    query = tuple(parse_qsl(urlencode(filters.write(asked), doseq=True)))
    return LinksPage(
        listed=listed,
        dates=_dates(asked),
        more=len({name for name, _ in query if name in _IN_MORE} | _IN_MORE & set(problems)),
        uses_rest=any(name in _IN_REST for name, _ in query),
        typed=typed,
        problems=problems,
        only=(
            Choice("", list_texts.ANY, asked.only is None),
            *(Choice(only, str(said), asked.only is only) for only, said in list_texts.ONLY.items()),
        ),
        days_of=tuple(Choice(day, said, asked.day_of is day) for day, said in list_texts.DAYS_OF.items()),
        paid_after=(
            Choice("", list_texts.ANY, asked.paid_after is None),
            *(Choice(wait, said, asked.paid_after is wait) for wait, said in list_texts.PAID_AFTER.items()),
        ),
        challan_type=challan_type(asked.challan_type),
        custom_fields=tuple(
            (each.name, custom_field_texts.FILTER_LABELS[each.name], dict(asked.custom).get(each.name, ""))
            for each in CUSTOM_FIELDS
        ),
        drivers=tuple(
            Choice(value, name, value == asked.driver)
            for value, name in [("", str(list_texts.ANY_DRIVER)), *((str(row.id), row.name) for row in given)]
        ),
        states=tuple(Choice(state, link_state(state).shown, state in asked.states) for state in states if state),
        creators=tuple(
            Choice(value, name, value == asked.creator)
            for value, name in [("", str(list_texts.ANY_MAKER)), *known, (ELSEWHERE, list_texts.MADE_ELSEWHERE)]
        ),
        max_view_name=MAX_VIEW_NAME,
        most_chosen=MAX_CHOSEN,
        query=query,
        views=tuple(_saved_view(view, filters.write(asked)) for view in views),
    )


def _dates(asked: LinkFilter) -> str:
    """Name the days of the filter, or the button that asks for them."""
    first, last = (format_day(day) if day else None for day in (asked.first_day, asked.last_day))
    return list_texts.days(asked.day_of, first, last) if first or last else str(list_texts.DATES)


def _saved_view(view: SavedView, present: dict[str, Any]) -> SavedViewLink:
    saved, _ = filters.read(MultiDict(parse_qsl(view.query)))
    values = filters.write(saved)
    return SavedViewLink(view.id, view.name, url_for("links.index", **values), values == present)


def link_rows(asked: LinkFilter, place: Place | None, row: int, unread: Mapping[str, str]) -> LinkRows:
    """Build the live region alone. `unread` is what the filter's fields hold that cannot be read."""
    found = tabs.add_up(asked)
    with current_services().store.read() as connection:
        return _rows(connection, asked, place, row, found, unread)


def _rows(
    connection: Connection,
    asked: LinkFilter,
    place: Place | None,
    row: int,
    totals: ListTotals,
    unread: Mapping[str, str],
) -> LinkRows:
    services = current_services()
    found = link_listing.page(connection, asked, zone(), services.clock(), place=place, limit=PAGE_SIZE + 1)
    backwards = place is not None and place.backwards
    more = len(found) > PAGE_SIZE
    rows = found[-PAGE_SIZE:] if backwards else found[:PAGE_SIZE]
    shown = with_left(connection, link_rows_of(connection, rows))
    shown_tabs = tabs.tabs(asked, totals)
    query = filters.write(asked)
    here = query | _place_in_address(place, row)
    sums = tabs.sums(asked, totals)
    seen = fingerprint((totals.own, totals.to_check, sums, shown_tabs, shown))
    has_newer = bool(rows) and (more if backwards else place is not None)
    has_older = bool(rows) and (True if backwards else more)
    # Links that came meanwhile move the numbers, never the rows.
    first = max(row, 1 + PAGE_SIZE) if has_newer else 1
    last = first + len(rows) - 1
    return LinkRows(
        number=totals.own.number,
        all_address=url_for("links.choosable", **query),
        counted=_counted(asked, totals, not_applied := list_texts.not_applied(_unread(asked, unread))),
        not_applied=not_applied,
        none=list_texts.none_in(asked.states),
        shows=list_texts.shows(totals.own.number, more=totals.own.more),
        sums=sums,
        narrows=asked.narrows,
        text=asked.text,
        has_filter=(has_filter := asked.narrows and not asked.is_one_tab),
        can_clear=has_filter or bool(unread),
        tabs=shown_tabs,
        rows=shown,
        columns={str(sort): _column(asked, sort) for sort in SortBy},
        address=url_for("links.rows", **(here | dict(unread)), seen=seen),
        poll_seconds=whole_seconds(services.schedule.poll),
        seen=seen,
        page_size=PAGE_SIZE,
        page_words=list_texts.page_of(first, last, max(last, totals.own.number), more=totals.own.more),
        newer=_beside(rows[0], asked, query, first - PAGE_SIZE, backwards=True) if has_newer else None,
        older=_beside(rows[-1], asked, query, last + 1, backwards=False) if has_older else None,
        to_check=totals.to_check,
        check_address=url_for("links.index", **filters.write(replace(asked, only=Only.CHECK_FIRST))),
    )


def _unread(asked: LinkFilter, wrong: Iterable[str]) -> list[str]:
    """Return those fields of the filter that are wrong and say nothing that could be searched for."""
    said = {"from": asked.first_day, "to": asked.last_day, "least": asked.least, "most": asked.most}
    return [field for field in wrong if said[field] is None]


def _counted(asked: LinkFilter, found: ListTotals, not_applied: str) -> str:
    number, more = found.own.number, found.own.more
    if not_applied:
        return list_texts.counted_without(not_applied, number, more=more)
    return list_texts.counted(number, more=more, narrows=asked.narrows)


def fixed_columns() -> dict[str, Column]:
    """Return the heads of a list of links that stays in its order."""
    return {str(sort): Column(f"sort-{sort}", words, "", "none") for sort, words in list_texts.COLUMNS.items()}


def _column(asked: LinkFilter, sort: SortBy) -> Column:
    turned = filters.sorted_by(asked, sort)
    how = "none" if asked.sort is not sort else "descending" if asked.descending else "ascending"
    return Column(
        f"sort-{sort}",
        list_texts.COLUMNS[sort],
        url_for("links.index", **filters.write(turned)),
        how,
    )


def _beside(row: Link, asked: LinkFilter, query: dict[str, Any], number: int, *, backwards: bool) -> str:
    place = link_listing.place_of(row, asked.sort, backwards=backwards)
    values: dict[str, Any] = query | _place_in_address(place, number)
    return url_for("links.index", **values)


def _place_in_address(place: Place | None, row: int) -> dict[str, Any]:
    if place is None:
        return {}
    rank = place.rank.isoformat() if isinstance(place.rank, datetime) else str(place.rank)
    over = f"~{_OVER}" if place.is_over else ""
    return {"before" if place.backwards else "after": f"{place.link_id}~{rank}{over}", "row": row}


def read_place(sort: SortBy, after: str | None, before: str | None) -> Place | None:
    """Read the place in the list that an address names; None, the start, when it cannot be read."""
    link_id, parted, rank = (after or before or "").partition("~")
    if not parted:
        return None
    rank, _, part = rank.partition("~")
    try:
        return Place(_rank_from(sort, rank), link_id[:36], backwards=not after, is_over=part == _OVER)
    except ValueError:
        return None


def _rank_from(sort: SortBy, text: str) -> Any:
    if sort in (SortBy.MADE, SortBy.ENDS):
        if (moment := request_args.moment(text)) is None:
            raise ValueError("no moment")
        return moment
    return float(text) if sort is SortBy.AMOUNT else text
