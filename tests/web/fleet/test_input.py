"""Test the input of many vehicles: what is read, what is shown before anything is searched, and the start."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from dashboard.domain.fleet import JobKind
from dashboard.store.engine import Store
from dashboard.store.fleet import jobs, runs
from dashboard.store.links import custom_fields
from dashboard.store.links.custom_fields import VEHICLE
from dashboard.store.sharing import drivers
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import ASHA, MEERA
from tests.support.web_client import IN_PLACE, WebClient
from tests.web import steps
from tests.web.fleet.conftest import Sends

Checks = Callable[..., Page]
HEAD = "Registration number,RC type,City,Driver,Phone,Cost centre,Note\n"


def count(page: Page, name: str) -> int:
    return int(page.one(f"[data-count={name}] strong").text)


def started(store: Store) -> list[list[tuple[str, str | None, str | None]]]:
    """Return the vehicles of each run, the newest first."""
    with store.read() as connection:
        return [
            [
                (each.rc, each.rc_type, each.city_id)
                for each in runs.with_outcome(connection, job.id, None, after=0, limit=100)
            ]
            for job in jobs.listed(connection, JobKind.SEARCH, 10)
        ]


def test_numbers_with_any_separators_are_shown_merged_and_searched_when_confirmed(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked("MH12 AB 1001, mh-12-ab-1001;KA05MN4321\nMH12 AB 1002 MH12 AB 1003\n")
    assert "Nothing is searched yet" in page.text
    assert (count(page, "vehicles"), count(page, "merged")) == (4, 1)
    assert "1 in another spelling" in page.text
    assert page.field("Name of this search")["value"] == "4 vehicles"
    assert started(store) == []
    answer = page.submit("Search 4 vehicles", title="Pune trucks")
    assert answer.status_code == 303
    assert [rc for rc, *_ in started(store)[0]] == ["MH12AB1001", "KA05MN4321", "MH12AB1002", "MH12AB1003"]
    with store.read() as connection:
        assert [job.title for job in jobs.listed(connection, JobKind.SEARCH, 10)] == ["Pune trucks"]


def test_the_name_counts_the_vehicles_until_a_person_names_the_search(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    def titles() -> list[str]:
        with store.read() as connection:
            return [job.title for job in jobs.listed(connection, JobKind.SEARCH, 10)]

    page = checked("MH12 AB 1001, MH12 AB 1002, MH12")
    name = page.field("Name of this search")["value"]
    assert name == "2 vehicles"
    cell = str(page.all(".table-fix input")[0]["name"])
    corrected = manager.read(page.submit("Check again", **{cell: "MH12AB1003"}))
    assert corrected.field("Name of this search")["value"] == "3 vehicles"
    corrected.submit("Search 3 vehicles")
    assert titles() == ["3 vehicles"]
    named = checked("MH12 AB 1001, MH12 AB 1002, MH12")
    kept = manager.read(named.submit("Check again", title="Depot", **{cell: "MH12AB1003"}))
    assert kept.field("Name of this search")["value"] == "Depot"


def test_the_name_counts_the_vehicles_in_the_language_of_whoever_reads_it(manager: WebClient, send: Sends) -> None:
    address = send("MH12 AB 1001, MH12 AB 1002, MH12").headers["Location"]
    manager.page(address).submit("हिन्दी")
    page = manager.page(address)
    assert page.one("#title")["value"] == "2 वाहन"
    cell = str(page.all(".table-fix input")[0]["name"])
    corrected = manager.read(page.submit("फिर जाँचें", **{cell: "MH12AB1003"}))
    assert corrected.one("#title")["value"] == "3 वाहन"
    corrected.submit("English")
    assert manager.page(address).one("#title")["value"] == "3 vehicles"


def test_a_search_asks_the_source_where_the_box_is_ticked_before_it_starts(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked("MH12AB1001 WRONG")
    box = page.one('input[name="source"]')
    assert not box.has_attr("checked")
    [line] = [str(each["name"]) for each in page.all(".table-fix input")]
    page = manager.read(page.submit("Check again", source="yes", **{line: "MH12AB1002"}))
    assert page.one('input[name="source"]').has_attr("checked"), "it is kept with the corrections"
    page.submit("Search 2 vehicles")
    checked("MH12AB1003").submit("Search 1 vehicle")
    with store.read() as connection:
        searches = jobs.listed(connection, JobKind.SEARCH, 10)
    assert sorted(job.at_source for job in searches) == [False, True]


def test_a_driver_pasted_behind_a_number_is_saved_and_no_fault(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked("MH12 AB 1001, Ramesh Yadav, 98765 43210\nMH12 AB 1002 my lorry")
    assert "Also saved: 1 driver" in page.text
    assert [str(each["value"]) for each in page.all(".table-fix input")] == ["my lorry"]
    assert "A driver is a name and a phone number behind the vehicle number." in page.text
    page.submit("Search 2 vehicles")
    with store.read() as connection:
        assert [(each.name, each.phone) for each in drivers.listed(connection)] == [("Ramesh Yadav", "98765 43210")]


def test_a_driver_behind_the_comma_of_a_number_is_corrected_with_what_lacks_and_the_vehicle_is_searched(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked("KA05 MN 4321, Suresh\nMH12 AB 1003, Ravi, 12345\n")
    assert count(page, "vehicles") == 2
    assert not page.all("[data-count=left-out]")
    cells = [str(each["name"]) for each in page.all("#unsaved-title") and page.all(".table-fix input[name$=phone]")]
    assert len(cells) == 2
    corrected = manager.read(
        page.submit("Check again", **dict(zip(cells, ["98765 43210", "98765 43211"], strict=True)))
    )
    manager.read(corrected.submit("Search 2 vehicles"))
    with store.read() as connection:
        assert {each.name: each.phone for each in drivers.listed(connection)} == {
            "Suresh": "98765 43210",
            "Ravi": "98765 43211",
        }


def test_a_file_of_another_kind_and_columns_that_nobody_knows_say_what_they_are(
    manager: WebClient, send: Sends
) -> None:
    pdf = send(content=b"%PDF-1.4\n1 0 obj << /Type /Catalog >>", name="Trucks July.pdf")
    assert pdf.status_code == 422
    assert "“Trucks July.pdf” is a PDF. Choose an Excel (.xlsx) or CSV file." in Page(manager, pdf).text
    unknown = Page(manager, send(content="Driver,Phone,Depot\nRamesh,98765 43210,Pune\n"))
    assert unknown.status == 422
    assert "No column has registration numbers. Its columns: Driver, Phone, Depot." in unknown.text


def test_a_search_that_is_sent_twice_starts_once(manager: WebClient, store: Store, checked: Checks) -> None:
    page = checked("MH12AB1001")
    first, second = page.submit("Search 1 vehicle"), page.submit("Search 1 vehicle")
    assert first.headers["Location"] == second.headers["Location"]
    assert len(started(store)) == 1


@pytest.mark.usefixtures("lookups")
def test_a_table_gives_rc_type_city_driver_and_custom_fields_when_the_search_starts(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked(
        "",
        HEAD + "MH12 AB 1001,truck,mumbai,Ramesh Kumar,98765 43210,CC-1,\n"
        "MH12 AB 1002,TRUCK,Mumbai,Ramesh  Kumar,+91 98765-43210,,Night\n",
        name="Pune trucks.csv",
    )
    assert page.one("#title")["value"] == "Pune trucks"
    assert "Also saved: 1 driver" in page.text
    assert "Also saved: 1 driver, details of 2 vehicles" in page.text
    with store.read() as connection:
        assert drivers.listed(connection) == []
    page.submit("Search 2 vehicles")
    [vehicles] = started(store)
    assert {(rc_type, bool(city)) for _, rc_type, city in vehicles} == {("TRUCK", True)}
    with store.read() as connection:
        [driver] = drivers.listed(connection)
        assert driver.name == "Ramesh Kumar"
        assert drivers.vehicles(connection, [driver.id]) == {driver.id: ["MH12AB1001", "MH12AB1002"]}
        fields = custom_fields.of(connection, VEHICLE, ["MH12AB1001", "MH12AB1002"])
    assert fields == {"MH12AB1001": {"cost_centre": "CC-1"}, "MH12AB1002": {"note": "Night"}}


@pytest.mark.usefixtures("lookups")
def test_each_bad_line_says_why_and_is_corrected_in_place(manager: WebClient, store: Store, checked: Checks) -> None:
    page = checked(
        HEAD + "MH12 AB 1001,,,,,,\n"
        "truck,,,,,,\n"
        "MH12 AB 1002,Hovercraft,Mumbai,,,,\n"
        "MH12 AB 1003,,,Ramesh,,,\n"
        "MH12 AB 1004,,,Ramesh,12,,\n"
        "MH12 AB#1005,,,,,,\n"
        f"MH12 AB 1006,,,,,{'x' * 61},\n"
        "MH12 AB 1001,,,Ramesh,98765 43210,,\n"
        "MH12 AB 1007,,,Suresh,98765 43210,,\n"
    )
    assert (count(page, "vehicles"), count(page, "left-out")) == (5, 3)
    assert "Details that will not be saved (4)" in page.text
    assert count(page, "unsaved") == 4
    for why in (
        "Line 3 Add the digits, for example MH12 AB 1001.",
        "Line 4 MH12 AB 1002 This RC type is not known.",
        "Line 5 MH12 AB 1003 Enter the phone number",
        "Line 6 MH12 AB 1004 Enter ten digits",
        "has only letters A to Z and digits",
        "1 letter too long: at most 60 are saved.",
        "Line 9 has Ramesh with this phone number.",
    ):
        rows = [" ".join(row.text.split()) for row in page.all(".table-fix tbody tr")]
        shown = [" ".join(each.split(" ")) for each in rows]
        assert any(all(part in row for part in _parts(why)) for row in shown), (why, shown)
    phone = {"cell-3-phone": "98765 43211"}
    page = manager.read(page.submit("Check again", **{"cell-1-rc": "MH12 AB 1010", "cell-2-rc_type": "Truck", **phone}))
    assert count(page, "left-out") == 1
    assert count(page, "vehicles") == 7
    assert "Details that will not be saved (3)" in page.text
    assert started(store) == []


def test_of_a_driver_only_what_is_wrong_is_marked(checked: Checks) -> None:
    page = checked("Vehicle No,Driver,Phone\nMH12AB1001,Ramesh,12\nMH12AB1002,,98765 43210\n")
    assert [each["name"] for each in page.all(".table-fix [aria-invalid]")] == ["cell-0-phone", "cell-1-driver"]
    said = words(page.one("#cell-0-phone").parent.get_text())  # type: ignore[union-attr]
    assert "Enter ten digits" in said, "what is wrong does not stand with its field"


def test_drivers_without_phone_numbers_leave_no_vehicle_out(store: Store, checked: Checks) -> None:
    page = checked("Vehicle No,Driver\n" + "".join(f"MH12AB100{n},Ramesh\n" for n in range(5)))
    assert (count(page, "vehicles"), page.all("[data-count=left-out]")) == (5, [])
    assert page.text.count("Enter the phone number: it tells drivers apart.") == 5
    assert [str(each["name"]) for each in page.all(".table-fix input")][:2] == ["cell-0-driver", "cell-0-phone"]
    page.submit("Search 5 vehicles", **{"cell-0-driver": "Ramesh"})
    assert len(started(store)[0]) == 5
    with store.read() as connection:
        assert drivers.listed(connection) == []


def test_a_text_that_differs_from_an_earlier_line_names_what_is_kept(checked: Checks) -> None:
    page = checked("Vehicle No,Cost centre,Phone\nMH12AB1001,West,\nMH12AB1001,Pune depot,\n")
    said = words(page.one(".table-fix .field-error").get_text(" "))
    assert said == "Line 2 has “West” for this vehicle."


def test_a_note_that_is_too_long_is_shown_whole_with_how_much_too_long_it_is(checked: Checks) -> None:
    page = checked(HEAD + f"MH12 AB 1001,,,,,,{'night depot ' * 50}\n")
    field = page.one(".table-fix textarea")
    assert words(field.get_text()) == words("night depot " * 50), "in more than one line"
    assert words(page.one(".table-fix .field-error").get_text()) == "99 letters too long: at most 500 are saved."


def _parts(why: str) -> list[str]:
    _line, _, rest = why.partition("Line ")
    if not rest or why.startswith("Line 9 has"):
        return [why]
    number, _, rest = rest.partition(" ")
    return [f"Line {number}", rest.split(" ", 3)[-1] if rest.startswith("MH12") else rest]


@pytest.mark.usefixtures("lookups")
def test_an_unknown_city_is_suggested_and_replaced_in_all_its_lines_at_once(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked(HEAD + "MH12 AB 1001,TRUCK,Punne,,,,\nMH12 AB 1002,TRUCK,punne,,,,\n")
    assert count(page, "left-out") == 2
    assert "2 left out" in page.text
    assert words(page.one(".fleet-city-of").get_text(" ")) == "Line 2 MH12 AB 1001 and 1 more Punne"
    button = next(each for each in page.all("button[name=city]") if "Pune" in each.text)
    page = manager.read(page.form("Check again").submit(city=button["value"]))
    assert (count(page, "vehicles"), page.all("[data-count=left-out]")) == (2, [])
    page.submit("Search 2 vehicles")
    assert len({city for _, _, city in started(store)[0]} - {None}) == 1


@pytest.mark.usefixtures("lookups")
def test_another_city_than_those_suggested_is_typed_for_all_its_lines_at_once(
    manager: WebClient, checked: Checks
) -> None:
    page = checked(HEAD + "MH12 AB 1001,TRUCK,Punne,,,,\nMH12 AB 1002,TRUCK,punne,,,,\nMH12 AB 1003,TRUCK,Xyz,,,,\n")
    assert len(page.all("[name=another-city]")) == 2
    field = page.field("Another city · Punne")
    assert page.one(f"#{field['list']} option[value=Mumbai]")
    page = manager.read(page.submit("Check again", **{"another-city": ["Hydrabad", ""]}))
    assert [words(each.get_text()) for each in page.all(".fleet-city-of strong")] == ["Hydrabad", "Xyz"], "as typed"
    page = manager.read(page.submit("Check again", **{"another-city": ["Mumbai", ""]}))
    assert (count(page, "vehicles"), count(page, "left-out")) == (2, 1)


@pytest.mark.usefixtures("lookups")
def test_an_rc_type_that_is_not_known_is_replaced_by_a_known_one(manager: WebClient, checked: Checks) -> None:
    page = checked(HEAD + "MH12 AB 1001,Hovercraft,Mumbai,,,,\n")
    field = page.one("[name=cell-0-rc_type]")
    typed, *known = [(str(each["value"]), words(each.get_text())) for each in field.select("option")]
    assert typed == ("Hovercraft", "Hovercraft (not known)")
    assert "TRUCK" in dict(known)
    page = manager.read(page.submit("Check again"))
    assert page.all("[name=cell-0-rc_type] option")[0]["value"] == "Hovercraft", "nothing is lost"
    page = manager.read(page.submit("Check again", **{"cell-0-rc_type": "TRUCK"}))
    assert (count(page, "vehicles"), page.all("[data-count=left-out]")) == (1, [])


def test_an_rc_type_stays_a_text_while_none_is_known(levers: Levers, checked: Checks) -> None:
    levers.fault("rc_types", "status", status=500, count=9)
    page = checked(HEAD + "MH12 AB 1001,Hovercraft,Mumbai,,,,\n")
    assert page.one("[name=cell-0-rc_type]").name == "input"


@pytest.mark.usefixtures("lookups")
def test_the_lines_that_are_left_out_are_those_to_correct_and_those_of_unknown_cities(checked: Checks) -> None:
    page = checked("Registration number,RC type,City\ntruck,,\nMH14AA2001,TRUCK,Punne\nMH14AA2002,TRUCK,Punne\n")
    assert words(page.one("[data-count=left-out]").get_text()) == (
        "3 left out 1 to correct, 2 with cities that are not known"
    )
    assert "To correct (1)" in page.text
    assert "Which city is it? (2)" in page.text


def test_a_city_of_which_there_are_two_is_asked_for(checked: Checks) -> None:
    page = checked(HEAD + "MH12 AB 1001,TRUCK,Pune,,,,\nMH12 AB 1002,TRUCK,Pune Hadapsar depot,,,,\n")
    assert count(page, "vehicles") == 1
    assert [button.text.partition(":")[2] for button in page.all("button[name=city]")] == [
        " Pune, Maharashtra, Hinjawadi hub, 411057",
        " Pune, Maharashtra, Hadapsar depot, 411028",
    ]


def test_a_new_vehicle_without_rc_type_is_counted_and_a_known_one_is_not(
    manager: WebClient, levers: Levers, five: dict[str, str], checked: Checks
) -> None:
    steps.searches(manager)
    page = checked("MH12AB1001 KA05MN4321")
    assert count(page, "unplaced") == 1
    assert "KA05 MN 4321" in page.text


def test_an_unlikely_number_is_searched_only_where_that_is_wanted(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked("MH12, MH12AB1001")
    assert (count(page, "vehicles"), count(page, "left-out")) == (1, 1)
    assert "Unusual numbers (1)" in page.text
    assert "MH12 does not look like a registration number" in page.text
    page = manager.read(page.submit("Check again", **{"anyway-0": "yes"}))
    assert page.field("Search anyway · Line 1").has_attr("checked")
    assert not page.all("[data-count=left-out]")
    unticked = manager.read(page.submit("Check again", **{"anyway-0": None}))
    assert count(unticked, "left-out") == 1
    manager.read(unticked.submit("Check again", **{"anyway-0": "yes"})).submit("Search 2 vehicles")
    assert [rc for rc, *_ in started(store)[0]] == ["MH12", "MH12AB1001"]


def test_which_of_too_many_digits_was_meant_is_not_guessed(checked: Checks) -> None:
    page = checked("MH12AB10017 MH14AA1001")
    assert "MH12 AB 10017 has 5 digits at the end; four are usual." in page.text
    assert "Use MH12" not in page.text


def test_corrections_are_searched_in_one_step_when_nothing_is_left_out_any_more(
    manager: WebClient, store: Store, checked: Checks
) -> None:
    page = checked("truck\nMH14AA1001\nMH12")
    assert "Corrections are checked before the search." in page.text
    wrong, unusual = (str(each["name"]) for each in page.all(".table-fix input:not([type])"))
    page = manager.read(page.submit("Search 1 vehicle", **{wrong: "MH12AB1001"}))
    assert started(store) == []
    assert "Your corrections are checked. Nothing is searched yet." in page.everything
    assert (count(page, "vehicles"), count(page, "left-out")) == (2, 1)
    page.submit("Search 2 vehicles", **{unusual: "MH12AB1002"})
    assert {rc for rc, *_ in started(store)[0]} == {"MH12AB1001", "MH12AB1002", "MH14AA1001"}
    with store.read() as connection:
        [run] = jobs.listed(connection, JobKind.SEARCH, 10)
    assert run.title == "3 vehicles", "as many as are searched"


def test_corrections_are_shown_first_while_a_detail_would_not_be_saved(store: Store, checked: Checks) -> None:
    page = checked(HEAD + "truck,,,,,,\nMH12 AB 1003,,,Ramesh,,,\n")
    page.submit("Search 1 vehicle", **{"cell-0-rc": "MH12 AB 1010"})
    assert started(store) == [], "the driver of the other line would be lost unseen"


def test_while_no_line_can_be_searched_its_corrections_are_the_next_step(checked: Checks) -> None:
    page = checked("truck")
    assert [words(each.get_text()) for each in page.all(".selection-bar .button")] == ["Check again"]
    assert page.one(".selection-bar .button-primary")


def test_a_letter_typed_for_a_digit_is_repaired_in_one_click(manager: WebClient, checked: Checks) -> None:
    page = checked("MH12AB100O MH14AA1001")
    assert "The letter O stands where the digit 0 is usual." in page.text
    page = manager.read(page.submit("Use MH12 AB 1000"))
    assert count(page, "vehicles") == 2
    assert not page.all("#doubtful-title")
    assert page.field("Name of this search")["value"] == "2 vehicles"


def test_all_unlikely_numbers_are_searched_at_once_also_those_that_are_not_shown(
    manager: WebClient, checked: Checks
) -> None:
    page = checked("\n".join(f"X{number:02}Y" for number in range(60)))
    assert len(page.all("[name=doubtful]")) == 50
    assert count(page, "left-out") == 60
    page = manager.read(page.submit("Tick all (60)"))
    assert (count(page, "vehicles"), page.all("[data-count=left-out]")) == (60, [])


def test_a_number_with_a_swapped_letter_is_ticked_by_itself_alone(manager: WebClient, checked: Checks) -> None:
    page = checked("MH12AB100O, X1Y, X2Y, MH12, MH14AA1001")
    page = manager.read(page.submit("Tick the 2 that may be right"))
    assert (count(page, "vehicles"), count(page, "left-out")) == (3, 2), "MH12 is only the beginning of a number"
    ticked = [each.has_attr("checked") for each in page.all("[type=checkbox][name^=anyway-]")]
    assert ticked == [False, True, True, False]
    assert not [each for each in page.buttons() if each.startswith("Tick ")], "nothing is left that it would tick"
    own = str(page.all("[type=checkbox][name^=anyway-]")[0]["name"])
    page = manager.read(page.submit("Check again", **{own: "yes"}))
    assert (count(page, "vehicles"), count(page, "left-out")) == (4, 1)


def test_a_known_vehicle_and_one_of_a_list_are_never_doubted(
    manager: WebClient, levers: Levers, checked: Checks
) -> None:
    page = checked("MH12AB10017, X1Y")
    page = manager.read(page.submit("Tick all (2)"))
    page.submit("Save as a list", name="Odd ones")
    page = manager.read(manager.page("/fleet").submit("Search · Odd ones"))
    assert (count(page, "vehicles"), page.all("[data-count=left-out]")) == (2, [])
    levers.add_vehicle("MH14AB10018", [])
    search = manager.read(steps.search(manager, "MH14AB10018"))
    search.submit("Search anyway")
    assert count(checked("MH14AB10018"), "vehicles") == 1


@pytest.mark.usefixtures("lookups")
def test_each_letter_in_place_of_a_digit_and_digit_in_place_of_a_letter_is_named_once(checked: Checks) -> None:
    text = checked("M0I2 AB 1OO1").text
    assert "The digit 0 stands where the letter O is usual." in text
    assert "The letter I stands where the digit 1 is usual. The letter O stands where the digit 0 is usual." in text
    assert text.count("stands where") == 3


def test_what_was_not_understood_is_shown_in_its_whole_line(checked: Checks) -> None:
    page = checked("mh12 ab 1001 my  lorry\n- truck.\nMH12 AB 10012; KA05 MN 4321")
    shown = {
        words(row.th.get_text()): [each.get_text() for each in row.select("th strong")]
        for row in page.all(".table-fix tbody tr")
    }
    assert shown == {
        "Line 1 mh12 ab 1001 my lorry": ["my lorry"],
        "Line 2": [],
        "Line 3 MH12 AB 10012; KA05 MN 4321": ["MH12 AB 10012"],
    }
    corrected = page.submit("Check again", **{"cell-1-rc": "MH12 AB 1003"})
    assert corrected.status_code == 303


def test_the_parts_of_what_is_left_out_add_up(checked: Checks) -> None:
    page = checked("Registration number,RC type,City\ntruck,,\nMH14AA2001,TRUCK,Punne\nMH12,,\n")
    assert words(page.one("[data-count=left-out]").get_text()) == (
        "3 left out 1 to correct, 1 unusual number, 1 with a city that is not known"
    )


def test_nothing_typed_and_no_file_is_refused(manager: WebClient, send: Sends) -> None:
    answer = send("")
    assert answer.status_code == 422
    assert "Enter registration numbers, or choose a file." in manager.read(answer).text


def test_what_was_typed_stays_beside_what_was_wrong_with_the_file(manager: WebClient, send: Sends) -> None:
    answer = send("MH12AB1001", b"\x89PNG\r\n\x1a\n\x00\x00")
    assert answer.status_code == 422
    page = manager.read(answer)
    assert page.one("#numbers").text.strip() == "MH12AB1001"
    assert "The file cannot be read." in page.text


def test_numbers_that_were_sent_after_the_session_ended_are_shown_again(
    manager: WebClient, clock: MovableClock, store: Store
) -> None:
    page = manager.page("/fleet")
    clock.advance(hours=1)
    answer = page.submit("Search all", numbers="MH12AB1001")
    signing_in = manager.page(answer.headers["Location"])
    again = manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))
    assert again.one("#numbers").text.strip() == "MH12AB1001"
    assert started(store) == []


def test_a_file_that_was_sent_after_the_session_ended_is_shown_again(
    manager: WebClient, clock: MovableClock, send: Sends
) -> None:
    manager.page("/fleet")
    clock.advance(hours=1)
    answer = send("KA05MN4321", "RC number;City\nMH12 AB 1001;Pune\n")
    signing_in = manager.page(answer.headers["Location"])
    again = manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))
    page = manager.read(again.submit("Search all"))
    assert count(page, "vehicles") + count(page, "left-out") == 2


def test_a_correction_that_was_sent_after_the_session_ended_is_stored_and_starts_nothing(
    manager: WebClient, clock: MovableClock, store: Store, checked: Checks
) -> None:
    page = checked("MH12AB1001\ntrucks")
    [field] = page.all(".table-fix input")
    clock.advance(hours=1)
    answer = page.submit("Search 1 vehicle", **{str(field["name"]): "MH12AB1002"})
    signing_in = manager.page(answer.headers["Location"])
    again = manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))
    assert count(again, "vehicles") == 2
    assert started(store) == []


def test_a_draft_belongs_to_its_person_and_is_gone_after_two_days(
    manager: WebClient, admin: WebClient, clock: MovableClock, send: Sends
) -> None:
    address = send("MH12AB1001").headers["Location"]
    assert admin.get(address).status_code == 404
    clock.advance(days=3)
    manager.is_signed_in(MEERA.email)
    assert manager.get(address).status_code == 404


def test_a_discarded_draft_is_not_searched(manager: WebClient, store: Store, checked: Checks) -> None:
    page = manager.read(checked("MH12AB1001").submit("Discard"))
    assert "Discarded. Nothing was searched." in page.text
    assert started(store) == []


@pytest.mark.parametrize("name", ["template.csv", "template.xlsx"])
@pytest.mark.usefixtures("lookups")
def test_the_template_can_be_read(manager: WebClient, checked: Checks, name: str) -> None:
    page = checked("", manager.get(f"/fleet/{name}").get_data(), name=name)
    assert (count(page, "vehicles"), page.all("[data-count=left-out]")) == (2, [])


def test_known_vehicles_are_searched_again_all_or_the_old_ones(
    manager: WebClient, clock: MovableClock, five: dict[str, str]
) -> None:
    steps.searches(manager)
    page = manager.read(manager.page("/fleet").submit("Search · All known vehicles"))
    assert (count(page, "vehicles"), page.one("#title")["value"]) == (1, "All known vehicles")
    page = manager.page("/fleet")
    assert words(page.one("#days-old").get_text()) == ("None: all were searched in the last 7 days.")
    [button] = page.all("button[form=old-vehicles]")
    assert "button-quiet" in button["class"], "it does not ask to be pressed"
    assert not button.has_attr("disabled"), "other days can be typed"
    page = manager.read(manager.page("/fleet").submit("Search · Not searched for (days)", days="7"))
    assert "Every known vehicle was searched within these days." in page.text
    answer = manager.page("/fleet").submit("Search · Not searched for (days)", days="soon")
    assert answer.status_code == 422
    refused = manager.read(answer)
    assert "Enter a number of days from 1 to 365." in refused.text
    assert "button-quiet" not in refused.one("button[form=old-vehicles]")["class"]


def test_the_fleet_is_for_managers(staff: WebClient, manager: WebClient) -> None:
    assert staff.get("/fleet").status_code == 403
    assert "/fleet" not in [link["href"] for link in staff.page("/").all("#site-nav a")]
    assert "/fleet" in [link["href"] for link in manager.page("/").all("#site-nav a")]


def test_a_start_is_in_the_audit_log(checked: Checks, admin: WebClient) -> None:
    checked("MH12AB1001").submit("Search 1 vehicle")
    assert "Started a search of the fleet" in admin.page("/audit").text


def test_the_draft_takes_the_place_of_the_form_without_a_document(manager: WebClient) -> None:
    page = manager.in_place("/fleet")
    answer = page.form("Search all").submit(
        numbers="MH12AB1001", headers={**IN_PLACE, "HX-Current-URL": "http://localhost/fleet"}
    )
    assert answer.headers["HX-Push-Url"].startswith("/fleet/drafts/")
    assert "<html" not in answer.text


def test_nobody_else_sees_the_numbers(staff: WebClient) -> None:
    assert ASHA.email
    assert staff.get("/fleet/template.csv").status_code == 403
