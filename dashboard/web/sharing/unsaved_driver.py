"""Offer to save the number that a link was sent to as a driver of its vehicle.

The number is kept in the session of whoever typed it, and nowhere else, until it is saved.
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


def keep(link_id: str, number: str) -> None:
    """Keep the number that a link was just sent to, in place of the one before; forget that where there is none."""
    others = [each for each in session.get(_KEY, []) if each[0] != link_id]
    new = [[link_id, number]] if is_phone(number) else []
    if others or new or _KEY in session:
        session[_KEY] = [*others, *new][-_MOST:]


def kept(link_id: str) -> str:
    """Return the number that this person sent a link to last, as people read it; "" for none."""
    return shown(dict(session.get(_KEY, ())).get(link_id, ""))


def opened_for(share: Share) -> str:
    """Return the number that a message was opened for, while it is not said whether it was sent; "" for none."""
    return kept(share.link_id) if share.is_unclear and share.channel in (Channel.WHATSAPP, Channel.SMS) else ""


def offer(connection: Connection, link: Link, sent: Sequence[Share]) -> UnsavedDriver | None:
    """Offer to save the number of a link's newest share, which names no driver yet; None where there is none."""
    number = dict(session.get(_KEY, ())).get(link.id)
    if number is None or link.rc is None or not sent:
        return None
    last = sent[0]
    if last.driver_id is not None or last.person_id != person_id():
        return None
    known = who_has(connection, number)
    name = request.args.get("name", "")  # typed before the session had ended
    return UnsavedDriver(link.id, last.id, shown(number), spaced(link.rc), known.name if known else "", name)


def who_has(connection: Connection, number: str) -> Driver | None:
    """Return the driver who has a number; None when nobody does who is with us."""
    return next((each for each in drivers.listed(connection) if _is_of(each.phone, number)), None)


def _is_of(phone: str | None, number: str) -> bool:
    return is_phone(phone or "") and international(phone or "") == international(number)
