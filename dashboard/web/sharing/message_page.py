"""Build the page on which managers word the messages."""

from __future__ import annotations

from flask import render_template

from dashboard.domain.messages import LANGUAGES, Language, fill
from dashboard.store.sharing import message_templates
from dashboard.store.sharing.message_templates import MessageTemplate
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.sharing import texts
from dashboard.web.sharing.records import MessagesPage, Wording


def messages_page(changed: Wording | None = None) -> str:
    """Render all wordings; `changed` is one of them as it was typed and not saved just now."""
    with current_services().store.read() as connection:
        stored = message_templates.by_language(connection)
    wordings = [_wording(language, stored.get(language.code)) for language in LANGUAGES.values()]
    if changed is not None:
        wordings = [changed if each.code == changed.code else each for each in wordings]
    return render_template("sharing/messages.html", page=MessagesPage(tuple(wordings), texts.PLACEHOLDERS))


def wording_of(code: str) -> Wording:
    """Build the wording of one language."""
    with current_services().store.read() as connection:
        return _wording(LANGUAGES[code], message_templates.find(connection, code))


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
