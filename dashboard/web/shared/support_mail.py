"""Write the address of an e-mail to the service's support, with the details that a page offers to copy."""

from __future__ import annotations

from urllib.parse import quote

#: The longest address that Windows hands to a mail program.
MAX_ADDRESS = 2000
_MAX_SUBJECT = 100
#: In English, as all that support reads.
_CUT = "(Cut here: paste the copied details for the rest.)"


def mailto(support_email: str, details: str) -> str:
    """Return a mailto address with the first line of the details as its subject, and all of them as its body.

    Of details that do not fit, the body has the lines that do, and says so.
    """
    lines = details.splitlines()
    subject = quote((lines or [""])[0][:_MAX_SUBJECT], safe="")
    begins = f"mailto:{quote(support_email, safe='@')}?subject={subject}&body="
    whole = begins + _written(lines)
    if len(whole) <= MAX_ADDRESS:
        return whole
    kept = len(lines)
    while kept and len(begins + _written([*lines[:kept], _CUT])) > MAX_ADDRESS:
        kept -= 1
    return begins + _written([*lines[:kept], _CUT])


def _written(lines: list[str]) -> str:
    return quote("\r\n".join(lines), safe="")
