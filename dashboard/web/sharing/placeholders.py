"""Write the placeholders of a message in words of the page, "{Driver name}", and read them as they are stored."""

from __future__ import annotations

import re

from dashboard.web.sharing import texts

_IN_BRACES = re.compile(r"\{([^{}\n]+)\}")


def in_words(template: str) -> str:
    """Return a template with the names of its placeholders as their buttons have them."""
    return _IN_BRACES.sub(
        lambda found: written(found[1]) if found[1] in texts.PLACEHOLDER_NAMES else found[0], template
    )


def written(placeholder: str) -> str:
    """Return a placeholder as it stands in the text."""
    return f"{{{texts.PLACEHOLDER_NAMES[placeholder]}}}"


def missed(template: str) -> tuple[str, ...]:
    """Return the placeholders that a template lacks and without which its driver does not know what to do."""
    return tuple(name for name in texts.MISSED if f"{{{name}}}" not in template)


def unknown_marked(template: str, message: str) -> tuple[tuple[str, bool], ...]:
    """Split a message at the placeholders of its template that do not exist, which no value took the place of."""
    unknown = {each for each in _IN_BRACES.findall(template) if each not in texts.PLACEHOLDER_NAMES}
    if not unknown:
        return ((message, False),) if message else ()
    parts = re.split("(" + "|".join(re.escape(f"{{{each}}}") for each in sorted(unknown)) + ")", message)
    return tuple((part, at % 2 == 1) for at, part in enumerate(parts) if part)


def as_stored(typed: str) -> str:
    """Return a template that was typed with its placeholders as they are stored; either spelling of a name is read."""
    stored = {
        spelling.casefold(): name for name, words in texts.PLACEHOLDER_NAMES.items() for spelling in (name, str(words))
    }

    def read(found: re.Match[str]) -> str:
        name = stored.get(" ".join(found[1].split()).casefold())
        return f"{{{name}}}" if name else found[0]

    return _IN_BRACES.sub(read, typed)
