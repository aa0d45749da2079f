"""Test the creation of a link: at most one request, and `sent` never False by mistake (link-creation, step 4)."""

from __future__ import annotations

import contextlib
import gzip
import socket
import ssl
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dashboard.domain.links import PaymentLink
from dashboard.errors import (
    AllowanceSpent,
    Conflict,
    NotFound,
    RequestRefused,
    SecretRejected,
    ServiceError,
    ServiceFailed,
    ServiceNotEnabled,
    Unreachable,
    UnreadableAnswer,
)
from dashboard.upstream import SecretSource
from dashboard.upstream.connection import Attempt
from tests.upstream.conftest import WatchedClient
from tests.upstream.rude_server import (
    RudeServer,
    Script,
    answer,
    close_after_reading,
    close_at_once,
    dripping,
    envelope,
    raw,
    reset_after_first_byte,
    reset_after_reading,
    reset_at_once,
    respond,
    silent,
    speak,
    status,
)

LINK = "2b1d3c52-9d8c-4f3e-8a49-0c6f5a3f7e11"
CHALLAN = "7a9f0a8e-55f1-4c0d-b7f6-c94f1a2d9b10"
CREATED = {"id": LINK, "status": "ACTIVE", "amount": {}, "paymentModeOptions": [], "challans": []}
WHOLE = respond(envelope(CREATED))
HEAD, _, BODY = WHOLE.partition(b"\r\n\r\n")
HEAD += b"\r\n\r\n"

Connect = Callable[..., WatchedClient]
Rude = Callable[..., RudeServer]


def create(client: WatchedClient, before_send: Callable[[], None] = lambda: None) -> PaymentLink:
    return client.create_payment_link("MH12AB1001", [CHALLAN], expiry_hours=48, before_send=before_send)


def test_a_created_link_is_returned_after_one_request_on_a_connection_of_its_own(rude: Rude, connect: Connect) -> None:
    server = rude(answer(CREATED, "Date: Sat, 21 Nov 2026 04:00:00 GMT"))
    client = connect(server)
    first, second = create(client), create(client)
    server.close()
    assert first.id == second.id == LINK
    assert first.service_time is not None
    assert first.service_time.isoformat() == "2026-11-21T04:00:00+00:00"
    assert [len(peer.requests) for peer in server.peers] == [1, 1]
    head, _, body = server.requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /api/v1/staging/payment-links HTTP/1.1\r\n")
    assert b"Connection: close" in head
    assert b"Content-Type: application/json" in head
    assert body == b'{"vehicle_number":"MH12AB1001","challan_ids":["%s"],"expiry_time":48}' % CHALLAN.encode()


BROKEN_ANSWERS: dict[str, tuple[Script, type[ServiceError]]] = {
    "closed after reading": (close_after_reading, Unreachable),
    "reset after reading": (reset_after_reading, Unreachable),
    "reset within the request": (reset_after_first_byte, Unreachable),
    "status line cut": (raw(b"HTTP/1.1 20"), UnreadableAnswer),
    "only a status line": (raw(b"HTTP/1.1 200 OK\r\n"), UnreadableAnswer),
    "headers cut": (raw(b"HTTP/1.1 200 OK\r\nContent-Ty"), UnreadableAnswer),
    "headers of a refusal cut": (raw(b"HTTP/1.1 404 Not Found\r\nContent-Ty"), UnreadableAnswer),
    "no body": (raw(b"HTTP/1.1 200 OK\r\n\r\n"), UnreadableAnswer),
    "body cut": (raw(WHOLE[:-20]), Unreachable),
    "chunk cut": (raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{"), Unreachable),
    "chunk of no size": (raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}"), Unreachable),
    "length too short": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" + BODY), UnreadableAnswer),
    "two lengths": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9, 12\r\n\r\n" + BODY), UnreadableAnswer),
    "not gzip, though it says so": (raw(respond(BODY, "200 OK", "Content-Encoding: gzip")), UnreadableAnswer),
    "gzip cut": (raw(respond(gzip.compress(BODY)[:-30], "200 OK", "Content-Encoding: gzip")), UnreadableAnswer),
    "not HTTP": (raw(b"\x15\x03\x01\x00\x02\x02\x16garbage\r\n\r\n"), UnreadableAnswer),
    "HTML": (raw(respond(b"<html>200</html>")), UnreadableAnswer),
    "no id": (raw(respond(envelope({"status": "ACTIVE"}))), UnreadableAnswer),
    "success false": (raw(respond(BODY.replace(b"true", b"false"))), UnreadableAnswer),
    "a line of 70,000 characters": (raw(b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000 + b"\r\n\r\n"), UnreadableAnswer),
    "a thousand headers": (raw(b"HTTP/1.1 200 OK\r\n" + b"A: a\r\n" * 1_000 + b"\r\n"), UnreadableAnswer),
    "announced as too large": (raw(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n{"), UnreadableAnswer),
    "too large": (raw(b"HTTP/1.1 200 OK\r\n\r\n" + b" " * 2_100_000 + BODY), UnreadableAnswer),
    "redirect": (status(307, "Location: http://127.0.0.1:9/elsewhere"), UnreadableAnswer),
    "409": (status(409), Conflict),
    "500": (status(500), ServiceFailed),
    "502": (status(502), ServiceFailed),
    "503 with Retry-After": (status(503, "Retry-After: 1"), ServiceFailed),
    "201": (raw(respond(BODY, "201 Created")), ServiceFailed),
    "204": (raw(b"HTTP/1.1 204 No Content\r\n\r\n"), ServiceFailed),
    "103 before the answer": (raw(b"HTTP/1.1 103 Early Hints\r\n\r\n" + WHOLE), ServiceFailed),
}


@pytest.mark.parametrize(("script", "expected"), BROKEN_ANSWERS.values(), ids=BROKEN_ANSWERS)
def test_an_uncertain_answer_is_an_error_that_was_sent_and_is_never_retried(
    rude: Rude, connect: Connect, script: Script, expected: type[ServiceError]
) -> None:
    server = rude(script)
    client = connect(server)
    with pytest.raises(ServiceError) as caught:
        create(client)
    server.close()
    assert type(caught.value) is expected
    assert caught.value.sent is True
    assert len(server.peers) == 1
    assert len(server.requests) <= 1
    assert server.received.count(b"POST ") <= 1
    assert [record.sent for record in client.records] == [True]
    assert client.sleeps == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (400, RequestRefused),
        (401, SecretRejected),
        (403, ServiceNotEnabled),
        (404, NotFound),
        (413, RequestRefused),
        (415, RequestRefused),
        (422, RequestRefused),
        (429, AllowanceSpent),
    ],
)
def test_a_definite_refusal_was_sent_once_and_keeps_its_status(
    rude: Rude, connect: Connect, code: int, expected: type[ServiceError]
) -> None:
    server = rude(status(code))
    with pytest.raises(expected) as caught:
        create(connect(server))
    server.close()
    assert (caught.value.status, caught.value.sent) == (code, True)
    assert len(server.requests) == 1


def test_a_refusal_counts_although_its_body_never_ends(rude: Rude, connect: Connect) -> None:
    server = rude(dripping(b"x" * 1_000, at_once=b"HTTP/1.1 404 Not Found\r\nContent-Length: 1000\r\n\r\n"))
    with pytest.raises(NotFound):
        create(connect(server))


def test_an_answer_that_came_before_the_whole_body_was_sent_is_still_read(rude: Rude, connect: Connect) -> None:
    def refuse_early(peer: Any) -> None:
        peer.received += peer.sock.recv(1)
        peer.send(respond(b"", "413 Content Too Large", "Connection: close"))
        peer.wait_for_hangup()

    with pytest.raises(RequestRefused) as caught:
        create(connect(rude(refuse_early)))
    assert (caught.value.status, caught.value.sent) == (413, True)


@pytest.mark.parametrize("script", [close_at_once, reset_at_once], ids=["closed", "reset"])
def test_a_connection_lost_before_the_request_is_read_counts_as_sent(
    rude: Rude, connect: Connect, script: Script
) -> None:
    # It is a race whether the bytes leave before the close arrives.
    server = rude(script)
    with pytest.raises(Unreachable) as caught:
        create(connect(server))
    assert caught.value.sent is True or server.received == b""
    assert len(server.peers) == 1


DRIPS: dict[str, tuple[Script, type[ServiceError]]] = {
    "silence": (silent, Unreachable),
    "headers that drip": (dripping(WHOLE), UnreadableAnswer),
    "endless headers": (dripping(b"A: a\r\n" * 1_000, at_once=b"HTTP/1.1 200 OK\r\n"), UnreadableAnswer),
    "a body that drips": (dripping(BODY, at_once=HEAD), UnreadableAnswer),
    "a body without a length that drips": (dripping(BODY, at_once=b"HTTP/1.1 200 OK\r\n\r\n"), UnreadableAnswer),
    "chunks that drip": (
        dripping(b"1\r\n{\r\n" * 1_000, at_once=b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
        UnreadableAnswer,
    ),
    "endless 100 Continue": (dripping(b"HTTP/1.1 100 Continue\r\n\r\n" * 200), UnreadableAnswer),
}


@pytest.mark.parametrize(("script", "expected"), DRIPS.values(), ids=DRIPS)
def test_the_deadline_ends_a_creation_however_slowly_the_answer_drips(
    rude: Rude, connect: Connect, script: Script, expected: type[ServiceError]
) -> None:
    server = rude(script)
    started = time.monotonic()
    with pytest.raises(expected) as caught:
        create(connect(server, create_deadline=2))
    assert time.monotonic() - started < 9  # The drips alone would take longer.
    assert caught.value.sent is True
    assert "2 s" in str(caught.value) or "JSON" in str(caught.value)
    server.close()
    assert len(server.requests) == 1


def test_a_refused_connection_sends_nothing_and_never_calls_before_send(connect: Connect, closed_port: str) -> None:
    asked: list[int] = []
    client = connect(closed_port)
    with pytest.raises(Unreachable) as caught:
        create(client, lambda: asked.append(1))
    assert caught.value.sent is False
    assert asked == []
    assert len(client.records) == 1
    assert client.records[0].sent is False
    assert "ConnectionRefusedError" in str(caught.value)


@pytest.mark.parametrize("host", ["no-such-host.invalid", "a" * 64 + ".invalid", "xn--.invalid", "."])
def test_a_name_that_does_not_resolve_sends_nothing(connect: Connect, host: str) -> None:
    with pytest.raises(Unreachable) as caught:
        create(connect(f"http://{host}:80", connect_timeout=2.0))
    assert caught.value.sent is False


def test_a_resolver_that_hangs_is_abandoned_when_the_time_to_connect_is_over(
    connect: Connect, monkeypatch: pytest.MonkeyPatch
) -> None:
    release = threading.Event()
    monkeypatch.setattr("dashboard.upstream.connection.socket.getaddrinfo", lambda *a, **k: release.wait(30) and [])
    started = time.monotonic()
    with pytest.raises(Unreachable) as caught:
        create(connect("http://service.example", connect_timeout=0.2))
    release.set()
    assert caught.value.sent is False
    assert time.monotonic() - started < 10


@pytest.mark.parametrize(
    "error", [KeyError("x"), BrokenPipeError("db"), ConnectionResetError("db"), TimeoutError("db"), SystemExit(3)]
)
def test_an_exception_before_sending_is_raised_as_it_is_and_nothing_is_sent(
    rude: Rude, connect: Connect, error: BaseException
) -> None:
    server = rude(silent)

    def fail() -> None:
        raise error

    with pytest.raises(type(error)) as caught:
        create(connect(server), fail)
    server.close()
    assert caught.value is error
    assert len(server.peers) == 1
    assert server.received == b""


def test_before_send_is_called_once_connected_and_before_the_first_byte(rude: Rude, connect: Connect) -> None:
    server = rude(answer(CREATED))
    seen: list[tuple[int, bytes]] = []
    pause = threading.Event()

    def record_what_arrived() -> None:
        for _ in range(1000):
            if server.peers:
                break
            pause.wait(0.01)
        pause.wait(0.2)  # Bytes that had been written would have arrived by now.
        seen.append((len(server.peers), server.received))

    create(connect(server), record_what_arrived)
    assert seen == [(1, b"")]


def test_a_deadline_that_passes_during_before_send_sends_nothing(rude: Rude, connect: Connect) -> None:
    server = rude(silent)
    client = connect(server, create_deadline=0.2)
    with pytest.raises(Unreachable) as caught:
        create(client, lambda: _wait_until_hung_up(server))
    server.close()
    assert caught.value.sent is False
    assert server.received == b""


def _wait_until_hung_up(server: RudeServer) -> None:
    """Wait until the watchdog has shut the connection, which the server sees as a hang-up."""
    deadline = time.monotonic() + 10
    while not (server.peers and server.peers[0].done.wait(0.01)):
        assert time.monotonic() < deadline


def test_without_a_usable_secret_nothing_is_sent(rude: Rude, connect: Connect, tmp_path: Path) -> None:
    server = rude(answer(CREATED))
    (tmp_path / "secret").write_text("\n")
    with pytest.raises(SecretRejected) as caught:
        create(connect(server, secret=SecretSource.file(tmp_path / "secret")))
    assert (caught.value.sent, caught.value.status) == (False, None)
    assert "is empty" in str(caught.value)
    assert server.peers == []


def test_an_untrusted_certificate_sends_nothing(rude: Rude, connect: Connect, tls: ssl.SSLContext) -> None:
    server = rude(answer(CREATED), tls=tls)
    with pytest.raises(Unreachable) as caught:
        create(connect(server))
    server.close()
    assert (caught.value.sent, caught.value.secure) == (False, False)
    assert server.received == b""


@pytest.mark.parametrize(
    "script",
    [speak(b"HTTP/1.1 400 Bad Request\r\n\r\n"), speak(b"\x00" * 100), close_at_once],
    ids=["http", "0", "eof"],
)
def test_a_handshake_that_fails_sends_nothing(rude: Rude, connect: Connect, script: Script) -> None:
    server = rude(script)
    asked: list[int] = []
    with pytest.raises(Unreachable) as caught:
        create(connect(server.url.replace("http:", "https:"), create_deadline=5.0), lambda: asked.append(1))
    assert caught.value.sent is False
    assert asked == []


def test_a_handshake_that_never_ends_sends_nothing_and_ends_at_the_deadline(rude: Rude, connect: Connect) -> None:
    def drip_a_handshake(peer: Any) -> None:
        peer.sock.recv(10)
        peer.drip(b"\x16\x03\x03\x40\x00" + b"\x02" * 16_000)

    server = rude(drip_a_handshake)
    started = time.monotonic()
    with pytest.raises(Unreachable) as caught:
        create(connect(server.url.replace("http:", "https:"), create_deadline=0.4))
    assert caught.value.sent is False
    assert time.monotonic() - started < 4


def test_over_tls_a_cut_after_the_request_was_sent(
    rude: Rude, connect: Connect, tls: ssl.SSLContext, certificate: Path
) -> None:
    server = rude(close_after_reading, tls=tls)
    with pytest.raises(Unreachable) as caught:
        create(connect(server, ca_file=str(certificate)))
    server.close()
    assert (caught.value.sent, caught.value.secure) == (True, True)
    assert len(server.requests) == 1


def test_over_tls_the_deadline_holds_against_a_drip(
    rude: Rude, connect: Connect, tls: ssl.SSLContext, certificate: Path
) -> None:
    server = rude(dripping(BODY, at_once=HEAD), tls=tls)
    started = time.monotonic()
    with pytest.raises(UnreadableAnswer) as caught:
        create(connect(server, ca_file=str(certificate), create_deadline=2.0))
    assert time.monotonic() - started < 8
    assert caught.value.sent is True


def test_over_tls_a_link_is_created_when_the_certificate_is_trusted(
    rude: Rude, connect: Connect, tls: ssl.SSLContext, certificate: Path
) -> None:
    assert create(connect(rude(answer(CREATED), tls=tls), ca_file=str(certificate))).id == LINK


def test_a_whole_answer_counts_although_it_is_packed_or_broken_off_after_its_end(rude: Rude, connect: Connect) -> None:
    packed = raw(respond(gzip.compress(BODY), "200 OK", "Content-Encoding: gzip"))
    without_length = raw(b"HTTP/1.1 200 OK\r\n\r\n" + BODY)
    odd_headers = raw(WHOLE.replace(b"\r\n\r\n", b"\r\nno colon here\r\nA: b\r\n\r\n", 1))
    for script in (packed, without_length, odd_headers):
        assert create(connect(rude(script))).id == LINK


def test_an_observer_that_fails_does_not_lose_a_created_link(rude: Rude, connect: Connect) -> None:
    def fail(record: object) -> None:
        raise RuntimeError("metrics are down")

    assert create(connect(rude(answer(CREATED)), client={"observer": fail})).id == LINK


def test_the_client_may_be_used_during_before_send(rude: Rude, connect: Connect) -> None:
    server = rude(answer(CREATED))
    client = connect(server)
    link = create(client, lambda: client.get_payment_link(LINK) and None)
    assert link.id == LINK
    assert [record.outcome for record in client.records] == ["ok", "ok"]


def received_from(listener: socket.socket) -> int:
    """Accept a connection only now, and return how many bytes still arrive over it."""
    peer, _ = listener.accept()
    peer.settimeout(2)
    received = 0
    with peer, contextlib.suppress(ConnectionResetError):
        while piece := peer.recv(65_536):
            received += len(piece)
    return received


def send_too_much(address: tuple[str, int]) -> None:
    """Send more than the kernels of both sides hold, until the timeout of the socket."""
    with Attempt(60, 60) as attempt, socket.create_connection(address) as connection:
        attempt.watch(connection)
        attempt.about_to_send(connection)
        connection.settimeout(0.2)
        connection.sendall(b"x" * 8_000_000)


def test_what_is_left_of_a_request_that_failed_before_its_deadline_never_arrives() -> None:
    """On a busy machine the socket's own timeout comes before the watchdog."""
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_304)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        with pytest.raises(TimeoutError):
            send_too_much(listener.getsockname())
        assert received_from(listener) < 1_000_000, "what our kernel held was dropped"


def test_what_is_left_of_a_request_after_the_deadline_never_arrives(connect: Connect) -> None:
    """Let the server take no more than it must until the client has given up, and read only then."""
    challans = [LINK] * 100_000
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_304)
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        client = connect(f"http://127.0.0.1:{listener.getsockname()[1]}", create_deadline=0.5)
        with pytest.raises(Unreachable) as caught:
            client.create_payment_link("MH12AB1001", challans, expiry_hours=48, before_send=lambda: None)
        assert caught.value.sent
        assert received_from(listener) < 1_000_000, "what our kernel held was dropped"
