"""Send one request and read one answer, once: no retry, no redirect, no proxy, nothing from the environment.

The outcome is a plain `Result`. Nothing is raised for a failure, because the libraries' exceptions hold the request
with its headers; they end here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from enum import Enum, auto
from http.cookiejar import DefaultCookiePolicy
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import requests
import urllib3
from requests.adapters import HTTPAdapter
from requests.structures import CaseInsensitiveDict
from urllib3.util.retry import Retry

from dashboard.upstream.config import ServiceConfig
from dashboard.upstream.connection import Attempt, GuardedHTTPPool, GuardedHTTPSPool
from dashboard.upstream.secret import Bearer, SecretUnavailable

_CHUNK = 65_536


class Kind(Enum):
    """Classify an attempt by its phase, not by the class of an exception (link-creation, step 4)."""

    ANSWERED = auto()  #: Status and headers are whole; for a 200 the body too.
    NO_SECRET = auto()  #: Nothing sent: there is no usable secret.
    WITHHELD = auto()  #: Nothing sent: `before_send` raised.
    NOT_CONNECTED = auto()  #: Nothing sent: the host was not resolved or not reached.
    INSECURE = auto()  #: Nothing sent: TLS failed.
    TIMED_OUT = auto()  #: Sent, and no byte came back in time.
    SLOW = auto()  #: Sent, and an answer began that did not end in time.
    CUT = auto()  #: Sent, and the connection ended before an answer, or within its body.
    HEAD_CUT = auto()  #: Sent, and the connection ended within the headers.
    TOO_LARGE = auto()
    MALFORMED = auto()  #: Not HTTP, or not in its stated encoding.


@dataclass(frozen=True, slots=True)
class Result:
    """Hold the outcome of one attempt; `size` is how many bytes of the body were read from the wire."""

    kind: Kind
    sent: bool
    reason: str = ""
    status: int | None = None
    body: bytes = field(default=b"", repr=False)
    size: int = 0
    service_time: datetime | None = None
    retry_after: float | None = None
    withheld: BaseException | None = field(default=None, repr=False)


class Transport:
    """Hold three sessions by intent: searches, other reads, and a new one for every creation (link-creation, I2).

    A creation gets a fresh connection, because a pooled one that the service has just closed fails like one that broke
    after delivery. Redirects are ignored, because the library would read their bodies without a limit.
    """

    def __init__(self, config: ServiceConfig) -> None:
        self._config = config
        self._reads = _Session(config)
        self._searches = _Session(config)

    def read(self, url: str, *, seconds: float, limit: int) -> Result:
        """Send a GET over a pooled connection."""
        return self._perform(self._reads, requests.Request("GET", url), seconds, limit)

    def search(self, url: str, body: bytes, *, seconds: float, limit: int) -> Result:
        """Send the POST of a search over a pooled connection."""
        return self._perform(self._searches, _post(url, body), seconds, limit)

    def create(self, url: str, body: bytes, *, seconds: float, limit: int, before_send: Callable[[], None]) -> Result:
        """Send the POST of a creation over a connection of its own; `before_send` may still stop it once connected."""
        with _Session(self._config) as session:
            session.headers["Connection"] = "close"
            return self._perform(session, _post(url, body), seconds, limit, before_send)

    def close(self) -> None:
        """Close the pooled connections."""
        self._reads.close()
        self._searches.close()

    def _perform(
        self,
        session: requests.Session,
        request: requests.Request,
        seconds: float,
        limit: int,
        before_send: Callable[[], None] | None = None,
    ) -> Result:
        attempt = Attempt(seconds, self._config.connect_timeout, before_send)
        answer = _Answer(limit, self._config.retry_after_limit)
        kind, reason = Kind.ANSWERED, ""
        try:
            with attempt:
                # The watchdog ends silence after `seconds`; the library's own read timeout is a second guard.
                timeout = (max(0.001, min(seconds, self._config.connect_timeout)), max(0.0, seconds) + 1.0)
                response = session.send(
                    session.prepare_request(request), stream=True, timeout=timeout, allow_redirects=False, proxies={}
                )
                try:
                    answer.take(response)
                finally:
                    response.raw.close()  # An answer read to its end has returned its connection already.
        except SecretUnavailable as error:
            kind, reason = Kind.NO_SECRET, str(error)
        except _TooLarge:
            kind, reason = Kind.TOO_LARGE, f"larger than {limit} bytes"
        except Exception as error:
            kind, reason = _classify(attempt, answer.status, error), _root(error)
        return Result(
            kind=kind,
            sent=attempt.sent,
            reason=reason,
            status=answer.status,
            body=answer.body,
            size=answer.size,
            service_time=answer.service_time,
            retry_after=answer.retry_after,
            withheld=attempt.withheld,
        )


def _classify(attempt: Attempt, status: int | None, error: Exception) -> Kind:
    """Classify an exception by how far the attempt had come."""
    if attempt.withheld is not None:
        return Kind.WITHHELD
    if not attempt.sent:
        return Kind.INSECURE if attempt.insecure else Kind.NOT_CONNECTED
    if attempt.expired or isinstance(error, requests.Timeout | urllib3.exceptions.TimeoutError):
        return Kind.SLOW if attempt.began else Kind.TIMED_OUT
    if not attempt.began:
        return Kind.CUT
    if attempt.head_cut:
        return Kind.HEAD_CUT
    # The body is not in its stated encoding, or the head is not HTTP that the library can read.
    unreadable = isinstance(error, urllib3.exceptions.DecodeError) or status is None
    return Kind.MALFORMED if unreadable else Kind.CUT


def _root(error: BaseException) -> str:
    """Return the class name of the innermost cause; messages of exceptions may quote what was sent or received."""
    for _ in range(10):
        inner = (getattr(error, "reason", None), *error.args[:1], error.__cause__, error.__context__)
        error = next((cause for cause in inner if isinstance(cause, BaseException)), error)
    return type(error).__name__


class _TooLarge(Exception):
    pass


class _Answer:
    """Read an answer. Error bodies are not documented, so only the body of a 200 is read."""

    def __init__(self, limit: int, retry_after_limit: float) -> None:
        self._limit = limit
        self._retry_after_limit = retry_after_limit
        self.status: int | None = None
        self.body = b""
        self.size = 0
        self.service_time: datetime | None = None
        self.retry_after: float | None = None

    def take(self, response: requests.Response) -> None:
        """Read status, headers and body. Raises _TooLarge once the decoded body, or its stated length, is too large."""
        self.status = response.status_code
        self.service_time = _date(response.headers.get("Date"))
        self.retry_after = _retry_after(response.headers, self.service_time, self._retry_after_limit)
        if self.status != 200:
            return
        raw: urllib3.HTTPResponse = response.raw
        if raw.length_remaining is not None and raw.length_remaining > self._limit:
            raise _TooLarge
        chunks, length = [], 0
        try:
            # Bounded decoding: no more than a chunk is unpacked at a time, however well it was packed.
            while chunk := raw.read(_CHUNK, decode_content=True):
                length += len(chunk)
                if length > self._limit:
                    raise _TooLarge
                chunks.append(chunk)
        finally:
            self.size = raw.tell()
        self.body = b"".join(chunks)


def _post(url: str, body: bytes) -> requests.Request:
    return requests.Request("POST", url, data=body, headers={"Content-Type": "application/json"})


class GuardedAdapter(HTTPAdapter):
    """Connect within the `Attempt` of the thread, which bounds the time of the whole call."""

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": GuardedHTTPPool, "https": GuardedHTTPSPool}


class _Session(requests.Session):
    def __init__(self, config: ServiceConfig) -> None:
        super().__init__()
        self.trust_env = False  # No proxies, no .netrc, no certificate bundle from the environment.
        self.auth = Bearer(config.secret)
        self.verify = config.ca_file or True
        self.headers = CaseInsensitiveDict(
            {"User-Agent": _USER_AGENT, "Accept": "application/json", "Accept-Encoding": "identity"}
        )
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        adapter = GuardedAdapter(
            pool_connections=1, pool_maxsize=config.pool_size, pool_block=False, max_retries=Retry(0)
        )
        self.adapters.clear()
        self.mount("https://", adapter)
        self.mount("http://", adapter)

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        return None


def _date(value: str | None) -> datetime | None:
    """Parse an HTTP date as aware UTC."""
    try:
        when = parsedate_to_datetime(value or "")
        when = when.replace(tzinfo=UTC) if when.tzinfo is None else when.astimezone(UTC)
    except (ValueError, OverflowError, IndexError, TypeError):
        return None
    return when if 1990 <= when.year <= 2100 else None


def _retry_after(headers: Mapping[str, str], service_time: datetime | None, limit: float) -> float | None:
    """Return the seconds of Retry-After, given as seconds or as a date (by the service's own clock), 0 to `limit`."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return min(float(value[:12]), limit)
    when = _date(value)
    if when is None:
        return None
    return min(max(0.0, (when - (service_time or datetime.now(UTC))).total_seconds()), limit)


def _user_agent() -> str:
    try:
        return f"challan-dashboard/{version('challan-dashboard')}"
    except PackageNotFoundError:
        return "challan-dashboard"


_USER_AGENT = _user_agent()
