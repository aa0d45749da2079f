"""Bring offices into the states that pages can show, and name the pages of each state."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator

from tests.gallery.accounts import accounts, people, sign_in
from tests.gallery.fleet_runs import fleet
from tests.gallery.hostile import hostile
from tests.gallery.links import duplicates, links, replacements
from tests.gallery.month import month
from tests.gallery.outages import outage, refused_key, trouble
from tests.gallery.quantities import empty, many, one
from tests.gallery.reconciliation import reconcile
from tests.gallery.requests import requests, reviews
from tests.gallery.sharing import follow_up, sharing
from tests.gallery.workplace import Offices, Pages, Workplace

#: Each brings a fresh office into a state and returns the pages that show it.
SCENES: tuple[Callable[[Workplace], Pages], ...] = (
    empty,
    one,
    many,
    fleet,
    outage,
    reviews,
    requests,
    links,
    replacements,
    duplicates,
    follow_up,
    sharing,
    reconcile,
    month,
    sign_in,
    people,
    accounts,
    refused_key,
    trouble,
    hostile,
)
NAMES = tuple(scene.__name__ for scene in SCENES)


def scenes(offices: Offices, names: Collection[str] = NAMES) -> Iterator[tuple[str, Workplace, Pages]]:
    """Yield the name of each state, an office in it, and its pages."""
    for scene in SCENES:
        if scene.__name__ in names:
            with offices.open() as office:
                pages = scene(office)
                office.write_counts()
                yield scene.__name__, office, pages
