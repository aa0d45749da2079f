"""Serve the drivers as a file, and take in a file of drivers: shown first, saved when it is confirmed."""

from __future__ import annotations

import re
from collections.abc import Mapping

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.drivers import DriverDetails
from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.phones import international
from dashboard.domain.registration import doubt, spaced
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.sharing import drivers
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import audit, current_services, person_id, zone
from dashboard.web.shared.spreadsheets import csv_download
from dashboard.web.shared.toasts import toast
from dashboard.web.sharing import driver_files, texts
from dashboard.web.sharing.driver_files import Line, UnreadableFile
from dashboard.web.sharing.page import digits
from dashboard.web.sharing.records import DriverFile, DriverLine
from dashboard.web.sharing.routes import bp

_IMPORT = "sharing.import_drivers"
#: The most lines that can be corrected on the page; of more, the file itself is corrected.
_MOST_CORRECTED = 50
#: The name of a field that corrects a cell of a line.
_CELL = re.compile(r"line-(\d{1,6})-(\w+)")


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
    """Send a file with an example line, to be filled."""
    return csv_download("drivers-template.csv", driver_files.HEAD, iter([list(texts.EXAMPLE_DRIVER)]), zone())


@bp.get("/drivers/import", endpoint="drivers_file")
def choose_file() -> ResponseReturnValue:
    """Ask for a file, or show again the one that was sent when the session had expired."""
    waiting = saved_forms.waiting(_IMPORT)
    sent = dict(waiting.fields) if waiting else {}
    if not sent.get("csv"):
        return _page(DriverFile())
    try:
        return _shown(_corrected(sent["csv"], sent))
    except UnreadableFile as unreadable:
        return _page(DriverFile(problem=str(unreadable))), 422


@bp.post("/drivers/import", endpoint="import_drivers")
def take_in() -> ResponseReturnValue:
    """Show what a file would change; with `confirm`, change it."""
    text = request.form.get("csv", "")
    try:
        if not text:
            uploaded = request.files.get("file")
            content = uploaded.read(driver_files.MAX_BYTES + 1) if uploaded else b""
            if not content:
                raise UnreadableFile(str(texts.NO_FILE))
            text = driver_files.decoded(content)
        corrected = _corrected(text, request.form)
        read = driver_files.read(corrected)
    except UnreadableFile as unreadable:
        return _page(DriverFile(problem=str(unreadable))), 422
    good = [line.details for line in read.lines if line.details]
    # What a correction changes is shown first, whichever button was pressed.
    if "confirm" not in request.form or not good or corrected != text:
        return _shown(corrected)
    done = current_services().drivers.take_in(good, person_id())
    audit("drivers imported", "drivers.csv", added=list(done.added), merged=list(done.merged))
    saved_forms.discard(_IMPORT)
    toast(texts.drivers_imported(len(done.added), len(done.merged), done.unchanged))
    return redirect(url_for("sharing.drivers"), 303)


@saved_forms.resumes(_IMPORT, waits=True)
def _resume(_form: SavedForm) -> str:
    return url_for("sharing.drivers_file")


def _corrected(text: str, sent: Mapping[str, str]) -> str:
    """Return the file with the cells that were typed into the list of lines left out. Raises UnreadableFile."""
    cells = {(int(found[1]), found[2]): typed for name, typed in sent.items() if (found := _CELL.fullmatch(name))}
    return driver_files.corrected(text, cells)


def _shown(text: str) -> str:
    """Show what a file would change. Raises UnreadableFile."""
    read = driver_files.read(text)
    known = current_services().drivers.known_phones()
    listed = {rc for line in read.lines if line.details for rc in line.details.vehicles}
    with current_services().store.read() as connection:
        usual = drivers.of_vehicles(connection, listed)
    # The drivers of each vehicle by their phone number: those who are stored, and those of the file.
    driven: dict[str, dict[str, str]] = {
        rc: {digits(each.phone) or f"driver {each.id}": each.name for each in found} for rc, found in usual.items()
    }
    for line in read.lines:
        for rc in line.details.vehicles if line.details else ():
            driven.setdefault(rc, {})[digits(line.phone)] = line.name

    def shown(line: Line) -> DriverLine:
        if line.details is None:
            return DriverLine(line.number, line.name, line.phone, line.problem, wrong=line.wrong)
        stored, before = known.get(international(line.phone), (None, None))
        after = before.completed_by(line.details) if before else line.details
        added = [rc for rc in after.vehicles if before is None or rc not in before.vehicles]
        mine = digits(line.phone)
        others = {rc: ", ".join(name for phone, name in driven.get(rc, {}).items() if phone != mine) for rc in added}
        return DriverLine(
            line.number,
            line.name,
            line.phone,
            driver_id=stored.id if stored else None,
            driver=stored.name if stored else "",
            unchanged=after == before,
            changes=_changes(before, after) if before else (),
            vehicles=tuple(spaced(rc) for rc in sorted(after.vehicles)),
            shared=tuple((spaced(rc), names) for rc, names in others.items() if names),
            doubtful=tuple(spaced(rc) for rc in line.details.vehicles if doubt(rc)),
            language=LANGUAGES[after.language or DEFAULT_LANGUAGE.code].name,
        )

    return _page(DriverFile(text=text, lines=tuple(map(shown, read.lines)), ignored=read.ignored))


def _changes(before: DriverDetails, after: DriverDetails) -> tuple[tuple[str, str, str], ...]:
    """Return the fields that change, but for the name, each by its label with the value before and after."""
    old, new = before.fields(), after.fields()

    def words(name: str, value: str | None) -> str:
        return LANGUAGES[value].name if name == "language" and value in LANGUAGES else value or ""

    return tuple(
        (str(label), words(name, old[name]), words(name, new[name]))
        for name, label in texts.DRIVER_LABELS.items()
        if name != "name" and old[name] != new[name]
    )


def _page(file: DriverFile) -> str:
    values: dict[str, object] = {"file": file, "labels": texts.DRIVER_LABELS, "most_corrected": _MOST_CORRECTED}
    values["spoken"] = [(each.code, each.name) for each in LANGUAGES.values()]
    return render_template("sharing/drivers_file.html", **values, max_lines=driver_files.MAX_LINES)
