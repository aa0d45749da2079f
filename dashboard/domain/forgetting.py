"""Find and remove a person's name, phone number and email in texts that people typed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from dashboard.domain.phones import InvalidPhone, international

#: What stands in a text in the place of what was removed.
REMOVED = "(removed)"
#: Signs of Indian scripts that belong to the word before them, though `\w` does not match them.
_IN_WORD = r"[\w\u0900-\u0dff]"
#: The digits of a phone number that are the same with and without a country code.
_SUBSCRIBER_DIGITS = 10
_BETWEEN_DIGITS = r"[\s().\-]{0,3}"


class Traces:
    """Match the whole names, the phone numbers in any notation, and the emails of some people, in any case."""

    def __init__(self, people: Iterable[tuple[str, str | None, str | None]]) -> None:
        """Take each person's name, phone as typed, and email."""
        parts = [part for name, phone, email in people for part in (*_words(name), *_digits(phone), *_words(email))]
        # The longest first, so that a short name does not cut a longer one.
        self._pattern = re.compile("|".join(sorted(parts, key=len, reverse=True)) or r"(?!)", re.IGNORECASE)

    def removed_from(self, value: Any) -> Any:
        """Return a text, or a value of JSON with the texts inside it, without the traces."""
        if isinstance(value, str):
            return self._pattern.sub(REMOVED, value)
        if isinstance(value, dict):
            return {name: self.removed_from(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self.removed_from(each) for each in value]
        return value


def _words(text: str | None) -> list[str]:
    words = (text or "").split()
    return [rf"(?<!{_IN_WORD})" + r"\s+".join(map(re.escape, words)) + rf"(?!{_IN_WORD})"] if words else []


def _digits(phone: str | None) -> list[str]:
    try:
        digits = international(phone or "")
    except InvalidPhone:
        return _words(phone)
    country, subscriber = digits[:-_SUBSCRIBER_DIGITS], digits[-_SUBSCRIBER_DIGITS:]
    before = rf"(?:\+?{_BETWEEN_DIGITS.join(country)}{_BETWEEN_DIGITS}|0{_BETWEEN_DIGITS})?" if country else ""
    return [rf"(?<!\d){before}{_BETWEEN_DIGITS.join(subscriber)}(?!\d)"]
