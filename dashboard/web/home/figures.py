"""Build the figures of the day: what each counts has a list of its own, and what is done with it is done there.

Those that may ask for somebody come first, always in the same order. A figure asks for somebody exactly while Follow up
has links of it that wait, and of a link that two figures count only one asks: what was not sent is sent, and who has a
link that ends is reminded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.link_filters import DayOf, LinkFilter, Only
from dashboard.domain.links import PAID
from dashboard.domain.money import NO_SUM, Sum
from dashboard.store.home import figures
from dashboard.store.home.figures import Figures, QueueCounts
from dashboard.store.links.listing import start_of, start_of_tomorrow
from dashboard.store.sharing import ended_links
from dashboard.web.home import texts
from dashboard.web.home.records import Figure
from dashboard.web.links import filters
from dashboard.web.shared.current import current_services, format_moment, format_near, today, zone
from dashboard.web.sharing.unsent import unsent_messages

#: Between these hours nobody reminds a driver.
_EVENING, _MORNING = 21, 8


def figures_of_the_day(connection: Connection) -> list[Figure]:
    """Add up the figures of the day."""
    return list(_figures(connection))


def _figures(connection: Connection) -> Iterator[Figure]:
    now, yesterday = current_services().clock(), today() - timedelta(days=1)
    found = figures.figures(connection, now, start_of_tomorrow(now, zone()), start_of(yesterday, zone()))
    yield _not_sent(found)
    yield _ending(connection, found, now)
    yield _ended(connection, now)
    yield _figure(texts.OPEN, found.open, LinkFilter(only=Only.OPEN), texts.NONE_OPEN)
    collected = LinkFilter(states=(PAID,), day_of=DayOf.PAID, first_day=yesterday)
    figure = _figure(texts.COLLECTED, found.collected, collected, texts.NONE_COLLECTED)
    yield replace(figure, meaning="good" if figure.count else "")


def _figure(words: object, total: tuple[int, Sum], asked: LinkFilter, none: object) -> Figure:
    return Figure(str(words), *total, url_for("links.index", **filters.write(asked)), str(none))


def _ending(connection: Connection, found: Figures, now: datetime) -> Figure:
    """Say what ends within a day, which is what Follow up counts; where all of it ends today, that."""
    soon, today_alone = found.ends_soon[0], found.ends_today[0]
    if soon > today_alone:
        figure = _figure(texts.ENDS_SOON, found.ends_soon, LinkFilter(only=Only.ENDS_SOON), "")
        figure = replace(figure, note=texts.end_today(today_alone) if today_alone else "")
    else:
        asked = LinkFilter(only=Only.ENDS_TODAY)
        figure = _figure(texts.ENDS_TODAY, found.ends_today, asked, texts.NONE_ENDS_SOON)
        figure = replace(figure, note=texts.ends_first(format_moment(found.ends_first)) if found.ends_first else "")
    left = [texts.also_not_sent(found.not_sent_soon, figure.count)] if found.not_sent_soon else []
    if found.to_remind:
        act, address = texts.remind(found.to_remind), url_for("sharing.follow_up")
        handled = _joined([*left, *_handled(found.ending, with_times=False)])
        return replace(figure, meaning="waiting", act=act, act_address=address, handled=handled)
    asked_again = [_asked_again(connection, now)] if found.ending.sent else []
    return replace(figure, handled=_joined([*left, *_handled(found.ending), *asked_again]))


def _asked_again(connection: Connection, now: datetime) -> str:
    """Say when Follow up asks again for what was sent: by night, when nobody is there, in the morning after it."""
    if (found := figures.next_reminder(connection, now)) is None:
        return ""
    at, ends = found
    local = at.astimezone(zone())
    day = local.date() + timedelta(days=local.hour >= _EVENING)
    if _MORNING <= local.hour < _EVENING or ends <= start_of(day, zone()) + timedelta(hours=_MORNING):
        return texts.asked_again(format_near(at))
    return str(texts.ASKED_THIS_MORNING if day == today() else texts.ASKED_IN_THE_MORNING)


def _not_sent(found: Figures) -> Figure:
    figure = _figure(texts.NOT_SENT, found.not_sent, LinkFilter(only=Only.NOT_SENT), texts.NOTHING_TO_SEND)
    figure = replace(figure, handled=_joined(_handled(found.unsent)))
    if found.not_sent_soon:
        figure = replace(figure, overlap=texts.also_end_soon(found.not_sent_soon))
    if not found.unsent.waiting:
        return figure
    figure, unsent = replace(figure, meaning="waiting"), unsent_messages()
    choose = url_for("sharing.choose_drivers")
    if not unsent.count:
        return replace(figure, act=texts.choose_drivers(found.unsent.waiting), act_address=choose)
    figure = replace(figure, act=texts.send(unsent.links), act_address=unsent.address)
    if not unsent.without_driver:
        return figure
    return replace(figure, left=texts.without_driver(unsent.without_driver), left_address=choose)


def _ended(connection: Connection, now: datetime) -> Figure:
    """Count the links that ended unpaid lately, which Follow up lists to be created again.

    Of a failed one the driver is asked first, because money may have left the account.
    """
    ended = ended_links.total(connection, now)
    address = url_for("sharing.follow_up", _anchor="ended-title")
    figure = Figure(str(texts.ENDED_UNPAID), ended.number, ended.sum or NO_SUM, address, str(texts.NONE_ENDED))
    if not ended.number:
        return figure
    figure = replace(figure, meaning="waiting", act=str(texts.CREATE_AGAIN), act_address=address)
    failed = ended_links.failed_number(connection, now)
    if not failed:
        return figure
    figure = replace(figure, note=texts.failed(failed), act=str(texts.ASK_DRIVER))
    if failed == ended.number:
        return figure
    return replace(figure, left=texts.create_again(ended.number - failed), left_address=address)


def _handled(of: QueueCounts, *, with_times: bool = True) -> list[str]:
    """Say about which links of a figure nobody need do anything now, and why."""
    parts = [texts.sent(of.sent)] if of.sent else []
    if of.snoozed and of.back_at:
        parts.append(texts.snoozed(of.snoozed, format_near(of.back_at) if with_times else ""))
    return parts


def _joined(parts: list[str]) -> str:
    return " · ".join(filter(None, parts))
