"""Read words for the state of payment links, such as “paid” or “not sent”, and what they wait for."""

from __future__ import annotations

from dashboard.domain.link_filters import LinkFilter, Only
from dashboard.web.links import list_texts
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.texts import link_state

#: What links that can still be paid are called as well.
UNPAID = lazy("Unpaid")
#: Fewer letters begin too many words.
_FEWEST = 3


def links_named(typed: str) -> LinkFilter | None:
    """Return the filter of the links whose state a text begins to name, in either language; None for another text."""
    text = _plain(typed)
    if len(text) < _FEWEST:
        return None
    return next((asked for asked, words in _named() if any(name.startswith(text) for name in _names(words))), None)


def state_beside(typed: str) -> tuple[LinkFilter, str] | None:
    """Return the filter of a state that a text begins or ends with, and the rest of it; None for another text."""
    text = _plain(typed)
    for asked, words in _named():
        for name in _names(words):
            if text.endswith(f" {name}"):
                return asked, text.removesuffix(name).strip()
            if text.startswith(f"{name} "):
                return asked, text.removeprefix(name).strip()
    return None


def _plain(typed: str) -> str:
    return " ".join(typed.casefold().split())


def _named() -> list[tuple[LinkFilter, str]]:
    """Return the filters that words name. A longer name comes before one that it ends with."""
    named = [(LinkFilter(only=only), words) for only, words in list_texts.ONLY.items() if only is not Only.OPEN]
    named += [(LinkFilter(only=Only.OPEN), UNPAID)]
    return named + [(LinkFilter(states=(state,)), link_state(state).name) for state in list_texts.FIRST_STATES]


def _names(words: str) -> tuple[str, str]:
    """Return words as they are read, and in English."""
    return str(words).casefold(), words.casefold()
