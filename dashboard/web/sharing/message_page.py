"""Build the page on which managers word the messages, one language at a time."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from flask import render_template, url_for
from sqlalchemy import Connection

from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES, Language
from dashboard.domain.messages import MessageFacts, TemplateRefused, checked_template
from dashboard.services.sharing.messages import facts_of
from dashboard.store.links import links
from dashboard.store.sharing import drivers, message_templates
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.languages import language_name
from dashboard.web.sharing import texts
from dashboard.web.sharing.records import LanguageTab, MessagesPage, Preview, Wording
from dashboard.web.sharing.wording import shortened, worded

#: The values of a preview while the ledger has no link that can be paid.
_SAMPLE = MessageFacts(
    driver="Ramesh",
    plate="MH12 AB 1001",
    challans=3,
    amount=Decimal("4111.45"),
    mode="UPI",
    deadline=None,
    url="https://pay.example/prepaid-payment/…",
)
_SAMPLE_LASTS = timedelta(hours=48)


def messages_page(wording: Wording) -> str:
    """Render the page of the language of a wording."""
    page = MessagesPage(wording, language_tabs(), texts.PLACEHOLDERS, texts.PLACEHOLDER_NAMES)
    return render_template("sharing/messages.html", page=page)


def language_tabs() -> tuple[LanguageTab, ...]:
    """Offer the pages of all languages, and say which of them have a wording of their own."""
    with current_services().store.read() as connection:
        reworded = message_templates.by_language(connection)
    return tuple(
        LanguageTab(each.code, each.name, language_name(each.locale), address_of(each.code), each.code in reworded)
        for each in LANGUAGES.values()
    )


def address_of(code: str) -> str:
    """Return the address of the page of a language; the default one has the short address of the menu."""
    return url_for("sharing.messages", language=None if code == DEFAULT_LANGUAGE.code else code)


def wording_of(code: str) -> Wording:
    """Build the wording of one language as it is stored."""
    language = LANGUAGES[code]
    with current_services().store.read() as connection:
        stored = message_templates.find(connection, code)
    body = stored.body if stored else language.body
    return Wording(
        code=code,
        name=language.name,
        translated=language_name(language.locale),
        body=body,
        stored=body,
        preview=preview_of(language, body),
        written_by=name_of(stored.written_by) if stored else None,
        written_at=stored.written_at if stored else None,
        editing=edit_conflicts.start({"body": body}),
    )


def typed(code: str, body: str) -> Wording:
    """Build the wording of one language around what was typed and not saved."""
    text = body.replace("\r\n", "\n")
    return replace(
        wording_of(code), body=text, preview=preview_of(LANGUAGES[code], text), editing=edit_conflicts.go_on()
    )


def preview_of(language: Language, body: str) -> Preview:
    """Fill a wording with the values of the newest link that can be paid, or with samples.

    The address to pay at is left out: a link is only given to a driver from its own page, after a check.
    """
    problem, correction = None, None
    try:
        checked_template(body)
    except TemplateRefused as refused:
        problem = texts.template_refused(refused)
        if refused.meant:
            correction = (f"{{{refused.placeholder}}}", f"{{{refused.meant}}}")
    with current_services().store.read() as connection:
        facts = _facts(connection)
    about = texts.PREVIEW_OF.format(plate=facts.plate) if facts and facts.plate else texts.PREVIEW_SAMPLE
    facts = facts or replace(_SAMPLE, deadline=current_services().clock() + _SAMPLE_LASTS)
    text = worded(language, body, facts).text if body.strip() else ""
    missed = tuple(str(words) for name, words in texts.MISSED.items() if text and f"{{{name}}}" not in body)
    return Preview(text, about, problem, correction, () if problem else missed)


def _facts(connection: Connection) -> MessageFacts | None:
    newest = message_templates.newest_payable(connection)
    link = links.find(connection, newest) if newest else None
    if link is None or not link.rc:
        return None
    usual = drivers.of_vehicle(connection, link.rc)
    challans = links.challan_counts(connection, [link])[link.id]
    if not challans:
        return None  # "0 challans" would show no message that anybody is sent.
    facts = facts_of(link, challans, usual[0].name if len(usual) == 1 else _SAMPLE.driver)
    return replace(facts, url=shortened(facts.url))
