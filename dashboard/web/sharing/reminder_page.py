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
from dashboard.store.links.listing import Place
from dashboard.store.sharing import drivers, message_templates
from dashboard.web.links.list_page import PAGE_SIZE, read_place
from dashboard.web.shared.current import current_services
from dashboard.web.sharing.follow_up_page import reachable
from dashboard.web.sharing.follow_up_records import FollowUp, ReminderBeside, ReminderStep
from dashboard.web.sharing.wording import shortened, worded


def reminder_step() -> ReminderStep | None:
    """Build the step that the address names; None after the last one."""
    after = request.values.get("after", "")
    number, count = (min(max(request.values.get(name, 1, int), 1), PAGE_SIZE) for name in ("number", "count"))
    # The first step begins where its page of the queue does; the others name that place.
    start = request.values.get("start", "") if number > 1 else after
    rows = reachable(_place(start))
    at = next((at for at, (_, place) in enumerate(rows) if _is_behind(place, _place(after))), None)
    if at is None or number > count:
        return None
    # What a colleague sent, or was paid, since the address was made, counts no more.
    count -= max(0, number - at - 1)
    number = min(number, at + 1)
    count = min(count, number + len(rows) - at - 1)
    place_of = [start, *(_written(place) for _, place in rows)]

    def step(row: int) -> dict[str, str]:
        values = {"after": place_of[row], "start": start, "number": number + row - at, "count": count}
        return {name: str(value) for name, value in values.items() if value}

    beside = range(at - number + 1, at + count - number + 1)
    item, _ = rows[at]
    language, text = _message(item)
    return ReminderStep(
        item,
        text,
        language,
        number,
        count,
        step(at),
        tuple(ReminderBeside(rows[row][0], queue_address(step(row)), row == at, row < at) for row in beside),
        queue_address(step(at + 1)) if number < count else url_for("sharing.follow_up"),
    )


def queue_address(place: Mapping[str, Any]) -> str:
    """Return the address of a step, from the fields that name it."""
    values: dict[str, Any] = {name: place[name] for name in ("after", "start", "number", "count") if name in place}
    return url_for("sharing.reminders", **values)


def _place(written: str) -> Place | None:
    return read_place(SortBy.ENDS, written, None)


def _written(place: Place) -> str:
    return f"{place.link_id}~{place.rank.isoformat()}"


def _is_behind(place: Place, other: Place | None) -> bool:
    return other is None or (place.rank, place.link_id) > (other.rank, other.link_id)


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
