"""Extract every sentence from Python, templates and scripts, and bring the catalogues up to date: `make translations`.

A sentence that was reworded becomes a new one, without translation; one that is gone is dropped.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from dashboard.translations import DOMAINS, SOURCE, file_of, languages

_CHECKOUT = Path(__file__).resolve().parents[2]
_KEYWORDS: dict[str, Any] = {
    "_": None,
    "gettext": None,
    "lazy": None,
    "lazy_about": ((1, "c"), 2),
    "PersonRefused": None,
    "PasswordRefused": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
#: The folders of each domain, with the way to read their files.
_SOURCES = {
    "messages": (
        ("dashboard/web", [("**.py", "python")]),
        ("dashboard/services/accounts", [("**.py", "python")]),  # Its refusals alone: see `Refused`.
        ("templates", [("**.html", "jinja2.ext:babel_extract")]),
    ),
    "scripts": (("static/js", [("**.js", "javascript")]),),
}
_OPTIONS = {"**.html": {"trimmed": "true", "silent": "false"}}
_WIDTH = 110


def extracted(domain: str) -> Catalog:
    """Return every sentence of a domain, as the sources have it now."""
    found = Catalog(charset="utf-8")
    for folder, methods in _SOURCES[domain]:
        messages = extract_from_dir(_CHECKOUT / folder, methods, _OPTIONS, keywords=_KEYWORDS, strip_comment_tags=True)
        for file, _line, words, comments, context in messages:
            found.add(words, locations=[(f"{folder}/{file}", 0)], auto_comments=comments, context=context)
    return found


def stored(language: str, domain: str) -> Catalog:
    with file_of(language, domain).open("rb") as file:
        return read_po(file, locale=language)


def update(language: str, domain: str) -> int:
    """Write a catalogue anew, and return how many of its sentences lack a translation."""
    catalogue = stored(language, domain) if file_of(language, domain).exists() else Catalog(locale=language)
    # No guessing: a sentence that resembles an old one would get the old one's translation.
    catalogue.update(extracted(domain), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    file_of(language, domain).parent.mkdir(parents=True, exist_ok=True)
    with file_of(language, domain).open("wb") as file:
        # Without places and dates, which would change with every line that is added anywhere.
        write_po(file, catalogue, width=_WIDTH, no_location=True, omit_header=False, sort_output=True)
    _fix_header(file_of(language, domain))
    return len([each for each in catalogue if each.id and not is_translated(each.string)])


def is_translated(words: str | tuple[str, ...] | list[str] | None) -> bool:
    return bool(words) and (isinstance(words, str) or all(words or ()))


def _fix_header(file: Path) -> None:
    """Keep of the header what a catalogue needs, so that a file changes with its sentences alone."""
    header, body = file.read_text("utf-8").split("\n\n", 1)
    needed = ("msgid", "msgstr", '"Language:', '"Plural-Forms:', '"Content-Type:', '"MIME-Version:')
    lines = [line for line in header.splitlines() if line.startswith(needed)]
    file.write_text("\n".join([*lines, "", body]), "utf-8")


def main() -> None:
    for language in languages() if len(sys.argv) == 1 else sys.argv[1:]:
        if language == SOURCE:
            continue
        for domain in DOMAINS:
            print(f"{language} {domain}: {update(language, domain)} without a translation")


if __name__ == "__main__":
    main()
