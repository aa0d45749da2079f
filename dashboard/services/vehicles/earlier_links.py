"""Find the ended links that payable challans were on, where a second link may make somebody pay twice."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from sqlalchemy import Connection

from dashboard.domain.links import is_ended, may_have_taken_money
from dashboard.services.schedule import Schedule
from dashboard.services.vehicles.eligibility import ListedChallan
from dashboard.store.fleet import ended_links as ended_links_of_runs
from dashboard.store.links import ended_links
from dashboard.store.links.records import Link


def earlier_links(
    connection: Connection, items: Iterable[ListedChallan], schedule: Schedule, now: datetime
) -> dict[str, Link]:
    """Return the ended link whose payment may still turn up, by the id of each payable challan that was on one."""
    return _which(all_earlier_links(connection, items, schedule, now))


def all_earlier_links(
    connection: Connection, items: Iterable[ListedChallan], schedule: Schedule, now: datetime
) -> dict[str, list[Link]]:
    """Return all such links of each challan, the one that `earlier_links` returns at the end."""
    payable = [item for item in items if item.selectable]
    # A link made elsewhere may be known from the search alone.
    shown = [(item.challan.id, item.link) for item in payable if item.link is not None and is_ended(item.link.status)]
    covering = (
        ended_links.ended_on(connection, [item.challan.id for item in payable if item.challan.id]) if payable else []
    )
    return _ranked([*shown, *covering], schedule, now)


def of_run(
    connection: Connection, run_id: str, payable: Collection[str], schedule: Schedule, now: datetime
) -> dict[str, Link]:
    """Return the same for those challans of a search run that are `payable`, in one statement."""
    found = ended_links_of_runs.of_run(connection, run_id)
    return _which(_ranked([each for each in found if each[0] in payable], schedule, now))


def _which(ranked: Mapping[str, Sequence[Link]]) -> dict[str, Link]:
    return {challan_id: found[-1] for challan_id, found in ranked.items()}


def _ranked(pairs: Iterable[tuple[str | None, Link]], schedule: Schedule, now: datetime) -> dict[str, list[Link]]:
    """Return the ended links of each challan whose payment may still turn up, each once.

    Of a failed link nobody knows whether money has left an account, however long ago that was. Any other may be paid
    late as long as it is checked. A failed one comes after the others, and the newest after those of before.
    """
    found: dict[str, dict[str, Link]] = {}
    for challan_id, link in sorted(pairs, key=lambda pair: _weight(pair[1])):
        is_checked = now < schedule.last_check(link.expires_at, link.first_seen_at)
        if challan_id and (may_have_taken_money(link.status) or is_checked):
            found.setdefault(challan_id, {})[link.id] = link
    return {challan_id: list(links.values()) for challan_id, links in found.items()}


def _weight(link: Link) -> tuple[bool, datetime]:
    return may_have_taken_money(link.status), link.first_seen_at
