"""Serve the wording of the messages, which managers change language by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flask import abort, redirect, request
from flask.typing import ResponseReturnValue

from dashboard.domain.edit_conflicts import EditConflict
from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.messages import MAX_LENGTH, TemplateRefused, checked_template
from dashboard.web.shared import edit_conflicts, htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.shared.languages import language_name
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.toasts import Undo, notice, toast
from dashboard.web.sharing import texts
from dashboard.web.sharing.message_page import (
    address_of,
    language_tabs,
    listed_placeholders,
    messages_page,
    typed,
    wording_of,
)
from dashboard.web.sharing.placeholders import as_stored, in_words
from dashboard.web.sharing.records import Wording
from dashboard.web.sharing.routes import bp

_CHANGED, _RESTORED = "message changed", "message restored"
_PREVIEW = "message-preview"


@bp.get("/messages", endpoint="messages")
@bp.get("/messages/<language>", endpoint="messages")
def index(language: str = DEFAULT_LANGUAGE.code) -> str:
    return messages_page(wording_of(_known(language)))


@bp.post("/messages/<language>/preview")
def preview_message(language: str) -> ResponseReturnValue:
    """Show how a wording reads while it is typed; nothing is saved."""
    wording = typed(_known(language), as_stored(request.form.get("body", ""))[:MAX_LENGTH], _of())
    if htmx.puts_into(_PREVIEW):
        return htmx.region("sharing/_message_typed.html", wording=wording)
    return messages_page(wording)


@bp.post("/messages/<language>")
def save_message(language: str) -> ResponseReturnValue:
    before = wording_of(_known(language))
    body = as_stored(request.form.get("body", ""))
    try:
        body = checked_template(body)
        current_services().message_templates.save(language, body, person_id(), edit_conflicts.sent_basis())
    except TemplateRefused as refused:
        return _shown(replace(typed(language, body, _of()), problem=texts.template_refused(refused)), 422)
    except EditConflict as conflict:
        editing = edit_conflicts.restart(
            conflict, {"body": body}, texts.MESSAGE_LABELS, subject=language, actions=(_CHANGED, _RESTORED)
        )
        return _shown(replace(typed(language, body, _of()), editing=_in_words(editing)), 409)
    audit(_CHANGED, language)
    saved = wording_of(language, _of())
    toast(texts.MESSAGE_SAVED.format(language=saved.translated), undo=_undo(before, saved))
    return _shown(saved, 200)


@bp.post("/messages/<language>/original")
def reset_message(language: str) -> ResponseReturnValue:
    """Go back to the product's wording."""
    before = wording_of(_known(language))
    try:
        current_services().message_templates.restore(language, edit_conflicts.sent_basis())
    except EditConflict:
        notice(texts.MESSAGE_NOT_RESTORED.format(language=before.translated), "wrong")
        return redirect(address_of(language), 303)
    audit(_RESTORED, language)
    restored = wording_of(language)
    toast(texts.MESSAGE_RESTORED.format(language=before.translated), undo=_undo(before, restored))
    return _shown(restored, 200)


def _of() -> str:
    """Return the link that was chosen for the preview."""
    return request.form.get("of", "")


def _undo(before: Wording, now: Wording) -> Undo | None:
    """Bring a wording back, unless others change it meanwhile.

    Without scripts it would wait in the session's cookie, which is too small for it.
    """
    if before.body == now.body or not htmx.is_htmx():
        return None
    basis = {"basis": now.editing.basis}
    if before.written_at is None:
        return Undo("sharing.reset_message", {"language": before.code}, basis)
    return Undo("sharing.save_message", {"language": before.code}, {"body": before.body} | basis)


def _in_words(editing: Editing) -> Editing:
    """Return a conflict with the placeholders of the others' wording as the page writes them."""
    if editing.conflict is None:
        return editing
    fields = tuple((label, in_words(value)) for label, value in editing.conflict.fields)
    return replace(editing, conflict=replace(editing.conflict, fields=fields))


def _shown(wording: Wording, status: int) -> ResponseReturnValue:
    """Answer with the wording alone; without scripts, and elsewhere, with its page."""
    page = address_of(wording.code)
    if htmx.is_on(page):
        saved = status == 200
        region = htmx.region(
            "sharing/_wording.html",
            status,
            wording=wording,
            max_length=MAX_LENGTH,
            placeholders=listed_placeholders(),
            tabs=language_tabs(),
            saved=saved,
        )
        return htmx.region_at(f"wording-{wording.code}", region)
    if status != 200:
        return messages_page(wording), status
    return redirect(page, 303)


def _known(language: str) -> str:
    return language if language in LANGUAGES else abort(404)


def _subject(view_args: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the language that a saved form is about, and the address of its page."""
    language = LANGUAGES.get(view_args["language"])
    return (language_name(language.locale), address_of(language.code)) if language else None


resumes_on_its_own_page("sharing.save_message", texts.WORDING, texts.MESSAGE_LABELS, _subject)
