"""Build the reminders that are sent one by one: a page for each message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from flask import request, url_for

from dashboard.domain.links import is_live
from dashboard.store.links.totals import add
from dashboard.store.sharing import drivers
from dashboard.web.shared.current import current_services
from dashboard.web.sharing import reminder_address, texts
from dashboard.web.sharing.follow_up_page import items_of
from dashboard.web.sharing.follow_up_records import FollowUp, FollowUpEntry, sent_together
from dashboard.web.sharing.messages_sent import message_of
from dashboard.web.sharing.reminder_records import ReminderBeside, RemindersDone, ReminderStep


def reminder_step(*, goes_on: bool = False) -> ReminderStep | None:
    """Build the step that the address names, or that of the first message not sent yet; None where it names no link.

    `goes_on`: once its message is sent, that of the next one which is to be sent.
    """
    fields = reminder_address.fields_of(request.values)
    entries = sent_together(items_of(reminder_address.link_ids(fields)))
    if not entries:
        return None
    besides, apart = (_left_out(ids) for ids in (reminder_address.besides(fields), reminder_address.apart(fields)))
    since = reminder_address.since(fields)
    # Whoever has a driver by now is among the messages, after the others, whose numbers stay.
    joined = [each for each in besides if _joins(each, since)]
    entries += sent_together(joined)
    left_out = [*(each for each in besides if each not in joined), *apart]
    listed = tuple(_beside(entry, fields, number, since) for number, entry in enumerate(entries, 1))
    to_send = [each.number for each in listed if each.to_send]
    asked = reminder_address.number(fields)
    number = asked if 0 < asked <= len(listed) else to_send[0] if to_send else 1
    if goes_on and listed[number - 1].is_sent:
        number = next((each for each in to_send if each > number), number)
    current = listed[number - 1]
    last = _sent_last(listed, current)
    named = current.to_send or current.entry
    language, text = message_of(named.first.driver_id, named.link_ids, fresh=False)
    back_address, back_words, place = _back(fields)
    return ReminderStep(
        current=current,
        text=text,
        language=language.code,
        language_name=language.name,
        here=current.fields,
        all=listed,
        following=next((listed[each - 1] for each in to_send if each > number), None),
        last=last,
        back_address=back_address,
        back_words=back_words,
        finish_address=_finish_address(fields) or back_address,
        place=place,
        left_out=tuple(sorted(left_out, key=lambda each: not is_live(each.state.raw))),
    )


def reminders_done() -> RemindersDone | None:
    """Say what became of the reminders that the address names; None where none of them was sent."""
    fields = reminder_address.fields_of(request.args)
    entries = sent_together(items_of(reminder_address.link_ids(fields)))
    since = reminder_address.since(fields)
    listed = [_beside(entry, fields, number, since) for number, entry in enumerate(entries, 1)]
    sent, left = [each for each in listed if each.is_sent], [each for each in listed if each.to_send]
    if not sent:
        return None
    names = tuple(each.entry.first.driver or "" for each in left)
    total = add(each.entry.total for each in sent)
    return RemindersDone(
        len(sent),
        len(listed),
        total,
        names,
        add(each.entry.total for each in left),
        {link_id for each in left if each.to_send for link_id in each.to_send.link_ids},
        left[0].address if left else "",
    )


def _sent_last(listed: Sequence[ReminderBeside], current: ReminderBeside) -> ReminderBeside | None:
    """Return what this person sent last, unless that is the current one, which says so itself."""
    sent = {each.entry.first.shared_at: each for each in listed if each.is_sent and each.entry.undoable}
    newest = sent[max(at for at in sent if at)] if any(sent) else None
    return newest if newest is not current else None


def _finish_address(fields: Mapping[str, str]) -> str:
    """Return the address of the queue that says what became of the reminders; "" for those of another page."""
    if reminder_address.driver_id(fields) or reminder_address.list_address(fields):
        return ""
    named = {name: fields[name] for name in (reminder_address.LINKS, reminder_address.SINCE) if name in fields}
    return url_for("sharing.follow_up", **named)  # type: ignore[arg-type]  # No field has a name of Flask's.


def _back(fields: Mapping[str, str]) -> tuple[str, str, str]:
    """Return where the reminders were opened, its name, and its place in the menu."""
    if address := reminder_address.list_address(fields):
        return address, str(texts.LINKS), "links"
    if driver_id := reminder_address.driver_id(fields):
        with current_services().store.read() as connection:
            found = drivers.find(connection, driver_id)
        if found is not None:
            return url_for("sharing.driver", driver_id=found.id), found.name, "drivers"
    return url_for("sharing.follow_up"), str(texts.FOLLOW_UP), "follow_up"


def _left_out(link_ids: Sequence[str]) -> list[FollowUp]:
    """Return the rows of links that were chosen and are in no message."""
    return items_of(link_ids) if link_ids else []


def _joins(item: FollowUp, since: datetime) -> bool:
    """Return whether a link can be sent by now that nobody was sent before the messages were chosen."""
    return item.whatsapp and is_live(item.state.raw) and (item.shared_at is None or item.shared_at >= since)


def _at(fields: Mapping[str, str], number: int) -> dict[str, str]:
    return {**fields, reminder_address.NUMBER: str(number)}


def _beside(entry: FollowUpEntry, fields: Mapping[str, str], number: int, since: datetime) -> ReminderBeside:
    sent = [each for each in entry.links if each.shared_at is not None and each.shared_at >= since]
    # What another message sent is not taken back at this one.
    entry = FollowUpEntry(tuple(each if each in sent else replace(each, undoable=None) for each in entry.links))
    left = tuple(each for each in entry.links if each.whatsapp and is_live(each.state.raw) and each not in sent)
    here = _at(fields, number)
    address, to_send = reminder_address.queue_address(here), FollowUpEntry(left) if left else None
    return ReminderBeside(entry, address, number, bool(sent) and not left, to_send, here)
