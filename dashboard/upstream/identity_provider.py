"""Talk to an OpenID Connect provider: discovery, keys, and the exchange of a code for an ID token, verified here.

Each answer is bounded in time and size, no redirect is followed, and only https is spoken, except on this machine.
"""

from __future__ import annotations

import hmac
import http.client
import json
import re
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256, sha384, sha512
from typing import Any
from urllib.parse import urlencode, urlsplit

import requests
import urllib3
from authlib.oauth2.rfc7636 import create_s256_code_challenge  # type: ignore[import-untyped]  # Authlib has no types.
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from dashboard.domain.payment_urls import is_loopback
from dashboard.upstream.connection import Attempt, Withheld
from dashboard.upstream.transport import GuardedAdapter

_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512"]
_LARGEST = 256 * 1024
_CONNECT_SECONDS, _ALL_SECONDS = 3.0, 8.0
#: Discovery and keys are read again after an hour; unknown keys at once, but not more often than every 30 s.
_FRESH_SECONDS, _LEAST_SECONDS = 3600.0, 30.0
#: A provider that was away is not asked again at once: each caller waits for the others under the lock.
_AWAY_SECONDS = 3.0
#: Clocks of two machines differ a little.
_LEEWAY_SECONDS = 60
#: OpenID Connect Core, section 2: a subject has at most 255 ASCII characters.
_SUBJECT = r"[ -~]{1,255}"
_HASHES = {"256": sha256, "384": sha384, "512": sha512}


class ProviderAway(Exception):
    """Report that the provider did not answer, or not with what the protocol asks for; `str()` is for the log."""


class TokenRefused(Exception):
    """Report an ID token that cannot be trusted; `str()` is for the log, and holds no part of it."""


@dataclass(frozen=True, slots=True)
class Client:
    """Name the provider and ourselves there. `issuer` has no slash at its end."""

    issuer: str
    client_id: str
    secret: str = field(repr=False)


class IdentityProvider:
    def __init__(self, client: Client) -> None:
        self.client = client
        self._lock = threading.Lock()
        self._discovered: tuple[float, Mapping[str, Any]] | None = None
        self._keys: tuple[float, KeySet] | None = None
        self._away_until = 0.0

    def authorization_address(self, callback: str, *, state: str, nonce: str, verifier: str) -> str:
        """Return where a browser signs in. Raises ProviderAway."""
        address = self._endpoint("authorization_endpoint")
        query = {
            "response_type": "code",
            "client_id": self.client.client_id,
            "redirect_uri": callback,
            "scope": "openid email profile",
            "state": state,
            "nonce": nonce,
            "code_challenge": create_s256_code_challenge(verifier),
            "code_challenge_method": "S256",
        }
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    def claims_for(self, code: str, callback: str, *, nonce: str, verifier: str, now: datetime) -> Mapping[str, Any]:
        """Exchange a code, and return the claims of its verified ID token. Raises ProviderAway or TokenRefused."""
        fields = {
            "grant_type": "authorization_code",
            "code": code,
            "redirect_uri": callback,
            "code_verifier": verifier,
            "client_id": self.client.client_id,
            "client_secret": self.client.secret,
        }
        answer = _ask("POST", self._endpoint("token_endpoint"), fields)
        token = answer.get("id_token")
        if not isinstance(token, str):
            raise ProviderAway("the answer to the code holds no ID token")
        claims, algorithm = self._verified(token)
        self._check(claims, nonce, now)
        _check_access_token(claims.get("at_hash"), answer.get("access_token"), algorithm)
        return claims

    def _verified(self, token: str) -> tuple[Mapping[str, Any], str]:
        """Return the claims of a token whose signature is right, and the algorithm of it. Raises TokenRefused."""
        for again in (False, True):
            try:
                found = jwt.decode(token, self._key_set(unknown_key=again), algorithms=_ALGORITHMS)
                return found.claims, str(found.header["alg"])
            except (JoseError, ValueError, KeyError, TypeError) as error:
                # The keys may have been rotated since they were read.
                if again:
                    raise TokenRefused(f"the signature of the ID token is not valid: {type(error).__name__}") from None
        raise AssertionError

    def _check(self, claims: Mapping[str, Any], nonce: str, now: datetime) -> None:
        audience = claims.get("aud")
        audiences = [audience] if isinstance(audience, str) else audience
        at = now.timestamp()
        expires, issued = claims.get("exp"), claims.get("iat")
        if str(claims.get("iss", "")).rstrip("/") != self.client.issuer:
            raise TokenRefused("the ID token is of another issuer")
        if not isinstance(audiences, list) or self.client.client_id not in audiences:
            raise TokenRefused("the ID token is for another client")
        if len(audiences) > 1 and claims.get("azp") != self.client.client_id:
            raise TokenRefused("the ID token was issued to another client")
        if not isinstance(expires, int | float) or not expires >= at - _LEEWAY_SECONDS:
            raise TokenRefused("the ID token has expired")
        if not isinstance(issued, int | float) or not issued <= at + _LEEWAY_SECONDS:
            raise TokenRefused("the ID token is dated ahead")
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode("utf-8", "replace"), nonce.encode()):
            raise TokenRefused("the ID token has another nonce")
        subject = claims.get("sub")
        if not isinstance(subject, str) or not re.fullmatch(_SUBJECT, subject):
            raise TokenRefused("the ID token names nobody")

    def _endpoint(self, name: str) -> str:
        address = self._metadata().get(name)
        if not isinstance(address, str) or not _is_safe(address):
            raise ProviderAway(f"{name} is missing, or not https")
        return address

    def _metadata(self) -> Mapping[str, Any]:
        with self._lock:
            if self._discovered is None or time.monotonic() - self._discovered[0] > _FRESH_SECONDS:
                found = self._read(f"{self.client.issuer}/.well-known/openid-configuration")
                if str(found.get("issuer", "")).rstrip("/") != self.client.issuer:
                    raise ProviderAway("the provider names another issuer")
                self._discovered = (time.monotonic(), found)
            return self._discovered[1]

    def _key_set(self, *, unknown_key: bool) -> KeySet:
        address = self._endpoint("jwks_uri")
        with self._lock:
            age = time.monotonic() - self._keys[0] if self._keys else None
            if self._keys is None or age is None or age > (_LEAST_SECONDS if unknown_key else _FRESH_SECONDS):
                answer = self._read(address)
                try:
                    self._keys = (time.monotonic(), KeySet.import_key_set(answer))  # type: ignore[arg-type]  # It refuses any other JSON.
                except (JoseError, ValueError, KeyError, TypeError) as error:
                    raise ProviderAway(f"its keys cannot be read: {type(error).__name__}") from None
            return self._keys[1]

    def _read(self, address: str) -> Mapping[str, Any]:
        """Read a public document of the provider, under the lock. Raises ProviderAway."""
        if time.monotonic() < self._away_until:
            raise ProviderAway("it was away a moment ago")
        try:
            return _ask("GET", address)
        except ProviderAway:
            self._away_until = time.monotonic() + _AWAY_SECONDS
            raise


class _Session(requests.Session):
    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False  # No proxies and no .netrc of the environment.
        self.headers.update({"Accept": "application/json", "Accept-Encoding": "identity"})
        self.mount("https://", GuardedAdapter())
        self.mount("http://", GuardedAdapter())

    def get_redirect_target(self, resp: requests.Response) -> str | None:
        return None  # Never followed, and its body, which has no limit, is not read either.


def _ask(method: str, address: str, fields: Mapping[str, str] | None = None) -> Mapping[str, Any]:
    """Return the object that the provider answers with. Raises ProviderAway, or TokenRefused for refused fields."""
    body = b""
    try:
        with Attempt(_ALL_SECONDS, _CONNECT_SECONDS), _Session() as session:
            request = session.prepare_request(requests.Request(method, address, data=fields))
            timeout = (_CONNECT_SECONDS, _ALL_SECONDS)
            answer = session.send(request, timeout=timeout, allow_redirects=False, stream=True, proxies={})
            if fields and 400 <= answer.status_code < 500:
                raise TokenRefused(f"the provider answered the code with {answer.status_code}")
            if answer.status_code != 200:
                raise ProviderAway(f"it answered {answer.status_code}")
            for part in answer.iter_content(16 * 1024):
                body += part
                if len(body) > _LARGEST:
                    raise ProviderAway("its answer is too large")
        found = json.loads(body)
    except (OSError, http.client.HTTPException, urllib3.exceptions.HTTPError, Withheld) as error:
        raise ProviderAway(type(error).__name__) from None
    except (ValueError, RecursionError) as error:
        raise ProviderAway(f"its answer cannot be read: {type(error).__name__}") from None
    if not isinstance(found, dict):
        raise ProviderAway("its answer is no object")
    return found


def _check_access_token(stated: Any, token: Any, algorithm: str) -> None:
    """Make sure that the access token beside an ID token, if its hash is stated, belongs to it. Raises TokenRefused."""
    if stated is None:
        return
    digest = _HASHES[algorithm[-3:]](str(token).encode("utf-8", "replace")).digest()
    half = urlsafe_b64encode(digest[: len(digest) // 2]).rstrip(b"=")
    if not hmac.compare_digest(str(stated).encode("utf-8", "replace"), half):
        raise TokenRefused("the ID token is for another access token")


def _is_safe(address: str) -> bool:
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))
