"""Find where words have what was typed into the find box, and how much of it is enough to look for."""

from __future__ import annotations

import unicodedata

#: Fewer signs of a number, a phone or a text would find too much.
FEWEST = 4
FEWEST_LETTERS = 3


def hit_of(words: str, typed: str) -> tuple[int, int]:
    """Return from where to where words have what was typed, however it is spaced or capitalized."""
    places = [place for place, sign in enumerate(words) if sign.isalnum()]
    part = "".join(filter(str.isalnum, typed)).casefold()
    at = "".join(words[place] for place in places).casefold().find(part) if part else -1
    if at < 0 or at + len(part) > len(places):
        return 0, 0
    end = places[at + len(part) - 1] + 1
    # A vowel sign of Hindi is no letter by itself, and belongs to the one before it.
    while end < len(words) and unicodedata.category(words[end]).startswith("M"):
        end += 1
    return places[at], end
