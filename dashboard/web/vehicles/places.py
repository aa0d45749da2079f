"""Find the pages of the dashboard by their names, of those that the person may open."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from flask import url_for
from flask_login import current_user

from dashboard.web.shared import htmx
from dashboard.web.shared.menu import waiting_counts
from dashboard.web.vehicles import place_texts
from dashboard.web.vehicles.records import Found, FoundGroup

#: A single letter begins too many names.
_FEWEST = 2


def places_named(typed: str) -> FoundGroup | None:
    """Return the pages with a word that begins as typed, in either language, those named so from their start first."""
    text = " ".join(typed.casefold().split())
    if len(text) < _FEWEST:
        return None
    found = [place for place in _open_to_person() if any(f" {text}" in f" {name}" for name in _names(place))]
    found.sort(key=lambda place: not any(name.startswith(text) for name in _names(place)))
    return _group(found)


def places_elsewhere() -> FoundGroup | None:
    """Return the places of the menu, without the one that the person is at."""
    here = urlsplit(htmx.current_path() or "").path
    menu = [place for place in _open_to_person() if place in place_texts.MENU]
    return _group([place for place in menu if url_for(place[1]) != here])


def _open_to_person() -> Iterator[tuple[str, str, str]]:
    return (place for place in (*place_texts.MENU, *place_texts.MORE) if current_user.may_open(place[1]))


def _names(place: tuple[str, str, str]) -> tuple[str, ...]:
    """Return the name of a page as it is read, and in English."""
    words = place[2]
    return str(words).casefold(), words.casefold()


def _group(found: list[tuple[str, str, str]]) -> FoundGroup | None:
    if not found:
        return None
    waiting = waiting_counts()
    items = tuple(
        Found(f"{words} ({waiting[name]})" if waiting.get(name) else str(words), url_for(endpoint))
        for name, endpoint, words in found
    )
    return FoundGroup(str(place_texts.GO_TO), items, kind="places")
