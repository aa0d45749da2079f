"""Serve the audit log to administrators: pages with a filter in the address, and the same as CSV."""

from __future__ import annotations

from collections.abc import Iterator

from flask import abort, render_template, request
from flask.typing import ResponseReturnValue

from dashboard.domain.spreadsheets import Cell
from dashboard.store.accounts import audit_pages, people
from dashboard.store.accounts.audit_pages import AuditFilter
from dashboard.web.accounts import audit_texts
from dashboard.web.accounts.audit_page import audit_page, cells, read
from dashboard.web.accounts.routes import bp
from dashboard.web.shared.current import audit as record
from dashboard.web.shared.current import current_services, zone
from dashboard.web.shared.spreadsheets import csv_download


@bp.get("/audit")
def audit() -> ResponseReturnValue:
    page = audit_page(request.args)
    return render_template("accounts/audit.html", page=page), 422 if page.is_refused else 200


@bp.get("/audit/export.csv")
def export_audit() -> ResponseReturnValue:
    """Export every entry that the filter finds, not one page alone; the export is an entry too."""
    narrowed, typed, problems = read(request.args)
    if problems:
        abort(400)
    services = current_services()
    record("export", "audit.csv", filter={name: value for name, value in typed.items() if value})
    name = f"audit-{services.clock().astimezone(zone()):%Y-%m-%d-%H%M}.csv"
    head = [column.format(zone=zone()) for column in audit_texts.HEAD]
    return csv_download(name, head, _rows(narrowed), zone())


def _rows(narrowed: AuditFilter) -> Iterator[list[Cell]]:
    store = current_services().store
    with store.read() as connection:
        by_id = {person.id: person for person in people.everybody(connection)}
    return (cells(entry, by_id) for batch in audit_pages.batches(store.read, narrowed) for entry in batch)
