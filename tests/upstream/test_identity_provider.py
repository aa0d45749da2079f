"""Test the client of an identity provider: which tokens it trusts, and what it makes of odd answers."""

from __future__ import annotations

import hmac
import json
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import UTC, datetime
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from joserfc import jwt
from joserfc.jwk import KeySet, RSAKey

from dashboard.upstream import identity_provider
from dashboard.upstream.identity_provider import Client, IdentityProvider, ProviderAway, TokenRefused

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
GOOD = {"iss": "https://id.example", "aud": "us", "sub": "s", "nonce": "n", "exp": NOW.timestamp() + 60, "iat": 0}


@pytest.mark.parametrize(
    "change",
    [
        {"iss": "https://evil.example"},
        {"aud": "others"},
        {"aud": ["us", "others"]},
        {"aud": ["us", "others"], "azp": "others"},
        {"aud": None},
        {"exp": NOW.timestamp() - 61},
        {"exp": "tomorrow"},
        {"iat": NOW.timestamp() + 61},
        {"nonce": "other"},
        {"nonce": None},
        {"sub": ""},
        {"sub": 5},
        {"sub": "s" * 256},
        {"sub": "s\x00"},
        {"exp": float("nan")},
    ],
)
def test_a_token_with_another_claim_is_not_trusted(change: dict[str, Any]) -> None:
    found = IdentityProvider(Client("https://id.example", "us", "secret"))
    found._check(GOOD, "n", NOW)
    with pytest.raises(TokenRefused):
        found._check(GOOD | change, "n", NOW)


@pytest.fixture(scope="module")
def key() -> RSAKey:
    return RSAKey.generate_key(2048, {"kid": "k"})


@pytest.fixture
def with_key(key: RSAKey) -> IdentityProvider:
    """Return the client of a provider whose documents were read a moment ago."""
    found = IdentityProvider(Client("https://id.example", "us", "secret"))
    found._discovered = (time.monotonic(), {"jwks_uri": "https://id.example/keys"})
    found._keys = (time.monotonic(), KeySet.import_key_set({"keys": [key.as_dict(private=False)]}))
    return found


def part(content: bytes) -> str:
    return urlsafe_b64encode(content).decode().rstrip("=")


def test_only_a_signature_by_a_key_of_the_provider_is_trusted(with_key: IdentityProvider, key: RSAKey) -> None:
    right = jwt.encode({"alg": "RS256", "kid": "k"}, GOOD, key, algorithms=["RS256"])
    assert with_key._verified(right) == (GOOD, "RS256")
    other = jwt.encode({"alg": "RS256", "kid": "k"}, GOOD, RSAKey.generate_key(2048), algorithms=["RS256"])
    body = right.split(".")[1]
    unsigned = f"{part(json.dumps({'alg': 'none', 'kid': 'k'}).encode())}.{body}."
    to_sign = f"{part(json.dumps({'alg': 'HS256', 'kid': 'k'}).encode())}.{body}"
    by_public_key = f"{to_sign}.{part(hmac.digest(key.as_pem(private=False), to_sign.encode(), 'sha256'))}"
    for token in (other, by_public_key, unsigned, right[:-8], "", "a.b.c"):
        with pytest.raises(TokenRefused):
            with_key._verified(token)


def test_an_access_token_beside_has_the_hash_that_is_stated() -> None:
    half = part(sha256(b"token").digest()[:16])
    identity_provider._check_access_token(half, "token", "RS256")
    identity_provider._check_access_token(None, "token", "RS256")
    for stated, token in ((half, "other"), (half, None), ("", "token"), (5, "token")):
        with pytest.raises(TokenRefused):
            identity_provider._check_access_token(stated, token, "RS256")


class _Odd(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        kind = self.path.split("/")[1]
        self.send_response(302 if kind == "redirect" else 200)
        if kind == "redirect":
            self.send_header("Location", "http://127.0.0.1:1/")
        self.end_headers()
        issuer = f"http://localhost:{self.server.server_address[1]}/{kind}"
        body = {
            "large": b"[" + b"1," * 400_000,
            "words": b"<p>no JSON</p>",
            "list": b"[]",
            "other": b'{"issuer": "https://evil.example"}',
            "plain": b'{"issuer": "%s", "authorization_endpoint": "http://id.example/"}' % issuer.encode(),
        }.get(kind, b"{}")
        if kind == "slow":
            while not self.server.is_over.wait(0.02):  # type: ignore[attr-defined]  # A server of this test.
                self.wfile.write(b" ")
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        return


@pytest.fixture
def odd() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Odd)
    server.is_over = threading.Event()  # type: ignore[attr-defined]  # A server of this test.
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://localhost:{server.server_address[1]}"
    server.is_over.set()  # type: ignore[attr-defined]  # A server of this test.
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("kind", ["redirect", "large", "words", "list", "other", "plain"])
def test_an_odd_provider_is_as_good_as_away(odd: str, kind: str) -> None:
    found = IdentityProvider(Client(f"{odd}/{kind}", "us", "secret"))
    with pytest.raises(ProviderAway):
        found.authorization_address("http://localhost/", state="s", nonce="n", verifier="v" * 43)


def test_an_answer_that_does_not_end_is_cut_off(odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity_provider, "_ALL_SECONDS", 0.3)
    found = IdentityProvider(Client(f"{odd}/slow", "us", "secret"))
    for words in ("", "a moment ago"):  # The next caller does not wait as well.
        with pytest.raises(ProviderAway, match=words):
            found.authorization_address("http://localhost/", state="s", nonce="n", verifier="v" * 43)
