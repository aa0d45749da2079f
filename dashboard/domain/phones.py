"""Phone numbers, from the ways in which people write them to the one that wa.me and sms: understand."""

from __future__ import annotations

import re

_INDIA = "91"
_SIGNS = re.compile(r"[\s().+-]")
#: How British and Indian cards write the zero that is dialled at home alone.
_ZERO_AT_HOME = re.compile(r"\(\s*0\s*\)")


class InvalidPhone(ValueError):
    """A text that is no phone number."""


def international(typed: str) -> str:
    """The digits of a number, its country first: ten are an Indian number. Raises InvalidPhone."""
    text = _ZERO_AT_HOME.sub("", typed).strip()
    digits = _SIGNS.sub("", text)
    if not (digits.isascii() and digits.isdigit()):
        raise InvalidPhone(typed)
    if digits.startswith("00"):
        digits = digits[2:]
    elif digits.startswith("0") and len(digits) == 11:
        digits = _INDIA + digits[1:]
    elif len(digits) == 10 and not text.startswith("+"):
        digits = _INDIA + digits
    if digits.startswith(_INDIA + "0") and len(digits) == 13:
        digits = _INDIA + digits[3:]
    if not 10 <= len(digits) <= 15 or digits.startswith(("0", _INDIA + "0")):
        raise InvalidPhone(typed)
    return digits
