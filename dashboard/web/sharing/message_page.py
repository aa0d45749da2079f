"""Build the page on which managers word the messages."""

from __future__ import annotations

from dataclasses import replace

from flask import render_template

from dashboard.domain.messages import LANGUAGES, Language, fill
from dashboard.store.sharing import message_templates
from dashboard.store.sharing.message_templates import MessageTemplate
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.edit_conflicts import Editing
from dashboard.web.sharing import texts
from dashboard.web.sharing.records import MessagesPage, Wording


def messages_page(code: str = "", typed: str = "", editing: Editing | None = None, problem: str | None = None) -> str:
    """Render all wordings; the language of `code` with the text that was typed and not saved just now."""
    with current_services().store.read() as connection:
        stored = message_templates.by_language(connection)
    wordings = [_wording(language, stored.get(language.code)) for language in LANGUAGES.values()]
    if editing is not None:
        wordings = [
            replace(each, body=typed, editing=editing, problem=problem) if each.code == code else each
            for each in wordings
        ]
    return render_template("sharing/messages.html", page=MessagesPage(tuple(wordings), texts.PLACEHOLDERS))


def _wording(language: Language, stored: MessageTemplate | None) -> Wording:
    body = stored.body if stored else language.body
    return Wording(
        code=language.code,
        name=language.name,
        english=language.english,
        body=body,
        example=fill(body, texts.SAMPLE),
        written_by=name_of(stored.written_by) if stored else None,
        written_at=stored.written_at if stored else None,
        editing=edit_conflicts.start({"body": body}),
    )
