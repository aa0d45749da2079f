"""Build the reminders that are sent one by one: a page for each link that the button of the follow-up queue counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from flask import request

from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES, Language
from dashboard.domain.links import is_live
from dashboard.domain.money import add_up
from dashboard.services.sharing.messages import facts_of
from dashboard.store.links import links
from dashboard.store.links.totals import Total
from dashboard.store.sharing import drivers, message_templates
from dashboard.web.shared.current import current_services
from dashboard.web.sharing import reminder_address
from dashboard.web.sharing.follow_up_page import items_of
from dashboard.web.sharing.follow_up_records import FollowUp, ReminderBeside, ReminderStep
from dashboard.web.sharing.wording import shortened, worded


def reminder_step() -> ReminderStep | None:
    """Build the step that the address names, or that of the first link not sent yet; None where it names no link."""
    fields = reminder_address.fields_of(request.values)
    items = items_of(reminder_address.link_ids(fields))
    if not items:
        return None
    since = reminder_address.since(fields)
    listed = tuple(_beside(item, fields, number, since) for number, item in enumerate(items, 1))
    to_send = [each.number for each in listed if each.can_be_sent]
    asked = reminder_address.number(fields)
    number = asked if 0 < asked <= len(listed) else to_send[0] if to_send else 1
    current = listed[number - 1]
    language, text = _message(current.item)
    return ReminderStep(
        current=current,
        text=text,
        language=language.code,
        language_name=language.name,
        here=_at(fields, number),
        all=listed,
        total=Total(len(items), add_up(item.total for item in items)),
        following=next((listed[each - 1] for each in to_send if each > number), None),
    )


def _at(fields: Mapping[str, str], number: int) -> dict[str, str]:
    return {**fields, reminder_address.NUMBER: str(number)}


def _beside(item: FollowUp, fields: Mapping[str, str], number: int, since: datetime) -> ReminderBeside:
    is_sent = item.shared_at is not None and item.shared_at >= since
    can_be_sent = item.whatsapp and is_live(item.state.raw) and not is_sent
    return ReminderBeside(item, reminder_address.queue_address(_at(fields, number)), number, is_sent, can_be_sent)


def _message(item: FollowUp) -> tuple[Language, str]:
    """Word the message without the address to pay at, which is only given after a check of the link."""
    with current_services().store.read() as connection:
        link = links.find(connection, item.link_id)
        driver = drivers.find(connection, item.driver_id) if item.driver_id else None
        language = LANGUAGES.get(driver.language if driver else "", DEFAULT_LANGUAGE)
        template = message_templates.find(connection, language.code)
        challans = (links.challan_counts(connection, [link])[link.id] or 0) if link else 0
    if link is None:
        return language, ""
    facts = facts_of(link, challans, item.driver)
    facts = replace(facts, url=shortened(facts.url))
    return language, worded(language, template.body if template else None, facts).text
