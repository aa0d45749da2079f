"""Read the reference by which a bank or a UPI app knows a payment: its UTR, of a link whose payment failed."""

from __future__ import annotations

import re

MIN_LENGTH, MAX_LENGTH = 8, 35
#: UPI gives 12 digits; banks and cards give letters as well. A vehicle number has fewer digits.
_REFERENCE = re.compile(rf"(?=(?:[A-Z]*[0-9]){{7}})[0-9A-Z]{{{MIN_LENGTH},{MAX_LENGTH}}}")


def normalized(typed: str) -> str | None:
    """Return what is typed, in capitals and without spaces or dashes; "" for nothing, None for what is no reference."""
    found = re.sub(r"[\s-]+", "", typed).upper()
    return found if not found or _REFERENCE.fullmatch(found) else None
