"""Find the pages of the dashboard and what can be begun there by their names, of those that the person may open."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from flask_login import current_user

from dashboard.web.shared import htmx
from dashboard.web.shared.menu import waiting_counts
from dashboard.web.shared.places import ACCOUNT, ACTIONS, MENU, MORE, Place, may_open
from dashboard.web.vehicles import texts
from dashboard.web.vehicles.find_records import Found, FoundGroup

#: A single letter begins too many names.
_FEWEST = 2


def places_named(typed: str) -> tuple[FoundGroup, ...]:
    """Return the pages and the actions with a word that begins as typed, in either language.

    Those named so from their start come first.
    """
    text = " ".join(typed.casefold().split())
    if len(text) < _FEWEST:
        return ()

    def named(places: tuple[Place, ...]) -> list[Place]:
        found = [place for place in may_open(places) if any(f" {text}" in f" {name}" for name in _names(place))]
        return sorted(found, key=lambda place: not any(name.startswith(text) for name in _names(place)))

    return _groups(named((*MENU, *MORE)), named(ACTIONS))


def places_elsewhere() -> tuple[FoundGroup, ...]:
    """Return the places of the menu and the person's own, without the one that the person is at, and the actions."""
    here = urlsplit(htmx.current_path() or "").path
    return _groups([place for place in may_open((*MENU, ACCOUNT)) if place.address != here], may_open(ACTIONS))


def _names(place: Place) -> tuple[str, ...]:
    """Return the name of a page as it is read, and in English."""
    words = place.words
    return str(words).casefold(), words.casefold()


def _groups(places: Iterable[Place], actions: Iterable[Place]) -> tuple[FoundGroup, ...]:
    waiting = waiting_counts()
    groups = (
        FoundGroup(str(words), tuple(_found(each, waiting.get(each.name, 0)) for each in found), kind="places")
        for words, found in ((texts.GO_TO, places), (texts.ACTIONS, actions))
    )
    return tuple(group for group in groups if group.items)


def _found(place: Place, waiting: int) -> Found:
    return Found(
        f"{place.words} ({waiting})" if waiting else str(place.words),
        place.address,
        keys=place.keys if current_user.uses_keys else "",
        presses=place.presses,
    )
