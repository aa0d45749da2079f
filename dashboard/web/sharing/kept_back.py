"""Say of a link who has it already, and what follows where it must not be sent."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from dashboard.domain.links import is_paid
from dashboard.domain.sharing import SENDS
from dashboard.store.links import duplicates
from dashboard.store.links.records import Link
from dashboard.store.sharing import drivers, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.store.sharing.shares import Share
from dashboard.web.links import related_links
from dashboard.web.links.payment import sent_last
from dashboard.web.links.records import UnknownLink
from dashboard.web.sharing import texts
from dashboard.web.sharing.records import PaidWith


def had_by(past: Sequence[Share], chosen: Driver | None) -> str:
    """Say who has a link already, where that is somebody else than the chosen driver; "" where nobody has it.

    Two drivers with one link may both pay. A number is compared with no other: it is the sender's alone.
    """
    messages = [each for each in past if each.channel in SENDS]
    for each in messages:
        if each.driver_name and (chosen is None or each.driver_id != chosen.id):
            return texts.has_had_it(each.driver_name, each.at)
    others = [each for each in messages if not each.driver_name]
    return sent_last(others[:1]) if chosen and others and messages[0] is others[0] else ""


def paid_with(connection: Connection, link_id: str, past: Sequence[Share]) -> PaidWith | None:
    """Name the link with which challans of this one were paid, and whom to tell; None where there is none."""
    paid = next((each for each in duplicates.of_link(connection, link_id) if is_paid(each.status)), None)
    if paid is None:
        return None
    last = shares.last_driver_id(connection, link_id)
    driver = drivers.present(connection, {last}).get(last) if last is not None else None
    call = related_links.to_tell(driver) if driver else None
    tell = texts.tell_not_to_pay(driver.name if driver else "") if past else ""
    return PaidWith(paid.id, texts.paid_with(paid.made_at, paid.total), tell, call)


def what_follows(link: Link, release: UnknownLink | None) -> str:
    """Say what follows for the challans of a link that the service no longer knows; "" for any other."""
    if not link.is_unknown:
        return ""
    if link.released_at is not None:
        return str(texts.RELEASED_NOT_PAID)
    return str(texts.ASK_SUPPORT_FIRST if release and release.may_release else texts.MANAGER_FIRST)
