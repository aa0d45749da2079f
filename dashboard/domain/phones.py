"""Normalize phone numbers from what people type to the form that wa.me and sms: addresses take."""

from __future__ import annotations

import re

#: The code of the country that numbers are of unless they say another.
INDIA = "91"
_SIGNS = re.compile(r"[\s().+-]")
#: The trunk zero, which is dialled within a country only, as business cards write it.
_TRUNK_ZERO = re.compile(r"\(\s*0\s*\)")
#: What no phone number fails to match, for browsers, which say sooner than we that something is none.
TYPED = r"^[\s().+\-]*(?:[0-9][\s().+\-]*){10,17}$"


def shown(typed: str) -> str:
    """Return a number as people read it: "+91 98200 12345"; what is not a number stays as it was typed."""
    try:
        digits = international(typed)
    except InvalidPhone:
        return typed
    if digits.startswith(INDIA) and len(digits) == 12:
        return f"+{INDIA} {digits[2:7]} {digits[7:]}"
    return f"+{digits}"


def is_phone(typed: str) -> bool:
    try:
        return bool(international(typed))
    except InvalidPhone:
        return False


def digits(phone: str | None) -> str:
    """Return the digits for wa.me, or "" for what is not a phone number: the sender then chooses the recipient."""
    try:
        return international(phone or "")
    except InvalidPhone:
        return ""


class InvalidPhone(ValueError):
    """Report that a text is not a phone number."""


def international(typed: str) -> str:
    """Return the digits of a number, country code first; ten digits are an Indian number. Raises InvalidPhone."""
    text = _TRUNK_ZERO.sub("", typed).strip()
    digits = _SIGNS.sub("", text)
    if not (digits.isascii() and digits.isdigit()):
        raise InvalidPhone(typed)
    if digits.startswith("00"):
        digits = digits[2:]
    elif digits.startswith("0") and len(digits) == 11:
        digits = INDIA + digits[1:]
    elif len(digits) == 10 and not text.startswith("+"):
        digits = INDIA + digits
    if digits.startswith(INDIA + "0") and len(digits) == 13:
        digits = INDIA + digits[3:]
    if not 10 <= len(digits) <= 15 or digits.startswith(("0", INDIA + "0")):
        raise InvalidPhone(typed)
    return digits
