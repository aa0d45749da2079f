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
from dashboard.web.links.records import Choice
from dashboard.web.shared import edit_conflicts
from dashboard.web.shared.current import current_services, name_of
from dashboard.web.shared.languages import language_name
from dashboard.web.sharing import texts
from dashboard.web.sharing.placeholders import as_stored, in_words, missed, unknown_marked, written
from dashboard.web.sharing.records import LanguageTab, MessagesPage, Placeholder, Preview, Wording
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
#: The most links whose values can be chosen for the preview.
_MOST_LINKS = 8


def messages_page(wording: Wording) -> str:
    """Render the page of the language of a wording."""
    page = MessagesPage(wording, language_tabs(), listed_placeholders())
    return render_template("sharing/messages.html", page=page)


def listed_placeholders() -> tuple[Placeholder, ...]:
    return tuple(
        Placeholder(str(name), written(each), str(texts.PLACEHOLDERS[each]))
        for each, name in texts.PLACEHOLDER_NAMES.items()
    )


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


def wording_of(code: str, of: str = "") -> Wording:
    """Build the wording of one language as it is stored, shown with the values of a link."""
    language = LANGUAGES[code]
    with current_services().store.read() as connection:
        stored = message_templates.find(connection, code)
    body = stored.body if stored else language.body
    return Wording(
        code=code,
        name=language.name,
        translated=language_name(language.locale),
        body=in_words(body),
        stored=in_words(body),
        preview=preview_of(language, body, of),
        written_by=name_of(stored.written_by) if stored else None,
        written_at=stored.written_at if stored else None,
        editing=edit_conflicts.start({"body": body}),
    )


def typed(code: str, body: str, of: str) -> Wording:
    """Build the wording of one language around what was typed and not saved."""
    text = as_stored(body.replace("\r\n", "\n"))
    return replace(
        wording_of(code),
        body=in_words(text),
        preview=preview_of(LANGUAGES[code], text, of),
        editing=edit_conflicts.go_on(),
    )


def preview_of(language: Language, body: str, of: str = "") -> Preview:
    """Fill a wording with the values of a link that can be paid, or with samples.

    It is the link that is chosen, else the newest that has a driver, else the newest.

    The address to pay at is left out: a link is only given to a driver from its own page, after a check.
    """
    problem, correction = None, None
    try:
        checked_template(body)
    except TemplateRefused as refused:
        problem = texts.template_refused(refused)
        if refused.meant:
            correction = (f"{{{refused.placeholder}}}", written(refused.meant))
    with current_services().store.read() as connection:
        listed = _facts(connection)
    chosen = of if of in listed else next(iter(listed), "")
    facts = listed.get(chosen)
    about = texts.PREVIEW_SAMPLE if facts is None else "" if facts.driver else texts.PREVIEW_SAMPLE_NAME
    facts = facts or replace(_SAMPLE, deadline=current_services().clock() + _SAMPLE_LASTS)
    driver = facts.driver or _SAMPLE.driver or ""
    text = worded(language, body, replace(facts, driver=driver)).text if body.strip() else ""
    lacks = tuple(
        (str(texts.MISSED[name]), str(texts.PLACEHOLDER_NAMES[name]), written(name))
        for name in missed(body)
        if text and not problem
    )
    links_of = tuple(Choice(each, _named(given), each == chosen) for each, given in listed.items())
    parts = unknown_marked(body, text)
    return Preview(driver, parts, str(about), links_of, problem, correction, lacks)


def _named(facts: MessageFacts) -> str:
    return f"{facts.plate} · {facts.driver}" if facts.driver else facts.plate or ""


def _facts(connection: Connection) -> dict[str, MessageFacts]:
    """Return the facts about the newest links that can be paid, by id, each with its usual driver if there is one.

    Those with a driver come first, because a name shows how a message greets him.
    """
    ids = message_templates.newest_payable(connection, _MOST_LINKS)
    found = links.find_all(connection, ids)
    newest = [found[each] for each in ids]
    usual = drivers.of_vehicles(connection, {link.rc for link in newest if link.rc})
    challans = links.challan_counts(connection, newest)
    listed = {}
    for link in newest:
        known = usual.get(link.rc or "", [])
        # "0 challans" would show no message that anybody is sent.
        if link.rc and (number := challans[link.id]):
            facts = facts_of(link, number, known[0].name if len(known) == 1 else None)
            listed[link.id] = replace(facts, url=shortened(facts.url))
    return dict(sorted(listed.items(), key=lambda each: each[1].driver is None))
