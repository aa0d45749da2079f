"""Serve the wording of the messages, which managers change language by language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.edit_conflicts import EditConflict
from dashboard.domain.messages import LANGUAGES, MAX_LENGTH, TemplateRefused, checked_template
from dashboard.web.shared import edit_conflicts, htmx
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.shared.toasts import Undo, toast
from dashboard.web.sharing import texts
from dashboard.web.sharing.message_page import messages_page, wording_of
from dashboard.web.sharing.records import Wording
from dashboard.web.sharing.routes import bp

_CHANGED, _RESTORED = "message changed", "message restored"


@bp.get("/messages", endpoint="messages")
def index() -> str:
    return messages_page()


@bp.post("/messages/<language>")
def save_message(language: str) -> ResponseReturnValue:
    if language not in LANGUAGES:
        abort(404)
    typed = request.form.get("body", "")
    try:
        body = checked_template(typed)
        current_services().message_templates.save(language, body, person_id(), edit_conflicts.sent_basis())
    except TemplateRefused as refused:
        problem = texts.template_refused(refused)
        return _shown(replace(wording_of(language), body=typed, editing=edit_conflicts.go_on(), problem=problem), 422)
    except EditConflict as conflict:
        editing = edit_conflicts.restart(
            conflict, {"body": body}, texts.MESSAGE_LABELS, subject=language, actions=(_CHANGED, _RESTORED)
        )
        return _shown(replace(wording_of(language), body=typed, editing=editing), 409)
    audit(_CHANGED, language)
    toast(texts.MESSAGE_SAVED.format(language=LANGUAGES[language].english))
    return _shown(wording_of(language), 200)


@bp.post("/messages/<language>/original")
def reset_message(language: str) -> ResponseReturnValue:
    """Go back to the product's wording."""
    if language not in LANGUAGES:
        abort(404)
    before = wording_of(language)
    current_services().message_templates.restore(language)
    audit(_RESTORED, language)
    toast(texts.MESSAGE_RESTORED.format(language=before.english), undo=_undo(before))
    return _shown(wording_of(language), 200)


def _undo(before: Wording) -> Undo | None:
    """Bring a wording back. Without scripts it would wait in the session's cookie, which is too small for it."""
    if before.written_at is None or not htmx.is_on(url_for("sharing.messages")):
        return None
    return Undo("sharing.save_message", {"language": before.code}, {"body": before.body})


def _shown(wording: Wording, status: int) -> ResponseReturnValue:
    """Answer with the wording of one language beside the others; without scripts with all of them."""
    if htmx.is_on(url_for("sharing.messages")):
        saved = status == 200
        region = htmx.region("sharing/_wording.html", status, wording=wording, max_length=MAX_LENGTH, saved=saved)
        return htmx.region_at(f"wording-{wording.code}", region)
    if status != 200:
        return messages_page(wording), status
    return redirect(url_for("sharing.messages", _anchor=f"message-{wording.code}"), 303)


def _subject(view_args: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the language that a saved form is about, and the address of the messages."""
    language = LANGUAGES.get(view_args["language"])
    return (language.english, url_for("sharing.messages")) if language else None


resumes_on_its_own_page("sharing.save_message", texts.WORDING, texts.MESSAGE_LABELS, _subject)
