"""Serve the administration console: a person sees, makes and deletes the API secret of an organization (section 5)."""

from __future__ import annotations

import secrets

from flask import Blueprint, abort, render_template, request
from werkzeug.exceptions import Forbidden

from dashboard.replica import auth
from dashboard.replica.runtime import current

console = Blueprint("console", __name__, url_prefix="/console")


@console.before_request
def _refuse_other_sites() -> None:
    # The pages send no referrer, so a browser names no origin of theirs.
    if request.headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"}:
        raise Forbidden


@console.get("/")
def show() -> str:
    return _page()


@console.post("/<handle>/secret")
def make(handle: str) -> str:
    """Replace the secret. The new one is in this answer, and nowhere afterwards."""
    secret = f"replica-testing-{secrets.token_hex(16)}"
    _replace(handle, secret)
    return _page(made_for=handle, secret=secret)


@console.post("/<handle>/secret/delete")
def delete(handle: str) -> str:
    _replace(handle, None)
    return _page()


def _replace(handle: str, secret: str | None) -> None:
    with current().state.writing() as connection:
        row = connection.execute("SELECT id FROM organization WHERE handle = ?", (handle,)).fetchone()
        if row is None:
            abort(404)
        auth.replace_secret(connection, row["id"], secret)


def _page(made_for: str = "", secret: str = "") -> str:
    with current().state.reading() as connection:
        rows = connection.execute(
            "SELECT o.handle, o.name, s.digest FROM organization o "
            "LEFT JOIN secret s ON s.organization = o.id AND s.active = 1 ORDER BY o.rowid"
        ).fetchall()
    return render_template("console.html", organizations=rows, made_for=made_for, secret=secret)
