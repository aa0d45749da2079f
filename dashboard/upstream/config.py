"""Configure how the service is reached."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from dashboard.upstream.secret import SecretSource


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """Hold address, secret, times (seconds) and sizes (bytes). Raises ValueError when the address is unusable.

    A deadline covers the whole call: name resolution, connecting, sending, reading, and for reads the further tries
    with the delays between them.
    """

    base_url: str
    secret: SecretSource
    prefix: str = "/api/v1/staging"
    connect_timeout: float = 3.0
    create_deadline: float = 30.0
    search_deadline: float = 20.0
    refresh_deadline: float = 45.0  #: A search with `bypassCache`.
    status_deadline: float = 10.0
    lookup_deadline: float = 10.0
    answer_limit: int = 2_000_000
    search_answer_limit: int = 16_000_000
    tries: int = 3  #: Attempts of a read, including the first.
    retry_base: float = 0.5
    retry_cap: float = 8.0
    retry_after_limit: float = 86_400.0  #: Longest Retry-After that is believed: allowances last a day.
    pool_size: int = 64  #: Idle connections per session; more may be open at once.
    ca_file: str | None = None  #: Certificates to trust instead of the public ones.

    def __post_init__(self) -> None:
        address = urlsplit(self.base_url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError("the service's address must be an http or https URL")
        if address.username is not None or address.password is not None:
            raise ValueError("the service's address must not hold a name or password")
        if address.query or address.fragment:
            raise ValueError("the service's address must not have a query or a fragment")

    def url(self, path: str) -> str:
        """Return the full address of an endpoint; `path` starts with a slash."""
        prefix = self.prefix.strip("/")
        return self.base_url.rstrip("/") + (f"/{prefix}" if prefix else "") + path
