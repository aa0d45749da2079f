"""Make text safe to store, to show and to write into a file."""

from __future__ import annotations

import re
import unicodedata

_SPACING = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]")
#: Control characters, lone surrogates, characters that XML forbids, and marks that reorder text on screen. Joiners are
#: not among them, because Indian scripts and emoji need them.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class TextTooLong(ValueError):
    """Report a text that is longer than what may be normalized."""


def normalized(text: str, longest: int) -> str:
    """Return the text with its letters composed and in their plain forms (NFKC). Raises TextTooLong beyond `longest`.

    The length is checked first, because the time grows with the square of a run of combining marks, and nobody else is
    answered meanwhile. Nothing else may call `unicodedata.normalize`.
    """
    if len(text) > longest:
        raise TextTooLong
    return unicodedata.normalize("NFKC", text)


def on_one_line(words: str) -> str:
    """Replace every kind of spacing by spaces, and harmful characters by U+FFFD."""
    return words if words.isprintable() else _HARMFUL.sub("\ufffd", _SPACING.sub(" ", words))
