"""Build the live region of a vehicle's page: its links, and whether the list of challans is out of date."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from flask import url_for
from sqlalchemy import Connection

from dashboard.domain.challans import Challan
from dashboard.domain.fingerprints import fingerprint
from dashboard.domain.links import is_live, is_paid, may_have_taken_money
from dashboard.domain.money import add_up
from dashboard.services.vehicles import eligibility
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.creation import intents
from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.store.sharing import follow_ups, shares
from dashboard.store.vehicles import vehicles
from dashboard.store.vehicles.vehicles import Vehicle
from dashboard.web.links import rows as link_rows
from dashboard.web.links.cards import ended_at
from dashboard.web.links.list_records import LinkRow
from dashboard.web.links.told_apart import told_apart
from dashboard.web.shared import texts as shared_texts
from dashboard.web.shared.current import current_services, format_moment, names
from dashboard.web.shared.live import whole_seconds
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.records import LastSearch, VehicleLink, VehiclePanel

#: A link that can no longer be paid stays on the page of its vehicle for this long.
_ENDED_SHOWN_FOR = timedelta(hours=24)
#: A link that only a search has shown is checked within seconds, and the region asks that often what came of it.
_UNREAD_FOR, _UNREAD_POLL = timedelta(minutes=2), timedelta(seconds=2)


def vehicle_panel(rc: str, drawn: str | None, *, listed: bool) -> VehiclePanel | None:
    """Show the live region again next to a list drawn at `drawn`; None when the vehicle was never searched.

    `listed` says whether the page lists challans.
    """
    with current_services().store.read() as connection:
        vehicle = vehicles.find(connection, rc)
        return None if vehicle is None else build(connection, vehicle, drawn, listed=listed)


def build(
    connection: Connection,
    vehicle: Vehicle,
    drawn: str | None,
    challans: Sequence[ListedChallan] | None = None,
    *,
    listed: bool,
) -> VehiclePanel:
    """Build the live region next to a list drawn at `drawn`, or now from `challans`."""
    services = current_services()
    now = services.clock()
    known = links.of_vehicle(connection, vehicle.rc)
    shown = [each for each in known if is_live(each.status) or now - each.status_since < _ENDED_SHOWN_FOR]
    counts = links.challan_counts(connection, shown) if shown else {}
    open_requests = sorted(each.id for each in intents.open_of_vehicle(connection, vehicle.rc))
    current = ".".join(
        fingerprint((facet,))
        for facet in (vehicle.searched_at, [(each.id, each.status) for each in known], open_requests)
    )
    if drawn is None:
        drawn = f"{current}.{_content(challans or ())}"
    was, now_is = drawn.split("."), current.split(".")
    if len(was) == len(now_is) + 1 and was[0] != now_is[0]:
        # Only after another search: a poll reads no challans. One that found all as it was leaves the list up to date.
        content = _content(eligibility.of_vehicle(connection, vehicle.rc))
        if content == was[-1]:
            was[0] = now_is[0]
            drawn = ".".join(was)
    reasons = tuple(_outdated(vehicle, was[:-1], now_is))
    live = [each for each in shown if is_live(each.status)]
    ended: dict[str, list[Link]] = {}
    for each in shown:
        if not is_live(each.status):
            ended.setdefault(each.status, []).append(each)
    given = _given(connection, [each for each in live if not each.is_unknown])
    unsent = [each for each in live if each.id in given and not given[each.id]]
    to_send = {row.card.id: row for row in link_rows.rows(connection, unsent)}
    sends = [
        (each.driver_id, each.driver, each.is_asked, each.is_withheld, each.snoozed_until) for each in to_send.values()
    ]
    to_check = _to_check(connection, ended)
    checks = [(row.card.id, row.asks_driver, row.asked.words if row.asked else "") for row in to_check.values()]
    # First those of which money may have been taken.
    over = sorted(ended.values(), key=lambda same: not may_have_taken_money(same[0].status))
    apart = told_apart(connection, live)
    cards = tuple(
        replace(_card(vehicle.rc, each, counts, given, to_send, to_check, now), apart=apart.get(each[0].id, ""))
        for each in [*([one] for one in live), *over]
    )
    return VehiclePanel(
        rc=vehicle.rc,
        links=cards,
        outdated=tuple(words for words, _short in reasons),
        news=reasons[0][1] if reasons else "",
        last_search=_last_search(vehicle),
        poll_seconds=whole_seconds(_UNREAD_POLL if any(each.is_unread for each in cards) else services.schedule.poll),
        seen=fingerprint((current, cards, sends, checks, vehicle.failure)),
        drawn=drawn,
        listed=listed,
        has_open_link=any(not each.is_unknown for each in live),
        trouble=shared_texts.failure(vehicle.failure) if vehicle.failure else "",
    )


def _to_check(connection: Connection, ended: Mapping[str, Sequence[Link]]) -> dict[str, LinkRow]:
    """Return the row of a failed link whose page says what to do about its payment, by its id; of several their list
    does.
    """
    failed = [same[0] for status, same in ended.items() if may_have_taken_money(status) and len(same) == 1]
    found = {row.card.id: row for row in link_rows.rows(connection, failed)} if failed else {}
    return {
        link_id: row
        for link_id, row in found.items()
        if row.may_create_again and (not row.asked or row.asked.is_taken or not row.asked.answer)
    }


def _given(connection: Connection, live: Sequence[Link]) -> dict[str, str]:
    """Say of each of these links who was sent it, or how it was given otherwise; "" of those that nobody was given."""
    ids = [each.id for each in live]
    if not ids:
        return {}
    shared, copied = shares.newest_of_links(connection, ids), follow_ups.copied_at(connection, ids)
    found = {each: texts.sent_to(shared[each].driver_name) if each in shared else "" for each in ids}
    return found | {each: str(texts.COPIED) for each in copied if not found[each]}


def _card(
    rc: str,
    same: Sequence[Link],
    counts: Mapping[str, int | None],
    given: Mapping[str, str],
    to_send: Mapping[str, LinkRow],
    to_check: Mapping[str, LinkRow],
    now: datetime,
) -> VehicleLink:
    """Show links of one state; several lead to the list of them."""
    first, addresses = same[0], tuple(url_for("links.show", link_id=each.id) for each in same)
    of_all = url_for("links.index", vehicle=rc, state=first.status)
    is_unread = not first.detailed and first.failed_at is None and now - first.first_seen_at < _UNREAD_FOR
    row = to_send.get(first.id)
    return VehicleLink(
        address=addresses[0] if len(same) == 1 else of_all,
        addresses=addresses,
        state=shared_texts.state_of(first),
        sum=add_up(each.total for each in same),
        is_live=is_live(first.status),
        challans=counts[first.id],
        expires_at=first.expires_at,
        ended=max(filter(None, map(_ended, same)), default=None),
        is_unread=is_unread,
        given=_not_given(first) if row else given.get(first.id, ""),
        is_unsent=row is not None,
        row=to_check.get(first.id) if row is None else None if row.snoozed_until else row,
    )


def _not_given(link: Link) -> str:
    return str(texts.NOT_SENT_FROM_HERE if link.is_observed else texts.NOT_SENT_YET)


def _ended(link: Link) -> datetime | None:
    return link.paid_at if is_paid(link.status) else ended_at(link)


def _last_search(vehicle: Vehicle) -> LastSearch:
    return LastSearch(
        at=vehicle.searched_at,
        by=names().get(vehicle.searched_by) if vehicle.searched_by else None,
        new_count=vehicle.new_count if vehicle.failure is None else None,
        compared_with=vehicle.compared_with,
    )


def _content(challans: Sequence[ListedChallan]) -> str:
    """Fingerprint what the list says of each challan, but for what was new in the last search.

    Where a search shows a link that was known here before, the list says the same of its challans.
    """
    return fingerprint([(*_shown(each), each.listed, each.eligibility.group) for each in challans])


def _shown(item: ListedChallan) -> tuple[Challan, str | None]:
    challan = replace(item.challan, payment_link=None, payment_link_id=None, prepaid=None)
    return challan, item.link.id if item.link else item.challan.link_id


def _outdated(vehicle: Vehicle, drawn: Sequence[str], current: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Say what has happened since the list was drawn, in a sentence and in short, from the fingerprints of both."""
    if len(drawn) != len(current):  # The address was typed, or comes from a page of another version.
        yield str(texts.LIST_MAY_BE_OLD), str(texts.LIST_MAY_BE_OLD)
        return
    searched, links_changed, requests_changed = (was != now for was, now in zip(drawn, current, strict=True))
    if searched:
        by, at = names().get(vehicle.searched_by) if vehicle.searched_by else None, format_moment(vehicle.searched_at)
        yield texts.searched_again(at, by), texts.new_list(at)
    if links_changed:
        yield str(texts.LINK_STATE_CHANGED), str(texts.LINK_CHANGED)
    if requests_changed:
        yield str(texts.REQUEST_CHANGED), str(texts.REQUESTS_CHANGED)
