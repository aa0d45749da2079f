"""Read words for the state of payment links, such as “paid” or “not sent”, and what they wait for."""

from __future__ import annotations

from dashboard.domain.link_filters import LinkFilter, Only
from dashboard.web.links import list_texts
from dashboard.web.shared.texts import link_state

#: Fewer letters begin too many words.
_FEWEST = 3


def links_named(typed: str) -> LinkFilter | None:
    """Return the filter of the links whose state a text begins to name, in either language; None for another text."""
    text = " ".join(typed.casefold().split())
    if len(text) < _FEWEST:
        return None
    named = [(LinkFilter(states=(state,)), link_state(state).name) for state in list_texts.FIRST_STATES]
    named += [(LinkFilter(only=only), words) for only, words in list_texts.ONLY.items() if only is not Only.OPEN]
    return next((asked for asked, words in named if any(name.startswith(text) for name in _names(words))), None)


def _names(words: str) -> tuple[str, str]:
    """Return words as they are read, and in English."""
    return str(words).casefold(), words.casefold()
