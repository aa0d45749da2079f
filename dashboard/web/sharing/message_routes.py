"""The wording of the messages to drivers, which managers may change, language by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from sqlalchemy import Row

from dashboard.domain import messages
from dashboard.domain.edit_conflicts import EditConflict, require_unchanged
from dashboard.domain.messages import LANGUAGES, NAMES, TemplateRefused
from dashboard.store.sharing import message_templates
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import audit, current_services, names, person_id
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.sharing.routes import bp

#: What the audit log calls a change of a message's wording.
_CHANGES = ("message changed", "message restored")
LABELS = {"body": "Message"}

_SAMPLE = {
    "driver": "Ramesh",
    "vehicle": "MH12 AB 1001",
    "challans": "3",
    "amount": "₹14,250.50",
    "mode": "UPI",
    "deadline": "23 Nov 2026, 14:03 IST",
    "url": "https://pay.example/prepaid-payment/3f9d2c81",
}


@dataclass(frozen=True, slots=True)
class Wording:
    """A message as it is worded now, with an example, and what is wrong with what was just typed."""

    code: str
    name: str
    english: str
    body: str
    example: str
    written_by: str | None
    written_at: datetime | None
    editing: Editing
    problem: str | None = None


@bp.get("/messages", endpoint="messages")
def index() -> str:
    return _shown()


@bp.post("/messages/<language>")
def save_message(language: str) -> ResponseReturnValue:
    if language not in LANGUAGES:
        abort(404)
    typed = request.form.get("body", "")
    try:
        body = messages.check(typed)
    except TemplateRefused as refused:
        return _shown(language, typed, edit_conflicts.go_on(), str(refused)), 422
    services = current_services()
    try:
        with services.store.write() as connection:
            kept = {"body": _kept(language, message_templates.find(connection, language))}
            require_unchanged(edit_conflicts.sent_basis(), kept, {"body": body})
            message_templates.write(connection, language, body, services.clock(), person_id())
    except EditConflict as conflict:
        editing = edit_conflicts.restart(conflict, {"body": body}, LABELS, subject=language, actions=_CHANGES)
        return _shown(language, typed, editing), 409
    audit("message changed", language)
    return redirect(url_for("sharing.messages", _anchor=f"message-{language}"), 303)


def _subject(view_args: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the language that a saved form is about, and the address of the messages."""
    language = LANGUAGES.get(view_args["language"])
    return (language.english, url_for("sharing.messages")) if language else None


resumes_on_its_own_page("sharing.save_message", "The wording of a message", LABELS, _subject)


@bp.post("/messages/<language>/original")
def reset_message(language: str) -> ResponseReturnValue:
    """Go back to the product's own words."""
    if language not in LANGUAGES:
        abort(404)
    with current_services().store.write() as connection:
        message_templates.forget(connection, language)
    audit("message restored", language)
    return redirect(url_for("sharing.messages", _anchor=f"message-{language}"), 303)


def _kept(language: str, row: Row[Any] | None) -> str:
    return row.body if row is not None else LANGUAGES[language].body


def _shown(code: str = "", typed: str = "", edited: Editing | None = None, problem: str | None = None) -> str:
    """The wordings; of one language as it was typed just now, and not kept."""
    with current_services().store.read() as connection:
        own = message_templates.everything(connection)
    people = names()
    wordings = []
    for language in LANGUAGES.values():
        row = own.get(language.code)
        kept = _kept(language.code, row)
        is_typed = language.code == code
        wordings.append(
            Wording(
                code=language.code,
                name=language.name,
                english=language.english,
                body=typed if is_typed else kept,
                example=messages.fill(kept, _SAMPLE),
                written_by=people.get(row.written_by) if row else None,
                written_at=row.written_at if row else None,
                editing=edited if is_typed and edited else edit_conflicts.start({"body": kept}),
                problem=problem if is_typed else None,
            )
        )
    return render_template("sharing/messages.html", wordings=wordings, placeholders=NAMES)
