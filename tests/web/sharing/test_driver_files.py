"""Drivers as a file: out, and in again after a look at what it changes."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest

from dashboard.domain.drivers import DriverDetails
from dashboard.store.engine import Store
from dashboard.store.sharing import drivers
from dashboard.web.sharing.driver_files import MAX_LINES, corrected
from tests.support.clock import MovableClock
from tests.support.levers import Levers
from tests.support.page import Page, words
from tests.support.people import MEERA
from tests.support.web_client import WebClient
from tests.web.sharing.steps import adds_a_driver, makes_a_link, prepares, shares

HEAD = "Name,Phone,Email,Language,Usual vehicles,Note\r\n"
Stored = Callable[[], dict[str, str | None]]


@pytest.fixture
def stored(store: Store) -> Stored:
    """Return the names and phones of the drivers who are with us."""

    def read() -> dict[str, str | None]:
        with store.read() as connection:
            return {driver.name: driver.phone for driver in drivers.listed(connection)}

    return read


def sends(manager: WebClient, content: str | bytes) -> Page:
    """Choose a file on the page for it, and send it."""
    body = content if isinstance(content, bytes) else content.encode()
    page = manager.page("/drivers/import")
    token = page.one("meta[name=csrf-token]")["content"]
    fields = {"csrf_token": token, "file": (io.BytesIO(body), "drivers.csv")}
    return Page(manager, manager.post("/drivers/import", data=fields, content_type="multipart/form-data"))


def counts(page: Page) -> list[str]:
    return [words(each.get_text()) for each in page.all(".file-counts li")]


def test_a_file_is_shown_line_by_line_and_saved_only_when_confirmed(manager: WebClient, stored: Stored) -> None:
    ramesh = adds_a_driver(manager, note="Depot 4")
    page = sends(
        manager,
        HEAD + "Ramesh K.,+91 98765-43210,,,KA05MN4321,\r\n"
        "Lakshmi Devi,98765 43211,,Kannada,MH12 AB 1002,\r\n"
        ",98765 43212,,,,\r\n"
        "Ravi,12,,,,\r\n"
        "Mohan,98765 43213,,Klingon,,\r\n"
        "Sunil,,,,,\r\n"
        "Anil,9876543211,,,,\r\n",
    )
    assert stored() == {"Ramesh Kumar": "98765 43210"}, "nothing is saved yet"
    assert page.link("Ramesh Kumar") == f"/drivers/{ramesh}"
    assert "Renames Ramesh Kumar to Ramesh K." in page.text
    assert counts(page) == ["1 new", "1 changed", "5 with mistakes"]
    for reason in (
        "Enter the driver’s name.",
        "Enter ten digits",
        "“Klingon” is not one of",
        "Enter the phone number",
        "The same phone number as in line 3.",
    ):
        assert reason in page.text
    assert page.one("th[data-label='Name'] > [name=line-4-name]"), "on a phone its label stands above it"
    saved = manager.read(page.submit("Save 2 drivers", confirm="yes"))
    assert "1 driver added. 1 driver updated." in saved.text
    assert stored() == {"Ramesh K.": "98765 43210", "Lakshmi Devi": "98765 43211"}
    merged = manager.page(f"/drivers/{ramesh}")
    assert merged.one("#vehicles")["value"] == "KA05 MN 4321, MH12 AB 1001"
    assert "Depot 4" in merged.text, "an empty cell removes nothing"
    assert merged.one("#language option[selected]")["value"] == "hi"


def test_all_faults_of_a_line_are_said_at_once_and_its_language_is_chosen_from_a_list(
    manager: WebClient, stored: Stored
) -> None:
    page = sends(manager, HEAD + ",12,,Klingon,,\r\n")
    for reason in ("Enter the driver’s name.", "Enter ten digits", "“Klingon” is not one of"):
        assert reason in page.text
    chosen = [each["value"] for each in page.all("select[name=line-2-language] option")]
    assert chosen[:3] == ["Klingon", "en", "hi"], "who chooses none keeps what was sent"
    fields = {"line-2-name": "Mohan", "line-2-phone": "98765 43213", "line-2-language": "hi"}
    page = Page(manager, page.submit("Check corrections", **fields))
    assert counts(page) == ["1 new"]
    manager.read(page.submit("Save 1 driver", confirm="yes"))
    assert stored() == {"Mohan": "98765 43213"}


def test_an_export_runs_no_formula_and_is_read_again_without_a_change(manager: WebClient, stored: Stored) -> None:
    adds_a_driver(manager, name="=HYPERLINK(1)", note="@home")
    file = manager.get("/drivers/export")
    assert file.headers["Content-Disposition"] == 'attachment; filename="drivers.csv"'
    assert "'=HYPERLINK(1),'+91 98765 43210,,Hindi,MH12 AB 1001,'@home" in file.get_data(as_text=True)
    page = sends(manager, file.get_data())
    assert "These columns are not read" not in page.text
    assert counts(page) == ["1 unchanged"]
    assert stored() == {"=HYPERLINK(1)": "98765 43210"}


def test_the_preview_says_what_is_read_of_a_file_and_what_is_not(manager: WebClient) -> None:
    adds_a_driver(manager)
    page = sends(
        manager,
        "Name,Phone,Depot,Usual vehicles,Language,Vehicles\r\n"
        'Lakshmi Devi,98765 43211,KA05MN4321,"MH12AB1002, abc",Kannada,\r\n'
        "Ramesh Kumar,98765 43210,,MH12 AB 1001,,\r\n",
    )
    assert "These columns are not read: Depot, Vehicles." in page.text
    new, known = (" ".join(line.get_text(" ").split()) for line in page.all(".table-file tbody tr"))
    assert page.one("[name=line-2-vehicles]")["value"] == "MH12AB1002, abc"
    assert "ABC does not look like a registration number" in new
    assert "ಕನ್ನಡ" in new
    assert "New driver" in new
    assert "हिन्दी" in known, "the language that stays"
    assert "Ramesh Kumar has all of it already" in known
    assert "Unusual" not in known
    assert "Updates" not in page.text
    assert counts(page) == ["1 new (1 with a vehicle to check)", "1 unchanged"]
    saved = manager.read(page.submit("Save 1 driver", confirm="yes"))
    assert "1 driver added. 1 was up to date." in saved.text


def test_a_file_that_changes_nothing_offers_nothing_to_save(manager: WebClient) -> None:
    adds_a_driver(manager)
    page = sends(manager, HEAD + "Ramesh Kumar,98765 43210,,,,\r\n")
    assert counts(page) == ["1 unchanged"]
    assert "Nothing to save" in page.text
    assert not page.all("button[name=confirm]")
    assert page.link("Back to the drivers") == "/drivers"


def test_a_number_without_a_known_shape_is_corrected_on_the_page_or_saved_as_it_is(
    manager: WebClient, stored: Stored
) -> None:
    page = sends(manager, HEAD + "Ravi,98765 43212,,,MH12,\r\nAnil,98765 43213,,,MH14,\r\n")
    assert [words(each.get_text()) for each in page.all(".line-shared")] == [
        f"{each} does not look like a registration number, for example MH12 AB 1001. "
        "Correct it, or it is saved as written."
        for each in ("MH12", "MH14")
    ]
    assert len(page.all("td[data-label='What happens'] > .line-shared")) == 2, "it has room there"
    page = manager.read(page.submit("Save 2 drivers", confirm="yes", **{"line-2-vehicles": "MH12 AB 1001"}))
    assert stored() == {}, "a correction is shown first"
    assert "MH12 does not look like" not in page.text
    manager.read(page.submit("Save 2 drivers", confirm="yes"))
    assert len(stored()) == 2


def test_a_line_is_left_out_and_taken_back_in(manager: WebClient, stored: Stored) -> None:
    page = sends(manager, HEAD + "Ravi,98765 43212,,,,\r\nAnil,98765 43213,,,,\r\nSunil,12,,,,\r\n")
    page = manager.read(page.submit("Leave out Ravi", omit="2"))
    assert counts(page) == ["1 new", "1 with a mistake", "1 left out by you"]
    assert "With mistakes (1)" in page.text
    assert "Left out by you (1)" in page.text
    page = Page(manager, page.submit("Check corrections", **{"line-4-phone": "98765 43214"}))
    assert counts(page) == ["2 new", "1 left out by you"], "it stays left out"
    back = manager.read(page.submit("Put back Ravi", include="2"))
    assert counts(back) == ["3 new"]
    saved = manager.read(page.submit("Save 2 drivers", confirm="yes"))
    assert "2 drivers added." in saved.text
    assert list(stored()) == ["Anil", "Sunil"]


def test_a_line_with_a_mistake_is_left_out_as_well(manager: WebClient, stored: Stored) -> None:
    page = sends(manager, HEAD + "Ravi,98765 43212,,,,\r\nSunil,12,,,,\r\n,98765 43213,,,,\r\n")
    assert counts(page) == ["1 new", "2 with mistakes"]
    page = manager.read(page.submit("Leave out Sunil", omit="3"))
    page = manager.read(page.submit("Leave out line 4", omit="4"))
    assert counts(page) == ["1 new", "2 left out by you"]
    assert "Check corrections" not in [words(each.get_text()) for each in page.all(".fleet-bar button")], (
        "nothing is wrong"
    )
    back = manager.read(page.submit("Put back Sunil", include="3"))
    assert counts(back) == ["1 new", "1 with a mistake", "1 left out by you"]
    saved = manager.read(back.submit("Save 1 driver", confirm="yes"))
    assert "1 driver added. 1 line of the file was not saved." in saved.text, "the other one was left out"
    assert list(stored()) == ["Ravi"]


def test_the_button_that_saves_says_of_which_lines_it_takes_nothing(manager: WebClient) -> None:
    page = sends(manager, HEAD + "Ravi,98765 43212,,,,\r\n,98765 43213,,,,\r\n")
    assert [words(each.get_text()) for each in page.all("main .button-primary")] == ["Save 1 driver"]
    assert "The other line is not saved: 1 with a mistake" in page.text


def test_a_line_that_gives_a_number_to_somebody_else_is_saved_only_once_that_is_confirmed(
    manager: WebClient, stored: Stored
) -> None:
    adds_a_driver(manager)
    adds_a_driver(manager, name="Suresh Patil", phone="98765 43211", vehicles="")
    page = sends(manager, HEAD + "Lakshmi Devi,98765 43210,,,,\r\nS. Patil,98765 43211,,,,\r\nRavi,98765 43212,,,,\r\n")
    assert counts(page) == ["1 replaces another driver", "1 new", "1 changed"]
    assert words(page.all("h2")[0].get_text()) == "Replaces another driver (1)"
    asked = words(page.one("td .line-shared").get_text())
    assert asked == "Same phone as Ramesh Kumar. Is it Lakshmi Devi now?"
    assert "To keep both, take the number off Ramesh Kumar first." in page.text
    assert "The other line is not saved: 1 to confirm" in page.text
    declined = manager.read(page.submit("No, leave out Lakshmi Devi", omit="2"))
    assert counts(declined) == ["1 new", "1 changed", "1 left out by you"]
    manager.read(page.submit("Save 2 drivers", confirm="yes"))
    assert stored() == {"Ramesh Kumar": "98765 43210", "S. Patil": "98765 43211", "Ravi": "98765 43212"}
    page = manager.read(page.submit("Yes, replace Ramesh Kumar", accept="2"))
    assert counts(page) == ["1 changed", "2 unchanged"]
    assert "Renames Ramesh Kumar to Lakshmi Devi" in page.text
    omitted = manager.read(page.submit("Leave out Lakshmi Devi", omit="2"))
    assert "Yes, replace" not in omitted.text
    back = manager.read(omitted.submit("Put back Lakshmi Devi", include="2"))
    manager.read(back.submit("Save 1 driver", confirm="yes"))
    assert "Lakshmi Devi" in stored()
    assert "Ramesh Kumar" not in stored()


def test_a_driver_who_takes_the_number_of_another_takes_over_the_links_as_it_is_said(
    staff: WebClient, manager: WebClient, levers: Levers
) -> None:
    driver = adds_a_driver(staff)
    link_id = makes_a_link(staff)
    shares(staff, prepares(staff, link_id), link_id, "whatsapp")
    page = sends(manager, HEAD + "Lakshmi Devi,98765 43210,,,,\r\n")
    assert "The link given to Ramesh Kumar moves to Lakshmi Devi." in page.text
    page = manager.read(page.submit("Yes, replace Ramesh Kumar", accept="2"))
    manager.read(page.submit("Save 1 driver", confirm="yes"))
    page = manager.page(f"/drivers/{driver}")
    assert page.heading == "Lakshmi Devi"
    assert page.all(f'#open-links a[href="/links/{link_id}"]')


@pytest.mark.parametrize(
    ("name", "may_be"),
    [("Ramesh K.", True), ("R. Kumar", True), ("ramesh", True), ("Suresh Kumar", False), ("Lakshmi Devi", False)],
)
def test_a_name_may_be_another_spelling_of_a_driver(name: str, may_be: bool) -> None:
    assert DriverDetails("Ramesh Kumar", None, None, "en", None).may_be_called(name) == may_be


def test_a_file_of_which_all_lines_are_left_out_saves_nothing(manager: WebClient, stored: Stored) -> None:
    page = sends(manager, HEAD + "Ravi,98765 43212,,,,\r\n")
    page = manager.read(page.submit("Leave out Ravi", omit="2"))
    assert not page.all("button[name=confirm]")
    assert "are stored already" not in page.text
    assert page.all("button[name=include]")
    assert stored() == {}


def test_the_template_can_be_read(manager: WebClient) -> None:
    assert counts(sends(manager, manager.get("/drivers/template").get_data())) == ["1 new"]


@pytest.mark.parametrize(
    "rows",
    [
        "Name\tPhone\tVehicle\nRavi\t98765 43212\tMH12 AB 1001\n",
        "Mobile No\tDriver Name\n98765 43212\tRavi\n",
        "Ravi\t98765 43212\n",
        "Ravi, 98765 43212",
    ],
)
def test_rows_are_pasted_with_their_heading_or_in_the_order_of_the_template(
    manager: WebClient, stored: Stored, rows: str
) -> None:
    page = manager.read(manager.page("/drivers/import").submit("Check the drivers", rows=rows))
    assert counts(page) == ["1 new"]
    manager.read(page.submit("Save 1 driver", confirm="yes"))
    assert list(stored()) == ["Ravi"]


def test_rows_that_cannot_be_read_stay_in_their_field(manager: WebClient) -> None:
    page = Page(manager, manager.page("/drivers/import").submit("Check the drivers", rows="Ravi\tPune\n"))
    assert page.status == 422
    assert "The first line must name the columns" in page.text
    assert "Ravi\tPune" in page.one("#rows").get_text()


def test_rows_and_a_file_are_not_mixed(manager: WebClient) -> None:
    token = manager.page("/drivers/import").one("meta[name=csrf-token]")["content"]
    fields = {"csrf_token": token, "rows": "Ravi, 98765 43212", "file": (io.BytesIO(b"x"), "drivers.csv")}
    page = Page(manager, manager.post("/drivers/import", data=fields, content_type="multipart/form-data"))
    assert "not both" in page.text
    assert "Ravi" in page.one("#rows").get_text()


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "The file is empty."),
        (b"\x89PNG\r\n\x1a\n\x00", "The file cannot be read."),
        (b"PK\x03\x04\x00\x00", "The file cannot be read."),
        (b"Ramesh,Pune\r\n", "The first line must name the columns"),
        (HEAD.encode(), "no driver below its first line"),
        (HEAD.encode() + b"Ramesh,98765 43210\r\n" * (MAX_LINES + 1), f"at most {MAX_LINES} are read"),
        (HEAD.encode() + b"x" * 1024 * 1024, "larger than 1 MB"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(manager: WebClient, content: bytes, said: str) -> None:
    page = sends(manager, content)
    assert page.status == 422
    assert said in page.text


def test_a_file_confirmed_after_the_session_ended_is_shown_again_and_not_lost(
    manager: WebClient, clock: MovableClock, stored: Stored
) -> None:
    page = sends(manager, HEAD + "Lakshmi Devi,98765 43211,,,,\r\n")
    clock.advance(hours=1)
    answer = page.submit("Save 1 driver", confirm="yes")
    signing_in = manager.page(answer.headers["Location"])
    again = manager.read(signing_in.submit("Sign in", email=MEERA.email, password="a long enough phrase"))
    assert stored() == {}
    manager.read(again.submit("Save 1 driver", confirm="yes"))
    assert stored() == {"Lakshmi Devi": "98765 43211"}
    assert "Lakshmi" not in manager.page("/drivers/import").text, "it is shown no more"


def test_files_of_drivers_are_for_managers(staff: WebClient) -> None:
    adds_a_driver(staff)
    assert "CSV" not in staff.page("/drivers").text
    for address in ("/drivers/export", "/drivers/import", "/drivers/template"):
        assert staff.get(address).status_code == 403


def test_exports_and_imports_are_in_the_audit_log(manager: WebClient, admin: WebClient) -> None:
    manager.get("/drivers/export")
    sends(manager, HEAD + "Lakshmi Devi,98765 43211,,,,\r\n").submit("Save 1 driver", confirm="yes")
    log = admin.page("/audit").text
    assert "Drivers imported" in log
    assert "Drivers, as CSV" in log


def lines_of(page: Page, column: str) -> list[str]:
    return [words(each.get_text(" ")) for each in page.all(f'.table-file [data-label="{column}"]')]


def test_each_field_that_a_file_changes_is_named_with_its_value_before_and_after(manager: WebClient) -> None:
    adds_a_driver(manager, name="Suresh Patil", language="en", email="suresh@fleet.example", vehicles="MH12AB1001")
    page = sends(manager, HEAD + "Suresh Patil,98765 43210,,Hindi,KA05MN4321,Night\r\n")
    [said] = lines_of(page, "What happens")
    assert said == "Updates Suresh Patil Note: (empty) → Night", "the others stand in their columns"
    assert lines_of(page, "Usual vehicles") == ["KA05 MN 4321 MH12 AB 1001 before: MH12 AB 1001"], "vehicles are added"
    assert lines_of(page, "Language") == ["हिन्दी before: English"]


def test_a_vehicle_that_is_usual_for_somebody_else_too_is_said(manager: WebClient) -> None:
    adds_a_driver(manager, name="Suresh Patil", vehicles="MH12AB1001")
    page = sends(
        manager,
        HEAD + "Suresh Patil,98765 43210,,,MH12AB1001,\r\n"
        "Lakshmi Devi,98765 43211,,,MH12AB1001,\r\n"
        'Anil,98765 43212,,,"KA05MN4321, MH12AB1001",\r\n'
        "Mohan,98765 43213,,,DL01CB2002,\r\n",
    )
    said = lines_of(page, "What happens")
    assert said[0] == "New driver MH12 AB 1001 is also usual for Suresh Patil, Anil"
    assert said[1] == "New driver MH12 AB 1001 is also usual for Suresh Patil, Lakshmi Devi"
    assert said[2] == "New driver"
    assert said[3] == "Suresh Patil has all of it already"


def test_lines_that_are_left_out_are_corrected_on_the_page(manager: WebClient, stored: Stored) -> None:
    page = sends(manager, HEAD + "Lakshmi,98765 43211,,,,\r\nRavi,12,,Klingon,,=1+1\r\n,98765 43213,,,,\r\n")
    assert counts(page) == ["1 new", "2 with mistakes"]
    page = manager.read(page.submit("Check corrections", **{"line-3-language": "Hindi", "line-4-name": "Anil"}))
    assert counts(page) == ["2 new", "1 with a mistake"]
    assert stored() == {}, "nothing is saved yet"
    assert "Your corrections are checked" not in page.everything, "nobody meant to save"
    page = manager.read(page.submit("Save 2 drivers", confirm="yes", **{"line-3-phone": "98765 43212"}))
    assert "Your corrections are checked. Nothing is saved yet." in page.everything
    assert stored() == {}, "a correction is shown first"
    manager.read(page.submit("Save 3 drivers", confirm="yes"))
    assert stored() == {"Anil": "98765 43213", "Lakshmi": "98765 43211", "Ravi": "98765 43212"}


def test_a_correction_changes_no_other_cell_and_no_line_that_is_not_there(manager: WebClient) -> None:
    text = 'Phone;Name;Depot\r\n12;"Ravi; the elder";"Pune ""4"""\r\n'
    cells = {(2, "phone"): "98765 43212", (1, "name"): "x", (3, "name"): "x", (2, "note"): "x"}
    assert corrected(text, cells) == text.replace("12", "98765 43212", 1)
    assert corrected(text, {(2, "phone"): "12"}) is text
