"""Test what gunicorn would answer by itself: malformed requests, and those in the queue at a stop."""

from __future__ import annotations

import signal
import socket
import threading
from collections.abc import Callable

import pytest

from dashboard.web.shared.security import HEADERS
from tests.commands.conftest import Running
from tests.conftest import ServedReplica


def said(port: int, request: bytes) -> str:
    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.settimeout(20)
        connection.sendall(request)
        answer = b""
        while more := connection.recv(65536):
            answer += more
    return answer.decode("latin1")


@pytest.fixture
def port(command_environ: dict[str, str]) -> int:
    return int(command_environ["DASHBOARD_LISTEN"].rpartition(":")[2])


def test_a_malformed_request_is_answered_in_plain_words_with_every_header(
    start: Callable[..., Running], port: int
) -> None:
    running = start("serve")
    running.answers(f"http://127.0.0.1:{port}/healthz")
    for request, status in (
        (b"GET /<script> nonsense\r\n\r\n", 400),
        (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n", 414),
        (b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 9000 + b"\r\n\r\n", 431),
        (b"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: odd\r\n\r\n", 501),
    ):
        answer = said(port, request)
        head, _, body = answer.partition("\r\n\r\n")
        assert head.startswith(f"HTTP/1.1 {status} "), answer[:200]
        assert body == "The request could not be read.\n"
        for name, value in HEADERS.items():
            assert f"{name}: {value}" in head, status


def test_whoever_waits_for_a_thread_at_a_stop_is_told_to_come_back(
    start: Callable[..., Running], command_environ: dict[str, str], replica: ServedReplica, port: int
) -> None:
    running = start("serve", environ={**command_environ, "DASHBOARD_THREADS": "4"})
    running.answers(f"http://127.0.0.1:{port}/healthz")
    # Four half-sent requests hold the four threads.
    holders = [socket.create_connection(("127.0.0.1", port), 10) for _ in range(4)]
    for holder in holders:
        holder.sendall(b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    threading.Event().wait(1)
    answers: list[str] = []

    def wait() -> None:
        answers.append(said(port, b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"))

    waiting = [threading.Thread(target=wait) for _ in range(10)]
    for thread in waiting:
        thread.start()
    threading.Event().wait(1)
    running.process.send_signal(signal.SIGTERM)
    threading.Event().wait(1)
    for holder in holders:
        holder.sendall(b"\r\n")
        holder.close()
    for thread in waiting:
        thread.join(30)
    assert len(answers) == 10
    assert {answer.split(" ")[1] for answer in answers} <= {"503"}, answers[0][:200]
    assert all("Retry-After: 10" in answer for answer in answers)
