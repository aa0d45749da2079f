"""Read the organization's API secret (section 5), and hide it from logs, errors and representations.

A secret is replaced while the program runs (its deletion "makes existing integrations fail immediately"), so its file
is checked on every use and read again when it has changed.
"""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path
from typing import NoReturn, Self

from requests import PreparedRequest
from requests.auth import AuthBase

_MAX_BYTES = 16_384
_BEARER = re.compile(r"[!-~]+")
#: The fingerprint of a secret that cannot be read; it differs from every real one, so a repaired file is noticed.
UNREADABLE = "unreadable"


class SecretUnavailable(ValueError):
    """Raised when there is no usable secret; `str()` says why and contains none of its characters."""


class SecretSource:
    """Give a secret set literally, or in a file that is read again when its time, size or inode changes.

    `str()` and `repr()` name the source and never the secret. Safe for use by many threads.
    """

    __slots__ = ("_cached", "_path")

    def __init__(self, path: Path | None, cached: tuple[tuple[int, ...], str] | None) -> None:
        self._path = path
        #: (version of the file, secret): one tuple, so that threads see both or neither.
        self._cached = cached

    @classmethod
    def literal(cls, value: str) -> Self:
        """Use this secret. Raises SecretUnavailable when it is empty or unfit for a header."""
        return cls(None, ((), _checked(value, "the secret")))

    @classmethod
    def file(cls, path: str | os.PathLike[str]) -> Self:
        """Read the secret from this file, on first use and whenever it changes. Nothing is read here."""
        return cls(Path(path), None)

    def read(self) -> str:
        """Return the secret as it is now. Raises SecretUnavailable when the file is missing, empty or malformed."""
        if self._path is None:
            assert self._cached is not None
            return self._cached[1]
        name = f"the secret file {self._path}"
        try:
            version = _version(os.stat(self._path))
            cached = self._cached
            if cached is not None and cached[0] == version:
                return cached[1]
            with self._path.open("rb") as file:
                # The version is taken from the open file, so a replacement between the two calls is read next time.
                version = _version(os.fstat(file.fileno()))
                content = file.read(_MAX_BYTES + 1)
        except OSError as error:
            reason = error.strerror or type(error).__name__
        else:
            secret = _checked(content.decode("utf-8", "replace"), name)
            self._cached = (version, secret)
            return secret
        raise SecretUnavailable(f"{name} cannot be read: {reason}")

    @property
    def fingerprint(self) -> str:
        """Return 16 hex digits that identify the secret and may be stored; `UNREADABLE` when there is none."""
        try:
            secret = self.read()
        except SecretUnavailable:
            return UNREADABLE
        return hashlib.sha256(b"challan-dashboard api secret\0" + secret.encode()).hexdigest()[:16]

    def __repr__(self) -> str:
        return f"SecretSource({'literal' if self._path is None else str(self._path)})"

    __str__ = __repr__

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not to be pickled or copied")


class Bearer(AuthBase):
    """Put the secret on a request at the last moment (an `auth=` object, because a .netrc overrides a header)."""

    def __init__(self, secret: SecretSource) -> None:
        self._secret = secret

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        request.headers["Authorization"] = f"Bearer {self._secret.read()}"
        return request

    def __repr__(self) -> str:
        return f"Bearer({self._secret!r})"


def _version(status: os.stat_result) -> tuple[int, ...]:
    return (status.st_mtime_ns, status.st_size, status.st_ino)


def _checked(text: str, name: str) -> str:
    secret = text.strip()
    if not secret:
        raise SecretUnavailable(f"{name} is empty")
    if len(secret) > _MAX_BYTES:
        raise SecretUnavailable(f"{name} is too long")
    if not _BEARER.fullmatch(secret):
        raise SecretUnavailable(f"{name} holds characters that cannot stand in a header (spaces, line breaks, accents)")
    return secret
