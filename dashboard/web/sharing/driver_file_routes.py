"""Serve the drivers as a file, and take in rows or a file of drivers: shown first, saved when that is confirmed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.phones import digits, international
from dashboard.domain.registration import doubt, spaced
from dashboard.domain.spreadsheets import Cell
from dashboard.services.sharing.driver_money import links_by_driver
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver
from dashboard.web.fleet.input_files import MAX_BYTES
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import audit, current_services, person_id, zone
from dashboard.web.shared.spreadsheets import csv_download, xlsx_download
from dashboard.web.shared.toasts import notice, toast
from dashboard.web.sharing import driver_file_texts, driver_files, texts
from dashboard.web.sharing.driver_files import Line, UnreadableFile
from dashboard.web.sharing.records import DriverFile, DriverLine
from dashboard.web.sharing.routes import bp
from dashboard.web.vehicles.texts import unlikely

_IMPORT = "sharing.import_drivers"
#: The most lines that can be corrected on the page; of more, the file itself is.
_MOST_CORRECTED = 50
#: A stored driver, and what is stored of them.
Known = tuple[Driver, DriverDetails]
#: The name of a field that corrects a cell of a line.
_CELL = re.compile(r"line-(\d{1,6})-(\w+)")
#: The fields of a driver that have a column of their own, besides name and phone.
_IN_COLUMNS = ("vehicles", "language")
_NUMBER = re.compile(r"[0-9]{1,6}")


@bp.get("/drivers/export", endpoint="export_drivers")
def export() -> Response:
    """Send the drivers who are with us; the export is recorded."""
    with current_services().store.read() as connection:
        listed = drivers.listed(connection)
        vehicles = drivers.vehicles(connection, [driver.id for driver in listed])
    audit("export", "drivers.csv", drivers=len(listed))
    return csv_download("drivers.csv", driver_files.HEAD, driver_files.export(listed, vehicles), zone())


@bp.get("/drivers/template", endpoint="drivers_template")
def template() -> Response:
    """Send a workbook with an example line, to be filled."""
    example: list[list[Cell]] = [list(driver_file_texts.EXAMPLE_DRIVER)]
    return xlsx_download(
        "drivers-template.xlsx", driver_files.HEAD, iter(example), zone(), str(driver_file_texts.SHEET)
    )


@bp.get("/drivers/import", endpoint="drivers_file")
def choose_file() -> ResponseReturnValue:
    """Ask for a file, or show again the one that was sent when the session had expired."""
    waiting = saved_forms.waiting(_IMPORT)
    sent = dict(waiting.fields) if waiting else {}
    text, rows = sent.get("csv", ""), sent.get("rows", "")
    if not text and not rows:
        return _page(DriverFile())
    try:
        return _shown(_corrected(text or rows, sent), _Said.of(sent))
    except UnreadableFile as unreadable:
        return _page(DriverFile(rows=rows, problem=str(unreadable))), 422


@bp.post("/drivers/import", endpoint="import_drivers")
def take_in() -> ResponseReturnValue:
    """Show what rows or a file would change; with `confirm`, change it."""
    text, rows, uploaded = request.form.get("csv", ""), request.form.get("rows", ""), request.files.get("file")
    content = uploaded.read(MAX_BYTES + 1) if uploaded and uploaded.filename else None
    try:
        if content is not None and rows.strip():
            raise UnreadableFile(str(driver_file_texts.ROWS_AND_FILE))
        if content is None and not rows.strip() and not text:
            raise UnreadableFile(str(driver_file_texts.NO_FILE))
        file = (uploaded.filename or "") if uploaded else ""
        text = driver_files.text_of(content, file) if content is not None else text or rows
        corrected = _corrected(text, request.form)
        read = driver_files.read(corrected)
    except UnreadableFile as unreadable:
        if content is None or rows.strip():
            return _page(DriverFile(rows=rows, problem=str(unreadable))), 422
        return _page(DriverFile(file_problem=str(unreadable))), 422
    said, known = _Said.of(request.form), current_services().drivers.known_phones()
    good = [line.details for line in read.lines if line.details and said.takes(line, known)]
    # What a correction changes is shown first, whichever button was pressed.
    if "confirm" not in request.form or not good or corrected != text:
        if "confirm" in request.form and corrected != text:
            notice(driver_file_texts.CORRECTED, "neutral")
        return _shown(corrected, said)
    done = current_services().drivers.take_in(good, person_id())
    audit("drivers imported", "drivers.csv", added=list(done.added), merged=list(done.merged))
    saved_forms.discard(_IMPORT)
    left = sum(line.number not in said.omitted and not said.takes(line, known) for line in read.lines)
    toast(driver_file_texts.drivers_imported(len(done.added), len(done.merged), done.unchanged, left))
    return redirect(url_for("sharing.drivers"), 303)


@saved_forms.resumes(_IMPORT, waits=True)
def _resume(_form: SavedForm) -> str:
    return url_for("sharing.drivers_file")


def _corrected(text: str, sent: Mapping[str, str]) -> str:
    """Return the file with the cells that were typed into the list of lines left out. Raises UnreadableFile."""
    cells = {(int(found[1]), found[2]): typed for name, typed in sent.items() if (found := _CELL.fullmatch(name))}
    return driver_files.corrected(text, cells)


@dataclass(frozen=True, slots=True)
class _Said:
    """Hold the numbers of the lines that are not to be saved, and of those that do name another driver."""

    omitted: frozenset[int]
    accepted: frozenset[int]

    @classmethod
    def of(cls, sent: Mapping[str, str]) -> _Said:
        """Read a form, in which the button that was pressed changed one line."""
        return cls(_numbers(sent, "omitted", "omit", "include"), _numbers(sent, "accepted", "accept", ""))

    def asks(self, line: Line, known: Mapping[str, Known]) -> bool:
        """Tell whether a line gives a stored driver the name of somebody else, which nobody has confirmed."""
        if line.details is None or line.number in self.accepted:
            return False
        found = known.get(international(line.phone))
        return found is not None and not found[1].may_be_called(line.name)

    def takes(self, line: Line, known: Mapping[str, Known]) -> bool:
        return line.details is not None and line.number not in self.omitted and not self.asks(line, known)


def _numbers(sent: Mapping[str, str], name: str, add: str, remove: str) -> frozenset[int]:
    numbers = {int(number) for number in sent.get(name, "").split() if _NUMBER.fullmatch(number)}
    for button, change in ((add, numbers.add), (remove, numbers.discard)):
        if _NUMBER.fullmatch(sent.get(button, "")):
            change(int(sent[button]))
    return frozenset(numbers)


def _shown(text: str, said: _Said) -> str:
    """Show what a file would change, as far as that was said. Raises UnreadableFile."""
    read = driver_files.read(text)
    known = current_services().drivers.known_phones()
    taken = [(line, line.details) for line in read.lines if line.details and said.takes(line, known)]
    listed = {rc for line in read.lines if line.details for rc in line.details.vehicles}
    with current_services().store.read() as connection:
        usual = drivers.of_vehicles(connection, listed)
    # The drivers of each vehicle by their phone number: those who are stored, and those of the file.
    driven: dict[str, dict[str, str]] = {
        rc: {digits(each.phone) or f"driver {each.id}": each.name for each in found} for rc, found in usual.items()
    }
    for line, details in taken:
        for rc in details.vehicles:
            driven.setdefault(rc, {})[digits(line.phone)] = line.name

    given = links_by_driver(current_services().store)

    def passes_on(stored: Driver, name: str) -> str:
        links = {each.link_id for each in given.get(stored.id, ())}
        return driver_file_texts.passes_on(stored.name, name, len(links))

    def shown(line: Line) -> DriverLine:
        if line.details is None:
            is_omitted = line.number in said.omitted
            return DriverLine(line.number, line.name, line.phone, line.problem, wrong=line.wrong, is_omitted=is_omitted)
        doubts = (doubt(rc) for rc in line.details.vehicles)
        stored, before = known.get(international(line.phone), (None, None))
        after = before.completed_by(line.details) if before else line.details
        added = [rc for rc in after.vehicles if before is None or rc not in before.vehicles]
        mine = digits(line.phone)
        changes, was = _changes(before, after) if before else ((), {})
        is_asked = said.asks(line, known) and line.number not in said.omitted
        others = {rc: ", ".join(name for phone, name in driven.get(rc, {}).items() if phone != mine) for rc in added}
        return DriverLine(
            line.number,
            line.name,
            line.phone,
            driver_id=stored.id if stored else None,
            driver=stored.name if stored else "",
            unchanged=after == before,
            changes=changes if before else (),
            was=was if before else {},
            vehicles=tuple(spaced(rc) for rc in sorted(after.vehicles)),
            shared=tuple((spaced(rc), names) for rc, names in others.items() if names),
            doubt=" ".join(unlikely(spaced(each.rc), each.digits) for each in doubts if each),
            language=LANGUAGES[after.language or DEFAULT_LANGUAGE.code].name,
            wrong=line.wrong,
            is_omitted=line.number in said.omitted,
            is_asked=is_asked,
            passes_on=passes_on(stored, line.name) if stored and is_asked else "",
        )

    return _page(
        DriverFile(
            text=text, lines=tuple(map(shown, read.lines)), ignored=read.ignored, accepted=tuple(sorted(said.accepted))
        )
    )


def _changes(before: DriverDetails, after: DriverDetails) -> tuple[tuple[tuple[str, str, str], ...], dict[str, str]]:
    """Return the fields that change, but for the name, each by its label with the value before and after.

    Those that have a column of their own come apart, with the value before.
    """
    old, new = before.fields(), after.fields()

    def words(name: str, value: str | None) -> str:
        if name == "vehicles":
            return ", ".join(each.replace(" ", "\N{NO-BREAK SPACE}") for each in (value or "").split(", "))
        return LANGUAGES[value].name if name == "language" and value in LANGUAGES else value or ""

    changed = [name for name in texts.DRIVER_LABELS if name != "name" and old[name] != new[name]]
    told = (
        (str(texts.DRIVER_LABELS[name]), words(name, old[name]), words(name, new[name]))
        for name in changed
        if name not in _IN_COLUMNS
    )
    return tuple(told), {name: words(name, old[name]) for name in changed if name in _IN_COLUMNS and old[name]}


def _page(file: DriverFile) -> str:
    return render_template(
        "sharing/drivers_file.html",
        file=file,
        can_correct=file.corrected <= _MOST_CORRECTED,
        labels=texts.DRIVER_LABELS,
        columns=driver_file_texts.driver_columns(driver_files.HEAD, [each.english for each in LANGUAGES.values()]),
        example="\t".join(driver_files.HEAD[:2]) + "\n" + "\t".join(driver_file_texts.EXAMPLE_DRIVER[:2]),
        spoken=[(each.code, each.name) for each in LANGUAGES.values()],
        max_lines=driver_files.MAX_LINES,
    )
