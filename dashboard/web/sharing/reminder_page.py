"""Build the reminders that are sent one by one: a page for each message."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from flask import request, url_for

from dashboard.domain.links import is_live
from dashboard.store.links.totals import add
from dashboard.store.sharing import drivers
from dashboard.web.shared.current import current_services
from dashboard.web.sharing import reminder_address, texts
from dashboard.web.sharing.follow_up_page import items_of
from dashboard.web.sharing.follow_up_records import FollowUpEntry, ReminderBeside, ReminderStep, sent_together
from dashboard.web.sharing.messages_sent import message_of


def reminder_step() -> ReminderStep | None:
    """Build the step that the address names, or that of the first message not sent yet; None where it names no link."""
    fields = reminder_address.fields_of(request.values)
    entries = sent_together(items_of(reminder_address.link_ids(fields)))
    if not entries:
        return None
    since = reminder_address.since(fields)
    listed = tuple(_beside(entry, fields, number, since) for number, entry in enumerate(entries, 1))
    to_send = [each.number for each in listed if each.to_send]
    asked = reminder_address.number(fields)
    number = asked if 0 < asked <= len(listed) else to_send[0] if to_send else 1
    current = listed[number - 1]
    named = current.to_send or current.entry
    language, text = message_of(named.first.driver_id, named.link_ids, fresh=False)
    back_address, back_words = _back(fields)
    return ReminderStep(
        current=current,
        text=text,
        language=language.code,
        language_name=language.name,
        here=_at(fields, number),
        all=listed,
        total=add(entry.total for entry in entries),
        following=next((listed[each - 1] for each in to_send if each > number), None),
        back_address=back_address,
        back_words=back_words,
    )


def _back(fields: Mapping[str, str]) -> tuple[str, str]:
    """Return where the reminders were opened, and its name: the page of a driver, or else the queue."""
    if driver_id := reminder_address.driver_id(fields):
        with current_services().store.read() as connection:
            found = drivers.find(connection, driver_id)
        if found is not None:
            return url_for("sharing.driver", driver_id=found.id), found.name
    return url_for("sharing.follow_up"), str(texts.FOLLOW_UP)


def _at(fields: Mapping[str, str], number: int) -> dict[str, str]:
    return {**fields, reminder_address.NUMBER: str(number)}


def _beside(entry: FollowUpEntry, fields: Mapping[str, str], number: int, since: datetime) -> ReminderBeside:
    sent = [each for each in entry.links if each.shared_at is not None and each.shared_at >= since]
    left = tuple(each for each in entry.links if each.whatsapp and is_live(each.state.raw) and each not in sent)
    address = reminder_address.queue_address(_at(fields, number))
    return ReminderBeside(entry, address, number, bool(sent) and not left, FollowUpEntry(left) if left else None)
