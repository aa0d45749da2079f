"""Normalize vehicle registration (RC) numbers from what people type to how they are stored.

The service normalizes "spacing and separator variations" (section 4.3). Formats are not checked: old series, BH
series, temporary and defence numbers all exist, and the service decides.
"""

from __future__ import annotations

import re
from enum import StrEnum

from dashboard.domain.safe_text import TextTooLong, normalized

MAX_LENGTH = 20
#: The most that is read of what people type: a number with every separator fits.
_MAX_TYPED = 100
_SEPARATORS = re.compile(r"[\s\-–—_./·,]+")
_STORED = re.compile(rf"[A-Z0-9]{{1,{MAX_LENGTH}}}")
_PARTS = re.compile(r"([A-Z]{2})(\d{1,2})([A-Z]{0,3})(\d{1,4})")
_BHARAT_SERIES = re.compile(r"(\d{2})(BH)(\d{4})([A-Z]{1,2})")


class RegistrationProblem(StrEnum):
    """Name why a text cannot be a registration number; `web/shared/texts.py` has the words."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    OTHER_CHARACTERS = "other_characters"


class InvalidRegistration(ValueError):
    """Report a text that cannot be a registration number."""

    def __init__(self, problem: RegistrationProblem) -> None:
        super().__init__(problem.value)
        self.problem = problem


def normalize(text: str) -> str:
    """Return the stored spelling: upper case, without spaces and separators ("mh-12 ab 1001" -> "MH12AB1001").

    Raises InvalidRegistration when nothing is left, or when the rest has other characters or is too long.
    """
    try:
        stored = _SEPARATORS.sub("", normalized(text, _MAX_TYPED)).upper()
    except TextTooLong:
        raise InvalidRegistration(RegistrationProblem.TOO_LONG) from None
    if not stored:
        raise InvalidRegistration(RegistrationProblem.EMPTY)
    if len(stored) > MAX_LENGTH:
        raise InvalidRegistration(RegistrationProblem.TOO_LONG)
    if not _STORED.fullmatch(stored):
        raise InvalidRegistration(RegistrationProblem.OTHER_CHARACTERS)
    return stored


def normalize_part(text: str) -> str:
    """Normalize part of a number to search for: drop every other character, and never raise."""
    return re.sub(r"[^A-Z0-9]", "", normalized(text[:_MAX_TYPED], _MAX_TYPED).upper())[:MAX_LENGTH]


def spaced(stored: str) -> str:
    """Return the number spaced as on the plate ("MH12AB1001" -> "MH12 AB 1001"); other series stay as they are."""
    if match := _BHARAT_SERIES.fullmatch(stored):
        return " ".join(match.groups())
    if match := _PARTS.fullmatch(stored):
        state, district, series, number = match.groups()
        return " ".join(part for part in (state + district, series, number) if part)
    return stored
