"""Let a person choose RC type and city of many vehicles: for all, for those of a state, and for one that differs.

A choice that is left open is that of the row above: one vehicle's is its state's, and a state's is that of all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection

from dashboard.domain.fleet import MAX_VEHICLES, SearchOutcome
from dashboard.domain.lookups import City, RcType
from dashboard.domain.plate_states import state_of_plate
from dashboard.domain.registration import spaced
from dashboard.store.fleet import runs
from dashboard.store.fleet.runs import RunVehicle
from dashboard.web.fleet import texts
from dashboard.web.fleet.records import PlaceRow, Places
from dashboard.web.links.records import Choice
from dashboard.web.shared import service_words
from dashboard.web.shared.current import current_services

#: The vehicles that are chosen for one by one at once, and the plates that are named beside a choice for several.
ONE_BY_ONE, _NAMED = 20, 3
#: So few vehicles are all chosen for one by one, and not by their states.
_FEW = 5
_FIELDS = ("rc_type", "city_id")
#: The outcomes whose search a person may complete with RC type and city.
NEEDED = (SearchOutcome.DETAILS_NEEDED, SearchOutcome.REFUSED)


class PlaceIncomplete(ValueError):
    """Report an RC type without a city, or a city without an RC type."""


def places(
    rcs: Sequence[str],
    shown: Sequence[str],
    cities: Sequence[City],
    rc_types: Sequence[RcType],
    form: Mapping[str, str],
    problem: str = "",
) -> Places:
    """Build the choice for vehicles, the `shown` ones one by one too; `form` is as it was sent."""
    states: dict[str, list[str]] = {}
    for rc in rcs:
        states.setdefault(state_of_plate(rc), []).append(rc)
    ordered = sorted(states.items(), key=lambda each: (not each[0], -len(each[1]), each[0]))

    def row(key: str, words: str, of: Sequence[str], state: str) -> PlaceRow:
        # The cities of the state come first: most vehicles are registered where they run.
        near = sorted(cities, key=lambda city: city.state_name.casefold() != state.casefold()) if state else cities
        chosen = [form.get(f"{name}{key}", "") for name in _FIELDS]
        # A row without words is that of one vehicle, below that of its state.
        in_effect = _chosen_of(form, *((key, "") if words else (key, _key(state), "")))
        return PlaceRow(
            key=key,
            words=words,
            count=len(of),
            plates=tuple(map(spaced, of[:_NAMED])),
            rc_types=tuple(Choice(each.value, each.label, each.value == chosen[0]) for each in rc_types),
            cities=tuple(Choice(each.id, each.label, each.id == chosen[1]) for each in near),
            # What is missing is marked where the other one was chosen.
            lacks=tuple(name for name, value in zip(_FIELDS, in_effect, strict=True) if any(chosen) and not value),
        )

    of_states = [
        row(_key(state), service_words.state_of_india(state) if state else str(texts.NO_STATE), of, state)
        for state, of in ordered
    ]
    only = ordered[0][0] if len(ordered) == 1 else ""
    return Places(
        everyone=row("", texts.new_vehicles(len(rcs)), rcs, only),
        states=tuple(of_states) if len(ordered) > 1 and len(rcs) > _FEW else (),
        single=tuple(row(f"-{rc}", "", [rc], state_of_plate(rc)) for rc in shown) if len(rcs) > 1 else (),
        problem=problem,
        is_short=len(rcs) <= _FEW,
    )


def lacking(connection: Connection, run_id: str, shown: str) -> list[RunVehicle]:
    """Return the vehicles of a run that need RC type and city, where an address lists them."""
    if shown not in NEEDED:
        return []
    return runs.with_outcome(connection, run_id, [SearchOutcome(shown)], after=0, limit=MAX_VEHICLES)


def of_run(
    vehicles: Sequence[RunVehicle], shown: Sequence[str], form: Mapping[str, str], problem: str
) -> Places | None:
    """Build the choice for vehicles of a run; None until the lists of the organization are stored."""
    cities, rc_types = current_services().reference_data.known()
    if not (cities and rc_types and vehicles):
        return None
    return places([each.rc for each in vehicles], shown, cities, rc_types, form, problem)


def chosen(
    form: Mapping[str, str], rcs: Sequence[str], cities: Sequence[City], rc_types: Sequence[RcType]
) -> dict[str, tuple[str, str]]:
    """Return RC type and city of each vehicle that has a choice. Raises PlaceIncomplete where one is missing."""
    known = {each.value for each in rc_types}, {each.id for each in cities}
    found = {}
    for rc in rcs:
        of_vehicle = _of_vehicle(form, rc)
        if not any(of_vehicle):
            continue
        if not all(value in among for value, among in zip(of_vehicle, known, strict=True)):
            raise PlaceIncomplete
        found[rc] = (of_vehicle[0], of_vehicle[1])
    return found


def is_choosing(form: Mapping[str, str], rcs: Sequence[str]) -> bool:
    """Return whether RC type or city of one of the vehicles is chosen."""
    return any(any(_of_vehicle(form, rc)) for rc in rcs)


def by_place(of_vehicles: Mapping[str, tuple[str, str]]) -> dict[tuple[str, str], set[str]]:
    """Group vehicles by their RC type and city."""
    found: dict[tuple[str, str], set[str]] = {}
    for rc, place in of_vehicles.items():
        found.setdefault(place, set()).add(rc)
    return found


def _of_vehicle(form: Mapping[str, str], rc: str) -> list[str]:
    return _chosen_of(form, f"-{rc}", _key(state_of_plate(rc)), "")


def _chosen_of(form: Mapping[str, str], *keys: str) -> list[str]:
    """Return RC type and city as the first of the rows with these keys says that has each."""
    return [next(filter(None, (form.get(f"{name}{key}") for key in keys)), "") for name in _FIELDS]


def _key(state: str) -> str:
    """Return what the fields of a state's vehicles end with; no number of a vehicle is written so."""
    return f"-in-{state.replace(' ', '-') or 'other'}"
