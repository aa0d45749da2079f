"""Serve the wording of the messages, which managers change language by language."""

from __future__ import annotations

from collections.abc import Mapping

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue

from dashboard.domain.edit_conflicts import EditConflict
from dashboard.domain.messages import LANGUAGES, TemplateRefused, checked_template
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.saved_forms import resumes_on_its_own_page
from dashboard.web.sharing import texts
from dashboard.web.sharing.message_page import messages_page
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
        return messages_page(language, typed, edit_conflicts.go_on(), texts.template_refused(refused)), 422
    except EditConflict as conflict:
        editing = edit_conflicts.restart(
            conflict, {"body": body}, texts.MESSAGE_LABELS, subject=language, actions=(_CHANGED, _RESTORED)
        )
        return messages_page(language, typed, editing), 409
    audit(_CHANGED, language)
    return redirect(url_for("sharing.messages", _anchor=f"message-{language}"), 303)


@bp.post("/messages/<language>/original")
def reset_message(language: str) -> ResponseReturnValue:
    """Go back to the product's wording."""
    if language not in LANGUAGES:
        abort(404)
    current_services().message_templates.restore(language)
    audit(_RESTORED, language)
    return redirect(url_for("sharing.messages", _anchor=f"message-{language}"), 303)


def _subject(view_args: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the language that a saved form is about, and the address of the messages."""
    language = LANGUAGES.get(view_args["language"])
    return (language.english, url_for("sharing.messages")) if language else None


resumes_on_its_own_page("sharing.save_message", texts.WORDING, texts.MESSAGE_LABELS, _subject)
