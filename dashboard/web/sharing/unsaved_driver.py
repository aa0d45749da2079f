"""Offer to save the number that a link was sent to as a driver of its vehicle.

Until then the number is stored in the sender's session alone, and the ledger never learns it. The sender can refuse the
offer; reminder and receipt still start from the number.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import request, session
from sqlalchemy import Connection

from dashboard.domain.phones import international, is_phone, shown
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import Channel
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.shares import Share
from dashboard.web.links.records import UnsavedDriver
from dashboard.web.shared.current import person_id

_KEY = "typed_numbers"
#: A session is a cookie, which holds little.
_MOST = 5
_DISMISSED = "dismissed"


def store_number(link_id: str, number: str) -> None:
    """Store the number that a link was just sent to, replacing an earlier one; "" deletes it."""
    others = [each for each in session.get(_KEY, []) if each[0] != link_id]
    new = [[link_id, number]] if is_phone(number) else []
    if others or new or _KEY in session:
        session[_KEY] = [*others, *new][-_MOST:]


def dismiss(link_id: str) -> None:
    """Offer no more to save the number that a link was sent to."""
    if number := _numbers().get(link_id):
        session[_KEY] = [each for each in session[_KEY] if each[0] != link_id] + [[link_id, number, _DISMISSED]]


def stored_number(link_id: str) -> str:
    """Return the number that this person last sent a link to, as people read it; "" for none."""
    return shown(_numbers().get(link_id, ""))


def number_of(link_id: str, sent: Sequence[Share]) -> str:
    """Return the number to begin the next message with; "" where somebody else was sent the link since."""
    return stored_number(link_id) if not sent or _is_own(sent[0]) else ""


def language_of(sent: Sequence[Share]) -> str:
    """Return the language of the newest message of a link, if it went to no driver; "" otherwise."""
    return (sent[0].language or "") if sent and sent[0].driver_id is None else ""


def own_number(share: Share) -> str:
    """Return the number that a message of this person is for, in one line; "" for a message of anybody else."""
    number = stored_number(share.link_id) if _is_own(share) else ""
    return number.replace(" ", "\u00a0") if number and share.channel in (Channel.WHATSAPP, Channel.SMS) else ""


def _numbers() -> dict[str, str]:
    return {link_id: number for link_id, number, *_dismissed in session.get(_KEY, ())}


def _is_own(share: Share) -> bool:
    return share.driver_id is None and share.person_id == person_id()


def opened_for(share: Share) -> str:
    """Return the number of an unconfirmed share by WhatsApp or SMS; "" for any other."""
    return (
        stored_number(share.link_id)
        if share.is_unconfirmed and share.channel in (Channel.WHATSAPP, Channel.SMS)
        else ""
    )


def offer(connection: Connection, link: Link, sent: Sequence[Share]) -> UnsavedDriver | None:
    """Offer to save the number of a link's newest share; None if that names a driver, or is somebody else's."""
    number = _numbers().get(link.id)
    if number is None or link.rc is None or not sent or [link.id, number, _DISMISSED] in session[_KEY]:
        return None
    last = sent[0]
    if not _is_own(last):
        return None
    known = who_has(connection, number)
    name = request.args.get("name", "")  # typed before the session had ended
    return UnsavedDriver(link.id, last.id, shown(number), spaced(link.rc), known.name if known else "", name)


def who_has(connection: Connection, number: str) -> Driver | None:
    """Return the current driver with a number, or None."""
    return next((each for each in drivers.listed(connection) if _is_of(each.phone, number)), None)


def _is_of(phone: str | None, number: str) -> bool:
    return is_phone(phone or "") and international(phone or "") == international(number)
