"""Serve the page for many vehicles, and take in what is typed, pasted or uploaded there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.fleet import MAX_VEHICLES
from dashboard.domain.fleet_input import CITY, RC_TYPE
from dashboard.domain.fleet_lines import COLUMNS, Unreadable, as_table
from dashboard.domain.spreadsheets import Cell
from dashboard.services.fleet.drafts import NothingToSearch
from dashboard.store.accounts.saved_forms import SavedForm
from dashboard.store.fleet.drafts import MAX_TITLE
from dashboard.web.fleet import forms, page, texts
from dashboard.web.fleet.input_files import MAX_BYTES
from dashboard.web.fleet.records import FleetPage, InputForm
from dashboard.web.shared import saved_forms
from dashboard.web.shared.current import current_services, person_id, zone
from dashboard.web.shared.spreadsheets import csv_download, xlsx_download
from dashboard.web.shared.toasts import notice

bp = Blueprint("fleet", __name__)

_TAKE_IN = "fleet.take_in"


@bp.get("/fleet")
def index() -> str:
    """Show the page; with the numbers that were sent when a session had expired."""
    waiting = saved_forms.waiting(_TAKE_IN)
    return shown(page.fleet_page(InputForm(numbers=waiting.first("numbers") or "") if waiting else None))


@bp.post("/fleet")
def take_in() -> ResponseReturnValue:
    """Read numbers and file into a draft, and show what it would search."""
    numbers, uploaded = request.form.get("numbers", ""), request.files.get("file")
    content = uploaded.read(MAX_BYTES + 1) if uploaded and uploaded.filename else None
    if not numbers.strip() and content is None:
        return shown(page.fleet_page(InputForm(problem=str(texts.NO_NUMBERS)))), 422
    try:
        given = forms.read_input(numbers, None)
    except Unreadable as unreadable:
        return shown(page.fleet_page(InputForm(numbers, problem=texts.unreadable(unreadable)))), 422
    try:
        given = forms.read_input(numbers, content)
    except Unreadable as unreadable:
        problem = texts.unreadable(unreadable, uploaded.filename or "" if uploaded else "")
        return shown(page.fleet_page(InputForm(numbers, file_problem=problem))), 422
    stem = PurePath((uploaded.filename or "").replace("\\", "/")).stem if uploaded and content is not None else ""
    title = " ".join(stem.split())[:MAX_TITLE]
    drafts = current_services().fleet_drafts
    drafts.fetch_lists(given.lines)
    draft = drafts.add(person_id(), title, given.lines, ignored=given.ignored)
    saved_forms.discard(_TAKE_IN)
    return redirect(url_for("fleet.draft", draft_id=draft), 303)


def _fields() -> list[tuple[str, str]]:
    """Return what was typed; together with a file, both as one table that can be shown where numbers are typed."""
    numbers, uploaded = request.form.get("numbers", ""), request.files.get("file")
    try:
        content = uploaded.read(MAX_BYTES + 1) if uploaded and uploaded.filename else None
        text = numbers if content is None else as_table(forms.read_input(numbers, content).lines)
    except Unreadable:
        text = numbers
    return [("numbers", text)]


@saved_forms.resumes(_TAKE_IN, waits=True, fields=_fields)
def _resume(_form: SavedForm) -> str:
    return url_for("fleet.index")


@bp.post("/fleet/known")
def take_known() -> ResponseReturnValue:
    """Make a draft of all vehicles that were searched before, or of those not searched for some days."""
    typed = request.form.get("days")
    days = None if typed is None else forms.days(typed)
    if typed is not None and days is None:
        return shown(page.fleet_page(days=typed, days_problem=str(texts.DAYS_NEEDED))), 422
    title = str(texts.ALL_KNOWN) if days is None else texts.not_searched_for(days)
    try:
        draft = current_services().fleet_drafts.add_known(person_id(), title, days)
    except NothingToSearch:
        notice(texts.NOTHING_KNOWN if days is None else texts.NOTHING_OLD, "neutral")
        return redirect(url_for("fleet.index"), 303)
    return redirect(url_for("fleet.draft", draft_id=draft), 303)


@bp.get("/fleet/template.csv")
def template_csv() -> Response:
    """Send a file with example lines, to be filled."""
    return csv_download("vehicles-template.csv", list(COLUMNS.values()), _examples(), zone())


@bp.get("/fleet/template.xlsx")
def template_xlsx() -> Response:
    """Send the same as a workbook."""
    return xlsx_download("vehicles-template.xlsx", list(COLUMNS.values()), _examples(), zone(), str(texts.SHEET))


def _examples() -> Iterator[list[Cell]]:
    """Return lines for the template; the first, which is of a new vehicle, names an RC type and a city that exist."""
    cities, rc_types = current_services().reference_data.known()
    place = {RC_TYPE: rc_types[0].label, CITY: cities[0].label} if cities and rc_types else {}
    first, *rest = texts.EXAMPLES
    return ([example.get(name) for name in COLUMNS] for example in ({**first, **place}, *rest))


def shown(fleet: FleetPage) -> str:
    """Render the page."""
    return render_template("fleet/index.html", fleet=fleet, max_vehicles=MAX_VEHICLES)
