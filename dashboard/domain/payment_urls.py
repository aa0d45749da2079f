"""Whether a payment URL from the service may be offered to people: text from the service is hostile until judged."""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urlsplit

MAX_LENGTH = 2000


def is_loopback(host: str | None) -> bool:
    """Whether a host name is one's own machine."""
    if host is None:
        return False
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def problem_of(url: str, page_base: str | None = None) -> str | None:
    """Say why a payment URL must not be followed, copied or shared, or None when it may.

    It has to be https (http on one's own machine) without credentials, and under `page_base` where one is configured.
    """
    if len(url) > MAX_LENGTH or not url.isascii() or not url.isprintable() or set(url) & set(' "<>\\^`{|}'):
        return "This address is not a well-formed web address."
    parts = _split(url)
    if parts is None or not parts.hostname:
        return "This address is not a well-formed web address."
    if parts.username is not None or parts.password is not None:
        return "This address carries a user name, which a payment page never does."
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
        return "This address is not a secure (https) one."
    if page_base is not None and not _is_under(parts, page_base):
        return "This address is not on the configured payment page."
    return None


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # Reading it raises for a port that is none.
    except ValueError:
        return None
    return parts


def _is_under(parts: SplitResult, page_base: str) -> bool:
    base = urlsplit(page_base)
    same_place = (parts.scheme, parts.hostname, parts.port) == (base.scheme, base.hostname, base.port)
    steps = parts.path.split("/")
    return same_place and ".." not in steps and parts.path.startswith(base.path.rstrip("/") + "/")
