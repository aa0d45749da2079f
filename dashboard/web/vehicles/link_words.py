"""Read words for the state of payment links, such as “paid” or “not sent”, and what they wait for."""

from __future__ import annotations

from dashboard.domain.link_filters import URGENT, LinkFilter, Only
from dashboard.web.links import list_texts
from dashboard.web.shared.languages import lazy
from dashboard.web.shared.texts import link_state

#: What links that can still be paid are called as well.
UNPAID = lazy("Unpaid")
#: What has another word, and what begins like a state: “paid” is the state.
_LATER = (Only.OPEN, Only.PAID_ELSEWHERE)
#: Fewer letters begin too many words.
_FEWEST = 3


def links_named(typed: str) -> LinkFilter | None:
    """Return the filter of the links whose state a text begins to name, in either language; None for another text."""
    text = _plain(typed)
    if len(text) < _FEWEST:
        return None
    return next((asked for asked, words in _named() if any(name.startswith(text) for name in _names(words))), None)


def state_beside(typed: str) -> tuple[LinkFilter, str] | None:
    """Return the filter of a state that a text begins or ends with, and the rest of it; None for another text.

    The state may be half typed at the end.
    """
    words, as_typed = _plain(typed).split(), typed.split()
    for at in range(1, len(words)):
        if asked := links_named(" ".join(words[at:])):
            return asked, " ".join(as_typed[:at])
    for at in reversed(range(1, len(words))):
        name = " ".join(words[:at])
        if asked := next((found for found, state in _named() if name in _names(state)), None):
            return asked, " ".join(as_typed[at:])
    return None


def words_of(asked: LinkFilter) -> str:
    """Return the words for the state of a filter, as they are read."""
    return str(next(words for found, words in _named() if found == asked))


def _plain(typed: str) -> str:
    return " ".join(typed.casefold().split())


def _named() -> list[tuple[LinkFilter, str]]:
    """Return the filters that words name."""
    filters = {only: LinkFilter(only=only) for only in list_texts.ONLY} | {Only.NEEDS_ACTION: URGENT}
    named = [(filters[only], words) for only, words in list_texts.ONLY.items() if only not in _LATER]
    named += [(LinkFilter(only=Only.OPEN), UNPAID)]
    named += [(LinkFilter(states=(state,)), link_state(state).name) for state in list_texts.FIRST_STATES]
    return [*named, (filters[Only.PAID_ELSEWHERE], list_texts.ONLY[Only.PAID_ELSEWHERE])]


def _names(words: str) -> tuple[str, str]:
    """Return words as they are read, and in English."""
    return str(words).casefold(), words.casefold()
