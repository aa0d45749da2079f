"""Build the page that shows what a draft would search, before anything is searched."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from dashboard.domain.fleet_input import (
    CITY,
    DRIVER,
    PASTED,
    PHONE,
    RC,
    RC_TYPE,
    BadLine,
    Checked,
    DoubtfulLine,
    Line,
    LineProblem,
    suggested_cities,
)
from dashboard.domain.lookups import City, RcType
from dashboard.domain.registration import InvalidRegistration, is_beginning, normalize, spaced
from dashboard.store.fleet import lists
from dashboard.store.fleet.drafts import Draft
from dashboard.web.fleet import texts
from dashboard.web.fleet.places import ONE_BY_ONE, is_choosing, places
from dashboard.web.fleet.records import CorrectedCell, Correction, Doubtful, DraftPage, UnknownCity
from dashboard.web.shared.current import current_services
from dashboard.web.vehicles.texts import unlikely

#: The most lines, cities and unusual numbers that are corrected at once; what follows is shown when these are.
_MOST_BAD, _MOST_CITIES, _MOST_DOUBTFUL = 100, 20, 50
#: The vehicles that are named before they are searched.
_MOST_LISTED = 60
#: How much of a cell is shown.
_SHOWN = 200
#: How much of a cell a field of one line shows.
_ONE_LINE = 60
_OF_CITIES = (LineProblem.UNKNOWN_CITY, LineProblem.SEVERAL_CITIES)
_OF_PLACES = (*_OF_CITIES, LineProblem.UNKNOWN_RC_TYPE)


def draft_page(
    draft: Draft,
    checked: Checked,
    *,
    title: str | None = None,
    title_problem: str = "",
    list_name: str = "",
    list_problem: str = "",
    offers_replacement: bool = False,
    place_problem: str = "",
    typed: Mapping[str, str] | None = None,
    lists_tried: bool = False,
) -> DraftPage:
    """Build the page of a draft."""
    services = current_services()
    cities, rc_types = services.reference_data.known()
    with services.store.read() as connection:
        saved = lists.listed(connection)
        from_list = next((each.name for each in saved if each.id == draft.list_id), "")
    alone = [bad for bad in checked.bad if bad.problem not in _OF_CITIES]
    names = list(checked.cities.items())
    first: dict[str, Line] = {}
    for bad in checked.bad:
        if bad.problem in _OF_CITIES:
            first.setdefault(bad.line.cells[CITY], bad.line)
    unplaced = set(checked.unplaced)
    left_out = len(checked.bad) + checked.held
    others = [each.rc for each in checked.vehicles if each.rc not in unplaced]
    return DraftPage(
        id=draft.id,
        title=title_of(draft, checked) if title is None else title,
        is_named=bool(draft.title),
        title_problem=title_problem,
        at_source=draft.at_source,
        vehicles=len(checked.vehicles),
        plates=tuple(spaced(rc) for rc in others[:_MOST_LISTED]),
        new_plates=tuple(spaced(rc) for rc in checked.unplaced[:_MOST_LISTED]),
        lines=len(draft.lines),
        left_out=left_out,
        merged=checked.merged,
        respelled=checked.respelled,
        unplaced=len(checked.unplaced),
        places=places(
            checked.unplaced, checked.unplaced[:ONE_BY_ONE], cities, rc_types, typed or {}, problem=place_problem
        )
        if checked.unplaced
        else None,
        ignored=draft.ignored,
        bad=tuple(_correction(bad, rc_types) for bad in alone[:_MOST_BAD]),
        more_bad=max(0, len(alone) - _MOST_BAD),
        unsaved=tuple(_correction(bad) for bad in checked.unsaved[:_MOST_BAD]),
        more_unsaved=max(0, len(checked.unsaved) - _MOST_BAD),
        cities=tuple(
            _unknown_city(place, typed, lines, first[typed], cities)
            for place, (typed, lines) in enumerate(names[:_MOST_CITIES])
        ),
        more_cities=max(0, len(names) - _MOST_CITIES),
        held=checked.held,
        ticked_together=len(ticked_together(checked)),
        doubtful=tuple(map(_doubtful, checked.doubtful[:_MOST_DOUBTFUL])),
        more_doubtful=max(0, len(checked.doubtful) - _MOST_DOUBTFUL),
        lacks_lists=not (cities and rc_types),
        lists_tried=lists_tried,
        names_places=any(bad.problem in _OF_PLACES for bad in checked.bad),
        is_placing=bool(place_problem) or lists_tried or is_choosing(typed or {}, checked.unplaced),
        words=texts.to_search(len(checked.vehicles), left_out),
        saved=texts.saved_with(len(checked.drivers), len(checked.custom_fields)),
        city_names=tuple(sorted({city.name for city in cities})) if checked.bad else (),
        lists=tuple(each.name for each in saved),
        list_name=list_name or from_list,
        list_problem=list_problem,
        offers_replacement=offers_replacement or bool(from_list),
    )


def title_of(draft: Draft, checked: Checked) -> str:
    """Return the name of the search: until a person or a file names it, it counts the vehicles."""
    return draft.title or texts.pasted(len(checked.vehicles) or len(draft.lines))


def ticked_together(checked: Checked) -> list[DoubtfulLine]:
    """Return the unusual numbers that one click ticks. One with a swapped letter, or only the beginning of one, is of
    no vehicle: it is corrected, or ticked by itself.
    """
    return [each for each in checked.doubtful if not (each.anyway or each.doubt.swapped or is_beginning(each.doubt.rc))]


def _correction(bad: BadLine, rc_types: tuple[RcType, ...] = ()) -> Correction:
    # A driver is a name and a phone number, and either of them may be the wrong one.
    fields = (DRIVER, PHONE) if bad.field in (DRIVER, PHONE) else (bad.field,)
    plate = _plate(bad.line.cells.get(RC, "")) if bad.field != RC else ""
    cells = tuple(replace(_cell(bad.index, bad.line, each), wrong=each == bad.field) for each in fields)
    if bad.field == RC_TYPE and rc_types:
        typed = cells[0].text
        words = texts.not_known(typed[:_SHOWN]) if bad.problem is LineProblem.UNKNOWN_RC_TYPE else typed
        cells = (replace(cells[0], choices=((typed, words), *((each.value, each.label) for each in rc_types))),)
    return Correction(bad.line.number, plate, cells, texts.line_problem(bad), _pasted(bad.line))


def _cell(index: int, line: Line, name: str) -> CorrectedCell:
    suggests = "city-names" if name == CITY else ""
    text = line.cells.get(name, "")
    is_long = len(text) > _ONE_LINE and name not in (RC, CITY)
    return CorrectedCell(f"cell-{index}-{name}", texts.label(name), text, suggests, is_long=is_long)


def _doubtful(each: DoubtfulLine) -> Doubtful:
    found, meant = each.doubt, each.doubt.swapped
    why = texts.swapped(found.rc, meant) if meant else unlikely(spaced(found.rc), found.digits)
    line = Correction(each.line.number, "", (_cell(each.index, each.line, RC),), why, _pasted(each.line))
    return Doubtful(each.index, line, meant, each.anyway)


def _pasted(line: Line) -> tuple[str, str, str] | None:
    """Return the line that a number was pasted in; what was corrected since is no part of it any more."""
    pasted = line.cells.get(PASTED)
    return pasted.partition(line.cells.get(RC, "")) if pasted and line.cells.get(RC) else None


def _unknown_city(place: int, typed: str, lines: int, first: Line, cities: tuple[City, ...]) -> UnknownCity:
    choices = tuple((f"{typed}|{city.id}", city.label) for city in suggested_cities(typed, cities))
    plate = _plate(first.cells.get(RC, ""))
    return UnknownCity(f"city-{place}", typed, typed[:_SHOWN], first.number, plate, lines, choices)


def _plate(typed: str) -> str:
    try:
        return spaced(normalize(typed))
    except InvalidRegistration:
        return typed[:_SHOWN]
