"""Load the catalogues: one folder for each language, as Babel lays them out, and English is the source.

`messages.po` holds the sentences of Python and templates, `scripts.po` those of static/js. They are compiled in memory
when a language is first asked for, so there is no build step and no compiled file to go stale. `update.py` writes them.
"""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

from babel import Locale
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import NullTranslations, Translations

ROOT = Path(__file__).parent
SOURCE = "en"
DOMAINS = ("messages", "scripts")
_ENGLISH = NullTranslations()


def file_of(language: str, domain: str) -> Path:
    return ROOT / language / "LC_MESSAGES" / f"{domain}.po"


@cache
def languages() -> dict[str, str]:
    """Return the code of each language with its name in itself: {"en": "English", "hi": "हिन्दी"}."""
    found = sorted(folder.parent.name for folder in ROOT.glob("*/LC_MESSAGES"))
    return {code: Locale.parse(code).get_display_name(code) or code for code in (SOURCE, *found)}


@cache
def translations(language: str, domain: str = "messages") -> NullTranslations:
    """Return the sentences of a language; English ones are their own."""
    if language not in languages() or language == SOURCE:
        return _ENGLISH
    compiled = io.BytesIO()
    with file_of(language, domain).open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return Translations(compiled, domain)


@cache
def script_words(language: str) -> dict[str, str]:
    """Return the translations of the sentences in static/js by their English; empty for English."""
    if language == SOURCE or language not in languages():
        return {}
    with file_of(language, "scripts").open("rb") as file:
        catalogue = read_po(file, locale=language)
    return {str(each.id): str(each.string) for each in catalogue if each.id and each.string}
