"""Send a driver or a number one message about a link or several: check them, record their shares, word the message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import quote

from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES, Language
from dashboard.domain.phones import digits, shown
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import Channel
from dashboard.errors import ServiceError
from dashboard.services.links import doubts
from dashboard.services.sharing.messages import facts_of
from dashboard.services.sharing.share import NotShareable
from dashboard.store.engine import NotStored
from dashboard.store.links import links
from dashboard.store.sharing import drivers, message_templates, shares
from dashboard.store.sharing.drivers import Driver
from dashboard.web.links.payment import SOMEONE_ELSE
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain
from dashboard.web.shared.toasts import notice
from dashboard.web.sharing import unsaved_driver
from dashboard.web.sharing.records import OpenedMessage
from dashboard.web.sharing.wording import shortened, worded, worded_together

#: The most links of one message, which is an address that WhatsApp opens.
MOST_OF_A_MESSAGE = 8


@dataclass(frozen=True, slots=True)
class Recipient:
    """Name who is sent a message: a driver with a number, or somebody else, of whom WhatsApp asks without one."""

    driver: Driver | None
    number: str

    @property
    def driver_id(self) -> int | None:
        return self.driver.id if self.driver else None


def recipient(driver_id: int | None, number: str = "") -> Recipient | None:
    """Return whom a form chose, by a driver or a typed number; None for nobody, and where it would reach nobody."""
    if driver_id is None:
        return None
    if driver_id == SOMEONE_ELSE:
        return Recipient(None, digits(number)) if not number or digits(number) else None
    with current_services().store.read() as connection:
        driver = drivers.present(connection, [driver_id]).get(driver_id)
    return Recipient(driver, digits(driver.phone)) if driver and digits(driver.phone) else None


def message_of(driver_id: int | None, link_ids: Sequence[str], *, fresh: bool) -> tuple[Language, str]:
    """Word one message about links. Unless they were checked just now, it has no address to pay at."""
    with current_services().store.read() as connection:
        found = links.find_all(connection, link_ids)
        stored = drivers.find(connection, driver_id) if driver_id is not None else None
        before = unsaved_driver.language_of(shares.of_link(connection, link_ids[0])) if link_ids and not stored else ""
        language = LANGUAGES.get(stored.language if stored else before, DEFAULT_LANGUAGE)
        template = message_templates.find(connection, language.code)
        counts = links.challan_counts(connection, found.values())
    listed = []
    for link in (found[each] for each in link_ids if each in found):
        facts = facts_of(link, counts[link.id] or 0, stored.name if stored else "")
        listed.append(facts if fresh else replace(facts, url=shortened(facts.url)))
    body = template.body if template else None
    if len(listed) == 1:
        return language, worded(language, body, listed[0]).text
    return language, worded_together(language, body, listed) if listed else ""


def send_together(to: Recipient, link_ids: Sequence[str], *, with_doubtful: bool, **about: str) -> list[str]:
    """Check links now, and record that one message gives somebody those that may be sent; return their ids.

    What was recorded just now is not recorded again. Without the doubtful ones, those are left out of which the check
    leaves something to look at before they are sent. `about` goes into the audit log.
    """
    ready = _checked(link_ids[:MOST_OF_A_MESSAGE])
    if not with_doubtful:
        ready = _without_doubtful(ready)
    if ready:
        language, _text = message_of(to.driver_id, ready, fresh=True)
        sharing = current_services().sharing
        new = [
            each
            for each in ready
            if not _is_opened_again(each, to)
            and not sharing.was_just_shared(each, Channel.WHATSAPP, person_id(), to.driver_id)
        ]
        sharing.record_message(new, Channel.WHATSAPP, person_id(), to.driver_id, language.code)
        for link_id in new:
            channel = str(Channel.WHATSAPP)
            audit("share", link_id, channel=channel, driver=to.driver_id, language=language.code, **about)
    return ready


def _without_doubtful(link_ids: Sequence[str]) -> list[str]:
    with current_services().store.read() as connection:
        found = doubts.before_sending(connection, list(links.find_all(connection, link_ids).values()))
    return [each for each in link_ids if each not in found]


def _is_opened_again(link_id: str, to: Recipient) -> bool:
    """Tell whether the message was opened for this number, and nobody has said yet whether it was sent."""
    if to.driver is not None or digits(unsaved_driver.stored_number(link_id)) != to.number:
        return False
    return current_services().sharing.awaits_confirmation(link_id, person_id())


def opened_message(to: Recipient, link_ids: Sequence[str]) -> OpenedMessage | None:
    """Return the message about links with the address that opens WhatsApp, while their checks are fresh."""
    services = current_services()
    with services.store.read() as connection:
        found = links.find_all(connection, link_ids)
    named = [found[each] for each in link_ids if each in found]
    is_ready = len(named) == len(link_ids) and all(map(services.sharing.is_prepared, named))
    if not is_ready or services.sharing.refusals(named):
        return None
    language, text = message_of(to.driver_id, link_ids, fresh=True)
    address = f"https://wa.me/{to.number}?text={quote(text, safe='')}"
    listed = tuple((spaced(link.rc) if link.rc else None, link.total) for link in named)
    number = to.number and shown(f"+{to.number}")
    name, phone = (to.driver.name, number) if to.driver else (number, "")
    ends, is_of_driver = tuple(link.expires_at for link in named), to.driver is not None
    return OpenedMessage(listed, name, text, language, address, is_of_driver=is_of_driver, phone=phone, ends=ends)


def _checked(link_ids: Sequence[str]) -> list[str]:
    """Check links with the service; return those that may be sent."""
    ready = []
    for link_id in link_ids:
        try:
            current_services().sharing.prepare(link_id)
        except (NotShareable, NotStored):
            continue
        except ServiceError as error:
            notice(" ".join(map(str, explain(error))), "wrong")
            break
        ready.append(link_id)
    return ready
