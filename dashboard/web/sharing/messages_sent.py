"""Send a driver one message about a link or several: check them, record their shares, word the message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import quote

from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES, Language
from dashboard.domain.registration import spaced
from dashboard.domain.sharing import Channel
from dashboard.errors import ServiceError
from dashboard.services.sharing.messages import facts_of
from dashboard.services.sharing.share import NotShareable
from dashboard.store.engine import NotStored
from dashboard.store.links import links
from dashboard.store.sharing import drivers, message_templates
from dashboard.web.shared.current import audit, current_services, person_id
from dashboard.web.shared.errors import explain
from dashboard.web.shared.toasts import notice
from dashboard.web.sharing.page import digits
from dashboard.web.sharing.records import OpenedMessage
from dashboard.web.sharing.wording import shortened, worded, worded_together

#: The most links of one message, which is an address that WhatsApp opens.
MOST_OF_A_MESSAGE = 8


def message_of(driver_id: int | None, link_ids: Sequence[str], *, fresh: bool) -> tuple[Language, str]:
    """Word one message about links. Unless they were checked just now, it has no address to pay at."""
    with current_services().store.read() as connection:
        found = links.find_all(connection, link_ids)
        stored = drivers.find(connection, driver_id) if driver_id is not None else None
        language = LANGUAGES.get(stored.language if stored else "", DEFAULT_LANGUAGE)
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


def send_together(driver_id: int, link_ids: Sequence[str], **about: str) -> list[str]:
    """Check links now, and record that one message gives the driver those that may be sent; return their ids.

    What was recorded just now is not recorded again. `about` goes into the audit log.
    """
    ready = _checked(link_ids[:MOST_OF_A_MESSAGE])
    if ready:
        language, _text = message_of(driver_id, ready, fresh=True)
        sharing = current_services().sharing
        new = [each for each in ready if not sharing.was_just_shared(each, Channel.WHATSAPP, person_id(), driver_id)]
        sharing.record_message(new, Channel.WHATSAPP, person_id(), driver_id, language.code)
        for link_id in new:
            channel = str(Channel.WHATSAPP)
            audit("share", link_id, channel=channel, driver=driver_id, language=language.code, **about)
    return ready


def opened_message(driver_id: int | None, link_ids: Sequence[str]) -> OpenedMessage | None:
    """Return the message about links with the address that opens WhatsApp, while their checks are fresh."""
    services = current_services()
    with services.store.read() as connection:
        found = links.find_all(connection, link_ids)
        driver = drivers.present(connection, [driver_id]).get(driver_id) if driver_id is not None else None
    named = [found[each] for each in link_ids if each in found]
    number = digits(driver.phone) if driver else ""
    is_ready = len(named) == len(link_ids) and all(map(services.sharing.is_prepared, named))
    if driver is None or not number or not is_ready or services.sharing.refusals(named):
        return None
    language, text = message_of(driver.id, link_ids, fresh=True)
    address = f"https://wa.me/{number}?text={quote(text, safe='')}"
    plates = tuple(dict.fromkeys(spaced(link.rc) for link in named if link.rc))
    return OpenedMessage(plates, driver.name, text, language.code, address)


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
