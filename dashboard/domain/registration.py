"""Vehicle registration (RC) numbers, as people type them and as they are stored.

The service normalizes "spacing and separator variations" (section 4.3). Formats are never judged here: old series,
BH series, temporary and defence numbers all exist, and the service is the authority.
"""

from __future__ import annotations

import re
import unicodedata

MAX_LENGTH = 20
_SEPARATORS = re.compile(r"[\s\-–—_./·,]+")
_STORED = re.compile(rf"[A-Z0-9]{{1,{MAX_LENGTH}}}")
_PARTS = re.compile(r"([A-Z]{2})(\d{1,2})([A-Z]{0,3})(\d{1,4})")
_BHARAT_SERIES = re.compile(r"(\d{2})(BH)(\d{4})([A-Z]{1,2})")


class InvalidRegistration(ValueError):
    """The text cannot be a registration number; `str()` is a sentence for the person who typed it."""


def normalize(text: str) -> str:
    """Return the stored spelling: upper case, without spaces and separators ("mh-12 ab 1001" -> "MH12AB1001").

    Raises InvalidRegistration when nothing is left, or when what is left cannot stand in an address.
    """
    stored = _SEPARATORS.sub("", unicodedata.normalize("NFKC", text)).upper()
    if not stored:
        raise InvalidRegistration("Enter a registration number, for example MH12 AB 1001.")
    if len(stored) > MAX_LENGTH:
        raise InvalidRegistration(f"A registration number has at most {MAX_LENGTH} letters and digits.")
    if not _STORED.fullmatch(stored):
        raise InvalidRegistration("A registration number has only letters A to Z and digits.")
    return stored


def normalize_part(text: str) -> str:
    """Like `normalize`, for a fragment to look up: never raises, drops whatever cannot be in a number."""
    return re.sub(r"[^A-Z0-9]", "", unicodedata.normalize("NFKC", text).upper())[:MAX_LENGTH]


def spaced(stored: str) -> str:
    """Return the number spaced as on the plate ("MH12AB1001" -> "MH12 AB 1001"); unknown shapes stay as they are."""
    if match := _BHARAT_SERIES.fullmatch(stored):
        return " ".join(match.groups())
    if match := _PARTS.fullmatch(stored):
        state, district, series, number = match.groups()
        return " ".join(part for part in (state + district, series, number) if part)
    return stored
