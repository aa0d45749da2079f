"""Test how lines of vehicles are read from texts and tables, checked, merged and corrected."""

from __future__ import annotations

import pytest

from dashboard.domain import fleet_lines
from dashboard.domain.fleet_input import (
    CITY,
    DRIVER,
    PHONE,
    RC,
    Known,
    Line,
    LineProblem,
    check,
    suggested_cities,
    with_city,
)
from dashboard.domain.fleet_lines import ReadProblem, Unreadable, as_table, read_table, read_text, split_numbers
from dashboard.domain.lookups import City, RcType

PUNE = City("p", "Pune", "Maharashtra", "MH", "Hadapsar depot")
OTHER_PUNE = City("q", "Pune", "Maharashtra", "MH", "Hinjawadi hub")
DELHI = City("d", "New Delhi", "Delhi", "DL")
TRUCK = RcType("TRUCK", "Truck")
KNOWN = Known((PUNE, OTHER_PUNE, DELHI), (TRUCK,), {"MH12AB1001"})


def lines(*cells: dict[str, str]) -> list[Line]:
    return [Line(number, each) for number, each in enumerate(cells, start=1)]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("MH12AB1001", ["MH12AB1001"]),
        ("MH 12 AB 1001", ["MH 12 AB 1001"]),
        ("mh-12-ab-1001, MH12 AB 1002;KA05MN4321|DL1CAB1234\t22 BH 1234 AA", None),
        ("MH12 AB 1001 MH12 AB 1002", ["MH12 AB 1001", "MH12 AB 1002"]),
        ("MH 12 AB 1001 MH 12 AB 1002", ["MH 12 AB 1001", "MH 12 AB 1002"]),
        ("MH12AB1001 MH12AB1002 MH12AB1003", ["MH12AB1001", "MH12AB1002", "MH12AB1003"]),
        ("MH14 CD 2222 MH12 AB 10012", ["MH14 CD 2222", "MH12 AB 10012"]),
        ("MHA1234 MHB1234", ["MHA1234", "MHB1234"]),
        ("MH12 AB 10O1", ["MH12 AB 10O1"]),
        ("MH 12 AB 10O1 MH12 AB 1002", ["MH 12 AB 10O1", "MH12 AB 1002"]),
        ("MH12 AB 1001 truck", ["MH12 AB 1001", "truck"]),
        ("KA01 XYZ 12345", ["KA01 XYZ 12345"]),
        ("1. MH12AB1001", ["MH12AB1001"]),
        ("• “MH12AB1001”", ["MH12AB1001"]),
        (" , ;", []),
    ],
)
def test_numbers_are_told_apart_whatever_separates_them(text: str, numbers: list[str] | None) -> None:
    found = list(split_numbers(text))
    assert (len(found) == 5) if numbers is None else (found == numbers)


RAMESH = {RC: "MH12 AB 1001", DRIVER: "Ramesh Yadav", PHONE: "98765 43210"}


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("MH12 AB 1001, Ramesh Yadav, 98765 43210", [RAMESH]),
        ("MH12 AB 1001\tRamesh Yadav\t98765 43210", [RAMESH]),
        ("MH12 AB 1001 Ramesh Yadav 98765 43210", [RAMESH]),
        ("1. MH12 AB 1001 - 98765 43210 - Ramesh Yadav", [RAMESH]),
        ("mh12ab1001 रमेश +91 98765-43210", [{RC: "mh12ab1001", DRIVER: "रमेश", PHONE: "+91 98765-43210"}]),
        ("MH12 AB 1001, 9876543210", [{RC: "MH12 AB 1001", PHONE: "9876543210"}]),
        ("MH12 AB 1, R. D'Souza, 09876543210", [{RC: "MH12 AB 1", DRIVER: "R. D'Souza", PHONE: "09876543210"}]),
    ],
)
def test_a_name_and_a_phone_number_behind_a_number_are_its_driver(text: str, cells: list[dict[str, str]]) -> None:
    assert [dict(line.cells) for line in read_text(text).lines] == cells
    assert [dict(line.cells) for line in read_table([text.split(",")]).lines] == cells


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("MH12 AB 1001, Ramesh, Pune", ["MH12 AB 1001", "Ramesh", "Pune"]),
        ("MH12, Ramesh, 12345", ["MH12", "Ramesh", "12345"]),
        ("MH12 AB 1001, MH12 AB 1002, 98765 43210", ["MH12 AB 1001", "MH12 AB 1002", "98765 43210"]),
        ("MH12 AB 1001, Ramesh 2, 98765 43210", ["MH12 AB 1001", "Ramesh 2", "98765 43210"]),
        ("Ramesh, 98765 43210", ["Ramesh", "98765 43210"]),
    ],
)
def test_what_is_not_clearly_a_driver_is_none(text: str, numbers: list[str]) -> None:
    assert [line.cells[RC] for line in read_text(text).lines] == numbers


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("KA05 MN 4321, Suresh", {RC: "KA05 MN 4321", DRIVER: "Suresh"}),
        ("MH12 AB 1003, Ravi, 12345", {RC: "MH12 AB 1003", DRIVER: "Ravi", PHONE: "12345"}),
        ("2) MH12AB1003 | 98765-4321 | रवि", {RC: "MH12AB1003", DRIVER: "रवि", PHONE: "98765-4321"}),
    ],
)
def test_a_name_behind_the_comma_of_a_number_is_a_driver_of_whom_something_lacks(
    text: str, cells: dict[str, str]
) -> None:
    assert [dict(line.cells) for line in read_text(text).lines] == [cells]


@pytest.mark.parametrize("head", ["Regn No", "Regn. No.", "REGN_NUMBER", "Bus", "Asset code"])
def test_the_column_of_the_numbers_is_known_by_its_name_or_by_its_cells(head: str) -> None:
    rows = [["Depot", head, "Driver name"], ["Pune", "MH12 AB 1001", "Ramesh"], ["Thane", "", ""], ["4", "KA05MN4321"]]
    read = read_table(rows)
    assert [dict(line.cells) for line in read.lines] == [
        {RC: "MH12 AB 1001", DRIVER: "Ramesh"},
        {RC: "KA05MN4321"},
    ]
    assert read.ignored == ("Depot",)


def test_a_text_with_a_heading_is_a_table_with_commas_semicolons_or_tabs() -> None:
    for delimiter in ",;\t":
        text = f"Vehicle No{delimiter}City{delimiter}Depot\n\nMH12 AB 1001{delimiter}Pune{delimiter}4\n"
        read = read_text(text)
        assert read.lines == (Line(3, {RC: "MH12 AB 1001", CITY: "Pune"}),)
        assert read.ignored == ("Depot",)


def test_a_heading_over_one_column_is_no_vehicle() -> None:
    assert [line.cells[RC] for line in read_table([["RC"], ["MH12AB1001 MH12AB1002"]]).lines] == [
        "MH12AB1001",
        "MH12AB1002",
    ]
    assert [line.number for line in read_table([["MH12AB1001"], [""], ["MH12AB1002"]]).lines] == [1, 3]


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([[""]], ReadProblem.EMPTY),
        ([["RC number", "City"]], ReadProblem.EMPTY),
        ([["MH12AB1001", "Pune"]], ReadProblem.NO_HEAD),
        ([["Driver", "Phone"], ["Ramesh", "1"]], ReadProblem.NO_NUMBERS),
        ([["Bus", "Spare"], ["MH12AB1001", "MH12AB1002"], ["x", "y"]], ReadProblem.NO_HEAD),
    ],
)
def test_a_table_that_cannot_be_read_says_why(rows: list[list[str]], problem: ReadProblem) -> None:
    with pytest.raises(Unreadable) as raised:
        read_table(rows)
    assert raised.value.problem is problem


def test_more_lines_than_a_run_may_have_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fleet_lines, "MAX_VEHICLES", 3)
    assert len(read_text("A1 1111, A1 1112, A1 1113").lines) == 3
    for text in ("MH12AB1, MH12AB2, MH12AB3, MH12AB4", "a " * 16):
        with pytest.raises(Unreadable) as raised:
            read_text(text)
        assert raised.value.problem is ReadProblem.TOO_MANY


def test_what_a_spreadsheet_escaped_is_read_as_it_was_meant() -> None:
    read = read_table([["RC number", "Phone", "Note"], ["MH12AB1001", "'+91 98765 43210", "two\nlines"]])
    assert dict(read.lines[0].cells) == {RC: "MH12AB1001", "phone": "+91 98765 43210", "note": "two lines"}


def test_lines_written_as_a_table_are_read_again() -> None:
    given = read_text('RC number,City,Note\nMH12AB1001,"Pune, Hadapsar",a\nMH12AB1002,,"say ""so"""\n').lines
    assert [dict(line.cells) for line in read_text(as_table(given)).lines] == [dict(line.cells) for line in given]


def test_spellings_of_a_number_are_one_vehicle_and_later_lines_add_what_is_missing() -> None:
    checked = check(
        lines(
            {RC: "MH12 AB 1002", CITY: "new delhi", "rc_type": "truck"},
            {RC: "mh12ab1002", "driver": "Ramesh", "phone": "98765 43210"},
            {RC: "MH12 AB 1002", "note": "Night"},
        ),
        KNOWN,
    )
    [vehicle] = checked.vehicles
    assert (vehicle.rc_type, vehicle.city_id, vehicle.driver, vehicle.fields) == (
        "TRUCK",
        "d",
        "Ramesh",
        {"note": "Night"},
    )
    assert (checked.merged, checked.respelled, checked.unplaced) == (2, 1, ())


def test_lines_that_contradict_each_other_on_the_city_are_not_merged() -> None:
    typed = {RC: "MH12AB1002", "rc_type": "Truck"}
    [bad] = check(lines({**typed, CITY: "New Delhi"}, {**typed, CITY: "p"}), KNOWN).bad
    assert (bad.problem, bad.field, bad.other, bad.said) == (LineProblem.DIFFERS, CITY, 1, "New Delhi")


def test_a_driver_or_a_text_that_contradicts_an_earlier_line_is_not_saved() -> None:
    ramesh, suresh = (
        {"driver": name, "phone": phone} for name, phone in (("Ramesh", "9876543210"), ("S", "9876543211"))
    )
    checked = check(
        lines({RC: "MH12AB1002", "trip": "A", **ramesh}, {RC: "MH12AB1002", "trip": "B", "note": "N", **suresh}), KNOWN
    )
    assert not checked.bad
    assert [(bad.problem, bad.field, bad.other, bad.said) for bad in checked.unsaved] == [
        (LineProblem.DIFFERS, "phone", 1, "9876543210"),
        (LineProblem.DIFFERS, "trip", 1, "A"),
    ]
    [vehicle] = checked.vehicles
    assert (vehicle.driver, vehicle.fields) == ("Ramesh", {"trip": "A", "note": "N"})


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({"driver": "Ramesh"}, LineProblem.PHONE_MISSING),
        ({"phone": "98765 43210"}, LineProblem.DRIVER_MISSING),
        ({"driver": "Ramesh", "phone": "9.87654E+09"}, LineProblem.NOT_A_PHONE),
        ({"driver": "R" * 200, "phone": "98765 43210"}, LineProblem.DRIVER_TOO_LONG),
        ({"trip": "x" * 1000}, LineProblem.FIELD_TOO_LONG),
    ],
)
def test_a_vehicle_is_searched_without_a_driver_or_a_text_that_cannot_be_saved(
    cells: dict[str, str], problem: LineProblem
) -> None:
    checked = check(lines({RC: "MH12AB1001", "note": "Night", **cells}), KNOWN)
    assert (checked.bad, [each.problem for each in checked.unsaved]) == ((), [problem])
    [vehicle] = checked.vehicles
    assert (vehicle.driver, vehicle.phone, vehicle.fields) == ("", "", {"note": "Night"})
    assert checked.drivers == []


def test_a_phone_number_has_one_driver_however_it_is_written() -> None:
    checked = check(
        lines(
            {RC: "MH12AB1001", "driver": "Ramesh", "phone": "98765 43210"},
            {RC: "MH12AB1002", "driver": "RAMESH", "phone": "+91 98765-43210"},
            {RC: "MH12AB1003", "driver": "Suresh", "phone": "09876543210"},
        ),
        KNOWN,
    )
    assert [driver.vehicles for driver in checked.drivers] == [("MH12AB1001", "MH12AB1002")]
    assert [bad.problem for bad in checked.unsaved] == [LineProblem.OTHER_DRIVER]
    assert len(checked.vehicles) == 3


def test_a_vehicle_that_was_searched_before_needs_its_number_alone() -> None:
    checked = check(lines({RC: "MH12AB1001", CITY: "Atlantis"}, {RC: "MH12AB1002", CITY: "Atlantis"}), KNOWN)
    assert [vehicle.rc for vehicle in checked.vehicles] == ["MH12AB1001"]
    assert dict(checked.cities) == {"Atlantis": 1}


@pytest.mark.parametrize("city", ["New Delhi", "new  delhi", "New Delhi, Delhi", "New Delhi DL", "d"])
def test_a_city_is_known_by_its_name_its_state_or_its_value(city: str) -> None:
    assert check(lines({RC: "MH12AB1002", CITY: city, "rc_type": "Truck"}), KNOWN).vehicles[0].city_id == "d"


def test_a_city_of_which_there_are_two_is_told_by_the_place_in_it() -> None:
    checked = check(lines({RC: "MH12AB1", CITY: "Pune"}, {RC: "MH12AB2", CITY: "Pune Hadapsar depot"}), KNOWN)
    assert [bad.problem for bad in checked.bad] == [LineProblem.SEVERAL_CITIES]


@pytest.mark.parametrize(
    ("typed", "suggested"),
    [("Punne", [PUNE, OTHER_PUNE]), ("Pune, Goa", [PUNE, OTHER_PUNE]), ("Delhi", [DELHI]), ("Xyz", []), ("", [])],
)
def test_cities_like_an_unknown_one_are_suggested(typed: str, suggested: list[City]) -> None:
    assert suggested_cities(typed, KNOWN.cities) == suggested


def test_a_city_is_replaced_in_every_spelling_of_it() -> None:
    given = lines({RC: "A1", CITY: "Punne"}, {RC: "A2", CITY: "PUNNE"}, {RC: "A3", CITY: "Delhi"})
    assert [line.cells[CITY] for line in with_city(given, "punne", PUNE.id)] == ["p", "p", "Delhi"]


def test_rc_type_without_city_is_neither() -> None:
    checked = check(lines({RC: "MH12AB1002", "rc_type": "Truck"}), KNOWN)
    assert (checked.vehicles[0].rc_type, checked.unplaced) == (None, ("MH12AB1002",))
