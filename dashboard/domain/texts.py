"""Text that does no harm where it is kept, shown or written into a file."""

from __future__ import annotations

import re

_SPACING = re.compile("[\t-\r\x1c-\x1f\x85\u2028\u2029]")
#: Control characters, lone surrogates, what no XML may hold, and the marks that make a text read in another order than
#: it is written. Joiners are not among them: words of Indian scripts and emoji are spelled with them.
_HARMFUL = re.compile("[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def on_one_line(words: str) -> str:
    """A text whose spacing is spaces, and whose characters that do harm are U+FFFD."""
    return words if words.isprintable() else _HARMFUL.sub("\ufffd", _SPACING.sub(" ", words))
