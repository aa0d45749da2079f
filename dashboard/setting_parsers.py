"""Parsers of settings: text of an environment variable to its value. A ValueError ends the sentence "<NAME> …"."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from babel.numbers import is_currency
from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from dashboard.domain.payment_urls import is_loopback
from dashboard.domain.roles import Role

#: Random text of 16 characters has more, also when it is hexadecimal.
_LEAST_DIFFERENT = 6
_HOST = re.compile(r"\.?[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?|\[?[0-9A-Fa-f:.]+\]?")


@dataclass(frozen=True, slots=True)
class Listen:
    host: str
    port: int

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def url(text: str) -> str:
    """Parse an address without user, query or fragment, drop its last slash; http is for this machine only."""
    try:
        parts = urlsplit(text)
        host, _port = parts.hostname, parts.port
    except ValueError:
        raise ValueError("is not a URL") from None
    if "@" in parts.netloc:
        raise ValueError("must not hold a user or a password")
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError("is not an http or https URL with a host")
    if not text.isascii() or re.search(r"[\s\\]", text):
        raise ValueError("holds a character that no URL has")
    if parts.scheme == "http" and not is_loopback(host):
        raise ValueError("must begin with https://; http:// is accepted on a loopback address only")
    if "?" in text or "#" in text:
        raise ValueError("must not hold a query or a fragment")
    return text.rstrip("/")


def prefix(text: str) -> str:
    if not re.fullmatch(r"(/[A-Za-z0-9._~-]+)*/?", text) or not text.startswith("/") or ".." in text:
        raise ValueError("is not a path such as /api/v1/staging; / stands for none")
    return text.rstrip("/")


def header_value(text: str) -> str:
    # A space or a line break would fail in a header, or end it early.
    if not re.fullmatch(r"[!-~]+", text):
        raise ValueError("holds a space or a character that cannot be sent in a header")
    return text


def secret_key(text: str) -> str:
    return _unguessable(text, 32)


def email(text: str) -> str:
    # No display name and no list of addresses: what stands here becomes the recipient of a mailto link.
    if not re.fullmatch(r"[A-Za-z0-9._%+'-]{1,64}@([A-Za-z0-9-]+\.)+[A-Za-z0-9-]{2,}", text) or len(text) > 254:
        raise ValueError("is not an e-mail address, for example support@service.example")
    return text


def metrics_token(text: str) -> str:
    return _unguessable(header_value(text), 16)


def _unguessable(text: str, least: int) -> str:
    if len(text) < least:
        raise ValueError(f"is shorter than {least} characters")
    if len(set(text)) < _LEAST_DIFFERENT:
        raise ValueError(f"has fewer than {_LEAST_DIFFERENT} different characters, so it is no random text")
    return text


def database_url(text: str) -> str:
    try:
        address = make_url(text)
    except ArgumentError:
        raise ValueError("is not an SQLAlchemy URL") from None
    if address.drivername in ("postgres", "postgresql"):
        address = address.set(drivername="postgresql+psycopg")
    if address.drivername not in ("sqlite", "sqlite+pysqlite", "postgresql+psycopg"):
        raise ValueError("names neither SQLite nor PostgreSQL (sqlite:///file or postgresql://host/name)")
    if address.get_backend_name() == "sqlite":
        if address.database in (None, "", ":memory:") or "mode" in address.query:
            raise ValueError("must name a file: a database in memory would be gone at the next start")
        address = address.set(database=str(Path(str(address.database)).absolute()))
    return address.render_as_string(hide_password=False)


def folder(text: str) -> Path:
    path = Path(text).expanduser().absolute()
    if path.exists() and not path.is_dir():
        raise ValueError(f"is not a folder: {path}")
    return path


def listen(text: str) -> Listen:
    host, colon, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    if not colon or not host or not port.isascii() or not port.isdigit() or not 1 <= int(port) <= 65535:
        raise ValueError("is not host:port, for example 127.0.0.1:8000")
    if not _HOST.fullmatch(host):
        raise ValueError("does not begin with the name or the address of a host")
    return Listen(host, int(port))


def timezone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ValueError, OSError, KeyError):  # Absolute paths, folders of zones, unknown names.
        raise ValueError("is not the name of a time zone, for example Asia/Kolkata") from None


def currency(text: str) -> str:
    if not is_currency(text):
        raise ValueError("is not a currency code of three letters, for example INR")
    return text


def flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError("is neither 0 nor 1")
    return text == "1"


def plain_text(text: str) -> str:
    if not text.isprintable() or len(text) > 200:
        raise ValueError("is not a short text on one line")
    return text


def roles(text: str) -> dict[str, str]:
    """Parse what the values of a claim stand for: "fleet-admins=admin, fleet-clerks=staff"."""
    pairs = [part.partition("=") for part in text.split(",") if part.strip()]
    try:
        return {value.strip(): str(Role(role.strip())) for value, _, role in pairs}
    except ValueError:
        raise ValueError(f"is not a list such as group={Role.ADMIN}, with roles of {', '.join(Role)}") from None


def hosts(text: str) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    if not names or not all(_HOST.fullmatch(name) for name in names):
        raise ValueError("is not a list of host names separated by commas, without ports")
    return names


def level(text: str) -> str:
    if text.upper() not in ("DEBUG", "INFO", "WARNING", "ERROR"):
        raise ValueError("is not one of DEBUG, INFO, WARNING, ERROR")
    return text.upper()


def log_format(text: str) -> str:
    if text.lower() not in ("json", "text"):
        raise ValueError("is neither json nor text")
    return text.lower()


def number(low: float, high: float) -> Callable[[str], float]:
    def parse(text: str) -> float:
        # float() also takes "nan", "1e3" and "1_0".
        if not re.fullmatch(r"\d+(\.\d+)?", text, re.ASCII) or not low <= float(text) <= high:
            raise ValueError(f"is not a number from {low:g} to {high:g}")
        return float(text)

    return parse


def whole(low: int, high: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not low <= int(text) <= high:
            raise ValueError(f"is not a whole number from {low} to {high}")
        return int(text)

    return parse


def seconds(low: float, high: float) -> Callable[[str], timedelta]:
    parse = number(low, high)
    return lambda text: timedelta(seconds=parse(text))


def minutes(low: float, high: float) -> Callable[[str], timedelta]:
    parse = number(low, high)
    return lambda text: timedelta(minutes=parse(text))


def hours(low: float, high: float) -> Callable[[str], timedelta]:
    parse = number(low, high)
    return lambda text: timedelta(hours=parse(text))


def days(low: int, high: int) -> Callable[[str], timedelta]:
    parse = whole(low, high)
    return lambda text: timedelta(days=parse(text))
