"""Decide whether a payment URL from the service may be offered to people. It is hostile text until it has passed."""

from __future__ import annotations

import ipaddress
from enum import Enum, auto
from urllib.parse import SplitResult, urlsplit

MAX_LENGTH = 2000


def is_loopback(host: str | None) -> bool:
    """Return whether a host name is this machine."""
    if host is None:
        return False
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class UrlProblem(Enum):
    """List the reasons why a payment URL must not be followed, copied or shared."""

    MALFORMED = auto()
    WITH_CREDENTIALS = auto()
    NOT_SECURE = auto()
    NOT_ON_PAYMENT_PAGE = auto()


def problem_of(url: str, page_base: str | None = None) -> UrlProblem | None:
    """Return why a payment URL must not be followed, copied or shared; None when it may.

    It must be https (http on this machine) without credentials, and under `page_base` where one is configured.
    """
    if len(url) > MAX_LENGTH or not url.isascii() or not url.isprintable() or set(url) & set(' "<>\\^`{|}'):
        return UrlProblem.MALFORMED
    parts = _split(url)
    if parts is None or not parts.hostname:
        return UrlProblem.MALFORMED
    if parts.username is not None or parts.password is not None:
        return UrlProblem.WITH_CREDENTIALS
    if parts.scheme != "https" and not (parts.scheme == "http" and is_loopback(parts.hostname)):
        return UrlProblem.NOT_SECURE
    if page_base is not None and not _is_under(parts, page_base):
        return UrlProblem.NOT_ON_PAYMENT_PAGE
    return None


def _split(url: str) -> SplitResult | None:
    try:
        parts = urlsplit(url)
        _ = parts.port  # Raises ValueError for a port out of range.
    except ValueError:
        return None
    return parts


def _is_under(parts: SplitResult, page_base: str) -> bool:
    base = urlsplit(page_base)
    same_place = (parts.scheme, parts.hostname, parts.port) == (base.scheme, base.hostname, base.port)
    steps = parts.path.split("/")
    return same_place and ".." not in steps and parts.path.startswith(base.path.rstrip("/") + "/")
