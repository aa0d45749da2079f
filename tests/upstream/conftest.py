"""Provide rude servers and clients, and close them after each test."""

from __future__ import annotations

import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from dashboard.upstream import CallRecord, SecretSource, ServiceClient, ServiceConfig
from tests.upstream.rude_server import RudeServer, Script

#: The secret, which no log line, text or trace may show.
CANARY = "canary-5f2c9d1e-secret"


@pytest.fixture
def rude() -> Iterator[Callable[..., RudeServer]]:
    servers: list[RudeServer] = []

    def start(*scripts: Script, tls: ssl.SSLContext | None = None) -> RudeServer:
        servers.append(RudeServer(*scripts, tls=tls))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


class WatchedClient(ServiceClient):
    """Call the service for real, without sleeping; record the reported attempts and the delays."""

    def __init__(self, config: ServiceConfig, **more: Any) -> None:
        self.records: list[CallRecord] = []
        self.sleeps: list[float] = []
        super().__init__(config, **{"observer": self.records.append, "sleep": self.sleeps.append, **more})


@pytest.fixture
def connect() -> Iterator[Callable[..., WatchedClient]]:
    """Make a client of a server (or of an address). Deadlines are long unless a test waits for one to pass."""
    clients: list[WatchedClient] = []

    def make(server: RudeServer | str, *, client: dict[str, Any] | None = None, **config: Any) -> WatchedClient:
        url = server if isinstance(server, str) else server.url
        settings: dict[str, Any] = {"base_url": url, "secret": SecretSource.literal(CANARY), **config}
        clients.append(WatchedClient(ServiceConfig(**settings), **(client or {})))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def closed_port() -> Iterator[str]:
    """Yield an address that refuses connections: bound, so that no other process takes it, but not listening."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{sock.getsockname()[1]}"


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a self-signed certificate for 127.0.0.1, with its key, in one file."""
    path = tmp_path_factory.mktemp("tls") / "self-signed.pem"
    key = path.with_suffix(".key")
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", "2", "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*command, "-keyout", str(key), "-out", str(path)], check=True, capture_output=True)
    path.write_bytes(path.read_bytes() + key.read_bytes())
    return path


@pytest.fixture
def tls(certificate: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context
