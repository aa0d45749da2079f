"""Tell links apart that look the same in a list: those of one vehicle, of one state and of one amount."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from decimal import Decimal

from sqlalchemy import Connection

from dashboard.store.links import links
from dashboard.store.links.records import Link
from dashboard.web.links import list_texts


def told_apart(connection: Connection, found: Iterable[Link]) -> dict[str, str]:
    """Name a challan of each link that looks like another of these, by link; one that the other does not have."""
    alike: dict[tuple[str, str, Decimal | None], list[str]] = defaultdict(list)
    for link in found:
        if link.rc:
            alike[link.rc, link.status, link.total].append(link.id)
    groups = [same for same in alike.values() if len(same) > 1]
    if not groups:
        return {}
    numbers: dict[str, list[str]] = defaultdict(list)
    for covered in links.challans_of(connection, *(link_id for same in groups for link_id in same)):
        if covered.challan_no:
            numbers[covered.link_id].append(covered.challan_no)
    named = {}
    for same in groups:
        for link_id in same:
            others = {number for other in same if other != link_id for number in numbers[other]}
            if own := sorted(number for number in numbers[link_id] if number not in others):
                named[link_id] = list_texts.told_by(own[0], len(numbers[link_id]) - 1)
    return named
