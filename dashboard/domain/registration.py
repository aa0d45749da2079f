"""Normalize vehicle registration (RC) numbers from what people type to how they are stored.

The service normalizes "spacing and separator variations" (section 4.3). Formats are checked softly, and nothing is
refused for its shape: old series, BH series, temporary and defence numbers all exist, and the service decides.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from dashboard.domain.safe_text import TextTooLong, normalized

MAX_LENGTH = 20
#: The most that is read of what people type: a number with every separator fits.
_MAX_TYPED = 100
#: What people and the service write between the parts of a number, beside other blanks.
SEPARATORS = " -–—_./·,"
_SEPARATORS = re.compile(rf"[\s{re.escape(SEPARATORS)}]+")
_STORED = re.compile(rf"[A-Z0-9]{{1,{MAX_LENGTH}}}")
#: Without letters between, fewer than four digits are the beginning of a number and have no parts.
_PARTS = re.compile(r"(?=[A-Z]{2}(?:\d{1,2}[A-Z]|\d{4}))([A-Z]{2}\d{1,2})([A-Z]{0,3})(\d{1,4})")
#: Delhi writes the letter of the vehicle's class (C car, S two-wheeler, L goods, …) beside the district: DL1C AB 1234.
#: A district of two digits has it too, which only a third letter shows for certain.
_DELHI = re.compile(r"(DL\d[CEGLMPRSTVYZ]|DL\d{2}[CEGLMPRSTVYZ](?=[A-Z]{2}))([A-Z]{1,2})(\d{1,4})")
#: Every shape that a registration number has or had in India.
_SHAPES = tuple(
    map(
        re.compile,
        (
            r"[A-Z]{2}\d{1,2}[A-Z]{1,3}\d{1,4}",  # MH12 AB 1001, DL 1C AB 1234.
            r"[A-Z]{2}\d{4,6}",  # Early ones without letters; fewer digits are the beginning of a number.
            r"\d{2}BH\d{4}[A-Z]{1,2}",  # The Bharat series.
            r"[A-Z]{3}\d{1,4}",  # Before 1989: a state's letter and two more.
            r"[A-Z]{2}\d{1,2}T[A-Z]{0,2}\d{1,6}",  # Temporary, as states write it.
            r"T\d{4}[A-Z]{2}\d{1,4}[A-Z]{0,2}",  # Temporary, with month and year.
            r"\d{2}[A-Z]\d{4,6}[A-Z]?",  # Defence.
            r"\d{1,3}(CD|CC|UN)\d{1,4}",  # Diplomatic.
            r"[A-Z]{2}VA[A-Z]{2}\d{4}",  # Vintage.
        ),
    )
)
#: State, district and series of a usual number, as far as they are written before its digits.
_BEGINNING = re.compile(r"[A-Z]{2}(?:\d{1,3}|\d{1,2}[A-Z]{1,3})")
_TOO_MANY_DIGITS = re.compile(r"([A-Z]{2}\d{1,2}[A-Z]{1,3}\d{4})(\d+)")
#: A usual number with letters in places of digits, or digits in places of letters, that look like each other.
_WITH_LOOKALIKES = re.compile(r"([A-Z01]{2})([\dOI]{1,2})([A-Z]{1,3})([\dOI]{4})")
_AS_LETTERS, _AS_DIGITS = str.maketrans("01", "OI"), str.maketrans("OI", "01")
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


@dataclass(frozen=True, slots=True)
class Doubt:
    """Say that a number has no known shape, with the number that was most likely meant and the digits that it has."""

    rc: str
    meant: str | None = None
    digits: int = 0

    @property
    def swapped(self) -> str:
        """Return the number that was meant, where a letter stands for a digit or a digit for a letter; "" otherwise.

        Which of too many digits is one too many is a guess, and that would be another vehicle.
        """
        return self.meant if self.meant and not self.digits else ""


def doubt(stored: str) -> Doubt | None:
    """Return a doubt about the shape of a number, or None for every shape that exists. It must never stop a search."""
    if any(shape.fullmatch(stored) for shape in _SHAPES):
        return None
    if found := _TOO_MANY_DIGITS.fullmatch(stored):
        return Doubt(stored, meant=found[1], digits=4 + len(found[2]))
    if found := _WITH_LOOKALIKES.fullmatch(stored):
        state, district, series, number = found.groups()
        meant = state.translate(_AS_LETTERS) + district.translate(_AS_DIGITS)
        return Doubt(stored, meant + series + number.translate(_AS_DIGITS))
    return Doubt(stored)


def is_beginning(text: str) -> bool:
    """Tell whether a text looks like a number of which the end is still to be typed."""
    try:
        return bool(_BEGINNING.fullmatch(normalize(text)))
    except InvalidRegistration:
        return False


def normalize_part(text: str) -> str:
    """Normalize part of a number to search for: drop every other character, and never raise."""
    return re.sub(r"[^A-Z0-9]", "", normalized(text[:_MAX_TYPED], _MAX_TYPED).upper())[:MAX_LENGTH]


def spaced(stored: str) -> str:
    """Return the number spaced as on the plate ("MH12AB1001" -> "MH12 AB 1001"); other series stay as they are."""
    if match := _BHARAT_SERIES.fullmatch(stored):
        return " ".join(match.groups())
    if match := _DELHI.fullmatch(stored) or _PARTS.fullmatch(stored):
        return " ".join(part for part in match.groups() if part)
    if match := _TOO_MANY_DIGITS.fullmatch(stored):
        return f"{spaced(match[1])}{match[2]}"
    return stored
