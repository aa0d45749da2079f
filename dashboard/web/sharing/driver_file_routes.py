"""Serve the drivers as a file, and take in a file of drivers: shown first, saved when it is confirmed."""

from __future__ import annotations

from flask import Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

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
from dashboard.web.sharing.records import DriverFile, DriverLine
from dashboard.web.sharing.routes import bp

_IMPORT = "sharing.import_drivers"


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
    text = dict(waiting.fields).get("csv", "") if waiting else ""
    return _shown(text) if text else _page(DriverFile())


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
        read = driver_files.read(text)
    except UnreadableFile as unreadable:
        return _page(DriverFile(problem=str(unreadable))), 422
    good = [line.details for line in read.lines if line.details]
    if "confirm" not in request.form or not good:
        return _shown(text)
    done = current_services().drivers.take_in(good, person_id())
    audit("drivers imported", "drivers.csv", added=list(done.added), merged=list(done.merged))
    saved_forms.discard(_IMPORT)
    toast(texts.drivers_imported(len(done.added), len(done.merged), done.unchanged))
    return redirect(url_for("sharing.drivers"), 303)


@saved_forms.resumes(_IMPORT, waits=True)
def _resume(_form: SavedForm) -> str:
    return url_for("sharing.drivers_file")


def _shown(text: str) -> ResponseReturnValue:
    try:
        read = driver_files.read(text)
    except UnreadableFile as unreadable:
        return _page(DriverFile(problem=str(unreadable))), 422
    known = current_services().drivers.known_phones()

    def shown(line: Line) -> DriverLine:
        if line.details is None:
            return DriverLine(line.number, line.name, line.phone, line.problem)
        stored, before = known.get(international(line.phone), (None, None))
        after = before.completed_by(line.details) if before else line.details
        return DriverLine(
            line.number,
            line.name,
            line.phone,
            driver_id=stored.id if stored else None,
            driver=stored.name if stored else "",
            unchanged=after == before,
            vehicles=tuple(spaced(rc) for rc in line.details.vehicles),
            doubtful=tuple(spaced(rc) for rc in line.details.vehicles if doubt(rc)),
            language=LANGUAGES[after.language or DEFAULT_LANGUAGE.code].name,
        )

    return _page(DriverFile(text=text, lines=tuple(map(shown, read.lines)), ignored=read.ignored))


def _page(file: DriverFile) -> str:
    return render_template("sharing/drivers_file.html", file=file, max_lines=driver_files.MAX_LINES)
