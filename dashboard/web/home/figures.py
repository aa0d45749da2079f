"""Build the figures of the day: what each counts has a list of its own, and what is done with it is done there.

Those that may ask for somebody come first, always in the same order. A figure asks for somebody exactly while Follow up
has links of it that wait, and of a link that two figures count only one asks: what was not sent is sent, and who has a
link that ends is reminded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.follow_up import ENDS_SOON, is_urgent
from dashboard.domain.link_filters import URGENT, DayOf, LinkFilter, Only
from dashboard.domain.links import PAID
from dashboard.domain.money import NO_SUM, Sum
from dashboard.domain.registration import spaced
from dashboard.store.home import figures
from dashboard.store.home.figures import Figures, QueueCounts
from dashboard.store.links import links
from dashboard.store.links.listing import start_of, start_of_tomorrow
from dashboard.store.links.totals import Total
from dashboard.store.sharing import ended_links
from dashboard.store.sharing.ended_links import EndedTotals
from dashboard.web.home import texts
from dashboard.web.home.records import Figure, FigureLine, SentTo
from dashboard.web.links import filters, rows
from dashboard.web.links.list_records import LinkRow
from dashboard.web.links.list_texts import ONLY, WHAT_IS_URGENT
from dashboard.web.shared.current import current_services, format_moment, format_near, today, zone
from dashboard.web.shared.texts import join_words
from dashboard.web.sharing.unsent import UnsentLinks, withheld_reminders

#: Between these hours nobody reminds a driver.
_EVENING, _MORNING = 21, 8
#: Of so many failed payments it is found out whether it is known whom to ask about each.
_MOST_ASKED = 20
#: Of so many links that the service does not find the vehicles are named.
_MOST_NAMED = 2


def figures_of_the_day(
    connection: Connection, recent: Sequence[LinkRow], unsent: Callable[[], UnsentLinks]
) -> list[Figure]:
    """Add up the figures of the day; `recent` are rows of links that are read already, `unsent` reads those that nobody
    was given.
    """
    return _said_once(list(_figures(connection, recent, unsent)))


def _said_once(found: list[Figure]) -> list[Figure]:
    """Leave out what a card says already, and beside cards what there is nothing of, but for what ends."""
    if not any(each.asks for each in found):
        return found
    by_words = {each.words: each for each in found}
    unsent, open_ones = by_words[str(texts.NOT_SENT)], by_words[str(texts.OPEN)]
    is_all_unsent = (unsent.count, unsent.sum) == (open_ones.count, open_ones.sum) != (0, NO_SUM)
    no_news = {str(each) for each in (texts.NONE_ENDED, texts.NONE_COLLECTED, texts.NONE_COLLECTED_TODAY)}
    if is_all_unsent and not (open_ones.note or open_ones.is_urgent):
        found = [each for each in found if each is not open_ones]
        no_news.add(str(texts.NONE_ENDS_SOON))
    return [each for each in found if each.count or each.none not in no_news]


def _with_plate(figure: Figure, rc: str | None) -> Figure:
    """Name the vehicle of a link alone of which something is asked."""
    return replace(figure, plate=spaced(rc)) if rc and figure.asks else figure


def _figures(connection: Connection, recent: Sequence[LinkRow], unsent: Callable[[], UnsentLinks]) -> Iterator[Figure]:
    now, yesterday = current_services().clock(), today() - timedelta(days=1)
    midnights = (start_of_tomorrow(now, zone()), start_of(today(), zone()), start_of(yesterday, zone()))
    found = figures.figures(connection, now, *midnights)
    ended = ended_links.totals(connection, now)
    if ended.failed.number:
        yield _failed(connection, ended, now, recent)
    yield _not_sent(connection, found, unsent)
    ending, urgent = _ending(connection, found, now), _urgent(found)
    # Links that cannot be checked are no longer counted as ending, and are urgent all the same.
    if ending.count or urgent.count <= ending.count:
        yield ending
    open_ones = _figure(texts.OPEN, found.open, LinkFilter(only=Only.OPEN), texts.NONE_OPEN)
    if found.open_paid[0]:  # It is no money to collect.
        open_ones = replace(open_ones, note=texts.of_it_paid(*found.open_paid, of=open_ones.count))
    if found.unchecked == urgent.count == open_ones.count > ending.count:
        # The same links: what they come to is said once.
        open_ones = replace(open_ones, note=texts.checks_failed(found.unchecked), is_urgent=True)
    elif urgent.count > ending.count + found.urgent_not_found + ended.taken:  # Those stand in figures of their own.
        yield urgent
    if ended.rest.number or not ended.failed.number:
        yield _ended(connection, ended)
    yield open_ones
    if found.not_found[0]:
        yield _not_found(connection, found)
    yield from _collected(found, yesterday)


def _collected(found: Figures, yesterday: date) -> Iterator[Figure]:
    """Say what came in today, and for whoever begins the day what did yesterday."""
    since = LinkFilter(states=(PAID,), day_of=DayOf.PAID, first_day=today())
    before = replace(since, first_day=yesterday, last_day=yesterday)
    has_any = found.collected_yesterday[0] or found.untimed_yesterday[0]
    none = texts.NONE_COLLECTED_TODAY if has_any else texts.NONE_COLLECTED
    yield _collected_on(texts.COLLECTED_TODAY, found.collected_today, found.untimed_today, since, none)
    if has_any:
        yield _collected_on(texts.COLLECTED_YESTERDAY, found.collected_yesterday, found.untimed_yesterday, before, "")


def _collected_on(
    words: object, timed: tuple[int, Sum], untimed: tuple[int, Sum], asked: LinkFilter, none: object
) -> Figure:
    """Say what came in on a day, and apart from it what was first shown then and may have come in before."""
    hint = str(texts.UNTIMED) if untimed[0] else ""
    if untimed[0] and not timed[0]:
        return replace(_figure(texts.PAID_UNTIMED, untimed, asked, none), hint=hint)
    besides = texts.untimed(untimed[1], untimed[0]) if untimed[0] else ""
    figure = _figure(words, timed, asked, none)
    return replace(figure, meaning="good" if figure.count else "", left_out=besides, hint=hint)


def _figure(words: object, total: tuple[int, Sum], asked: LinkFilter, none: object) -> Figure:
    return Figure(str(words), *total, url_for("links.index", **filters.write(asked)), str(none))


def _ending(connection: Connection, found: Figures, now: datetime) -> Figure:
    """Say what ends within a day, which is what Follow up counts; where all of it ends today, that."""
    if found.ends_soon[0] > found.ends_today[0]:
        figure = _figure(texts.ENDS_SOON, found.ends_soon, LinkFilter(only=Only.ENDS_SOON), "")
    else:
        asked = LinkFilter(only=Only.ENDS_TODAY)
        none = texts.ends_not_known(found.endless) if found.endless else texts.NONE_ENDS_SOON
        figure = _figure(texts.ENDS_TODAY, found.ends_today, asked, none)
        figure = replace(figure, note=texts.ends_first(format_moment(found.ends_first)) if found.ends_first else "")
    # Each link is in one part: what was not sent and is snoozed is snoozed, and what is to be checked does not wait.
    not_sent = found.ending.waiting - found.to_remind
    withheld = withheld_reminders(connection) if found.to_remind else 0
    to_remind = found.to_remind - withheld
    to_check = figure.count - found.ending.waiting - found.ending.sent - found.ending.snoozed - found.ending_paid
    parts = [
        texts.to_remind(to_remind) if to_remind else "",
        texts.cannot_be_sent(withheld) if withheld else "",
        texts.also_not_sent(not_sent, figure.count) if not_sent else "",
        texts.to_check(to_check) if to_check else "",
        texts.paid_with_another(found.ending_paid) if found.ending_paid else "",
        *_handled(found.ending, with_times=not to_remind),
    ]
    handled = _joined(parts)
    if to_remind:
        act, address = texts.remind(to_remind), url_for("sharing.follow_up")
        meaning = "waiting" if is_urgent(found.ends_first, now) else ""
        figure = replace(figure, meaning=meaning, act=act, act_address=address, handled=handled)
        by = start_of_tomorrow(now, zone()) if found.ends_soon[0] <= found.ends_today[0] else now + ENDS_SOON
        return _with_plate(figure, figures.vehicle_of_ending(connection, now, by)) if figure.count == 1 else figure
    back = _back_in_follow_up(connection, now) if found.ending.sent else ""
    return replace(figure, handled=handled, back=back)


def _back_in_follow_up(connection: Connection, now: datetime) -> str:
    """Say when Follow up has what was sent again: by night, when nobody is there, in the morning after it."""
    if (found := figures.next_reminder(connection, now)) is None:
        return ""
    at, ends = found
    local = at.astimezone(zone())
    day = local.date() + timedelta(days=local.hour >= _EVENING)
    if _MORNING <= local.hour < _EVENING or ends <= start_of(day, zone()) + timedelta(hours=_MORNING):
        return texts.back_in_follow_up(format_moment(at) if local.date() == today() else format_near(at))
    return str(texts.BACK_THIS_MORNING if day == today() else texts.BACK_IN_THE_MORNING)


def _urgent(found: Figures) -> Figure:
    """Count what the list of links calls urgent."""
    figure = _figure(ONLY[Only.NEEDS_ACTION], found.urgent, URGENT, "")
    figure = replace(figure, hint=str(WHAT_IS_URGENT), is_urgent=True)
    if found.unchecked == figure.count:
        return replace(figure, words=str(texts.CHECK_FAILED))
    parts = (
        texts.checks_failed(found.unchecked) if found.unchecked else "",
        texts.not_found(found.urgent_not_found) if found.urgent_not_found else "",
    )
    return replace(figure, note=_joined(list(parts)))


def _not_found(connection: Connection, found: Figures) -> Figure:
    """Count the links that the service does not find, by the name of their list, with the vehicles of a few."""
    asked = LinkFilter(only=Only.NO_LONGER_KNOWN)
    figure = replace(_figure(ONLY[Only.NO_LONGER_KNOWN], found.not_found, asked, ""), is_urgent=True)
    if figure.count > _MOST_NAMED:
        return figure
    return replace(figure, note=join_words([spaced(rc) for rc in figures.vehicles_not_found(connection)]))


def _not_sent(connection: Connection, found: Figures, read: Callable[[], UnsentLinks]) -> Figure:
    """Count the links that nobody was given; those to be checked before stand below, and are not among them."""
    figure = _not_sent_now(found, read)
    if figure.count == 1:
        figure = _with_plate(figure, figures.vehicle_of_unsent(connection, current_services().clock()))
    if not found.to_check:
        return figure
    if not figure.count:
        return replace(figure, none=texts.nothing_to_send(found.to_check))
    address = url_for("links.index", **filters.write(LinkFilter(only=Only.CHECK_FIRST)))
    before = FigureLine(texts.check_before(found.to_check), str(texts.CHECK), address)
    return replace(figure, lines=(*figure.lines, before))


def _not_sent_now(found: Figures, read: Callable[[], UnsentLinks]) -> Figure:
    figure = _figure(texts.NOT_SENT, found.not_sent, LinkFilter(only=Only.NOT_SENT), texts.NOTHING_TO_SEND)
    figure = replace(figure, handled=_joined(_handled(found.unsent)))
    if found.not_sent_soon:
        # As the other figure is called.
        also = texts.also_end_soon if found.ends_soon[0] > found.ends_today[0] else texts.also_end_today
        figure = replace(figure, overlap=also(found.not_sent_soon))
    return _to_send(figure, read()) if found.unsent.waiting else figure


def _to_send(figure: Figure, unsent: UnsentLinks) -> Figure:
    """Offer what is done with most of the links that wait, and in a line each what the others need."""
    lacking, withheld = unsent.without_driver, unsent.withheld
    # A link alone is sent to somebody at once; for more of them the drivers are chosen in one table.
    choose = url_for("sharing.show", link_id=lacking[0].id) if len(lacking) == 1 else url_for("sharing.choose_drivers")
    figure = replace(figure, lines=tuple(_lines(figure, unsent, choose)))
    if unsent.links:
        return replace(figure, act=texts.send(unsent.links), act_address=unsent.address)
    if len(lacking) == 1:
        [link] = lacking
        return replace(figure, to_send=SentTo(link.id, spaced(link.rc) if link.rc else None, link.total))
    if withheld and not lacking:
        page = url_for("links.show", link_id=withheld[0].id) if len(withheld) == 1 else ""
        return _done_at_once(figure, texts.CHECK_FIRST_BUTTON, page, "", texts.check_first(len(withheld)))
    if not lacking:
        return replace(figure, act=str(texts.FOLLOW_UP), act_address=url_for("sharing.follow_up"))
    return replace(figure, act=str(texts.CHOOSE_DRIVERS), act_address=choose)


def _lines(figure: Figure, unsent: UnsentLinks, choose: str) -> Iterator[FigureLine]:
    """Say of each part of the links that wait what it needs; of a part alone the button does."""
    lacking, withheld = unsent.without_driver, unsent.withheld
    if lacking and unsent.links:
        yield FigureLine(texts.without_driver(len(lacking)), str(texts.CHOOSE), choose)
    elif lacking and len(lacking) < figure.count:
        yield FigureLine(texts.without_driver(len(lacking)))
    if unsent.to_confirm:
        has_button = unsent.links or lacking or withheld
        confirm = (str(texts.FOLLOW_UP), url_for("sharing.follow_up")) if has_button else ()
        yield FigureLine(texts.to_confirm(unsent.to_confirm), *confirm)
    if withheld and not (unsent.links or lacking):
        yield FigureLine(texts.cannot_be_sent(len(withheld), unsent.why_withheld))
    elif withheld:
        chosen = LinkFilter(chosen=tuple(link.id for link in withheld))
        address = url_for("links.index", **filters.write(chosen))
        if len(withheld) == 1:
            address = url_for("links.show", link_id=withheld[0].id)
        yield FigureLine(texts.cannot_be_sent(len(withheld)), str(texts.CHECK), address)


def _failed(connection: Connection, ended: EndedTotals, now: datetime, recent: Sequence[LinkRow]) -> Figure:
    """Count the links whose payment failed: their drivers are asked first, as money may have left the account."""
    figure = _ended_figure(texts.PAYMENT_FAILED, ended.failed, "failed-title", "")
    act, address, by = _asked_of(connection, ended.only_failed, recent) if ended.only_failed else ("", "", "")
    figure = _done_at_once(figure, act, address, by, _about_failed(connection, ended, now))
    figure = replace(figure, meaning="wrong", is_seen_to=not ended.to_ask)
    if ended.taken and ended.only_failed:
        figure = replace(figure, note=str(texts.MONEY_TAKEN))
    elif ended.taken:
        figure = _with_taken(figure, ended_links.say_taken(connection, now))
    return _with_plate(figure, _vehicle_of(connection, ended.only_failed))


def _with_taken(figure: Figure, taken: Mapping[str, str | None]) -> Figure:
    """Lead to those among several failed payments whose drivers say that money was taken."""
    if len(taken) > 1:
        chosen = url_for("links.index", **filters.write(LinkFilter(chosen=tuple(taken))))
        return replace(figure, note=texts.money_taken(len(taken)), note_address=chosen)
    for link_id, rc in taken.items():
        plate = spaced(rc) if rc else ""
        said = texts.money_taken_of(plate) if plate else texts.money_taken(1)
        return replace(figure, note=said, note_link=plate, note_address=url_for("links.show", link_id=link_id))
    return figure


def _vehicle_of(connection: Connection, link_id: str | None) -> str | None:
    found = links.find_all(connection, [link_id]) if link_id else {}
    return next((link.rc for link in found.values()), None)


def _ended(connection: Connection, ended: EndedTotals) -> Figure:
    """Count the links that ended unpaid lately as Follow up does, which lists them."""
    figure = _ended_figure(texts.ENDED_UNPAID, ended.rest, "ended-title", texts.NONE_ENDED)
    if not figure.count:
        return figure
    again = url_for("links.reissue", link_id=ended.only_to_create) if ended.only_to_create else ""
    all_of_them = texts.create_again(figure.count) if ended.creatable == figure.count else str(texts.SEE_ALL)
    figure = _done_at_once(figure, texts.CREATE_AGAIN, again, "form", all_of_them)
    return _with_plate(figure, _vehicle_of(connection, ended.only_to_create))


def _about_failed(connection: Connection, ended: EndedTotals, now: datetime) -> str:
    """Say what is done about several failed payments, where it is the same for each."""
    number = ended.failed.number
    if ended.asked == number:
        return texts.note_answers(number)
    if ended.to_ask == number <= _MOST_ASKED:
        listed = links.find_all(connection, ended_links.failed(connection, now, number))
        known = {row.asks_driver for row in rows.rows(connection, list(listed.values()))}
        if len(known) == 1:
            return texts.ask_about(number) if known == {True} else texts.check_payments(number)
    return str(texts.SEE_ALL)


def _asked_of(connection: Connection, link_id: str, recent: Sequence[LinkRow]) -> tuple[object, str, str]:
    """Return what is done with a link whose payment failed: its words, its address and how it is opened."""
    page = url_for("links.show", link_id=link_id)
    listed = [row for row in recent if row.card.id == link_id] or rows.rows(
        connection, list(links.find_all(connection, [link_id]).values())
    )
    for row in listed:
        if row.asked:
            return texts.OPEN_FAILED if row.asked.is_taken else texts.NOTE_ANSWER, page, ""
        if row.asks_driver:
            return texts.ASK_DRIVER, url_for("sharing.ask_driver", link_id=link_id), "tab"
    return texts.CHECK_PAYMENT, page, ""


def _ended_figure(words: object, total: Total, anchor: str, none: object) -> Figure:
    address = url_for("sharing.follow_up", _anchor=anchor)
    return Figure(str(words), total.number, total.sum or NO_SUM, address, str(none), hint=str(texts.LEFT_OVER))


def _done_at_once(figure: Figure, act: object, address: str, by: str, see: str) -> Figure:
    """Offer what is done with a link alone; of several the list has what is done with each."""
    if address:
        return replace(figure, act=str(act), act_address=address, act_by=by)
    return replace(figure, act=see, act_address=figure.address)


def _handled(of: QueueCounts, *, with_times: bool = True) -> list[str]:
    """Say about which links of a figure nobody need do anything now, and why."""
    parts = [texts.sent(of.sent)] if of.sent else []
    if of.snoozed and of.back_at:
        parts.append(texts.snoozed(of.snoozed, format_near(of.back_at) if with_times else ""))
    return parts


def _joined(parts: list[str]) -> str:
    return " · ".join(filter(None, parts))
