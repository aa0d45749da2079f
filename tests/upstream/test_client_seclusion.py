"""Test that the client uses nothing of the environment, calls one host alone, and shows the secret in no text."""

from __future__ import annotations

import logging
import pickle
import ssl
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.errors import Operation, ServiceError, Unreachable, UnreadableAnswer
from dashboard.upstream import SecretSource, ServiceConfig
from tests.upstream.conftest import CANARY, WatchedClient
from tests.upstream.rude_server import (
    RudeServer,
    answer,
    close_after_reading,
    dripping,
    envelope,
    raw,
    respond,
    status,
)

LINK = "2b1d3c52-9d8c-4f3e-8a49-0c6f5a3f7e11"

Connect = Callable[..., WatchedClient]
Rude = Callable[..., RudeServer]


def create(client: WatchedClient, before_send: Callable[[], None] = lambda: None) -> object:
    return client.create_payment_link("MH12AB1001", [LINK], expiry_hours=24, before_send=before_send)


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect_is_never_followed_and_its_body_never_read(rude: Rude, connect: Connect, code: int) -> None:
    elsewhere = rude(answer([]))
    endless = dripping(b"x" * 1_000, at_once=f"HTTP/1.1 {code} Moved\r\nLocation: {elsewhere.url}/\r\n\r\n".encode())
    server = rude(endless)
    for call in (lambda client: client.list_locations(), lambda client: client.search_challans("X"), create):
        with pytest.raises(UnreadableAnswer, match="redirect") as caught:
            call(connect(server))
        assert caught.value.status == code
    assert elsewhere.peers == []


@pytest.mark.parametrize("location", ["http://[", "//", "\x00", "http://127.0.0.1:99999/", "x" * 60_000])
def test_a_redirect_to_nonsense_is_only_a_redirect(rude: Rude, connect: Connect, location: str) -> None:
    with pytest.raises(UnreadableAnswer, match="redirect"):
        connect(rude(status(302, f"Location: {location}"))).list_locations()


def test_proxies_and_netrc_of_the_environment_are_ignored(
    rude: Rude, connect: Connect, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    proxy, server = rude(status(502)), rude(answer([]))
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, proxy.url)
        monkeypatch.setenv(name.upper(), proxy.url)
    for name in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
    netrc = tmp_path / ".netrc"
    netrc.write_text("machine 127.0.0.1 login intruder password pass\ndefault login intruder password pass\n")
    netrc.chmod(0o600)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NETRC", str(netrc))
    connect(server).list_locations()
    server.close()
    assert proxy.peers == []
    assert server.requests[0].count(b"Authorization:") == 1
    assert f"Authorization: Bearer {CANARY}\r\n".encode() in server.requests[0]


def test_certificates_named_by_the_environment_are_not_trusted(
    rude: Rude, connect: Connect, tls: ssl.SSLContext, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE"):
        monkeypatch.setenv(name, str(certificate))
    server = rude(answer([]), tls=tls)
    client = connect(server)
    with pytest.raises(Unreachable) as caught:
        client.list_locations()
    server.close()
    assert caught.value.secure is False
    assert len(client.records) == 1  # A TLS failure is not tried again.
    assert server.received == b""


def test_a_certificate_for_another_host_is_not_trusted(
    rude: Rude, connect: Connect, tls: ssl.SSLContext, certificate: Path
) -> None:
    server = rude(answer([]), tls=tls)
    with pytest.raises(Unreachable) as caught:
        connect(server.url.replace("127.0.0.1", "localhost"), ca_file=str(certificate)).list_locations()
    assert (caught.value.secure, caught.value.sent) == (False, False)


def test_cookies_are_not_taken(rude: Rude, connect: Connect) -> None:
    server = rude(answer([], "Set-Cookie: a=b; Path=/"))
    client = connect(server)
    client.list_locations()
    client.list_locations()
    server.close()
    assert len(server.requests) == 2
    assert b"cookie" not in server.received.lower()


def test_requests_name_the_dashboard_and_accept_plain_json(rude: Rude, connect: Connect) -> None:
    server = rude(answer([]))
    connect(server).list_locations()
    server.close()
    lines = server.requests[0].split(b"\r\n")
    assert b"User-Agent: challan-dashboard/0.1.0" in lines
    assert b"Accept: application/json" in lines
    assert b"Accept-Encoding: identity" in lines


@pytest.mark.parametrize(
    "address",
    [
        "",
        "service.example",
        "ftp://service.example",
        "http://",
        "https://user:pass@service.example",
        "https://service.example/?a=b",
        "https://service.example/#a",
    ],
)
def test_an_address_that_cannot_be_a_service_is_refused_at_once(address: str) -> None:
    with pytest.raises(ValueError, match="address"):
        ServiceConfig(base_url=address, secret=SecretSource.literal("x"))


ECHO = f"Authorization: Bearer {CANARY}"
#: Ways to fail, several of which send the secret back.
FAILURES = {
    "refusal that echoes": raw(respond(ECHO.encode(), "401 Unauthorized", ECHO, "X-Echo: " + CANARY)),
    "reason that echoes": raw(f"HTTP/1.1 500 {CANARY}\r\n\r\n".encode()),
    "status line that echoes": raw(f"{CANARY}\r\n\r\n".encode()),
    "status that echoes": raw(f"HTTP/1.1 {CANARY}\r\n\r\n".encode()),
    "headers that make no sense": raw(f"HTTP/1.1 200 OK\r\n{CANARY}\r\nA: b\r\n\r\n{{}}".encode()),
    "lengths that echo": raw(f"HTTP/1.1 200 OK\r\nContent-Length: 1, 2, {CANARY}\r\n\r\n{{}}".encode()),
    "lengths that differ": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n{}"),
    "encoding that echoes": raw(respond(b"{}", "200 OK", f"Content-Encoding: gzip, {CANARY}")),
    "chunk that echoes": raw(f"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{CANARY}\r\n".encode()),
    "body that echoes": raw(respond(f'{{"success": true, "data": "{CANARY}"}}'.encode())),
    "HTML that echoes": raw(respond(f"<html>{CANARY}".encode())),
    "body cut": raw(respond(CANARY.encode() * 9)[:-3]),
    "redirect that echoes": status(302, f"Location: http://{CANARY}/"),
    "nothing": close_after_reading,
}


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> Iterator[pytest.LogCaptureFixture]:
    for name in ("", "urllib3", "urllib3.connection", "urllib3.connectionpool", "requests", "dashboard.upstream"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def texts_of(error: BaseException) -> str:
    """Return all that a trace, a log or a crash report could show of an error, with its frames' variables."""
    parts: list[str] = []
    seen: set[int] = set()
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        pending += [current.__cause__, current.__context__]
        parts += [str(current), repr(current), repr(vars(current)), repr(current.args)]
        parts += traceback.TracebackException.from_exception(current, capture_locals=False).format()
        # The test's own frame, at the top, knows the secret; every frame below it must not.
        frame = current.__traceback__.tb_next if current.__traceback__ is not None else None
        while frame is not None:
            parts.append(repr(frame.tb_frame.f_locals))
            frame = frame.tb_next
    return "\n".join(parts)


def texts_of_log(caplog: pytest.LogCaptureFixture) -> str:
    return "\n".join(f"{logging.Formatter().format(record)} {vars(record)!r}" for record in caplog.records)


@pytest.mark.parametrize("script", FAILURES.values(), ids=FAILURES)
def test_no_failure_shows_the_secret(
    rude: Rude, connect: Connect, everything_logged: pytest.LogCaptureFixture, script: Any
) -> None:
    for call in (lambda client: client.list_locations(), lambda client: client.search_challans("X"), create):
        client = connect(rude(script))
        with pytest.raises(ServiceError) as caught:
            call(client)
        assert CANARY not in texts_of(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__context__ is None
        assert CANARY not in repr(client.records) + repr(client) + str(client) + repr(client.config)
    assert CANARY not in texts_of_log(everything_logged)


def test_an_exception_of_the_caller_collects_no_frame_that_knows_the_secret(
    rude: Rude, connect: Connect, everything_logged: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise BrokenPipeError("db")

    with pytest.raises(BrokenPipeError) as caught:
        create(connect(rude(answer([]))), fail)
    assert CANARY not in texts_of(caught.value)
    assert CANARY not in texts_of_log(everything_logged)


def test_a_certificate_error_and_a_refused_connection_show_nothing(
    rude: Rude, connect: Connect, tls: ssl.SSLContext, closed_port: str, everything_logged: pytest.LogCaptureFixture
) -> None:
    for url in (rude(answer([]), tls=tls).url, closed_port):
        with pytest.raises(Unreachable) as caught:
            create(connect(url))
        assert CANARY not in texts_of(caught.value)
    assert CANARY not in texts_of_log(everything_logged)


def test_each_attempt_is_one_line_with_its_facts_and_no_text_of_the_service(
    rude: Rude, connect: Connect, everything_logged: pytest.LogCaptureFixture
) -> None:
    body = envelope({"rcNumber": "MH12AB1001", "challans": [], "note": "a text of the service"})
    client = connect(rude(status(502, body=b"a text of the service"), raw(respond(body))))
    client.search_challans("MH12AB1001")
    lines = [record for record in everything_logged.records if record.name == "dashboard.upstream"]
    facts = [
        {name: vars(line)[name] for name in ("operation", "group", "attempt", "sent", "status", "class", "bytes")}
        for line in lines
    ]
    shared = {"operation": "search_challans", "group": "Challan Search", "sent": True}
    assert facts == [
        {**shared, "attempt": 1, "status": 502, "class": "ServiceFailed", "bytes": 0},
        {**shared, "attempt": 2, "status": 200, "class": "ok", "bytes": len(body)},
    ]
    assert all(vars(line)["ms"] >= 0 for line in lines)
    assert "a text of the service" not in texts_of_log(everything_logged)
    assert [record.operation for record in client.records] == [Operation.SEARCH_CHALLANS] * 2


def test_no_representation_of_a_secret_source_shows_the_secret() -> None:
    secret = SecretSource.literal(CANARY)
    config = ServiceConfig(base_url="https://service.example", secret=secret)
    shown = f"{secret} {secret!r} {config} {config!r} {[secret]} {secret.fingerprint}"
    assert CANARY not in shown
    with pytest.raises(TypeError, match="pickled"):
        pickle.dumps(secret)
