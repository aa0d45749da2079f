"""Build the tabs of the list of links: each state and what links wait for, with how many there are and their sum."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.link_filters import LinkFilter, Only
from dashboard.domain.links import PAID, is_ended, is_live
from dashboard.store.links import totals
from dashboard.web.links import filters, list_texts
from dashboard.web.links.list_records import ListSum, Tab, Total
from dashboard.web.shared.current import current_services, zone
from dashboard.web.shared.texts import NOT_FOUND, join_words, link_state


@dataclass(frozen=True, slots=True)
class ListTotals:
    """Hold the totals of the links that a filter finds, and of those that it would find in other states.

    `unknown` are those that the filter finds and the service no longer knows; none where none of its list can be paid.
    `paid_elsewhere` are those of the others whose challans were paid with another link, so that nobody is to pay them.
    `uncertain` are such links of each state that the service last sent, where there are any. `has_urgent`: some link
    needs action, whether the filter finds it or not. Beside links that were not sent, so many are `to_check` before.
    """

    own: totals.Total
    every: totals.Total | None
    by_status: dict[str, totals.Total] | None
    needs_action: totals.Total
    unknown: totals.Total
    paid_elsewhere: totals.Total
    uncertain: dict[str, totals.Total]
    has_urgent: bool
    to_check: int


def add_up(asked: LinkFilter) -> ListTotals:
    """Add up what a filter finds, and what each tab beside it would."""
    services = current_services()
    now = services.clock()
    # By the minute, so that the result can be cached until anybody commits.
    at = now.replace(second=0, microsecond=0)
    others = asked.of_any_state()
    by_status, every, needs_action, uncertain = services.store.cached_read(
        ("links by state", others, at), lambda connection: _others(connection, others, at)
    )
    has_urgent = needs_action.number > 0
    if not has_urgent and others.narrows:
        has_urgent = services.store.cached_read(
            ("some link is urgent", at), lambda connection: _some_urgent(connection, at)
        )
    own = None
    if not asked.is_of_state:
        own = every
    elif by_status is not None and asked.only is None and len(asked.states) == 1:
        own = by_status.get(asked.states[0], totals.Total(0))
    if own is None:
        with services.store.read() as connection:
            own = totals.total(connection, asked, zone(), now)
    unknown, paid_elsewhere = totals.Total(0), totals.Total(0)
    if asked.only in (None, Only.OPEN) and (len(asked.states) != 1 or is_live(asked.states[0])):
        paid_elsewhere = _of_kind(asked, Only.PAID_ELSEWHERE)
        if asked.only is None:
            unknown = _of_kind(asked, Only.NO_LONGER_KNOWN)
    to_check = 0
    if asked.only is Only.NOT_SENT:
        with services.store.read() as connection:
            to_check = totals.total(connection, replace(asked, only=Only.CHECK_FIRST), zone(), now).number
    return ListTotals(own, every, by_status, needs_action, unknown, paid_elsewhere, uncertain, has_urgent, to_check)


def _of_kind(asked: LinkFilter, only: Only) -> totals.Total:
    """Add up the links of a kind among those that a filter finds, until anybody commits."""
    services, of_kind = current_services(), replace(asked, only=only)
    return services.store.cached_read(
        ("links of a kind", of_kind), lambda connection: totals.total(connection, of_kind, zone(), services.clock())
    )


def _some_urgent(connection: Connection, now: datetime) -> bool:
    return totals.total(connection, LinkFilter(only=Only.NEEDS_ACTION), zone(), now).number > 0


def _others(
    connection: Connection, asked: LinkFilter, now: datetime
) -> tuple[dict[str, totals.Total] | None, totals.Total | None, totals.Total, dict[str, totals.Total]]:
    by_status = totals.by_status(connection, asked, zone(), now)
    every = None
    if by_status is not None:
        every = totals.add(by_status.values()) if asked.narrows else totals.every(connection, by_status)
    needs_action = totals.total(connection, replace(asked, only=Only.NEEDS_ACTION), zone(), now)
    of_unknown = replace(asked, only=Only.NO_LONGER_KNOWN)
    live = [status for status in by_status or () if is_live(status)]
    has_unknown = live and totals.total(connection, of_unknown, zone(), now).number
    of_each = {
        status: totals.total(connection, replace(of_unknown, states=(status,)), zone(), now)
        for status in (live if has_unknown else ())
    }
    uncertain = {status: total for status, total in of_each.items() if total.number}
    return by_status, every, needs_action, uncertain


def tabs(asked: LinkFilter, found: ListTotals) -> tuple[Tab, ...]:
    """Build the tabs: all links, what needs action, the live states, and the states that are over."""
    return tuple(_tabs(asked, found))


def _tabs(asked: LinkFilter, found: ListTotals) -> Iterator[Tab]:
    others = asked.of_any_state()
    first = [_tab(list_texts.ALL, others, asked, found.every)]
    # A failed payment of which no driver has said anything is not urgent, which "Urgent 0" beside it would not explain.
    if found.has_urgent or asked.only is Only.NEEDS_ACTION:
        urgent = others.of_state(only=Only.NEEDS_ACTION)
        first.append(_tab(list_texts.ONLY[Only.NEEDS_ACTION], urgent, asked, found.needs_action))
    # Also those of no link, so that no tab moves while somebody types.
    offered = dict.fromkeys([*list_texts.FIRST_STATES, *asked.states, *(found.by_status or {})])
    order = {status: place for place, status in enumerate(list_texts.FIRST_STATES)}
    states = sorted(filter(None, offered), key=lambda status: (order.get(status, 99), status))
    live = [_of_status(status, others, asked, found) for status in states if is_live(status)]
    not_found = others.of_state(only=Only.NO_LONGER_KNOWN)
    if found.uncertain or asked.only is Only.NO_LONGER_KNOWN:
        is_listed = asked.only is Only.NO_LONGER_KNOWN and not asked.states
        total = found.own if is_listed else totals.add(found.uncertain.values())
        live.append(_tab(NOT_FOUND, not_found, asked, total))
    over = [_of_status(status, others, asked, found) for status in states if not is_live(status)]
    yield from first
    if not any(tab.current for tab in (*first, *live, *over)):
        words = [link_state(state).shown for state in asked.states]
        words += [str(list_texts.ONLY[asked.only])] if asked.only else []
        if not asked.only and not found.uncertain.keys().isdisjoint(asked.states):
            words.append(str(NOT_FOUND))
        yield _tab(join_words(words), asked, asked, found.own)
    yield from live
    yield from over


def _of_status(status: str, others: LinkFilter, asked: LinkFilter, found: ListTotals) -> Tab:
    total = None if found.by_status is None else found.by_status.get(status, totals.Total(0))
    if total and status in found.uncertain:  # These have a tab of their own.
        still_found = totals.less(total, found.uncertain[status])
        return _tab(link_state(status).shown, others.of_state(status, only=Only.OPEN), asked, still_found)
    return _tab(link_state(status).shown, others.of_state(status), asked, total)


def _tab(words: object, of: LinkFilter, asked: LinkFilter, total: totals.Total | None) -> Tab:
    """Build a tab. What is paid and what is not are never added up, nor what ended: new links may have its challans."""
    is_of_one_kind = of.only is not None or (len(of.states) == 1 and not is_ended(of.states[0]))
    return Tab(
        id=f"tab-{fingerprint((of.states, of.only))}",
        words=str(words),
        address=url_for("links.index", **filters.write(of)),
        current=(of.states, of.only) == (asked.states, asked.only),
        total=Total(total.number, total.more, total.sum if is_of_one_kind else None) if total else None,
        hint=str(list_texts.WHAT_IS_URGENT) if of.only is Only.NEEDS_ACTION else "",
    )


def sums(asked: LinkFilter, found: ListTotals) -> tuple[ListSum, ...]:
    """Return what the list comes to: one sum, or apart what is to collect and what is paid, where it has several kinds.

    Whether a link can be collected that the service no longer knows is not certain, so these are a kind of their own;
    so are those whose challans were paid with another link. Nothing is said of links that ended unpaid beside others:
    nobody collects them.
    """
    apart = totals.add([found.unknown, found.paid_elsewhere])
    if asked.only not in (None, Only.OPEN) or (asked.only and not apart.number):
        return _sum("", [found.own])
    if asked.only:
        listed = {"": found.own}
    elif len(asked.states) == 1:
        listed = {asked.states[0]: found.own}
    else:
        listed = {
            status: total
            for status, total in (found.by_status or {}).items()
            if total.number and (not asked.states or status in asked.states)
        }
    live = [total for status, total in listed.items() if is_live(status)]
    paid = [total for status, total in listed.items() if status == PAID]
    if listed and all(map(is_ended, listed)):
        return _sum(str(list_texts.ENDED_SUM), listed.values())
    if not listed or (len(listed) in (len(live), len(paid)) and not apart.number):
        return _sum("", listed.values())
    return (
        *_sum(str(list_texts.TO_COLLECT), [totals.less(totals.add(live), apart)]),
        *_sum(str(list_texts.PAID_SUM), paid),
        *_sum(str(list_texts.ONLY[Only.PAID_ELSEWHERE]), [found.paid_elsewhere]),
        *_sum(str(list_texts.ONLY[Only.NO_LONGER_KNOWN]), [found.unknown]),
    )


def _sum(words: str, of: Iterable[totals.Total]) -> tuple[ListSum, ...]:
    """Return the sum of links, none where there are too many or none at all."""
    total = totals.add(of)
    return (ListSum(words, total.number, total.sum),) if total.sum is not None and total.number else ()
