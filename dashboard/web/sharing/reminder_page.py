"""Build the reminders that are sent one by one: a page for each link of the queue whose driver one tap reaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from flask import request, url_for

from dashboard.domain.languages import DEFAULT_LANGUAGE, LANGUAGES
from dashboard.domain.link_filters import SortBy
from dashboard.services.sharing.messages import facts_of
from dashboard.store.links import links
from dashboard.store.sharing import drivers, message_templates
from dashboard.web.links.list_page import PAGE_SIZE, read_place
from dashboard.web.shared.current import current_services
from dashboard.web.sharing.follow_up_page import next_reachable
from dashboard.web.sharing.follow_up_records import FollowUp, ReminderStep
from dashboard.web.sharing.wording import shortened, worded


def reminder_step() -> ReminderStep | None:
    """Build the step that the address names; None after the last one."""
    after = request.values.get("after", "")
    found = next_reachable(read_place(SortBy.ENDS, after, None))
    number, count = (min(max(request.values.get(name, 1, int), 1), PAGE_SIZE) for name in ("number", "count"))
    if found is None or number > count:
        return None
    item, place = found
    language, text = _message(item)
    here = {name: str(value) for name, value in (("after", after), ("number", number), ("count", count)) if value}
    following = here | {"after": f"{place.link_id}~{place.rank.isoformat()}", "number": str(number + 1)}
    address = queue_address(following) if number < count else url_for("sharing.follow_up")
    return ReminderStep(item, text, language, number, count, here, address)


def queue_address(place: Mapping[str, Any]) -> str:
    """Return the address of a step, from the fields that name it."""
    values: dict[str, Any] = {name: place[name] for name in ("after", "number", "count") if name in place}
    return url_for("sharing.reminders", **values)


def _message(item: FollowUp) -> tuple[str, str]:
    """Word the message without the address to pay at, which is only given after a check of the link."""
    with current_services().store.read() as connection:
        link = links.find(connection, item.link_id)
        driver = drivers.find(connection, item.driver_id) if item.driver_id else None
        language = LANGUAGES.get(driver.language if driver else "", DEFAULT_LANGUAGE)
        template = message_templates.find(connection, language.code)
        challans = (links.challan_counts(connection, [link])[link.id] or 0) if link else 0
    if link is None:
        return language.code, ""
    facts = facts_of(link, challans, item.driver)
    facts = replace(facts, url=shortened(facts.url))
    return language.code, worded(language, template.body if template else None, facts).text
