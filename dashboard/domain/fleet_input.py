"""Check the lines that describe the vehicles of a fleet: what can be searched, what is merged, and what is wrong.

A line has a registration number and, where it is a row of a table, RC type, city, driver and custom fields. A vehicle
that was searched before needs its number alone; a new one needs RC type and city too (section 4.3, rule 2).
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from dashboard.domain.custom_fields import CUSTOM_FIELDS
from dashboard.domain.drivers import MAX_NAME, MAX_PHONE, DriverDetails
from dashboard.domain.fleet import FleetVehicle
from dashboard.domain.lookups import City, RcType
from dashboard.domain.phones import InvalidPhone, international
from dashboard.domain.registration import Doubt, InvalidRegistration, RegistrationProblem, doubt, normalize

#: The fields of a line; the custom fields follow under their own names.
RC, RC_TYPE, CITY, DRIVER, PHONE = "rc", "rc_type", "city", "driver", "phone"
FIELDS = (RC, RC_TYPE, CITY, DRIVER, PHONE, *(each.name for each in CUSTOM_FIELDS))
#: The cell with the number that a person wants to be searched although its shape is unlikely, as in a single search.
ANYWAY = "anyway"
#: The cell with the line of a text as it was pasted, where a number is a part of it.
PASTED = "pasted"
#: How alike two names of cities must be for one to be suggested, and how many are.
_ALIKE, _MOST_SUGGESTED = 0.6, 3
_LONGEST_CITY = 60


class LineProblem(StrEnum):
    """Name why a line, or its driver or a custom field alone, cannot be used; `web/fleet/texts.py` has the words."""

    NUMBER_TOO_LONG = "number_too_long"
    NUMBER_MISSING = "number_missing"
    NOT_A_NUMBER = "not_a_number"
    NO_DIGITS = "no_digits"
    UNKNOWN_RC_TYPE = "unknown_rc_type"
    UNKNOWN_CITY = "unknown_city"
    SEVERAL_CITIES = "several_cities"
    DRIVER_MISSING = "driver_missing"
    DRIVER_TOO_LONG = "driver_too_long"
    PHONE_MISSING = "phone_missing"
    NOT_A_PHONE = "not_a_phone"
    FIELD_TOO_LONG = "field_too_long"
    DIFFERS = "differs"
    OTHER_DRIVER = "other_driver"


_OF_NUMBER = {
    RegistrationProblem.EMPTY: LineProblem.NUMBER_MISSING,
    RegistrationProblem.TOO_LONG: LineProblem.NUMBER_TOO_LONG,
    RegistrationProblem.OTHER_CHARACTERS: LineProblem.NOT_A_NUMBER,
}


@dataclass(frozen=True, slots=True)
class Line:
    """Hold a line as it was given: its `number` in the text or the file, and its filled `cells` by field."""

    number: int
    cells: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Known:
    """Hold what lines are compared with: the stored lists, and the vehicles among them that were searched before."""

    cities: Sequence[City] = ()
    rc_types: Sequence[RcType] = ()
    vehicles: Collection[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BadLine:
    """Say what is wrong with a line: in which field, of which earlier line it differs, and what that one has `said`."""

    index: int
    line: Line
    field: str
    problem: LineProblem
    other: int = 0
    said: str = ""


@dataclass(frozen=True, slots=True)
class DoubtfulLine:
    """Hold a line whose number has no known shape; it is searched only where a person wants it `anyway`."""

    index: int
    line: Line
    doubt: Doubt
    anyway: bool


@dataclass(frozen=True, slots=True)
class InputVehicle:
    """Hold a vehicle that can be searched, with all that its lines say. RC type and city are given both, or neither."""

    rc: str
    rc_type: str | None = None
    city_id: str | None = None
    driver: str = ""
    phone: str = ""
    fields: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Checked:
    """Hold what a check found. `bad` lines are left out; of `unsaved` ones the vehicle is searched, and the driver or
    the custom field that is named is not saved. `merged` lines name a vehicle of an earlier line, `respelled` of them
    in another way.

    `unplaced` are new vehicles without RC type or city. `cities` counts the lines of each city that is not known, as it
    is written first.
    """

    vehicles: tuple[InputVehicle, ...]
    bad: tuple[BadLine, ...]
    unsaved: tuple[BadLine, ...]
    merged: int
    respelled: int
    unplaced: tuple[str, ...]
    doubtful: tuple[DoubtfulLine, ...]
    cities: Mapping[str, int]

    @property
    def held(self) -> int:
        """Return how many lines are left out until a person wants their numbers to be searched anyway."""
        return sum(not each.anyway for each in self.doubtful)

    @property
    def drivers(self) -> list[DriverDetails]:
        """Return the drivers, each with the vehicles that name them; a language of theirs is not known."""
        found: dict[str, DriverDetails] = {}
        for vehicle in self.vehicles:
            if vehicle.phone:
                new = DriverDetails(vehicle.driver, vehicle.phone, None, "", None)
                listed = found.setdefault(international(vehicle.phone), new)
                found[international(vehicle.phone)] = replace(listed, vehicles=(*listed.vehicles, vehicle.rc))
        return list(found.values())

    @property
    def custom_fields(self) -> dict[str, Mapping[str, str]]:
        """Return the custom fields by vehicle, where there are any."""
        return {vehicle.rc: vehicle.fields for vehicle in self.vehicles if vehicle.fields}


class _Refused(Exception):
    def __init__(self, of: str, problem: LineProblem, other: int = 0, said: str = "") -> None:
        super().__init__(problem)
        self.of, self.problem, self.other, self.said = of, problem, other, said


def _differs(name: str, first: Line) -> _Refused:
    return _Refused(name, LineProblem.DIFFERS, first.number, first.cells.get(name, ""))


def lines_of(vehicles: Iterable[FleetVehicle]) -> list[Line]:
    """Return lines for vehicles that a person chose before: their numbers are searched as they are."""
    cells = ({RC: each.rc, ANYWAY: each.rc, RC_TYPE: each.rc_type, CITY: each.city_id} for each in vehicles)
    return [Line(n, {name: text for name, text in each.items() if text}) for n, each in enumerate(cells, start=1)]


def check(lines: Sequence[Line], known: Known) -> Checked:
    """Check lines in their order: the first line of a vehicle counts, later ones add what it leaves out."""
    checker = _Checker(known)
    bad = []
    for index, line in enumerate(lines):
        try:
            checker.take(index, line)
        except _Refused as refused:
            bad.append(BadLine(index, line, refused.of, refused.problem, refused.other, refused.said))
    vehicles = tuple(checker.vehicles.values())
    return Checked(
        vehicles=vehicles,
        bad=tuple(bad),
        unsaved=tuple(checker.unsaved),
        merged=checker.merged,
        respelled=checker.respelled,
        unplaced=tuple(each.rc for each in vehicles if each.rc not in known.vehicles and not each.city_id),
        doubtful=tuple(checker.doubtful),
        cities=_unknown_cities(bad),
    )


class _Checker:
    """Take lines one by one, and hold the vehicles so far."""

    def __init__(self, known: Known) -> None:
        self.vehicles: dict[str, InputVehicle] = {}
        self.merged = self.respelled = 0
        self.doubtful: list[DoubtfulLine] = []
        self.unsaved: list[BadLine] = []
        self._known = known
        self._cities = _cities_by_spelling(known.cities)
        self._rc_types = {key: each.value for each in known.rc_types for key in (_key(each.value), _key(each.label))}
        self._first: dict[str, Line] = {}
        self._drivers: dict[str, tuple[str, int]] = {}

    def take(self, index: int, line: Line) -> None:
        """Add a line to the vehicles. Raises _Refused, and then nothing of the line counts."""
        vehicle, problems = self._vehicle(line)
        before = self.vehicles.get(vehicle.rc)
        if before is None and vehicle.rc not in self._known.vehicles and (found := doubt(vehicle.rc)):
            anyway = line.cells.get(ANYWAY) == vehicle.rc
            self.doubtful.append(DoubtfulLine(index, line, found, anyway))
            if not anyway:
                return
        if before is not None:
            _compare_places(before, vehicle, self._first[vehicle.rc])
            vehicle, more = _without_differences(before, vehicle, self._first[vehicle.rc])
            problems += more
        vehicle, more = self._with_own_driver(vehicle, line.number)
        self.unsaved += [BadLine(index, line, x.of, x.problem, x.other, x.said) for x in problems + more]
        self.vehicles[vehicle.rc] = vehicle if before is None else _merged(before, vehicle)
        if before is None:
            self._first[vehicle.rc] = line
            return
        self.merged += 1
        self.respelled += line.cells[RC] != self._first[vehicle.rc].cells[RC]

    def _vehicle(self, line: Line) -> tuple[InputVehicle, list[_Refused]]:
        """Return the vehicle of a line without what is not saved of it, and why not."""
        cells = line.cells
        problems: list[_Refused] = []
        rc = _number(cells.get(RC, ""))
        rc_type, city_id = self._place(rc, cells.get(RC_TYPE, ""), cells.get(CITY, ""))
        driver = phone = ""
        try:
            driver, phone = _driver(cells.get(DRIVER, ""), cells.get(PHONE, ""))
        except _Refused as refused:
            problems.append(refused)
        fields = {each.name: cells[each.name] for each in CUSTOM_FIELDS if cells.get(each.name)}
        for each in CUSTOM_FIELDS:
            if len(fields.get(each.name, "")) > each.max_length:
                problems.append(_Refused(each.name, LineProblem.FIELD_TOO_LONG))
                del fields[each.name]
        return InputVehicle(rc, rc_type, city_id, driver, phone, fields), problems

    def _place(self, rc: str, rc_type: str, city: str) -> tuple[str | None, str | None]:
        """Return RC type and city, where both are given. A vehicle that was searched before needs neither of them."""
        is_known = rc in self._known.vehicles
        found_type = self._rc_types.get(_key(rc_type))
        if rc_type and not found_type and not is_known:
            raise _Refused(RC_TYPE, LineProblem.UNKNOWN_RC_TYPE)
        found_cities = self._cities.get(_key(city), set())
        if city and len(found_cities) != 1 and not is_known:
            raise _Refused(CITY, LineProblem.SEVERAL_CITIES if found_cities else LineProblem.UNKNOWN_CITY)
        if found_type and len(found_cities) == 1:
            return found_type, next(iter(found_cities))
        return None, None

    def _with_own_driver(self, vehicle: InputVehicle, number: int) -> tuple[InputVehicle, list[_Refused]]:
        """Return the vehicle without its driver where the phone number is another driver's already, and why."""
        if vehicle.phone:
            name, first = self._drivers.setdefault(international(vehicle.phone), (vehicle.driver, number))
            if _key(name) != _key(vehicle.driver):
                other = _Refused(PHONE, LineProblem.OTHER_DRIVER, first, name)
                return replace(vehicle, driver="", phone=""), [other]
        return vehicle, []


def _number(typed: str) -> str:
    try:
        rc = normalize(typed)
    except InvalidRegistration as invalid:
        raise _Refused(RC, _OF_NUMBER[invalid.problem]) from None
    if not any(character.isdigit() for character in rc):
        raise _Refused(RC, LineProblem.NO_DIGITS)
    return rc


def _driver(name: str, phone: str) -> tuple[str, str]:
    """Return name and phone, both or neither: the number tells drivers apart."""
    if not name and not phone:
        return "", ""
    if not phone:
        raise _Refused(PHONE, LineProblem.PHONE_MISSING)
    try:
        if len(phone) > MAX_PHONE:
            raise InvalidPhone(phone)
        international(phone)
    except InvalidPhone:
        raise _Refused(PHONE, LineProblem.NOT_A_PHONE) from None
    if not name:
        raise _Refused(DRIVER, LineProblem.DRIVER_MISSING)
    if len(name) > MAX_NAME:
        raise _Refused(DRIVER, LineProblem.DRIVER_TOO_LONG)
    return name, phone


def _compare_places(first: InputVehicle, later: InputVehicle, line: Line) -> None:
    """Raise _Refused where a later line names another RC type or city: which of them is right is not known."""
    for name, before, after in ((RC_TYPE, first.rc_type, later.rc_type), (CITY, first.city_id, later.city_id)):
        if before and after and before != after:
            raise _differs(name, line)


def _without_differences(first: InputVehicle, later: InputVehicle, line: Line) -> tuple[InputVehicle, list[_Refused]]:
    """Return a later line without the driver and the custom fields of which an earlier line says something else."""
    problems = []
    if first.phone and later.phone and international(first.phone) != international(later.phone):
        problems.append(_differs(PHONE, line))
        later = replace(later, driver="", phone="")
    differ = [name for name, text in later.fields.items() if first.fields.get(name, text) != text]
    problems += [_differs(name, line) for name in differ]
    same = {name: text for name, text in later.fields.items() if name not in differ}
    return replace(later, fields=same), problems


def _merged(first: InputVehicle, later: InputVehicle) -> InputVehicle:
    """Return the vehicle with what a later line adds."""
    return InputVehicle(
        first.rc,
        first.rc_type or later.rc_type,
        first.city_id or later.city_id,
        first.driver or later.driver,
        first.phone or later.phone,
        {**later.fields, **first.fields},
    )


def _unknown_cities(bad: Iterable[BadLine]) -> dict[str, int]:
    """Count the lines of each city that is not known or not the only one of its name, under its first spelling."""
    places = [each.line.cells[CITY] for each in bad if each.field == CITY and each.problem is not LineProblem.DIFFERS]
    first: dict[str, str] = {}
    counts = Counter(first.setdefault(_key(city), city) for city in places)
    return dict(counts.most_common())


def suggested_cities(typed: str, cities: Sequence[City]) -> list[City]:
    """Return the cities that a text may mean: all of its name, else those of the names most like it."""
    key = _key(typed[:_LONGEST_CITY])
    by_name: dict[str, list[City]] = {}
    for city in cities:
        by_name.setdefault(_key(city.name), []).append(city)
    # What stands before a comma is the name of the city, where the text has more than that.
    names = [key, _key(typed.partition(",")[0][:_LONGEST_CITY])]
    found = [city for name in dict.fromkeys(names) for city in by_name.get(name, [])]
    if not found:
        alike = difflib.get_close_matches(key, by_name, n=_MOST_SUGGESTED, cutoff=_ALIKE)
        found = [city for name in alike for city in by_name[name]]
    return found[: _MOST_SUGGESTED * 2]


def with_city(lines: Sequence[Line], typed: str, city: str) -> list[Line]:
    """Replace a city in every line that names it so, by an id or another text: labels may be the same for two."""
    key = _key(typed)
    return [
        replace(line, cells={**line.cells, CITY: city}) if _key(line.cells.get(CITY, "")) == key else line
        for line in lines
    ]


def with_place(lines: Sequence[Line], of: Collection[str], rc_type: str, city_id: str) -> list[Line]:
    """Give RC type and city to the lines of these vehicles."""
    return [
        replace(line, cells={**line.cells, RC_TYPE: rc_type, CITY: city_id}) if _stored(line) in of else line
        for line in lines
    ]


def searched_anyway(line: Line, *, wanted: bool) -> Line:
    """Note of a line that its number is searched although its shape is unlikely, or take that back."""
    return with_cell(line, ANYWAY, _stored(line) if wanted else "")


def _stored(line: Line) -> str:
    """Return the number of a line in its stored spelling, "" for what is none."""
    try:
        return normalize(line.cells.get(RC, ""))
    except InvalidRegistration:
        return ""


def with_cell(line: Line, name: str, text: str) -> Line:
    """Replace a cell of a line; an empty text removes it."""
    cells = {each: old for each, old in line.cells.items() if each != name}
    return replace(line, cells={**cells, name: text} if text else cells)


def _cities_by_spelling(cities: Sequence[City]) -> dict[str, set[str]]:
    """Return the ids of cities by their name, alone or with the state, by the place in it, by label and by id."""
    found: dict[str, set[str]] = {}
    for city in cities:
        names = (city.name, f"{city.name} {city.state_name}", f"{city.name} {city.state_code}", city.label)
        places = [place for place in (city.address, city.building_name, city.landmark, city.zip_code) if place]
        for spelling in (*names, *places, *(f"{city.name} {place}" for place in places)):
            found.setdefault(_key(spelling), set()).add(city.id)
        found[_key(city.id)] = {city.id}
    return found


def _key(text: str) -> str:
    """Return a text without case and signs, so that spellings of it are equal."""
    return " ".join("".join(each if each.isalnum() else " " for each in text.casefold()).split())
